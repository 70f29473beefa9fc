"""Boards, tables and charts as HTML and SVG that stand alone: for a notebook, which has no page of ours.

Colours are in the elements, for there is no style sheet. Whatever somebody wrote becomes text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from math import hypot
from typing import NamedTuple

from gyoji.core.game import Scene
from gyoji.core.tables import Block, Chart, Table, Tree
from gyoji.report.html.plots import Scale, thinned
from gyoji.report.text import tree_lines

_PLACE, _MARGIN = 10.0, 7.0  # units of a board, as in board.js
_SIDES = ("#c5303a", "#2560c4", "#1a7f37", "#8a6d00")
_WOOD, _SAND, _SCRATCH, _GRID = "#e6bd72", "#e5d7b6", "#6b4a17", "#c6b488"
_DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))
_SOFT = "#59636e"
_WIDTH, _HEIGHT = 640, 300  # of a chart, pixels
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 14, 40


def board_svg(scene: Scene, signs: Mapping[int, str], marks: Iterable[int] = (), *, pixels: int = 360) -> str:
    """A position. signs: what is on each place, as `gyoji.core.game` has them; marks: what the last turn was.

    pixels: the width of the picture.
    """
    width, height = (len(names) * _PLACE + 2 * _MARGIN for names in (scene.columns, scene.rows))
    ground = _WOOD if scene.kind == "points" else _SAND
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{pixels}" '
        f'height="{pixels * height / width:.0f}" role="img" style="max-width:100%;height:auto">',
        f'<rect width="{width:g}" height="{height:g}" fill="{ground}"/>',
        *_lines(scene),
        *_names(scene, width, height),
    ]
    for place in scene.stars:
        parts.append(_circle(*_middle(scene, place), 1, _SCRATCH))
    for place, words in sorted(signs.items()):
        for sign in words.split():
            parts += _sign(sign, *_middle(scene, place))
    for place in marks:
        x, y = _middle(scene, place)
        dark = not any(sign in ("B", "b") for sign in signs.get(place, "").split())
        parts.append(_circle(x, y, 1.5, "#c5303a" if dark else "#ffb3b8"))
    return "".join([*parts, "</svg>"])


def _middle(scene: Scene, place: int) -> tuple[float, float]:
    row, column = divmod(place, scene.width)
    return _MARGIN + (column + 0.5) * _PLACE, _MARGIN + (row + 0.5) * _PLACE


def _lines(scene: Scene) -> Iterator[str]:
    """Points lie where lines cross, cells between them."""
    is_points = scene.kind == "points"
    inset, last = (_PLACE / 2, 0) if is_points else (0.0, 1)
    columns, rows = len(scene.columns), len(scene.rows)
    left = top = _MARGIN + inset
    right, bottom = (_MARGIN + number * _PLACE - inset for number in (columns, rows))
    path = [f"M{left + column * _PLACE:g} {top:g}V{bottom:g}" for column in range(columns + last)]
    path += [f"M{left:g} {top + row * _PLACE:g}H{right:g}" for row in range(rows + last)]
    drawn = "".join(path)
    colour = _SCRATCH if is_points else _GRID
    yield f'<path d="{drawn}" stroke="{colour}" stroke-width=".3" fill="none"/>'


def _names(scene: Scene, width: float, height: float) -> Iterator[str]:
    for column, name in enumerate(scene.columns):
        for y in (_MARGIN / 2, height - _MARGIN / 2):
            yield _text(name, _MARGIN + (column + 0.5) * _PLACE, y, 3.4, _SCRATCH)
    for row, name in enumerate(scene.rows):
        for x in (_MARGIN / 2, width - _MARGIN / 2):
            yield _text(name, x, _MARGIN + (row + 0.5) * _PLACE, 3.4, _SCRATCH)


def _sign(sign: str, x: float, y: float) -> Iterator[str]:
    """What a sign looks like; one that is not known is written out."""
    kind, rest = sign[0], sign[1:]
    faded = ' opacity=".45"' if kind in "bw" else ""
    match kind:
        case "B" | "b":
            yield _circle(x, y, 4.7, "#16181b", more=faded)
        case "W" | "w":
            yield _circle(x, y, 4.7, "#fdfdfb", more=f' stroke="#555" stroke-width=".3"{faded}')
        case "+":
            colour = "#16181b" if rest == "0" else "#fdfdfb"
            yield f'<rect x="{x - 1.3:g}" y="{y - 1.3:g}" width="2.6" height="2.6" fill="{colour}"/>'
        case "H":
            yield f'<ellipse cx="{x:g}" cy="{y + 0.5:g}" rx="3.9" ry="3.1" fill="#7a6437"/>'
        case "T" | "U":
            dashed = ' stroke="#6b4a17" stroke-dasharray="1 .8" stroke-width=".4"' if kind == "U" else ""
            yield _circle(x, y, 3.7, "#f2cf4a", more=dashed)
            yield _text(rest, x, y, 3.6, "#16181b")
        case "S" | "D" if len(rest) == 2 and rest.isdecimal():
            yield from _piece(kind, int(rest[0]), int(rest[1]), x, y)
        case _:
            yield _text(sign, x, y, 3.6, "#16181b")


def _piece(kind: str, side: int, direction: int, x: float, y: float) -> Iterator[str]:
    """A piece in its side's colour, with a dot where it looks."""
    colour = _SIDES[side % len(_SIDES)]
    if kind == "S":
        yield _circle(x, y, 3.9, colour)
    else:
        yield f'<rect x="{x - 2.8:g}" y="{y - 2.8:g}" width="5.6" height="5.6" rx="1.2" fill="{colour}"/>'
    across, down = _DIRECTIONS[direction % len(_DIRECTIONS)]
    step = 2.2 / hypot(across, down)
    yield _circle(x + across * step, y + down * step, 1.1, "#fff")


