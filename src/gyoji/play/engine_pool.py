"""Engines that stay for another game of their worker.

Only those of the last game are kept: whoever does not play in the next one is told to go.
"""

from collections.abc import Callable, Sequence

from gyoji.core import messages as m
from gyoji.core.spec import Player
from gyoji.play.link import Link
from gyoji.play.workspace import Cleanup
from gyoji.referee.seat_state import Closing


class EnginePool:
    """The engines that wait for their next game."""

    def __init__(self) -> None:
        self._idle: list[_IdleEngine] = []

    def keep(self, player: Player, link: Link, cleanup: Cleanup) -> Closing:
        """Take in the engine of `player` after a game; what it used in that."""
        idle = _IdleEngine(player, link, cleanup, self._idle.remove)
        self._idle.append(idle)
        return link.stay(idle, 0)

    def take(self, player: Player) -> "Lease | None":
        """An engine of that player that waits here, for a new game."""
        for idle in self._idle:
            if idle.is_free and idle.player == player:
                self._idle.remove(idle)
                return idle.link, idle.cleanup
        return None

    def end(self, link: Link, cleanup: Cleanup) -> None:
        """See an engine out that is of no use any more."""
        idle = _IdleEngine(link.player, link, cleanup, self._idle.remove)
        self._idle.append(idle)
        link.join(idle, 0)
        idle.end(kindly=False)

    def dismiss_all(self) -> None:
        """Tell all that are here to go."""
        for idle in self._idle:
            idle.dismiss()

    @property
    def is_empty(self) -> bool:
        return not self._idle

    @property
    def pids(self) -> frozenset[int]:
        """The processes that are here."""
        return frozenset(idle.link.pid for idle in self._idle)


Lease = tuple[Link, Cleanup]
"""An engine's link, and what removes its folders."""


class _IdleEngine:
    """One engine that waits, or is on its way out. What it says is dropped; if it breaks, it goes."""

    def __init__(
        self, player: Player, link: Link, cleanup: Cleanup, vacate: "Callable[[_IdleEngine], None]"
    ) -> None:
        self.player = player
        self.link = link
        self.cleanup = cleanup
        self.is_free = True
        self._vacate = vacate

    def dismiss(self) -> None:
        if self.is_free:
            self.is_free = False
            self.link.say(m.Quit(), self.link.player.budgets.close)

    def on_reply(self, _seat: int, reply: m.Reply, _used: int) -> None:
        if isinstance(reply, m.Broken):
            self.end(kindly=False)
        elif isinstance(reply, m.HasQuit) and not self.is_free:
            self.end(kindly=True)

    def on_expiry(self, _seat: int, _used: int, _waited: int, *, deaf: bool) -> None:
        self.end(kindly=False)

    def on_failure(self, _reason: str, _trace: Sequence[str]) -> None:
        self.end(kindly=False)

    def on_closed(self, _seat: int) -> None:
        self._vacate(self)
        self.cleanup()

    def end(self, *, kindly: bool) -> None:
        """Have the engine go."""
        self.is_free = False
        self.link.dismiss(kindly=kindly)
