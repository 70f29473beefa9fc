r"""The output of a Gomocup brain: splitting it into lines, classifying lines, and parsing points and ABOUT.

A line ends with LF, CR or CR LF. Empty lines are ignored, so the two bytes of a CR LF may arrive separately.
Control characters are ignored. A line longer than `LONGEST` bytes is cut and ends with "...".

>>> lines = Lines()
>>> lines.feed(b"MESSAGE hello\r"), lines.feed(b"\n7,\x007\n\n")
([b'MESSAGE hello'], [b'7,7'])
>>> read_line(b"error Memory\xe9")
Line(kind=<Kind.ERROR: 'ERROR'>, text='error Memoryé', rest='Memoryé')
"""

import re
from enum import Enum
from typing import NamedTuple

from gyoji.core.lines import LineReader

LONGEST = 8000
"""The maximum number of bytes of a line that are kept, as in Piskvork."""

_NO_CR = bytes.maketrans(b"\r", b"\n")
_CONTROL = bytes(code for code in (*range(32), 127) if code not in b"\t\n\r")


class Kind(Enum):
    """The kind of a brain's line, given by its first word in upper or lower case."""

    OK = "OK"
    ERROR = "ERROR"
    UNKNOWN = "UNKNOWN"
    MESSAGE = "MESSAGE"
    DEBUG = "DEBUG"
    SUGGEST = "SUGGEST"
    OTHER = ""


REFUSALS = (Kind.ERROR, Kind.UNKNOWN)

_KINDS = {kind.value: kind for kind in Kind if kind.value}
_OPENER = re.compile("|".join(_KINDS), re.IGNORECASE)


class Line(NamedTuple):
    """A brain's line as text without surrounding blanks. `rest` is the text after the keyword."""

    kind: Kind
    text: str
    rest: str


def read_line(line: bytes) -> Line:
    """Decode a brain's line from UTF-8, or from Latin-1 as old brains write it, and classify it."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = line.decode("latin-1")
    text = text.strip()
    opener = _OPENER.match(text)
    if opener is None:
        return Line(Kind.OTHER, text, text)
    return Line(_KINDS[opener[0].upper()], text, text[opener.end() :].strip())


class Lines(LineReader):
    """Splits the output of one brain into lines, without blank ones."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(LONGEST)

    @property
    def has_begun(self) -> bool:
        """Whether the output ends with an incomplete line that is not blank."""
        return bool(self.size) and not self.rest.isspace()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that `data` completes, without line ends and without blank lines.

        A line longer than `LONGEST` bytes is cut and gets the end " ...".
        """
        lines = super().feed(data.translate(_NO_CR, _CONTROL))
        lines = [line for line in lines if line and not line.isspace()]
        return [line if len(line) <= LONGEST else line[:LONGEST] + b" ..." for line in lines]


_POINT = r"-?\d+\s*,\s*-?\d+"
_POINTS = re.compile(rf"{_POINT}(?:\s+{_POINT})*", re.ASCII)
_NUMBERS = re.compile(r"(-?\d+)\s*,\s*(-?\d+)", re.ASCII)
_UNPUNCTUATED = re.compile(r"[+-]?\d+(?:\s+|\s*[;:/]\s*)[+-]?\d+", re.ASCII)
_LONGEST = 4
"""The maximum length, sign included, of a number that is converted. Longer ones are on no board."""


def read_points(text: str) -> list[tuple[int, int]] | None:
    """Parse a text of points, separated by blanks, into (column, row) pairs. Return None for any other text.

    A number that is too long for any board becomes -1.

    >>> read_points("7,7"), read_points(" 10 , 11  3,4"), read_points("7,7 8"), read_points("7;7")
    ([(7, 7)], [(10, 11), (3, 4)], None, None)
    >>> read_points("99999999999,1")
    [(-1, 1)]
    """
    if _POINTS.fullmatch(text.strip()) is None:
        return None
    return [(_number(x), _number(y)) for x, y in _NUMBERS.findall(text)]


def leading_point(text: str) -> tuple[int, int] | None:
    """Return the point (column, row) at the beginning of a text, or None. Like the manager Piskvork, accept
    any text after the point.

    >>> leading_point("7,7 ok"), leading_point("7,8,1"), leading_point("7 7")
    ((7, 7), (7, 8), None)
    """
    found = _NUMBERS.match(text.strip())
    return (_number(found[1]), _number(found[2])) if found else None


def lacks_comma(text: str) -> bool:
    """Return whether a text consists of two numbers like a point, but without the comma between them.

    >>> lacks_comma("7 7"), lacks_comma("7;7"), lacks_comma("7,7"), lacks_comma("depth 7 7")
    (True, True, False, False)
    """
    return _UNPUNCTUATED.fullmatch(text.strip()) is not None


def _number(text: str) -> int:
    """Convert digits to a number, or to -1 if there are too many for any board."""
    return int(text) if len(text) <= _LONGEST else -1


SHORT = 32
"""The maximum length of a version that becomes part of the short name."""

_PAIR = re.compile(r'([A-Za-z_]+)\s*=\s*"([^"]*)"')


def has_pairs(text: str) -> bool:
    """Return whether a text has name="value" pairs, which the protocol demands in the answer to ABOUT.

    >>> has_pairs('name = "Wine"'), has_pairs("A brain by me, 2004")
    (True, False)
    """
    return _PAIR.search(text) is not None


def introduce(text: str) -> tuple[str, str]:
    """Return (short name, description) of a brain from its answer to ABOUT. A missing part is "".

    >>> introduce('name="Pela" version="2017", country="Czech, Republic"')
    ('Pela:2017', 'Pela:2017, country Czech, Republic')
    >>> introduce("A brain by me, 2004")
    ('', 'A brain by me, 2004')
    """
    pairs = {key.lower(): " ".join(value.split()) for key, value in _PAIR.findall(text)}
    if not pairs:
        return "", text
    name, version = pairs.pop("name", ""), pairs.pop("version", "")
    if name and 0 < len(version) <= SHORT:
        name = f"{name}:{version}"
    elif version:
        pairs = {"version": version} | pairs
    others = [f"{key} {value}" for key, value in pairs.items() if value]
    return name, ", ".join(filter(None, (name, *others)))
