"""The results of one competition in one SQLite file. All SQL of gyoji is in this package.

`gyoji.store.layout` defines the tables and their checksums. The lock of the competition is in
`gyoji.store.files`.
"""

# Theory of operation
#
# State. A competition is a fold over its finished games (ADR 2). This
# file is all that a run leaves behind for the next one: no queue, no counters, no pickled format. To resume
# is to read `games` from row 1 and add each result to a new competition.
#
#      scheduler                     the file                          readers (show, report, serve, verify)
#   append_many(games, voids)
#      BEGIN IMMEDIATE
#      games: row n+1 .. n+k         <- results, small
#      moves: row n+1 .. n+k         <- turns, times, opinions         SELECT ... WHERE number > after
#      counts: n+k                                                      ORDER BY number LIMIT 500
#      COMMIT, fsync                                                    ... after the last row: done
#
# Who writes. One process: the holder of the competition's lock (`files.RunLock`), which is a run or, between
# runs, `gyoji judge`, `purge` and `gather`. SQLite's own lock alone would let two runs play the same games
# twice. Readers need no lock: in WAL mode they see the file as of the last commit and never block the writer,
# nor it them. A reader fetches 500 rows at a time and keeps no transaction open in between, because an open
# one would keep the log from being checkpointed, and the log would grow.
#
# When a game counts. `append_many` has returned, so the batch is on the disk (`synchronous=FULL`: NORMAL
# would lose the last commits when the power fails). Only then the scheduler logs the result and adds it to
# the competition. About 0.2 ms for a game; games that end within 20 ms share a batch where results do not
# decide what is played next.
#
# Crash safety. A process that dies before COMMIT leaves nothing of its batch, since SQLite rolls back at the
# next opening; the games are played again, with the same ids, colours and seeds. One that dies after COMMIT,
# but before it has logged the result, leaves the game: the next fold counts it, and the insert of a game that
# is there already does nothing (INSERT_NEW_GAME). So every finished game is there once, whatever was killed.
# A full disk or a deleted file raises StoreFailure; the scheduler keeps the batch and tries again.
#
# Damage. Rows are numbered without gaps and only ever added, `counts` has their number, and each has a
# checksum of its cells. So a missing row, a changed one and a table that ends early are noticed when they are
# read, and rows of results are read by every command. Shared texts have digests. Moves are only counted then
# (4 us a game instead of the time of decoding them); `check` at the end of a run reads those that the run
# stored, and `gyoji verify` all. The inode is compared before each write: a file that was moved away or
# replaced by another must not get half of the results.
#
# Tried and given up: recovering rows from damaged pages in gyoji itself. It took 500 lines, and SQLite's
# `.recover` does it (docs/how-to/verify.md).

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.record import GameRecord, GameResult, Purge, Ruling, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.store.connections import connect_to_read, connect_to_write, cut_short, missing
from gyoji.store.files import outputs_beside
from gyoji.store.game_texts import Finished, PlayedBy, SpecParts, StoredGame, Voided, join_record
from gyoji.store.integrity import problem_of, problems_of
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
from gyoji.store.row_reader import RowReader

KNOWN_TEXTS = 4096
"""Largest number of shared texts whose row numbers are cached."""


