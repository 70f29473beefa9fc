"""Games of ours in PSQ, REC, pos and messages, and samples of them: what is written, and what files mean."""

import re
from pathlib import Path

import pytest
from gomoku_games import (
    BLACK_WINS,
    DOUBLE_THREE,
    FIVE,
    FORBIDDEN,
    LATE,
    REFUSED,
    game_record,
    game_spec,
    points,
    refusal,
    swap2_game,
    void_game,
)
from hypothesis import given
from hypothesis import strategies as st

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.plugins import GAMES
from gyoji.core.record import Played
from gyoji.core.replay import Wanted
from gyoji.games.gomoku.board import column_name
from gyoji.games.gomoku.piskvork import REC, read_rec
from gyoji.games.gomoku.samples import SAMPLES
from gyoji.games.gomoku.sgf_records import read_game
from gyoji.games.gomoku.text_records import MESSAGES, POS, read_pos
from gyoji.sgf.grammar import parse


def test_what_can_be_written_is_a_record_format():
    find = GAMES.find("gomoku").record_format
    assert [find(name).write is not None for name in ("pos", "messages", "rec")] == [True, True, False]
    assert [each.suffix for each in (REC, POS, MESSAGES)] == [".rec", ".pos", ".messages.txt"]


# REC


@pytest.mark.parametrize(
    ("text", "stones", "players", "fits"),
    [
        ("alpha.exe\nbeta.exe\n9,9,0\n10,11,4500\n0\n", "j10k12", ("alpha.exe", "beta.exe"), "BW0"),
        ("a\r\nb\r\n0,19,0\r\n15\r\n", "a20", ("a", "b"), "B-"),
        ("\n\n9,9\n", "j10", ("", ""), "BW0-"),
        ("homo-1\nb\n\n9,9,1\n\n8,8,1\n\n-2", "j10i9", ("homo-1", "b"), "W-"),
    ],
)
def test_rec_counts_from_0_and_begins_with_black(text, stones, players, fits):
    account = read_rec(text.encode())
    assert (account.stones, account.size) == (points(stones), (20, 20))
    assert ((account.black, account.white), account.claim.fits) == (players, fits)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: a stone such as 9,9,1500 was expected after two names, found ''"),
        ("a\nb\n", "line 3: a stone such as 9,9,1500 was expected after two names, found ''"),
        ("a\nb\nc\nd\n", "line 3: a stone such as 9,9,1500 was expected after two names, found 'c'"),
        ("a\nb\n1,1,1\nx\n", "line 4: a code such as 0, 15 or -1 was expected, found 'x'"),
    ],
)
def test_what_is_no_rec_is_refused_by_its_line(text, message):
    assert refusal(read_rec, text.encode()) == message


def test_a_stone_off_the_board_of_rec_is_refused_by_its_line():
    said = refusal(REC.replay, b"a\nb\n1,1,1\n20,2,1\n0\n", Wanted())
    assert said == "line 4: column 21, row 3 is off the 20x20 board"


# pos


def test_pos_is_the_stones_on_a_line_and_nothing_else():
    assert POS.write(game_spec(opening="h8i9"), game_record("a1 b2")) == b"h8i9a1b2\n"
    moves = [*swap2_game((1, "f6e5"), (0, "swap")), Played(1, "a1", 1)]
    assert POS.write(game_spec(swap2=True), game_record(moves)) == b"h8i9g7f6e5a1\n"
    assert POS.write(game_spec(rule="renju"), void_game("a1")) == b"a1\n"
    assert POS.write(game_spec(), game_record("", outcome=LATE)) == b"\n"


def test_each_line_of_a_pos_is_stones_to_a_reader_of_openings():
    spec, record = game_spec(rule="renju", board_size=20), game_record("h8 i9 t20")
    for line in POS.write(spec, record).decode().splitlines():
        assert re.fullmatch("([a-z][0-9]{1,2})+", line), line


@given(st.lists(st.tuples(st.integers(0, 126), st.integers(0, 126)), min_size=1, max_size=30))
def test_the_stones_of_pos_come_back(stones):
    moves = [f"{column_name(x)}{y + 1}" for x, y in stones]
    [account] = read_pos(POS.write(game_spec(board_size=127), game_record(moves)))
    assert account.stones == tuple(stones)
    assert account.lines == (1,) * len(stones)


def test_pos_is_read_in_many_hands():
    text = "# openings\n\nh8i9\r\nH8, I9 g7\n  aa27 \n"
    assert [account.stones for account in read_pos(text.encode())] == [
        points("h8i9"),
        points("h8i9g7"),
        ((26, 26),),
    ]


@pytest.mark.parametrize("text", ["", "\n", " \r\n\n"])
def test_an_empty_pos_is_a_game_without_stones(text):
    [account] = read_pos(text.encode())
    assert account.stones == ()
    assert account.size is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n# only words\n", "line 3: stones such as h8i9 were expected, found the end"),
        ("h8\nh8i", "line 2: stones such as h8i9 were expected, found 'i'"),
        ("h8;i9", "line 1: stones such as h8i9 were expected, found ';i9'"),
        ("h1234", "line 1: stones such as h8i9 were expected, found '4'"),
    ],
)
def test_what_is_no_pos_is_refused_by_its_line(text, message):
    assert refusal(read_pos, text.encode()) == message


