"""Lines of five as sets of points: Narabe's view of a board.

A set of points is an int. The point in column x and row y, both from 0 at the upper left, is the bit
`y * (width + 1) + x`. The spare column is never part of the board, so a row that leaves the board hits it.

A *window* is five points in a line that a side could still fill to win. It has no stone of the opponent.
Where the rule demands it, no own stone extends it (exactly five), or at most one end is closed by the
opponent (caro). A window is named by its lowest point; the windows of one direction are again a set.
"""

# Shift the stones of a side by zero to four steps and add the five sets bit by bit: the sums are the numbers
# of stones in all windows at once. So one look at the board costs the same whether it is empty or full.
#
# Points forbidden to Black in renju (overlines, double fours, double threes) follow the Renju International
# Federation. A three counts only if the move that makes it a straight four is itself allowed and makes no
# five elsewhere. That question recurses, and ends because each level adds a stone.

# Shift the stones of a side by zero to four steps and add the five sets bit by bit: the sums are the numbers
# of stones in all windows at once. So one look at the board costs the same whether it is empty or full.
#
# Points forbidden to Black in renju (overlines, double fours, double threes) follow the Renju International
# Federation. A three counts only if the move that makes it a straight four is itself allowed and makes no
# five elsewhere. That question recurses, and ends because each level adds a stone.

from collections.abc import Iterator
from typing import NamedTuple

BLACK, WHITE = 0, 1
EXACT, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8
"""The bits of a rule, as in `INFO rule` of the Gomocup protocol."""


def points(chosen: int) -> Iterator[int]:
    """Yield the points of a set, lowest first."""
    while chosen:
        low = chosen & -chosen
        yield low.bit_length() - 1
        chosen ^= low


def spread(windows: int, step: int) -> int:
    """Return all points of the given windows."""
    chosen = windows | windows << step
    chosen |= chosen << 2 * step
    return chosen | windows << 4 * step


class Position(NamedTuple):
    """Stones from the view of the side to move, and that side's colour."""

    own: int
    other: int
    colour: int

    def after(self, move: int) -> "Position":
        """Return the position after a stone of the side to move, from the other side's view."""
        return Position(self.other, self.own | 1 << move, 1 - self.colour)

    def turned(self) -> "Position":
        """Return the same stones with the other side to move."""
        return Position(self.other, self.own, 1 - self.colour)


class Row(NamedTuple):
    """The windows of one direction with one, two, three and four stones of a side."""

    step: int
    ones: int
    twos: int
    threes: int
    fours: int


class Glance(NamedTuple):
    """The lines of a side as sets of empty points.

    Attributes:
        fives: A stone here wins.
        fours: A stone here makes a four.
        straights: A stone here makes a straight four, which no single stone stops.
    """

    rows: tuple[Row, ...]
    fives: int
    fours: int
    straights: int


class Lines:
    """A board under one rule. `dead` holds points that count for neither side."""

    def __init__(self, width: int, height: int, rule: int, *, dead: int = 0) -> None:
        self.width, self.height = width, height
        self.stride = stride = width + 1
        self.steps = (1, stride - 1, stride, stride + 1)
        self.renju, self.caro = bool(rule & RENJU), bool(rule & CARO)
        self.exact = (bool(rule & (EXACT | RENJU)), bool(rule & EXACT))
        row = (1 << width) - 1
        self.room = sum(row << y * stride for y in range(height)) & ~dead

    def point(self, x: int, y: int) -> int:
        return y * self.stride + x

    def column_row(self, point: int) -> tuple[int, int]:
        y, x = divmod(point, self.stride)
        return x, y

    def runs(self, own: int, point: int) -> list[int]:
        """Return, for each direction, the unbroken line of `own` stones that contains `point`."""
        found = []
        for step in self.steps:
            run = 1 << point
            while (grown := run | (run << step | run >> step) & own) != run:
                run = grown
            found.append(run)
        return found

    def won(self, position: Position, point: int) -> int:
        """Return the stones of the lines that the side to move wins with by its stone on `point`."""
        found = 0
        for step, run in zip(self.steps, self.runs(position.own, point), strict=True):
            length = run.bit_count()
            is_closed = (
                self.caro and length == 5 and run << step & position.other and run >> step & position.other
            )
            if length >= 5 and not is_closed and not (length > 5 and self.exact[position.colour]):
                found |= run
        return found

    def empty(self, position: Position) -> int:
        return self.room & ~(position.own | position.other)

    def glance(self, position: Position) -> Glance:
        """Return the lines of the side to move."""
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
                if straight := self._straight(threes, empty, other, step):
                    straights |= spread(straight, step) & ~straight
        return Glance(tuple(rows), fives & empty, fours & empty, straights & empty)

    def _straight(self, threes: int, empty: int, other: int, step: int) -> int:
        """Return the windows of three whose first point is empty and can be the open end of a straight
        four.
        """
        straight = threes & threes >> step & empty & empty >> 5 * step
        if straight and self.caro:
            # a stone on one end must not close the five that is left at the other
            straight &= ~(other << step | other >> 6 * step)
        return straight


def suspects(black: int, glance: Glance) -> int:
    """Return the empty points that may be forbidden to Black, given Black's lines. All others are allowed."""
    once = twice = over = 0
    for row in glance.rows:
        step, threes = row.step, spread(row.twos, row.step)
        twice |= once & threes
        once |= threes
        over |= black << step & black >> step & (black << 2 * step | black >> 2 * step)
    return twice | over | glance.fours


def is_forbidden(lines: Lines, position: Position, point: int, glance: Glance | None = None) -> bool:
    """Return whether renju forbids a stone on an empty point. A move that makes a five is always allowed.

    Args:
        glance: The mover's lines, if they are already known.
    """
    if not lines.renju or position.colour != BLACK:
        return False
    glance = glance or lines.glance(position)
    if glance.fives >> point & 1 or not suspects(position.own, glance) >> point & 1:
        return False
    after = position._replace(own=position.own | 1 << point)
    if any(run.bit_count() > 5 for run in lines.runs(after.own, point)):
        return True
    glance = lines.glance(after)
    return _fours(lines, after, point, glance) >= 2 or _threes(lines, after, point, glance) >= 2


def _fours(lines: Lines, position: Position, point: int, glance: Glance) -> int:
    """Return the number of fours that contain the stone on `point`."""
    empty, count = lines.empty(position), 0
    for row in glance.rows:
        found = row.fours & _windows_of(1 << point, row.step)
        # a straight four is two windows, but one set of stones
        count += found.bit_count() - (found & found >> row.step & empty & empty >> 5 * row.step).bit_count()
    return count


def _threes(lines: Lines, position: Position, point: int, glance: Glance) -> int:
    """Return the number of directions in which the stone on `point` is part of a three."""
    empty, count = lines.empty(position), 0
    for row in glance.rows:
        step = row.step
        straight = row.threes & row.threes >> step & empty & empty >> 5 * step
        # the windows in which the stone is the second to fifth point
        for start in points(straight & _windows_of(1 << point, step) & ~(1 << point)):
            (last,) = points(spread(1 << start, step) & ~(1 << start) & empty)
            if not glance.fives >> last & 1 and not is_forbidden(lines, position, last, glance):
                count += 1
                break
    return count


def _windows_of(stone: int, step: int) -> int:
    """Return the windows that contain a point."""
    found = stone | stone >> step
    found |= found >> 2 * step
    return found | stone >> 4 * step
