"""Recorded games of gomoku played over by the rules: what is refused, how they end, what contradicts it."""

import gzip
import json
import re
from itertools import islice
from pathlib import Path

import pytest
from gomoku_games import (
    BLACK_WINS,
    FIVE,
    FORBIDDEN,
    LATE,
    REFUSED,
    game_record,
    game_spec,
    points,
    refusal,
)
from gomoku_games import DOUBLE_THREE as UP_TO_A_DOUBLE_THREE
from hypothesis import given
from hypothesis import strategies as st

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.replay import Wanted
from gyoji.games.gomoku.piskvork import PSQ, claim_of_code
from gyoji.games.gomoku.record_parts import format_terms, parse_terms
from gyoji.games.gomoku.replaying import Claim, RecordedGame, replay

GOLDEN = Path(__file__).parents[2] / "golden" / "gomoku" / "game_ends.jsonl.gz"

# Black's h8 is the corner of two threes.
DOUBLE_THREE = "f8a1g8o1h9a15h10o15h8"


def judged(stones, rules="freestyle", *, size=(15, 15), lines=(), **more):
    account = RecordedGame(stones=points(stones), size=size, lines=lines, **more)
    return replay(account, Wanted(rules=rules))


@pytest.mark.parametrize(
    ("stones", "rules", "end"),
    [
        ("a1a3b1b3c1c3d1d3e1", "freestyle", "B+ (five, a1 to e1)"),
        ("a1a3b1b3c1c3d1d3o15e3", "freestyle", "W+ (five, a3 to e3)"),
        ("a1a3b1b3c1c3e1e3f1f3d1", "freestyle", "B+ (row of 6, a1 to f1)"),
        ("a1a3b1b3c1c3e1e3f1f3d1", "standard", "no end"),
        ("b1a1c1a5d1b5e1g1f1", "caro", "no end"),
        (DOUBLE_THREE, "freestyle", "no end"),
        ("a1b1", "freestyle +max_moves=2", "0 (the most moves are made)"),
        ("a1b1", "9 +draw_margin=223", "0 (few points are left)"),
        ("a1a3b1b3c1c3d1d3e1", "continuous", "no end"),
    ],
)
def test_the_end_is_what_the_rules_make_of_it(stones, rules, end):
    game = judged(stones, rules)
    assert game.refusals == ()
    assert game.verdict == f"the record says nothing, the rules {end}"
    assert game.diagram


@pytest.mark.parametrize(
    ("stones", "rules", "refused", "end"),
    [
        ("h8h8", "freestyle", "move 2, White h8: occupied point h8", "B+F (illegal move)"),
        (
            DOUBLE_THREE,
            "renju",
            "move 9, Black h8: forbidden: double three at h8",
            "W+F (illegal move)",
        ),
        (
            "a1a3b1b3c1c3d1d3e1h8",
            "freestyle",
            "move 10, White h8: the game is over: B+ (five, a1 to e1)",
            "B+ (five, a1 to e1)",
        ),
    ],
)
def test_the_first_stone_that_is_refused_is_named_with_its_reason(stones, rules, refused, end):
    game = judged(stones, rules)
    assert game.refusals == (refused,)
    assert game.verdict == f"the record says nothing, the rules {end}"
    game = judged(stones, rules, lines=tuple(range(2, 2 + len(points(stones)))))
    assert game.refusals == (f"line {len(points(stones)) + 1}: {refused}",)


def test_a_colour_out_of_turn_is_refused():
    game = judged("h8i9", colours=(0, 0))
    assert game.refusals == ("move 2, Black i9: it is White's turn",)


def test_a_stone_off_the_board_is_no_game_but_a_bad_file():
    assert refusal(judged, "p1") == "column 16, row 1 is off the 15x15 board"
    with pytest.raises(ValueError, match=r"^line 7: column 16, row 1 is off the 15x15 board$"):
        judged("p1", lines=(7,))