@given(st.binary(max_size=60))
def test_whatever_bytes_a_file_has_it_is_read_or_refused(data):
    for form, head in ((REC, b""), (REC, b"a\nb\n1,1,1\n"), (POS, b""), (POS, b"h8")):
        said = refusal(form.replay, head + data, Wanted())
        assert not said or (said.startswith("line ") and said.isprintable())


# Messages

SAID = """\
----------------------------------------
Game ID: a_v_b_7
Engines: a x b
3) a: depth 8
3) a: ev 31
5) a: tab here \\x1b
end) b: hopeless
"""


def test_messages_stand_under_the_number_of_the_stone_they_came_with():
    moves = [
        Played(0, "a1", 1, "depth 8\nev 31"),
        Played(1, "a2", 1),
        Played(0, "a3", 1, "tab\there \x1b"),
    ]
    record = game_record(moves, remarks=((1, "hopeless"),))
    assert MESSAGES.write(game_spec(opening="h8i9"), record).decode() == SAID


def test_messages_of_swap2_are_told_with_the_sides_that_were_chosen():
    moves = [move._replace(comment=f"m{nth}") for nth, move in enumerate(swap2_game((1, "swap")))]
    moves.append(Played(0, "a1", 1, "mine"))
    text = MESSAGES.write(game_spec(swap2=True), game_record(moves, sides=(1, 0))).decode()
    assert text.splitlines()[2:] == ["Engines: b x a", "1) a: m0", "swap) b: m1", "4) a: mine"]


def test_a_game_in_which_nobody_spoke_is_a_heading():
    assert MESSAGES.write(game_spec(), void_game(BLACK_WINS)).decode().splitlines()[1:] == [
        "Game ID: a_v_b_7",
        "Engines: a x b",
    ]


GOLDEN = Path(__file__).parents[2] / "golden/gomoku/samples"
OPENING = 3
"""Stones of the opening of these games, which carbon and pela played under c-gomoku-cli's eyes."""

csv, binpack = SAMPLES["csv"], SAMPLES["binpack"]


@pytest.mark.parametrize("form", SAMPLES)
@pytest.mark.parametrize("rule", [0, 4])
def test_samples_are_those_of_c_gomoku_cli(form, rule):
    [tree] = parse((GOLDEN / f"rule{rule}-{form}.sgf").read_bytes())
    account = read_game(tree)
    names = [f"{column_name(x)}{y + 1}" for x, y in account.stones]
    has_black_won = account.claim.fits == "B-"
    outcome = Outcome(points=(1.0, 0.0) if has_black_won else (0.0, 1.0), ending=Ending("five"))
    record = game_record(" ".join(names[OPENING:]), first=1, outcome=outcome)
    spec = game_spec(rule=rule, opening="".join(names[:OPENING]))
    assert SAMPLES[form](spec, record) == (GOLDEN / f"rule{rule}.{form}").read_bytes()


def test_a_sample_says_what_came_of_it_for_who_made_the_move():
    assert csv(game_spec(), game_record("h8 i9 g7")) == b",h8,2\nh8,i9,0\nh8i9,g7,2\n"
    level = Outcome(points=(0.5, 0.5), ending=Ending.FULL)
    assert csv(game_spec(opening="h8"), game_record("i9", outcome=level, first=1)) == b"h8,i9,1\n"


def test_the_stones_of_swap2_are_those_before_the_first_sample():
    moves = [*swap2_game((1, "f6e5"), (0, "swap")), Played(1, "a1", 1), Played(0, "a2", 1)]
    record = game_record(moves, sides=(0, 1))
    assert csv(game_spec(swap2=True), record) == b"h8i9g7f6e5,a1,0\nh8i9g7f6e5a1,a2,2\n"


@pytest.mark.parametrize(
    ("record", "lines"),
    [
        (game_record("h8 i9", outcome=LATE), 0),
        (game_record("h8 i9", outcome=Outcome(points=(0.0, 1.0), ending=Ending.FAULT, seat=0)), 0),
        (game_record("h8 i9", outcome=Outcome(points=None, ending=Ending.MOVE_LIMIT)), 0),
        (game_record("h8 i9", outcome=FORBIDDEN, refused=REFUSED), 0),
        (game_record(DOUBLE_THREE, outcome=FORBIDDEN, refused=REFUSED), 8),
        (game_record("h8 i9 a1", outcome=FIVE), 3),
    ],
)
def test_games_that_were_not_decided_on_the_board_have_no_samples(record, lines):
    assert csv(game_spec(), record).count(b"\n") == lines
    assert bool(binpack(game_spec(), record)) == bool(lines)


@pytest.mark.parametrize("options", [{"rule": "caro"}, {"board_size": (15, 16)}, {"board_size": 23}])
@pytest.mark.parametrize("form", SAMPLES)
def test_what_c_gomoku_cli_has_not_is_refused(form, options):
    with pytest.raises(ValueError, match="samples are of square boards of 5 to 22 and of freestyle"):
        SAMPLES[form](game_spec(**options), game_record("h8"))
