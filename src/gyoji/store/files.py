"""The files of a competition: their names, the lock of a run, and their deletion by `gyoji reset`.

All files are beside the control file, and their names begin with its stem. Only a control socket whose name
would be too long has another name.
"""

# Theory of operation
#
# The lock. One run at a time may write the files of a competition.
# The lock is the kernel's (`flock`) on a file of its own, and no child process inherits its descriptor. So it
# is gone the moment its holder ends, however that happens; a pid in a file could be that of another process
# by then. The pid is written too, but only for messages.
#
#     open the file -> flock -> is it still the file of that name?  yes: held
#          ^                        |
#          +------- no: its holder deleted it in between
#
# A holder deletes the file when it gives the lock back, so that no file stays behind. A second run may have
# opened the deleted file before; it compares inodes after locking, and opens the new file.
#
# Deleting. `gyoji reset` deletes nothing that gyoji has not made. The database identifies gyoji's files: it
# has our application id, and a list of the outputs that existed when it was made. Each output that appeared
# later must be of the kind that gyoji makes under that name: a file, a socket, a folder of games. If a single
# one is not, nothing is deleted.

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

from gyoji.core.faults import ConfigError
from gyoji.store.filesystem import open_file, remove_tree
from gyoji.store.layout import APPLICATION_ID, EARLIER, NOT_OURS, about

_SUFFIXES = (
    *("db", "db-wal", "db-shm", "db-journal"),
    *("log", "hist", "report", "html", "games", "void", "gtplogs", "folders", "seats"),
)
_RUNNING = ("lock", "sock")
_LIKE_OUTPUTS = ("cmd", "status", "sgf", "psq", "json", "sqlite", "sqlite3")
"""Suffixes of gomill's outputs, of game records, and of databases. A control file must not have one of
them.
"""
SOCKET_NAME_LIMIT = 88
"""Longest name of a socket, in bytes: 108 of the kernel's address, minus `/proc/self/fd/NNNNN/` before it."""


class CompetitionFiles:
    """The paths of a competition's files. The object touches no file.

    Attributes:
        control_file: The absolute path of the control file.
        code: The code of the competition: the control file's name without its suffix.
        folder: The folder of all these files.
        log: The log of the events of all runs.
        history: The history file, like gomill's.
        page: The HTML report.
        games: The folder of the records of finished games.
        voids: The folder of the records of void games.
        transcripts: The folder of the conversations with engines.
        folders: The folder of players' own folders that last longer than a game.
        shards: The folder of shards, the parts of a divided competition: the file that all shards share, and
            the files of those that are played here.
        seats: The file with the number of revoked links of each human or remote player.
        lock: The file that a run locks.
        socket: The control socket of the run in progress. A hash replaces a name that is too long.

    Raises:
        ConfigError: The control file has the name of an output.
    """

    def __init__(self, control_file: Path) -> None:
        self.control_file = Path(os.path.abspath(control_file))
        check_name(str(self.control_file))
        self.code, self.folder = self.control_file.stem, self.control_file.parent
        self.database, self.log, self.history = map(self._beside, ("db", "log", "hist"))
        self.report, self.page = map(self._beside, ("report", "html"))
        self.games, self.voids = map(self._beside, ("games", "void"))
        self.transcripts, self.folders = map(self._beside, ("gtplogs", "folders"))
        self.shards, self.seats, self.lock = map(self._beside, ("shards", "seats", "lock"))
        self.socket = self._beside("sock")
        if len(os.fsencode(self.socket.name)) > SOCKET_NAME_LIMIT:
            self.socket = self.folder / f"{sha256(os.fsencode(self.code)).hexdigest()[:24]}.sock"

    def _beside(self, suffix: str) -> Path:
        return self.folder / f"{self.code}.{suffix}"

    def of_competition(self) -> Iterator[Path]:
        """Return the path of the control file and of every file and folder that a run may make, whether they
        exist or not.
        """
        return iter((self.control_file, *self._outputs(), self.shards, self.lock))

    def _outputs(self) -> Iterable[Path]:
        return (*(self._beside(suffix) for suffix in _SUFFIXES), self.socket)

    def outputs(self) -> Iterator[Path]:
        """Yield the outputs that exist, except the lock."""
        return (path for path in self._outputs() if os.path.lexists(path))


