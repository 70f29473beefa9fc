"""Tables and brackets as plain text, in gomill's layout. There are no colours.

A column is as wide as its longest cell, followed by a gap. A heading may use the width of the columns that
it spans, except for one blank before the next heading; a longer heading widens its first column. Lines
have no trailing blanks, and rows that are entirely blank are left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from msgspec import Struct

from gyoji.core.tables import Block, Column, Kind, Node, Style, Table, Tree

# Three blanks after a name, as in the reports of gomill.
_GAPS = {Kind.RANK: 1, Kind.NAME: 3, Kind.NUMBER: 2, Kind.TEXT: 2, Kind.MOMENT: 2}


def text_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the lines of a report. A table brings its lead and its remarks; an empty table brings nothing."""
    for block in blocks:
        if isinstance(block, str):
            yield block
        elif isinstance(block, Tree):
            yield from tree_lines(block)
        elif not block.is_empty:
            yield from [block.lead] if block.lead else []
            yield from table_lines(block)
            yield from block.remarks


def table_lines(table: Table) -> list[str]:
    r"""Return the heading line and the rows of a table.

    >>> from gyoji.core.tables import names, numbers
    >>> table = Table(columns=(names("player", ["a", "bb"]), numbers("wins", [2, 13])))
    >>> print("\n".join(table_lines(table)))
         wins
    a       2
    bb     13
    """
    grid = Grid()
    for column in table.shown:
        _add(grid, column, table.style)
    return grid.lines()


def _add(grid: "Grid", column: Column, style: Style) -> None:
    cells: Sequence[str] = column.cells
    is_headed = style is not Style.BARE and column.kind not in (Kind.NAME, Kind.RANK)
    heading = column.heading if is_headed else ""
    if column.kind is Kind.RANK:
        cells = [f"{cell}." for cell in cells]
    # Cells and heading are padded here, because the grid aligns a heading to the left as gomill does.
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
        """Add a column. Its cells start in the first row; missing cells at its end stay blank.

        Args:
            heading: Text above this column and the span - 1 columns after it.
            span: Number of columns under the heading; 0 for a column under the heading of an earlier one.
            padding: Blanks to the right of the column, at least 1.
        """
        width = max(map(len, cells), default=0)
        self._columns.append(_Strip(tuple(cells), align, padding, width))
        if span:
            self._headings.append(_Heading(heading, len(self._columns) - 1, span))

    def lines(self) -> list[str]:
        """Return the heading line and the rows."""
        for heading in self._headings:
            spanned = self._columns[heading.first : heading.first + heading.span]
            # The first column takes what a long heading lacks, so that the columns under it
            # stay together.
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
    """Draw a bracket with a column for each round and the winner on the right.

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
    """Append the places of a round to the rows, with the lines that lead to the next round."""
    # Rounds share the rows: a place stands in the middle of the two that it is decided by.
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
