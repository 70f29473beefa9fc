"""Messages between the scheduler and a worker: two unions of tagged values, one for each direction.

Both are JSON lines over a socket. `type` names the class of a message:

    to a worker     play, abandon, prepare, human, remote, watch
    from a worker   alive, progress, live, seat, remote, report
"""

from collections.abc import Callable
from typing import TypeAlias

from gyoji.core import wire
from gyoji.core.spec import GameSpec
from gyoji.core.wire import Value
from gyoji.play.live_updates import Live
from gyoji.play.order import Order, Progress, SentReport
from gyoji.play.remote_seats import RemoteNews, RemoteWords
from gyoji.play.seats import HumanMessage, SeatNews


class Abandon(Value, frozen=True, kw_only=True, tag="abandon"):
    """End the game in progress now, without a report."""


class Prepare(Value, frozen=True, kw_only=True, tag="prepare"):
    """Import what games like `specs` need, without starting an engine."""

    specs: tuple[GameSpec, ...]


class WatchMoves(Value, frozen=True, kw_only=True, tag="watch"):
    """Start or stop reporting every move. The first report has the moves so far of the game in progress.

    Attributes:
        wanted: Whether moves are reported from now on.
    """

    wanted: bool


class Alive(Value, frozen=True, kw_only=True, tag="alive"):
    """A sign of life, sent during a game even if nothing happens in it."""


ToWorker: TypeAlias = Order | Abandon | Prepare | HumanMessage | RemoteWords | WatchMoves
FromWorker: TypeAlias = Alive | Progress | Live | SeatNews | RemoteNews | SentReport

# mypy does not take a union for a type.
read_to_worker: Callable[[wire.Text], ToWorker] = wire.reader(ToWorker)  # type: ignore[arg-type]
read_from_worker: Callable[[wire.Text], FromWorker] = wire.reader(FromWorker)  # type: ignore[arg-type]
