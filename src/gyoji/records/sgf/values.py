"""The value types of SGF: raw text to numbers and text, and back. Knows no game.

>>> text("a soft line\\\\\\nbreak, \\\\] and \\\\\\\\"), simple_text("two\\nlines")
('a soft linebreak, ] and \\\\', 'two lines')
"""

import re
from math import isfinite

from gyoji.core.text import quote

_ODD = re.compile(r"\\(\n\r|\r\n|.)|(\n\r|\r\n|\r)|[\t\v\f]", re.DOTALL)
_COMPOSED = re.compile(r"((?:[^\\:]|\\.)*+):", re.DOTALL)
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_REAL = re.compile(r"[+-]?(?:[0-9]{1,18}(?:\.[0-9]*)?|\.[0-9]+)")


def text(raw: str) -> str:
    """A Text value: escapes undone, soft line breaks gone, other line breaks "\\n", other space blanks."""
    if "\\" in raw or not raw.isprintable():
        return _ODD.sub(_meant, raw)
    return raw


def _meant(match: re.Match[str]) -> str:
    escaped, line_break = match[1], match[2]
    if escaped:
        if escaped[0] in "\n\r":
            return ""
        return " " if escaped in "\t\v\f" else escaped
    return "\n" if line_break else " "


def simple_text(raw: str) -> str:
    """A SimpleText value: as Text, on one line."""
    return text(raw).replace("\n", " ")


def split_composed(raw: str) -> tuple[str, str | None]:
    """The two raw values of a composed one; the second is None where there is no colon."""
    match = _COMPOSED.match(raw)
    return (match[1], raw[match.end() :]) if match else (raw, None)


def number(raw: str) -> int:
    """A Number value. Raises ValueError for anything else."""
    compact = raw.strip()
    if not _NUMBER.fullmatch(compact):
        raise ValueError(f"{quote(raw)} is no whole number")
    return int(compact)


def real(raw: str) -> float:
    """A Real value: no exponent, no infinity. Raises ValueError for anything else."""
    compact = raw.strip()
    if not _REAL.fullmatch(compact):
        raise ValueError(f"{quote(raw)} is no number")
    return float(compact)


def format_text(value: str) -> str:
    """The raw Text value that `text` reads; its other space than line breaks becomes blanks.

    >>> format_text("[a] or \\\\b")
    '[a\\\\] or \\\\\\\\b'
    """
    if "\\" in value or "]" in value:
        return value.replace("\\", "\\\\").replace("]", "\\]")
    return value


def format_simple_text(value: str) -> str:
    """The raw SimpleText value of `value` on one line, what cannot be printed made blanks."""
    if not value.isprintable():
        value = " ".join("".join(char if char.isprintable() else " " for char in value).split())
    return format_text(value)


def format_composed(first: str, second: str) -> str:
    """The raw value composed of two SimpleTexts."""
    return f"{format_simple_text(first).replace(':', chr(92) + ':')}:{format_simple_text(second)}"


def format_real(value: float) -> str:
    """A number as people write it: no exponent, no trailing ".0", 6 decimals at most.

    >>> format_real(7.0), format_real(6.5), format_real(-0.0), format_real(1e-9)
    ('7', '6.5', '0', '0')
    """
    if not isfinite(value):
        raise ValueError(f"{value} cannot be written in SGF")
    if "." in (digits := f"{value:.6f}"):
        digits = digits.rstrip("0").rstrip(".")
    return "0" if digits == "-0" else digits
