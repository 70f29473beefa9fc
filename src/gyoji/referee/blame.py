"""Who pays when a seat is late or refuses a move, and when it has not lost by that.

A seat that loses on time loses by the time its engine had, whoever shared the machine with it. One thing is
not held against it: that the machine stood still. Who is silent then has as much time again; an answer within
it makes the game void. Where a good part of the time was not the engine's own, the reason says so."""

from collections import Counter
from collections.abc import Iterator, Sequence

from gyoji.core.clocks import Meter
from gyoji.core.faults import Breakdown, FaultKind
from gyoji.core.messages import Move, RejectedMove, Turn
from gyoji.core.outcome import Ending
from gyoji.core.ports import AnyRules, MayBeUnruled, offers
from gyoji.core.record import GameRecord, Timing
from gyoji.core.spec import GameSpec
from gyoji.core.text import describe_silence, format_duration, printable, seconds_apart
from gyoji.referee.seat_state import SeatState, Stage, look_again

_WORTH_TELLING = 100  # a part of the time that is as large as one in so many, and at least a millisecond
_MS = 1_000_000


def still_owed(state: SeatState, turn: int, used: int, waited: int) -> int:
    """ns that a seat that thinks in that turn has left, or until the next look at it; 0 if it is too late."""
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
    """ns after which no answer can be in time, whatever the network has taken of it; None: any can."""
    allowed = state.control.allowance(state.clock)
    return None if allowed is None else allowed + state.lag


def _has_overspent(state: SeatState, used: int) -> bool:
    allowed = _allowed(state)
    return allowed is not None and used >= max(allowed, 1)  # who has used nothing has time left


def overspent(state: SeatState, used: int) -> tuple[str, int | None]:
    """(what is said of who used more than it had; by how many ns of the wall's time it did, None if its clock
    is of CPU time)."""
    allowed = state.control.allowance(state.clock) or 0
    spent, left = seconds_apart(used, state.left)
    over = used - allowed if state.control.meter is Meter.WALL else None
    return f"used {spent} with {left} left", over


def silent(state: SeatState, used: int, waited: int, *, deaf: bool) -> tuple[FaultKind, str, int | None]:
    """(kind of fault, what is said, ns too late) of a seat that gave no answer in the `waited` ns it had."""
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


def owed(state: SeatState, over: int | None, timing: Timing | None) -> int:
    """ns that a seat, `over` ns late, has left all the same: the machine stood still for longer. Else 0."""
    if timing is None or over is None or state.stage not in (Stage.THINKING, Stage.PREPARING):
        return 0
    return max(timing.stalled - over + 1, 0) if timing.stalled else 0


def held_against(state: SeatState, text: str, over: int | None, timing: Timing | None) -> str:
    """Why a seat that is `over` ns late has lost: `text`, and which of the time was not its own doing.

    Raises Breakdown if it would have been in time but for a machine that stood still.
    """
    if timing is None or over is None:
        return text
    stood = _told(timing.stalled)
    if owed(state, over, timing):
        raise Breakdown(f"the machine stood still for {stood} while {state.name} was asked; it {text}")
    parts = []
    if _is_worth_telling(timing.delayed, timing.wall):
        parts.append(f"waited {_told(timing.delayed)} for a processor")
    if _is_worth_telling(timing.unread, timing.wall):
        parts.append(f"was not heard for up to {_told(timing.unread)}")
    if parts:
        text += f"; of that it {' and '.join(parts)}"
    return f"{text}; the machine stood still for {stood}" if timing.stalled else text


def lag_flaws(states: Sequence[SeatState], record: GameRecord) -> Iterator[tuple[int, str, str]]:
    """(Turn, got, expected) where more was credited for the network than may be: to persons alone, and up to
    their `lag` for each answer that there was."""
    asides = Counter((each.turn, each.seat) for each in record.aside)
    for (turn, seat), number in Counter((lag.turn, lag.seat) for lag in record.lags).items():
        is_there = 0 <= seat < len(states) and 0 <= turn <= len(record.turns)
        if not (is_there and number <= asides[turn, seat] + 1) and not record.taken_back:
            yield turn, f"{number} answers of seat {seat}", "those that there were"
    for lag in record.lags:
        most = states[lag.seat].lag if 0 <= lag.seat < len(states) else 0
        if not 0 < lag.ns <= most:
            yield lag.turn, f"{lag.ns} ns", f"{most} ns at most"


def _is_worth_telling(ns: int | None, wall: int) -> bool:
    return ns is not None and ns >= max(_MS, wall // _WORTH_TELLING)


def _told(ns: int | None) -> str:
    return format_duration((ns or 0) // _MS * _MS)


def ruling_on(
    reply: RejectedMove, state: SeatState, last: Turn[Move], *, spec: GameSpec, rules: AnyRules
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
        is_believed = offers(rules, MayBeUnruled) and not rules.is_ruled
    name = rules.format(move)
    if is_believed:
        return seat, Ending.ILLEGAL_MOVE, f"{state.player.code} says that {name} is illegal"
    return state.seat, Ending.REJECTION, f"{name} is legal, but {printable(reply.text)}"