def _circle(x: float, y: float, radius: float, colour: str, *, more: str = "") -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"{more}/>'


def _text(text: str, x: float, y: float, size: float, colour: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}" text-anchor="middle" '
        f'dominant-baseline="central" font-family="sans-serif">{escape(text)}</text>'
    )


# Tables and charts


def blocks_html(blocks: Iterable[Block]) -> Iterator[str]:
    """The parts of a text: tables as such, brackets in letters of one width, other lines as paragraphs."""
    for block in blocks:
        if isinstance(block, Tree):
            yield f"<pre>{escape(chr(10).join(tree_lines(block)))}</pre>"
        elif isinstance(block, Table):
            yield table_html(block)
        elif block.strip():
            yield f"<div>{escape(block)}</div>"


def table_html(table: Table) -> str:
    """A table; numbers stand to the right."""
    sides = ["left" if column.kind.is_text else "right" for column in table.columns]
    head = "".join(
        f'<th style="text-align:{side}" colspan="{column.span}">{escape(column.heading)}</th>'
        for column, side in zip(table.columns, sides, strict=True)
        if column.span
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(_rows(table, sides))}</tbody></table>"


def _rows(table: Table, sides: Sequence[str]) -> Iterator[str]:
    for cells in table.rows():
        columns = zip(cells, sides, strict=True)
        row = "".join(f'<td style="text-align:{side}">{escape(cell)}</td>' for cell, side in columns)
        yield f"<tr>{row}</tr>"


def chart_svg(chart: Chart) -> str:
    """A chart with its axes, limits and the names of its lines; "" for one without points."""
    points = [point for line in chart.lines for point in line.points]
    if not points:
        return ""
    heights = [y for _, y in points] + [y for _, y in chart.limits]
    space = _Space(
        across=Scale(min(x for x, _ in points), max(x for x, _ in points)),
        up=Scale(min(heights), max(heights)),
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        'role="img" style="max-width:100%;height:auto" font-family="sans-serif" font-size="11">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        *_chart_axes(chart, space),
    ]
    for number, line in enumerate(chart.lines):
        colour = _SIDES[(number + 1) % len(_SIDES)]
        path = "L".join(f"{space.x(x):.1f} {space.y(y):.1f}" for x, y in thinned(line.points))
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        place = f'x="{_WIDTH - _RIGHT - 4}" y="{_TOP + 12 + 14 * number}"'
        parts.append(f'<text {place} text-anchor="end" fill="{colour}">{escape(line.name)}</text>')
    return f"<div><strong>{escape(chart.title)}</strong></div>{''.join(parts)}</svg>"


class _Space(NamedTuple):
    """The space of a chart's lines, in pixels."""

    across: Scale
    up: Scale

    def x(self, value: float) -> float:
        return _LEFT + (_WIDTH - _RIGHT - _LEFT) * self.across.percent(value) / 100

    def y(self, value: float) -> float:
        return _TOP + (_HEIGHT - _BOTTOM - _TOP) * self.up.downwards(value) / 100


def _chart_axes(chart: Chart, space: _Space) -> Iterator[str]:
    """The lines of the scale with their numbers, what the axes count, and the limits."""
    for tick in space.up.ticks():
        y = space.y(tick)
        yield f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#d5dbe1"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" fill="{_SOFT}">{tick:g}</text>'
    for place, text in chart.ticks or [(tick, f"{tick:g}") for tick in space.across.ticks()]:
        yield _label(space.x(place), _HEIGHT - _BOTTOM + 16, text)
    yield _label((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, chart.x)
    yield f'<text x="4" y="{_TOP - 3}" fill="{_SOFT}">{escape(chart.y)}</text>'
    for name, height in chart.limits:
        y = space.y(height)
        yield f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#c5303a" stroke-dasharray="6 4"/>'
        yield f'<text x="{_LEFT + 4}" y="{y - 4:.1f}" fill="#c5303a">{escape(name)}</text>'


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="{_SOFT}">{escape(text)}</text>'
