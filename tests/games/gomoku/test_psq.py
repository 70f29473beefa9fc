"""PSQ: what is written is what Piskvork writes, and what anybody writes is read as it is meant."""

import pytest
from gomoku_games import (
    BLACK_WINS,
    FIVE,
    LATE,
    game_record,
    game_spec,
    points,
    refusal,
    swap2_game,
    void_game,
)
from hypothesis import given
from hypothesis import strategies as st

from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.plugins import GAMES
from gyoji.core.record import Played
from gyoji.core.replay import Wanted
from gyoji.games.gomoku.piskvork import PSQ, read_psq

WRITTEN = """\
Piskvorky 15x15, 11:11, 0
8,8,0
9,9,0
7,7,0
1,1,1
1,3,2
15,15,3
a
b
15
2,freestyle
"""


def lines(data):
    return data.decode().split("\r\n")


def test_a_file_looks_as_piskvork_writes_it():
    spec = game_spec(opening="h8i9g7", clock=TimeControl.parse("5s/move"))
    data = PSQ.write(spec, game_record("a1 a3 o15", outcome=LATE, first=1))
    assert data.decode().replace("\r\n", "\n") == WRITTEN
    assert data.count(b"\n") == data.count(b"\r\n") == 11


def test_the_module_is_a_record_format():
    assert GAMES.find("gomoku").record_format("psq").write is PSQ.write
    assert PSQ.suffix == ".psq"


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (FIVE, "0"),
        (Outcome(points=(0.5, 0.5), ending=Ending.FULL), "0"),
        (LATE, "15"),
        (Outcome(points=(1.0, 0.0), ending=Ending.ILLEGAL_MOVE, seat=1), "-2"),
        (Outcome(points=(1.0, 0.0), ending=Ending.FAULT, seat=1), "-2"),
        (Outcome(points=(1.0, 0.0), ending=Ending.RESIGNATION, seat=1), "-1"),
        (Outcome(points=None, ending=Ending.MOVE_LIMIT), "-1"),
    ],
)
def test_the_code_says_how_the_game_ended(outcome, code):
    assert lines(PSQ.write(game_spec(), game_record("h8", outcome=outcome)))[-3] == code


def test_a_void_game_has_the_code_for_what_is_not_known():
    assert lines(PSQ.write(game_spec(), void_game("h8")))[-5:] == ["a", "b", "-1", "-1,freestyle", ""]


SWAP2 = [
    # choices and moves, sides, lines of the stones, Black and White
    ([(1, "swap")], "a1 a2", (1, 0), ["8,8,10", "9,9,0", "7,7,0", "1,1,1", "1,2,22"], "ba"),
    ([(1, "f6")], "a1", (0, 1), ["8,8,10", "9,9,0", "7,7,0", "6,6,20", "1,1,1"], "ab"),
    (
        [(1, "f6e5"), (0, "swap")],
        "a1",
        (0, 1),
        ["8,8,10", "9,9,0", "7,7,0", "6,6,20", "5,5,0", "1,1,1"],
        "ab",
    ),
    (
        [(1, "f6e5"), (0, "d4")],
        "a1",
        (1, 0),
        ["8,8,10", "9,9,0", "7,7,0", "6,6,20", "5,5,0", "4,4,30", "1,1,1"],
        "ba",
    ),
]


@pytest.mark.parametrize(("choices", "moves", "sides", "stones", "players"), SWAP2)
def test_after_swap2_all_stones_and_times_are_there_and_black_comes_first(
    choices, moves, sides, stones, players
):
    opening = swap2_game(*choices)
    count = len(stones) - len(moves.split())
    later = [
        Played(sides.index((count + nth) % 2), move, (nth + 1) * 1_000_000)
        for nth, move in enumerate(moves.split())
    ]
    played = [*opening, *later]
    spec = game_spec(swap2=True)
    assert lines(PSQ.write(spec, game_record(played, sides=sides)))[1:-3] == [*stones, *players]
    assert lines(PSQ.write(spec, void_game(played)))[1:-3] == [*stones, *players]


def test_a_stone_that_is_not_on_the_board_is_refused():
    for move in ("p1", "a16", "a0", "x", ""):
        with pytest.raises(ValueError, match=r"game a_v_b_7: '.*' is not on the 15x15 board"):
            PSQ.write(game_spec(), game_record([Played(0, move, 1)]))


def test_columns_past_z_and_rectangles_are_written():
    data = PSQ.write(game_spec(board_size=[30, 5]), game_record("ad5 aa1"))
    assert lines(data)[:3] == ["Piskvorky 30x5, 11:11, 0", "30,5,1", "27,1,2"]


@given(
    st.lists(st.tuples(st.integers(0, 19), st.integers(0, 14)), max_size=40),
    st.integers(0, 5),
    st.booleans(),
)
def test_the_stones_come_back_in_their_order(stones, opening, turned):
    names = [f"{chr(97 + x)}{y + 1}" for x, y in stones]
    spec = game_spec(board_size=(20, 15), opening="".join(names[:opening]))
    record = game_record(names[opening:], sides=(1, 0) if turned else ())
    account = read_psq(PSQ.write(spec, record))
    assert account.stones == tuple(stones)
    assert account.size == (20, 15)
    assert (account.black, account.white) == (("b", "a") if turned else ("a", "b"))


