"""The rules of gomoku by number and name, winning rows, and the points that renju forbids to Black.

The numbers are those of ``INFO rule`` in the Gomocup protocol, a sum of 1 (exactly five wins), 2 (continuous
game: a row of five scores, and the game goes on), 4 (renju) and 8 (caro).

Two parameters are sets of points, as in `board`: `black` has Black's stones; `room` has the points without a
white stone, Black's stones included.
"""

# Theory of operation: forbidden points of renju
# ----------------------------------------------
# Renju forbids overlines, double-fours and double-threes to Black, as the Renju International Federation
# defines them and Gomocup applies them. A stone is examined in each of the four lines through it. Only
# points within five steps matter, so what the stone makes in a line, its `Shape`, is a function of eleven
# points with the stone in the middle. Shapes are cached.
#
# * A row of exactly five wins, whatever else the stone makes: such a point is never forbidden. A longer row
#   is an overline.
# * A four is a set of four stones with a point that makes exactly five of them. One line can have two of
#   them. A straight four has two such points, but is one set, and so one four.
# * A three is a line that one more stone turns into a straight four, on a point where Black may play and
#   makes no five. A line counts as one three, however many such points it has.
#
# The last condition is recursive: may Black play on that point, with the first stone on the board? The answer
# may depend on a third point, and so on. The depth has no known bound, so `_is_double_three` uses its own
# stack of `_Question`s instead of recursion:
#
#    question: two threes or more?
#      |  take the next candidate point of an open line, and put a stone there
#      |     it makes a five, an overline or a double four:  no three by this point
#      |     it makes fewer than two candidate threes:       Black may play there: count a three
#      |     else                                            push a question of its own for that stone
#      |
#      '-- a question that ends with "not forbidden" counts a three for the question below it
#
# A question ends when two threes are found (forbidden) or too few lines are left (not forbidden).
#
# Cost: `fouls` runs for one point per move. Most points have fewer than five stones on their lines and need
# only one bit count; shapes are computed only for lines with three stones near the point.

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from gyoji.core.text import quote_value
from gyoji.games.gomoku.board import Board

EXACT, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8

NAMES: Mapping[str, int] = MappingProxyType(
    {
        "freestyle": 0,
        "standard": EXACT,
        "continuous": CONTINUOUS,
        "renju": RENJU,
        "caro-8": CARO,
        "caro": CARO | EXACT,
    }
)
"""The rules with a name. Gomocup's caro is 9: overlines do not win."""

_SENSIBLE = frozenset((0, 1, 2, 3, 4, 8, 9, 10, 11))
_NAMES_OF = {number: name for name, number in NAMES.items()}


def rule_number(rule: object) -> int:
    """Return the number of a rule, given by name or number. Raises ValueError if there is no such rule."""
    if isinstance(rule, str) and rule in NAMES:
        return NAMES[rule]
    if isinstance(rule, int) and not isinstance(rule, bool):
        if rule in _SENSIBLE:
            return rule
        if 0 < rule < 16:
            raise ValueError(f"got {rule}, but renju (4) goes with none of 1, 2 and 8")
    known = ", ".join(f"{name!r}" for name in NAMES)
    raise ValueError(f"got {quote_value(rule)}, expected {known}, or a sum of 1, 2, 4 and 8")


def rule_name(number: int) -> str | int:
    """Return the name of a rule, or its number if it has none.

    >>> rule_name(rule_number("caro")), rule_name(9), rule_name(10)
    ('caro', 'caro', 10)
    """
    return _NAMES_OF.get(number, number)


class Standard(NamedTuple):
    """The row with which a colour wins. Edges of the board never count as stones.

    Attributes:
        exactly: Whether exactly five stones win, not more.
        open: Whether a row of five wins only if it is not between two opposing stones. A longer row need not
            be open, and wins if `exactly` is False.
    """

    exactly: bool
    open: bool


def standards(number: int) -> tuple[Standard, Standard]:
    """Return (winning rows of Black, winning rows of White). In renju only White's overlines win."""
    exactly, is_open = bool(number & EXACT), bool(number & CARO)
    return Standard(exactly or bool(number & RENJU), is_open), Standard(exactly, is_open)


Row: TypeAlias = tuple[int, ...]
"""The points of a complete unbroken row, from end to end."""


def winning_rows(board: Board, own: int, other: int, point: int, standard: Standard) -> tuple[Row, ...]:
    """Return the rows through a stone with which its side wins.

    Args:
        board: The board.
        own: The stones of the side.
        other: The stones of the opponent.
        point: The stone, one of `own`.
        standard: The kind of row with which the side wins.
    """
    rows = []
    for line in board.lines:
        row = board.run(own, point, line.step)
        if len(row) < 5 or (standard.exactly and len(row) > 5):
            continue
        if standard.open and len(row) == 5 and other >> row[0] - line.step & other >> row[-1] + line.step & 1:
            continue
        rows.append(row)
    return tuple(rows)


def can_win(board: Board, own: int, other: int, room: int, standard: Standard) -> bool:
    """Return whether `own` could still complete a winning row if the opponent did not stop it.

    That needs five points in a line without an opposing stone. If only exactly five win, there must be no
    stone of `own` at either end. If the row must be open, there must not be opposing stones at both ends. The
    side to move, the number of empty points and renju's fouls are ignored. So the result may be True although
    no play can win, but it is never False if a win is possible.

    Args:
        room: `own` and the empty points.
    """
    for line in board.lines:
        step = line.step
        pairs = room & room >> step
        places = pairs & pairs >> 2 * step & room >> 4 * step  # the first points of five in a line
        if standard.exactly:
            places &= ~(own << step | own >> 5 * step)
        if standard.open:
            places &= ~(other << step & other >> 5 * step)
        if places:
            return True
    return False


