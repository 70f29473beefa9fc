"""Databases of older layouts, brought to the layout of today: one function a step, the oldest first.

A step is written once and never changed: it makes the layout that comes next, as that was. All steps that a
file needs are one transaction, so a file is of its old layout, with all that was in it, or of the new one.
"""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zlib import crc32

import msgspec

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Outcome
from gyoji.core.record import course_digest
from gyoji.store.layout import SCHEMA, damaged, meaning

Step = Callable[[sqlite3.Connection], None]


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a database of ours, of an older layout, to that of today. path: for messages.

    Raises ConfigError, and leaves everything as it was, if there is no way or it fails.
    """
    try:
        connection.execute("BEGIN IMMEDIATE")
        for layout in range(_layout(connection), SCHEMA):  # another process may have done it meanwhile
            STEPS[layout](connection)
            connection.execute(f"PRAGMA user_version = {layout + 1}")
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            raise ConfigError(
                f"{path} {meaning(error)}: it is of an older gyoji, could not be brought to layout {SCHEMA}, "
                "and is left as it was"
            ) from None
        if isinstance(error, _Misfit):
            raise damaged(path, str(error)) from None
        raise


def _layout(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


class _Misfit(Exception):
    """The tables of an old file do not fit together."""


def _to_3(connection: sqlite3.Connection) -> None:
    """A result stands with what it was played by; rows have checksums and are counted; `about` has keys.

    The checksums are of what is read now: older damage is not found by them.
    """
    execute = connection.execute
    connection.create_function("checksum_3", -1, _checksum_3, deterministic=True)
    for table in ("about", "games", "moves", "voids", "rulings"):
        execute(f"ALTER TABLE {table} RENAME TO {table}_2")
    for statement in _TABLES_3:
        execute(statement)
    execute("INSERT INTO about (key, value) SELECT 'competition', competition FROM about_2")
    execute("INSERT INTO about (key, value) VALUES ('earlier', '[]')")
    execute(
        "INSERT INTO games SELECT number, id, frame, players, result,"
        " checksum_3(number, id, frame, players, result)"
        " FROM games_2 JOIN moves_2 USING (number) ORDER BY number"
    )
    execute(
        "INSERT INTO moves SELECT number, seed, note, rest, checksum_3(number, seed, note, rest) FROM moves_2"
    )
    execute(
        "INSERT INTO voids SELECT number, id, attempt, reason, void,"
        " checksum_3(number, id, attempt, reason, void) FROM voids_2"
    )
    execute("INSERT INTO rulings SELECT number, id, ruling, checksum_3(number, id, ruling) FROM rulings_2")
    for table in ("games", "moves", "voids", "rulings"):
        last, rows, before = execute(
            f"SELECT ifnull(max(number), 0), count(*), (SELECT count(*) FROM {table}_2) FROM {table}"
        ).fetchone()
        if not last == rows == before:
            raise _Misfit(f"{table} should have {last} rows, and has {before}")
        execute("INSERT INTO counts (name, rows) VALUES (?, ?)", (table, rows))
    for table in ("about", "games", "moves", "voids", "rulings"):
        execute(f"DROP TABLE {table}_2")


_TABLES_3 = (
    "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE counts (name TEXT PRIMARY KEY, rows INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE games (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, frame INTEGER NOT NULL,"
    " players TEXT NOT NULL, result TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT",
    "CREATE TABLE moves (number INTEGER PRIMARY KEY, seed INTEGER NOT NULL, note TEXT NOT NULL,"
    " rest TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT",
    "CREATE TABLE voids (number INTEGER PRIMARY KEY, id TEXT NOT NULL, attempt INTEGER NOT NULL,"
    " reason TEXT NOT NULL, void TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT",
    "CREATE TABLE rulings (number INTEGER PRIMARY KEY, id TEXT NOT NULL, ruling TEXT NOT NULL,"
    " checksum INTEGER NOT NULL) STRICT",
)


def _checksum_3(*cells: object) -> int:
    return crc32("\0".join(map(str, cells)).encode("utf-8", "surrogatepass"))


def _to_4(connection: sqlite3.Connection) -> None:
    """`about` has a secret. A competition that began without one goes on so, and plays the same games."""
    connection.execute("INSERT INTO about (key, value) VALUES ('secret', '0')")


def _to_5(connection: sqlite3.Connection) -> None:
    """A result has the digest of its game. A row that is damaged stays as it is, and so is still noticed."""
    execute, last = connection.execute, 0
    openings: dict[int, object] = {}
    while rows := execute(
        "SELECT number, id, frame, players, result, games.checksum, rest FROM games JOIN moves USING (number)"
        " WHERE number > ? ORDER BY number LIMIT 500",
        (last,),
    ).fetchall():
        last = rows[-1][0]
        for *cells, found, rest in rows:
            if _checksum_3(*cells) == found:
                with suppress(ValueError, TypeError, LookupError, AttributeError):
                    cells[-1] = _with_digest(connection, cells, rest, openings)
                    execute(
                        "UPDATE games SET result = ?, checksum = ? WHERE number = ?",
                        (cells[-1], _checksum_3(*cells), cells[0]),
                    )


def _with_digest(
    connection: sqlite3.Connection, cells: Sequence[Any], rest: str, openings: dict[int, object]
) -> str:
    """The result of a row of games, with its digest. openings: of frames that have been read."""
    frame, result = cells[2], str(cells[4])
    if frame not in openings:
        (text,) = connection.execute("SELECT text FROM texts WHERE number = ?", (frame,)).fetchone()
        openings[frame] = json.loads(text).get("options", {}).get("opening")
    outcome = wire.decode(Outcome, msgspec.json.decode(result)["outcome"])
    digest = course_digest(openings[frame], msgspec.json.decode(rest)["turns"], outcome)
    return f'{result[:-1]},"digest":"{digest}"}}' if digest else result


def _to_6(connection: sqlite3.Connection) -> None:
    """Games may be taken back."""
    connection.execute(
        "CREATE TABLE IF NOT EXISTS purges (number INTEGER PRIMARY KEY, host TEXT NOT NULL,"
        " purge TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT"
    )
    connection.execute("INSERT OR IGNORE INTO counts (name, rows) VALUES ('purges', 0)")


STEPS: Mapping[int, Step] = MappingProxyType({2: _to_3, 3: _to_4, 4: _to_5, 5: _to_6})
"""By the layout that it begins with, the step to the next."""
