"""A board for rows of stones, as bits: its geometry, and the lines through a point. Knows no rule.

Point (x, y), column x from the left and row y from the top, both from 0, is bit ``(y + 5) * stride + x + 5``
of a Python int. At least one bit at the end of each row is never set, so that a set of points moves one step
in each of the four directions by a shift and no row runs on into the next. The five rows and columns before
the first point are so many that what is around a point can be had by one shift to the right, near any edge.

Two questions are asked for every move, both of what is near one point:

* `near` and `arms`: how many stones are on its four lines, up to four steps away? Nearly always too few for
  a row, and then nothing else has to be looked at. ``(stones >> point - reach) & arm`` has them.
* `Line.window`: the eleven points of a line around the point as a number of eleven bits, the point in the
  middle. The bits of a line are `step` apart in the int; modulo ``2 ** (step - 1) - 1``, bit ``n * step`` is
  worth what bit n is, so one division gathers them. That needs steps above 12, hence the least stride.

>>> board = board_of(15, 15)
>>> board.point(0, 0), board.point(7, 7), board.coordinates(board.point(7, 7))
(85, 204, (7, 7))
>>> row = sum(1 << board.point(x, 3) for x in (2, 3, 5))
>>> [f"{line.window(row, board.point(3, 3)):011b}" for line in board.lines]
['00010110000', '00000100000', '00000100000', '00000100000']
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

MIN_SIDE, MAX_SIDE = 5, 127

_MARGIN = 5
_REACH = 4  # steps to the farthest stone of a row of five
_LEAST_STRIDE = 14


class Line(NamedTuple):
    """One of the four directions in which rows are made.

    step     from a point to the next, in bits.
    back     from a point to the first of its window.
    comb     a window's points, counted from its first.
    modulus  gathers them.
    """

    step: int
    back: int
    comb: int
    modulus: int

    def window(self, points: int, middle: int) -> int:
        """Which of the eleven points around `middle` are in the set; bit 5 is `middle`.

        What is beyond the board's edge is not, but what is beyond even that may come from elsewhere.
        """
        return (points >> middle - self.back & self.comb) % self.modulus


class Board:
    """The geometry of one size of board. Immutable.

    full   all points, as a set.
    bits   point -> the set of it alone, for every point, by rows from the top.
    lines  east, south-west, south, south-east.
    reach  what to subtract from a point to shift it to the middle of `near`.
    near   the points up to four steps away on the four lines, and the middle itself.
    arms   the same for each line.
    """

    __slots__ = ("_places", "arms", "bits", "full", "height", "lines", "near", "reach", "stride", "width")

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.stride = stride = max(width + 1, _LEAST_STRIDE)
        self._places = {
            (y + _MARGIN) * stride + x + _MARGIN: (x, y) for y in range(height) for x in range(width)
        }
        self.bits = {point: 1 << point for point in self._places}
        row = (1 << width) - 1
        self.full = sum(row << self.point(0, y) for y in range(height))
        self.lines = tuple(_line(step) for step in (1, stride - 1, stride, stride + 1))
        self.reach = _REACH * (stride + 1)
        self.arms = tuple(
            sum(1 << self.reach + count * line.step for count in range(-_REACH, _REACH + 1))
            for line in self.lines
        )
        self.near = self.arms[0] | self.arms[1] | self.arms[2] | self.arms[3]

    @property
    def points(self) -> int:
        """How many points there are."""
        return self.width * self.height

    def point(self, x: int, y: int) -> int:
        """The point in column x, row y. Raises ValueError off the board."""
        if 0 <= x < self.width and 0 <= y < self.height:
            return (y + _MARGIN) * self.stride + x + _MARGIN
        raise ValueError(f"column {x}, row {y} (from 0) is off the {self.width}x{self.height} board")

    def coordinates(self, point: int) -> tuple[int, int]:
        """The (x, y) of a point. Raises ValueError for what is none."""
        place = self._places.get(point)
        if place is None:
            raise ValueError(f"{point} is no point of the {self.width}x{self.height} board")
        return place

    def run(self, stones: int, point: int, step: int) -> tuple[int, ...]:
        """The unbroken row of `stones` through `point`, which is taken for one, from end to end."""
        first = last = point
        while stones >> first - step & 1:
            first -= step
        while stones >> last + step & 1:
            last += step
        return tuple(range(first, last + 1, step))


def _line(step: int) -> Line:
    comb = sum(1 << count * step for count in range(2 * _MARGIN + 1))
    modulus = (1 << step - 1) - 1 if step > 1 else comb + 1  # neighbours are gathered already
    return Line(step, _MARGIN * step, comb, modulus)


def bits(points: int) -> Iterator[int]:
    """The points of a set, ascending.

    >>> list(bits(0b101001))
    [0, 3, 5]
    """
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


@lru_cache(maxsize=64)
def board_of(width: int, height: int) -> Board:
    """The board of this size, made once: a worker plays many games on few sizes."""
    return Board(width, height)
