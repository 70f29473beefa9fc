"""The results of one competition in one SQLite file. All SQL of gyoji is here.

One writer, any number of readers at the same time (write-ahead log). A batch of finished games is one
transaction, on the disk (synchronous=FULL: power may fail) when `append_many` returns: about 0.2 ms for
one game here, and games that finish at the same moment share it. A game that is stored already stays as it
is, so writing something twice does nothing.

Rows are only ever added, so the number of the last row is the number of rows, and a reader that goes by row
numbers sees a prefix of the competition whatever the writer does meanwhile.

This reads no clock, decides nothing, and holds no lock on the competition: that is `gyoji.store.lock`. It is
longer than other modules so that SQL stays in one place.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.record import GameRecord, GameResult, VoidGame
from gyoji.core.ruling import Ruling
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.store.failures import blaming_machine, blaming_user, damaged
from gyoji.store.stored import Finished, SpecParts, SpecSplitter, Voided, join_record

APPLICATION_ID = 0x67796F6A  # "gyoj", in the file's header
SCHEMA = 2
"""The layout below. A file with a higher number is of a newer gyoji, one with a lower of an older one."""

BUSY_SECONDS = 5.0
CHUNK = 500
"""Results fetched at once; between two chunks no transaction is open, so a slow reader hinders nobody."""

KNOWN_TEXTS = 4096
"""Shared texts whose row number is remembered; beyond it they are looked up again."""

_CREATION = (
    "CREATE TABLE about (competition TEXT NOT NULL) STRICT",
    # what many games share: players, and specs without what is their own
    "CREATE TABLE texts (number INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, text TEXT NOT NULL) STRICT",
    # in order of completion; result is a GameResult
    "CREATE TABLE games (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, result TEXT NOT NULL) STRICT",
    # as games, row for row: how it was set up (frame and players are numbers of texts), and how it went
    "CREATE TABLE moves (number INTEGER PRIMARY KEY, frame INTEGER NOT NULL, players TEXT NOT NULL,"
    " seed INTEGER NOT NULL, note TEXT NOT NULL, rest TEXT NOT NULL) STRICT",
    # void is a VoidGame
    "CREATE TABLE voids (number INTEGER PRIMARY KEY, id TEXT NOT NULL, attempt INTEGER NOT NULL,"
    " reason TEXT NOT NULL, void TEXT NOT NULL) STRICT",
    # in order of time, game by its id; the last of a game holds, the others stay for the record
    "CREATE TABLE rulings (number INTEGER PRIMARY KEY, id TEXT NOT NULL, ruling TEXT NOT NULL) STRICT",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA}",
)


class StoredVoid(NamedTuple):
    """A void game as it was stored; attempt counts from 1 in each run."""

    attempt: int
    void: VoidGame


class Store:
    """An open database. Use it from one thread, close it or use it as a context manager."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._inode = os.stat(path).st_ino
        self._splitter = SpecSplitter()
        self._known: dict[str, int] = {}

    @classmethod
    def open(cls, path: Path, competition: str, *, create: bool = False) -> "Store":
        """Open for writing the results of `competition`; create: begin with none if there is no file.

        Raises ConfigError, in one line, for a file that is missing, foreign, damaged, of a newer gyoji, of
        another competition, or cannot be written.
        """
        if not create and not os.path.exists(path):
            raise _missing(path)
        with blaming_user(path):
            connection = _connect(path, "mode=rwc" if create else "mode=rw")
            try:
                if create and _is_blank(connection):
                    _create(connection, competition)
                _check(connection, path, competition)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("BEGIN IMMEDIATE")  # what cannot be written is noticed now
                connection.execute("ROLLBACK")
            except BaseException:
                connection.close()
                raise
        return cls(path, connection)

    @classmethod
    def read(cls, path: Path, *, competition: str | None = None) -> "Store":
        """Open for reading, also while another process writes, also in a folder nobody may write to.

        Raises ConfigError as `open` does.
        """
        if not os.path.exists(path):
            raise _missing(path)
        with blaming_user(path):
            connection = _connect_to_read(path)
            try:
                _check(connection, path, competition)
            except BaseException:
                connection.close()
                raise
        return cls(path, connection)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def append(self, spec: GameSpec, record: GameRecord) -> bool:
        """Store one finished game; whether it is new. Raises StoreFailure as `append_many`."""
        return bool(self.append_many([Finished.of(spec, record)]))

    def append_many(self, games: Sequence[Finished], voids: Sequence[Voided] = ()) -> frozenset[str]:
        """Store finished and void games as one transaction; the ids of those games that are new.

        Raises StoreFailure if that cannot be done (the disk is full, the file has been deleted): then
        nothing of the batch is stored, and it may be tried again.
        """
        execute = self._connection.execute
        with blaming_machine(self.path):
            if os.stat(self.path).st_ino != self._inode:
                raise FileNotFoundError(0, "another file has taken its place")
            try:
                execute("BEGIN IMMEDIATE")
                fresh = frozenset(game.spec.id for game in games if self._insert(game))
                for spec, void, attempt in voids:
                    execute(
                        "INSERT INTO voids (id, attempt, reason, void) VALUES (?, ?, ?, ?)",
                        (spec.id, attempt, void.reason, wire.dumps(void)),
                    )
                execute("COMMIT")
            except BaseException:
                self._known.clear()
                if self._connection.in_transaction:
                    with suppress(sqlite3.Error):
                        execute("ROLLBACK")
                raise
        return fresh

    def _insert(self, game: Finished) -> bool:
        execute = self._connection.execute
        cursor = execute(
            "INSERT INTO games (id, result) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (game.spec.id, game.result_text),
        )
        if not cursor.rowcount:
            return False
        number = cursor.lastrowid
        parts = self._splitter.split(game.spec)
        players = ",".join([str(self._text(text)) for text in parts.players])
        execute(
            "INSERT INTO moves (number, frame, players, seed, note, rest) VALUES (?, ?, ?, ?, ?, ?)",
            (number, self._text(parts.frame), players, parts.seed, parts.note, game.rest),
        )
        return True

    def _text(self, text: str) -> int:
        """The number of a shared text, stored now if it was not."""
        if (number := self._known.get(text)) is None:
            digest = blake2b(text.encode(), digest_size=16).digest()
            self._connection.execute(
                "INSERT INTO texts (digest, text) VALUES (?, ?) ON CONFLICT DO NOTHING", (digest, text)
            )
            found = self._connection.execute("SELECT number FROM texts WHERE digest = ?", (digest,))
            (number,) = found.fetchone()
            if len(self._known) >= KNOWN_TEXTS:
                self._known.clear()
            self._known[text] = number
        return int(number)

    @property
    def count(self) -> int:
        """How many finished games are stored. O(log n)."""
        return self._rows_of("games")

    @property
    def void_count(self) -> int:
        """How many void games are stored. O(log n)."""
        return self._rows_of("voids")

    def _rows_of(self, table: str) -> int:
        with blaming_user(self.path):
            return _last(self._connection, table)

    def results(self, *, skip: int = 0) -> Iterator[GameResult]:
        """Every stored result in order of completion, without the first `skip`. Reads as it is asked.

        Where there is a ruling it has been applied. Raises ConfigError for a damaged file.
        """
        rulings, read = dict(self.rulings()), wire.reader(GameResult)
        for number, text in self._rows("SELECT number, result FROM games", skip):
            try:
                result = read(text)
            except ValueError as error:
                raise damaged(self.path, f"row {number} of games: {error}") from None
            ruling = rulings and rulings.get(result.id)
            yield ruling.applied(result) if ruling else result

    def rulings(self, game_id: str | None = None) -> Iterator[tuple[str, Ruling]]:
        """(id of the game, ruling), oldest first; of one game if it is named. Raises ConfigError."""
        for number, stored_id, text in self._rows("SELECT number, id, ruling FROM rulings", 0):
            if game_id in (None, stored_id):
                try:
                    yield stored_id, wire.loads(Ruling, text)
                except ValueError as error:
                    raise damaged(self.path, f"row {number} of rulings: {error}") from None

    def rule(self, game_id: str, ruling: Ruling) -> None:
        """Store a ruling about a stored game. Earlier ones stay where they are.

        Raises KeyError for a game that is not stored, StoreFailure if it cannot be written.
        """
        execute = self._connection.execute
        with blaming_machine(self.path):
            if execute("SELECT 1 FROM games WHERE id = ?", (game_id,)).fetchone() is None:
                raise KeyError(game_id)
            execute("INSERT INTO rulings (id, ruling) VALUES (?, ?)", (game_id, wire.dumps(ruling)))

    def voids(self, *, skip: int = 0) -> Iterator[StoredVoid]:
        """Every void game in order, without the first `skip`. Raises ConfigError for a damaged file."""
        for number, attempt, text in self._rows("SELECT number, attempt, void FROM voids", skip):
            try:
                yield StoredVoid(attempt, wire.loads(VoidGame, text))
            except ValueError as error:
                raise damaged(self.path, f"row {number} of voids: {error}") from None

    def _rows(self, select: str, after: int) -> Iterator[Any]:
        while True:
            with blaming_user(self.path):
                query = f"{select} WHERE number > ? ORDER BY number LIMIT {CHUNK}"
                rows = self._connection.execute(query, (after,)).fetchall()
            yield from rows
            if len(rows) < CHUNK:
                return
            after = rows[-1][0]

    def record(self, game_id: str) -> tuple[GameSpec, GameRecord]:
        """What was played, with which settings, and how it went, by the newest ruling if there is one.

        Raises KeyError for a game that is not stored, ConfigError for a damaged file.
        """
        with blaming_user(self.path):
            row = self._connection.execute(
                "SELECT result, frame, players, seed, note, rest FROM games JOIN moves USING (number)"
                " WHERE id = ?",
                (game_id,),
            ).fetchone()
            if row is None:
                raise KeyError(game_id)
            result, frame, players, seed, note, rest = row
            numbers = [frame, *(int(word) for word in players.split(","))]
            frame, *shared = [self._shared(number) for number in numbers]
        try:
            record = join_record(result, rest)
            pairing = record.result.pairing
            spec = SpecParts(frame, tuple(shared), game_id, pairing, seed, note).spec()
        except ValueError as error:
            raise damaged(self.path, f"game {game_id}: {error}") from None
        for _, ruling in self.rulings(game_id):
            record = replace(record, result=ruling.applied(record.result))
        return spec, record

    def _shared(self, number: int) -> str:
        row = self._connection.execute("SELECT text FROM texts WHERE number = ?", (number,)).fetchone()
        if row is None:
            raise damaged(self.path, f"text {number} is missing")
        return str(row[0])


