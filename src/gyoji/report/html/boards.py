"""Pictures of positions as SVG without style sheet or script, for notebooks.

They look like the pictures of `shapes.js` on the pages.
"""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from math import hypot

from gyoji.core.game import Scene

_PLACE, _MARGIN = 10.0, 4.5  # width of a place and of the margin in units of the SVG, as in board.js
_PIXELS = 360  # width of the picture
_STEP = 3**0.5 / 2  # distance of two rows of hexes, in widths of a place
_FILLS = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#3f7fb5", "#d55e00", "#cc79a7", "#8a8a8a")
_SIDES = ("#c5303a", "#2560c4", "#1a7f37", "#8a6d00")
_WOOD, _SAND, _SCRATCH, _GRID = "#e6bd72", "#e5d7b6", "#6b4a17", "#c6b488"
_LIGHT, _DARK = "#ecdcb9", "#b98d5e"
_DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))


MEN = {
    "P": "M0-2.6a1.35 1.35 0 0 1 .9 2.4L1.9 2.6H-1.9L-.9-.2A1.35 1.35 0 0 1 0-2.6z",
    "N": "M-.6-3.6L.2-3c2 .2 2.9 2.2 2.4 5.6h-4.4c0-1.7.9-2.1 1.5-3.2-.9.3-1.6.5-2.1 1.1"
    "l-.8-.6c.1-1.6 1-2.6 1.8-3.3z",
    "B": "M0-3.7a.55.55 0 0 1 .35.95C1.7-1.7 2-.2 1.2 1l.7 1.6h-3.8l.7-1.6"
    "C-2-.2-1.7-1.7-.35-2.75A.55.55 0 0 1 0-3.7z",
    "R": "M-2.4-3.2h1.2v.9h.8v-.9h.8v.9h.8v-.9h1.2v2l-.7.5.4 3.3h-4.2l.4-3.3-.7-.5z",
    "Q": "M-3-2.1l1.3 2.2-.1-3 1.2 2.7L0-3.4l.6 3.2 1.2-2.7-.1 3L3-2.1l-.9 4.7h-4.2z",
    "K": "M-.35-4h.7v.6h.6v.7h-.6v.9C1.4-2.6 3-2.2 2.9-.7 2.8.5 2 1.3 2 2.6h-4C-2 1.3-2.8.5-2.9-.7"
    "-3-2.2-1.4-2.6-.35-1.8v-.9h-.6v-.7h.6z",
}
"""SVG path of each chess piece around (0, 0), as in shapes.js. `_FOOT` is added to each."""

_FOOT = "M-2.8 3.7v-.8h5.6v.8z"


def board_svg(scene: Scene, signs: Mapping[int, str], marks: Iterable[int] = ()) -> str:
    """Return a position as SVG.

    Args:
        scene: The board.
        signs: The signs of the pieces on each place, as in `gyoji.core.game.Frame`.
        marks: Places of the last turn, which get a dot or a frame.
    """
    width, height = _extent(scene)
    ground = {"points": _WOOD, "cells": _SAND, "squares": _LIGHT, "hexes": _SAND}[scene.kind]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{_PIXELS}" '
        f'height="{_PIXELS * height / width:.0f}" role="img" style="max-width:100%;height:auto">',
        f'<rect width="{width:g}" height="{height:g}" fill="{ground}"/>',
        _lines(scene),
        *_names(scene, width, height),
        *(_circle(*_middle(scene, place), 1, _SCRATCH) for place in scene.stars),
    ]
    for place, words in sorted(signs.items()):
        for sign in words.split():
            parts += _sign(sign, *_middle(scene, place), is_hex=scene.kind == "hexes")
    for place in marks:
        x, y = _middle(scene, place)
        if scene.kind == "squares":
            parts.append(
                f'<rect x="{x - 4.6:g}" y="{y - 4.6:g}" width="9.2" height="9.2" rx=".8" fill="none" '
                'stroke="#c5303a" stroke-width=".5"/>'
            )
            continue
        dark = not any(sign in ("B", "b") for sign in signs.get(place, "").split())
        parts.append(_circle(x, y, 1.5, "#c5303a" if dark else "#ffb3b8"))
    return "".join([*parts, "</svg>"])


def _middle(scene: Scene, place: int) -> tuple[float, float]:
    row, column = divmod(place, scene.width)
    if scene.kind == "hexes":
        return _MARGIN + (column + row / 2 + 0.5) * _PLACE, _MARGIN + (row * _STEP + 0.5) * _PLACE
    return _MARGIN + (column + 0.5) * _PLACE, _MARGIN + (row + 0.5) * _PLACE


def _extent(scene: Scene) -> tuple[float, float]:
    """Return the width and the height of a picture."""
    columns, rows = len(scene.columns), len(scene.rows)
    if scene.kind == "hexes":
        return (columns + (rows - 1) / 2) * _PLACE + 2 * _MARGIN, (
            (rows - 1) * _STEP + 1
        ) * _PLACE + 2 * _MARGIN
    return columns * _PLACE + 2 * _MARGIN, rows * _PLACE + 2 * _MARGIN


