"""The main line of a game of Go: boards, points, stones and moves; sgfmill says the same where it can."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf, sgf_moves, sgf_properties

from gyoji.games.go.board import COLUMNS, PASS, board_of, vertices_of
from gyoji.games.go.sgf_reader import main_line, parse_move, pass_letters
from gyoji.games.go.sgf_writer import vertex_letters
from gyoji.sgf.grammar import parse
from gyoji.sgf.property_values import format_point, parse_point, parse_points

POINTS = [
    # letters, size, point
    ("aa", (19, 19), (0, 18)),
    ("as", (19, 19), (0, 0)),
    ("dp", (19, 19), (3, 3)),
    ("ss", (19, 19), (18, 0)),
    ("tt", (19, 19), None),
    ("tt", (1, 1), None),
    ("", (19, 19), None),
    ("tt", (20, 20), (19, 0)),
    ("tt", (20, 9), ValueError),
    ("", (52, 52), None),
    ("ZZ", (52, 52), (51, 0)),
    ("aZ", (9, 52), (0, 0)),
    ("ga", (7, 3), (6, 2)),
    ("ad", (7, 3), ValueError),
    ("ha", (7, 3), ValueError),
    ("a", (9, 9), ValueError),
    ("aaa", (9, 9), ValueError),
    ("AA", (9, 9), ValueError),
    ("é1", (9, 9), ValueError),
]


def format_move(move, width, height):
    return pass_letters(width, height) if move is None else format_point(move, width, height)


def read(data):
    return [main_line(root) for root in parse(data)]


@pytest.mark.parametrize(("letters", "size", "point"), POINTS)
def test_letters_name_a_point_or_a_pass(letters, size, point):
    if point is ValueError:
        with pytest.raises(ValueError, match="not a point on a board"):
            parse_move(letters, *size)
    else:
        assert parse_move(letters, *size) == point
        if letters not in ("", "tt"):
            assert format_move(point, *size) == letters


@given(st.integers(1, 52), st.integers(1, 52), st.data())
def test_every_move_comes_back(width, height, data):
    points = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    move = data.draw(st.none() | points)
    assert parse_move(format_move(move, width, height), width, height) == move


@given(st.integers(1, 25), st.data())
def test_moves_are_written_as_sgfmill_writes_them(size, data):
    coordinates = st.integers(0, size - 1)
    move = data.draw(st.none() | st.tuples(coordinates, coordinates))
    theirs = sgf_properties.serialise_go_point(move and (move[1], move[0]), size).decode()
    assert format_move(move, size, size) == theirs
    names = vertices_of(board_of(size, size))
    vertex = names.format(PASS if move is None else names.parse(f"{COLUMNS[move[0]]}{move[1] + 1}"))
    assert vertex_letters(size, size)[vertex] == theirs


def test_a_point_off_the_board_is_not_written():
    for point in ((9, 0), (0, 9), (-1, 0)):
        with pytest.raises(ValueError, match="is not on a board of 9x9"):
            format_move(point, 9, 9)


LISTS = [
    ([""], ()),
    ([" "], ()),
    (["aa"], ((0, 8),)),
    (["bb", "aa", "bb"], ((1, 7), (0, 8))),
    (["aa:ba"], ((0, 8), (1, 8))),
    (["aa:bb"], ((0, 8), (1, 8), (0, 7), (1, 7))),
    (["bb:aa"], ((0, 8), (1, 8), (0, 7), (1, 7))),
    (["ab:ba"], ((0, 8), (1, 8), (0, 7), (1, 7))),
    (["ii", "hi:ii"], ((8, 0), (7, 0))),
    (["aa:aa"], ((0, 8),)),
]


@pytest.mark.parametrize(("values", "points"), LISTS)
def test_a_list_of_points_is_expanded(values, points):
    assert parse_points(values, 9, 9) == points


@pytest.mark.parametrize("values", [["aa", ""], ["aa:"], ["tt"], ["aa:jj"], ["aabb"], ["aa:bb:cc"]])
def test_a_list_with_something_else_is_refused(values):
    with pytest.raises(ValueError, match="is not a point"):
        parse_points(values, 9, 9)


def test_a_pass_is_no_point():
    with pytest.raises(ValueError, match="is not a point"):
        parse_point("tt", 19, 19)


def test_a_game_is_read_with_all_that_is_known_of_it():
    [game] = read(
        """(;FF[4]GM[1]SZ[9]KM[0.5]HA[2]AB[cg][gc]PB[Honinbo
        ]PW[Inoue]RE[W+R]RU[Japanese]EV[castle]C[long]AN[x\\]y]
        ;W[ee];B[cc]C[!](;W[];B[tt])(;W[dd]))"""
    )
    assert (game.width, game.height, game.komi, game.handicap) == (9, 9, 0.5, 2)
    assert game.stones == (((2, 2), (6, 6)), ())
    assert game.moves == ((1, (4, 4)), (0, (2, 6)), (1, None), (0, None))
    assert (game.result, game.rules, game.black.strip(), game.white) == (
        "W+R",
        "Japanese",
        "Honinbo",
        "Inoue",
    )
    assert (game.info["EV"], game.info["AN"], game.to_play) == ("castle", "x]y", None)


def test_a_game_says_nothing_and_is_still_a_game():
    [game] = read("(;)")
    assert (game.width, game.height, game.komi, game.handicap, game.moves, game.stones) == (
        *(19, 19, None, None),
        *((), ((), ())),
    )
    assert (game.result, game.black, dict(game.info)) == ("", "", {})


def test_stones_are_set_and_taken_off_before_the_first_move():
    [game] = read("(;SZ[9]AW[aa:ab]PL[W];AE[aa];B[cc];W[dd];PL[B];B[ff])")
    assert game.stones == ((), ((0, 7),))
    assert game.to_play == 1
    assert len(game.moves) == 3


SIZES = [
    ("", 19, 19),
    ("9", 9, 9),
    (" 13 ", 13, 13),
    ("19:19", 19, 19),
    ("9:7", 9, 7),
    ("52", 52, 52),
    ("1", 1, 1),
]


@pytest.mark.parametrize(("raw", "width", "height"), SIZES)
def test_a_board_has_the_size_that_the_file_says(raw, width, height):
    [game] = read(f"(;SZ[{raw}];B[aa])")
    assert (game.width, game.height) == (width, height)
    assert game.moves == ((0, (0, height - 1)),)


@pytest.mark.parametrize("raw", ["0", "53", "x", "19x19", "-9", "9:0", "9:9:9", "1e1"])
def test_a_size_that_is_none_is_refused(raw):
    with pytest.raises(ValueError, match="is not a board size"):
        read(f"(;SZ[{raw}];B[aa])")


@pytest.mark.parametrize(
    ("raw", "komi"),
    [("6.5", 6.5), ("-3", -3.0), ("6,5", 6.5), ("", None), ("six", None), ("7.5 points", None)],
)
def test_komi_is_a_number_or_unknown(raw, komi):
    assert read(f"(;KM[{raw}]HA[x])")[0].komi == komi


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("(;GM[2]SZ[8])", "GM[2] is not the game of Go"),
        ("(;SZ[9];B[aa];W[jj])", "node 2: 'jj' is not a point on a board of 9x9"),
        ("(;SZ[9]AB[aa][zz])", "node 0: 'zz' is not a point"),
        ("(;SZ[9];B[D4])", "node 1: 'D4' is not a point"),
        ("(;SZ[9];B[aa];W[bb];AE[aa])", "node 3: stones are set by hand after move 2"),
    ],
)
def test_what_cannot_be_replayed_is_refused_with_its_node(source, problem):
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the text is compared below
        read(source)
    assert problem in str(caught.value)


LETTERS = st.sampled_from("abcdefghi")
MOVES = st.tuples(LETTERS, LETTERS).map("".join) | st.sampled_from(("", "tt"))
STONES = st.lists(st.tuples(LETTERS, LETTERS).map("".join), min_size=1, max_size=5)


@given(st.lists(st.tuples(st.sampled_from("BW"), MOVES), max_size=20), STONES, st.sampled_from("BW"))
def test_the_main_line_is_the_one_that_sgfmill_finds(moves, stones, colour):
    setup = "".join(f"[{point}]" for point in stones)
    nodes = "".join(f";{who}[{move}]" for who, move in moves)
    source = f"(;SZ[9]KM[6.5]A{colour}{setup}{nodes}(;N[x];C[y])(;B[aa]))".encode()
    theirs = sgf.Sgf_game.from_bytes(source)
    try:
        board, plays = sgf_moves.get_setup_and_moves(theirs)
    except ValueError:  # stones without liberties
        return
    [game] = read(source)
    assert game.komi == theirs.get_komi()
    assert [("bw"[seat], move and (move[1], move[0])) for seat, move in game.moves] == plays
    occupied = {(column, row) for _, (row, column) in board.list_occupied_points()}
    assert {*game.stones[0], *game.stones[1]} == occupied
