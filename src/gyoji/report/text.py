"""Tables and trees as plain text. No colours.

Columns are as wide as their longest cell, followed by a gap. A heading has the room of the columns it spans
less the one blank that parts it from the next heading; one that is longer widens its first column. Lines have
no trailing blanks, and a row of nothing but blanks is left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from msgspec import Struct

from gyoji.core.tables import Block, Column, Kind, Node, Style, Table, Tree

_GAPS = {Kind.RANK: 1, Kind.NAME: 3, Kind.NUMBER: 2, Kind.TEXT: 2, Kind.MOMENT: 2}


def text_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """The lines of a report."""
    for block in blocks:
        if isinstance(block, str):
            yield block
        else:
            yield from table_lines(block) if isinstance(block, Table) else tree_lines(block)


def table_lines(table: Table) -> list[str]:
    """A table: the heading line and the rows.

    >>> from gyoji.core.tables import names, numbers
    >>> table = Table(columns=(names("player", ["a", "bb"]), numbers("wins", [2, 13])))
    >>> print("\\n".join(table_lines(table)))
         wins
    a       2
    bb     13
    """
    grid = Grid()
    for column in table.columns:
        _add(grid, column, table.style)
    return grid.lines()


def _add(grid: "Grid", column: Column, style: Style) -> None:
    cells: Sequence[str] = column.cells
    heading = "" if column.kind in (Kind.NAME, Kind.RANK) else column.heading
    if column.kind is Kind.RANK:
        cells = [f"{cell}." for cell in cells]
    elif style is Style.PLAIN and column.kind is Kind.NUMBER:
        width = max(map(len, (heading, *cells)))
        cells, heading = [cell.rjust(width) for cell in cells], heading.rjust(width)
    align = Align.LEFT if column.kind.is_text else Align.RIGHT
    grid.column(
        cells, heading=heading, align=align, padding=column.gap or _GAPS[column.kind], span=column.span
    )


class Align(Enum):
    LEFT = "left"
    RIGHT = "right"


class _Strip(Struct):
    cells: tuple[str, ...]
    align: Align
    padding: int
    width: int


class _Heading(Struct, frozen=True):
    text: str
    first: int
    span: int


class Grid:
    """Cells in columns, laid out column by column."""

    def __init__(self) -> None:
        self._columns: list[_Strip] = []
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
        self._columns.append(_Strip(tuple(cells), align, padding, width))
        if span:
            self._headings.append(_Heading(heading, len(self._columns) - 1, span))

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


def _room(columns: Sequence[_Strip]) -> int:
    return sum(column.width + column.padding for column in columns) - 1


def _cell(column: _Strip, row: int) -> str:
    text = column.cells[row] if row < len(column.cells) else ""
    placed = text.rjust(column.width) if column.align is Align.RIGHT else text.ljust(column.width)
    return placed + " " * column.padding


def tree_lines(tree: Tree) -> list[str]:
    """A column for each round, the winner on the right.

    1 ann 2 ┐
            ├ 1 ann 1 2 ┐
    4 dan 0 ┘           │
                        ├ 1 ann
    2 bob 2 ┐           │
            ├ 2 bob 1 0 ┘
    3 cat 0 ┘
    """
    levels = tree.levels
    rows = [""] * (2 * len(levels[0]) - 1)
    for number, places in enumerate(levels):
        _add_round(rows, number, places)
    return [line for line in (row.rstrip() for row in rows) if line]


def _add_round(rows: list[str], number: int, places: Sequence[Node | None]) -> None:
    """Write a round into the rows, and the lines to the next one behind it."""
    distance = 2 << number  # of two places
    first = (1 << number) - 1
    name_width = max(len(node.name) for node in places if node)
    score_width = max(len(node.score) for node in places if node)
    margin = max(map(len, rows))
    width = margin + name_width + 1 + score_width
    for index, node in enumerate(places):
        if node is None:
            continue
        row = first + index * distance
        text = f"{rows[row].ljust(margin)}{node.name.ljust(name_width)} {node.score.rjust(score_width)}"
        if len(places) > 1:
            rows[row] = f"{text} ┘ " if index % 2 else f"{text} ┐ "
            between = range(row + 1, row + distance) if index % 2 == 0 else ()
            for other in between:
                corner = "├" if other == row + distance // 2 else "│"
                rows[other] = f"{rows[other].ljust(width)} {corner} "
        else:
            rows[row] = text
