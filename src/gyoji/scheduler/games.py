"""The games of a run: those that have no result yet, those of them that a pool plays, the files that
games leave, and the results that are not stored yet.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from functools import cache
from heapq import heappop, heappush
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.record import Purge, VoidGame
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec, Player
from gyoji.core.text import printable
from gyoji.pairing.failures import NOT_TRIED
from gyoji.play.context import GOMILL_ID, TOKEN
from gyoji.play.loop import Alarm, time_of_day
from gyoji.play.order import Files, Order, Progress, Report
from gyoji.play.seats import Words
from gyoji.scheduler.pool import Abandoned, Host, Pool, WorkerDied
from gyoji.store.files import CompetitionFiles
from gyoji.store.filesystem import make_folder
from gyoji.store.store import Store
from gyoji.store.stored import Finished, Voided

Needs: TypeAlias = tuple[int, ...]
"""How much a game needs of each resource of a queue, in its order."""


class IssuedGame(Struct, eq=False):
    """A game of a run, from when its competition issues it until it has a result.

    number         its place in the order in which games are issued.
    needs          what it needs, from when it has joined the queue.
    has_resources  whether it has what it needs, and so can be played or is.

    While it is played:

    slot     its 0-based number; -1 while it is not played.   started: when, ISO 8601.
    turns    how many it has, and left: ns on each seat's clock, as far as somebody watches.
    future   its report, when it has ended.
    restarted  whether somebody has had it played again.
    """

    spec: GameSpec
    number: int
    needs: Needs = ()
    has_resources: bool = False
    slot: int = -1
    started: str = ""
    turns: int = 0
    left: tuple[int | None, ...] = ()
    future: "Future[Report] | None" = None
    restarted: bool = False

    @property
    def id(self) -> str:
        return self.spec.id

    def report(self) -> Report | None:
        """The result of its end, whatever came of it; None if it was abandoned."""
        assert self.future is not None, self.id
        try:
            return self.future.result()
        except (Abandoned, CancelledError):
            return None
        except Exception as error:  # noqa: BLE001 (whatever a place to play raises, the game is void)
            return Report(void=self._void(error))

    def _void(self, error: Exception) -> VoidGame:
        died = isinstance(error, WorkerDied)
        moving = [self.spec.players[seat] for seat in error.to_move] if isinstance(error, WorkerDied) else []
        return VoidGame(
            id=self.id,
            pairing=self.spec.pairing,
            players=self.spec.codes,
            reason=printable(str(error) if died else f"{type(error).__name__}: {error}"),
            started=self.started,
            to_move=tuple(dict.fromkeys(player.code for player in moving)),
            by_death=died,
            against=moving[0].code if len(moving) == 1 and not _is_contained(moving[0]) else "",
        )


class Waiting(NamedTuple):
    """A game that waits, and the persons that it waits for."""

    game: IssuedGame
    persons: tuple[str, ...]


def _is_contained(player: Player) -> bool:
    """Whether an engine of the player cannot have ended our worker."""
    return player.containment.level != "off"


def id_variables(*, names_games: bool, has_secret: bool) -> tuple[str, ...]:
    """The variables in which engines find the ids of their games. names_games: as gomill promises.

    An event that an older gyoji began has no secret: its engines find them where that put them.
    """
    if not has_secret:
        return TOKEN, "GYOJI_GAME_ID", GOMILL_ID
    return (GOMILL_ID,) if names_games else ()


class GamesInProgress:
    """The games that a pool plays, at most as many at a time as it has slots.

    is_parallel  whether games are told which slot they have.
    id_in        see `Order`.
    """

    def __init__(
        self,
        pool: Pool,
        *,
        is_parallel: bool,
        id_in: tuple[str, ...] = (),
    ) -> None:
        self._pool = pool
        self._is_parallel = is_parallel
        self._id_in = id_in
        self._playing: dict[str, IssuedGame] = {}  # by id, in the order in which they were started
        self.follow()
        self._done: deque[str] = deque()
        self._news: deque[Progress] = deque()
        pool.on_progress = self._news.append

    def __len__(self) -> int:
        return len(self._playing)

    @property
    def has_room(self) -> bool:
        return len(self._playing) < self._most

    def now(self) -> list[IssuedGame]:
        """The games that are being played, in the order in which they were started."""
        return list(self._playing.values())

    @property
    def ids(self) -> tuple[str, ...]:
        """In the order in which they were started."""
        return tuple(self._playing)

    def resize(self, slots: int) -> None:
        """Have so many slots from now on, and let games know theirs. Running games go on.

        Raises ConfigError if there cannot be so many.
        """
        self._pool.resize(slots)
        self._is_parallel = True
        self.follow()

    def follow(self) -> None:
        """Have as many slots as the pool has now."""
        self.slots = self._pool.slots
        self._most = self.slots + self._pool.ahead
        self._free = sorted(set(range(self._most)) - {game.slot for game in self._playing.values()})

    @property
    def hosts(self) -> Sequence[Host]:
        """The machines that games are played on, () if that is this one."""
        return self._pool.hosts

    def shared(self, resources: Mapping[str, int]) -> Mapping[str, int]:
        """See the pool."""
        return self._pool.shared(resources)

    def start(self, game: IssuedGame, files: Files, *, watch: bool) -> Order:
        """Have a game played. The order, as it was given."""
        game.slot = heappop(self._free)
        game.started, game.turns, game.left = time_of_day(), 0, ()
        slot = game.slot if self._is_parallel else None
        order = Order(spec=game.spec, slot=slot, files=files, watch=watch, id_in=self._id_in)
        game.future = self._pool.submit(order)
        self._playing[game.id] = game
        game_id = game.id  # the callback knows no game: a circle is freed late
        game.future.add_done_callback(lambda _: self._done.append(game_id))
        return order

    def say(self, game_id: str, words: Words) -> bool:
        """Pass on words of a person in a game; whether it is being played."""
        return self._pool.say(game_id, words)

    def abandon(self) -> None:
        """End all games now. Each of them still `ended`, finished or not."""
        self._pool.abandon()

    def stored(self, ids: Iterable[str]) -> None:
        """Games that are in the store: see the pool."""
        self._pool.stored(ids)

    def call_later(self, seconds: float, action: Callable[[], object]) -> Alarm:
        """Call `action` once, while somebody waits here or later; the alarm that does."""
        return self._pool.loop.call_later(seconds, action)

    def wait(self) -> None:
        """Until there is something to do, which may be more than a game that has ended."""
        self._pool.loop.wait(0 if self._done else None)

    def ended(self) -> list[IssuedGame]:
        """The games that have ended since the last time; their slots are free."""
        games = []
        while self._done:
            game = self._playing.pop(self._done.popleft())
            if game.slot < self._most:
                heappush(self._free, game.slot)
            game.slot = -1
            games.append(game)
        return games

    def news(self) -> list[Progress]:
        """The news since the last time of games still in progress."""
        news = []
        while self._news:
            progress = self._news.popleft()
            if game := self._playing.get(progress.id):
                game.turns, game.left = progress.turns, progress.left
                news.append(progress)
        return news

    def describe(self) -> list[dict[str, Any]]:
        """The games in progress, JSON-ready; turns as far as somebody watches."""
        return [
            {
                "id": game.id,
                "players": list(game.spec.codes),
                "slot": game.slot,
                "started": game.started,
                "turns": game.turns,
            }
            for game in self._playing.values()
        ]


class GameFiles:
    """The folders of a run, made if they are needed, and the files of each game, all in `folder`.

    Raises ConfigError for a folder that cannot be made: now, rather than after the first game.
    """

    def __init__(
        self,
        files: CompetitionFiles,
        setup: CompetitionSetup,
        *,
        transcripts: bool = False,
    ) -> None:
        self.folder = files.folder
        self._formats = setup.record_formats
        self._transcripts = files.transcripts if transcripts else None
        self._records = files.games if setup.record_games else None
        self._voids = files.voids
        self._of_game = cache(self._of)
        for folder in (self._records, self._transcripts):
            if folder is not None:
                _make(folder)

    def of(self, spec: GameSpec) -> Files:
        """Where this game leaves its files, from the competition's folder on."""
        files = self._of_game(spec.game)
        if self._transcripts is None:
            return files
        return replace(files, transcript=f"{self._transcripts.name}/{spec.id}.log")

    def _of(self, game: str) -> Files:
        """The files of each game of that name, without a transcript."""
        if self._records is None:
            return Files()
        return Files(
            records=self._records.name,
            voids=self._voids.name,
            formats=self._formats or GAMES.find(game).records,
        )


