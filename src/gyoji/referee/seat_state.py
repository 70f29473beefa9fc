"""The state of one seat during a game, and the actions that the referee returns."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.clocks import Clock, Meter, TimeControl, pass_on
from gyoji.core.messages import NewGame, Ready, Request, Scored
from gyoji.core.ports import AnyRules, HasRoles, supports
from gyoji.core.spec import GameSpec

_OFTEN = 100_000_000
_SELDOM = 2_000_000
_THREADS = 16


# No timer can wait for CPU time, and with n threads it may pass n times as fast as wall time. So it is
# sampled.
def look_again(left: int) -> int:
    """Return the time in ns after which to read the CPU time of a thinking engine again, from 2 to 100 ms.

    Args:
        left: ns of CPU time that the engine may still use.
    """
    return max(_SELDOM, min(_OFTEN, left // _THREADS))


class Stage(Enum):
    """The request that a seat is answering. The value begins a message about a failure in that stage."""

    PREPARING = "at start-up: "
    IDLE = "while it was not its turn: "
    THINKING = ""
    HEARING = "after the last move: "
    APPRAISING = "when asked for the score: "
    CONSENTING = "when asked to agree: "
    HINTING = "when asked for a hint: "
    CHOOSING = "when asked for another's move: "
    SETTLING = "when asked which stones are dead: "
    PARTING = "when told to quit: "
    GONE = "afterwards: "


class SeatState:
    """The state of one seat: its player, its clock, its stage, and the time it has used.

    Attributes:
        role: Role of the seat in its team; "" for teams of one.
        turns_known: Number of turns that the seat has been sent.
        lag: Maximum network delay, in ns, credited for an answer.
        lagged: Network delay, in ns, that was reported for the next answer.
        last: Number of the turn that the seat's last answer became; None if it did not become a move.
        taken_back: Number of turns that the seat knew, that were taken back, and that it has not been told to
            undo yet.
        patience: ns to wait for its next move.
        startup: ns that its engine took to get ready.
        stir: (turn, ns used, ns waited) when the engine was last seen to use CPU time, on a clock of CPU
            time.
        changed: Its new time limits if they have not been sent to it yet, else None.
        thought: ns that it took to suggest a move in the present turn.
        notice: Line to show a human player with the next question for a move.
        tries: Number of further illegal answers to the present request that the engine may give without
            losing.
        illegal_tries: Number of its illegal answers in the whole game after which it was asked again.
        opinion: Its opinion of the score.
        dead: Stones that it calls dead; None if it has not answered.
        cpu_ns: CPU time that the engine reports itself; None if it reports none.
        complaint: (stage, turn, text) of the last problem that it reported, which may explain a missing
            answer.
    """

    def __init__(self, seat: int, spec: GameSpec, role: str = "") -> None:
        self.seat = seat
        self.role = role
        self.player = spec.players[seat]
        self.control: TimeControl = self.player.clock or spec.clock
        self.clock: Clock = self.control.start()
        self.is_timed = not self.control.is_unlimited
        self.stage = Stage.PREPARING
        self.turns_known = self.taken_back = self.lagged = 0
        self.think = self.slowest = self.startup = 0
        self.ready = Ready()
        self.opinion = Scored()
        self.dead: tuple[str, ...] | None = None
        self.cpu_ns: int | None = None
        self.complaint = (Stage.GONE, 0, "")
        self.lag = spec.lag if self.player.is_elsewhere else 0
        self.last: int | None = None
        self.stir = (-1, 0, 0)
        self.changed: TimeControl | None = None
        self.thought = 0
        self.notice = ""
        self.tries = spec.illegal_tries
        self.illegal_tries = 0
        self.patience = self._patience(self.control.allowance(self.clock))

    @property
    def name(self) -> str:
        """The player's code for messages, with the seat's role in its team if it has one."""
        return f"{self.player.code} ({self.role})" if self.role else self.player.code

    def get_ready(self, rules: AnyRules, position: object, controls: tuple[TimeControl, ...]) -> "Send":
        """Return the first request to the seat, which prepares its engine for the game.

        Args:
            controls: The time controls of all seats.
        """
        view = rules.view(position, self.seat)
        request = NewGame(self.seat, rules, view, self.control, self.player, controls)
        return Send(self.seat, request, self.startup_patience)

    def seat_ready(self, ready: Ready, used: int) -> None:
        """Start the clock of an engine that got ready in `used` ns."""
        self.stage, self.ready, self.startup = Stage.IDLE, ready, used
        self.clock = self.control.start(used)
        self.patience = self._patience(self.control.allowance(self.clock))

    @property
    def startup_patience(self) -> int:
        """The ns to wait for `Ready`: the start-up budget. If main time runs from the start, at most main
        time with its margin.
        """
        budget, allowed = self.player.budgets.startup, self.control.allowance(self.clock)
        is_charged = self.control.from_start and self.control.main and allowed is not None
        return min(budget, self.control.main + self.control.margin) if is_charged else budget

    def is_late(self, used: int) -> bool:
        """Return whether `used` ns exceed the time left on the clock."""
        allowed = self.control.allowance(self.clock)
        return allowed is not None and used > allowed

    def charge(self, used: int) -> bool:
        """Charge `used` ns for an answer. Return False if the clock did not have that much."""
        self.think += used
        if used > self.slowest:  # noqa: PLR1730  (a call to max costs more than all the rest)
            self.slowest = used
        if self.is_timed:
            charged = self.control.charge(self.clock, used)
            if charged is None:
                return False
            self.clock, allowed = charged
            self.patience = self._patience(allowed)
        return True

    def receive(self, clock: Clock) -> None:
        """Replace the clock, after another seat's hourglass added time to it."""
        self.clock = clock
        self.patience = self._patience(self.control.allowance(clock))

    def limit_moves(self, ns: int) -> None:
        """Limit each further move to `ns`, or remove the limit if it is 0. The time left stays the same."""
        self.control = self.changed = replace(self.control, move=ns)
        self.is_timed = not self.control.is_unlimited
        self.patience = self._patience(self.control.allowance(self.clock))

    def credit(self, used: int) -> int:
        """Return the ns of network delay to credit for an answer that took `used` ns."""
        credited, self.lagged = min(self.lagged, self.lag, used), 0
        return credited

    @property
    def left(self) -> int:
        """The ns on the clock without the margin; 0 after overspending or without a clock."""
        allowed = (self.control.allowance(self.clock) or 0) - self.control.margin
        return max(allowed, 0)

    def forget(self, turns: int) -> None:
        """Update which turns the seat knows, after all but the first `turns` turns were taken back."""
        known = self.turns_known if self.last is None else max(self.turns_known, self.last + 1)
        self.taken_back += max(known - turns, 0)
        self.turns_known, self.last = min(self.turns_known, turns), None

    def told_taken_back(self) -> int:
        """Return the number of turns that the next request tells the seat to undo, and reset it to 0."""
        told, self.taken_back = self.taken_back, 0
        return told

    def idle(self, turn: int, used: int, waited: int) -> int:
        """Return the ns of wall time since the thinking engine was last seen to use CPU time.

        Args:
            turn: Number of the present turn.
            used: ns of CPU time used since the request.
            waited: ns of wall time since the request.
        """
        last, before, since = self.stir
        if last != turn or used > before:
            self.stir = (turn, used, waited)
            since = waited
        return waited - since

    def _patience(self, allowed: int | None) -> int:
        """Return the ns to wait for a move, if the clock allows `allowed` ns."""
        limit = self.player.budgets.move
        if allowed is not None and allowed < limit:
            limit = allowed + self.lag if allowed >= 0 else allowed
        return limit if self.control.meter is Meter.WALL else look_again(limit)


