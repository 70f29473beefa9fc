"""Opening a database: connecting to the file, and finding out whether it is what somebody expects."""

import os
import sqlite3
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
    for name in (f"{path}{part}" for part in ("", "-wal", "-shm", "-journal")):
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


def _connect(path: Path, query: str) -> sqlite3.Connection:
    if os.path.isdir(path):
        raise ConfigError(f"{path} is a folder, where a database is expected")
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
