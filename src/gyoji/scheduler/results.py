"""The results of a run on their way to the disk: the files that games leave, and what is not stored yet."""

from functools import cache
from pathlib import Path

from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.record import VoidGame
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.pairing.failures import NOT_TRIED
from gyoji.play.order import Files, Report
from gyoji.store.files import CompetitionFiles
from gyoji.store.filesystem import make_folder
from gyoji.store.store import Store
from gyoji.store.stored import Finished, Voided


class GameFiles:
    """The folders of a run, made if they are needed, and the files of each game.

    Raises ConfigError for a folder that cannot be made: now, rather than after the first game.
    """

    def __init__(
        self,
        files: CompetitionFiles,
        setup: CompetitionSetup,
        *,
        transcripts: bool = False,
    ) -> None:
        self._formats = setup.record_formats
        self._transcripts = files.transcripts if transcripts else None
        self._records = files.games if setup.record_games else None
        self._voids = files.voids if setup.record_games else None
        for folder in (self._records, self._transcripts):
            if folder is not None:
                _make(folder)

    def of(self, spec: GameSpec) -> Files:
        """Where this game leaves its files."""
        transcript = str(self._transcripts / f"{spec.id}.log") if self._transcripts else None
        if self._records is None:
            return Files(transcript=transcript)
        return Files(
            records=str(self._records),
            voids=str(self._voids),
            formats=self._formats or _formats_of(spec.game),
            transcript=transcript,
        )


@cache
def _formats_of(game: str) -> tuple[str, ...]:
    return GAMES.find(game).records


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

    def take_void(self, spec: GameSpec, void: VoidGame, attempt: int) -> None:
        self._voids.append(Voided(spec, void, attempt))

    @property
    def is_behind(self) -> bool:
        """Whether something is not stored."""
        return bool(self._games or self._voids)

    @property
    def unstored(self) -> tuple[str, ...]:
        """The ids of finished games that are not stored."""
        return tuple(game.spec.id for game, _ in self._games)

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
