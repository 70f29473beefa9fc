"""The layout of a database: its tables, its header, its checksums, and messages for SQLite's errors."""

# Results and moves are separate tables with the same row numbers, because a resume and most commands read
# results only. A game of 9x9 Go has 0.7 KB of result and 3.4 KB of moves; longer games have more moves.
# Texts that many games share (players, settings) are stored once, and rows of games refer to them by number.

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
SCHEMA = 7
"""Number of the layout, in the file's header. No release of gyoji has written a lower one."""

COMPETITION, EARLIER, SECRET, SHARDS, SHARD = "competition", "earlier", "secret", "shards", "shard"
"""Keys of the table `about`.

They are: the code of the competition; the outputs that existed before the file (a JSON list of names); the
secret of the competition, a whole number; the id of its division into shards, and the shard in this file. A
file of a competition without shards lacks the last two.
"""

SECRETS = 1 << 128
"""Number of possible secrets: too many for an engine to find the secret of its game's seed by trial."""


class Origin(NamedTuple):
    """The origin of the games in a store.

    Attributes:
        secret: Secret of the competition, from which the seeds of games follow.
        shards: Id of the division of a competition into shards, parts that are played apart; "" for an
            undivided one.
        shard: Number of the shard in this store, and of all shards, as in "3/8"; "" for none.
    """

    secret: int
    shards: str = ""
    shard: str = ""


def draw_secret() -> int:
    return SystemRandom().randrange(1, SECRETS)


