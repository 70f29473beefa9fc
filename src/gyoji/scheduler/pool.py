"""The port of pools: slots in which the games of a run are played, on this machine or on several.

A run gives a pool orders and gets a report for each. Nothing that goes to and fro names a process, socket,
processor or absolute path. A file that a game leaves has a name relative to the competition's folder; the
pool puts it there before the game's future is done. `gyoji.testing.pool_kit` checks a pool.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, Self

from msgspec.structs import asdict

from gyoji.core.faults import Breakdown
from gyoji.core.spec import GameSpec
from gyoji.core.wire import Value
from gyoji.play.live_updates import Live
from gyoji.play.loop import Loop
from gyoji.play.order import Order, Progress, Report
from gyoji.play.seats import HumanMessage, SeatNews


class WorkerDied(Breakdown):
    """The worker that played a game ended or sent nonsense, and the game is to be played again.

    Attributes:
        to_move: Seats that were to move at that moment.
    """

    def __init__(self, text: str, to_move: Sequence[int] = ()) -> None:
        super().__init__(text)
        self.to_move = tuple(to_move)


class Abandoned(Breakdown):
    """The game was ended on purpose before its end."""


class OrderFuture(Future[Report]):
    """The report of an order's game, once the game has ended. `result` never waits: the pool's loop does."""

    def __init__(self, order: Order) -> None:
        super().__init__()
        self.order = order


class Host(Value, frozen=True, kw_only=True):
    """A machine of a cluster, as `status` reports it.

    Attributes:
        slots: Number of games at once.
        playing: Ids of its games in progress.
        played: Number of games that it has played.
        silent: Seconds since its last message.
        trouble: Reason why it gets no games; "" if it gets some.
    """

    name: str
    slots: int
    playing: tuple[str, ...] = ()
    played: int = 0
    silent: float = 0.0
    trouble: str = ""


def host_values(hosts: Iterable[Host]) -> list[dict[str, Any]]:
    """Return hosts as JSON-ready objects with every field."""
    return [asdict(host) for host in hosts]


class PoolListener:
    """The events of a pool, called while its loop waits. Override the methods you need."""

    def on_progress(self, progress: Progress) -> None:
        """Take the clocks of a game in progress whose order has `watch`."""

    def on_live(self, live: Live) -> None:
        """Take the newest moves of a game in progress, once `tell_moves` wants them."""

    def on_seat(self, news: SeatNews) -> None:
        """Take what happened at the seats of a person in a game in progress."""

    def on_change(self) -> None:
        """Note that there are more slots or fewer than before, or other hosts."""

    def on_warning(self, text: str) -> None:
        """Show the organiser a line."""


class Pool(Protocol):
    """Slots that play one game each. A context manager, which leaves no process behind.

    All calls come from one thread. Listeners and futures are called in that thread, too, while it waits in
    `loop`; a future may also be done when `submit` returns.

    Attributes:
        loop: The event loop of the run, in which others may wait, too.
        listener: Gets the events of the pool.
        slots: Number of games that it plays at once now.
        ahead: Number of further games that it accepts, to have one that suits the host that is free next.
        hosts: Its machines; () if it plays on this machine alone.
    """

    loop: Loop
    listener: PoolListener

    @property
    def slots(self) -> int: ...

    @property
    def ahead(self) -> int: ...

    @property
    def hosts(self) -> Sequence[Host]: ...

    def shared(self, resources: Mapping[str, int]) -> Mapping[str, int]:
        """Return the total of each resource that all games in progress share.

        Args:
            resources: Amounts of each machine, by the control file.

        Returns:
            {} if the pool itself finds a machine with the necessary resources for each game.
        """

    def lines(self) -> Sequence[str]:
        """Return lines about its machines for the event log."""

    def resize(self, slots: int) -> None:
        """Play so many games at once from now on. Games in progress go on.

        Raises:
            ConfigError: The machine has too few processors.
        """

    def submit(self, order: Order) -> Future[Report]:
        """Play a game as soon as a slot is free. Its future can be cancelled until then.

        The future fails with `WorkerDied`, or with `Abandoned` after `abandon`. A void game is a report.

        Raises:
            RuntimeError: The pool is closed.
        """

    def tell_moves(self, wanted: bool) -> None:
        """Begin to report every game move by move to `on_live`, those in progress from their start; or stop
        to.
        """

    def say(self, words: HumanMessage) -> bool:
        """Forward a person's words to the game. Return False if the game is not in progress."""

    def start_ahead(self, specs: Iterable[GameSpec] = ()) -> None:
        """Begin to load what the first games need. `specs` are games like those to come."""

    def stored(self, ids: Iterable[str]) -> None:
        """Note that these games are in the store. Until then a cluster's hosts keep the reports of finished
        games.
        """

    def abandon(self) -> None:
        """End every game in progress without a result, and cancel those that wait for a slot."""

    def wind_up(self) -> None:
        """Begin to end idle processes, since no more orders come. `close` waits for their end."""

    def close(self) -> None:
        """Take no more orders, wait for the games that were ordered, and end. A second call does nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
