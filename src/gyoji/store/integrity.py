"""Checks that the file of a database is undamaged. A run makes them before it reports success.

SQLite checks the pages (`quick_check`): all pages of a file of up to 256 MB, of a larger file only those of
the results and the shared texts. gyoji checks that every row exists and has the right checksum. At the end of
a run, rows of moves that earlier runs stored are only counted; `gyoji verify` reads those too.
"""

# Not all pages of a large file are checked, because every run waits for the check at its end (100,000 games:
# 1.7 s with all pages). The rows are read in any case, which visits every page that has results.

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from gyoji.store.layout import COLUMNS, NO_TABLE, checksum, counted_rows, last_row, misfits, text_digest

WHOLE_BYTES = 1 << 28
"""Size in bytes up to which all pages of a file are checked."""

_CHUNK = 500
_MOST_OF_PAGES = 20
"""Largest number of lines about damaged pages."""


def problem_of(path: Path, *, since: int) -> str:
    """Return the first problem in the file of a database; "" for none.

    Args:
        since: A row number of the table `moves`. Its rows up to this number are only counted. Its later rows
            are read and compared with their checksums.

    Raises:
        sqlite3.Error: The file cannot be read.
    """
    address = f"{Path(os.path.abspath(path)).as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
        connection.execute("BEGIN")  # one snapshot for all checks
        return next(problems_of(connection, since=since, most=1), "")


def problems_of(
    connection: sqlite3.Connection, *, since: int = 0, most: int = _MOST_OF_PAGES
) -> Iterator[str]:
    """Yield lines about the problems in a database. If a table is missing, no rows are checked.

    Args:
        since: A row number of the table `moves`. Its rows up to this number are only counted. Its later rows
            are read and compared with their checksums.
        most: Largest number of lines about damaged pages of a file of up to `WHOLE_BYTES`. For a larger file
            it has no effect.

    Raises:
        sqlite3.Error: The file cannot be read at all.
    """
    found = list(misfits(connection))
    yield from found
    pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    is_small = pages * size <= WHOLE_BYTES
    for check in (f"({most})",) if is_small else ("(games)", "(texts)"):
        try:
            said = connection.execute(f"PRAGMA quick_check{check}").fetchall()
        except sqlite3.DatabaseError as error:
            yield str(error)
            continue
        yield from (str(line).replace("\n", " ") for (line,) in said if line != "ok")
    if any(each.startswith(NO_TABLE) for each in found):
        return
    if since:
        there = connection.execute("SELECT count(*) FROM moves WHERE number <= ?", (since,)).fetchone()[0]
        if there != since:
            yield f"{since - there} of the first {since} rows of moves are missing"
    for table, columns in COLUMNS.items():
        after = since if table == "moves" else 0
        yield from _problems_of_rows(
            connection, table, (*columns, "checksum"), after, lambda row: checksum(*row[:-1]) == row[-1]
        )
    yield from _problems_of_rows(
        connection, "texts", ("number", "text", "digest"), 0, lambda row: text_digest(str(row[1])) == row[2]
    )
    yield from _problems_between(connection)


def _problems_of_rows(
    connection: sqlite3.Connection,
    table: str,
    columns: Sequence[str],
    after: int,
    is_sound: Callable[[Any], bool],
) -> Iterator[str]:
    """Yield a line for each missing, unreadable or changed row after the row `after`.

    Args:
        table: A table whose rows are numbered without gaps.
        columns: Columns to read, the number of the row first.
        is_sound: Returns whether a row, as it was read, has the right checksum.
    """
    query = f"SELECT {', '.join(columns)} FROM {table}"
    last = _end_of(connection, table)
    while after < last:
        upto = min(after + _CHUNK, last)
        try:
            rows = connection.execute(
                f"{query} WHERE number > ? AND number <= ? ORDER BY number", (after, upto)
            ).fetchall()
        except sqlite3.DatabaseError:
            rows = [row for number in range(after + 1, upto + 1) if (row := _one(connection, query, number))]
        there = {row[0]: row for row in rows}
        for number in range(after + 1, upto + 1):
            row = there.get(number)
            if row is None:
                yield f"row {number} of {table} is missing"
            elif row == (number,):
                yield f"row {number} of {table} cannot be read"
            elif not is_sound(row):
                yield f"row {number} of {table} is not as it was written"
        after = upto


# Called row by row after a chunk has failed, so that only the rows on a damaged page are reported.
def _one(connection: sqlite3.Connection, query: str, number: int) -> tuple[Any, ...] | None:
    """Return one row of a table; None if it does not exist, (number,) if it cannot be read.

    Args:
        query: The SELECT statement for the table, without a condition.
        number: The number of the row.
    """
    try:
        row: tuple[Any, ...] | None = connection.execute(f"{query} WHERE number = ?", (number,)).fetchone()
    except sqlite3.DatabaseError:
        return (number,)
    return row


def _end_of(connection: sqlite3.Connection, table: str) -> int:
    """Return the number of a table's last row.

    If the table cannot be read, return the number that its last row should have.
    """
    try:
        return last_row(connection, table)
    except sqlite3.DatabaseError:
        return counted_rows(connection, table)


def _problems_between(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield a line for each contradiction between two tables.

    One line says that texts of games' settings are missing. There is one for each ruling about a game that is
    not stored.
    """
    try:
        wanted, there = (
            connection.execute(query).fetchone()[0]
            for query in (
                "SELECT ifnull(max(frame), 0) FROM games",
                "SELECT ifnull(max(number), 0) FROM texts",
            )
        )
        strays = connection.execute(
            "SELECT number, id FROM rulings WHERE id NOT IN (SELECT id FROM games)"
        ).fetchall()
    except sqlite3.DatabaseError:
        return
    if wanted > there:
        yield f"row {wanted} of texts is missing"
    yield from (
        f"row {number} of rulings is about game {game_id}, which is not stored" for number, game_id in strays
    )
