"""Messages about a running game for its spectators.

An event is sent at once, further ones at most once a period, and nothing while nothing happens. A message
has the turns that the spectator does not know, or knows in another form, according to the log of the game.
"""

from collections.abc import Callable

from gyoji.core.clocks import ShownClock
from gyoji.core.record import Opinion, Played
from gyoji.core.wire import Value
from gyoji.play.loop import Alarm, Loop


class Live(Value, frozen=True, kw_only=True, tag="live"):
    """What is new in a running game.

    Attributes:
        id: Id of the game.
        first: Number of the first turn of this message, from 0. The receiver forgets its turns from there
            on.
        turns: The turns from `first` on, as records have them.
        opinions: Evaluations of these turns.
        left: ns on each seat's clock when it was asked; None without a clock.
        clocks: Each seat's clock if it has periods or a limit per move, else ().
        acting: Seats that are to move.
        waited: ns since they were asked.
        left_out: Seats without which the game goes on.
        sides: The side of each seat; () if it is the seat itself.
        heard: Number of the first of the `umpire`'s lines. The receiver forgets its lines from there on.
        umpire: New lines of the conversation with the umpire.
    """

    id: str
    first: int
    turns: tuple[tuple[Played, ...], ...] = ()
    opinions: tuple[Opinion, ...] = ()
    left: tuple[int | None, ...] = ()
    clocks: tuple[ShownClock | None, ...] = ()
    acting: tuple[int, ...] = ()
    waited: int = 0
    left_out: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    heard: int = 0
    umpire: tuple[str, ...] = ()


class LiveUpdates:
    """Sends spectators what is new in the running game: at once, and then at most once in `period` ns."""

    def __init__(self, loop: Loop, tell: Callable[[Live], object], period: int) -> None:
        self._tell = tell
        self._period = period
        self._alarm = Alarm(loop, self._look)
        self._live: Callable[[int, int], Live] | None = None
        self._told = 0
        self._next = 0  # earliest time of the next message
        self._is_set = False

    def begin(self, live: Callable[[int, int], Live], now: int) -> None:
        """Watch a game from now on. The first message has all turns so far.

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
        """Send news soon: something has happened in the game."""
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
