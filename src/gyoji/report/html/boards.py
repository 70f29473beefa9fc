"""A position as an SVG without style sheet or script, for notebooks. It looks like those of `board.js`."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from math import hypot

from gyoji.core.game import Scene

_PLACE, _MARGIN = 10.0, 7.0  # units of a board, as in board.js
_PIXELS = 360  # width of the picture
_SIDES = ("#c5303a", "#2560c4", "#1a7f37", "#8a6d00")
_WOOD, _SAND, _SCRATCH, _GRID = "#e6bd72", "#e5d7b6", "#6b4a17", "#c6b488"
_DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))


def board_svg(scene: Scene, signs: Mapping[int, str], marks: Iterable[int] = ()) -> str:
    """Return a position as SVG.

    Args:
        signs: The pieces on each place, as in `gyoji.core.game.Frame`.
        marks: Places of the last turn, which get a dot.
    """
    width, height = (len(names) * _PLACE + 2 * _MARGIN for names in (scene.columns, scene.rows))
    ground = _WOOD if scene.kind == "points" else _SAND
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
            parts += _sign(sign, *_middle(scene, place))
    for place in marks:
        x, y = _middle(scene, place)
        dark = not any(sign in ("B", "b") for sign in signs.get(place, "").split())
        parts.append(_circle(x, y, 1.5, "#c5303a" if dark else "#ffb3b8"))
    return "".join([*parts, "</svg>"])


def _middle(scene: Scene, place: int) -> tuple[float, float]:
    row, column = divmod(place, scene.width)
    return _MARGIN + (column + 0.5) * _PLACE, _MARGIN + (row + 0.5) * _PLACE


def _lines(scene: Scene) -> str:
    """Return the grid as SVG. Boards of points have places where lines cross, others between lines."""
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
    """Yield the names of columns and rows, at all four sides of the board, as SVG."""
    for column, name in enumerate(scene.columns):
        for y in (_MARGIN / 2, height - _MARGIN / 2):
            yield _text(name, _MARGIN + (column + 0.5) * _PLACE, y, 3.4, _SCRATCH)
    for row, name in enumerate(scene.rows):
        for x in (_MARGIN / 2, width - _MARGIN / 2):
            yield _text(name, x, _MARGIN + (row + 0.5) * _PLACE, 3.4, _SCRATCH)


def _sign(sign: str, x: float, y: float) -> Iterator[str]:
    """Yield the SVG shapes of a sign, which stands for a piece. An unknown sign is written as text."""
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
        # A piece in its side's colour, with a dot in the direction that it faces
        case "S" | "D" if len(rest) == 2 and rest.isdecimal():
            colour = _SIDES[int(rest[0]) % len(_SIDES)]
            box = f'<rect x="{x - 2.8:g}" y="{y - 2.8:g}" width="5.6" height="5.6" rx="1.2" fill="{colour}"/>'
            yield _circle(x, y, 3.9, colour) if kind == "S" else box
            across, down = _DIRECTIONS[int(rest[1]) % len(_DIRECTIONS)]
            step = 2.2 / hypot(across, down)
            yield _circle(x + across * step, y + down * step, 1.1, "#fff")
        case _:
            yield _text(sign, x, y, 3.6, "#16181b")


def _circle(x: float, y: float, radius: float, colour: str, *, more: str = "") -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"{more}/>'


def _text(text: str, x: float, y: float, size: float, colour: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}" text-anchor="middle" '
        f'dominant-baseline="central" font-family="sans-serif">{escape(text)}</text>'
    )
