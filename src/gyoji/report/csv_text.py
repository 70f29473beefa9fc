"""Sheets as comma-separated values (RFC 4180), lines ending with a newline."""

from collections.abc import Iterable, Iterator

from gyoji.report.sheet import Sheet


def csv_lines(sheets: Iterable[Sheet]) -> Iterator[str]:
    """Each sheet after a line with its title alone, with a blank line between two."""
    for number, sheet in enumerate(sheets):
        if number:
            yield ""
        yield _row([sheet.title])
        yield from table_lines(sheet)


def table_lines(sheet: Sheet) -> Iterator[str]:
    """The table alone: its headings, then its rows."""
    yield _row(sheet.headings)
    yield from map(_row, sheet.rows())


def _row(cells: Iterable[str]) -> str:
    return ",".join(map(_quoted, cells))


def _quoted(cell: str) -> str:
    """A cell that ends where it ends, whatever is in it.

    >>> _quoted("plain"), _quoted("1, 2"), len(_quoted('"'))
    ('plain', '"1, 2"', 4)
    """
    if any(mark in cell for mark in ',"\r\n'):
        return '"' + cell.replace('"', '""') + '"'
    return cell
