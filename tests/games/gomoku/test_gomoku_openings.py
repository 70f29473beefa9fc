"""Files of openings, and openings turned and moved."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.games.gomoku.board import board_of, names_of
from gyoji.games.gomoku.game_options import Options, rules
from gyoji.games.gomoku.opening_files import openings, vary

PSQ = """Piskvorky 15x15, 11:11, 0
8,8,0
9,9,1234

7 , 8 , 12
pbrain-one.exe
pbrain-two.exe
0
"""
REC = """one
two
7,7,0
8,8,30
0
"""


def read(text, name="openings.txt", **options):
    data = text.encode() if isinstance(text, str) else text
    return openings(data, name, {"board_size": 15, **options})


@pytest.mark.parametrize(
    ("line", "opening"),
    [
        ("0,0", "h8"),
        ("0,0, 1,1, -1,0", "h8i9g8"),
        ("-7,-7,7,7", "a1o15"),
        ("0 0 +1 -1", "h8i7"),
        ("0,0;1,1;", "h8i9"),
        ("\t0 , 0,\t1 ,1 # the middle", "h8i9"),
        ("h8i9g7", "h8i9g7"),
        ("H8, I9; g7", "h8i9g7"),
    ],
)
def test_a_line_is_offsets_or_names(line, opening):
    assert read(line) == (opening,)


@pytest.mark.parametrize(
    ("size", "opening"), [(20, "k11"), (15, "h8"), ([30, 20], "p11"), (5, "c3"), (127, "bl64")]
)
def test_offsets_count_from_the_middle(size, opening):
    assert read("0,0", board_size=size) == (opening,)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_file_is_lines_with_comments_between(end):
    lines = ["\ufeff# book", "0,0, 1,1", "", "; old", "  ", "h8h9h10", "# end"]
    assert read(end.join(lines)) == ("h8i9", "h8h9h10")


def test_an_empty_file_has_no_openings():
    assert read("") == read("# nothing\n\n") == ()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0,0, 1", "got '0,0, 1', expected pairs of offsets as in 0,0, 1,-2, or names as in h8i6"),
        ("0,x", "got '0,x', expected pairs of offsets as in 0,0, 1,-2, or names as in h8i6"),
        ("0,99999", "got '0,99999', expected pairs of offsets as in 0,0, 1,-2, or names as in h8i6"),
        ("0,0, 8,0", "stone 2: column 15, row 7 (from 0) is off the 15x15 board"),
        ("0,0, 0,-8", "stone 2: column 7, row -1 (from 0) is off the 15x15 board"),
        ("0,0, 1,1, 0,0", "stone 3, h8: occupied point h8"),
        ("h8i", "ill-formed point in 'h8i', expected points such as h8 or h8i9"),
        ("h8p1", "'p1' is off the 15x15 board"),
        (",,", "got no stone, expected one or more"),
        ("a1a2b1b2c1c2d1d2e1", "the game is over after its 9 stones: five"),
    ],
)
def test_a_bad_line_is_told_by_its_number(line, message):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the whole message
        read(f"0,0\n\n{line}\n1,1\n")
    assert str(refused.value) == f"line 3: {message}"


def test_several_bad_lines_are_told_but_not_all_of_a_hundred():
    with pytest.raises(ValueError, match="line 1: ") as refused:
        read("x\n" * 100)
    assert [line.partition(":")[0] for line in str(refused.value).split("\n")] == [
        f"line {number}" for number in range(1, 11)
    ]


def test_a_forbidden_stone_is_no_opening_in_renju():
    line = "g8a1h8a3i7a5i6a7i8"
    assert read(line) == (line,)
    with pytest.raises(ValueError, match="line 1: stone 9, i8: forbidden: double three at i8"):
        read(line, rule="renju")


def test_what_is_no_text_is_told():
    with pytest.raises(ValueError, match="line 1: got "):
        read(b"\xff\xfe\x00\x01")


def test_under_swap2_there_may_be_openings_for_those_who_cannot_swap():
    assert read("h8i9", swap2=True) == ("h8i9",)


# Games


@pytest.mark.parametrize(
    ("name", "text", "size"),
    [("a.psq", PSQ, 15), ("book", PSQ, 15)],
)
def test_the_record_of_a_game_is_an_opening(name, text, size):
    assert read(text, name, board_size=size) == ("h8i9g8",)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.psq", "nothing", "line 1: 'Piskvorky 15x15, 11:11, 0' was expected, found 'nothing'"),
        ("a.psq", "", "line 1: 'Piskvorky 15x15, 11:11, 0' was expected, found ''"),
        ("a.psq", "Piskvorky 20x20, 1:1, 0\n1,1,0", "got a game of 20x20, expected 15x15"),
        ("a.psq", "Piskvorky 15x15, 1:1, 0\n", "got no stone, expected one or more"),
        (
            "a.psq",
            "Piskvorky 15x15, 1:1, 0\n0,1,5",
            "stone 1: column -1, row 0 (from 0) is off the 15x15 board",
        ),
    ],
)
def test_a_bad_record_is_told(name, text, message):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the whole message
        read(text, name)
    assert str(refused.value) == f"the game: {message}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(;GM[4]FF[4]SZ[15];B[hh];W[ii];B[gg])", ("h8i9g7",)),
        ("(;B[hh]\n ;\tW [ii] )", ("h8i9",)),
        ("mail\n(;SZ[15:15];B[hh]C[a\\]b (;W\\[aa\\])];W[ii])", ("h8i9",)),
        ("(;B[hh](;W[ii];B[gg])(;W[aa]))(;GaName[x]B[aa])", ("h8i9g7", "a1")),
        ("(;AB[hh][gg]AW[ii];W[aa])", ("h8i9g7a1",)),
        ("(;AddBlack[hh];White[ii]", ("h8i9",)),
        ("(;GM[4];B[hh];W[ii]) \n", ("h8i9",)),
    ],
)
def test_the_main_lines_of_sgf_games_are_openings(text, expected):
    assert read(text, "book.sgf") == expected
    assert read(text[text.index("(") :], "book") == expected


def test_sgf_has_capitals_for_large_boards():
    assert read("(;SZ[52];B[aA];W[zZ])", "a.sgf", board_size=52) == ("a27z52",)
    assert read("(;SZ[30:20];B[Dt])", "a.sgf", board_size=[30, 20]) == ("ad20",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;B[hh", "line 1: a property with a complete value was expected, found 'B[hh'"),
        ("(;B[hh]\n;8 W[ii])", "line 2: a property, '(', ')' or ';' was expected, found '8 W[ii])'"),
        ("(;GM[1];B[hh])", "game 1, line 1: got a game of kind GM[1], expected GM[4]"),
        ("(;B[hh])(;SZ[19];B[hh])", "game 2, line 1: got a game of 19x19, expected 15x15"),
        ("(;B[hh];B[ii])", "game 1, line 1: stone 2: got B, expected W"),
        ("(;W[hh])", "game 1, line 1: stone 1: got W, expected B"),
        (
            "(;AB[hh];W[ii];AB[aa])",
            "game 1, line 1: node 2: stones are set by hand in the middle of the game",
        ),
        (
            "(;AW[hh])",
            "game 1, line 1: node 0: 0 black and 1 white stones are set up, which is not an opening: "
            "expected as many of both, or one more of Black's",
        ),
        ("(;B[h8])", "game 1, line 1: node 0: 'h8' is not a point on a board of 15x15"),
        ("(;B[])", "game 1, line 1: node 0: a pass, which gomoku has not"),
        ("(;B[pp])", "game 1, line 1: node 0: 'pp' is not a point on a board of 15x15"),
        ("(;C[nothing])", "game 1, line 1: got no stone, expected one or more"),
    ],
)
def test_bad_sgf_is_told(text, message):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the whole message
        read(text, "book.sgf")
    assert str(refused.value) == message


@given(st.binary(max_size=60), st.sampled_from(("a.sgf", "a.psq", "a.txt")))
@settings(max_examples=150)
def test_any_bytes_are_openings_or_a_mistake(data, name):
    found = ()
    with contextlib.suppress(ValueError):
        found = openings(data, name, {"board_size": 20})
    assert all(Options(board_size=20, opening=opening).opening == opening for opening in found)


# Turned and moved


def places(opening, size):
    board = board_of(*size)
    return [board.coordinates(point) for point in names_of(board).stones(opening)]


def test_without_symmetry_and_shift_an_opening_stays():
    assert vary("h8i9g7", {"board_size": 15}) == "h8i9g7"
    assert vary("", {"board_size": 15}, symmetry=5, shift=5) == ""


@pytest.mark.parametrize(
    ("symmetry", "opening"),
    list(enumerate(["h8j7", "h8f7", "h8j9", "h8f9", "h8g10", "h8i10", "h8g6", "h8i6"])),
)
def test_there_are_eight_symmetries(symmetry, opening):
    assert vary("h8j7", {"board_size": 15}, symmetry=symmetry) == opening


def test_on_rectangles_there_are_four():
    options = {"board_size": [20, 15]}
    turned = [vary("a1c2", options, symmetry=symmetry) for symmetry in range(8)]
    assert turned == ["a1c2", "t1r2", "a15c14", "t15r14"] * 2


@pytest.mark.parametrize(
    ("shift", "opening"),
    [(0, "h8"), (1, "i8"), (2, "f8"), (3, "g8"), (4, "h9"), (8, "h6"), (12, "h7"), (15, "g7"), (6, "f9")],
)
def test_shifts_go_a_little_either_way(shift, opening):
    assert vary("h8", {"board_size": 15}, shift=shift) == opening


@pytest.mark.parametrize(
    ("opening", "shifted"),
    [
        ("f6j10", "g7k11"),
        ("e6j10", "e7j11"),  # the fifth column: no shift of columns
        ("f6k10", "f7k11"),
        ("f5j10", "g5k10"),
        ("f6j11", "g6k11"),
        ("a1o15", "a1o15"),
    ],
)
def test_near_the_border_there_is_no_shift(opening, shifted):
    assert vary(opening, {"board_size": 15}, shift=5) == shifted


@given(st.integers(0, 10**6), st.integers(0, 7), st.integers(0, 15), st.sampled_from((15, 20, 30)))
def test_a_variation_is_another_opening_of_the_same_shape(seed, symmetry, shift, size):
    board = board_of(size, size)
    points = list(board.bits)
    stones = list(dict.fromkeys(points[seed * factor % len(points)] for factor in (1, 7, 31)))
    opening = names_of(board).join(stones)
    varied = vary(opening, {"board_size": size}, symmetry=symmetry, shift=shift)
    rules(Options(board_size=size, opening=varied))
    before, after = places(opening, (size, size)), places(varied, (size, size))
    assert distances(before) == distances(after)


def distances(stones):
    return [(x - u) ** 2 + (y - v) ** 2 for x, y in stones for u, v in stones]


def test_eight_symmetries_and_sixteen_shifts_are_all_different():
    options = {"board_size": 15}
    assert len({vary("h8i9g9", options, symmetry=each) for each in range(8)}) == 8
    assert len({vary("h8i9g9", options, shift=each) for each in range(16)}) == 16
