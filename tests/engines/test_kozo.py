"""Kozo and its reader: captures, escapes, ladders, eyes, and how well and how fast it plays."""

import subprocess
import sys

import pytest
from tests.go_diagrams import drawn_position

from gyoji.engines.gtp_states import RESIGN, Game, GoEngine, Result, Stone
from gyoji.engines.kozo import AreaEngine, Drunk, Kozo, main
from gyoji.engines.reading import reader_of
from gyoji.games.go.board import PASS
from gyoji.games.go.game_options import Options
from gyoji.games.go.rules import rules


def made(text, *, to_play=0, moves=(), komi=0.5):
    """Return the game of a diagram."""
    size = len(text.split())
    go = rules(
        Options(
            board_size=size,
            komi=komi,
            suicide=False,
            internal_scorer_handicap_compensation="no",
            ruleset="none",
        )
    )
    position = drawn_position(go, "\n".join(text.split()), to_play=to_play)
    return Game(rules=go, position=position, moves=tuple(moves), positions=(position,))


def named(game, moves):
    return sorted(game.rules.format(move) for move in moves)


LADDER = "....... ....... ....... ..XO... ...XX.. ....... ......."
BROKEN = "....... .....O. ....... ..XO... ...XX.. ....... ......."
OPEN = "....... ....... ....... ..XO... ...X... ....... ......."


@pytest.mark.parametrize(("text", "moves"), [(LADDER, ["D5"]), (BROKEN, []), (OPEN, [])])
def test_a_ladder_works_unless_a_stone_is_in_its_way(text, moves):
    game = made(text)
    seed = 1 << game.rules.parse("D4")
    found = reader_of(game.rules.board).captures(seed, game.position.white, game.position.black)
    assert named(game, found) == moves


@pytest.mark.parametrize(
    ("text", "seed", "moves"),
    [
        ("..... ..X.. .XO.. ..X.. .....", "C3", ["D3"]),
        ("..... X.... OX... .X... .....", "A3", []),
        ("..... XO... OXO.. ..... .....", "A3", ["A2", "A5", "B2"]),
    ],
    ids=["by running", "not at all", "by taking, or then by running"],
)
def test_what_saves_a_group_in_atari(text, seed, moves):
    game = made(text)
    found = reader_of(game.rules.board).escapes(
        1 << game.rules.parse(seed), game.position.white, game.position.black
    )
    assert named(game, found) == moves


@pytest.mark.parametrize(
    ("text", "point", "is_eye"),
    [
        ("..... ..X.. .X.X. ..X.. .....", "C3", True),
        ("..... .OX.. .X.X. ..X.. .....", "C3", True),
        ("..... .OX.. .X.X. ..XO. .....", "C3", False),
        ("..... ..... ..... XX... .X...", "A1", True),
        ("..... ..... ..... XO... .X...", "A1", False),
        ("..... ..... ..... X.... ..X..", "B1", False),
    ],
)
def test_eyes_are_told_from_false_ones(text, point, is_eye):
    game = made(text)
    at = game.rules.parse(point)
    assert reader_of(game.rules.board).is_eye(at, game.position.black, game.position.white) is is_eye


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        (LADDER, {"D5"}),
        ("..... ..... .OX.. OX.X. .OX..", {"B2", "A1", "C1", "B3", "A3", "D1", "B4", "C4", "D3"}),
        ("....... ....... ...O... ..OX... ...O... ....... .......", {"E4"}),
    ],
    ids=["a ladder", "a fight", "an atari"],
)
def test_kozo_finds_the_vital_point(text, moves):
    game = made(text)
    for seed in "abc":
        answer = Kozo(seed)(game)
        assert isinstance(answer, Result)
        assert game.rules.format(answer.move) in moves, answer.comment


FINISHED = "XX.XO X.XXO XXXOO OOOO. .O.OO".replace(" ", "\n")


def test_kozo_passes_when_the_game_is_over_and_keeps_its_eyes():
    for seat in (0, 1):
        assert Kozo("a")(made(FINISHED, to_play=seat)) == PASS


DEAD = ".X.XO XXXXO OOOOO .OO.O XO.OO"


def test_kozo_takes_dead_stones_off_before_it_passes():
    game = made(DEAD, to_play=1)
    assert named(game, [Kozo("a")(game)]) == ["A2"]


