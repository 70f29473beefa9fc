"""Positions that show by which rule a brain plays: what it takes for a win, and what it does not.

In each the brain is to move: Black (x), or White (o) where there is one x more. `A` looks like a win and by
some rules is none, or is forbidden; `B` keeps the other side from winning. Who knows the rule plays `B`,
where there is one, and never `A`. By other rules `A` wins, and is right. Where there is no `B`, the rule
shows only in a brain that takes `A` by freestyle: others may leave it because they do not see it. All are
asked twice, the second time turned: once may be chance.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from gyoji.core.text import format_duration

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
    """The position of a drawing, as many x as o in it, or one more."""
    points: dict[str, list[Point]] = {mark: [] for mark in "xoAB."}
    for row, line in enumerate(drawing.split()):
        for column, mark in enumerate(line):
            points[mark].append((column, row))
    pairs = zip_longest(points["x"], points["o"])
    stones = [stone for pair in pairs for stone in pair if stone is not None]
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

WHITE_OVERLINE = read(
    """
    ...............
    .x.............
    ...............
    ...oooAoo......
    ...............
    ...............
    .......oxxxxB..
    ...............
    .x...........x.
    ...............
    ...............
    """
)
"""White's six in a row wins by freestyle and by Renju, and is nothing by standard rules."""

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

DOUBLE_THREE = read(
    """
    ...............
    .o...........o.
    ...............
    ...............
    ...............
    ....xAx........
    ...............
    .....x.........
    .....x.........
    .o...........o.
    ...............
    """
)
"""White has nothing: two open threes at once win, and Black may not make them in Renju."""


def _twice(*positions: Position) -> tuple[Position, ...]:
    """Each as it is, then turned."""
    return tuple(each for position in positions for each in (position, position.turned()))


OF_RULE: Mapping[int, tuple[Position, ...]] = MappingProxyType(
    {
        0: _twice(OVERLINE.swapped()),
        1: _twice(OVERLINE, WHITE_OVERLINE),
        4: _twice(OVERLINE, WHITE_OVERLINE.swapped(), DOUBLE_THREE, DOUBLE_FOUR),
        8: _twice(BLOCKED, OVERLINE.swapped()),
        9: _twice(BLOCKED, OVERLINE, WHITE_OVERLINE),
    }
)
"""By the number of INFO rule, the positions that tell whether a brain knows it, in pairs."""

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


MS = 1_000_000
TOLERANCE = 1000
"""ms that Gomocup forgives."""


class League(NamedTuple):
    """A game that a brain may have to play. turn: seconds a move may take, 0 where that is not known."""

    name: str
    width: int
    height: int
    rule: int
    turn: int = 0
    swap2: bool = False

    @property
    def heading(self) -> str:
        return f"{self.name}, {self.width}x{self.height}, rule {self.rule}"


LEAGUES = (
    League("Fastgame", 20, 20, 0, turn=5),
    League("Freestyle", 20, 20, 0, turn=30),
    League("Freestyle 15", 15, 15, 0, turn=30),
    League("Standard", 15, 15, 1, turn=30),
    League("Renju", 15, 15, 4, turn=300),
    League("Caro", 15, 15, 9, turn=30),
    League("Unlimited", 15, 15, 1, swap2=True),
)
"""Gomocup's, as they are played now."""


@dataclass(slots=True)
class Facts:
    """Each where it is known: why not, "" where it can.

    about     what it says of itself.
    start     by (width, height): START or RECTSTART, and a first move there.
    startup   ns that it took to answer that, at most.
    silences  how often START was not answered.
    is_slow   whether a first move took much longer than it may: then less is asked.
    board     BOARD.
    swap2     SWAP2BOARD.
    rules     by (side of the board, rule): "" also where it could not be told.
    untold    of which (side, rule) that is.
    slowest   ms for a move, where that was too long.
    doubts    what may cost it games anywhere.
    commands  the optional ones that it knows.
    """

    about: str = ""
    start: dict[tuple[int, int], str] = field(default_factory=dict)
    startup: int = 0
    silences: int = 0
    is_slow: bool = False
    board: str = ""
    swap2: str = "SWAP2BOARD: not asked"
    rules: dict[tuple[int, int], str] = field(default_factory=dict)
    untold: set[tuple[int, int]] = field(default_factory=set)
    slowest: int = 0
    doubts: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)

    @property
    def sides(self) -> list[int]:
        """Of the square boards it plays on, in the order they were tried."""
        return [width for (width, height), reason in self.start.items() if width == height and not reason]

    def knows_rule(self, rule: int) -> bool:
        """Whether it was seen to play by it, on some board."""
        return any(
            not reason and (side, known) not in self.untold
            for (side, known), reason in self.rules.items()
            if known == rule
        )

    def hindrances(self, league: League) -> list[str]:
        """Why it cannot play there, or would lose every game."""
        reasons = (
            self.start.get((league.width, league.height), f"{league.width}x{league.height}: not asked"),
            self.board,
            self.rules.get((league.width, league.rule), ""),
            self.swap2 if league.swap2 else "",
            self._slowness(league),
        )
        return [reason for reason in reasons if reason]

    def _slowness(self, league: League) -> str:
        if not league.turn or self.slowest <= league.turn * 1000 + TOLERANCE:
            return ""
        return f"takes {format_duration(self.slowest * MS)} for a move, told to take less"

    def prospect(self, league: League) -> str:
        """The fate of the brain in a league."""
        if reasons := self.hindrances(league):
            return "; ".join(reasons)
        untold = (league.width, league.rule) in self.untold
        doubts = [f"whether it knows rule {league.rule} cannot be told"] if untold else []
        return "; ".join(("can play", *doubts, *self.doubts))


def lateness(took: int, limit: int) -> str:
    """A remark on taking `took` ms of `limit` (0: as few as possible), "" for none."""
    if took <= (limit or TOLERANCE):
        return ""
    late = f"took {took} ms where {limit} ms are allowed"
    return late if took > limit + TOLERANCE else f"{late}; Gomocup forgives {TOLERANCE} ms"
