"""Positions that show by which rule a brain plays: what it takes for a win, and what it does not.

In each the brain is Black (x) and to move. `A` looks like a win and by some rules is none, or is forbidden;
`B` keeps White from winning. Who knows the rule plays `B`, where there is one, and never `A`. By other rules
`A` wins at once, and is right. All are asked twice, the second time turned: once may be chance.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

Point: TypeAlias = tuple[int, int]
"""(column, row) from 0, from the top left corner."""

WIDTH, HEIGHT = 15, 11
"""Of the drawings: points of the board that they need."""


class Position(NamedTuple):
    """stones in playing order, the brain's own first and every other; trap is A, due is B."""

    stones: tuple[Point, ...]
    trap: Point | None
    due: Point | None

    def swapped(self) -> "Position":
        """For a rule by which A is the move to make."""
        return Position(self.stones, self.due, self.trap)

    def turned(self) -> "Position":
        """Half a turn around the middle of the drawing."""
        stones = tuple(map(_turn, self.stones))
        return Position(stones, self.trap and _turn(self.trap), self.due and _turn(self.due))

    def on(self, size: int) -> "Position":
        """In the middle of a board of `size` points a side."""
        across, down = (size - WIDTH) // 2, (size - HEIGHT) // 2

        def place(point: Point) -> Point:
            return point[0] + across, point[1] + down

        return Position(
            tuple(map(place, self.stones)), self.trap and place(self.trap), self.due and place(self.due)
        )


def _turn(point: Point) -> Point:
    return WIDTH - 1 - point[0], HEIGHT - 1 - point[1]


def read(drawing: str) -> Position:
    """The position of a drawing, as many x as o in it."""
    points: dict[str, list[Point]] = {mark: [] for mark in "xoAB."}
    for row, line in enumerate(drawing.split()):
        for column, mark in enumerate(line):
            points[mark].append((column, row))
    stones = [stone for pair in zip(points["x"], points["o"], strict=True) for stone in pair]
    trap, due = (points[mark][0] if points[mark] else None for mark in "AB")
    return Position(tuple(stones), trap, due)


OVERLINE = read(
    """
    ...............
    .o.............
    ...............
    ...xxxAxx......
    ...............
    ...............
    .......xooooB..
    ...............
    .............o.
    ...............
    ...............
    """
)
"""Six in a row wins by freestyle, is nothing by standard rules, and forbidden by Renju."""

BLOCKED = read(
    """
    ...............
    .............x.
    ...............
    ...oxxxxAo.....
    ...............
    ...............
    .......xooooB..
    ...............
    ...............
    ...............
    ...............
    """
)
"""A five between two stones of the other side is nothing in Caro."""

DOUBLE_FOUR = read(
    """
    ......o........
    ......x........
    ......x........
    ......x........
    ..oxxxA........
    ...............
    ...............
    .........ooo...
    ...............
    .o.............
    ...............
    """
)
"""White threatens: only two fours at once win, and Black may not make them in Renju."""

OF_RULE: Mapping[int, tuple[Position, ...]] = MappingProxyType(
    {
        0: (OVERLINE.swapped(), OVERLINE.turned().swapped()),
        1: (OVERLINE, OVERLINE.turned()),
        4: (OVERLINE, OVERLINE.turned(), DOUBLE_FOUR, DOUBLE_FOUR.turned()),
        8: (BLOCKED, BLOCKED.turned()),
        9: (BLOCKED, BLOCKED.turned(), OVERLINE, OVERLINE.turned()),
    }
)
"""By the number of INFO rule, the positions that tell whether a brain knows it."""

QUIET = read(
    """
    ...............
    ...............
    .........o.....
    .......o.......
    ......xxo......
    ......ox.......
    ...............
    .....x.........
    ...............
    ...............
    ...............
    """
)
"""Nothing to win at once: a brain thinks here as long as it may."""
