"""Whether a database is whole, as it is in its file: what a run looks at before it says that all is well.

SQLite looks at its pages (`quick_check`), we at the rows: are they all there, and as they were written?
"""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from gyoji.store.layout import COLUMNS, checksum, misfit, text_digest

WHOLE_BYTES = 1 << 28
"""Of a larger file not all pages are looked at, but those of the results."""


def problem_of(path: Path, *, since: int) -> str:
    """What is wrong with the file of a database of today's layout, "" for nothing. Raises sqlite3.Error.

    since: the moves of games after that row are looked at, of those before it is counted how many there are.
    """
    address = f"{Path(os.path.abspath(path)).as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
        connection.execute("BEGIN")  # all of it is seen at one moment
        return misfit(connection) or _problem_of_pages(connection) or _problem_of_rows(connection, since)


def _problem_of_pages(connection: sqlite3.Connection) -> str:
    pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    checks = (
        ("quick_check(1)",) if pages * size <= WHOLE_BYTES else ("quick_check(games)", "quick_check(texts)")
    )
    for check in checks:
        (said,) = connection.execute(f"PRAGMA {check}").fetchone()
        if said != "ok":
            return str(said).replace("\n", " ")
    return ""


def _problem_of_rows(connection: sqlite3.Connection, since: int) -> str:
    found = _problem_of_moves_before(connection, since)
    for table, columns in COLUMNS.items():
        first = since + 1 if table == "moves" else 1
        query = f"SELECT {', '.join(columns)}, checksum FROM {table} WHERE number >= ? ORDER BY number"
        found = found or _problem_of(table, first, connection.execute(query, (first,)))
    return found or _problem_of_texts(connection)


def _problem_of_moves_before(connection: sqlite3.Connection, since: int) -> str:
    there = connection.execute("SELECT count(*) FROM moves WHERE number <= ?", (since,)).fetchone()[0]
    return f"{since - there} of the first {since} rows of moves are missing" if there != since else ""


def _problem_of(table: str, first: int, rows: Iterable[tuple[object, ...]]) -> str:
    """What is wrong with rows that should be numbered without a gap."""
    for number, row in enumerate(rows, first):
        if row[0] != number:
            return f"row {number} of {table} is missing"
        if checksum(*row[:-1]) != row[-1]:
            return f"row {number} of {table} is not as it was written"
    return ""


def _problem_of_texts(connection: sqlite3.Connection) -> str:
    number = 0
    for number, (stored, digest, text) in enumerate(
        connection.execute("SELECT number, digest, text FROM texts ORDER BY number"), 1
    ):
        if stored != number:
            return f"text {number} is missing"
        if text_digest(text) != digest:
            return f"text {number} is not as it was written"
    wanted = connection.execute("SELECT ifnull(max(frame), 0) FROM games").fetchone()[0]
    return f"text {wanted} is missing" if wanted > number else ""