CLAIMS = [
    # code, stones, text, what it contradicts
    (0, "a1a3b1b3c1c3d1d3e1", "a normal end (code 0), the rules B+ (five, a1 to e1)", False),
    (0, "a1a3", "a normal end (code 0), the rules no end: they differ", True),
    (15, "a1a3", "W+T (code 15), the rules no end", False),
    (15, "a1a3b1b3c1c3d1d3e1", "B+T (code 15), the rules B+ (five, a1 to e1)", False),
    (-2, "a1a3b1", "B+F (code -2), the rules no end", False),
    (-1, "a1a3b1", "nothing (code -1), the rules no end", False),
]


@pytest.mark.parametrize(("code", "stones", "text", "differs"), CLAIMS)
def test_piskvorks_code_is_compared_with_the_end(code, stones, text, differs):
    claim = claim_of_code(code, len(points(stones)), (15, 15))
    game = judged(stones, claim=claim)
    assert (game.verdict, game.differs) == (f"the record says {text}", differs)


def test_where_piskvork_calls_a_game_level_a_normal_end_is_no_contradiction():
    assert claim_of_code(0, 5 * 5, (10, 5)).fits == "BW0-"
    assert claim_of_code(0, 24, (10, 5)).fits == "BW0"


@pytest.mark.parametrize(
    ("fits", "stones", "differs"),
    [
        ("B-", BLACK_WINS, False),
        ("W-", BLACK_WINS, True),
        ("0-", BLACK_WINS, True),
        ("W-", "a1", False),
        ("0-", "a1", False),
    ],
)
def test_a_recorded_winner_is_compared_where_the_rules_have_one(fits, stones, differs):
    game = judged(stones, claim=Claim("said", fits))
    assert game.differs is differs
    assert game.verdict.endswith(": they differ") is differs


@pytest.mark.parametrize(
    ("rule", "taken", "note"),
    [
        ("", "freestyle", "the file names no rules: freestyle is taken"),
        ("4", "renju", ""),
        ("Standard", "standard", ""),
        ("Soosyrv-8", "freestyle", "'Soosyrv-8' are no rules we know: freestyle is taken"),
        ("caro +swap2", "caro +swap2", ""),
    ],
)
def test_the_rules_are_those_that_the_file_names(rule, taken, note):
    account = RecordedGame(stones=(), size=(15, 15), rule=rule)
    game = replay(account, Wanted())
    assert dict(game.facts)["rules"] == taken
    assert game.notes == ((note,) if note else ())
    assert dict(replay(account, Wanted(rules="caro")).facts)["rules"] == "caro"


def test_a_size_that_is_asked_for_goes_first():
    game = replay(RecordedGame(stones=(), rule="renju", size=(15, 15)), Wanted(size=(20, 19)))
    assert (dict(game.facts)["size"], game.notes) == ("20x19", ())


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (Wanted(rules="chess"), "rules: got 'chess', expected 'freestyle', 'standard'"),
        (Wanted(rules="5"), "rules: got 5, but renju"),
        (Wanted(rules="renju +max_moves"), "rules: got 'max_moves', expected max_moves=N"),
        (Wanted(rules="renju +draw_margin=999"), "rules: draw_margin: got 999, expected 0 to 224"),
        (Wanted(size=(4, 15)), "size: a board of 4x15: expected 5 to 127 columns and rows"),
        (Wanted(komi=1.0), "komi: gomoku has none; it is replayed by rules, size"),
        (Wanted(goes_on=True), "all: gomoku has none"),
    ],
)
def test_what_is_asked_for_and_does_not_fit_is_the_users_mistake(wanted, message):
    with pytest.raises(ConfigError) as caught:
        replay(RecordedGame(stones=(), size=(15, 15)), wanted)
    assert str(caught.value).startswith(message)


