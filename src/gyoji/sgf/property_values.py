"""Conversion of SGF values between raw text and numbers, text, board sizes and points.

>>> text("a soft line\\\\\\nbreak, \\\\] and \\\\\\\\"), simple_text("two\\nlines")
('a soft linebreak, ] and \\\\', 'two lines')

A point in SGF is two letters, for column and row from the top left; boards have sizes 1 to 52. A `Point` is
(column, row), both from 0, with rows from the bottom: (0, 0) is A1 of Go.

>>> format_point((3, 3), 19, 19), parse_point("dp", 19, 19), parse_size("13:9", 19)
('dp', (3, 3), (13, 9))
"""

import re
from collections.abc import Sequence
from math import isfinite
from typing import TypeAlias

from gyoji.core.text import quote

_ODD = re.compile(r"\\(\n\r|\r\n|.)|(\n\r|\r\n|\r)|[\t\v\f]", re.DOTALL)
# 18 digits are enough for all numbers of records. int() fails with another message for thousands of digits.
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_REAL = re.compile(r"[+-]?(?:[0-9]{1,18}(?:\.[0-9]*)?|\.[0-9]+)")


def text(raw: str) -> str:
    r"""Return the text of a raw Text value.

    Escapes and soft line breaks are removed, other line breaks become "\n", other white space becomes blanks.
    """
    return _ODD.sub(_meant, raw) if "\\" in raw or not raw.isprintable() else raw


def _meant(match: re.Match[str]) -> str:
    """Return the replacement of an escape, a line break or other white space in a Text value."""
    escaped, line_break = match[1], match[2]
    if escaped:
        if escaped[0] in "\n\r":
            return ""
        return " " if escaped in "\t\v\f" else escaped
    return "\n" if line_break else " "


def simple_text(raw: str) -> str:
    """Return the text of a raw SimpleText value: like `text`, but on one line."""
    return text(raw).replace("\n", " ")


def number(raw: str) -> int:
    """Return the integer of a raw Number value. Raises ValueError for any other text."""
    compact = raw.strip()
    if not _NUMBER.fullmatch(compact):
        raise ValueError(f"{quote(raw)} is not a whole number")
    return int(compact)


def real(raw: str) -> float:
    """Return the number of a raw Real value. Raises ValueError for other text, such as an exponent or
    infinity.
    """
    compact = raw.strip()
    if not _REAL.fullmatch(compact):
        raise ValueError(f"{quote(raw)} is not a number")
    return float(compact)


def format_text(value: str) -> str:
    r"""Return the raw Text value of a text: the inverse of `text`.

    >>> format_text("[a] or \\b")
    '[a\\] or \\\\b'
    """
    return value.replace("\\", "\\\\").replace("]", "\\]") if "\\" in value or "]" in value else value


def format_simple_text(value: str) -> str:
    """Return the raw SimpleText value of a text, on one line. Unprintable characters become blanks."""
    if not value.isprintable():
        value = " ".join("".join(char if char.isprintable() else " " for char in value).split())
    return format_text(value)


def format_composed(first: str, second: str) -> str:
    """Return the raw Composed value of two texts, with ":" between two SimpleTexts."""
    return f"{format_simple_text(first).replace(':', chr(92) + ':')}:{format_simple_text(second)}"


def format_real(value: float) -> str:
    """Format a number without exponent or trailing zeros, with at most 6 decimals.

    Raises ValueError for infinity and NaN.

    >>> format_real(7.0), format_real(6.5), format_real(-0.0), format_real(1e-9)
    ('7', '6.5', '0', '0')
    """
    if not isfinite(value):
        raise ValueError(f"{value} cannot be written in SGF")
    if "." in (digits := f"{value:.6f}"):
        digits = digits.rstrip("0").rstrip(".")
    return "0" if digits == "-0" else digits


Point: TypeAlias = tuple[int, int]
"""(column, row), both from 0; rows count from the bottom."""

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def parse_size(raw: str, default: int) -> tuple[int, int]:
    """Return (width, height) of a raw value of SZ, such as "19" or "19:13". An empty value means a square
    board of size `default`.

    Raises:
        ValueError: The value is not a board size from 1 to 52.
    """
    width, _, height = raw.strip().partition(":")
    try:
        size = number(width or str(default)), number(height or width or str(default))
    except ValueError:
        size = 0, 0
    if min(size) < 1 or max(size) > len(LETTERS):
        raise ValueError(
            f"SZ[{raw}] is not a board size: a number from 1 to {len(LETTERS)} was expected, or two with ':'"
        )
    return size


def format_size(width: int, height: int) -> str:
    """Return the raw value of SZ for a board size."""
    return str(width) if width == height else f"{width}:{height}"


def format_point(point: Point, width: int, height: int) -> str:
    """Return the raw value of a point, two letters. Raises ValueError if the point is off the board."""
    column, row = point
    if not (0 <= column < width and 0 <= row < height <= len(LETTERS)):
        raise ValueError(f"{point} is not on a board of {width}x{height}")
    return LETTERS[column] + LETTERS[height - 1 - row]


def parse_point(raw: str, width: int, height: int) -> Point:
    """Return the point of a raw value. Raises ValueError if it is not a point of the board."""
    letters = raw.strip()
    column, down = (LETTERS.find(letter) for letter in letters) if len(letters) == 2 else (-1, -1)
    if not (0 <= column < width and 0 <= down < height):
        raise ValueError(f"{quote(raw)} is not a point on a board of {width}x{height}")
    return column, height - 1 - down


def parse_points(values: Sequence[str], width: int, height: int) -> tuple[Point, ...]:
    """Return the points of a list of raw values, each point once, in the order of the values. A list with
    only an empty value has no points.

    A value may also be a rectangle, such as ``aa:cc``. Its points are read row by row.

    Raises:
        ValueError: A value is not a point or a rectangle.
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
