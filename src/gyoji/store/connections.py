"""Connections to databases, which check that a file is the expected database."""

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

BUSY_SECONDS = 5.0


def missing(path: Path) -> ConfigError:
    """Return the error that says that the database `path` does not exist yet."""
    return ConfigError(f"{path}: no results yet: there is no such file; `gyoji run` makes it")


def connect_to_write(
    path: Path, competition: str, earlier: tuple[str, ...] | None, origin: Origin | None = None
) -> sqlite3.Connection:
    """Open a connection for writing the results of a competition.

    Args:
        earlier: Names of the output files that exist before a new database is made. The database records
            them. None if the database must exist already.
        origin: The origin of a new file; None for one with a random secret.

    Raises:
        ConfigError: The file cannot be used.
        sqlite3.Error: SQLite refuses it.
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
        _identify(connection, path)
        _check(connection, path, competition)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")  # fails now if the file cannot be written
        connection.execute("ROLLBACK")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path, competition: str | None, *, is_doubted: bool = False) -> sqlite3.Connection:
    """Open a connection that cannot write to the file.

    Args:
        competition: Code of the competition that the file must belong to (`CompetitionFiles.code`); None for
            any.
        is_doubted: Whether the caller checks the file's content itself. If so, it is not checked here.

    Raises:
        ConfigError: The file cannot be used.
        sqlite3.Error: SQLite refuses it.
    """
    connection = _connect_to_file(path)
    try:
        _identify(connection, path)
        if not is_doubted:
            _check(connection, path, competition)
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def read_secret(path: Path) -> int:
    """Return the secret in a database. Return 0 if there is no file, or it cannot be read.

    A command that needs the results opens the file later, and then reports the reason.
    """
    if not os.path.exists(path):
        return 0
    try:
        with closing(_connect_to_file(path)) as connection:
            _identify(connection, path)
            return secret(connection) or 0
    except (ConfigError, sqlite3.Error, OSError):
        return 0


_PARTS = ("", "-wal", "-shm", "-journal")


def cut_short(connection: sqlite3.Connection, path: Path) -> str:
    """Return a message if the last page of a file is incomplete; "" if it is complete.

    SQLite reports missing pages, but reads an incomplete last page as one that ends in zeros. If SQLite's log
    is beside the file, another process may be writing the file, so nothing is reported.

    Raises:
        ConfigError: The file cannot be read.
    """
    # The file is not opened: closing it would drop the locks that SQLite holds on it in this process, and
    # another process would remove the log under an open connection
    # (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    log = f"{path}-wal"
    try:
        size = path.stat().st_size
        if os.path.exists(log) and os.path.getsize(log):
            return ""
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    page_size: int = connection.execute("PRAGMA page_size").fetchone()[0]
    length = -(-size // page_size) * page_size
    return "" if size == length else f"the file has {size} bytes, and should have {length}"


def _connect(path: Path, query: str) -> sqlite3.Connection:
    for name in (f"{path}{part}" for part in _PARTS):
        try:
            mode = os.stat(name).st_mode
        except OSError:
            continue  # SQLite says what is wrong with it
        if not stat.S_ISREG(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "no plain file"
            raise ConfigError(f"{name} is {kind}, where a database is expected: move it away")
    uri = f"{Path(os.path.abspath(path)).as_uri()}?{query}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS)


def _connect_to_file(path: Path) -> sqlite3.Connection:
    """Open a connection that cannot write. The file may be in a read-only folder.

    To read a database, SQLite creates two files beside it. In a read-only folder it cannot. A database
    without a log is then opened as `immutable`: SQLite assumes that the file does not change.
    """
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


def _identify(connection: sqlite3.Connection, path: Path) -> None:
    """Raise ConfigError unless a database is gyoji's and has the present layout."""
    if is_blank(connection):
        raise missing(path)
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise ConfigError(f"{path} is a database of another program")
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA:
        raise ConfigError(f"{path} is of a newer gyoji (layout {version}, this one knows {SCHEMA})")
    if version < SCHEMA:
        raise ConfigError(
            f"{path} has layout {version}, which no release of gyoji wrote: begin anew with `gyoji reset`, "
            "or go on with the version that wrote it"
        )


def _check(connection: sqlite3.Connection, path: Path, competition: str | None) -> None:
    """Raise ConfigError unless the database belongs to the competition and its tables are consistent.

    The cost does not depend on the number of games. Damage inside tables is found when they are read.
    """
    if problem := cut_short(connection, path):
        raise damaged(path, problem)
    connection.execute("BEGIN")  # one snapshot for all of the following
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
