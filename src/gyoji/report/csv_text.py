"""Tables as comma-separated values (RFC 4180), lines ending with a newline.

Spreadsheets compute what looks like a formula, and a formula can start programs: such a cell begins with an
apostrophe here, by which they know a text.
"""

import re
from collections.abc import Iterable, Iterator

from gyoji.core.tables import Table


def csv_lines(tables: Iterable[Table]) -> Iterator[str]:
    """Each table after a line with its title alone, with a blank line between two."""
    for number, table in enumerate(tables):
        if number:
            yield ""
        yield row([table.title])
        yield from table_lines(table)


def table_lines(table: Table) -> Iterator[str]:
    """The table alone: its headings, then its rows."""
    yield row(table.headings)
    yield from map(row, table.rows())


_FORMULA = re.compile(r"\s*[=@]|[\t\r]|\s*[-+].*[^\W\d_]|\s*[-+].*[(|]", re.DOTALL)
"""A cell that a spreadsheet may compute; not a number with its sign, a score such as 3-1, or a dash."""


def row(cells: Iterable[str]) -> str:
    """One line, without its end.

    >>> row(["-3.5", "+/-", "=1+1", "plain"])
    "-3.5,+/-,'=1+1,plain"
    """
    return ",".join(map(_quoted, cells))


def _quoted(cell: str) -> str:
    """A cell that ends where it ends and is a text or a number, whatever is in it.

    >>> _quoted("plain"), _quoted("1, 2"), len(_quoted('"'))
    ('plain', '"1, 2"', 4)
    """
    if _FORMULA.match(cell):
        cell = f"'{cell}"
    if any(mark in cell for mark in ',"\r\n'):
        return '"' + cell.replace('"', '""') + '"'
    return cell
