"""Which files a competition leaves, and where: all beside its control file, named after its stem."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from gyoji.core.faults import ConfigError

_SUFFIXES = (
    *("db", "db-wal", "db-shm", "db-journal"),
    *("log", "hist", "report", "html", "games", "void", "gtplogs", "folders"),
)
_RUNNING = ("lock", "sock")
_LIKE_OUTPUTS = ("cmd", "status", "sgf", "psq", "json", "sqlite", "sqlite3")
"""Of gomill's outputs, of records and of databases: no control file should stand among its results."""

SOCKET_NAME_LIMIT = 88
"""Bytes of a socket's name: 108 of the kernel's address, less `/proc/self/fd/NNNNN/` in front of it."""


@dataclass(frozen=True, slots=True)
class CompetitionFiles:
    """The outputs of the competition that `control_file` describes. Touches nothing by itself.

    Raises ConfigError for a control file whose own name is that of an output.
    """

    control_file: Path

    def __post_init__(self) -> None:
        object.__setattr__(self, "control_file", Path(os.path.abspath(self.control_file)))
        check_name(str(self.control_file))

    @property
    def code(self) -> str:
        """The competition code: the control file's name without its extension."""
        return self.control_file.stem

    @property
    def folder(self) -> Path:
        return self.control_file.parent

    def _beside(self, suffix: str) -> Path:
        return self.folder / f"{self.code}.{suffix}"

    @property
    def database(self) -> Path:
        return self._beside("db")

    @property
    def log(self) -> Path:
        """The event log."""
        return self._beside("log")

    @property
    def history(self) -> Path:
        return self._beside("hist")

    @property
    def report(self) -> Path:
        return self._beside("report")

    @property
    def page(self) -> Path:
        """The result page."""
        return self._beside("html")

    @property
    def games(self) -> Path:
        """The folder of records of finished games."""
        return self._beside("games")

    @property
    def voids(self) -> Path:
        """The folder of records of void games."""
        return self._beside("void")

    @property
    def transcripts(self) -> Path:
        """The folder of all that was said between us and the engines."""
        return self._beside("gtplogs")

    @property
    def folders(self) -> Path:
        """The folder of the players' own folders, which last longer than a game."""
        return self._beside("folders")

    @property
    def lock(self) -> Path:
        return self._beside("lock")

    @property
    def socket(self) -> Path:
        """The control socket of the run in progress; a long name gives way to its hash."""
        name = f"{self.code}.sock"
        if len(os.fsencode(name)) > SOCKET_NAME_LIMIT:
            name = f"{sha256(os.fsencode(self.code)).hexdigest()[:24]}.sock"
        return self.folder / name

    def of_competition(self) -> Iterator[Path]:
        """The control file, and every output that there may be, whether it is there or not."""
        return iter((self.control_file, *self._outputs(), self.lock))

    def _outputs(self) -> Iterable[Path]:
        return (*(self._beside(suffix) for suffix in _SUFFIXES), self.socket)

    def outputs(self) -> Iterator[Path]:
        """Every output that there is, but the lock."""
        return (path for path in self._outputs() if os.path.lexists(path))


def check_name(control_file: str) -> None:
    """Raise ConfigError for a control file whose own name is that of an output, or looks like one."""
    suffix = Path(control_file).suffix
    if suffix.lower().removeprefix(".") in (*_SUFFIXES, *_RUNNING, *_LIKE_OUTPUTS):
        raise ConfigError(
            f"{control_file}: a control file cannot end in {suffix}: that is the name of an output; "
            "call it .toml or .ctl"
        )


def outputs_beside(database: Path) -> tuple[str, ...]:
    """The names of other outputs that stand beside a database: what is there before it, is not ours."""
    names = (f"{database.stem}.{suffix}" for suffix in _SUFFIXES if not suffix.startswith("db"))
    return tuple(name for name in names if os.path.lexists(database.parent / name))
