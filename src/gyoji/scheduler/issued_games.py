"""The games of a run that were issued: those in progress, their output files, and results not stored yet."""

from collections import deque
from concurrent.futures import CancelledError, Future
from heapq import heappop, heappush
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.record import Purge, VoidGame
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
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
"""The amounts of resources that a game needs, in the order in which its queue counts resources."""


class IssuedGame(Struct, eq=False):
    """A game from the moment at which the competition names it to its result.

    Attributes:
        spec: The game.
        number: Position of the game in the order in which the competition named its games.
        needs: Amount of each resource that the game needs, in the order in which `ReadyQueue` has the
            resources.
        has_resources: Whether these resources are reserved for the game, which is in progress or about to
            start.
        slot: Number of the slot that plays the game; -1 for none. A slot is a place for one game at a time.
        started: Start of the attempt in progress, ISO 8601; "" before.
        turns: Number of turns so far, if workers report them.
        left: Ns on the clock of each seat, None without a clock; () if workers do not report them.
        future: Gets the report of the game when it has ended; None before it is started.
        restarted: Whether the organiser has it played again.
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
        """Return the report of a game that has ended; None if it was abandoned.

        If the worker or machine that played it failed, the report is of a void game.
        """
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
            # A contained engine cannot have killed the worker
            against=moving[0].code if len(moving) == 1 and moving[0].containment.level == "off" else "",
        )


class WaitingGame(NamedTuple):
    """A game that waits, and the names of the human and remote players for whom it waits."""

    game: IssuedGame
    persons: tuple[str, ...]


class GamesInProgress:
    """The games that have been handed to the pool and have not ended.

    Attributes:
        pool: Plays the games. Only the method `start` submits games to the pool.
        slots: Number of games that the pool plays at once now. It may accept a few more (`Pool.ahead`).
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
            is_parallel: Whether engines get the number of their slot (the place for one game at a time).
            id_in: Names of environment variables in which engines get the game's id.
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
        """Change the number of games at once. Engines of games that start later get the number of their slot.

        Raises ConfigError if there are too few processors.
        """
        self.pool.resize(slots)
        self._is_parallel = True
        self.follow()

    def follow(self) -> None:
        """Adopt the number of games that the pool now plays at once."""
        self.slots = self.pool.slots
        self._most = self.slots + self.pool.ahead
        self._free = sorted(set(range(self._most)) - {game.slot for game in self._playing.values()})

    def start(self, game: IssuedGame, files: Files, *, watch: bool) -> Order:
        """Have a game played.

        Args:
            files: The files that the game is to leave.
            watch: Whether the worker is to report turns and clocks during the game.

        Returns:
            The order as it was given to the pool.
        """
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
        """Wait until the loop has handled an event, which need not be the end of a game."""
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
        """Store the turns and clocks that a worker reports. Return False if the game is no longer in
        progress."""
        if (game := self._playing.get(progress.id)) is None:
            return False
        game.turns, game.left = progress.turns, progress.left
        return True

    def describe(self) -> list[dict[str, Any]]:
        """Return the games in progress as JSON-ready objects. Turns are 0 unless progress is reported."""
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
    """Decides which files each game of a run leaves, and in which folders."""

    def __init__(
        self,
        files: CompetitionFiles,
        setup: CompetitionSetup,
        *,
        transcripts: bool = False,
    ) -> None:
        """Create the folders now, so that a missing permission stops the run before its first game.

        Args:
            transcripts: Whether the conversations with engines are written to files.

        Raises:
            ConfigError: A folder cannot be made.
        """
        self.folder = files.folder
        self._formats = setup.record_formats
        self._transcripts = files.transcripts if transcripts else None
        self._records = files.games if setup.record_games else None
        self._voids = files.voids
        for folder in (self._records, self._transcripts):
            try:
                if folder is not None:
                    make_folder(folder)
            except OSError as error:
                raise ConfigError(f"{folder}: cannot be made: {error.strerror}") from None

    def of(self, spec: GameSpec) -> Files:
        """Return the files of a game, relative to the competition's folder."""
        transcript = None if self._transcripts is None else f"{self._transcripts.name}/{spec.id}.log"
        if self._records is None:
            return Files(transcript=transcript)
        return Files(
            records=self._records.name,
            voids=self._voids.name,
            formats=self._formats or GAMES.find(spec.game).records,
            transcript=transcript,
        )


class ResultWriter:
    """Stores results in batches. What cannot be stored is kept for the next attempt.

    Attributes:
        finished: Number of finished games that this run has stored.
        voids: Number of failed attempts at games that this run has stored. Games skipped without an attempt
            do not count.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games: list[tuple[Finished, tuple[str, ...]]] = []
        self._voids: list[Voided] = []
        self.finished = 0
        self.voids = 0

    def take(self, report: Report) -> None:
        """Add the report of a finished game to the next batch."""
        assert report.finished is not None
        self._games.append((report.finished, report.log))

    def take_void(self, void: VoidGame, attempt: int) -> None:
        self._voids.append(Voided(void, attempt))

    @property
    def is_behind(self) -> bool:
        """Whether anything is not stored yet."""
        return bool(self._games or self._voids)

    @property
    def has_voids(self) -> bool:
        """Whether a failed game is not stored yet."""
        return bool(self._voids)

    @property
    def unstored(self) -> tuple[str, ...]:
        """Ids of finished games that are not stored yet."""
        return tuple(game.spec.id for game, _ in self._games)

    def purge(self, host: str, *, because: str, who: str) -> Purge:
        """Invalidate the stored games of a machine: they do not count any more and are played again.

        Args:
            host: Name of the machine.
            because: The organiser's reason.
            who: Name of the organiser.

        Raises:
            ConfigError: The machine has no games that count, or the reason is empty.
        """
        from gyoji.scheduler.ruling import purge  # noqa: PLC0415 - few runs take games back

        return purge(self._store, host, because=because, who=who, when=time_of_day())

    def check(self) -> None:
        """Check that the database still has everything that was stored. Raises StoreFailure."""
        self._store.check()

    def store(self) -> list[tuple[Finished, tuple[str, ...], bool]]:
        """Store the batch in one transaction.

        Returns:
            For each finished game: (the game, lines about it for the event log, whether it is new to the
                database).

        Raises:
            StoreFailure: Nothing was stored. The batch is kept.
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