HEAD = "Piskvorky 20x20, 7:7, 0\n"
READ = [
    # text, stones, Black, White, claim, notes
    (
        f"{HEAD}10,10,456\n11,12,4500\npisq7.exe\nsolver.ZIP\n0\n",
        "j10k12",
        "pisq7.exe",
        "solver.ZIP",
        "BW0",
        0,
    ),
    (f"{HEAD}10,10,456\r\n11,12,4500\r\nx\r\ny\r\n15\r\n", "j10k12", "x", "y", "W-", 0),
    (f"{HEAD}10,10,456\nx\ny\n-2", "j10", "x", "y", "B-", 0),
    (f"{HEAD}10,10,456\n-1\n", "j10", "", "", "BW0-", 0),
    ("Piskvorky 20x20, 7:7, 1\n10,10,456\nx\ny\n0\n", "j10", "y", "x", "BW0", 0),
    (f"{HEAD}1,1\n2,2\n\nx\ny\n0\n", "a1b2", "x", "y", "BW0", 0),
    (f"{HEAD} 1 , 1 , 5 \n\n\n0\n", "a1", "", "", "BW0", 0),
    (f"\ufeff{HEAD}1,1,0\n0\n", "a1", "", "", "BW0", 0),
    ("piskvorky  15 x 15 , 0 - 0\n8,8,0\n0", "h8", "", "", "BW0", 0),
    (f"{HEAD}0\n", "", "", "", "BW0", 0),
    (f"{HEAD}8,8,0\n", "h8", "", "", "BW0-", 1),
    (f"{HEAD}8,8,0\nx\ny\n", "h8", "x", "y", "BW0-", 1),
    (f"{HEAD}8,8,0\nX.zip\nY.zip\n-1\n1,Freestyle1\n", "h8", "X.zip", "Y.zip", "BW-", 1),
    (f"{HEAD}8,8,0\nX\nY\n-1\n0,Cup\n", "h8", "X", "Y", "0-", 0),
    (f"{HEAD}8,8,0\nX\nY\n0\nnonsense\n", "h8", "X", "Y", "BW0", 1),
]


@pytest.mark.parametrize(("text", "stones", "black", "white", "fits", "notes"), READ)
def test_files_of_many_hands_are_read(text, stones, black, white, fits, notes):
    account = read_psq(text.encode())
    assert account.stones == points(stones)
    assert (account.black, account.white) == (black, white)
    assert account.claim.fits == fits
    assert len(account.notes) == notes


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("Freestyle15_1", "freestyle"),
        ("Fastgame", "freestyle"),
        ("A RENJU event", "renju"),
        ("My caro cup", "caro"),
    ],
)
def test_the_name_of_a_tournament_tells_its_rule(name, rule):
    account = read_psq(f"{HEAD}8,8,0\nX\nY\n-1\n2,{name}\n".encode())
    assert account.rule == rule
    assert account.notes == (f"the rules are those in the tournament's name, {name}",)


BAD = [
    ("", "line 1: 'Piskvorky 15x15, 11:11, 0' was expected, found ''"),
    ("Piskvorky 15, 0:0, 0\n", "line 1: 'Piskvorky 15x15, 11:11, 0' was expected, found 'Piskvorky 15,"),
    ("Piskvorky 15x15, 0:0, 2\n", "line 1: "),
    ("(;GM[4])", "line 1: "),
    ("Piskvorky 4x15, 0:0, 0\n8,8,0", "line 1: a board of 4x15: expected 5 to 127 columns and rows"),
    ("Piskvorky 15x999, 0:0, 0\n8,8,0", "line 1: a board of 15x999: expected 5 to 127 columns and rows"),
    (f"{HEAD}8,8,0\n9,", "line 3: a stone such as 8,8,1500 was expected, found '9,'"),
    (f"{HEAD}8,8,0\nx\n9,9,0\n0\n", "line 3: a stone such as 8,8,1500 was expected, found 'x'"),
    (f"{HEAD}8,8,0\nx\ny\nz\n", "line 5: a code such as 0, 15 or -1 was expected, found 'z'"),
    (f"{HEAD}8,8,0\nx\ny\n99999999999\n", "line 5: a code "),
    (f"{HEAD}8,8,0\n99999999999,1,1\n0\n", "line 3: a stone "),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_what_is_no_record_is_refused_by_its_line(text, message):
    assert refusal(read_psq, text.encode()).startswith(message)


@given(st.binary(max_size=80), st.binary(max_size=80))
def test_whatever_bytes_a_file_has_it_is_read_or_refused(header, rest):
    for data in (header, b"Piskvorky 15x15, 0:0, 0\n" + rest, b"Piskvorky 15x15, 0:0, 0\n8,8,0\n" + rest):
        said = refusal(PSQ.replay, data, Wanted())
        assert not said or (said.startswith("line ") and said.isprintable())


def test_a_file_cut_anywhere_is_read_or_refused():
    data = PSQ.write(game_spec(), game_record(BLACK_WINS))
    said = [refusal(PSQ.replay, data[:end], Wanted()) for end in range(len(data))]
    assert {words.split(" ")[0] for words in said if words} == {"line"}
    assert said[-1] == said[-5] == ""
