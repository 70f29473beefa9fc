"""Messages about a game while it is played, to whoever watches it.

A game is told at once when something happens in it, and then at most once a period; while nothing happens
nothing is told. What is told follows from the log of the game: the turns that the watcher has not, or not as
they are now.
"""

from collections.abc import Callable
from typing import Protocol

from gyoji.core.clocks import ShownClock
from gyoji.core.record import Opinion, Played
from gyoji.core.wire import Value
from gyoji.play.loop import Alarm, Loop


class Live(Value, frozen=True, kw_only=True):
    """A part of a game that is being played.

    id        of the game.   first: the number of the first turn that is told here, from 0; what a watcher
              knows of turns from there on is to be forgotten.
    turns     those from there on, as records have them.   opinions: of the same turns.
    left      ns on each seat's clock when it was asked, None without a clock.
    clocks    of each seat, where one has periods or a limit per move; else (): `left` says it all.
    acting    the seats that are to move now.   waited: ns since they were asked.
    left_out  the seats without which the game goes on.   sides: of each seat, () where they are the seats.
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


class Told(Protocol):
    """A game that can be told of."""

    def live(self, told: int, now: int) -> Live:
        """Turns that are not told yet; told: how many turns are. Turns that have changed are told again."""


class Teller:
    """Tells of one game after the other: calls `tell` with what is new, at most once in `period` ns."""

    def __init__(self, loop: Loop, tell: Callable[[Live], object], period: int) -> None:
        self._tell = tell
        self._period = period
        self._alarm = Alarm(loop, self._look)
        self._game: Told | None = None
        self._told = 0
        self._next = 0  # when it may be told again
        self._is_set = False

    def begin(self, game: Told, now: int) -> None:
        """Tell of this game from now on, all that has been played first."""
        self._game, self._told, self._next = game, 0, 0
        self.notice(now)

    def end(self) -> None:
        """Tell of no game."""
        self._game = None
        self._alarm.clear()
        self._is_set = False

    def notice(self, now: int) -> None:
        """Something has happened in the game."""
        if not self._is_set:
            self._is_set = True
            self._alarm.set(max(now, self._next))

    def _look(self, now: int) -> None:
        self._is_set = False
        if self._game is not None:
            self._next = now + self._period
            live = self._game.live(self._told, now)
            self._told = live.first + len(live.turns)
            self._tell(live)
