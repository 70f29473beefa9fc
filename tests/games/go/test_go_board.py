"""A board as bits, and its points as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.core.boards import bits
from gyoji.games.go.board import COLUMNS, PASS, Board, Vertices, board_of, vertices_of
from gyoji.games.go.game_options import Options
from gyoji.games.go.rules import rules

SIZES = [(1, 1), (1, 5), (5, 1), (2, 2), (5, 3), (3, 7), (19, 19), (25, 25)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_each_point_has_its_neighbours_and_no_others(width, height):
    board = Board(width, height)
    for x in range(width):
        for y in range(height):
            place = board.places[board.bit(x, y)]
            around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
            expected = {1 << board.bit(u, v) for u, v in around if 0 <= u < width and 0 <= v < height}
            assert {1 << point for point in bits(place.near)} == expected
            assert {bit for bit, _ in place.neighbours} == expected
            assert all(near & place.bit for _, near in place.neighbours)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_points_and_coordinates_are_one_to_one(width, height):
    board = Board(width, height)
    pairs = [(x, y) for y in range(height) for x in range(width)]
    assert [board.column_row(board.bit(x, y)) for x, y in pairs] == pairs
    assert sorted(board.places) == list(bits(board.full)) == [board.bit(x, y) for x, y in pairs]
    assert board.points == board.full.bit_count() == width * height


@pytest.mark.parametrize(("width", "height"), [(0, 5), (5, 0), (26, 19), (19, 26), (-1, 3)])
def test_a_board_has_1_to_25_points_on_a_side(width, height):
    with pytest.raises(ValueError, match="expected 1x1 to 25x25"):
        Board(width, height)


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, -1), (5, 0), (0, 3)])
def test_what_is_off_the_board_is_no_point(x, y):
    with pytest.raises(ValueError, match="off the 5x3 board"):
        board_of(5, 3).bit(x, y)


def test_padding_is_no_point():
    with pytest.raises(ValueError, match="5 is no point of the 5x3 board"):
        board_of(5, 3).column_row(5)


@given(st.sets(st.integers(0, 700)))
def test_bits_lists_a_set_in_ascending_order(points):
    assert list(bits(sum(1 << point for point in points))) == sorted(points)


@st.composite
def board_with_points(draw):
    board = board_of(*draw(st.sampled_from(SIZES)))
    sets = st.sets(st.sampled_from(sorted(board.places))).map(lambda s: sum(1 << p for p in s))
    return board, draw(sets), draw(sets)


@given(board_with_points())
def test_a_flood_is_the_closure_of_its_seeds(drawn):
    board, seeds, within = drawn
    reached, todo = set(), list(bits(seeds & within))
    while todo:
        point = todo.pop()
        if point not in reached:
            reached.add(point)
            todo += bits(board.places[point].near & within)
    assert set(bits(board.flood(seeds, within))) == reached


@given(board_with_points())
def test_a_group_is_smothered_when_no_empty_point_touches_it(drawn):
    board, stones, empty = drawn
    empty &= ~stones
    for point in bits(stones):
        group = board.flood(1 << point, stones)
        expected = 0 if board.spread(group) & empty else group
        assert board.smothered(1 << point, stones, empty) == expected


NAMES = vertices_of(board_of(19, 19))


def test_every_point_of_every_size_is_written_and_read_back():
    for width in range(1, 26):
        for height in range(1, 26):
            board = Board(width, height)
            names = Vertices(board)
            written = [names.format(point) for point in board.places]
            assert written == [f"{COLUMNS[x]}{y + 1}" for y in range(height) for x in range(width)]
            assert [names.parse(text) for text in written] == list(board.places)
            assert names.parse(names.format(PASS)) == PASS


@pytest.mark.parametrize(
    ("text", "x", "y"),
    [
        ("A1", 0, 0),
        ("H8", 7, 7),
        ("J9", 8, 8),
        ("T19", 18, 18),
        ("d4", 3, 3),
        (" Q16 ", 15, 15),
        ("D04", 3, 3),
    ],
)
def test_a_vertex_is_a_letter_without_i_and_a_row_from_the_bottom(text, x, y):
    assert NAMES.parse(text) == board_of(19, 19).bit(x, y)


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass", " pass\n"])
def test_pass_is_read_in_any_case(text):
    assert NAMES.parse(text) == PASS


@pytest.mark.parametrize("text", ["U1", "Z25", "A20", "A0", "a00", "A" + "9" * 5000])
def test_a_vertex_of_another_board_is_off_the_board(text):
    with pytest.raises(ValueError, match="is off the 19x19 board"):
        NAMES.parse(text)


WORDS = [
    "",
    " ",
    "I5",
    "i5",
    "D",
    "4",
    "44",
    "DD4",
    "D4x",
    "D-4",
    "D+4",
    "D4.0",
    "D4,E5",
    "passs",
    "resign",
    "null",
]
FOREIGN = ["\x00", "D\u0664", "D\u00b2", "\u00df4", "\u01315", "\U0001d4034", "\u017f4", "\ufb064"]
SEVERAL = ["D4 pass", "pass pass", "D4 E5x"]


@pytest.mark.parametrize("text", WORDS + FOREIGN + SEVERAL)
def test_what_is_no_vertex_is_ill_formed(text):
    with pytest.raises(ValueError, match="ill-formed"):
        NAMES.parse(text)


def test_a_message_about_foreign_text_is_one_short_line():
    with pytest.raises(ValueError, match="ill-formed") as caught:
        NAMES.parse("\x1b[31m" * 100)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


def test_a_placement_of_handicap_stones_is_several_vertices():
    placement = NAMES.parse("D4 q16  D16")
    assert placement == tuple(NAMES.parse(text) for text in ("D4", "Q16", "D16"))
    assert NAMES.format(placement) == "D4 Q16 D16"


@pytest.mark.parametrize("move", [19, -2, 10**6, None, "D4", (), (0,), (0, PASS), (0, 19), 0.5])
def test_what_is_no_move_has_no_text(move):
    with pytest.raises(ValueError, match="is no move on this board"):
        NAMES.format(move)


def test_points_and_columns_of_the_rules_are_those_of_the_vertices():
    game = rules(Options(board_size=(13, 9), komi=0))
    assert game.point(3, 8) == game.parse("D9")
    assert game.column_row(game.parse("N1")) == (12, 0)
    with pytest.raises(ValueError, match="-1 is no point"):
        game.column_row(PASS)