def test_kozo_leaves_dead_stones_where_they_are_when_it_leads_and_the_other_side_has_passed():
    assert Kozo("a")(made(DEAD, to_play=1, moves=[Stone(0, PASS)])) == PASS
    behind = made(DEAD, to_play=1, moves=[Stone(0, PASS)], komi=-7.5)
    assert named(behind, [Kozo("a")(behind)]) == ["A2"]


def test_kozo_stops_at_once_when_the_other_side_has_passed_and_it_leads():
    game = made(FINISHED, to_play=0, moves=[Stone(1, PASS)], komi=-20.5)
    assert Kozo("a")(game) == PASS


def test_the_same_seed_plays_the_same_game():
    games = []
    for seed in ("1", "1", "2"):
        engine = GoEngine(Kozo(seed), size=9)
        games.append([engine.call("genmove", "bw"[ply % 2]) for ply in range(12)])
    assert games[0] == games[1] != games[2]


def play(black, white, size):
    """Referee a game. Return the winner, and the CPU seconds for a move of the slower side."""
    go = rules(Options(board_size=size, komi=7.5, suicide=False, ruleset="none"))
    engines = [GoEngine(choose, size=size) for choose in (black, white)]
    position, moves = go.start(), 0
    while go.acting(position) and moves < 6 * size * size:
        seat = position.to_play
        move = engines[seat].call("genmove", "bw"[seat])
        position = go.play(position, ((seat, go.parse(move)),))
        engines[1 - seat].call("play", "bw"[seat], move)
        moves += 1
    spent = max(float(engine.call("gomill-cpu_time")) for engine in engines)
    return go.outcome(position).winner, spent / (moves / 2)


def test_kozo_beats_a_random_mover_with_either_colour_in_no_time():
    for number in range(6):
        kozo, drunk, seat = Kozo(str(number)), Drunk(str(number)), number % 2
        winner, seconds = play(*((drunk, kozo) if seat else (kozo, drunk)), 9)
        assert winner == seat
        assert seconds < 0.5


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_games_between_kozos_end_on_small_boards_too(size):
    winner, _ = play(Kozo("a"), Kozo("b"), size)
    assert winner in (0, 1)


def test_a_random_mover_does_not_fill_its_eyes_and_passes_in_the_end():
    assert Drunk("a")(made(FINISHED)) == PASS


def test_kozo_resigns_a_lost_game_if_told_to():
    lost = made("OOOOO O.O.O OOOOO OXOOO O.OOO", moves=[Stone(0, PASS)] * 21, komi=7.5)
    assert Kozo("a", resigns=True)(lost) == RESIGN
    assert Kozo("a")(lost) != RESIGN


@pytest.mark.process
@pytest.mark.parametrize("words", [["--seed", "5"], ["--random"], []])
def test_it_is_a_program(words):
    done = subprocess.run(
        [sys.executable, "-m", "gyoji.engines.kozo", *words],
        input=b"name\nboardsize 9\ngenmove b\ngomill-describe_engine\nquit\n",
        capture_output=True,
        check=True,
        env={"GYOJI_GAME_TOKEN": "0_7"},
    )
    name, _, move, description, _, rest = done.stdout.decode().split("\n\n")
    assert name == ("= Drunk" if "--random" in words else "= Kozo")
    assert len(move) == 4
    assert description.endswith("Seed 5" if "--seed" in words else "Seed 0_7")
    assert rest == ""


def test_an_unknown_option_is_refused(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["gyoji-kozo", "--fast"])
    assert main() == 2
    assert capsys.readouterr().err.startswith("kozo: no option '--fast'")


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_says_what_the_engine_is_for_and_its_options(word, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["gyoji-kozo", word])
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code == 0
    told = capsys.readouterr().out
    assert "kozo is an engine" in told
    assert told.endswith("Options: --seed N, --random, --resign\n")


@pytest.mark.parametrize(
    ("rules", "answer"),
    [
        ("chinese", b"=\n\n"),
        ("aga", b"=\n\n"),
        ("japanese", b"? plays by area rules alone: chinese, aga, new_zealand\n\n"),
    ],
)
def test_kozo_can_be_told_area_rules_and_no_others(rules, answer):
    engine = AreaEngine(Drunk("1"))
    assert engine.answer(b"known_command kgs-rules") == b"= true\n\n"
    assert engine.answer(f"kgs-rules {rules}".encode()) == answer
