"""The files of a competition, all beside its control file and named after its stem: where they are, the lock
that lets one run at a time write them, and how they are deleted to begin anew.

The lock is the kernel's (`flock`), on a file of its own that no child process inherits, so it is gone the
moment its holder is, however it ended. The file is deleted when the lock is given back; who waited with the
deleted file in hand notices and opens the new one.

Nothing is deleted that we have not made. The database says what is ours: it has our application id, and it
knows which files stood beside it before it was made. Of what appeared later, each must be what we would have
made of that name: a file, a socket, a folder of games. If anything is not ours, nothing is deleted at all.
"""

import fcntl
import json
import os
import re
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from msgspec.structs import force_setattr

from gyoji.core.faults import ConfigError
from gyoji.store.filesystem import open_file, remove_tree
from gyoji.store.layout import APPLICATION_ID, EARLIER, NOT_OURS, about

_SUFFIXES = (
    *("db", "db-wal", "db-shm", "db-journal"),
    *("log", "hist", "report", "html", "games", "void", "gtplogs", "folders", "seats"),
)
_RUNNING = ("lock", "sock")
_LIKE_OUTPUTS = ("cmd", "status", "sgf", "psq", "json", "sqlite", "sqlite3")
"""Of gomill's outputs, of records and of databases: no control file should stand among its results."""

SOCKET_NAME_LIMIT = 88
"""Bytes of a socket's name: 108 of the kernel's address, less `/proc/self/fd/NNNNN/` in front of it."""


class CompetitionFiles(Struct, frozen=True):
    """The outputs of the competition that `control_file` describes. Touches nothing by itself.

    Raises ConfigError for a control file whose own name is that of an output.
    """

    control_file: Path

    def __post_init__(self) -> None:
        force_setattr(self, "control_file", Path(os.path.abspath(self.control_file)))
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
    def shards(self) -> Path:
        """The folder of its shards: their secret, and the outputs of those that are played here."""
        return self._beside("shards")

    @property
    def seats(self) -> Path:
        """How often the link of each person has been taken back."""
        return self._beside("seats")

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
        return iter((self.control_file, *self._outputs(), self.shards, self.lock))

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


_OURS = re.compile(rb"[0-9]{0,20}\n?")
"""The text of a lock file of ours."""


class RunLock:
    """The right to run one competition, from `__enter__` to `__exit__`. Raises ConfigError if it is taken."""

    def __init__(self, files: CompetitionFiles) -> None:
        self._path = files.lock
        self._files = files
        self._descriptor = -1

    def __enter__(self) -> "RunLock":
        while self._descriptor < 0:
            descriptor = self._locked()
            if _is_same_file(descriptor, self._path):
                self._descriptor = descriptor
            else:  # its holder deleted it between our opening and our locking it
                os.close(descriptor)
        with suppress(OSError):  # the disk is full: the lock is what counts, the pid is for people
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)
        return self

    def _locked(self) -> int:
        try:
            descriptor = open_file(self._path, os.O_RDWR)
        except OSError as error:
            where = "results go beside the control file, where you may write"
            raise ConfigError(f"{self._path}: cannot be written: {error.strerror}; {where}") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            os.close(descriptor)
            holder = f" (process {pid})" if pid.isdigit() else ""
            raise ConfigError(
                f"{self._files.control_file}: this competition is running already{holder}"
            ) from None
        except OSError as error:
            os.close(descriptor)
            raise ConfigError(f"{self._path}: cannot be locked: {error.strerror}") from None
        if not _OURS.fullmatch(os.pread(descriptor, 64, 0)):
            os.close(descriptor)
            raise ConfigError(
                f"{self._path}: is not a lock file of gyoji: move it away, or rename the control file"
            )
        return descriptor

    def __exit__(self, *_: object) -> None:
        self._path.unlink(missing_ok=True)
        os.close(self._descriptor)
        self._descriptor = -1


def _is_same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except FileNotFoundError:
        return False


