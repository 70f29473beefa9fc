"""Text for people: printable lines, quoted foreign text, numbers, durations and sizes. No I/O.

>>> parse_duration("1m30s"), parse_duration("250ms"), parse_duration(2)
(90000000000, 250000000, 2000000000)
>>> format_duration(90_000_000_000), format_duration(250_000_000)
('1m30s', '0.25s')
"""

import json
import math
import re
from collections.abc import Iterator
from unicodedata import category

QUOTE_LIMIT = 80
"""The maximum length of foreign text in a message, in characters."""

_UNITS = {"h": 3600_000_000_000, "m": 60_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "us": 1_000}
_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(ms|us|h|m|s)")


def printable(text: str, limit: int = 200) -> str:
    r"""Convert text to one printable line of at most `limit` characters; longer text is cut and ends in "…".

    Each line end and each tab becomes a blank, and any other unprintable character an escape.

    >>> printable("two\nlines\x00")
    'two lines\\x00'
    """
    text = text if text.isprintable() else "".join(_shown(char) for char in text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _shown(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char in "\n\r\t\v\f" else char.encode("unicode_escape").decode("ascii")


_LINE_ENDS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_ACTIVE = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Unicode categories of control and format characters, surrogates, and line and paragraph separators."""
_JOINERS = "\u200c\u200d"  # letters and emoji need them, and they are harmless


def legible(text: str) -> str:
    r"""Make text of several lines harmless for terminals, editors and viewers.

    All line ends become line feeds, and tabs stay. Other control characters (C0 and C1) and invisible
    formatting, such as a change of the writing direction, become JSON escapes. Text of programs must pass
    through this function or `printable` before it reaches a file or a screen, and JSON through
    `legible_json`.

    >>> print(legible("two\r\nlines, \x1b[2J and \u202e"))
    two
    lines, \u001b[2J and \u202e
    """
    if text.replace("\n", "").isprintable():  # the common case
        return text
    return _legible_lines(_LINE_ENDS.sub("\n", text))


def legible_json(
    value: object, *, indent: int | None = None, separators: tuple[str, str] | None = None
) -> str:
    r"""Return values as JSON text, formatted as by `json.dumps`, with control and invisible characters
    escaped.

    >>> legible_json(["a\u2028b"])
    '["a\\u2028b"]'
    """
    return _legible_lines(json.dumps(value, ensure_ascii=False, indent=indent, separators=separators))


def legible_json_pieces(value: object, *, margin: str = "\n") -> Iterator[str]:
    r"""Yield the text of `legible_json` with an indent of 2, piece by piece.

    An iterator is written as a list, without keeping its items in memory. It may be `value` itself, an item
    of another iterator, or a value of a dict. An inner dict may have an iterator as a value only if the dict
    around it has one too.

    Args:
        margin: The line break, with the indent of the line on which the value begins.

    Raises:
        TypeError: An iterator is elsewhere, such as in a list, or a value has no form in JSON.

    >>> "".join(legible_json_pieces({"a": iter([1, {"b": 2}]), "c": iter([])}))
    '{\n  "a": [\n    1,\n    {\n      "b": 2\n    }\n  ],\n  "c": []\n}'
    """
    if isinstance(value, Iterator):
        items, brackets = (("", each) for each in value), "[]"
    elif isinstance(value, dict) and any(isinstance(each, Iterator) for each in value.values()):
        items, brackets = ((f"{legible_json(key)}: ", each) for key, each in value.items()), "{}"
    else:
        yield legible_json(value, indent=2).replace("\n", margin)
        return
    before = brackets[0]
    for head, each in items:
        yield f"{before}{margin}  {head}"
        yield from legible_json_pieces(each, margin=f"{margin}  ")
        before = ","
    yield brackets if before == brackets[0] else margin + brackets[1]


def _legible_lines(text: str) -> str:
    lines = text.split("\n")
    return "\n".join([line if line.isprintable() else "".join(map(_escaped, line)) for line in lines])


def _escaped(char: str) -> str:
    if category(char) not in _ACTIVE or char == "\t" or char in _JOINERS:
        return char
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def quote_value(value: object) -> str:
    """Return the repr of a value from outside on one line of at most QUOTE_LIMIT characters."""
    return printable(repr(value), QUOTE_LIMIT)


def quote(text: str | bytes) -> str:
    """Return the repr of text from outside gyoji. Text of more than QUOTE_LIMIT characters is cut before."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= QUOTE_LIMIT else text[:QUOTE_LIMIT] + "…")


def quote_end(text: str, limit: int = 140) -> str:
    """Return the repr of foreign text with its beginning cut, for text whose end matters.

    >>> print(quote_end("cannot open /a/b/c.py: No such file", 20))
    '…b/c.py: No such file'
    """
    return repr(text) if len(text) <= limit else repr("…" + text[-limit:])


MOST_WHOLE = 10**18 - 1


def parse_whole(text: str, *, most: int = MOST_WHOLE) -> int | None:
    """Parse a whole number from 0 to `most` in ASCII digits. Return None for any other text.

    It is for untrusted text: `int` raises ValueError for more than 4,300 digits, and a smaller number may
    still be too large for a float.

    >>> parse_whole("0042"), parse_whole("-1"), parse_whole("²"), parse_whole("9" * 5000)
    (42, None, None, None)
    """
    if not (text.isascii() and text.isdecimal()):
        return None
    digits = text.lstrip("0")
    number = int(digits or "0") if len(digits) <= len(str(most)) else most + 1
    return number if number <= most else None


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "game"), counted(0, "game"), counted(7, "game")
    ('1 game', '0 games', '7 games')
    """
    return f"{number} {noun}{'s' * (number != 1)}"


def parse_duration(text: str | float) -> int:
    """Parse "90s", "1m30s", "250ms", "1.5h" or a plain number of seconds into ns.

    Raises:
        ValueError: Any other text, and a negative or infinite number.
    """
    seconds = _seconds(text) if isinstance(text, str) else text
    if not 0 <= seconds < 1e9:
        got = quote(text) if isinstance(text, str) else text
        raise ValueError(f"{got} is not a duration: write seconds from 0, or 90s, 1m30s, 250ms")
    return round(seconds * 1_000_000_000)


def _seconds(text: str) -> float:
    at, total = 0, 0.0
    while match := _PART.match(text, at):
        total += float(match[1]) * _UNITS[match[2]] / 1e9
        at = match.end()
    if at and not text[at:].strip():
        return total
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{quote(text)} is not a duration: write 90s, 1m30s or 250ms") from None


def format_duration(ns: int) -> str:
    """Format a duration in ns, such as "1m30s". `parse_duration` reads the result."""
    hours, rest = divmod(ns, _UNITS["h"])
    minutes, rest = divmod(rest, _UNITS["m"])
    seconds = f"{rest / 1e9:.9f}".rstrip("0").rstrip(".") + "s" if rest or not ns else ""
    return (f"{hours}h" if hours else "") + (f"{minutes}m" if minutes else "") + seconds


# "used 30.000s with 30.000s left" would not explain a loss on time by a microsecond.
def seconds_apart(first: int, second: int) -> tuple[str, str]:
    """Format two durations, given in ns, as seconds. Both texts get 3, 6 or 9 decimals: the fewest with which
    they differ.

    >>> seconds_apart(31_200_000_000, 30_000_000_000), seconds_apart(1_000_004_000, 1_000_000_000)
    (('31.200s', '30.000s'), ('1.000004s', '1.000000s'))
    """
    for digits in (3, 6, 9):
        texts = f"{first / 1e9:.{digits}f}s", f"{second / 1e9:.{digits}f}s"
        if texts[0] != texts[1]:
            break
    return texts


def describe_silence(waited: int, *, deaf: bool) -> str:
    """Return the phrase for an engine that gave no answer for `waited` ns.

    Args:
        deaf: Whether the engine did not even read the whole request.
    """
    failing = "did not read what it was sent" if deaf else "gave no answer"
    return f"{failing} for {format_duration(waited // 10**6 * 10**6)}"


_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(K|M|G)?(?:i?B)?", re.IGNORECASE)
_SIZE_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def parse_size(text: str | int) -> int:
    """Parse "350MB", "70MiB", "2G" or a plain number into bytes. Units are powers of 1024.

    Gomocup's limit of 350 MB is 367,001,600 bytes. Raises ValueError for any other text.

    >>> parse_size("350MB"), parse_size("1.5k"), parse_size(80)
    (367001600, 1536, 80)
    """
    match = _SIZE.fullmatch(str(text).strip())
    size = math.inf if match is None else float(match[1]) * _SIZE_UNITS[(match[2] or "").upper()]
    if not size < math.inf:
        raise ValueError(f"{quote(str(text))} is not a size: write bytes, or 350MB, 2GB")
    return int(size)


def format_size(size: int) -> str:
    """Format a number of bytes to a tenth of its unit. `parse_size` reads the result.

    >>> format_size(367001600), format_size(1536), format_size(80)
    ('350MB', '1.5KB', '80B')
    """
    for unit in ("G", "M", "K"):
        if size >= _SIZE_UNITS[unit]:
            return f"{size / _SIZE_UNITS[unit]:.1f}".removesuffix(".0") + f"{unit}B"
    return f"{size}B"