@given(
    st.sampled_from(["freestyle", "standard", "renju", "caro", "caro-8", "continuous", 3, 10]),
    st.integers(0, 300),
    st.integers(0, 99),
    st.booleans(),
    st.booleans(),
)
def test_terms_come_back(rule, max_moves, draw_margin, dead_draw, swap2):
    terms = {
        "rule": rule,
        "max_moves": max_moves,
        "draw_margin": draw_margin,
        "dead_draw": dead_draw,
        "swap2": swap2,
    }
    assert parse_terms(format_terms(terms)) == {
        name: value for name, value in terms.items() if value or name == "rule"
    }


def _golden():
    with gzip.open(GOLDEN, "rt") as file:
        yield from map(json.loads, islice(file, 0, None, 20))


def test_games_that_others_have_judged_end_the_same_way():
    for game in _golden():
        lines = "".join(
            f"{ord(letter) - 96},{row},5\n" for letter, row in re.findall(r"([a-z])(\d+)", game["moves"])
        )
        data = f"Piskvorky {game['size']}x{game['size']}, 11:11, 0\n{lines}-1\n".encode()
        [judged] = PSQ.replay(data, Wanted(rules=str(game["rule"])))
        letter = {"black": "B", "white": "W", None: "0"}[game["winner"]]
        expected = {
            "line": f"{letter}+ (",
            "forbidden": "W+F (illegal move)",
            "full_board": "0 (the board is full)",
            "unfinished": "no end",
        }[game["end"]]
        assert judged.verdict.partition(", the rules ")[2].startswith(expected), game
        assert bool(judged.refusals) == (game["end"] == "forbidden"), game
        assert all(kind.replace("_", " ") in judged.refusals[0] for kind in game.get("forbidden_types") or ())


# Records of ours

TELLING = ("psq", "sgf")


def replay_own(form, spec, record):
    both = GAMES.find("gomoku").record_format(form)
    [game] = both.replay(both.write(spec, record), Wanted())
    return game


@pytest.mark.parametrize("form", TELLING)
@pytest.mark.parametrize(
    "options",
    [
        {"rule": "renju", "max_moves": 200},
        {"rule": "caro", "board_size": 20},
        {"rule": "standard", "board_size": (20, 17), "draw_margin": 25},
        {"rule": "freestyle", "opening": "h8i9g7"},
    ],
)
def test_our_records_tell_the_board_and_the_rules(form, options):
    spec = game_spec(**options)
    facts = dict(replay_own(form, spec, game_record("a1 b2", outcome=LATE)).facts)
    assert facts["rules"] == format_terms(spec.options)
    assert facts["size"] == {20: "20", (20, 17): "20x17"}.get(options.get("board_size"), "15")


@pytest.mark.parametrize("form", TELLING)
@pytest.mark.parametrize(
    ("rule", "moves", "refused"),
    [
        ("renju", UP_TO_A_DOUBLE_THREE, REFUSED),
        ("freestyle", "h8 a1 g7 a2", REFUSED),
    ],
)
def test_the_move_that_lost_is_in_our_records_and_no_illegal_one(form, rule, moves, refused):
    spec = game_spec(rule=rule)
    game = replay_own(form, spec, game_record(moves, outcome=FORBIDDEN, refused=refused))
    number = len(moves.split()) + 1
    assert re.search(f"move {number}, Black h8: (forbidden: double three at|occupied point) h8", game.forfeit)
    assert game.refusals == ()
    assert not game.differs
    assert dict(game.facts)["stones"] == str(number)


@pytest.mark.parametrize("form", TELLING)
def test_our_records_are_judged_as_they_were_played(form):
    for record in (
        game_record(BLACK_WINS),
        game_record("h8", outcome=LATE),
        game_record("h8 a1", outcome=FORBIDDEN),
        game_record("", outcome=LATE),
    ):
        game = replay_own(form, game_spec(), record)
        assert (game.refusals, game.forfeit, game.differs) == ((), "", False)


def test_a_move_against_the_rules_that_the_record_does_not_blame_is_illegal():
    spec = game_spec(rule="renju")
    game = replay_own("psq", spec, game_record(f"{UP_TO_A_DOUBLE_THREE} h8", outcome=FIVE))
    assert game.forfeit == ""
    assert len(game.refusals) == 1
