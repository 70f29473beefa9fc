"""Plans, which are the moves of agents, and the resolution of the four plans of a step.

A cell is (x, y), x to the right and y downwards, from 0. The cells of a field of size n have the bits 0 to n
* n - 1, row by row. A field that violates the rules may name cells outside it: these *strays* have the bits
from n * n on.

A plan is a number:

=========  ==============================  ======================
plan       meaning                         allowed for
=========  ==============================  ======================
-1         stay                            all agents
0 to 7     move in direction `plan`        dogs; samurai if even
8 to 15    dig a hole, in `plan` % 8       samurai if even
16 to 23   plug a hole, in `plan` % 8      samurai if even
=========  ==============================  ======================

Any other number is an *invalid* plan and counts as -1. A valid plan that cannot be carried out is
*inoperable*.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from gyoji.core.text import quote

DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))
"""(dx, dy) of each direction, by its number. Samurai have the even ones."""


class Cell(NamedTuple):
    """A square, inside or outside of the field: x to the right, y downwards, both from 0."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"({self.x},{self.y})"


class Treasure(NamedTuple):
    """Treasure in the ground at (x, y)."""

    x: int
    y: int
    amount: int

    @property
    def cell(self) -> Cell:
        return Cell(self.x, self.y)


class Place(NamedTuple):
    """A cell and its neighbours as bits, so that plans are resolved by bit operations.

    Attributes:
        bit: The bit of the cell.
        around: The bits of the eight neighbours, as one set.
        targets: For each direction, the neighbour and its bit; None if the neighbour is outside the field.
        near: For each direction, the neighbour and its bit, also outside the field. The bit is 0 if the
            neighbour has none.
    """

    bit: int
    around: int
    targets: tuple[tuple[Cell, int] | None, ...]
    near: tuple[tuple[Cell, int], ...]


class Places(dict[Cell, Place]):
    """The cells of a field of size `size` as bits (see `Place`). Each is created on first use."""

    def __init__(self, size: int, strays: Iterable[Cell]) -> None:
        super().__init__()
        self._size = size
        self._strays = {cell: 1 << (size * size + number) for number, cell in enumerate(sorted(strays))}

    def bit(self, cell: Cell) -> int:
        """Return the bit of a cell; 0 if the cell is outside the field and not one of `strays`."""
        x, y = cell
        if 0 <= x < self._size and 0 <= y < self._size:
            return 1 << (y * self._size + x)
        return self._strays.get(cell, 0)

    def bits(self, cells: Iterable[Cell]) -> int:
        """Return cells as one set of bits."""
        bits = 0
        for cell in cells:
            bits |= self.bit(cell)
        return bits

    def __missing__(self, cell: Cell) -> Place:
        cells = neighbours(cell)
        inside = 1 << self._size * self._size
        near = tuple((each, self.bit(each)) for each in cells)
        targets = tuple(pair if 0 < pair[1] < inside else None for pair in near)
        place = self[cell] = Place(self.bit(cell), self.bits(cells), targets, near)
        return place


@lru_cache(maxsize=64)
def places_of(size: int, strays: frozenset[Cell]) -> Places:
    """Return the cells of a field as bits, one cached object for all games of the same size and strays."""
    return Places(size, strays)


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """Return the eight cells around a cell, by direction, inside or outside of the field.

    >>> neighbours(Cell(5, 5))[:3]
    (Cell(x=5, y=6), Cell(x=4, y=6), Cell(x=4, y=5))
    """
    x, y = cell
    return tuple(Cell(x + dx, y + dy) for dx, dy in DIRECTIONS)


STAY = -1


NOTATION = (
    "a plan: -1 stays, 0 to 7 move, 8 to 15 dig, 16 to 23 plug; 0, 8 and 16 down, the next ones clockwise"
    " in eighths; samurai take even ones, dogs move only"
)


FIRST_DIG, FIRST_PLUG, PLANS = 8, 16, 24


SAMURAI = (0, 1)
"""The seats of the samurai; the other two are dogs."""


LARGEST_PLAN = (1 << 31) - 1
"""The greatest plan: agents read 32-bit numbers."""


class Reason(Enum):
    """The reason why a plan failed.

    INVALID plans are not allowed for the agent; all others are inoperable.
    """

    INVALID = "invalid"
    OUTSIDE = "outside the field"
    OCCUPIED = "an agent is there"
    HOLE = "a hole is there"
    SOLID = "no hole is there"
    CROWDED = "several move there"
    ENTERED = "an agent moves there"


_SAMURAI_PLANS = frozenset((STAY, *range(0, PLANS, 2)))
_DOG_PLANS = frozenset(range(STAY, FIRST_DIG))
VALID = (_SAMURAI_PLANS, _SAMURAI_PLANS, _DOG_PLANS, _DOG_PLANS)
"""The valid plans of each seat's agent."""


