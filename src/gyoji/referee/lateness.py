"""What is said of a seat that is too late, and when it has not lost by that.

A seat that loses on time loses by the time its engine had, whoever shared the machine with it. Two things are
not held against it: that the machine stood still, which makes the game void; and nothing at all in silence:
where a good part of the time was not the engine's own, the reason says so.
"""

from gyoji.core.clocks import Meter
from gyoji.core.faults import Breakdown
from gyoji.core.record import Timing
from gyoji.core.text import format_duration, seconds_apart
from gyoji.referee.chair import Chair, Stage, look_again

_WORTH_TELLING = 100  # a part of the time that is as large as one in so many, and at least a millisecond
_MS = 1_000_000


def look_at(chair: Chair, turn: int, used: int, waited: int) -> tuple[str, int]:
    """A seat that is thinking in that turn has CPU time left: it is stuck and uses none, or goes on.

    (What is said of it then, "" if it goes on; ns until the next look at it).
    """
    budget, idle = chair.player.budgets.move, chair.idle(turn, used, waited)
    if idle >= budget:
        return f"stuck: used no {chair.control.meter} time for {format_duration(budget)}", 0
    allowed = chair.control.allowance(chair.clock)
    return "", look_again(budget - idle if allowed is None else min(budget - idle, allowed - used))


def overspent(chair: Chair, used: int) -> tuple[str, int | None]:
    """(what is said of who used more than it had; by how many ns of the wall's time it did, None if its clock
    is of CPU time)."""
    allowed = chair.control.allowance(chair.clock) or 0
    spent, left = seconds_apart(used, chair.left)
    over = used - allowed if chair.control.meter is Meter.WALL else None
    return f"used {spent} with {left} left", over


def held_against(chair: Chair, text: str, over: int | None, timing: Timing | None) -> str:
    """What a seat has lost by that is `over` ns late: `text`, and what was not its own doing.

    Raises Breakdown if it would have been in time but for a machine that stood still.
    """
    if timing is None or over is None:
        return text
    if timing.stalled >= over and timing.stalled and chair.stage in (Stage.THINKING, Stage.PREPARING):
        stood = _told(timing.stalled)
        raise Breakdown(f"the machine stood still for {stood} while {chair.name} was asked; it {text}")
    parts = []
    if _is_worth_telling(timing.delayed, timing.wall):
        parts.append(f"waited {_told(timing.delayed)} for a processor")
    if _is_worth_telling(timing.unread, timing.wall):
        parts.append(f"was not heard for up to {_told(timing.unread)}")
    return f"{text}; of that it {' and '.join(parts)}" if parts else text


def _is_worth_telling(ns: int | None, wall: int) -> bool:
    return ns is not None and ns >= max(_MS, wall // _WORTH_TELLING)


def _told(ns: int | None) -> str:
    return format_duration((ns or 0) // _MS * _MS)
