"""Live updates: messages to spectators about a running game.

The first event is sent at once. Further events are collected and sent at most once per period. A message has
the turns that are new or have changed since the last message.
"""

from collections.abc import Callable

from gyoji.core.clocks import ShownClock
from gyoji.core.record import Opinion, Played
from gyoji.core.wire import Value
from gyoji.play.loop import Alarm, Loop


class Live(Value, frozen=True, kw_only=True, tag="live"):
    """The news of a running game since the last update.

    Attributes:
        id: Id of the game.
        first: Number of the first turn in `turns`, from 0. The receiver replaces its turns from there on.
        turns: The turns from `first` on, in the form of a record.
        opinions: Evaluations of these turns.
        left: For each seat, the ns until it loses on time, counted from the moment when it was asked to move;
            None without a time limit.
        clocks: Each seat's clock for display; () if no clock has periods or a limit per move.
        acting: Seats that are to move.
        phase: Phase of the game in which these seats move, as in `Played.phase`.
        waited: ns since the first of these seats was asked to move.
        left_out: Seats that were removed from the game, which goes on without them.
        sides: The side of each seat; () if seat and side are the same.
        heard: Number of the first line in `umpire`, from 0. The receiver replaces its lines from there on.
        umpire: New lines of the conversation with the umpire.
    """

    id: str
    first: int
    turns: tuple[tuple[Played, ...], ...] = ()
    opinions: tuple[Opinion, ...] = ()
    left: tuple[int | None, ...] = ()
    clocks: tuple[ShownClock | None, ...] = ()
    acting: tuple[int, ...] = ()
    phase: str = ""
    waited: int = 0
    left_out: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    heard: int = 0
    umpire: tuple[str, ...] = ()


class LiveUpdates:
    """Sends spectators the news of the running game: at once, and then at most once per `period` ns."""

    def __init__(self, loop: Loop, tell: Callable[[Live], object], period: int) -> None:
        self._tell = tell
        self._period = period
        self._alarm = Alarm(loop, self._look)
        self._live: Callable[[int, int], Live] | None = None
        self._told = 0
        self._next = 0  # earliest time of the next message
        self._is_set = False

    def begin(self, live: Callable[[int, int], Live], now: int) -> None:
        """Begin to send news of a game. The first message has all turns so far.

        Args:
            live: Returns what is new in the game, given the number of turns that were sent and the time.
            now: Monotonic time in ns.
        """
        self._live, self._told, self._next = live, 0, 0
        self.notice(now)

    def end(self) -> None:
        """Stop sending news of the game."""
        self._live = None
        self._alarm.clear()
        self._is_set = False

    def notice(self, now: int) -> None:
        """Schedule an update, because something has happened in the game."""
        if not self._is_set:
            self._is_set = True
            self._alarm.set(max(now, self._next))

    def _look(self, now: int) -> None:
        self._is_set = False
        if self._live is not None:
            self._next = now + self._period
            live = self._live(self._told, now)
            self._told = live.first + len(live.turns)
            self._tell(live)