_MIDDLE = 5


class Foul(Enum):
    """A reason why renju forbids a stone; the value is its name in messages."""

    OVERLINE = "overline"
    DOUBLE_FOUR = "double four"
    DOUBLE_THREE = "double three"


class Shape(NamedTuple):
    """The row, fours and threes that a black stone makes in one line.

    Attributes:
        length: The length of the unbroken row.
        fours: The number of fours.
        straight: The points where one more stone makes a straight four, as offsets from the stone. The line
            has a three if Black may play on one of them.
    """

    length: int
    fours: int
    straight: tuple[int, ...]


class Made(NamedTuple):
    """The rows, fours and threes that a black stone makes in all lines together.

    Attributes:
        threes: For each line that may have a three, the points where one more stone makes a straight four.
    """

    is_five: bool
    is_overline: bool
    fours: int
    threes: list[list[int]]


@lru_cache(maxsize=1 << 16)  # three for each of ten points: there are not more
def shape(black: int, room: int) -> Shape:
    """Return the shape of a window (see `Line.window`) with a stone in the middle.

    >>> shape(0b00011100000, 0b11111111111)
    Shape(length=3, fours=0, straight=(-1, 3))
    >>> shape(0b00101110100, 0b01111111110)
    Shape(length=3, fours=2, straight=())
    """
    first, last = _row(black, _MIDDLE)
    length = last - first + 1
    fours, straight = set(), []
    for place in range(_MIDDLE - 4, _MIDDLE + 5):
        bit = 1 << place
        if not bit & room & ~black:
            continue
        first, last = _row(black | bit, place)
        if not first <= _MIDDLE <= last:
            continue
        if last - first == 4:
            fours.add((2 << last) - (1 << first) ^ bit)
        elif last - first == 3:
            ends = 1 << first - 1 | 2 << last
            if room & ends & ~black == ends and not black & (1 << first - 2 | 4 << last):
                straight.append(place - _MIDDLE)
    return Shape(length, len(fours), tuple(straight))


def _row(black: int, place: int) -> tuple[int, int]:
    """Return the first and the last stone of the unbroken row through one point of a window, as bit numbers.

    Args:
        black: Black's stones in the window (see `Line.window`).
        place: The bit number of the point, which counts as a stone.
    """
    first = last = place
    while first and black >> first - 1 & 1:
        first -= 1
    while black >> last + 1 & 1:
        last += 1
    return first, last


def fouls(board: Board, black: int, room: int, point: int) -> tuple[Foul, ...]:
    """Return the reasons why Black may not play on a point; () if Black may."""
    black |= 1 << point
    made = _made(board, black, room, point)
    if made.is_five:
        return ()
    found = []
    if made.is_overline:
        found.append(Foul.OVERLINE)
    if made.fours > 1:
        found.append(Foul.DOUBLE_FOUR)
    if len(made.threes) > 1 and _is_double_three(board, black, room, made.threes):
        found.append(Foul.DOUBLE_THREE)
    return tuple(found)


def _made(board: Board, black: int, room: int, point: int) -> Made:
    """Return the rows, fours and threes that the black stone on `point` makes.

    If it makes a five, fours and threes are not examined.
    """
    is_overline, fours, threes = False, 0, []
    near = black >> point - board.reach & board.near
    if near.bit_count() > 4:
        for line, arm in zip(board.lines, board.arms, strict=True):
            if (near & arm).bit_count() < 3:
                continue
            length, more, straight = shape(line.window(black, point), line.window(room, point))
            if length == 5:
                return Made(True, False, 0, [])
            is_overline |= length > 5
            fours += more
            if straight:
                threes.append([point + steps * line.step for steps in straight])
    return Made(False, is_overline, fours, threes)


class _Question:
    """A stone for which it is being decided whether it makes a double-three.

    Attributes:
        black: Black's stones, with the stone in question.
        lines: The lines that may still have a three. For each, the points still to try, on which one more
            stone makes a straight four.
        threes: The number of threes found.
    """

    __slots__ = ("black", "lines", "threes")

    def __init__(self, black: int, lines: list[list[int]]) -> None:
        self.black = black
        self.lines = lines
        self.threes = 0

    def count_three(self) -> None:
        """Count a three in the last line, and remove that line."""
        self.lines.pop()
        self.threes += 1


def _is_double_three(board: Board, black: int, room: int, threes: list[list[int]]) -> bool:
    """Return whether at least two of the possible threes are threes.

    A possible three is a three if Black may play on a point that makes it a straight four.

    Args:
        black: Black's stones, with the stone in question.
        threes: For each possible three, the points that make a straight four.
    """
    questions = [_Question(black, threes)]
    while True:
        question = questions[-1]
        if question.threes == 2 or question.threes + len(question.lines) < 2:
            questions.pop()
            is_forbidden = question.threes == 2
            if not questions:
                return is_forbidden
            if not is_forbidden:
                questions[-1].count_three()
        elif not question.lines[-1]:
            question.lines.pop()
        else:
            point = question.lines[-1].pop()
            inner = question.black | 1 << point
            made = _made(board, inner, room, point)
            if made.is_five or made.is_overline or made.fours > 1:
                continue  # no straight four that counts
            if len(made.threes) < 2:
                question.count_three()
            else:
                questions.append(_Question(inner, made.threes))
