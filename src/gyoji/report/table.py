"""Plain text tables: columns with alignment and padding, headings that may span columns. No colours.

A column is as wide as its longest cell, followed by its padding. A heading has the room of the columns it
spans less the one blank that parts it from the next heading; one that is longer widens its first column.
Lines have no trailing blanks, and a row of nothing but blanks is left out.

>>> table = Table()
>>> table.column(("a", "bb"), padding=3)
>>> table.column(("2", "13"), heading="wins", align=Align.RIGHT)
>>> print("\\n".join(table.lines()))
     wins
a       2
bb     13
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class Align(Enum):
    LEFT = "left"
    RIGHT = "right"


@dataclass(slots=True)
class _Column:
    cells: tuple[str, ...]
    align: Align
    padding: int
    width: int


@dataclass(frozen=True, slots=True)
class _Heading:
    text: str
    first: int
    span: int


class Table:
    """A table under construction, column by column."""

    def __init__(self) -> None:
        self._columns: list[_Column] = []
        self._headings: list[_Heading] = []

    def column(
        self,
        cells: Sequence[str],
        *,
        heading: str = "",
        align: Align = Align.LEFT,
        padding: int = 1,
        span: int = 1,
    ) -> None:
        """Add a column. Its cells start in the first row; rows it has no cell for stay blank.

        heading  what stands above it and the span - 1 columns after it.
        span     columns under the heading; 0 for a column under a heading that began further left.
        padding  blanks to its right, at least 1.
        """
        width = max(map(len, cells), default=0)
        self._columns.append(_Column(tuple(cells), align, padding, width))
        if span:
            self._headings.append(_Heading(heading, len(self._columns) - 1, span))

    def numbers(self, cells: Sequence[str], *, heading: str, padding: int = 2) -> None:
        """Add a column of numbers, which end where their heading ends."""
        width = max(map(len, (heading, *cells)))
        self.column([cell.rjust(width) for cell in cells], heading=heading.rjust(width), padding=padding)

    def lines(self) -> list[str]:
        """The heading line and the rows."""
        for heading in self._headings:
            spanned = self._columns[heading.first : heading.first + heading.span]
            lacking = len(heading.text) - _room(spanned)
            spanned[0].width += max(lacking, 0)
        rows = max((len(column.cells) for column in self._columns), default=0)
        lines = [self._heading_line()] + [self._row(number) for number in range(rows)]
        return [line for line in lines if line]

    def _heading_line(self) -> str:
        columns = self._columns
        return " ".join(
            heading.text.ljust(_room(columns[heading.first : heading.first + heading.span]))
            for heading in self._headings
        ).rstrip()

    def _row(self, number: int) -> str:
        return "".join(_cell(column, number) for column in self._columns).rstrip()


def _room(columns: Sequence[_Column]) -> int:
    return sum(column.width + column.padding for column in columns) - 1


def _cell(column: _Column, row: int) -> str:
    text = column.cells[row] if row < len(column.cells) else ""
    placed = text.rjust(column.width) if column.align is Align.RIGHT else text.ljust(column.width)
    return placed + " " * column.padding
