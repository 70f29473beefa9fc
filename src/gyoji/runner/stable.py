"""Engines that stay for another game, in the stable of their worker.

Only those of the last game are kept: whoever does not play in the next one is told to go.
"""

from collections.abc import Callable, Sequence

from gyoji.core import messages as m
from gyoji.core.spec import Player
from gyoji.referee import Closing
from gyoji.runner.link import Link
from gyoji.runner.workspace import Leave


class Stable:
    """The engines that wait for their next game."""

    def __init__(self) -> None:
        self._boxes: list[_Box] = []

    def keep(self, player: Player, link: Link, leave: Leave) -> Closing:
        """Take in the engine of `player` after a game; what it used in that."""
        box = _Box(player, link, leave, self._boxes.remove)
        self._boxes.append(box)
        return link.stay(box, 0)

    def take(self, player: Player) -> "Kept | None":
        """An engine of that player that waits here, for a new game."""
        for box in self._boxes:
            if box.is_free and box.player == player:
                self._boxes.remove(box)
                return box.link, box.leave
        return None

    def end(self, link: Link, leave: Leave) -> None:
        """See an engine out that is of no use any more."""
        box = _Box(link.player, link, leave, self._boxes.remove)
        self._boxes.append(box)
        link.join(box, 0)
        box.end(kindly=False)

    def dismiss_all(self) -> None:
        """Tell all that are here to go."""
        for box in self._boxes:
            box.dismiss()

    @property
    def is_empty(self) -> bool:
        return not self._boxes

    @property
    def pids(self) -> frozenset[int]:
        """The processes that are here."""
        return frozenset(box.link.pid for box in self._boxes)


Kept = tuple[Link, Leave]
"""An engine's link, and what removes its folders."""


class _Box:
    """One engine that waits, or is on its way out. What it says is dropped; if it breaks, it goes."""

    def __init__(self, player: Player, link: Link, leave: Leave, vacate: "Callable[[_Box], None]") -> None:
        self.player = player
        self.link = link
        self.leave = leave
        self.is_free = True
        self._vacate = vacate

    def dismiss(self) -> None:
        if self.is_free:
            self.is_free = False
            self.link.say(m.Finish(), self.link.player.budgets.close)

    def on_reply(self, _seat: int, reply: m.Reply, _used: int) -> None:
        if isinstance(reply, m.Broken):
            self.end(kindly=False)
        elif isinstance(reply, m.Parted) and not self.is_free:
            self.end(kindly=True)

    def on_expiry(self, _seat: int, _used: int, _waited: int, *, deaf: bool) -> None:
        self.end(kindly=False)

    def on_failure(self, _reason: str, _trace: Sequence[str]) -> None:
        self.end(kindly=False)

    def on_closed(self, _seat: int) -> None:
        self._vacate(self)
        self.leave()

    def end(self, *, kindly: bool) -> None:
        """Have the engine go."""
        self.is_free = False
        self.link.dismiss(kindly=kindly)
