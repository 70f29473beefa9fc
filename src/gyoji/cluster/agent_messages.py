"""Messages between a run and the agent of a host: two unions of tagged values, one for each direction.

Both are JSON lines. `type` names the class of a message:

    to an agent     alive, assign, say, tell, prepare, abandon, content, stored
    from an agent   alive, ready, wants, progress, live, seat, ended

Those that `gyoji.play.worker_messages` has, too, mean the same.
"""

from collections.abc import Callable
from typing import TypeAlias

from gyoji.cluster.artifacts import Artifact, Content
from gyoji.core import wire
from gyoji.core.wire import Value
from gyoji.play.live_updates import Live
from gyoji.play.order import Order, Progress, SentReport
from gyoji.play.seats import HumanMessage, SeatNews
from gyoji.play.worker_messages import Abandon, Alive, Prepare, WatchMoves


class Assignment(Value, frozen=True, kw_only=True, tag="assign"):
    """A game to play.

    Attributes:
        ticket: Number of this attempt, which its end has, too.
        artifacts: Files of its players that the run sends if they are missing.
        needs: Paths of other files, which must be on the host.
    """

    ticket: int
    order: Order
    artifacts: tuple[Artifact, ...] = ()
    needs: tuple[str, ...] = ()


class Stored(Value, frozen=True, kw_only=True, tag="stored"):
    """Games that are in the store. The host need not keep their reports any longer."""

    games: tuple[str, ...]


class LeftFile(Value, frozen=True, kw_only=True):
    """A file that a game has left.

    Attributes:
        kind: The field of `Files` that says where it goes.
    """

    kind: str
    name: str
    content: bytes


class Ended(Value, frozen=True, kw_only=True, tag="ended"):
    """The end of a game. Without `report`, `died` and `lacks` the game was abandoned.

    Attributes:
        died: How its worker died.
        to_move: Seats that were to move when the worker died.
        lacks: What the host lacks for the game, which was not started.
    """

    ticket: int
    report: SentReport | None = None
    died: str = ""
    to_move: tuple[int, ...] = ()
    lacks: str = ""
    files: tuple[LeftFile, ...] = ()


class SpooledGame(Value, frozen=True, kw_only=True):
    """A finished game whose report a host keeps. `digest` identifies what was to be played."""

    game: str
    digest: str


class Facts(Value, frozen=True, kw_only=True, tag="ready"):
    """A host that is ready to play.

    Attributes:
        version: Version of gyoji.
        slots: Number of games at once.
        threads: Number of processors.
        kept: Games of this competition that it has finished, and does not know to be stored.
    """

    version: str
    slots: int
    threads: int
    kept: tuple[SpooledGame, ...] = ()


class Wants(Value, frozen=True, kw_only=True, tag="wants"):
    """Files that a host lacks for a game, by digest."""

    digests: tuple[str, ...]


ToAgent: TypeAlias = Alive | Assignment | HumanMessage | WatchMoves | Prepare | Abandon | Content | Stored
FromAgent: TypeAlias = Alive | Facts | Wants | Progress | Live | SeatNews | Ended

# mypy does not take a union for a type.
read_to_agent: Callable[[wire.Text], ToAgent] = wire.reader(ToAgent)  # type: ignore[arg-type]
read_from_agent: Callable[[wire.Text], FromAgent] = wire.reader(FromAgent)  # type: ignore[arg-type]
