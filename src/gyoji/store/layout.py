"""How a database of ours is laid out: its tables, what makes a file one of ours, what SQLite's errors mean.

Rows of games, moves, voids, rulings and purges are only ever added, numbered from 1 without a gap. So the
number of the last row is the number of rows, and a reader that goes by row numbers sees a prefix of the
competition whatever the writer does meanwhile. `counts` says how many rows there are, so that missing ones
are missed; each row has a checksum of its other cells, so that changed ones are noticed.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from random import SystemRandom
from types import MappingProxyType
from typing import Any, NamedTuple
from zlib import crc32

from gyoji.core.faults import Breakdown, ConfigError

APPLICATION_ID = 0x67796F6A  # "gyoj", in the file's header
SCHEMA = 6
"""The layout below. A file with a higher number is of a newer gyoji, one with a lower of an older one."""

COMPETITION, EARLIER, SECRET, SHARDS, SHARD = "competition", "earlier", "secret", "shards", "shard"
"""Keys of `about`: the competition's code; the outputs (a JSON list of names) that stood there before it; the
secret that it has drawn, a whole number, 0 if it has none; which division into shards its games are of, and
which shard of that (neither is there where it is not divided)."""

SECRETS = 1 << 128
"""How many there are. Who knows what was drawn from one cannot try them all."""


class Origin(NamedTuple):
    """The origin of the games of a store: the competition's secret, the id of its division into shards, and
    the shard like "3/8"; "" for neither."""

    secret: int
    shards: str = ""
    shard: str = ""


def draw_secret() -> int:
    """A new secret."""
    return SystemRandom().randrange(1, SECRETS)


CREATION = (
    "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    # how many rows the tables have in which they are numbered
    "CREATE TABLE counts (name TEXT PRIMARY KEY, rows INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    # what many games share: players, and specs without what is their own
    "CREATE TABLE texts (number INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, text TEXT NOT NULL) STRICT",
    # in order of completion: what it was played by (frame and players are numbers of texts), and a GameResult
    "CREATE TABLE games (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, frame INTEGER NOT NULL,"
    " players TEXT NOT NULL, result TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT",
    # as games, row for row: what is the game's own of its spec, and how it went
    "CREATE TABLE moves (number INTEGER PRIMARY KEY, seed INTEGER NOT NULL, note TEXT NOT NULL,"
    " rest TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT",
    # void is a VoidGame
    "CREATE TABLE voids (number INTEGER PRIMARY KEY, id TEXT NOT NULL, attempt INTEGER NOT NULL,"
    " reason TEXT NOT NULL, void TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT",
    # in order of time, game by its id; the last of a game holds, the others stay for the record
    "CREATE TABLE rulings (number INTEGER PRIMARY KEY, id TEXT NOT NULL, ruling TEXT NOT NULL,"
    " checksum INTEGER NOT NULL) STRICT",
    # in order of time: a Purge, of games of this host
    "CREATE TABLE purges (number INTEGER PRIMARY KEY, host TEXT NOT NULL, purge TEXT NOT NULL,"
    " checksum INTEGER NOT NULL) STRICT",
)

COLUMNS = MappingProxyType(
    {
        "games": ("number", "id", "frame", "players", "result"),
        "moves": ("number", "seed", "note", "rest"),
        "voids": ("number", "id", "attempt", "reason", "void"),
        "rulings": ("number", "id", "ruling"),
        "purges": ("number", "host", "purge"),
    }
)
"""The tables whose rows are numbered, with the columns that the checksum is of, in its order."""

INSERTS = MappingProxyType(
    {
        table: f"INSERT INTO {table} ({', '.join(columns)}, checksum) VALUES ({'?, ' * len(columns)}?)"
        for table, columns in COLUMNS.items()
    }
)

INSERT_NEW_GAME = f"{INSERTS['games']} ON CONFLICT (id) DO NOTHING"
"""The same for a game that may be there already."""

NO_TABLE = "there is no table"
"""The beginning of the line of `misfits` after which nothing can be read."""

_OTHERS = ("about", "counts", "texts")

_JOINED = tuple("\0".join(["%s"] * number) for number in range(max(map(len, COLUMNS.values())) + 1))
"""By how many cells there are: for a million rows, the fastest way to make one text of them."""


def checksum(*cells: object) -> int:
    """The checksum of a row. It finds accidents, not forgers."""
    return crc32((_JOINED[len(cells)] % cells).encode())


def checksums(rows: Sequence[tuple[Any, ...]]) -> list[int]:
    """The right checksum at the end of each of these rows. They are of one table, read as `selected`
    names its columns."""
    joined = f"{_JOINED[len(rows[0]) - 2]}\0" if rows else ""
    return [crc32(row[-2], crc32((joined % row[:-2]).encode())) for row in rows]


def selected(table: str) -> str:
    """The columns of a table as they are read, and the checksum: of the last, a long text, its bytes."""
    *names, last = COLUMNS[table]
    return f"{', '.join(names)}, CAST({last} AS BLOB), checksum"


def text_digest(text: str) -> bytes:
    """The digest by which a shared text is looked up and checked."""
    return blake2b(text.encode(), digest_size=16).digest()


def create(connection: sqlite3.Connection, competition: str, earlier: Iterable[str], origin: Origin) -> None:
    """Lay the tables out, all or none of them, unless another process has just done so."""
    execute = connection.execute
    execute("BEGIN IMMEDIATE")
    if is_blank(connection):
        for statement in CREATION:
            execute(statement)
        execute(f"PRAGMA application_id = {APPLICATION_ID}")
        execute(f"PRAGMA user_version = {SCHEMA}")
        about = (
            (COMPETITION, competition),
            (EARLIER, json.dumps(sorted(earlier))),
            (SECRET, str(origin.secret)),
            *((key, value) for key, value in ((SHARDS, origin.shards), (SHARD, origin.shard)) if value),
        )
        connection.executemany("INSERT INTO about (key, value) VALUES (?, ?)", about)
        connection.executemany("INSERT INTO counts (name, rows) VALUES (?, 0)", ((name,) for name in COLUMNS))
    execute("COMMIT")


def is_blank(connection: sqlite3.Connection) -> bool:
    """Whether nothing at all has been stored: an empty file is a database."""
    return not (
        connection.execute("PRAGMA application_id").fetchone()[0]
        or connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    )


def about(connection: sqlite3.Connection, key: str) -> str | None:
    """The value noted under a key, None if there is none."""
    row = connection.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def secret(connection: sqlite3.Connection) -> int | None:
    """The secret of the competition, 0 if it has none; None if what stands there is no such number."""
    found = about(connection, SECRET) or ""
    return int(found) if found.isascii() and found.isdigit() and len(found) <= len(str(SECRETS)) else None


def last_row(connection: sqlite3.Connection, table: str) -> int:
    """The number of the last row of a table, which is the number of its rows. O(log n)."""
    return int(connection.execute(f"SELECT max(number) FROM {table}").fetchone()[0] or 0)


def counted_rows(connection: sqlite3.Connection, table: str) -> int:
    """How many rows a table should have."""
    row = connection.execute("SELECT rows FROM counts WHERE name = ?", (table,)).fetchone()
    return -1 if row is None else int(row[0])


def row_numbers(connection: sqlite3.Connection, table: str) -> tuple[int, int]:
    """(the number of the last row of a table, how many rows it should have): both at once, for the writer."""
    query = f"SELECT max(number), (SELECT rows FROM counts WHERE name = ?) FROM {table}"
    last, rows = connection.execute(query, (table,)).fetchone()
    return last or 0, -1 if rows is None else rows


def misfits(connection: sqlite3.Connection) -> Iterator[str]:
    """All contradictions at the ends of tables and in `about`; no more where a table is missing. O(log n).

    Indexes and views of somebody's own do no harm; a trigger may change what we write.
    """
    found = connection.execute("SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'trigger')")
    kinds = {name: kind for kind, name in found.fetchall()}
    missing = [name for name in (*_OTHERS, *COLUMNS) if kinds.get(name) != "table"]
    yield from (f"{NO_TABLE} {name}" for name in missing)
    yield from (f"trigger {name} is not of gyoji" for name, kind in kinds.items() if kind == "trigger")
    if missing:
        return
    for table in COLUMNS:
        there, counted = last_row(connection, table), counted_rows(connection, table)
        if there != counted:
            yield f"{table} ends with row {there}, and should have {counted}"
    if last_row(connection, "games") != last_row(connection, "moves"):
        yield "games and moves do not fit together"
    if about(connection, COMPETITION) is None:
        yield "it does not say of which competition it is"
    if secret(connection) is None:
        yield f"about says nothing that could be the {SECRET} of the competition"


class StoreFailure(Breakdown):
    """Results could not be written. Nothing of that batch is stored; the same batch may be tried again."""


NOT_OURS = "is not a database of gyoji"
_DAMAGED = "is damaged; restore a copy, or save what there is with `gyoji verify --recover`"

# By primary result code (https://www.sqlite.org/rescode.html).
_MEANINGS = {
    sqlite3.SQLITE_NOTADB: NOT_OURS,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_FULL: "cannot be written: the disk is full",
    sqlite3.SQLITE_READONLY: "cannot be written: the file or its folder is read-only",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: the file or its folder is not accessible",
    sqlite3.SQLITE_PERM: "cannot be opened: permission denied",
    sqlite3.SQLITE_AUTH: "cannot be opened: permission denied",
    sqlite3.SQLITE_BUSY: "is in use by another program",
    sqlite3.SQLITE_LOCKED: "is in use by another program",
}


def meaning(error: sqlite3.Error) -> str:
    """A line about the file for which SQLite raised `error`."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return _MEANINGS.get(code) or f"cannot be used: {error}"


class Damage(ConfigError):
    """A database is not as it was written. detail: where."""

    def __init__(self, text: str, detail: str) -> None:
        super().__init__(text)
        self.detail = detail


def damaged(path: Path, detail: str) -> Damage:
    return Damage(f"{path} {_DAMAGED} ({detail})", detail)


@contextmanager
def blaming_user(path: Path) -> Iterator[None]:
    """SQLite's errors as ConfigError: for opening and reading."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
            raise damaged(path, str(error)) from None
        raise ConfigError(f"{path} {meaning(error)}") from None


@contextmanager
def blaming_machine(path: Path) -> Iterator[None]:
    """SQLite's errors as StoreFailure: for what is written during a run."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        text = meaning(error) if isinstance(error, sqlite3.Error) else f"is gone: {error.strerror}"
        raise StoreFailure(f"{path} {text}") from None
