"""A Go board as bits: its geometry, and floods over it. Knows no game: neither turns, ko nor score.

Point (x, y), column x from the left and row y from the bottom, both from 0, is bit ``y * stride + x`` of a
Python int, with ``stride = width + 1``. The column of padding at the end of each row is never set, so a
set of points moves one step in each direction by a shift, and what leaves the board falls on padding or
beyond the top, where masking with any set of real points (or a right shift) drops it. A set of points is
an int, a group is what a flood of one stone through its colour reaches.

>>> board = board_of(3, 2)
>>> [board.bit(x, y) for y in range(2) for x in range(3)]
[0, 1, 2, 4, 5, 6]
>>> bin(board.flood(1, within=0b0110011))
'0b110011'
"""

from functools import lru_cache
from typing import NamedTuple

from gyoji.core.boards import bits

MAX_SIDE = 25
"""Columns are named by one letter, I left out."""


class Place(NamedTuple):
    """A point as moves use it: its bit, its neighbours as one set, and each (its bit, its own set)."""

    bit: int
    near: int
    neighbours: tuple[tuple[int, int], ...]


class Board:
    """The geometry of one size of board. Immutable.

    full    all points, as a set.
    places  bit index -> `Place`, for every point.
    """

    __slots__ = ("full", "height", "places", "stride", "width")

    def __init__(self, width: int, height: int) -> None:
        if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
            raise ValueError(f"got a board of {width}x{height}, expected 1x1 to {MAX_SIDE}x{MAX_SIDE}")
        self.width = width
        self.height = height
        self.stride = width + 1
        row = (1 << width) - 1
        self.full = sum(row << y * self.stride for y in range(height))
        near = {point: self.spread(1 << point) & ~(1 << point) for point in bits(self.full)}
        self.places = {
            point: Place(1 << point, around, tuple((1 << each, near[each]) for each in bits(around)))
            for point, around in near.items()
        }

    @property
    def points(self) -> int:
        """How many points there are."""
        return self.width * self.height

    def bit(self, x: int, y: int) -> int:
        """The bit index of column x, row y (from the bottom). Raises ValueError off the board."""
        if 0 <= x < self.width and 0 <= y < self.height:
            return y * self.stride + x
        raise ValueError(f"column {x}, row {y} is off the {self.width}x{self.height} board")

    def column_row(self, point: int) -> tuple[int, int]:
        """The (x, y) of a bit index. Raises ValueError for what is no point."""
        if point not in self.places:
            raise ValueError(f"{point} is no point of the {self.width}x{self.height} board")
        y, x = divmod(point, self.stride)
        return x, y

    def spread(self, points: int) -> int:
        """The set and all its neighbours."""
        stride = self.stride
        return (points | points << 1 | points >> 1 | points << stride | points >> stride) & self.full

    def flood(self, seeds: int, within: int) -> int:
        """All points of `within` joined to a seed in `within` by a path in it."""
        stride, grown = self.stride, seeds & within
        while True:
            reached = grown
            grown = (reached | reached << 1 | reached >> 1 | reached << stride | reached >> stride) & within
            if grown == reached:
                return grown

    def pieces(self, points: int, seeds: int) -> list[int]:
        """The connected parts of a set that hold a seed, in the order of their lowest seeds."""
        found = []
        seeds &= points
        while seeds:
            piece = self.flood(seeds & -seeds, points)
            found.append(piece)
            seeds &= ~piece
        return found

    def smothered(self, seed: int, stones: int, empty: int) -> int:
        """The group of `seed` among `stones` if no point of `empty` touches it, else 0.

        Stops at the first liberty: the captures of a move need no more, and most groups have one nearby.
        """
        stride, group = self.stride, seed
        while True:
            grown = group | group << 1 | group >> 1 | group << stride | group >> stride
            if grown & empty:
                return 0
            grown &= stones
            if grown == group:
                return group
            group = grown


@lru_cache(maxsize=64)
def board_of(width: int, height: int) -> Board:
    """The board of this size, made once: a worker plays many games on few sizes."""
    return Board(width, height)
