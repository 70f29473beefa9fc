"""The state of one seat while the game runs, and the actions that the referee asks for."""

from enum import Enum
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.clocks import Clock, Meter, TimeControl
from gyoji.core.messages import NewGame, Ready, Request, Scored
from gyoji.core.ports import AnyRules, HasRoles, offers
from gyoji.core.spec import GameSpec

_OFTEN = 100_000_000
_SELDOM = 2_000_000
_THREADS = 16


def look_again(left: int) -> int:
    """ns until an engine that has `left` ns of CPU time is to be looked at again, 2 to 100 ms.

    CPU time cannot be waited for, and with n threads it may run n times as fast as wall time: so we look.
    """
    return max(_SELDOM, min(_OFTEN, left // _THREADS))


class Stage(Enum):
    """Where the conversation with a seat stands; the value says so in a message."""

    PREPARING = "at start-up: "
    IDLE = "while it was not its turn: "
    THINKING = ""
    HEARING = "after the last move: "
    APPRAISING = "when asked for the score: "
    CONSENTING = "when asked to agree: "
    ADVISING = "when asked for advice: "
    CHOOSING = "when asked for another's move: "
    SETTLING = "when asked which stones are dead: "
    PARTING = "when told to quit: "
    GONE = "afterwards: "


class SeatState:
    """One seat: its player and clock, where its conversation stands, what it has used.

    role      what the seat is in its team, "" where a team has one.
    heard     how many turns it has been told of.
    lag       ns of network time that an answer is credited, at most; lagged: those of the answer that comes.
    last      the turn that its last answer became; None if it became none.
    taken_back  how many turns that it knows of were taken back; it has not been told.
    patience  ns to wait for its next move.
    startup   ns it took to get ready.
    stir      on a clock of CPU time: (turn, ns used, ns waited) when it was last seen to use some.
    changed   its limits, if they were changed in the game and it has not been told; else None.
    thought   ns that it took to suggest the move that it is to make now.
    opinion   of the score; dead: the stones it calls dead, None if it has not said.
    cpu_ns    CPU time by the engine's own account, None if it keeps none.
    complaint (stage, turn, text) of its last one: of interest if it does not answer then.
    """

    __slots__ = (
        "changed",
        "clock",
        "complaint",
        "control",
        "cpu_ns",
        "dead",
        "heard",
        "is_timed",
        "lag",
        "lagged",
        "last",
        "opinion",
        "patience",
        "player",
        "ready",
        "role",
        "seat",
        "slowest",
        "stage",
        "startup",
        "stir",
        "taken_back",
        "think",
        "thought",
    )

    def __init__(self, seat: int, spec: GameSpec, role: str = "") -> None:
        self.seat = seat
        self.role = role
        self.player = spec.players[seat]
        self.control: TimeControl = self.player.clock or spec.clock
        self.clock: Clock = self.control.start()
        self.is_timed = not self.control.is_unlimited
        self.stage = Stage.PREPARING
        self.heard = 0
        self.ready = Ready()
        self.opinion = Scored()
        self.dead: tuple[str, ...] | None = None
        self.think = 0
        self.slowest = 0
        self.startup = 0
        self.cpu_ns: int | None = None
        self.complaint = (Stage.GONE, 0, "")
        self.lag = spec.lag if self.player.is_person else 0
        self.lagged = 0
        self.last: int | None = None
        self.taken_back = 0
        self.stir = (-1, 0, 0)
        self.changed: TimeControl | None = None
        self.thought = 0
        self.patience = self._patience(self.control.allowance(self.clock))

    @property
    def name(self) -> str:
        """Who sits here, for messages: the player, with the role if there is one."""
        return f"{self.player.code} ({self.role})" if self.role else self.player.code

    def get_ready(self, rules: AnyRules, position: object, controls: tuple[TimeControl, ...]) -> "Say":
        """The first request to it; controls: those of all seats."""
        view = rules.view(position, self.seat)
        request = NewGame(self.seat, rules, view, self.control, self.player, controls)
        return Say(self.seat, request, self.startup_patience)

    def seat_ready(self, ready: Ready, used: int) -> None:
        """Its engine got ready in `used` ns: its clock starts."""
        self.stage, self.ready, self.startup = Stage.IDLE, ready, used
        self.clock = self.control.start(used)
        self.patience = self._patience(self.control.allowance(self.clock))

    @property
    def startup_patience(self) -> int:
        """ns it may take to get ready: its budget, or all of a clock that runs from the start."""
        budget, allowed = self.player.budgets.startup, self.control.allowance(self.clock)
        is_charged = self.control.from_start and self.control.main and allowed is not None
        return min(budget, self.control.main + self.control.margin) if is_charged else budget

    def is_late(self, used: int) -> bool:
        """Whether its clock does not have `used` ns."""
        allowed = self.control.allowance(self.clock)
        return allowed is not None and used > allowed

    def charge(self, used: int) -> bool:
        """Charge `used` ns for an answer; False if the clock did not have them."""
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

    def limit_moves(self, ns: int) -> None:
        """From now on a move may take so many ns, 0 for no such limit; all else of its clock stays."""
        self.control = self.changed = replace(self.control, move=ns)
        self.is_timed = not self.control.is_unlimited
        self.patience = self._patience(self.control.allowance(self.clock))

    def credit(self, used: int) -> int:
        """ns of network time that an answer after `used` ns is credited."""
        credited, self.lagged = min(self.lagged, self.lag, used), 0
        return credited

    def forgo(self, used: int) -> None:
        """The answer that was charged is no move: its time is gone from the clock, and is that of no move."""
        self.think -= used

    @property
    def left(self) -> int:
        """ns on its clock before its next move is late; 0 where it has overspent, or has no clock."""
        allowed = (self.control.allowance(self.clock) or 0) - self.control.margin
        return max(allowed, 0)

    def forget(self, turns: int) -> None:
        """Only so many turns are left: the others were taken back, its last answer perhaps."""
        known = self.heard if self.last is None else max(self.heard, self.last + 1)
        self.taken_back += max(known - turns, 0)
        self.heard, self.last = min(self.heard, turns), None

    def told_taken_back(self) -> int:
        """How many turns the next request to it says were taken back."""
        told, self.taken_back = self.taken_back, 0
        return told

    def idle(self, turn: int, used: int, waited: int) -> int:
        """ns since the seat, thinking in that turn, was last seen to use some of its clock of CPU time."""
        last, before, since = self.stir
        if last != turn or used > before:
            self.stir = (turn, used, waited)
            since = waited
        return waited - since

    def _patience(self, allowed: int | None) -> int:
        """ns to wait for a move that may take so long by its clock."""
        limit = self.player.budgets.move
        if allowed is not None and allowed < limit:
            limit = allowed + self.lag if allowed >= 0 else allowed
        return limit if self.control.meter is Meter.WALL else look_again(limit)


def seat_states(spec: GameSpec, rules: AnyRules) -> list[SeatState]:
    """The states of all seats of a game before it begins."""
    roles = rules.roles if offers(rules, HasRoles) else ("",) * rules.seats
    return [SeatState(seat, spec, roles[seat]) for seat in range(rules.seats)]


class Say(Struct, frozen=True):
    """Put `request` to `seat`; call `expired` when no reply has ended it `patience` ns later."""

    seat: int
    request: Request
    patience: int


class Wait(Struct, frozen=True):
    """Go on waiting for `seat`: call `expired` again `patience` ns from now."""

    seat: int
    patience: int


class Dismiss(Struct, frozen=True):
    """Nothing more will be said to `seat`. kindly: it was told to go and may take its time to close.

    keep: it stays for another game.
    """

    seat: int
    kindly: bool
    keep: bool = False


Action: TypeAlias = Say | Wait | Dismiss


def listed(following: Say | list[Action]) -> list[Action]:
    """The actions, where a single question may stand for the list of it."""
    return [following] if isinstance(following, Say) else following


class Closing(NamedTuple):
    """How an engine's process ended; cpu_ns of its process tree, None if unknown; how it was contained."""

    status: str = ""
    cpu_ns: int | None = None
    containment: str = ""
