"""Opening a database: connecting to the file, and finding out whether it is what somebody expects."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

from gyoji.core.faults import ConfigError
from gyoji.core.text import quote
from gyoji.store.layout import (
    APPLICATION_ID,
    COMPETITION,
    SCHEMA,
    Origin,
    about,
    create,
    damaged,
    draw_secret,
    is_blank,
    misfits,
    secret,
)
from gyoji.store.migrations import STEPS, migrate

BUSY_SECONDS = 5.0


def missing(path: Path) -> ConfigError:
    return ConfigError(f"{path}: no results yet: there is no such file; `gyoji run` makes it")


def connect_to_write(
    path: Path, competition: str, earlier: tuple[str, ...] | None, origin: Origin | None = None
) -> sqlite3.Connection:
    """A connection to the results of `competition`, in the layout of today.

    earlier: outputs that stand beside a file that is to be made; None: there must be one. origin: what a file
    that is made comes from; None: a secret is drawn for it. Raises ConfigError
    and sqlite3.Error.
    """
    for name in (f"{path}{part}" for part in _PARTS):
        if os.path.islink(name):
            raise ConfigError(
                f"{name}: it is a symbolic link, and nothing is written through it: put the file in its place"
            )
    connection = _connect(path, "mode=rw" if earlier is None else "mode=rwc")
    try:
        if earlier is not None and is_blank(connection):
            create(connection, competition, earlier, origin or Origin(draw_secret()))
        if _identify(connection, path) < SCHEMA:
            migrate(connection, path)
        _check(connection, path, competition)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")  # what cannot be written is noticed now
        connection.execute("ROLLBACK")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path, competition: str | None, *, is_doubted: bool = False) -> sqlite3.Connection:
    """A connection that cannot write to the file. What is of an older layout is read in a copy in memory.

    is_doubted: whoever opens it looks whether its ends meet. Raises ConfigError and sqlite3.Error.
    """
    connection = _connect_to_file(path)
    try:
        if _identify(connection, path) < SCHEMA:
            old, connection = connection, sqlite3.connect("", isolation_level=None)
            old.backup(connection)
            old.close()
            migrate(connection, path)
        if not is_doubted:
            _check(connection, path, competition)
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def read_secret(path: Path) -> int:
    """The secret that the competition of a database has drawn; 0 if it has none, or there is no such file.

    0 also where the file cannot be read: who opens it for its results is told why.
    """
    if not os.path.exists(path):
        return 0
    try:
        with closing(_connect_to_file(path)) as connection:
            _identify(connection, path)
            return secret(connection) or 0
    except (ConfigError, sqlite3.Error, OSError):
        return 0


def check_kind(path: Path) -> None:
    """Raise ConfigError if something stands in the place of a database, or of a file that SQLite keeps beside
    it, that is no regular file.

    SQLite would wait for a writer of a FIFO for ever, deaf to signals: Python notes them, and SQLite opens
    again.
    """
    for name in (f"{path}{part}" for part in _PARTS):
        try:
            mode = os.stat(name).st_mode
        except OSError:
            continue  # SQLite says what is wrong with it
        if not stat.S_ISREG(mode):
            kind = next((kind for is_kind, kind in _KINDS if is_kind(mode)), "a special file")
            raise ConfigError(f"{name} is {kind}, where a database is expected: move it away")


_PARTS = ("", "-wal", "-shm", "-journal")
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def cut_short(path: Path) -> str:
    """What is missing at the end of a database by its header, "" for nothing.

    SQLite takes a last page that is cut off for one that ends in zeros. The header counts pages only where
    the two counters of changes agree (https://www.sqlite.org/fileformat.html#in_header_database_size), and
    with a log beside it the file may lag behind: then nothing is said. Raises ConfigError.
    """
    log = f"{path}-wal"
    try:
        with path.open("rb") as file:
            header, size = file.read(_HEADER), os.fstat(file.fileno()).st_size
        if os.path.exists(log) and os.path.getsize(log):
            return ""
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    changes, pages, valid = (int.from_bytes(header[at : at + 4]) for at in (24, 28, 92))
    length = pages * _page_size(header)
    if len(header) < _HEADER or changes != valid or size >= length:
        return ""
    return f"the file has {size} bytes, and should have {length}"


_HEADER = 100


def _page_size(header: bytes) -> int:
    """The size of a database's pages, from its header."""
    size = int.from_bytes(header[16:18])
    return 1 << 16 if size == 1 else size


def _connect(path: Path, query: str) -> sqlite3.Connection:
    check_kind(path)
    uri = f"{Path(os.path.abspath(path)).as_uri()}?{query}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS)


def _connect_to_file(path: Path) -> sqlite3.Connection:
    """A connection that cannot write. SQLite wants to make two files beside a database in order to read it:
    where that is forbidden, and nobody is writing, it is told that the file will not change."""
    connection = _connect(path, "mode=ro")
    try:
        is_blank(connection)
        return connection
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    log = f"{path}-wal"
    if os.path.exists(log) and os.path.getsize(log):
        raise ConfigError(f"{path} cannot be read in this folder: copy it and {log} to one you may write to")
    return _connect(path, "immutable=1")


def _identify(connection: sqlite3.Connection, path: Path) -> int:
    """Which layout a database of ours has. Raises ConfigError for any other, and for an unknown layout."""
    if is_blank(connection):
        raise missing(path)
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise ConfigError(f"{path} is a database of another program")
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA:
        raise ConfigError(f"{path} is of a newer gyoji (layout {version}, this one knows {SCHEMA})")
    if version < min(STEPS):
        raise ConfigError(
            f"{path} is of an older gyoji (layout {version}, this one knows {min(STEPS)} to {SCHEMA}): "
            "play on with that one, or begin anew with `gyoji reset`"
        )
    return version


def _check(connection: sqlite3.Connection, path: Path, competition: str | None) -> None:
    """Raise ConfigError unless the database is of this competition and its ends meet.

    Costs the same for any number of games: damage further inside is noticed when it is read.
    """
    if problem := cut_short(path):
        raise damaged(path, problem)
    connection.execute("BEGIN")  # all of this is seen at one moment
    try:
        if problem := next(misfits(connection), ""):
            raise damaged(path, problem)
        stored = about(connection, COMPETITION)
    finally:
        connection.execute("ROLLBACK")
    if competition is not None and stored != competition:
        raise ConfigError(
            f"{path} holds the results of competition {quote(str(stored))}, not of {quote(competition)}: "
            "rename it back, or begin anew with `gyoji reset`"
        )
