"""The results of one competition in one SQLite file. All SQL of gyoji is in this package.

One writer, any number of readers at the same time (write-ahead log). A batch of finished games is one
transaction, on the disk (synchronous=FULL: power may fail) when `append_many` returns: about 0.2 ms for
one game here, and games that finish at the same moment share it. A game that is stored already stays as it
is, so writing something twice does nothing.

How rows are laid out, and what is checked of them, says `gyoji.store.layout`. This reads no clock, decides
nothing, and holds no lock on the competition: that is `gyoji.store.files`.
"""

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.record import GameRecord, GameResult, Purge, Ruling, VoidGame
from gyoji.core.spec import GameSpec, scaled
from gyoji.store.files import outputs_beside
from gyoji.store.layout import (
    COMPETITION,
    INSERT_NEW_GAME,
    INSERTS,
    SHARD,
    SHARDS,
    Origin,
    StoreFailure,
    about,
    blaming_machine,
    blaming_user,
    checksum,
    damaged,
    last_row,
    row_numbers,
    secret,
    text_digest,
)
from gyoji.store.opening import connect_to_read, connect_to_write, cut_short, missing
from gyoji.store.reading import RowReader
from gyoji.store.soundness import problem_of, problems_of
from gyoji.store.stored import (
    Finished,
    PlayedBy,
    SpecParts,
    SpecSplitter,
    StoredGame,
    StoredVoid,
    Voided,
    join_record,
)

KNOWN_TEXTS = 4096
"""Shared texts whose row number is remembered; beyond it they are looked up again."""


