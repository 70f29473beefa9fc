"""The JSON lines between a run and the agent of a host. Each is one value, checked when it is read."""

from gyoji.cluster.engines import Content, Parcel
from gyoji.core import wire
from gyoji.core.spec import GameSpec
from gyoji.core.wire import Value
from gyoji.play.order import Order, Progress
from gyoji.play.seats import SeatNews, Words
from gyoji.play.speed import Speed
from gyoji.play.telling import Live


class Play(Value, frozen=True, kw_only=True):
    """Play a game. ticket: a number of this attempt to play it, which its end has too.

    parcels  files of its players that travel.   needs: paths of others, which must be there.
    """

    ticket: int
    order: Order
    parcels: tuple[Parcel, ...] = ()
    needs: tuple[str, ...] = ()


class Talk(Value, frozen=True, kw_only=True):
    """Something that a person says in a game."""

    game: str
    words: Words


class AtSeat(Value, frozen=True, kw_only=True):
    """The events at the seats of a person in a game."""

    game: str
    news: SeatNews


class Task(Value, frozen=True, kw_only=True):
    """A line to a host.

    tell     whether to tell of games move by move from now on; None: as before.
    prepare  games like those that are to come.   abandon: end all games now.
    content  of a file that the host wants.
    stored   ids of games whose reports the host need not keep any longer.
    """

    play: Play | None = None
    say: Talk | None = None
    tell: bool | None = None
    prepare: tuple[GameSpec, ...] = ()
    abandon: bool = False
    content: Content | None = None
    stored: tuple[str, ...] = ()


class LeftFile(Value, frozen=True, kw_only=True):
    """A file that a game has left. kind: the field of `Files` that says where it goes; name: in there."""

    kind: str
    name: str
    content: bytes


class Ended(Value, frozen=True, kw_only=True):
    """The end of a game; one of these says how, and none if it was abandoned.

    report  the line of its report.   died: why its worker has died; to_move: the seats that were to move.
    lacks   what the host has not that the game needs: it was not begun.
    """

    ticket: int
    report: str = ""
    died: str = ""
    to_move: tuple[int, ...] = ()
    lacks: str = ""
    files: tuple[LeftFile, ...] = ()


class Kept(Value, frozen=True, kw_only=True):
    """A finished game whose report a host has kept. digest: of what was to be played."""

    game: str
    digest: str


class Facts(Value, frozen=True, kw_only=True):
    """A host that is ready to play. version: of gyoji; slots: games at once; threads: of its processors.

    speed  of as many processors as it plays games at once, all busy.
    kept: games of this competition that it has played to their end, and does not know to be stored.
    """

    version: str
    slots: int
    threads: int
    speed: Speed
    kept: tuple[Kept, ...] = ()


class News(Value, frozen=True, kw_only=True):
    """A line of a host. alive: a sign of life, every few seconds. wants: digests of files that it has not."""

    ready: Facts | None = None
    ended: Ended | None = None
    progress: Progress | None = None
    live: Live | None = None
    seat: AtSeat | None = None
    alive: bool = False
    wants: tuple[str, ...] = ()


read_task = wire.reader(Task)
read_news = wire.reader(News)
