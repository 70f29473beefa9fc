"""The rules of gomoku by number and name, and the rows that win.

The numbers are those of ``INFO rule`` in the Gomocup protocol, a sum of 1 (exactly five wins), 2 (the game
goes on), 4 (renju) and 8 (caro).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from gyoji.core.text import printable
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
"""The rules that have a name. Gomocup's caro is 9, where no overline wins."""

_SENSIBLE = frozenset((0, 1, 2, 3, 4, 8, 9, 10, 11))
_NAMES_OF = {number: name for name, number in NAMES.items()}


def rule_number(rule: object) -> int:
    """The number of a rule, given by its name or itself. Raises ValueError for what is no rule."""
    if isinstance(rule, str) and rule in NAMES:
        return NAMES[rule]
    if isinstance(rule, int) and not isinstance(rule, bool):
        if rule in _SENSIBLE:
            return rule
        if 0 < rule < 16:
            raise ValueError(f"got {rule}, but renju (4) goes with none of 1, 2 and 8")
    known = ", ".join(f"{name!r}" for name in NAMES)
    raise ValueError(f"got {printable(repr(rule), 80)}, expected {known}, or a sum of 1, 2, 4 and 8")


def rule_name(number: int) -> str | int:
    """The name of a rule; its number if it has none.

    >>> rule_name(rule_number("caro")), rule_name(9), rule_name(10)
    ('caro', 'caro', 10)
    """
    return _NAMES_OF.get(number, number)


class Standard(NamedTuple):
    """The row that a colour needs to win. Edges of the board never count as stones.

    exactly  five stones, not more; else five or more.
    open     a row of five with opponent's stones at both ends does not win; a longer one does, if it may.
    """

    exactly: bool
    open: bool


def standards(number: int) -> tuple[Standard, Standard]:
    """The standards of Black and of White. In renju White's overlines win and Black's do not."""
    exactly, is_open = bool(number & EXACT), bool(number & CARO)
    return Standard(exactly or bool(number & RENJU), is_open), Standard(exactly, is_open)


Row: TypeAlias = tuple[int, ...]
"""The points of a whole unbroken row, from end to end."""


def winning_rows(board: Board, own: int, other: int, point: int, standard: Standard) -> tuple[Row, ...]:
    """The rows of `own`, the stone on `point` among them, that go through that stone and win."""
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
    """Whether there is a place where `own` could still become a row that wins, if the opponent let it.

    room: `own` and the empty points. What stays is what no stone can take away: five points in a line without
    a foreign stone and, as the rule has it, without a stone at an end that makes the row too long or closes
    its second end. Nothing else is looked at: neither whose turn it is, nor how many points are left, nor
    what renju forbids. So there may be a place that no play could use, but never the other way round.
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
