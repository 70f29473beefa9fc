"""Losses on time and refused moves: which seat is at fault, and what excuses lateness.

A seat is charged the time until its answer, whatever else ran on the machine. The only excuse is that the
whole machine stood still. The referee then waits that much longer. If the answer comes in this extension, the
game is void, and if not, the seat loses. If much of the charged time was not the engine's own, the reason of
the loss says so.
"""

# A busy machine is no excuse: otherwise no rule could say which losses on time count
# (docs/explanation/clocks.md). A machine that stood still, for example because its hypervisor stopped it, is
# one: `gyoji.play.monitor` measures that. An engine that ran meanwhile, or that filled the memory itself, is
# not excused.

from collections import Counter
from collections.abc import Iterator, Sequence

from gyoji.core.clocks import Meter
from gyoji.core.faults import Breakdown, FaultKind
from gyoji.core.messages import Move, RejectedMove, Turn
from gyoji.core.outcome import Ending
from gyoji.core.ports import AnyRules, HasAgreedRules, supports
from gyoji.core.record import GameRecord, Timing
from gyoji.core.spec import GameSpec
from gyoji.core.text import describe_silence, format_duration, printable, seconds_apart
from gyoji.referee.seat_state import SeatState, Stage, look_again

_WORTH_TELLING = 100  # times below a hundredth of the whole, or below a millisecond, are not mentioned
_MS = 1_000_000


def remaining_time(state: SeatState, turn: int, used: int, waited: int) -> int:
    """Return the ns until a thinking seat runs out of time; 0 if it has.

    On a clock of CPU time, return the ns until the CPU time should be read again.

    Args:
        turn: Number of the present turn.
        used: ns on the seat's meter (wall or CPU time) since the request.
        waited: ns of wall time since the request.
    """
    allowed = _allowed(state)
    if state.stage is not Stage.THINKING or _has_overspent(state, used):
        return 0
    if state.control.meter is Meter.WALL:
        left = state.player.budgets.move - waited
        return max(left if allowed is None else min(left, allowed - used), 0)
    left = state.player.budgets.move - state.idle(turn, used, waited)
    if left <= 0:
        return 0
    return look_again(left if allowed is None else min(left, allowed - used))


def _allowed(state: SeatState) -> int | None:
    """Return the ns, network delay included, after which an answer is too late. None means no limit."""
    allowed = state.control.allowance(state.clock)
    return None if allowed is None else allowed + state.lag


def _has_overspent(state: SeatState, used: int) -> bool:
    allowed = _allowed(state)
    return allowed is not None and used >= max(allowed, 1)  # a seat that has used nothing has time left


def overspent(state: SeatState, used: int) -> tuple[str, int | None]:
    """Return (reason for the loss of a seat that exceeded its time, ns of wall time in excess).

    The excess is None on a clock of CPU time.

    Args:
        used: ns on the seat's meter (wall or CPU time) since the request.
    """
    allowed = state.control.allowance(state.clock) or 0
    spent, left = seconds_apart(used, state.left)
    over = used - allowed if state.control.meter is Meter.WALL else None
    return f"used {spent} with {left} left", over


def silent(state: SeatState, used: int, waited: int, *, deaf: bool) -> tuple[FaultKind, str, int | None]:
    """Return (kind of fault, reason, ns of lateness) for a seat that did not answer in time.

    Args:
        used: ns on the seat's meter (wall or CPU time) since the request.
        waited: ns of wall time since the request.
        deaf: Whether its engine has not even read the whole request.
    """
    if state.stage is Stage.THINKING:
        if _has_overspent(state, used):
            return FaultKind.TIME, *overspent(state, used)
        if state.control.meter is not Meter.WALL:
            stuck = f"used no {state.control.meter} time for {format_duration(state.player.budgets.move)}"
            return FaultKind.SILENT, f"stuck: {stuck}", None
    kind, limit = FaultKind.DEAF if deaf else FaultKind.SILENT, state.player.budgets.move
    if state.stage is Stage.PREPARING:
        limit = state.startup_patience
        kind = FaultKind.TIME if limit < state.player.budgets.startup else kind
    return kind, describe_silence(waited, deaf=deaf), waited - limit