class Store:
    """An open database. Use it from one thread, close it or use it as a context manager."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, is_doubted: bool = False) -> None:
        self.path = path
        self._is_doubted = is_doubted
        self._connection = connection
        self._inode = os.stat(path).st_ino
        self._splitter = SpecSplitter()
        self._known: dict[str, int] = {}
        self._reader = RowReader(path, connection)
        self._before = 0
        self._purged: tuple[int, Mapping[str, str]] = 0, {}  # read of so many rows of purges

    @classmethod
    def open(
        cls, path: Path, competition: str, *, create: bool = False, origin: Origin | None = None
    ) -> "Store":
        """Open for writing the results of `competition`; create: begin with none if there is no file.

        origin: what a new file is noted to come from, and what an old one must come from; None: a secret of
        its own for a new one, and whatever it is for an old one. A file of an older layout gets that of
        today. Raises ConfigError, in one line, for a file that is missing, foreign, damaged, of a newer
        gyoji, of another competition, or cannot be written.
        """
        if not create and not os.path.exists(path):
            raise missing(path)
        with blaming_user(path):
            store = cls(
                path, connect_to_write(path, competition, outputs_beside(path) if create else None, origin)
            )
        store._before = store.count
        if origin is not None and store.origin != origin:
            store.close()
            raise ConfigError(
                f"{path}: its results are not of the shards that the file of shards is of: take the right "
                "file, or begin anew with `gyoji reset`"
            )
        return store

    @classmethod
    def read(cls, path: Path, *, competition: str | None = None, is_doubted: bool = False) -> "Store":
        """Open for reading, also while another process writes, also in a folder nobody may write to.

        is_doubted: `problems` will be asked for; only what cannot be opened at all is an error. Raises
        ConfigError as `open` does.
        """
        if not os.path.exists(path):
            raise missing(path)
        with blaming_user(path):
            return cls(path, connect_to_read(path, competition, is_doubted=is_doubted), is_doubted=is_doubted)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, spec: GameSpec, record: GameRecord) -> bool:
        """Store one finished game; whether it is new. Raises StoreFailure as `append_many`."""
        return bool(self.append_many([Finished.of(spec, record)]))

    def append_many(self, games: Sequence[Finished], voids: Sequence[Voided] = ()) -> frozenset[str]:
        """Store finished and void games as one transaction; the ids of those games that are new.

        Raises StoreFailure if that cannot be done (the disk is full, the file has been deleted): then
        nothing of the batch is stored, and it may be tried again.
        """
        with self._transaction():
            games_before = self._end_of("games")
            fresh = self._insert_new(games, games_before)
            if fresh:
                self._count_rows(games_before + len(fresh), "games", "moves")
            if voids:
                self._insert_voids(voids)
        return fresh

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All that is written in the block, or nothing of it. Raises StoreFailure."""
        with blaming_machine(self.path):
            self._check_place()
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._known.clear()
                if self._connection.in_transaction:
                    with suppress(sqlite3.Error):
                        self._connection.execute("ROLLBACK")
                raise

    def _check_place(self) -> None:
        if os.stat(self.path).st_ino != self._inode:
            raise FileNotFoundError(0, "another file has taken its place")

    def _insert_new(self, games: Sequence[Finished], number: int) -> frozenset[str]:
        """Add games after row `number`; the ids of those that were not there."""
        fresh = set[str]()
        for game in games:
            if self._insert(game, number + len(fresh) + 1):
                fresh.add(game.spec.id)
        return frozenset(fresh)

    def _insert_voids(self, voids: Sequence[Voided]) -> None:
        before = self._end_of("voids")
        for number, (void, attempt) in enumerate(voids, before + 1):
            self._add("voids", number, void.id, attempt, void.reason, wire.dumps(void))
        self._count_rows(before + len(voids), "voids")

    def _insert(self, game: Finished, number: int) -> bool:
        parts = self._splitter.split(game.spec)
        players = ",".join([str(self._text(text)) for text in parts.players])
        frame = self._text(parts.frame)
        if not self._write(INSERT_NEW_GAME, number, game.spec.id, frame, players, game.result_text):
            return False
        self._add("moves", number, parts.seed, parts.note, game.rest)
        return True

    def _append(self, table: str, *cells: object) -> None:
        number = self._end_of(table) + 1
        self._add(table, number, *cells)
        self._count_rows(number, table)

    def _add(self, table: str, *cells: object) -> None:
        self._write(INSERTS[table], *cells)

    def _write(self, statement: str, *cells: object) -> int:
        """Write a row with its checksum; how many rows that were."""
        return self._connection.execute(statement, (*cells, checksum(*cells))).rowcount

    def _end_of(self, table: str) -> int:
        """The number of the last row, in a transaction. Raises StoreFailure if rows are missing there."""
        last, counted = row_numbers(self._connection, table)
        if last != counted:
            raise StoreFailure(damaged(self.path, f"{table} ends with row {last}, and should have {counted}"))
        return last

    def _count_rows(self, rows: int, *tables: str) -> None:
        for table in tables:
            self._connection.execute("UPDATE counts SET rows = ? WHERE name = ?", (rows, table))

    def _text(self, text: str) -> int:
        """The number of a shared text, stored now if it was not."""
        if (number := self._known.get(text)) is None:
            digest = text_digest(text)
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
    def secret(self) -> int:
        """The secret that the competition drew when its first run began; 0 if an older gyoji began it."""
        with blaming_user(self.path):
            return secret(self._connection) or 0

    @property
    def origin(self) -> Origin:
        """The origin of the competition's games, and of which shard they are."""
        with blaming_user(self.path):
            connection = self._connection
            shards, shard = (about(connection, key) or "" for key in (SHARDS, SHARD))
            return Origin(secret(connection) or 0, shards, shard)

    @property
    def count(self) -> int:
        """How many finished games are stored. O(log n)."""
        with blaming_user(self.path):
            return last_row(self._connection, "games")

    def results(self, *, skip: int = 0) -> Iterator[GameResult]:
        """Every stored result in order of completion, without the first `skip`. Reads as it is asked.

        Where there is a ruling it has been applied. Raises ConfigError for a damaged file.
        """
        return (result for result, _ in self.played(skip=skip))

    def played(self, *, skip: int = 0) -> Iterator[tuple[GameResult, PlayedBy]]:
        """Every stored result as `results` has it, and what the game was played by.

        No result is passed on whose moves are gone: whoever counts games learns of it.
        """
        rulings, purged = dict(self.rulings()), self.purged()
        for rows in self._reader.chunks("games", skip):
            if not self._is_doubted:
                self._reader.check_moves(rows)
            results = self._reader.results(rows)
            if rulings:
                results = (rulings[each.id].applied(each) if each.id in rulings else each for each in results)
            if purged:
                by = [PlayedBy(row[2], row[3], purged.get(row[1], "")) for row in rows]
            else:
                kinds = {kind: PlayedBy(*kind) for kind in {row[2:4] for row in rows}}  # of many games each
                by = [kinds[row[2:4]] for row in rows]
            yield from zip(results, by, strict=True)

    def newest(
        self, conditions: Sequence[str], values: Sequence[object], most: int
    ) -> Iterator[tuple[int, GameResult]]:
        """At most so many of the results of which the SQL conditions are true, the newest first, with the
        numbers of their rows; rulings have been applied. `gyoji.store.search` writes the conditions."""
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        query = f"SELECT number, result FROM games{where} ORDER BY number DESC LIMIT ?"
        with blaming_user(self.path):
            rows = self._connection.execute(query, (*values, most)).fetchall()
        rulings, read = dict(self.rulings()), wire.reader(GameResult)
        for number, row in rows:
            result = self._reader.value(read, "games", number, row)
            yield number, rulings[result.id].applied(result) if result.id in rulings else result

    @property
    def decisions(self) -> tuple[int, int]:
        """How many rulings and purges there are. O(log n)."""
        with blaming_user(self.path):
            return last_row(self._connection, "rulings"), last_row(self._connection, "purges")

    def rulings(self, game_id: str | None = None) -> Iterator[tuple[str, Ruling]]:
        """(id of the game, ruling), oldest first; of one game if it is named. Raises ConfigError."""
        read = wire.reader(Ruling)
        for number, stored_id, text, _ in self._reader.rows("rulings", 0):
            if game_id in (None, stored_id):
                yield stored_id, self._reader.value(read, "rulings", number, text)

    def rule(self, game_id: str, ruling: Ruling) -> None:
        """Store a ruling about a stored game. Earlier ones stay where they are.

        Raises KeyError for a game that is not stored, StoreFailure if it cannot be written.
        """
        with self._transaction():
            if not self._holds(game_id):
                raise KeyError(game_id)
            self._append("rulings", game_id, wire.dumps(ruling))

    def purges(self) -> Iterator[tuple[str, Purge]]:
        """(host, purge), oldest first. Raises ConfigError for a damaged file."""
        read = wire.reader(Purge)
        for number, host, text, _ in self._reader.rows("purges", 0):
            yield host, self._reader.value(read, "purges", number, text)

    def purged(self) -> Mapping[str, str]:
        """Why each game was taken back, by id."""
        with blaming_user(self.path):
            rows = last_row(self._connection, "purges")
        if rows != self._purged[0]:
            told = ((f"from host {host}: {purge.because}", purge.games) for host, purge in self.purges())
            self._purged = rows, {game: why for why, games in told for game in games}
        return self._purged[1]

    def purge(self, host: str, purge: Purge) -> None:
        """Take games back that were played on a host. Raises StoreFailure if it cannot be written."""
        with self._transaction():
            self._append("purges", host, wire.dumps(purge))

    def has(self, game_id: str) -> bool:
        """Whether a game has a stored result."""
        with blaming_user(self.path):
            return self._holds(game_id)

    def _holds(self, game_id: str) -> bool:
        found = self._connection.execute("SELECT 1 FROM games WHERE id = ?", (game_id,))
        return found.fetchone() is not None

    def voids(self, *, skip: int = 0) -> Iterator[StoredVoid]:
        """Every void game in order, without the first `skip`. Raises ConfigError for a damaged file."""
        read = wire.reader(VoidGame)
        for number, _, attempt, _, text, _ in self._reader.rows("voids", skip):
            yield StoredVoid(attempt, self._reader.value(read, "voids", number, text))

    def record(self, game_id: str) -> tuple[GameSpec, GameRecord]:
        """A game with its settings and its result, by the newest ruling if there is one. Clocks are those
        that it was played with, scaled for its machine.

        Raises KeyError for a game that is not stored, ConfigError for a damaged file.
        """
        spec, record, _ = self._whole("id", game_id)
        for _, ruling in self.rulings(game_id):
            record = replace(record, result=ruling.applied(record.result))
        return scaled(spec, record.result.clock_factor), record

    def as_played(self, number: int) -> StoredGame:
        """The game of a row of games, as it was before any ruling.

        Raises KeyError if there is no such row, ConfigError if it, or what belongs to it, is damaged.
        """
        return self._whole("number", number)

    def _whole(self, column: str, value: object) -> StoredGame:
        """The game of the row of games that has that value, with what stands elsewhere."""
        with blaming_user(self.path):
            if (row := self._reader.row("games", column, value)) is None:
                raise KeyError(value)
            number, game_id, frame, players, result, _ = row
            moves = self._reader.row("moves", "number", number)
        if moves is None:
            raise damaged(self.path, f"row {number} of moves is missing")
        _, seed, note, rest, _ = moves
        by = PlayedBy(frame, players, self.purged().get(game_id, ""))
        try:
            shared = [self.text(each) for each in by.numbers]
            record = join_record(result.decode(), rest.decode())
            parts = SpecParts(shared[0], tuple(shared[1:]), game_id, record.result.pairing, seed, note)
            return StoredGame(parts.spec(), record, by)
        except ValueError as error:
            raise damaged(self.path, f"game {game_id}: {error}") from None

    def text(self, number: int) -> str:
        """A shared text: the JSON of a player, or of a frame. Raises ConfigError for a damaged file."""
        with blaming_user(self.path):
            row = self._connection.execute(
                "SELECT text, digest FROM texts WHERE number = ?", (number,)
            ).fetchone()
        if row is None:
            raise damaged(self.path, f"text {number} is missing")
        if text_digest(row[0]) != row[1]:
            raise damaged(self.path, f"text {number} is not as it was written")
        return str(row[0])

    def problems(self) -> Iterator[str]:
        """All that is wrong with the file, a line each. Raises ConfigError where it cannot be read at all."""
        if problem := cut_short(self.path):
            yield problem
        with blaming_user(self.path):
            yield from problems_of(self._connection)

    @property
    def code(self) -> str:
        """The code of the competition, "" if it does not say. Raises ConfigError."""
        with blaming_user(self.path):
            return about(self._connection, COMPETITION) or ""

    def check(self) -> None:
        """Look at the file as it is now, past all that is held in memory. For the end of a run: it reads all
        results, and the moves of the games that were stored here.

        Raises StoreFailure if it is damaged, or rows are missing.
        """
        with blaming_machine(self.path):
            self._check_place()
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            problem = problem_of(self.path, since=self._before)
        if problem:
            raise StoreFailure(damaged(self.path, problem))
