"""The geometry of the board and the floods over it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.core.boards import bits
from gyoji.games.go.board import Board, board_of

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
