"""Plans: what an agent means to do, as a number, and why one may come to nothing. No positions here.

=========  ==============================  ===================
plan       meaning                         whose
=========  ==============================  ===================
-1         stay                            everybody's
0 to 7     move in direction `plan`        a samurai's if even
8 to 15    dig a hole, in `plan` % 8       a samurai's if even
16 to 23   plug a hole, in `plan` % 8      a samurai's if even
=========  ==============================  ===================

Any other number is an *invalid* plan, taken as -1; a plan that cannot be carried out now is *inoperable*.
"""

from collections.abc import Sequence
from enum import Enum

from gyoji.core.text import quote
from gyoji.games.dighere.cells import DIRECTIONS, Cell

STAY = -1
FIRST_DIG, FIRST_PLUG, PLANS = 8, 16, 24
SAMURAI = (0, 1)
"""The seats of the samurai; the others are dogs."""


LARGEST = (1 << 31) - 1
"""The largest number that is told apart; agents read 32 bits."""


class Reason(Enum):
    """Why a plan came to nothing. INVALID plans are no plans of the agent; all others are inoperable."""

    INVALID = "invalid"
    OUTSIDE = "outside the field"
    OCCUPIED = "an agent is there"
    HOLE = "a hole is there"
    SOLID = "no hole is there"
    CROWDED = "several move there"
    ENTERED = "an agent moves there"


def is_valid(seat: int, plan: int) -> bool:
    """Whether a number is a plan of the agent in `seat`."""
    if seat in SAMURAI:
        return plan == STAY or (0 <= plan < PLANS and plan % 2 == 0)
    return STAY <= plan < FIRST_DIG


def verb(plan: int) -> str:
    """What a plan means to do, in a word.

    >>> [verb(plan) for plan in (-1, 7, 8, 16)]
    ['stay', 'move', 'dig', 'plug']
    """
    if plan <= STAY:
        return "stay"
    return "move" if plan < FIRST_DIG else "dig" if plan < FIRST_PLUG else "plug"


def target(cell: Cell, plan: int) -> Cell:
    """The cell that a plan of an agent in `cell` is about."""
    if plan <= STAY:
        return cell
    dx, dy = DIRECTIONS[plan % 8]
    return Cell(cell.x + dx, cell.y + dy)


def explain(reason: Reason | None, seat: int, plan: int, agents: Sequence[Cell]) -> str:
    """One line on a plan that came to nothing, "" for one that was carried out. agents: before the step.

    >>> explain(Reason.HOLE, 2, 0, (Cell(0, 0), Cell(9, 9), Cell(3, 4), Cell(5, 5)))
    'cannot move to (3,5): a hole is there'
    """
    if reason is None:
        return ""
    if reason is Reason.INVALID:
        return f"{plan} is no plan of a {'samurai' if seat in SAMURAI else 'dog'}"
    cell = target(agents[seat], plan)
    cause = reason.value
    if reason is Reason.OCCUPIED:
        cause = f"agent {agents.index(cell)} is there"
    to = " to" if plan < FIRST_DIG else ""
    return f"cannot {verb(plan)}{to} {cell}: {cause}"


def parse_plan(text: str) -> int:
    """The plan that a text writes: a whole number of 32 bits. Raises ValueError.

    >>> parse_plan("-1"), parse_plan("22")
    (-1, 22)
    """
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= len(str(LARGEST))):
        raise ValueError(f"no plan: {quote(text)}, expected a whole number")
    return int(text)
