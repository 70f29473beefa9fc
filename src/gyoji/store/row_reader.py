"""A reader of rows of a database, which checks that no row is missing and that checksums are right."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, TypeVar

from gyoji.store.layout import blaming_user, checksums, damaged, selected

T = TypeVar("T")

CHUNK = 500
"""Number of rows of one query. No transaction is open between two queries, so that a slow reader does not
keep SQLite's log from shrinking.
"""


class RowReader:
    """Reads the rows of a table in order, with the columns of `layout.selected`.

    Raises ConfigError for a row that is missing or has a wrong checksum.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

    def rows(self, table: str, after: int) -> Iterator[Any]:
        """Yield the rows of a table that come after row number `after`.

        Raises:
            ConfigError: The file is damaged.
        """
        return chain.from_iterable(self.chunks(table, after))

    def chunks(self, table: str, after: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a table that come after row number `after`, in lists of up to CHUNK rows.

        Raises:
            ConfigError: The file is damaged.
        """
        query = f"SELECT {selected(table)} FROM {table} WHERE number > ? ORDER BY number LIMIT {CHUNK}"
        while True:
            with blaming_user(self._path):
                rows = self._connection.execute(query, (after,)).fetchall()
            self._check(table, rows, after)
            yield rows
            after += len(rows)
            if len(rows) < CHUNK:
                return

    # SQLite reads a truncated page as zeros, so a game may have a result and no moves. Commands that read
    # only results would not notice it.
    def check_moves(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Raise ConfigError unless each of these rows of games has its row of moves.

        The rows of moves are counted, not read: SQLite visits the leaves of `moves`, not the overflow pages
        of long games. That takes 4 us per game, a third of the time for reading its result.
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
        """Return the row of a table that has `value` in a column, after checking its checksum; None if there
        is no such row.
        """
        query = f"SELECT {selected(table)} FROM {table} WHERE {column} = ?"
        found: tuple[Any, ...] | None = self._connection.execute(query, (value,)).fetchone()
        if found is not None:
            self._check(table, [found], found[0] - 1)
        return found

    def _check(self, table: str, rows: list[tuple[Any, ...]], after: int) -> None:
        """Raise ConfigError unless these rows come directly after row number `after`, have no gap between
        them, and have the right checksums.
        """
        for number, row, found in zip(count(after + 1), rows, checksums(rows), strict=False):
            if row[0] != number:
                raise damaged(self._path, f"row {number} of {table} is missing")
            if row[-1] != found:
                raise damaged(self._path, f"row {number} of {table} is not as it was written")

    def value(self, read: Callable[[str | bytes], T], table: str, number: int, text: str | bytes) -> T:
        """Decode the JSON text of a row by the function `read`.

        Args:
            number: The number of the row in `table`, for messages.

        Raises:
            ConfigError: The text is not valid.
        """
        try:
            return read(text)
        except ValueError as error:
            raise damaged(self._path, f"row {number} of {table}: {error}") from None
