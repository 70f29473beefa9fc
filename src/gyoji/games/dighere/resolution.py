"""What becomes of the plans of one step: the decision table, without its effects on the field."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from gyoji.games.dighere.cells import Cell, Places
from gyoji.games.dighere.plans import FIRST_DIG, FIRST_PLUG, PLANS, STAY, Reason

Target: TypeAlias = tuple[Cell, int] | None
"""The cell that a plan is about, with its bit; None for a plan that came to nothing by itself."""

_LIMITS = (PLANS, PLANS, FIRST_DIG, FIRST_DIG)


class Resolution(NamedTuple):
    """By seat: what is done; what plans that stood by themselves were about; why a plan came to nothing.

    A reason is None for a plan that is carried out, and for -1.
    """

    actions: list[int]
    targets: list[Target]
    reasons: list[Reason | None]


def resolve(places: Places, agents: Sequence[Cell], hole_bits: int, plans: Sequence[int]) -> Resolution:
    """What becomes of four plans. agents: before the step; plans: any numbers."""
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