CREATION = (
    "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    # the number of rows of each table with numbered rows
    "CREATE TABLE counts (name TEXT PRIMARY KEY, rows INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    # texts that many games share: players, and frames (`game_texts.SpecParts`)
    "CREATE TABLE texts (number INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, text TEXT NOT NULL) STRICT",
    # in order of completion: frame and players are row numbers of texts, result is a GameResult
    "CREATE TABLE games (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, frame INTEGER NOT NULL,"
    " players TEXT NOT NULL, result TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT",
    # a row for each row of games: its spec's own values, and the record without the result
    "CREATE TABLE moves (number INTEGER PRIMARY KEY, seed INTEGER NOT NULL, note TEXT NOT NULL,"
    " rest TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT",
    # void is a VoidGame
    "CREATE TABLE voids (number INTEGER PRIMARY KEY, id TEXT NOT NULL, attempt INTEGER NOT NULL,"
    " reason TEXT NOT NULL, void TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT",
    # in order of time, with the id of the game; of a game's rulings the last is in force
    "CREATE TABLE rulings (number INTEGER PRIMARY KEY, id TEXT NOT NULL, ruling TEXT NOT NULL,"
    " checksum INTEGER NOT NULL) STRICT",
    # in order of time: purge is a Purge of games that the host played
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
"""The tables with numbered rows, and the columns of each that its checksum covers, in this order."""

INSERTS = MappingProxyType(
    {
        table: f"INSERT INTO {table} ({', '.join(columns)}, checksum) VALUES ({'?, ' * len(columns)}?)"
        for table, columns in COLUMNS.items()
    }
)

INSERT_NEW_GAME = f"{INSERTS['games']} ON CONFLICT (id) DO NOTHING"
"""Statement that inserts a game unless its id is stored already."""

NO_TABLE = "there is no table"
"""Beginning of lines of `misfits` about missing tables, after which nothing else can be checked."""

_OTHERS = ("about", "counts", "texts")

_JOINED = tuple("\0".join(["%s"] * number) for number in range(max(map(len, COLUMNS.values())) + 1))
"""Format strings by number of cells: the fastest way to join the cells of a million rows to texts."""


# crc32 and not a cryptographic digest: whoever can change a row can change its checksum as well.
def checksum(*cells: object) -> int:
    """Return the checksum of a row. It finds accidents, not forgeries."""
    return crc32((_JOINED[len(cells)] % cells).encode())


def checksums(rows: Sequence[tuple[Any, ...]]) -> list[int]:
    """Compute the checksums of rows of one table, which were read with the columns of `selected`."""
    joined = f"{_JOINED[len(rows[0]) - 2]}\0" if rows else ""
    return [crc32(row[-2], crc32((joined % row[:-2]).encode())) for row in rows]


def selected(table: str) -> str:
    """Return the columns to read from a table, as text for SELECT.

    The last column, a long text, is read as bytes. The checksum follows it.
    """
    *names, last = COLUMNS[table]
    return f"{', '.join(names)}, CAST({last} AS BLOB), checksum"


def text_digest(text: str) -> bytes:
    """Return the hash of a shared text, by which the text is found and checked."""
    return blake2b(text.encode(), digest_size=16).digest()


def create(connection: sqlite3.Connection, competition: str, earlier: Iterable[str], origin: Origin) -> None:
    """Create the tables in one transaction, unless another process has just done so."""
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
    """Return whether a database has no tables yet and no application id. An empty file counts as one."""
    return not (
        connection.execute("PRAGMA application_id").fetchone()[0]
        or connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    )


def about(connection: sqlite3.Connection, key: str) -> str | None:
    """Return the value of a key in the table `about`, which describes the file; None if the key is
    missing.
    """
    row = connection.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def secret(connection: sqlite3.Connection) -> int | None:
    """Return the secret of the competition; None if the file has no valid one."""
    found = about(connection, SECRET) or ""
    is_number = found.isascii() and found.isdigit() and len(found) <= len(str(SECRETS))
    return int(found) or None if is_number else None


def last_row(connection: sqlite3.Connection, table: str) -> int:
    """Return the number of the last row of a table, which is the number of its rows. O(log n)."""
    return int(connection.execute(f"SELECT max(number) FROM {table}").fetchone()[0] or 0)


def counted_rows(connection: sqlite3.Connection, table: str) -> int:
    """Return the number of rows that a table should have; -1 if the file does not say."""
    row = connection.execute("SELECT rows FROM counts WHERE name = ?", (table,)).fetchone()
    return -1 if row is None else int(row[0])


def row_numbers(connection: sqlite3.Connection, table: str) -> tuple[int, int]:
    """Return, in one query, the number of a table's last row and the number of rows that it should have."""
    query = f"SELECT max(number), (SELECT rows FROM counts WHERE name = ?) FROM {table}"
    last, rows = connection.execute(query, (table,)).fetchone()
    return last or 0, -1 if rows is None else rows


def misfits(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield a line for each contradiction between tables, or in the table `about`. O(log n).

    If tables are missing, only these are reported. Additional indexes and views are allowed. A trigger is
    not, because it may change the rows that gyoji writes.
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
    """A batch of results could not be written. Nothing of it is stored, and writing may be tried again."""


NOT_OURS = "is not a database of gyoji"

# By primary result code (https://www.sqlite.org/rescode.html).
_MEANINGS = {
    sqlite3.SQLITE_NOTADB: NOT_OURS,
    sqlite3.SQLITE_FULL: "cannot be written: the disk is full",
    sqlite3.SQLITE_READONLY: "cannot be written: the file or its folder is read-only",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: the file or its folder is not accessible",
    sqlite3.SQLITE_PERM: "cannot be opened: permission denied",
    sqlite3.SQLITE_AUTH: "cannot be opened: permission denied",
    sqlite3.SQLITE_BUSY: "is in use by another program",
    sqlite3.SQLITE_LOCKED: "is in use by another program",
}


def meaning(error: sqlite3.Error) -> str:
    """Return the message for the user about an error of SQLite."""
    return _MEANINGS.get(_code(error)) or f"cannot be used: {error}"


def _code(error: Exception) -> int:
    """Return the primary result code of an error of SQLite; 0 for other errors."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


class Damage(ConfigError):
    """A database is damaged.

    Attributes:
        detail: What is damaged, such as "row 5 of moves is missing", or SQLite's message.
    """

    def __init__(self, text: str, detail: str) -> None:
        super().__init__(text)
        self.detail = detail


def damaged(path: Path, detail: str) -> Damage:
    """Return the error for damage in a file, with its remedy."""
    remedy = f"restore a copy, or save its rows with `sqlite3 {path.name} .recover`"
    return Damage(f"{path} is damaged; {remedy} ({detail})", detail)


@contextmanager
def blaming_user(path: Path) -> Iterator[None]:
    """Convert errors of SQLite to ConfigError, for opening and reading."""
    try:
        yield
    except sqlite3.Error as error:
        if _code(error) == sqlite3.SQLITE_CORRUPT:
            raise damaged(path, str(error)) from None
        raise ConfigError(f"{path} {meaning(error)}") from None


@contextmanager
def blaming_machine(path: Path) -> Iterator[None]:
    """Convert errors of SQLite and of the file system to StoreFailure, for writing during a run."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        if _code(error) == sqlite3.SQLITE_CORRUPT:
            raise StoreFailure(damaged(path, str(error))) from None
        text = meaning(error) if isinstance(error, sqlite3.Error) else f"is gone: {error.strerror}"
        raise StoreFailure(f"{path} {text}") from None
