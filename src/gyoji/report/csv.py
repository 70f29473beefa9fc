"""Tables as CSV (RFC 4180).

Names of engines and details of results are not trusted: a cell that a spreadsheet would take for a formula
gets a leading apostrophe, because a formula can start programs.
"""

import re
from collections.abc import Iterable, Iterator

from gyoji.core.tables import Part, Tree

# Spreadsheets also compute cells that begin with tabs or blanks before the sign.
_FORMULA = re.compile(r"\s*[=@]|[\t\r]|\s*[-+].*[^\W\d_]|\s*[-+].*[(|]", re.DOTALL)
"""Pattern of CSV cells that a spreadsheet may take for a formula. Signed numbers, scores such as 3-1 and
dashes do not match.
"""


def csv_lines(tables: Iterable[Part]) -> Iterator[str]:
    """Yield all tables as CSV, each below a line with its title. A blank line separates two tables."""
    for number, table in enumerate(tables):
        if number:
            yield ""
        yield csv_row([table.caption])
        yield from csv_table(table)


def csv_table(part: Part) -> Iterator[str]:
    """Yield one table as CSV: its headings, then its rows. A bracket has a row for each place."""
    table = part.as_table if isinstance(part, Tree) else part
    yield csv_row(table.headings)
    yield from map(csv_row, table.rows())


def csv_row(cells: Iterable[str]) -> str:
    """Return one line of CSV, without a line end.

    >>> csv_row(["-3.5", "+/-", "=1+1", "plain"])
    "-3.5,+/-,'=1+1,plain"
    """
    return ",".join(map(_quoted, cells))


def _quoted(cell: str) -> str:
    """Return a CSV cell, in quotes if its text has commas, quotes or line ends.

    A text that a spreadsheet may take for a formula gets a leading apostrophe.

    >>> _quoted("plain"), _quoted("1, 2"), len(_quoted('"'))
    ('plain', '"1, 2"', 4)
    """
    if _FORMULA.match(cell):
        cell = f"'{cell}"
    if any(mark in cell for mark in ',"\r\n'):
        return '"' + cell.replace('"', '""') + '"'
    return cell