_MAGIC, _ID_AT, _HEADER = b"SQLite format 3\0", 68, 100
"""Of the header of a database: https://www.sqlite.org/fileformat.html#the_database_header"""

_GAME_ID = re.compile(r"(?:.*_|g)?\d+(?:#\d+r\d+)?(?:@\d+)?", re.DOTALL)
"""The pattern of the ids of games, whatever the format."""


def reset(files: CompetitionFiles) -> list[Path]:
    """Delete all that runs of this competition have left; what was deleted.

    Raises ConfigError while one runs, if something there is not ours (then nothing is deleted), and, after
    having tried all, for what cannot be deleted.
    """
    with RunLock(files):
        if strangers := list(_strangers(files)):
            raise ConfigError(
                f"nothing is deleted: {'; '.join(strangers)}; move it away, or delete it yourself"
            )
        return _remove_outputs(files)


def _strangers(files: CompetitionFiles) -> Iterator[str]:
    """For each output that is not ours, the reason."""
    outputs = list(files.outputs())
    if problem := _problem_of_database(files.database):
        yield f"{files.database} {problem}"
        return
    if not files.database.exists():
        yield from (f"{path} is not known to be ours: there is no {files.database.name}" for path in outputs)
        return
    earlier = _earlier(files.database)
    folders = (files.games, files.voids, files.transcripts)
    for path in outputs:
        if path.name in earlier:
            yield f"{path} was there before the competition"
        elif problem := _problem_of_kind(files, path):
            yield f"{path} {problem}"
        elif path in folders and not path.is_symlink():
            yield from _strange_entries(path)


def _problem_of_database(path: Path) -> str:
    """Why a file is none of our databases; "" if it is one, if nothing is in it, or if there is none.

    Its header is enough, also where the rest is damaged; and reading it leaves no file beside it.
    """
    if path.exists() and not path.is_file():  # to open a FIFO would be to wait for who writes to it
        return "is a folder" if path.is_dir() else "is no regular file"
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if not header:
        log = path.with_name(f"{path.name}-wal")
        return "is empty, but not its log" if log.exists() and log.stat().st_size else ""
    if not header.startswith(_MAGIC) or len(header) < _HEADER:
        return NOT_OURS
    if int.from_bytes(header[_ID_AT : _ID_AT + 4]) != APPLICATION_ID:
        return "is a database of another program"
    return ""


def _earlier(database: Path) -> frozenset[str]:
    """The names of outputs that were there before the database; none where it cannot tell: damaged, or of an
    older layout. Opened so, it leaves no file beside it."""
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?immutable=1", uri=True)) as connection:
            return frozenset(json.loads(about(connection, EARLIER) or "[]"))
    except (sqlite3.Error, ValueError):
        return frozenset()


def _problem_of_kind(files: CompetitionFiles, path: Path) -> str:
    """Why a path cannot be an output of ours of that name, "" if it can. A link can: somebody may have moved
    a folder elsewhere, and only the link is deleted."""
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return ""
    if path == files.socket:
        return "" if stat.S_ISSOCK(mode) else "is no socket"
    if path in (files.games, files.voids, files.transcripts, files.folders):
        return "" if stat.S_ISDIR(mode) else "is no folder"
    return "" if stat.S_ISREG(mode) else "is no file"


def _strange_entries(folder: Path) -> Iterator[str]:
    """The entries of a folder of games that are not named after one."""
    for entry in os.scandir(folder):
        stems = (entry.name[: dot.start()] for dot in re.finditer(r"\.", entry.name))
        is_named = any(_GAME_ID.fullmatch(stem) for stem in stems)
        if not (is_named and entry.is_file(follow_symlinks=False)):
            yield f"{entry.path} is not the record of a game"


def _remove_outputs(files: CompetitionFiles) -> list[Path]:
    """Delete all outputs but the lock; what was deleted. Raises ConfigError for each that would not go."""
    removed, problems = [], []
    for path in files.outputs():
        if trouble := remove_tree(path):
            problems.append(trouble)
        else:
            removed.append(path)
    if problems:
        raise ConfigError("; ".join(problems))
    return removed
