"""The lines of five on a gomoku board, as sets of points. Narabe evaluates positions by them.

A set of points is an int, as in `gyoji.games.gomoku.board`.

A *window* is five points in a row that a side could still fill to win: no stone of the opponent is on them.
If only exactly five in a row win, no own stone is next to an end of a window. Under the rule caro, the
opponent has closed at most one end of it. A window is represented by its lowest point. So the windows of one
direction are a set of points.
"""

# The number of stones in every window is computed at once: the set of a side's stones is shifted by zero to
# four steps, and the five sets are added bit by bit. So the time does not depend on the number of stones.
#
# Which points renju forbids to Black is decided by `fouls` of the referee's rules. This is slow, so
# `suspects` first excludes most points by a quick test.

from typing import NamedTuple

from gyoji.games.gomoku.board import board_of
from gyoji.games.gomoku.rulesets import RENJU, fouls, standards

BLACK, WHITE = 0, 1


def spread(windows: int, step: int) -> int:
    """Return all points of some windows. A window is five points in a row.

    Args:
        windows: The first point of each window.
        step: Distance between the points of a window.
    """
    chosen = windows | windows << step
    chosen |= chosen << 2 * step
    return chosen | windows << 4 * step


class Position(NamedTuple):
    """The stones of a board, seen by the side to move, and the colour of that side."""

    own: int
    other: int
    colour: int

    def after(self, move: int) -> "Position":
        """Return the position after the side to move has placed a stone. The other side is to move there."""
        return Position(self.other, self.own | 1 << move, 1 - self.colour)

    def turned(self) -> "Position":
        """Return the same stones with the other side to move."""
        return Position(self.other, self.own, 1 - self.colour)


class Row(NamedTuple):
    """The windows of one direction that one side could still fill. A window is five points in a row.

    Attributes:
        step: Distance between the points of a window.
        ones: Windows with one stone of the side.
        twos: Windows with two stones.
        threes: Windows with three stones.
        fours: Windows with four stones.
    """

    step: int
    ones: int
    twos: int
    threes: int
    fours: int


class Glance(NamedTuple):
    """The possible lines of a side, and the empty points where one more stone makes a four or a five.

    Attributes:
        rows: For each of the four directions, the side's windows by number of stones.
        fives: Points where a stone makes a five.
        fours: Points where a stone makes a four, which threatens a five.
        straights: Points where a stone makes a straight four, which cannot be stopped by a single stone.
    """

    rows: tuple[Row, ...]
    fives: int
    fours: int
    straights: int


class Lines:
    """The lines of five on a board, under one rule.

    Attributes:
        steps: Distance between neighbouring points in each of the four directions.
        exact: For Black and for White, whether only exactly five in a row win.
        room: All points of the board except those with dead stones.
    """

    def __init__(self, width: int, height: int, rule: int, *, dead: int = 0) -> None:
        self.board = board_of(width, height)
        self.steps = [line.step for line in self.board.lines]
        self.renju, self.caro = bool(rule & RENJU), standards(rule)[WHITE].open
        self.exact = [standard.exactly for standard in standards(rule)]
        self.room = self.board.full & ~dead

    def empty(self, position: Position) -> int:
        return self.room & ~(position.own | position.other)

    def glance(self, position: Position) -> Glance:
        """Return the possible lines of the side to move."""
        own, other, colour = position
        empty = self.room & ~(own | other)
        free, exact, caro = own | empty, self.exact[colour], self.caro
        rows = []
        fives = fours = straights = 0
        for step in self.steps:
            clear = free & free >> step
            clear &= clear >> 2 * step & free >> 4 * step
            if exact:
                clear &= ~(own << step | own >> 5 * step)
            if caro:
                clear &= ~(other << step & other >> 5 * step)
            # the number of stones in each window: `odd`, plus two for each of three carries
            first, second, third, fourth, fifth = (
                own,
                own >> step,
                own >> 2 * step,
                own >> 3 * step,
                own >> 4 * step,
            )
            half, rest = first ^ second, fourth ^ fifth
            carry, carry_rest = first & second | half & third, fourth & fifth
            half ^= third
            odd, either = half ^ rest, carry | carry_rest
            two = carry ^ carry_rest ^ half & rest  # one carry is set, not two
            one_three = clear & odd
            two_four = clear ^ one_three
            threes, full = one_three & two, two_four & either & ~two
            rows.append(Row(step, one_three & ~(two | either), two_four & two, threes, full))
            if full:
                fives |= spread(full, step)
            if threes:
                fours |= spread(threes, step)
                straight = threes & threes >> step & empty & empty >> 5 * step
                if straight and self.caro:
                    # a stone on one end must not close the five that is left at the other
                    straight &= ~(other << step | other >> 6 * step)
                if straight:
                    straights |= spread(straight, step) & ~straight
        return Glance(tuple(rows), fives & empty, fours & empty, straights & empty)


def suspects(black: int, glance: Glance) -> int:
    """Return the empty points that renju may forbid to Black. No other point is forbidden.

    Args:
        black: Black's stones.
        glance: The possible lines of Black.
    """
    once = twice = over = 0
    for row in glance.rows:
        step, threes = row.step, spread(row.twos, row.step)
        twice |= once & threes
        once |= threes
        over |= black << step & black >> step & (black << 2 * step | black >> 2 * step)
    return twice | over | glance.fours


def is_forbidden(lines: Lines, position: Position, point: int, glance: Glance | None = None) -> bool:
    """Return whether renju forbids the side to move to play on an empty point.

    Renju forbids some points to Black only, and never a point where a stone makes a five.

    Args:
        glance: The possible lines of the side to move, if already computed.
    """
    if not lines.renju or position.colour != BLACK:
        return False
    glance = glance or lines.glance(position)
    if not suspects(position.own, glance) >> point & 1:
        return False
    return bool(fouls(lines.board, position.own, lines.board.full & ~position.other, point))
