"""Rows of a database read, and checked as they are: all there, and as they were written."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Any, TypeVar

from gyoji.core import wire
from gyoji.core.record import GameResult
from gyoji.store.layout import blaming_user, checksums, damaged, selected

T = TypeVar("T")

CHUNK = 500
"""Rows fetched at once; between two chunks no transaction is open, so a slow reader hinders nobody."""


class RowReader:
    """Reads rows over a connection; `selected` says what is in them. path: for messages."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

    def rows(self, table: str, after: int) -> Iterator[Any]:
        """The rows of a table that follow the row `after`. Raises ConfigError for a damaged file."""
        return chain.from_iterable(self.chunks(table, after))

    def chunks(self, table: str, after: int) -> Iterator[list[tuple[Any, ...]]]:
        """The same, CHUNK of them at a time."""
        query = f"SELECT {selected(table)} FROM {table} WHERE number > ? ORDER BY number LIMIT {CHUNK}"
        while True:
            with blaming_user(self._path):
                rows = self._connection.execute(query, (after,)).fetchall()
            self._check(table, rows, after)
            yield rows
            after += len(rows)
            if len(rows) < CHUNK:
                return

    def check_moves(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Raise ConfigError unless each of these rows of games has its row of moves.

        They are counted, not read: SQLite looks at the leaves of `moves`, not at the pages that a long game
        goes on in. 4 us a game, a third of what reading its result costs.
        """
        if not rows:
            return
        ends = rows[0][0], rows[-1][0]
        query = "FROM moves WHERE number BETWEEN ? AND ?"
        with blaming_user(self._path):
            if self._connection.execute(f"SELECT count(*) {query}", ends).fetchone()[0] == len(rows):
                return
            there = {number for (number,) in self._connection.execute(f"SELECT number {query}", ends)}
        lost = next(row[0] for row in rows if row[0] not in there)
        raise damaged(self._path, f"row {lost} of moves is missing")

    def row(self, table: str, column: str, value: object) -> tuple[Any, ...] | None:
        """The row that has that value in a column, None if there is none."""
        query = f"SELECT {selected(table)} FROM {table} WHERE {column} = ?"
        found: tuple[Any, ...] | None = self._connection.execute(query, (value,)).fetchone()
        if found is not None:
            self._check(table, [found], found[0] - 1)
        return found

    def _check(self, table: str, rows: list[tuple[Any, ...]], after: int) -> None:
        """Raise ConfigError unless these are the rows that follow the row `after`, as they were written."""
        for number, row, found in zip(count(after + 1), rows, checksums(rows), strict=False):
            if row[0] != number:
                raise damaged(self._path, f"row {number} of {table} is missing")
            if row[-1] != found:
                raise damaged(self._path, f"row {number} of {table} is not as it was written")

    def results(self, rows: Sequence[tuple[Any, ...]]) -> Iterable[GameResult]:
        """The results of rows of games: read at once, which costs less than one by one."""
        with suppress(ValueError):
            results = _read_results(b"[%b]" % b",".join([row[-2] for row in rows]))
            if len(results) == len(rows):
                return results
        read = wire.reader(GameResult)
        return (self.value(read, "games", row[0], row[-2]) for row in rows)

    def value(self, read: Callable[[str | bytes], T], table: str, number: int, text: str | bytes) -> T:
        """The value of a row, whose text is JSON. Raises ConfigError."""
        try:
            return read(text)
        except ValueError as error:
            raise damaged(self._path, f"row {number} of {table}: {error}") from None


_read_results = wire.reader(list[GameResult])
