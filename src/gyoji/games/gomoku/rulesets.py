"""What makes a row that wins: the rules by their numbers and names.

The numbers are those of ``INFO rule`` in the Gomocup protocol, a sum of 1 (exactly five wins), 2 (the game
goes on), 4 (renju) and 8 (caro).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gyoji.core.text import printable

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
    """What a colour's row must be to win. Edges of the board never count as stones.

    exactly  five stones, not more; else five or more.
    open     a row of five with opponent's stones at both ends does not win; a longer one does, if it may.
    """

    exactly: bool
    open: bool


def standards(number: int) -> tuple[Standard, Standard]:
    """What Black's and what White's rows must be. In renju White's overlines win and Black's do not."""
    exactly, is_open = bool(number & EXACT), bool(number & CARO)
    return Standard(exactly or bool(number & RENJU), is_open), Standard(exactly, is_open)
