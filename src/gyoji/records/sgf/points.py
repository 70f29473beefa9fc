"""Boards and their points in SGF: SZ, and two letters, column and row, from the top left; sizes 1 to 52.

A point of ours is (column, row), both from 0, the row counted from the bottom: (0, 0) is A1 of Go.

>>> format_point((3, 3), 19, 19), parse_point("dp", 19, 19), parse_size("13:9", 19)
('dp', (3, 3), (13, 9))
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from gyoji.core.text import quote
from gyoji.records.sgf.values import number

Point: TypeAlias = tuple[int, int]
"""(column, row) from 0, the row from the bottom."""

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def parse_size(raw: str, usual: int) -> tuple[int, int]:
    """(width, height) of SZ: "19", "19:13"; `usual` when it is missing. Raises ValueError for no board."""
    width, _, height = raw.strip().partition(":")
    try:
        size = number(width or str(usual)), number(height or width or str(usual))
    except ValueError:
        size = 0, 0
    if min(size) < 1 or max(size) > len(LETTERS):
        raise ValueError(
            f"SZ[{raw}] is no board: a number from 1 to {len(LETTERS)} was expected, or two with ':'"
        )
    return size


def format_size(width: int, height: int) -> str:
    """The raw value of SZ."""
    return str(width) if width == height else f"{width}:{height}"


def format_point(point: Point, width: int, height: int) -> str:
    """The letters of a point. Raises ValueError off the board."""
    column, row = point
    if not (0 <= column < width and 0 <= row < height <= len(LETTERS)):
        raise ValueError(f"{point} is not on a board of {width}x{height}")
    return LETTERS[column] + LETTERS[height - 1 - row]


def parse_point(raw: str, width: int, height: int) -> Point:
    """The point that a raw value writes. Raises ValueError for no point, and off the board."""
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
    return sorted([format_point(point, width, height) for point in points])
