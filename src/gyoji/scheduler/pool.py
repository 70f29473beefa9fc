"""The port of pools: places where the games of a run are played, on this machine or on others.

A run gives a pool orders, hears of the games in progress, and gets a report for each. It knows nothing of how
the pool does that: no process, socket, processor or path of a machine is in what goes to and fro. A file that
a game leaves has a name relative to the competition's folder, and the pool sees to it that it is there before
the game has ended. `gyoji.scheduler.slots` plays on this machine; `gyoji.testing.pool_kit` checks a pool.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, Self

from msgspec.structs import asdict

from gyoji.core.faults import Breakdown
from gyoji.core.spec import GameSpec
from gyoji.core.wire import Value
from gyoji.play.loop import Loop
from gyoji.play.order import Order, Progress, Report
from gyoji.play.seats import Words


class WorkerDied(Breakdown):
    """The worker that played a game ended, or stopped making sense. The game is to be replayed.

    to_move: the seats that were to move then.
    """

    def __init__(self, text: str, to_move: Sequence[int] = ()) -> None:
        super().__init__(text)
        self.to_move = tuple(to_move)


class Abandoned(Breakdown):
    """The game was ended on purpose, unfinished."""


class OrderFuture(Future[Report]):
    """The report of the game of an order, when it has ended. It does not wait: the pool's loop does."""

    def __init__(self, order: Order) -> None:
        super().__init__()
        self.order = order


class Host(Value, frozen=True, kw_only=True):
    """A machine of a pool that has several, as `status` tells of it.

    slots   games that it plays at once.   playing: ids of those that it plays now.   played: how many it has.
    speed   how fast it is (`gyoji.play.speed`), None if nobody knows.   silent: seconds since it spoke last.
    trouble why it gets no games, "" if it does.
    """

    name: str
    slots: int
    playing: tuple[str, ...] = ()
    played: int = 0
    speed: float | None = None
    silent: float = 0.0
    trouble: str = ""


def host_values(hosts: Iterable[Host]) -> list[dict[str, Any]]:
    """Hosts as programs are told of them, JSON-ready, with every field."""
    return [asdict(host) for host in hosts]


class Pool(Protocol):
    """Places to play games, one game each. A context manager: at its end nothing of it is left.

    All calls come from one thread, and all that is said below to be called is called in it, while somebody
    waits in `loop`. A future is done there too, if it is not done when `submit` returns.

    loop         others may wait for things of their own in it.
    slots        how many games it plays at once now.
    ahead        how many games more than these it takes, to have some that suit whichever host is free.
    hosts        the machines that it plays on, () if that is this one.
    on_progress  called with news of a game in progress whose order has `watch`.
    on_live      called with the JSON of each `Live` of games in progress, once `tell_moves` wants them.
    on_seat     called with the id of a game and the JSON of `SeatNews` of a person in it.
    on_change    called when there are more slots or fewer than before, or other hosts.
    on_warning   called with what whoever runs the competition should know, one line.
    """

    loop: Loop
    on_progress: Callable[[Progress], object] | None
    on_live: Callable[[str], object] | None
    on_seat: Callable[[str, str], object] | None
    on_change: Callable[[], object] | None
    on_warning: Callable[[str], object] | None

    @property
    def slots(self) -> int: ...

    @property
    def ahead(self) -> int: ...

    @property
    def hosts(self) -> Sequence[Host]: ...

    def shared(self, resources: Mapping[str, int]) -> Mapping[str, int]:
        """How much of each resource the games in progress have together, so that one waits for another.

        resources: of each machine, as the control file says. {} if the pool gives each game a place itself
        that has what the game needs.
        """

    def lines(self) -> Sequence[str]:
        """The machines that it plays on, for the event log."""

    def resize(self, slots: int) -> None:
        """Play so many games at once from now on, as far as there are places. Games in progress go on.

        Raises ConfigError if there cannot be so many.
        """

    def submit(self, order: Order) -> Future[Report]:
        """Play a game; it waits if all places are taken. The future may be cancelled as long as it waits.

        It fails with `WorkerDied`, or with `Abandoned` after `abandon`; a void game is a report.
        Raises RuntimeError if the pool has been closed.
        """

    def tell_moves(self, wanted: bool) -> None:
        """Have all games told move by move to `on_live` from now on, those in progress from their start; or
        none any more."""

    def say(self, game_id: str, words: Words) -> bool:
        """Pass on words of a person in a game; whether it is being played."""

    def start_ahead(self, specs: Iterable[GameSpec] = ()) -> None:
        """Begin what the first games would wait for. specs: games like those that are to come."""

    def stored(self, ids: Iterable[str]) -> None:
        """These games are in the store: nobody needs their reports any longer. A pool of machines that may be
        out of reach keeps the report of a finished game until then."""

    def abandon(self) -> None:
        """End every game in progress at once, unfinished; what waits for a place is cancelled."""

    def wind_up(self) -> None:
        """No more orders come: begin to end whatever waits for some. `close` waits for the end."""

    def close(self) -> None:
        """Take no more orders; when the games that were ordered are over, end. A second time does nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