def is_valid(seat: int, plan: int) -> bool:
    """Return whether a number is a valid plan of the agent in `seat`."""
    return plan in VALID[seat]


def verb(plan: int) -> str:
    """Return the verb of a plan.

    >>> [verb(plan) for plan in (-1, 7, 8, 16)]
    ['stay', 'move', 'dig', 'plug']
    """
    if plan <= STAY:
        return "stay"
    return "move" if plan < FIRST_DIG else "dig" if plan < FIRST_PLUG else "plug"


def target(cell: Cell, plan: int) -> Cell:
    """Return the cell at which a plan of an agent in `cell` is directed."""
    if plan <= STAY:
        return cell
    dx, dy = DIRECTIONS[plan % 8]
    return Cell(cell.x + dx, cell.y + dy)


def explain(reason: Reason | None, seat: int, plan: int, agents: Sequence[Cell]) -> str:
    """Explain in one line why a plan failed; "" for a plan that was carried out.

    Args:
        agents: The agents' cells before the step.

    >>> explain(Reason.HOLE, 2, 0, (Cell(0, 0), Cell(9, 9), Cell(3, 4), Cell(5, 5)))
    'cannot move to (3,5): a hole is there'
    """
    if reason is None:
        return ""
    if reason is Reason.INVALID:
        return f"{plan} is no plan of a {'samurai' if seat in SAMURAI else 'dog'}"
    cell = target(agents[seat], plan)
    cause = f"agent {agents.index(cell)} is there" if reason is Reason.OCCUPIED else reason.value
    to = " to" if plan < FIRST_DIG else ""
    return f"cannot {verb(plan)}{to} {cell}: {cause}"


def parse_plan(text: str) -> int:
    """Parse a plan: an integer of at most ten digits. Raises ValueError.

    >>> parse_plan("-1"), parse_plan("22")
    (-1, 22)
    """
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= len(str(LARGEST_PLAN))):
        raise ValueError(f"no plan: {quote(text)}, expected a whole number")
    return int(text)


Target: TypeAlias = tuple[Cell, int] | None
"""The target cell of a plan with its bit; None for plan -1 and for one that fails whatever the others do."""


_LIMITS = (PLANS, PLANS, FIRST_DIG, FIRST_DIG)


class Resolution(NamedTuple):
    """The results of a step: three lists with an item for each agent, by seat.

    Attributes:
        actions: The plan that the agent carried out; -1 if it stayed, because its plan was -1 or failed.
        targets: The cell at which the agent's own plan was directed, and the cell's bit (`Places.bit`). None
            for -1, and for a plan that failed whatever the other plans were. A plan that failed only because
            of other agents' plans has a target.
        reasons: The reason why the agent's own plan failed; None if it was carried out or is -1.
    """

    actions: list[int]
    targets: list[Target]
    reasons: list[Reason | None]


def resolve(places: Places, agents: Sequence[Cell], hole_bits: int, plans: Sequence[int]) -> Resolution:
    """Determine the results of the four plans of a step.

    Args:
        agents: The agents' cells before the step.
        hole_bits: The set of holes, as bits of `Places`.
        plans: The plans by seat. Any number is allowed: invalid ones fail.
    """
    from_ = [places[cell] for cell in agents]
    occupied = from_[0][0] | from_[1][0] | from_[2][0] | from_[3][0]
    targets: list[Target] = [None, None, None, None]
    reasons: list[Reason | None] = [None, None, None, None]
    actions = [STAY, STAY, STAY, STAY]
    entered = crowded = 0  # cells that one or more, or two or more, move to
    dug = 0  # cells where somebody digs or plugs
    for seat, plan in enumerate(plans):
        if plan == STAY:
            continue
        if not 0 <= plan < _LIMITS[seat] or (plan & 1 and seat < 2):
            reasons[seat] = Reason.INVALID
            continue
        target = from_[seat][2][plan & 7]
        if target is None:
            reasons[seat] = Reason.OUTSIDE
            continue
        bit = target[1]
        if bit & occupied:
            reasons[seat] = Reason.OCCUPIED
        elif plan < FIRST_PLUG:
            if bit & hole_bits:
                reasons[seat] = Reason.HOLE
                continue
            targets[seat], actions[seat] = target, plan
            if plan < FIRST_DIG:
                crowded |= entered & bit
                entered |= bit
            else:
                dug |= bit
        elif bit & hole_bits:
            targets[seat], actions[seat] = target, plan
            dug |= bit
        else:
            reasons[seat] = Reason.SOLID
    if crowded or entered & dug:
        for seat, target in enumerate(targets):
            if target is None:
                continue
            if actions[seat] < FIRST_DIG:
                reason = Reason.CROWDED if target[1] & crowded else None
            else:
                reason = Reason.ENTERED if target[1] & entered & ~crowded else None
            if reason is not None:
                actions[seat], reasons[seat] = STAY, reason
    return Resolution(actions, targets, reasons)
