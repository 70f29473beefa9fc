"""Where handicap stones lie, and how many a board takes."""

import pytest

from gyoji.games.go.opening import fixed_points, most_fixed, most_free
from gyoji.games.go.vertices import COLUMNS

GTP_19 = {
    2: "D4 Q16",
    3: "D4 Q16 D16",
    4: "D4 Q16 D16 Q4",
    5: "D4 Q16 D16 Q4 K10",
    6: "D4 Q16 D16 Q4 D10 Q10",
    7: "D4 Q16 D16 Q4 D10 Q10 K10",
    8: "D4 Q16 D16 Q4 D10 Q10 K4 K16",
    9: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
}


def written(side, handicap):
    return " ".join(f"{COLUMNS[x]}{y + 1}" for x, y in fixed_points(side, handicap))


@pytest.mark.parametrize(("handicap", "vertices"), GTP_19.items())
def test_fixed_stones_on_19x19_are_those_of_gtp(handicap, vertices):
    assert written(19, handicap) == vertices


@pytest.mark.parametrize(
    ("side", "vertices"),
    [
        (7, "C3 E5 C5 E3"),
        (8, "C3 F6 C6 F3"),
        (9, "C3 G7 C7 G3"),
        (10, "C3 H8 C8 H3"),
        (11, "C3 J9 C9 J3"),
        (12, "C3 K10 C10 K3"),
        (13, "D4 K10 D10 K4"),
        (14, "D4 L11 D11 L4"),
        (25, "D4 W22 D22 W4"),
    ],
)
def test_stones_lie_on_the_third_line_and_from_13x13_on_the_fourth(side, vertices):
    assert written(side, 4) == vertices


def test_the_middle_of_an_odd_board_takes_the_fifth_stone():
    assert [written(side, 5).split()[-1] for side in (9, 11, 13, 25)] == ["E5", "F6", "G7", "N13"]


MOST = {**dict.fromkeys(range(1, 7), 0), 7: 4} | {side: 9 if side % 2 else 4 for side in range(8, 26)}


@pytest.mark.parametrize(("side", "most"), MOST.items())
def test_the_largest_fixed_handicap_is_that_of_gtp(side, most):
    assert most_fixed(side, side) == most
    for handicap in range(2, most + 1):
        points = fixed_points(side, handicap)
        assert len(set(points)) == handicap
        assert all(0 <= x < side and 0 <= y < side for x, y in points)
    with pytest.raises(ValueError, match="fixed handicap stones on"):
        fixed_points(side, max(most, 1) + 1)


@pytest.mark.parametrize("size", [(9, 19), (19, 9), (7, 8), (1, 25)])
def test_only_square_boards_have_fixed_handicaps(size):
    assert most_fixed(*size) == 0


def test_a_free_handicap_leaves_one_point_empty():
    assert [most_free(*size) for size in ((1, 1), (1, 3), (5, 3), (19, 19))] == [0, 2, 14, 360]
