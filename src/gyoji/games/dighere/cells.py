"""The cells of a field: where each direction leads, and sets of cells as bits of an integer. No rules here.

A cell has x to the right and y downwards, from 0. The cells of a field with n on a side have the bits
0 to n * n - 1, row by row. A field that the rules exclude may name cells outside it: these *strays* have the
bits after those.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))
"""(dx, dy) of each direction, by its number; the even ones are those of a samurai."""


class Cell(NamedTuple):
    x: int
    y: int

    def __str__(self) -> str:
        return f"({self.x},{self.y})"


class Place(NamedTuple):
    """What is known of a cell.

    bit      of the cell itself; around: those of its eight neighbours together.
    targets  by direction: the neighbour and its bit, None where that is outside the field.
    """

    bit: int
    around: int
    targets: tuple[tuple[Cell, int] | None, ...]


class Places(dict[Cell, Place]):
    """The places of a field with `size` cells on a side, each made when it is first asked for."""

    def __init__(self, size: int, strays: Iterable[Cell]) -> None:
        super().__init__()
        self._size = size
        self._strays = {cell: 1 << (size * size + number) for number, cell in enumerate(sorted(strays))}

    def bit(self, cell: Cell) -> int:
        """The bit of a cell; 0 for one that is neither in the field nor a stray."""
        x, y = cell
        if 0 <= x < self._size and 0 <= y < self._size:
            return 1 << (y * self._size + x)
        return self._strays.get(cell, 0)

    def bits(self, cells: Iterable[Cell]) -> int:
        """The set of these cells."""
        bits = 0
        for cell in cells:
            bits |= self.bit(cell)
        return bits

    def __missing__(self, cell: Cell) -> Place:
        near = neighbours(cell)
        inside = 1 << self._size * self._size
        pairs = [(each, self.bit(each)) for each in near]
        targets = tuple(pair if 0 < pair[1] < inside else None for pair in pairs)
        place = self[cell] = Place(self.bit(cell), self.bits(near), targets)
        return place


@lru_cache(maxsize=64)
def places_of(size: int, strays: frozenset[Cell]) -> Places:
    """The places of a field. Games on fields of the same size share them."""
    return Places(size, strays)


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """The eight cells around one, by direction, in the field or not.

    >>> neighbours(Cell(5, 5))[:3]
    (Cell(x=5, y=6), Cell(x=4, y=6), Cell(x=4, y=5))
    """
    x, y = cell
    return tuple(Cell(x + dx, y + dy) for dx, dy in DIRECTIONS)
