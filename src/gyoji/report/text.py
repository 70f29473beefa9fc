"""Tables and brackets as plain text, in gomill's layout.

A column is as wide as its longest cell, followed by a gap. A heading may use the width of all columns that it
spans, except one blank before the next heading; a longer heading makes its first column wider. Lines have no
trailing blanks, and blank rows are left out.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from gyoji.core.tables import Block, Column, Kind, Node, Style, Table, Tree

# Three blanks after a name, as in the reports of gomill.
_GAPS = {Kind.RANK: 1, Kind.NAME: 3, Kind.NUMBER: 2, Kind.TEXT: 2, Kind.MOMENT: 2}


def text_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the lines of a text report.

    Args:
        blocks: Lines, tables and brackets. A table also has its `lead` before it and its `remarks` after it;
            empty tables are left out.
    """
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
    r"""Return the lines of a table: its headings and its rows.

    >>> from gyoji.core.tables import names, numbers
    >>> table = Table(columns=(names("player", ["a", "bb"]), numbers("wins", [2, 13])))
    >>> print("\n".join(table_lines(table)))
         wins
    a       2
    bb     13
    """
    strips = [_strip(column, table.style) for column in table.shown]
    headed = [(each, strips[number : number + each.span]) for number, each in enumerate(strips) if each.span]
    for strip, spanned in headed:
        # A long heading makes only its first column wider, so that its columns stay together.
        strip.width += max(len(strip.heading) - _room(spanned), 0)
    headings = " ".join(strip.heading.ljust(_room(spanned)) for strip, spanned in headed)
    rows = zip(*(strip.padded() for strip in strips), strict=True)
    return [line for line in map(str.rstrip, (headings, *map("".join, rows))) if line]


class _Strip(Struct):
    """A column of a table as text, before its cells are padded.

    Attributes:
        heading: The heading.
        cells: The texts of the cells.
        is_text: Whether cells are aligned to the left.
        gap: Number of blanks to the right of the column.
        span: Number of columns that the heading spans; 0 for a column under the heading of an earlier column.
        width: Number of characters of the longest cell, or more if the heading needs it.
    """

    heading: str
    cells: Sequence[str]
    is_text: bool
    gap: int
    span: int
    width: int

    def padded(self) -> list[str]:
        """Return the cells, each padded to the width of the column plus its gap."""
        align = str.ljust if self.is_text else str.rjust
        return [align(cell, self.width) + " " * self.gap for cell in self.cells]


def _room(spanned: Sequence[_Strip]) -> int:
    """Return the number of characters that a heading above these columns may have."""
    return sum(strip.width + strip.gap for strip in spanned) - 1


def _strip(column: Column, style: Style) -> _Strip:
    cells: Sequence[str] = column.cells
    is_headed = style is not Style.BARE and column.kind not in (Kind.NAME, Kind.RANK)
    heading = column.heading if is_headed else ""
    if column.kind is Kind.RANK:
        cells = [f"{cell}." for cell in cells]
    # Headings are aligned to the left, as in gomill, except those of numbers in the plain style.
    elif style is Style.PLAIN and column.kind is Kind.NUMBER:
        width = max(map(len, (heading, *cells)))
        cells, heading = [cell.rjust(width) for cell in cells], heading.rjust(width)
    gap, width = column.gap or _GAPS[column.kind], max(map(len, cells), default=0)
    return _Strip(heading, cells, column.kind.is_text, gap, column.span, width)


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
    """Append a round of a bracket to the lines of text, with the lines that connect it to the next round.

    Args:
        rows: The lines of text, with the rounds before this one.
        number: Number of the round, from 0.
        places: The places of the round, from top to bottom; None where there is no match.
    """
    # All rounds use the same rows: a place is in the middle between the two places of the round before.
    distance = 2 << number  # number of rows from one place to the next
    first = (1 << number) - 1
    name_width = max(len(node.name) for node in places if node)
    # With the blank before it; 0 before the first game
    score_width = max(len(f" {node.score}".rstrip()) for node in places if node)
    margin = max(map(len, rows))
    width = margin + name_width + score_width
    for index, node in enumerate(places):
        if node is None:
            continue
        row = first + index * distance
        text = f"{rows[row].ljust(margin)}{node.name.ljust(name_width)}{node.score.rjust(score_width)}"
        if len(places) > 1:
            rows[row] = f"{text} ┘ " if index % 2 else f"{text} ┐ "
            between = range(row + 1, row + distance) if index % 2 == 0 else ()
            for other in between:
                corner = "├" if other == row + distance // 2 else "│"
                rows[other] = f"{rows[other].ljust(width)} {corner} "
        else:
            rows[row] = text