class Store:
    """An open database. It is used by one thread, and closed by `close` or as a context manager."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, is_doubted: bool = False) -> None:
        self.path = path
        self._is_doubted = is_doubted
        self._connection = connection
        self._inode = os.stat(path).st_ino
        self._known: dict[str, int] = {}
        self._reader = RowReader(path, connection)
        self._before = 0
        self._purged: tuple[int, Mapping[str, str]] = 0, {}  # (number of purges, `purged()` after them)

    @classmethod
    def open(
        cls, path: Path, competition: str, *, create: bool = False, origin: Origin | None = None
    ) -> "Store":
        """Open the results of a competition for writing.

        Args:
            competition: Code of the competition (`CompetitionFiles.code`).
            create: Whether to make a new file without results if there is none.
            origin: The secret of the competition and the shard in this file. An existing file must have the
                same origin. If None, a new file gets a random secret, and an existing file may have any
                origin.

        Raises:
            ConfigError: The file is missing, foreign, damaged, of a newer gyoji or of another competition,
                or cannot be written. The message has one line.
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
        """Open for reading. Another process may be writing the file, and the folder may be read-only.

        Args:
            competition: Code of the competition that the file must belong to (`CompetitionFiles.code`); None
                for any.
            is_doubted: Whether `problems` will be called. If so, only a file that cannot be opened at all
                raises an error.

        Raises:
            ConfigError: The file is missing, foreign, damaged, of a newer gyoji or of another competition.
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
        """Store one finished game. Return whether it is new.

        Raises:
            StoreFailure: It cannot be written.
        """
        return bool(self.append_many([Finished.of(spec, record)]))

    def append_many(self, games: Sequence[Finished], voids: Sequence[Voided] = ()) -> frozenset[str]:
        """Store finished and void games as one transaction. Return the ids of the games that are new.

        Raises:
            StoreFailure: The games cannot be written, for example because the disk is full. None of them is
                stored, and the call may be repeated.
        """
        with self._transaction():
            games_before = self._end_of("games")
            fresh = set[str]()
            for game in games:
                if self._insert(game, games_before + len(fresh) + 1):
                    fresh.add(game.spec.id)
            if fresh:
                self._count_rows(games_before + len(fresh), "games", "moves")
            for void, attempt in voids:
                self._append("voids", void.id, attempt, void.reason, wire.dumps(void))
        return frozenset(fresh)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Execute the block in a transaction: all of its statements take effect, or none.

        Raises:
            StoreFailure: The transaction cannot be written.
        """
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

    # Another file under this name means that the user has moved or restored the database during a run.
    def _check_place(self) -> None:
        if os.stat(self.path).st_ino != self._inode:
            raise FileNotFoundError(0, "another file has taken its place")

    def _insert(self, game: Finished, number: int) -> bool:
        parts = SpecParts.of(game.spec)
        players = ",".join([str(self._text(text)) for text in parts.players])
        frame = self._text(parts.frame)
        if not self._write(INSERT_NEW_GAME, number, game.spec.id, frame, players, game.result_text):
            return False
        self._write(INSERTS["moves"], number, parts.seed, parts.note, game.rest)
        return True

    def _append(self, table: str, *cells: object) -> None:
        number = self._end_of(table) + 1
        self._write(INSERTS[table], number, *cells)
        self._count_rows(number, table)

    def _write(self, statement: str, *cells: object) -> int:
        """Write a row with its checksum. Return the number of rows written."""
        return self._connection.execute(statement, (*cells, checksum(*cells))).rowcount

    def _end_of(self, table: str) -> int:
        """Return the number of the last row, in a transaction.

        Raises:
            StoreFailure: Rows are missing at the end of the table.
        """
        last, counted = row_numbers(self._connection, table)
        if last != counted:
            raise StoreFailure(damaged(self.path, f"{table} ends with row {last}, and should have {counted}"))
        return last

    def _count_rows(self, rows: int, *tables: str) -> None:
        for table in tables:
            self._connection.execute("UPDATE counts SET rows = ? WHERE name = ?", (rows, table))

    def _text(self, text: str) -> int:
        """Return the row number of a text that several games share, after storing the text if it is new."""
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
        """The secret of the competition, drawn when its first run began."""
        with blaming_user(self.path):
            return secret(self._connection) or 0

    @property
    def origin(self) -> Origin:
        """The secret from which the seeds of the games follow, and the shard whose games this file has.

        A shard is a part of a divided competition that is played apart.
        """
        with blaming_user(self.path):
            connection = self._connection
            shards, shard = (about(connection, key) or "" for key in (SHARDS, SHARD))
            return Origin(secret(connection) or 0, shards, shard)

    @property
    def count(self) -> int:
        """The number of finished games. O(log n)."""
        with blaming_user(self.path):
            return last_row(self._connection, "games")

    def results(self, *, skip: int = 0) -> Iterator[GameResult]:
        """Yield the stored results in order of completion, with rulings applied. Rows are read when needed.

        Args:
            skip: Number of results to leave out at the beginning.

        Raises:
            ConfigError: The file is damaged.
        """
        return (result for result, _ in self.played(skip=skip))

    # Rulings and purges are read first, so that each result has its newest ruling, and its purge if there is
    # one.
    def played(self, *, skip: int = 0) -> Iterator[tuple[GameResult, PlayedBy]]:
        """Yield the stored results as `results` does, each with the settings of its game.

        A result without its row of moves counts as damage, so that every reader of results notices it.

        Raises:
            ConfigError: The file is damaged.
        """
        rulings, purged, read = dict(self.rulings()), self.purged(), wire.reader(GameResult)
        for rows in self._reader.chunks("games", skip):
            if not self._is_doubted:
                self._reader.check_moves(rows)
            results = (self._reader.value(read, "games", row[0], row[-2]) for row in rows)
            if rulings:
                results = (rulings[each.id].applied(each) if each.id in rulings else each for each in results)
            by = [PlayedBy(row[2], row[3], purged.get(row[1], "")) for row in rows]
            yield from zip(results, by, strict=True)

    def newest(
        self, conditions: Sequence[str], values: Sequence[object], most: int
    ) -> Iterator[tuple[int, GameResult]]:
        """Yield the newest games that fulfil SQL conditions, the newest first.

        Each item is (row number, result with the judge's ruling).

        Args:
            conditions: SQL conditions on the table of games, which `gyoji.store.search` writes.
            values: The values of the placeholders in the conditions.
            most: Largest number of games.
        """
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
        """The number of rulings on single games, and the number of purges of a host's games. O(log n)."""
        with blaming_user(self.path):
            return last_row(self._connection, "rulings"), last_row(self._connection, "purges")

    def rulings(self, game_id: str | None = None) -> Iterator[tuple[str, Ruling]]:
        """Yield (game id, ruling), oldest first, of all games or of one.

        Raises:
            ConfigError: The file is damaged.
        """
        read = wire.reader(Ruling)
        for number, stored_id, text, _ in self._reader.rows("rulings", 0):
            if game_id in (None, stored_id):
                yield stored_id, self._reader.value(read, "rulings", number, text)

    def rule(self, game_id: str, ruling: Ruling) -> None:
        """Store a ruling about a stored game. Earlier rulings stay in the file.

        Raises:
            KeyError: The game is not stored.
            StoreFailure: The ruling cannot be written.
        """
        with self._transaction():
            if not self._holds(game_id):
                raise KeyError(game_id)
            self._append("rulings", game_id, wire.dumps(ruling))

    def purges(self) -> Iterator[tuple[str, Purge]]:
        """Yield (host, purge), oldest first. A purge invalidates games that a host played.

        Raises:
            ConfigError: The file is damaged.
        """
        read = wire.reader(Purge)
        for number, host, text, _ in self._reader.rows("purges", 0):
            yield host, self._reader.value(read, "purges", number, text)

    def purged(self) -> Mapping[str, str]:
        """Return the reason for each invalidated game, by game id."""
        with blaming_user(self.path):
            rows = last_row(self._connection, "purges")
        if rows != self._purged[0]:
            told = ((f"from host {host}: {purge.because}", purge.games) for host, purge in self.purges())
            self._purged = rows, {game: why for why, games in told for game in games}
        return self._purged[1]

    def purge(self, host: str, purge: Purge) -> None:
        """Store a purge, which invalidates games that a host played.

        Raises:
            StoreFailure: The purge cannot be written.
        """
        with self._transaction():
            self._append("purges", host, wire.dumps(purge))

    def has(self, game_id: str) -> bool:
        """Return whether a game has a stored result."""
        with blaming_user(self.path):
            return self._holds(game_id)

    def _holds(self, game_id: str) -> bool:
        found = self._connection.execute("SELECT 1 FROM games WHERE id = ?", (game_id,))
        return found.fetchone() is not None

    def voids(self, *, skip: int = 0) -> Iterator[Voided]:
        """Yield void games (failed attempts without a result) in the order in which they were stored.

        Args:
            skip: Number of void games to leave out at the beginning.

        Raises:
            ConfigError: The file is damaged.
        """
        read = wire.reader(VoidGame)
        for number, _, attempt, _, text, _ in self._reader.rows("voids", skip):
            yield Voided(self._reader.value(read, "voids", number, text), attempt)

    def record(self, game_id: str) -> tuple[GameSpec, GameRecord]:
        """Return (settings, record) of a game, with its newest ruling applied.

        Raises:
            KeyError: The game is not stored.
            ConfigError: The file is damaged.
        """
        spec, record, _ = self._whole("id", game_id)
        for _, ruling in self.rulings(game_id):
            record = replace(record, result=ruling.applied(record.result))
        return spec, record

    def as_played(self, number: int) -> StoredGame:
        """Return the game in row `number` of games, without rulings.

        Raises:
            KeyError: There is no such row.
            ConfigError: The row, or one that it refers to, is damaged.
        """
        return self._whole("number", number)

    def _whole(self, column: str, value: object) -> StoredGame:
        """Return the game whose row in the table games has `value` in a column, with its moves and
        settings.
        """
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
        """Return the shared text in row `number`: the JSON of a player, or the frame of games
        (`SpecParts.frame`).

        Raises:
            ConfigError: The file is damaged.
        """
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
        """Yield a line for each problem in the file.

        Raises:
            ConfigError: The file cannot be read at all.
        """
        with blaming_user(self.path):
            if problem := cut_short(self._connection, self.path):
                yield problem
            yield from problems_of(self._connection)

    @property
    def code(self) -> str:
        """The code of the competition; "" if the file does not name it."""
        with blaming_user(self.path):
            return about(self._connection, COMPETITION) or ""

    def check(self) -> None:
        """Check the file as it is on the disk, at the end of a run.

        All results are read, and the moves of the games that this run stored.

        Raises:
            StoreFailure: The file is damaged, or rows are missing.
        """
        with blaming_machine(self.path):
            self._check_place()
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            problem = problem_of(self.path, since=self._before)
        if problem:
            raise StoreFailure(damaged(self.path, problem))