# A separate class, so that other games do not pay for it.
class HourglassSeat(SeatState):
    """A seat of a game with an hourglass clock: the time that it uses is added to the other seats' clocks.

    Attributes:
        table: The states of all seats, in seat order. `seat_states` sets it.
    """

    table: Sequence[SeatState]

    def charge(self, used: int) -> bool:
        """Charge `used` ns as `SeatState.charge` does, and add them to the other seats' clocks."""
        if not super().charge(used):
            return False
        controls = [each.control for each in self.table]
        clocks = pass_on(controls, [each.clock for each in self.table], self.seat, used)
        for each, clock in zip(self.table, clocks, strict=True):
            each.receive(clock)
        return True


def seat_states(spec: GameSpec, rules: AnyRules) -> list[SeatState]:
    """Return a new `SeatState` for each seat of a game, in seat order."""
    roles = rules.roles if supports(rules, HasRoles) else ("",) * rules.seats
    has_hourglass = any((player.clock or spec.clock).hourglass for player in spec.players)
    if not has_hourglass:
        return [SeatState(seat, spec, roles[seat]) for seat in range(rules.seats)]
    states = [HourglassSeat(seat, spec, roles[seat]) for seat in range(rules.seats)]
    for state in states:
        state.table = states
    return list(states)


class Send(Struct, frozen=True):
    """Send `request` to the engine of `seat`, and call `Referee.expired` if no reply ends it within
    `patience` ns.
    """

    seat: int
    request: Request
    patience: int


class Wait(Struct, frozen=True):
    """Go on waiting for the engine of `seat`, and call `Referee.expired` again after `patience` ns."""

    seat: int
    patience: int


class Dismiss(Struct, frozen=True):
    """End the engine of `seat`.

    Attributes:
        kindly: Whether the engine was told to quit and may take its time to close.
        keep: Whether the engine goes on running, for another game.
    """

    seat: int
    kindly: bool
    keep: bool = False


class Ponder(Struct, frozen=True):
    """Let the engine of `seat` think on the opponent's time (`Ponders`). Its codec gets the clocks."""

    seat: int
    clock: Clock
    clocks: tuple[Clock, ...]


class Consult(Struct, frozen=True):
    """Send the umpire a line and call `Referee.ruled` with its answer."""

    line: str


Action: TypeAlias = Send | Wait | Dismiss | Ponder | Consult


class Closing(NamedTuple):
    """How an engine ended.

    Attributes:
        status: How its process ended.
        cpu_ns: CPU time of its process tree; None if unknown.
        containment: Level of containment, and the layers that were missing.
    """

    status: str = ""
    cpu_ns: int | None = None
    containment: str = ""
