"""Where the games of a run leave their records and transcripts."""

from functools import cache
from pathlib import Path

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.runner.order import Files
from gyoji.store.files import CompetitionFiles
from gyoji.store.writing import make_folder


class GameFiles:
    """The folders of a run, made if they are needed, and the files of each game.

    formats: names of record formats; None: those that the setup names, or else the game as its own.

    Raises ConfigError for a folder that cannot be made: now, rather than after the first game.
    """

    def __init__(
        self,
        files: CompetitionFiles,
        setup: CompetitionSetup,
        *,
        transcripts: bool = False,
        formats: tuple[str, ...] | None = None,
    ) -> None:
        self._formats = setup.record_formats or None if formats is None else formats
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
            formats=_formats_of(spec.game) if self._formats is None else self._formats,
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
