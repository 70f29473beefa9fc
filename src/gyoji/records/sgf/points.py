"""Points of a Go board in SGF: two letters, column and row, from the top left; sizes 1 to 52.

A point of ours is (column, row), both from 0, the row counted from the bottom as in GTP: (0, 0) is A1. A move
is a point or None for a pass. SGF writes a pass as nothing, and on boards of up to 19 also as ``tt``, which
is what we write there, because old programs know no other.

>>> format_move((3, 3), 19, 19), parse_move("dp", 19, 19), parse_move("tt", 19, 19)
('dp', (3, 3), None)
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

from gyoji.core.text import quote

Point: TypeAlias = tuple[int, int]
"""(column, row) from 0, the row from the bottom."""

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The columns of GTP, which knows no board wider or higher than 25."""
PASS_AS_POINT = 19
"""The largest board on which ``tt`` is no point."""


def pass_letters(width: int, height: int) -> str:
    """How we write a pass."""
    return "tt" if max(width, height) <= PASS_AS_POINT else ""


def format_move(move: Point | None, width: int, height: int) -> str:
    """The letters of a move. Raises ValueError off the board."""
    if move is None:
        return pass_letters(width, height)
    column, row = move
    if not (0 <= column < width and 0 <= row < height <= len(LETTERS)):
        raise ValueError(f"{move} is not on a board of {width}x{height}")
    return LETTERS[column] + LETTERS[height - 1 - row]


def parse_move(raw: str, width: int, height: int) -> Point | None:
    """The move that a raw value writes. Raises ValueError for no move, and off the board."""
    move = raw.strip()
    if not move or (move == "tt" and pass_letters(width, height)):
        return None
    return parse_point(move, width, height)


def parse_point(raw: str, width: int, height: int) -> Point:
    """As `parse_move`, where a pass is no answer."""
    letters = raw.strip()
    column, down = (LETTERS.find(letter) for letter in letters) if len(letters) == 2 else (-1, -1)
    if not (0 <= column < width and 0 <= down < height):
        raise ValueError(f"{quote(raw)} is no point on a board of {width}x{height}")
    return column, height - 1 - down


def parse_points(values: Sequence[str], width: int, height: int) -> tuple[Point, ...]:
    """The points of a list, each once, in its order; rectangles (``aa:cc``) row by row from the top.

    A list of one empty value is empty. Raises ValueError for anything that is no point.
    """
    if len(values) == 1 and not values[0].strip():
        return ()
    points: dict[Point, None] = {}
    for value in values:
        first, colon, second = value.partition(":")
        column, row = parse_point(first, width, height)
        if not colon:
            points[column, row] = None
            continue
        end_column, end_row = parse_point(second, width, height)
        for y in range(max(row, end_row), min(row, end_row) - 1, -1):
            for x in range(min(column, end_column), max(column, end_column) + 1):
                points[x, y] = None
    return tuple(points)


def format_points(points: Iterable[Point], width: int, height: int) -> list[str]:
    """The raw values of a list of points, sorted, none compressed."""
    return sorted([format_move(point, width, height) for point in points])


def format_vertex(move: Point | None) -> str:
    """A move as GTP writes it: "D4", "pass". Raises ValueError beyond 25 columns or rows."""
    if move is None:
        return "pass"
    column, row = move
    if not (0 <= column < len(COLUMNS) and 0 <= row < len(COLUMNS)):
        raise ValueError(f"{move} has no vertex: GTP ends at 25 columns and rows")
    return f"{COLUMNS[column]}{row + 1}"


@cache
def vertex_letters(width: int, height: int) -> Mapping[str, str]:
    """The SGF letters of every vertex of a board, and of "pass": writing a move is one look-up."""
    points = [(column, row) for row in range(height) for column in range(width)]
    table = {format_vertex(point): format_move(point, width, height) for point in points}
    return MappingProxyType({**table, "pass": pass_letters(width, height)})
