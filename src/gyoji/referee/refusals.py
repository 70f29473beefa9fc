"""Who loses when an engine refuses a move that the rules of the game allow."""

from typing import Any

from gyoji.core.messages import RejectedMove, Turn
from gyoji.core.outcome import Ending
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.referee.seat_state import SeatState


def ruling_on(
    reply: RejectedMove, state: SeatState, last: Turn, *, spec: GameSpec, rules: Any
) -> tuple[int, Ending, str]:
    """(who loses, as what, why) where `state` refuses the last turn: by the rules it does, who refuses it.

    Where the rules do not decide, what is called illegal is held against who made it.
    """
    others = [(seat, move) for seat, move in last if seat != state.seat]
    if not reply.as_illegal or len(others) != 1:
        return state.seat, Ending.REJECTION, printable(reply.text)
    ((seat, move),) = others
    is_believed = spec.refused_moves == "mover"
    if spec.refused_moves == "ruleset":
        is_believed = not getattr(rules, "is_ruled", True)
    name = rules.format(move)
    if is_believed:
        return seat, Ending.ILLEGAL_MOVE, f"{state.player.code} says that {name} is illegal"
    return state.seat, Ending.REJECTION, f"{name} is legal, but {printable(reply.text)}"
