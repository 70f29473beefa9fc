"""Lines of five as sets of points: Narabe's view of a board.

A set of points is an int with the bits of `gyoji.games.gomoku.board`.

A *window* is five points in a line that a side could still fill to win. It has no stone of the opponent.
Where the rule demands it, no own stone extends it (exactly five), or at most one end is closed by the
opponent (caro). A window is named by its lowest point; the windows of one direction are again a set.
"""

# Shift the stones of a side by zero to four steps and add the five sets bit by bit: the sums are the numbers
# of stones in all windows at once. So one look at the board costs the same whether it is empty or full.
#
# Which points renju forbids to Black is for the referee's rules to say (`fouls`). They take long, so
# `suspects` first sorts out most points at a glance.

from typing import NamedTuple

from gyoji.games.gomoku.board import board_of
from gyoji.games.gomoku.rulesets import RENJU, fouls, standards

BLACK, WHITE = 0, 1


def spread(windows: int, step: int) -> int:
    """Return all points of some windows (five points in a line).

    Args:
        windows: The first point of each window.
        step: Distance between the points of a window.
    """
    chosen = windows | windows << step
    chosen |= chosen << 2 * step
    return chosen | windows << 4 * step


class Position(NamedTuple):
    """The stones of a board as the side to move sees them, and the colour of that side."""

    own: int
    other: int
    colour: int

    def after(self, move: int) -> "Position":
        """Return the position after the side to move has put a stone on a point. The other side is to move
        then.
        """
        return Position(self.other, self.own | 1 << move, 1 - self.colour)

    def turned(self) -> "Position":
        """Return the same stones with the other side to move."""
        return Position(self.other, self.own, 1 - self.colour)


class Row(NamedTuple):
    """The windows (five points in a line) of one direction in which a side has one, two, three and four
    stones.

    Attributes:
        step: Distance between the points of a window.
    """

    step: int
    ones: int
    twos: int
    threes: int
    fours: int


class Glance(NamedTuple):
    """What a side can do next: the windows that it could fill, and the empty points where one more stone
    makes a four or a five.

    Attributes:
        rows: The windows of each direction.
        fives: Points where a stone wins.
        fours: Points where a stone makes a four, which threatens to win.
        straights: Points where a stone makes a straight four, which no single stone stops.
    """

    rows: tuple[Row, ...]
    fives: int
    fours: int
    straights: int


class Lines:
    """The board of a game and its rule.

    Attributes:
        steps: Distance between neighbouring points in each of the four directions.
        exact: Whether only exactly five in a row win, for Black and for White.
        room: All points but the dead ones, which count for neither side.
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
        """Return what the side to move can do next."""
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
    """Return the empty points that may be forbidden to Black by renju. All others are allowed.

    Args:
        black: Black's stones.
        glance: Black's lines.
    """
    once = twice = over = 0
    for row in glance.rows:
        step, threes = row.step, spread(row.twos, row.step)
        twice |= once & threes
        once |= threes
        over |= black << step & black >> step & (black << 2 * step | black >> 2 * step)
    return twice | over | glance.fours


def is_forbidden(lines: Lines, position: Position, point: int, glance: Glance | None = None) -> bool:
    """Return whether renju forbids the side to move a stone on an empty point. A stone that makes a five is
    allowed.

    Args:
        glance: The lines of the side to move, if they are already known.
    """
    if not lines.renju or position.colour != BLACK:
        return False
    glance = glance or lines.glance(position)
    if not suspects(position.own, glance) >> point & 1:
        return False
    return bool(fouls(lines.board, position.own, lines.board.full & ~position.other, point))
