"""Positions that show by which rule a brain plays, and what its answers mean for Gomocup's leagues.

In each position the brain is to move: Black (x), or White (o) if there is one x more. `A` looks like a
win, but is none under some rules. `B` keeps the other side from winning. A brain that knows the rule plays
`B`. Under other rules `A` wins, and is right. Every position is shown twice, the second time turned,
because one right answer may be chance.
"""

# Of ten brains of others, each checked against its source code, four always play freestyle and one
# (kig-standard) always standard rules, whatever INFO rule says. These positions find all five. A double three
# and a double four, which Renju forbids, were shown too. They found no further brain.

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from gyoji.core.text import format_duration

Point: TypeAlias = tuple[int, int]
"""(column, row), both from 0, from the top left corner. @@ src/gyoji/protocols/gomocup/probe_positions.py
(WIDTH, HEIGHT) Columns and rows of the drawings.
"""

WIDTH, HEIGHT = 15, 11
"""Of the drawings: points of the board that they need."""


class Position(NamedTuple):
    """A position with its stones in playing order, so that they alternate between the brain and the other
    side.

    Attributes:
        trap: The point A of the drawing.
        due: The point B of the drawing, the right move.
    """

    stones: tuple[Point, ...]
    trap: Point | None
    due: Point | None

    def swapped(self) -> "Position":
        """Return the position for a rule under which A is the right move."""
        return Position(self.stones, self.due, self.trap)

    def turned(self) -> "Position":
        """Return the position after half a turn around the middle of the drawing."""
        stones = tuple(map(_turn, self.stones))
        return Position(stones, self.trap and _turn(self.trap), self.due and _turn(self.due))

    def on(self, size: int) -> "Position":
        """Return the position in the middle of a board with `size` points on a side."""
        across, down = (size - WIDTH) // 2, (size - HEIGHT) // 2

        def place(point: Point) -> Point:
            return point[0] + across, point[1] + down

        return Position(
            tuple(map(place, self.stones)), self.trap and place(self.trap), self.due and place(self.due)
        )


def _turn(point: Point) -> Point:
    return WIDTH - 1 - point[0], HEIGHT - 1 - point[1]


def read(drawing: str) -> Position:
    """Parse a drawing with as many x as o, or one more."""
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
"""Black's six in a row wins under freestyle rules, is nothing under standard rules, and is forbidden in
Renju.
"""

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
"""White's six in a row wins under freestyle rules and in Renju, and is nothing under standard rules."""

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


def _twice(*positions: Position) -> tuple[Position, ...]:
    """Return each position and the same one turned."""
    return tuple(each for position in positions for each in (position, position.turned()))


OF_RULE: Mapping[int, tuple[Position, ...]] = MappingProxyType(
    {
        0: _twice(OVERLINE.swapped()),
        1: _twice(OVERLINE, WHITE_OVERLINE),
        4: _twice(OVERLINE, WHITE_OVERLINE.swapped()),
        8: _twice(BLOCKED, OVERLINE.swapped()),
        9: _twice(BLOCKED, OVERLINE, WHITE_OVERLINE),
    }
)
"""The positions that show a rule, by its number in INFO rule."""

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
"""A position without a quick win, in which a brain thinks as long as it may."""


MS = 1_000_000
TOLERANCE = 1000
"""Milliseconds by which Gomocup lets a move be late."""


class League(NamedTuple):
    """A kind of game of Gomocup. `turn` is the limit of a move in seconds, 0 if it is unknown."""

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
"""The leagues of Gomocup."""


@dataclass(slots=True)
class Facts:
    """Facts about a brain. A reason is "" if the brain can, else why it cannot.

    Attributes:
        about: Its answer to ABOUT.
        start: Reason by (width, height): START or RECTSTART, and a first move there.
        startup: Longest time, in ns, until START was answered.
        silences: How often START was not answered.
        is_slow: Whether a first move was very late. Such a brain is asked less.
        board: Reason for BOARD.
        swap2: Reason for SWAP2BOARD.
        rules: Reason by (side of the board, rule). It is "" too if the answers do not show the rule.
        untold: The (side, rule) pairs for which the answers do not show the rule.
        slowest: Longest time of a late move, in ms.
        doubts: Faults that may lose games in any league.
        commands: Optional commands that it has.
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
        """Sides of the square boards that the brain plays on, in the order of the trials."""
        return [width for (width, height), reason in self.start.items() if width == height and not reason]

    def knows_rule(self, rule: int) -> bool:
        """Return whether the brain played by a rule on some board."""
        return any(
            not reason and (side, known) not in self.untold
            for (side, known), reason in self.rules.items()
            if known == rule
        )

    def hindrances(self, league: League) -> list[str]:
        """Return why the brain cannot play in a league, or would lose every game there."""
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
        """Return how the brain would fare in a league, in words."""
        if reasons := self.hindrances(league):
            return "; ".join(reasons)
        untold = (league.width, league.rule) in self.untold
        doubts = [f"whether it knows rule {league.rule} cannot be told"] if untold else []
        return "; ".join(("can play", *doubts, *self.doubts))


def lateness(took: int, limit: int) -> str:
    """Return a remark on a move of `took` ms with a limit of `limit` ms, "" if it is in time. Limit 0 means
    haste.
    """
    if took <= (limit or TOLERANCE):
        return ""
    late = f"took {took} ms where {limit} ms are allowed"
    return late if took > limit + TOLERANCE else f"{late}; Gomocup forgives {TOLERANCE} ms"
