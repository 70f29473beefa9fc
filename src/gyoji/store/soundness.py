"""Whether a database is whole, as it is in its file: what a run looks at before it says that all is well.

SQLite looks at its pages (`quick_check`), we at the rows: are they all there, and as they were written?
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from gyoji.store.layout import (
    COLUMNS,
    NO_TABLE,
    checksum,
    counted_rows,
    last_row,
    misfits,
    text_digest,
)

WHOLE_BYTES = 1 << 28
"""Of a larger file not all pages are looked at, but those of the results."""

_CHUNK = 500
_MOST_OF_PAGES = 20
"""How many lines SQLite may say about pages."""


def problem_of(path: Path, *, since: int) -> str:
    """The first fault in the file of a database of today's layout, "" for none. Raises sqlite3.Error.

    since: the moves of games after that row are looked at, of those before it is counted how many there are.
    """
    address = f"{Path(os.path.abspath(path)).as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
        connection.execute("BEGIN")  # all of it is seen at one moment
        return next(problems_of(connection, since=since, most=1), "")


def problems_of(
    connection: sqlite3.Connection, *, since: int = 0, most: int = _MOST_OF_PAGES
) -> Iterator[str]:
    """All that is wrong with a database of today's layout, a line each; most: of what is wrong with pages.

    Raises sqlite3.Error where it cannot be read at all.
    """
    found = list(misfits(connection))
    yield from found
    yield from _problems_of_pages(connection, most)
    if any(each.startswith(NO_TABLE) for each in found):
        return
    if since:
        yield from _problems_of_moves_before(connection, since)
    for table, columns in COLUMNS.items():
        after = since if table == "moves" else 0
        yield from _problems_of_rows(connection, table, (*columns, "checksum"), after, _as_written)
    yield from _problems_of_rows(connection, "texts", ("number", "text", "digest"), 0, _as_digested)
    yield from _problems_between(connection)


def _problems_of_pages(connection: sqlite3.Connection, most: int) -> Iterator[str]:
    pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    is_small = pages * size <= WHOLE_BYTES
    for check in (f"({most})",) if is_small else ("(games)", "(texts)"):
        try:
            said = connection.execute(f"PRAGMA quick_check{check}").fetchall()
        except sqlite3.DatabaseError as error:
            yield str(error)
            continue
        yield from (str(line).replace("\n", " ") for (line,) in said if line != "ok")


def _problems_of_moves_before(connection: sqlite3.Connection, since: int) -> Iterator[str]:
    there = connection.execute("SELECT count(*) FROM moves WHERE number <= ?", (since,)).fetchone()[0]
    if there != since:
        yield f"{since - there} of the first {since} rows of moves are missing"


def _as_written(row: tuple[Any, ...]) -> bool:
    return bool(checksum(*row[:-1]) == row[-1])


def _as_digested(row: tuple[Any, ...]) -> bool:
    return bool(text_digest(str(row[1])) == row[2])


def _problems_of_rows(
    connection: sqlite3.Connection,
    table: str,
    columns: Sequence[str],
    after: int,
    is_sound: Callable[[Any], bool],
) -> Iterator[str]:
    """The faults in the rows after that one, which should be numbered without a gap."""
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
            elif row == _unreadable(number):
                yield f"row {number} of {table} cannot be read"
            elif not is_sound(row):
                yield f"row {number} of {table} is not as it was written"
        after = upto


def _unreadable(number: int) -> tuple[Any, ...]:
    """The stand-in for a row that cannot be read."""
    return (number,)


def _one(connection: sqlite3.Connection, query: str, number: int) -> tuple[Any, ...] | None:
    try:
        row: tuple[Any, ...] | None = connection.execute(f"{query} WHERE number = ?", (number,)).fetchone()
    except sqlite3.DatabaseError:
        return _unreadable(number)
    return row


def _end_of(connection: sqlite3.Connection, table: str) -> int:
    """The number of the last row; where that cannot be read, of what should be the last one."""
    try:
        return last_row(connection, table)
    except sqlite3.DatabaseError:
        return counted_rows(connection, table)


def _problems_between(connection: sqlite3.Connection) -> Iterator[str]:
    """Rows that speak of others that are not there."""
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
