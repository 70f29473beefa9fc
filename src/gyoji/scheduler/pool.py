"""The port of pools. A pool plays games in slots, each a place for one game at a time.

The slots are on this machine or on several. A run gives a pool orders and gets a report for each. Neither
names a process, socket, processor or absolute path. Output files of games have names relative to the
competition's folder. The pool writes them there before the game's future is done. `gyoji.testing.pool_kit`
checks a pool.
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
from gyoji.play.remote_seats import RemoteNews, RemoteWords
from gyoji.play.seats import HumanMessage, SeatNews


class WorkerDied(Breakdown):
    """The worker process that played a game ended, or sent an invalid message. The game is to be played
    again.

    Attributes:
        to_move: Numbers of the seats that were to move at that moment.
    """

    def __init__(self, text: str, to_move: Sequence[int] = ()) -> None:
        super().__init__(text)
        self.to_move = tuple(to_move)


class Abandoned(Breakdown):
    """The game was ended on purpose, because the run ends, before it had a result."""


class OrderFuture(Future[Report]):
    """The future of an ordered game: its result is the report of the game.

    Attributes:
        order: The order.
    """

    def __init__(self, order: Order) -> None:
        super().__init__()
        self.order = order


class Host(Value, frozen=True, kw_only=True):
    """A machine of a cluster, as `gyoji control --status` shows it.

    Attributes:
        name: Its name in records and messages.
        slots: Number of games that it can play at once.
        playing: Ids of its games in progress.
        played: Number of games that it has played.
        silent: Seconds since its last message.
        trouble: Why it gets no games; "" if it does.
    """

    name: str
    slots: int
    playing: tuple[str, ...] = ()
    played: int = 0
    silent: float = 0.0
    trouble: str = ""


def host_values(hosts: Iterable[Host]) -> list[dict[str, Any]]:
    """Return machines of a cluster as JSON-ready objects."""
    return [asdict(host) for host in hosts]


class PoolListener:
    """Gets the events of a pool while its loop waits. Override the methods you need."""

    def on_progress(self, progress: Progress) -> None:
        """Handle the turns and clocks of a game in progress. Only games ordered with `watch` report them."""

    def on_live(self, live: Live) -> None:
        """Handle the newest moves of a game in progress. Sent only after `Pool.tell_moves(True)`."""

    def on_seat(self, news: SeatNews) -> None:
        """Handle an event for the human player at a seat of a game in progress, such as a question."""

    def on_remote(self, news: RemoteNews) -> None:
        """Forward messages of a remote player's seats to the computer of its owner."""

    def on_change(self) -> None:
        """Handle a change of `Pool.slots` or of the machines that play."""

    def on_warning(self, text: str) -> None:
        """Show the organiser a line."""


class Pool(Protocol):
    """Slots that play one game each. A pool is a context manager, and leaves no process behind.

    All calls come from one thread. Listeners and futures are called in that thread, too, while it waits in
    `loop`. A future may also be done when `submit` returns.

    Attributes:
        loop: Event loop of the run. Other parts of the run use it too.
        listener: Gets the events of the pool.
        slots: Number of games that it plays at once now.
        ahead: Number of games that it accepts beyond its slots, so that it can choose a game that suits the
            machine that becomes free next.
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
        """Return the resources, with amounts, that the caller has to divide among the games in progress.

        Args:
            resources: Amounts that the control file gives, for each machine.

        Returns:
            {} if the pool does that itself: it then gives each game to a machine with enough resources.
        """

    def lines(self) -> Sequence[str]:
        """Return lines about the pool's machines, for the event log."""

    def resize(self, slots: int) -> None:
        """Change the number of games at once. Games in progress go on.

        Raises:
            ConfigError: The machine has too few processors.
        """

    def submit(self, order: Order) -> Future[Report]:
        """Play a game as soon as a slot is free.

        Returns:
            The future of the game. It can be cancelled until the game begins. Its exception is `WorkerDied`,
                or `Abandoned` after a call of `abandon`. For a game that ended without a result, the report
                says so.

        Raises:
            RuntimeError: The pool is closed.
        """

    def tell_moves(self, wanted: bool) -> None:
        """Begin or stop to report every game move by move to `PoolListener.on_live`.

        Games in progress at the beginning are reported from their first move.
        """

    def say(self, words: HumanMessage | RemoteWords) -> bool:
        """Forward a message of a human or remote player. Return False if the game is not in progress."""

    def start_ahead(self, specs: Iterable[GameSpec] = ()) -> None:
        """Start a worker in advance, which loads the modules that the first games need.

        Args:
            specs: Examples of the games to come.
        """

    def stored(self, ids: Iterable[str]) -> None:
        """Announce that the database has these games, so that machines of a cluster may delete their
        reports."""

    def abandon(self) -> None:
        """End every game in progress without a result, and cancel the games that have not begun."""

    def wind_up(self) -> None:
        """Begin to end idle processes, because no more orders come. `close` waits for their end."""

    def close(self) -> None:
        """Take no more orders, wait for the ordered games, and end. A second call does nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