def _missing(path: Path) -> ConfigError:
    return ConfigError(f"{path}: no results yet: there is no such file")


def _connect(path: Path, query: str) -> sqlite3.Connection:
    if os.path.isdir(path):
        raise ConfigError(f"{path} is a folder, where a database is expected")
    uri = f"{Path(os.path.abspath(path)).as_uri()}?{query}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS)


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write. SQLite wants to make two files beside a database in order to read it:
    where that is forbidden, and nobody is writing, it is told that the file will not change."""
    connection = _connect(path, "mode=ro")
    try:
        _is_blank(connection)
        return connection
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    log = f"{path}-wal"
    if os.path.exists(log) and os.path.getsize(log):
        raise ConfigError(f"{path} cannot be read in this folder: copy it and {log} to one you may write to")
    return _connect(path, "immutable=1")


def _is_blank(connection: sqlite3.Connection) -> bool:
    """Whether nothing at all has been stored: an empty file is a database."""
    return not (
        connection.execute("PRAGMA application_id").fetchone()[0]
        or connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    )


def _create(connection: sqlite3.Connection, competition: str) -> None:
    """Lay the tables out, all or none of them, unless another process has just done so."""
    connection.execute("BEGIN IMMEDIATE")
    if _is_blank(connection):
        for statement in _CREATION:
            connection.execute(statement)
        connection.execute("INSERT INTO about (competition) VALUES (?)", (competition,))
    connection.execute("COMMIT")


def _check(connection: sqlite3.Connection, path: Path, competition: str | None) -> None:
    """Raise ConfigError unless this is a database of ours, of this competition, whose ends meet.

    Costs the same for any number of games: damage further inside is noticed when it is read.
    """
    if _is_blank(connection):
        raise _missing(path)
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise ConfigError(f"{path} is a database of another program")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA:
        raise ConfigError(f"{path} is of a newer gyoji (layout {version}, this one knows {SCHEMA})")
    if version < SCHEMA:
        raise ConfigError(
            f"{path} is of an older gyoji (layout {version}, this one knows {SCHEMA}): "
            "play on with that one, or begin anew with `gyoji reset`"
        )
    row = connection.execute("SELECT competition FROM about").fetchone()
    if row is None or _last(connection, "games") != _last(connection, "moves"):
        raise damaged(path, "its tables do not fit together")
    if competition is not None and row[0] != competition:
        raise ConfigError(
            f"{path} holds the results of competition {quote(row[0])}, not of {quote(competition)}: "
            "rename it back, or begin anew with `gyoji reset`"
        )


def _last(connection: sqlite3.Connection, table: str) -> int:
    """The number of the last row of a table, which is the number of its rows."""
    return int(connection.execute(f"SELECT max(number) FROM {table}").fetchone()[0] or 0)
