"""Sheets as HTML tables. Shares have a bar below them; cross tables are coloured by who is ahead."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from gyoji.pairing.tally import PlayerStats
from gyoji.report.crosstable import Row, decided, score_text
from gyoji.report.html.markup import element, inline
from gyoji.report.numbers import count, percent
from gyoji.report.sheet import Column, Sheet


def sheet_table(sheet: Sheet, *, plotted: Sequence[str] = ()) -> Iterator[str]:
    """The table of a sheet; its first column of words is the heading of its rows.

    plotted: one more cell for each row, and one below them for what the scale says.
    """
    columns = sheet.columns
    first = next((index for index, column in enumerate(columns) if column.is_text), -1)
    headings = "".join(map(_heading, columns)) + ("<td></td>" if plotted else "")
    yield '<div class="wide"><table class="ratings">' if plotted else '<div class="wide"><table>'
    yield f"<thead><tr>{headings}</tr></thead>\n<tbody>"
    for cells, plot in zip_longest(sheet.rows(), plotted[:-1]):
        row = (
            _cell(cell, column, is_heading=index == first)
            for index, (cell, column) in enumerate(zip(cells, columns, strict=True))
        )
        end = element("td", plot, class_="plotted") if plot else ""
        yield f"<tr>{''.join(row)}{end}</tr>"
    yield "</tbody>"
    if plotted:
        below = "<td></td>" * len(columns) + element("td", plotted[-1], class_="plotted")
        yield f"<tfoot><tr>{below}</tr></tfoot>"
    yield "</table></div>"


def _heading(column: Column) -> str:
    kind = "text" if column.is_text else None
    return element("th", inline(column.heading), scope="col", class_=kind, title=column.about or None)


def _cell(text: str, column: Column, *, is_heading: bool) -> str:
    kind = "text" if column.is_text else None
    if not column.is_text and text.endswith("%"):
        return element("td", inline(text) + _bar(text), class_="none" if text == percent(0, 1) else None)
    shown = inline(text)
    if is_heading:
        return element("th", shown, scope="row", class_=kind)
    return element("td", shown, class_=kind, title=text if column.is_text and len(text) > 40 else None)


def _bar(share: str) -> str:
    """A share such as "62.50%" as a length."""
    return (
        '<svg class="bar" aria-hidden="true"><rect class="track" width="100%" height="4"/>'
        f'<rect width="{inline(share)}" height="4"/></svg>'
    )


def cross_table(sheet: Sheet, lines: Sequence[Row], names: Sequence[str]) -> Iterator[str]:
    """A cross table: who is ahead in each pair, and below the score that of each side. lines: its players."""
    yield f"<p>The small figures are those as {inline(names[0])}, then as {inline(names[1])}.</p>"
    yield '<div class="wide"><table>'
    yield f"<thead><tr>{''.join(_heading(column) for column in sheet.columns)}</tr></thead>"
    yield "<tbody>"
    for row in lines:
        met = "".join(_met(row, other, stats) for other, stats in zip(lines, row.against, strict=True))
        player = element("th", inline(row.place.player), scope="row", class_="text")
        yield f"<tr><td>{row.place.rank}</td>{player}{met}</tr>"
    yield "</tbody></table></div>"


def _met(row: Row, other: Row, stats: PlayerStats | None) -> str:
    """What one player did against another: the points, and below them those on each side."""
    if stats is None or not stats.total.played:
        return element("td", score_text(stats), class_="self" if stats is None else None)
    total = stats.total
    ahead = total.wins - total.losses
    sides = [f"{count(side.points)}:{count(decided(side) - side.points)}" for side in stats.sides]
    told = f"{row.place.player} against {other.place.player}: won {total.wins}, level {total.levels}, "
    told += f"lost {total.losses}" + (f", unknown {total.unknown}" if total.unknown else "")
    return element(
        "td",
        f"{score_text(stats)}<small>{' '.join(sides)}</small>",
        class_="win" if ahead > 0 else "loss" if ahead < 0 else "level",
        title=told,
    )
