"""One step of Dig Here: which plans are carried out, and what they do to the ground.

Holes and treasure are in the order in which agents are told of them: what is new comes last. What is dug out
or plugged is replaced by the last of its list; a treasure that is barked at leaves the others as they are. A
field that the rules exclude may have several holes or treasures in a cell: the first one counts.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from gyoji.games.dighere.fields import Treasure
from gyoji.games.dighere.plans import FIRST_DIG, FIRST_PLUG, PLANS, STAY, Cell, Places, Reason
from gyoji.games.dighere.position import Position

T = TypeVar("T")


class Ground:
    """Holes, treasure and scores of a position, to be changed. See `Position` and `Public` for the fields."""

    __slots__ = ("buried", "hidden", "hidden_bits", "hole_bits", "holes", "known", "scores")

    def __init__(self, position: Position) -> None:
        public = position.public
        self.holes = public.holes
        self.known = public.known
        self.hidden = position.hidden
        self.scores = public.scores
        self.buried = public.buried
        self.hole_bits = position.hole_bits
        self.hidden_bits = position.hidden_bits

    def dig(self, cell: Cell, bit: int, team: int, *, is_shared: bool) -> None:
        """A samurai of `team` digs; is_shared: so does the other one, in the same cell."""
        found: Treasure | None = None
        if (index := _find(self.known, cell)) >= 0:
            found, self.known = self.known[index], _without(self.known, index)
        elif bit & self.hidden_bits:
            index = _find(self.hidden, cell)
            found, self.hidden = self.hidden[index], _without(self.hidden, index)
            self._forget(cell, bit)
        if found is not None:
            self.buried -= found.amount
            self._credit(found.amount, team, is_shared=is_shared)
        if not bit & self.hole_bits:
            self.holes += (cell,)
            self.hole_bits |= bit

    def _credit(self, amount: int, team: int, *, is_shared: bool) -> None:
        first, second = self.scores
        if is_shared:
            self.scores = first + amount // 2, second + amount // 2
        else:
            self.scores = (first, second + amount) if team else (first + amount, second)

    def plug(self, cell: Cell, bit: int) -> None:
        """A samurai plugs a hole, unless the other one has just done so."""
        if bit & self.hole_bits:
            self.holes = _without(self.holes, self.holes.index(cell))
            if cell not in self.holes:
                self.hole_bits ^= bit

    def bark(self, cell: Cell, bit: int) -> None:
        """A dog steps into a cell with hidden treasure."""
        index = _find(self.hidden, cell)
        self.known += (self.hidden[index],)
        self.hidden = self.hidden[:index] + self.hidden[index + 1 :]
        self._forget(cell, bit)

    def _forget(self, cell: Cell, bit: int) -> None:
        """A hidden treasure is no longer in its cell."""
        if _find(self.hidden, cell) < 0:
            self.hidden_bits ^= bit


def _find(treasures: Sequence[Treasure], cell: Cell) -> int:
    """The index of the first treasure in a cell, -1 if there is none."""
    return next((index for index, each in enumerate(treasures) if each[:2] == cell), -1)


def _without(items: tuple[T, ...], index: int) -> tuple[T, ...]:
    """The items without one, whose place the last one takes.

    >>> _without((1, 2, 3, 4), 1), _without((1, 2), 1)
    ((1, 4, 3), (1,))
    """
    *others, last = items
    if index < len(others):
        others[index] = last
    return tuple(others)


Target: TypeAlias = tuple[Cell, int] | None
"""The cell that a plan is about, with its bit; None for a plan that came to nothing by itself."""

_LIMITS = (PLANS, PLANS, FIRST_DIG, FIRST_DIG)


class Resolution(NamedTuple):
    """By seat: the action done; the target of a plan that is valid by itself; the reason why a plan failed.

    A reason is None for a plan that is carried out, and for -1.
    """

    actions: list[int]
    targets: list[Target]
    reasons: list[Reason | None]


def resolve(places: Places, agents: Sequence[Cell], hole_bits: int, plans: Sequence[int]) -> Resolution:
    """Resolve four plans. agents: their cells before the step; plans: any numbers."""
    from_ = [places[cell] for cell in agents]
    occupied = from_[0][0] | from_[1][0] | from_[2][0] | from_[3][0]
    targets: list[Target] = [None, None, None, None]
    reasons: list[Reason | None] = [None, None, None, None]
    entered = crowded = 0  # cells that one or more, or two or more, move to
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
            targets[seat] = target
            if plan < FIRST_DIG:
                crowded |= entered & bit
                entered |= bit
        elif bit & hole_bits:
            targets[seat] = target
        else:
            reasons[seat] = Reason.SOLID
    actions = [STAY, STAY, STAY, STAY]
    for seat, target in enumerate(targets):
        if target is None:
            continue
        plan, bit = plans[seat], target[1]
        if not bit & entered:
            actions[seat] = plan
        elif bit & crowded:
            if plan < FIRST_DIG:
                reasons[seat] = Reason.CROWDED
            else:
                actions[seat] = plan
        elif plan < FIRST_DIG:
            actions[seat] = plan
        else:
            reasons[seat] = Reason.ENTERED
    return Resolution(actions, targets, reasons)
