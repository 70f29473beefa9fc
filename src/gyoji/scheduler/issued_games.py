"""The games of a run from their issue to the store: in progress, their files, and results not stored yet."""

from collections import deque
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
from gyoji.play.loop import time_of_day
from gyoji.play.order import Files, Order, Progress, Report
from gyoji.results.failures import NOT_TRIED
from gyoji.scheduler.pool import Abandoned, Pool, WorkerDied
from gyoji.store.files import CompetitionFiles
from gyoji.store.filesystem import make_folder
from gyoji.store.game_texts import Finished, Voided
from gyoji.store.store import Store

Needs: TypeAlias = tuple[int, ...]
"""Amount of each resource of a queue that a game needs, in the queue's order."""


class IssuedGame(Struct, eq=False):
    """A game from its issue to its result.

    Attributes:
        number: Position in the order of issue.
        needs: Its needs, once it has joined the queue.
        has_resources: Whether it has what it needs, and is or can be played.
        slot: 0-based slot that plays it; -1 if none does.
        started: Start of the game in progress, ISO 8601.
        turns: Number of turns so far, if progress is reported.
        left: Ns on each seat's clock, if progress is reported.
        future: Its report, once it has ended.
        restarted: Whether a command has it played again.
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
        """Return the report of an ended game, which is void if the pool failed; None if it was abandoned."""
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


class WaitingGame(NamedTuple):
    """A waiting game, and the human players that it waits for."""

    game: IssuedGame
    persons: tuple[str, ...]


def _is_contained(player: Player) -> bool:
    """Return whether the player's engines are contained, and so cannot have ended the worker."""
    return player.containment.level != "off"


class GamesInProgress:
    """The games that a pool plays, at most as many as it has slots.

    Attributes:
        pool: The pool. Orders go to it by `start` only.
        slots: Number of games that it plays at once now.
    """

    def __init__(
        self,
        pool: Pool,
        *,
        is_parallel: bool,
        id_in: tuple[str, ...] = (),
    ) -> None:
        """Begin without games.

        Args:
            is_parallel: Whether games are told their slot.
            id_in: See `Order`.
        """
        self.pool = pool
        self._is_parallel = is_parallel
        self._id_in = id_in
        self._playing: dict[str, IssuedGame] = {}  # by id, in the order in which they were started
        self.follow()
        self._done: deque[str] = deque()

    def __len__(self) -> int:
        return len(self._playing)

    @property
    def has_room(self) -> bool:
        return len(self._playing) < self._most

    def now(self) -> list[IssuedGame]:
        """Return the games in progress in the order of their start."""
        return list(self._playing.values())

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the games in progress in the order of their start."""
        return tuple(self._playing)

    def resize(self, slots: int) -> None:
        """Change the number of slots, and tell games their slot from now on. Raises ConfigError."""
        self.pool.resize(slots)
        self._is_parallel = True
        self.follow()

    def follow(self) -> None:
        """Adopt the number of slots that the pool has now."""
        self.slots = self.pool.slots
        self._most = self.slots + self.pool.ahead
        self._free = sorted(set(range(self._most)) - {game.slot for game in self._playing.values()})

    def start(self, game: IssuedGame, files: Files, *, watch: bool) -> Order:
        """Have a game played. Return its order."""
        game.slot = heappop(self._free)
        game.started, game.turns, game.left = time_of_day(), 0, ()
        slot = game.slot if self._is_parallel else None
        order = Order(spec=game.spec, slot=slot, files=files, watch=watch, id_in=self._id_in)
        game.future = self.pool.submit(order)
        self._playing[game.id] = game
        game_id = game.id  # the callback knows no game: a circle is freed late
        game.future.add_done_callback(lambda _: self._done.append(game_id))
        return order

    def wait(self) -> None:
        """Wait until something has happened, which need not be the end of a game."""
        self.pool.loop.wait(0 if self._done else None)

    def ended(self) -> list[IssuedGame]:
        """Return the games that have ended since the last call, and free their slots."""
        games = []
        while self._done:
            game = self._playing.pop(self._done.popleft())
            if game.slot < self._most:
                heappush(self._free, game.slot)
            game.slot = -1
            games.append(game)
        return games

    def note(self, progress: Progress) -> bool:
        """Note the clocks of a game. Return False if it is not in progress any more."""
        if (game := self._playing.get(progress.id)) is None:
            return False
        game.turns, game.left = progress.turns, progress.left
        return True

    def describe(self) -> list[dict[str, Any]]:
        """Return the games in progress, JSON-ready. Turns are 0 unless progress is reported."""
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
    """The folders of a run, and the files of each game in them."""

    def __init__(
        self,
        files: CompetitionFiles,
        setup: CompetitionSetup,
        *,
        transcripts: bool = False,
    ) -> None:
        """Make the folders that are needed, so that a run fails now and not after its first game.

        Raises:
            ConfigError: A folder cannot be made.
        """
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
        """Return a game's files, relative to the competition's folder."""
        files = self._of_game(spec.game)
        if self._transcripts is None:
            return files
        return replace(files, transcript=f"{self._transcripts.name}/{spec.id}.log")

    def _of(self, game: str) -> Files:
        """Return the files of each game of that kind, without a transcript."""
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
    """A buffer before the store. Results that cannot be stored stay here for the next batch.

    Attributes:
        finished: Number of finished games that this run has stored.
        voids: Number of void games that this run has stored.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games: list[tuple[Finished, tuple[str, ...]]] = []
        self._voids: list[Voided] = []
        self.finished = 0
        self.voids = 0

    def take(self, report: Report) -> None:
        """Add a finished game."""
        assert report.finished is not None
        self._games.append((report.finished, report.log))

    def take_void(self, void: VoidGame, attempt: int) -> None:
        self._voids.append(Voided(void, attempt))

    @property
    def is_behind(self) -> bool:
        """Whether something is not stored yet."""
        return bool(self._games or self._voids)

    @property
    def has_voids(self) -> bool:
        """Whether a void game is not stored yet."""
        return bool(self._voids)

    @property
    def unstored(self) -> tuple[str, ...]:
        """Ids of finished games that are not stored yet."""
        return tuple(game.spec.id for game, _ in self._games)

    def purge(self, host: str, *, because: str, who: str) -> Purge:
        """Invalidate the stored games of a host, see `gyoji.scheduler.ruling.purge`. Raises ConfigError."""
        from gyoji.scheduler.ruling import purge  # noqa: PLC0415 - few runs take games back

        return purge(self._store, host, because=because, who=who, when=time_of_day())

    def check(self) -> None:
        """Check that everything stored is still there. Raises StoreFailure."""
        self._store.check()

    def store(self) -> list[tuple[Finished, tuple[str, ...], bool]]:
        """Store everything here in one transaction.

        Returns:
            Each finished game with its lines for the event log, and whether the store did not have it
            already.

        Raises:
            StoreFailure: Nothing was stored, and everything is kept.
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