def _hex(x: float, y: float) -> str:
    """Return the SVG path of a hexagon around a point."""
    half, corner = _PLACE / 2, _PLACE / 3**0.5
    low, high = y + corner / 2, y - corner / 2
    right, left = f"L{x + half:g} {high:g}V{low:g}", f"L{x - half:g} {low:g}V{high:g}"
    return f"M{x:g} {y - corner:g}{right}L{x:g} {y + corner:g}{left}Z"


def _lines(scene: Scene) -> str:
    """Return the grid of a board as SVG: lines, hexes, or the dark squares of a chessboard.

    Places of the kind "points" are at the intersections of lines, those of the kind "cells" between lines.
    """
    if scene.kind == "squares":
        dark = [
            place for place in range(scene.width * len(scene.rows)) if sum(divmod(place, scene.width)) % 2
        ]
        corners = ((x - _PLACE / 2, y - _PLACE / 2) for x, y in (_middle(scene, place) for place in dark))
        drawn = "".join(f"M{x:g} {y:g}h{_PLACE:g}v{_PLACE:g}h-{_PLACE:g}z" for x, y in corners)
        return f'<path d="{drawn}" fill="{_DARK}"/>'
    if scene.kind == "hexes":
        hexes = [_hex(*_middle(scene, place)) for place in range(scene.width * len(scene.rows))]
        return f'<path d="{"".join(hexes)}" stroke="{_GRID}" stroke-width=".3" fill="none"/>'
    is_points = scene.kind == "points"
    inset, last = (_PLACE / 2, 0) if is_points else (0.0, 1)
    columns, rows = len(scene.columns), len(scene.rows)
    first = _MARGIN + inset
    right, bottom = (_MARGIN + number * _PLACE - inset for number in (columns, rows))
    path = [f"M{first + column * _PLACE:g} {first:g}V{bottom:g}" for column in range(columns + last)]
    path += [f"M{first:g} {first + row * _PLACE:g}H{right:g}" for row in range(rows + last)]
    colour = _SCRATCH if is_points else _GRID
    return f'<path d="{"".join(path)}" stroke="{colour}" stroke-width=".3" fill="none"/>'


def _names(scene: Scene, width: float, height: float) -> Iterator[str]:
    """Yield the names of columns and rows at the edges of the board, as SVG."""
    if scene.kind == "hexes":
        for column, name in enumerate(scene.columns):
            yield _text(name, _MARGIN + (column + 0.5) * _PLACE, _MARGIN / 2, 3.4, _SCRATCH)
        for row, name in enumerate(scene.rows):
            yield _text(
                name, row / 2 * _PLACE + _MARGIN / 2, _middle(scene, row * scene.width)[1], 3.4, _SCRATCH
            )
        return
    for column, name in enumerate(scene.columns):
        for y in (2.4, height - 2.4):
            yield _text(name, _MARGIN + (column + 0.5) * _PLACE, y, 3.1, _SCRATCH)
    for row, name in enumerate(scene.rows):
        for x in (2.4, width - 2.4):
            yield _text(name, x, _MARGIN + (row + 0.5) * _PLACE, 3.1, _SCRATCH)


def _sign(sign: str, x: float, y: float, *, is_hex: bool) -> Iterator[str]:
    """Yield the SVG shapes of a sign, which represents a piece. An unknown sign is shown as text.

    Args:
        x: Horizontal position of the sign's centre in the picture.
        y: Vertical position, downwards.
        is_hex: Whether the places of the board are hexagons.
    """
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
        case "M" if len(rest) == 2 and rest[1] in MEN:
            yield _man(rest[0] == "0", rest[1], x, y)
        # A digger ("S", "D") in the colour of its side, with a dot in the direction that it faces
        case "S" | "D" if len(rest) == 2 and rest.isdecimal():
            colour = _SIDES[int(rest[0]) % len(_SIDES)]
            box = f'<rect x="{x - 2.8:g}" y="{y - 2.8:g}" width="5.6" height="5.6" rx="1.2" fill="{colour}"/>'
            yield _circle(x, y, 3.9, colour) if kind == "S" else box
            across, down = _DIRECTIONS[int(rest[1]) % len(_DIRECTIONS)]
            step = 2.2 / hypot(across, down)
            yield _circle(x + across * step, y + down * step, 1.1, "#fff")
        case "=" if rest.isdecimal():
            half = _PLACE / 2
            square = f"M{x - half:g} {y - half:g}h{_PLACE:g}v{_PLACE:g}h-{_PLACE:g}z"
            yield f'<path d="{_hex(x, y) if is_hex else square}" fill="{_FILLS[int(rest) % len(_FILLS)]}"/>'
        case "'":
            yield _text(rest, x, y, 3.6, "#16181b")
        case _:
            yield _text(sign, x, y, 3.6, "#16181b")


def _man(is_white: bool, kind: str, x: float, y: float) -> str:
    fill, stroke = ("#fdfdfb", "#16181b") if is_white else ("#16181b", "#f4f4f0")
    return (
        f'<path transform="translate({x:g} {y:g}) scale(1.16)" d="{MEN[kind]}{_FOOT}" fill="{fill}" '
        f'stroke="{stroke}" stroke-width=".35" stroke-linejoin="round"/>'
    )


def _circle(x: float, y: float, radius: float, colour: str, *, more: str = "") -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"{more}/>'


def _text(text: str, x: float, y: float, size: float, colour: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}" text-anchor="middle" '
        f'dominant-baseline="central" font-family="sans-serif">{escape(text)}</text>'
    )
