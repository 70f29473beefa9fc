"""Count the faults in the principal variations that engines sent during a game.

The variations are checked when the game is over and no clock runs, because a check costs as much as
refereeing the moves.
"""

from collections.abc import Iterable, Sequence

from gyoji.core.messages import Move, Turn
from gyoji.core.ports import AnyRules, ChecksVariations, supports
from gyoji.core.record import Opinion, VariationFlaws


def variation_flaws(
    rules: AnyRules, positions: Sequence[object], turns: Sequence[Turn[Move]], opinions: Iterable[Opinion]
) -> dict[int, tuple[VariationFlaws, ...]]:
    """Return summaries of the faults in each seat's variations, by seat: one for each kind of fault.

    Seats without faults are left out. The result is empty if the rules cannot check variations.

    Args:
        positions: The position after each turn.
        opinions: Evaluations in the order of the turns. Those of unplayed turns are ignored.
    """
    found: dict[int, dict[str, VariationFlaws]] = {}
    check = rules.variation_flaws if supports(rules, ChecksVariations) else None
    if check is None:
        return {}
    for turn, seat, said, _ in opinions:
        if not said.pv or turn >= len(turns):
            continue
        before = positions[turn - 1] if turn else rules.start()
        move = next((move for each, move in turns[turn] if each == seat), None)
        for kind, where in check(before, move, said, positions[turn]):
            kinds = found.setdefault(seat, {})
            known = kinds.get(kind, VariationFlaws(kind, 0, turn, where))
            kinds[kind] = known._replace(number=known.number + 1)
    return {seat: tuple(kinds.values()) for seat, kinds in found.items()}