def _make(folder: Path) -> None:
    try:
        make_folder(folder)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be made: {error.strerror}") from None


class ResultWriter:
    """Stands before the store: what could not be stored stays here and is tried again with the next batch.

    finished, voids: how many this run has stored.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games: list[tuple[Finished, tuple[str, ...]]] = []
        self._voids: list[Voided] = []
        self.finished = 0
        self.voids = 0

    def take(self, report: Report) -> None:
        """A finished game is to be stored."""
        assert report.finished is not None
        self._games.append((report.finished, report.log))

    def take_void(self, void: VoidGame, attempt: int) -> None:
        self._voids.append(Voided(void, attempt))

    @property
    def is_behind(self) -> bool:
        """Whether something is not stored."""
        return bool(self._games or self._voids)

    @property
    def has_voids(self) -> bool:
        """Whether a void game is not stored."""
        return bool(self._voids)

    @property
    def unstored(self) -> tuple[str, ...]:
        """The ids of finished games that are not stored."""
        return tuple(game.spec.id for game, _ in self._games)

    def purge(self, host: str, *, because: str, who: str) -> Purge:
        """Take back what is stored of a host, see `gyoji.scheduler.ruling.purge`. Raises ConfigError."""
        from gyoji.scheduler.ruling import purge  # noqa: PLC0415 - few runs take games back

        return purge(self._store, host, because=because, who=who, when=time_of_day())

    def check(self) -> None:
        """Look whether all that was ever stored is there. Raises StoreFailure."""
        self._store.check()

    def store(self) -> list[tuple[Finished, tuple[str, ...], bool]]:
        """Store all that is here; each game, with its lines for the log, and whether it is new to the store.

        Raises StoreFailure, and keeps it.
        """
        if not self.is_behind:
            return []
        voids = self._voids
        if voids:
            after = self._store.count + len(self._games)
            voids = [each._replace(void=replace(each.void, after=after)) for each in voids]
        fresh = self._store.append_many([game for game, _ in self._games], voids)
        stored = [(game, log, game.spec.id in fresh) for game, log in self._games]
        self.finished += len(fresh)
        self.voids += sum(each.attempt != NOT_TRIED for each in voids)
        self._games, self._voids = [], []
        return stored