def check_name(control_file: str) -> None:
    """Raise ConfigError if a control file has the suffix of an output, a game record or a database."""
    suffix = Path(control_file).suffix
    if suffix.lower().removeprefix(".") in (*_SUFFIXES, *_RUNNING, *_LIKE_OUTPUTS):
        raise ConfigError(
            f"{control_file}: a control file cannot end in {suffix}: that is the name of an output; "
            "call it .toml or .ctl"
        )


def outputs_beside(database: Path) -> tuple[str, ...]:
    """Return the names of existing outputs beside a database, to be recorded in it when it is made.

    Outputs that are older than the database are not gyoji's.
    """
    names = (f"{database.stem}.{suffix}" for suffix in _SUFFIXES if not suffix.startswith("db"))
    return tuple(name for name in names if os.path.lexists(database.parent / name))


_OURS = re.compile(rb"[0-9]{0,20}\n?")
"""Pattern of the content of gyoji's lock files."""


class RunLock:
    """The lock of a competition, a context manager. While it is held, no other run can write the files.

    `__enter__` raises ConfigError if another process holds the lock, if the lock's file cannot be opened or
    locked, or if the file of that name is no lock file of gyoji.
    """

    def __init__(self, files: CompetitionFiles) -> None:
        self._path = files.lock
        self._files = files
        self._descriptor = -1

    def __enter__(self) -> "RunLock":
        while self._descriptor < 0:
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
            if _is_same_file(descriptor, self._path):
                self._descriptor = descriptor
            else:  # its holder deleted it between our opening and our locking it
                os.close(descriptor)
        with suppress(OSError):  # the disk is full: the lock is what counts, the pid is for people
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)
        return self

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
"""Parts of a database's header: https://www.sqlite.org/fileformat.html#the_database_header"""

_GAME_ID = re.compile(r"(?:.*_|g)?\d+(?:#\d+r\d+)?(?:@\d+)?", re.DOTALL)
"""Pattern of the ids of games of all formats."""


def reset(files: CompetitionFiles) -> list[Path]:
    """Delete all outputs of a competition. Return the deleted paths.

    Raises:
        ConfigError: A run is in progress, or a file is not gyoji's: nothing is deleted. Or some outputs could
            not be deleted, while all others were.
    """
    with RunLock(files):
        if strangers := list(_strangers(files)):
            raise ConfigError(
                f"nothing is deleted: {'; '.join(strangers)}; move it away, or delete it yourself"
            )
        removed, problems = [], []
        for path in files.outputs():
            if trouble := remove_tree(path):
                problems.append(trouble)
            else:
                removed.append(path)
    if problems:
        raise ConfigError("; ".join(problems))
    return removed


def _strangers(files: CompetitionFiles) -> Iterator[str]:
    """Yield a line for each path that has the name of an output but is not gyoji's.

    If there is one, `reset` deletes nothing.
    """
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
            for entry in os.scandir(path):
                stems = (entry.name[: dot.start()] for dot in re.finditer(r"\.", entry.name))
                is_named = any(_GAME_ID.fullmatch(stem) for stem in stems)
                if not (is_named and entry.is_file(follow_symlinks=False)):
                    yield f"{entry.path} is not the record of a game"


def _problem_of_database(path: Path) -> str:
    """Return the reason why a file is not a database of gyoji, else "".

    A missing file, or an empty one without a log beside it, counts as gyoji's. Only the header is read, which
    works for a damaged file too, and leaves no file beside it.
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
    """Return the names of outputs that are older than the database; an empty set if the file is damaged.

    The file is opened as immutable, so that SQLite leaves no file beside it.
    """
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?immutable=1", uri=True)) as connection:
            return frozenset(json.loads(about(connection, EARLIER) or "[]"))
    except (sqlite3.Error, ValueError):
        return frozenset()


def _problem_of_kind(files: CompetitionFiles, path: Path) -> str:
    """Return the reason why a path cannot be an output of gyoji, else "".

    Only the kind of the path is tested: file, folder or socket. A symbolic link passes, because the user may
    have moved a folder elsewhere; `reset` deletes only the link.
    """
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return ""
    if path == files.socket:
        return "" if stat.S_ISSOCK(mode) else "is no socket"
    if path in (files.games, files.voids, files.transcripts, files.folders):
        return "" if stat.S_ISDIR(mode) else "is no folder"
    return "" if stat.S_ISREG(mode) else "is no file"
