"""Messages between a run and the agent on a host, which plays games for it: JSON lines in both directions.

The field `type` tells the class of a message:

    to an agent     assign, human, remote, watch, abandon, content, stored
    from an agent   alive, ready, wants, progress, live, seat, remote, ended

The messages that are not defined here are those between a worker and its pool in `gyoji.play`, with the same
meaning.
"""

from collections.abc import Callable
from typing import TypeAlias

from gyoji.cluster.artifacts import Artifact, Content
from gyoji.core import wire
from gyoji.core.wire import Value
from gyoji.play.live_updates import Live
from gyoji.play.order import Order, Progress, SentReport
from gyoji.play.remote_seats import RemoteNews, RemoteWords
from gyoji.play.seats import HumanMessage, SeatNews
from gyoji.play.worker_messages import Abandon, Alive, WatchMoves


class Assignment(Value, frozen=True, kw_only=True, tag="assign"):
    """An order to play a game.

    Attributes:
        ticket: Number of this attempt. The message about its end has the same number.
        order: The game, and the files to write about it.
        artifacts: Files of the game's players that the run sends if the host lacks them.
        needs: Paths of the other files of these players. The run does not send them: the host must have them.
    """

    ticket: int
    order: Order
    artifacts: tuple[Artifact, ...] = ()
    needs: tuple[str, ...] = ()


class Stored(Value, frozen=True, kw_only=True, tag="stored"):
    """Ids of games that are in the run's database, whose reports the host may delete."""

    games: tuple[str, ...]


class LeftFile(Value, frozen=True, kw_only=True):
    """A file that a game has written on a host.

    Attributes:
        kind: "records", "voids" or "transcript": the field of `Files` with the folder or path to which the
            run writes the file.
        name: Name of the file, without a folder.
    """

    kind: str
    name: str
    content: bytes


class Ended(Value, frozen=True, kw_only=True, tag="ended"):
    """The end of a game on a host.

    There are four reasons for it: the game was played (`report`), its worker process died or failed (`died`),
    the host cannot play the game (`lacks`), or the run has abandoned the game (none of the three is set).

    Attributes:
        ticket: Number of the attempt, from its `Assignment`.
        report: The result and the record of the game.
        died: How the worker process died or failed; "" if it did not.
        to_move: Numbers of the seats that were to move when the worker died.
        lacks: What the host lacks, so that the game was not begun; "" if it lacks nothing.
        files: The files that the game has written.
    """

    ticket: int
    report: SentReport | None = None
    died: str = ""
    to_move: tuple[int, ...] = ()
    lacks: str = ""
    files: tuple[LeftFile, ...] = ()


class SpooledGame(Value, frozen=True, kw_only=True):
    """A finished game whose report a host keeps.

    Attributes:
        game: The game's id.
        digest: SHA-256 of the game's players, settings and files: see `report_spool.digest_of`.
    """

    game: str
    digest: str


class Facts(Value, frozen=True, kw_only=True, tag="ready"):
    """The first message of a host: it is ready to play.

    Attributes:
        version: Version of gyoji on the host.
        slots: Number of games that the host can play at once.
        threads: Number of the host's processors that the agent's process may use.
        kept: Finished games of this competition whose reports the host keeps.
    """

    version: str
    slots: int
    threads: int
    kept: tuple[SpooledGame, ...] = ()


class Wants(Value, frozen=True, kw_only=True, tag="wants"):
    """A request for files that a host lacks.

    Attributes:
        digests: SHA-256 of each file.
    """

    digests: tuple[str, ...]


ToAgent: TypeAlias = Assignment | HumanMessage | RemoteWords | WatchMoves | Abandon | Content | Stored
FromAgent: TypeAlias = Alive | Facts | Wants | Progress | Live | SeatNews | RemoteNews | Ended

# mypy does not take a union for a type.
read_to_agent: Callable[[wire.Text], ToAgent] = wire.reader(ToAgent)  # type: ignore[arg-type]
read_from_agent: Callable[[wire.Text], FromAgent] = wire.reader(FromAgent)  # type: ignore[arg-type]