def stall_credit(state: SeatState, over: int | None, timing: Timing | None) -> int:
    """Return the ns by which to extend a late seat's deadline because the machine stood still; 0 for no
    extension.

    Args:
        over: ns of lateness; None on a clock of CPU time.
        timing: How the time since the request was spent; None if unknown.
    """
    if timing is None or over is None or state.stage not in (Stage.THINKING, Stage.PREPARING):
        return 0
    return max(timing.stalled - over + 1, 0) if timing.stalled else 0


def fault_text(state: SeatState, text: str, over: int | None, timing: Timing | None) -> str:
    """Return the reason for a late seat's loss: `text`, and how much of the time was not the engine's own.

    Args:
        over: ns of lateness; None on a clock of CPU time.
        timing: How the time since the request was spent; None if unknown.

    Raises:
        Breakdown: The seat would have been in time if the machine had not stood still.
    """
    if timing is None or over is None:
        return text
    stood = _told(timing.stalled)
    if stall_credit(state, over, timing):
        raise Breakdown(f"the machine stood still for {stood} while {state.name} was asked; it {text}")
    parts, least = [], max(_MS, timing.wall // _WORTH_TELLING)
    if (timing.delayed or 0) >= least:
        parts.append(f"waited {_told(timing.delayed)} for a processor")
    if timing.unread >= least:
        parts.append(f"was not heard for up to {_told(timing.unread)}")
    if parts:
        text += f"; of that it {' and '.join(parts)}"
    return f"{text}; the machine stood still for {stood}" if timing.stalled else text


def lag_flaws(states: Sequence[SeatState], record: GameRecord) -> Iterator[tuple[int, str, str]]:
    """Check the network delays credited in a record. Yield (turn, got, expected) for each invalid one.

    Each answer may be credited once, by at most the `lag` of its seat. Only human and remote players are
    credited.
    """
    extra = Counter((each.turn, each.seat) for each in record.extra_time)
    for (turn, seat), number in Counter((lag.turn, lag.seat) for lag in record.lags).items():
        is_there = 0 <= seat < len(states) and 0 <= turn <= len(record.turns)
        if not (is_there and number <= extra[turn, seat] + 1) and not record.taken_back:
            yield turn, f"{number} answers of seat {seat}", "those that there were"
    for lag in record.lags:
        most = states[lag.seat].lag if 0 <= lag.seat < len(states) else 0
        if not 0 < lag.ns <= most:
            yield lag.turn, f"{lag.ns} ns", f"{most} ns at most"


def _told(ns: int | None) -> str:
    return format_duration((ns or 0) // _MS * _MS)


def ruling_on(
    reply: RejectedMove, state: SeatState, last: Turn[Move], *, spec: GameSpec, rules: AnyRules
) -> tuple[int, Ending, str]:
    """Return (losing seat, ending, reason) after a seat refused the last turn.

    The refusing seat loses, with one exception: if it called a move illegal, and the turn has only one move
    of another seat, `GameSpec.refused_moves` decides.

    Args:
        reply: The refusal.
        state: The refusing seat.
        last: The last turn.
    """
    others = [(seat, move) for seat, move in last if seat != state.seat]
    if not reply.as_illegal or len(others) != 1:
        return state.seat, Ending.REJECTION, printable(reply.text)
    ((seat, move),) = others
    is_believed = spec.refused_moves == "mover"
    if spec.refused_moves == "ruleset":
        is_believed = supports(rules, HasAgreedRules) and not rules.rules_agreed
    name = rules.format(move)
    if is_believed:
        return seat, Ending.ILLEGAL_MOVE, f"{state.player.code} says that {name} is illegal"
    return state.seat, Ending.REJECTION, f"{name} is legal, but {printable(reply.text)}"
