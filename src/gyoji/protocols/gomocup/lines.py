r"""The lines that a brain says: bytes cut into lines with any ends, read, points in them, its introduction.

A line ends with LF, CR or CR LF, and empty ones are none: so it does not matter whether the two bytes of a
CR LF come together. Control characters count as not there. A line is cut behind `LONGEST` bytes, visibly.

>>> lines = Lines()
>>> lines.feed(b"MESSAGE hello\r"), lines.feed(b"\n7,\x007\n\n")
([b'MESSAGE hello'], [b'7,7'])
>>> read_line(b"error Memory\xe9")
Line(kind=<Kind.ERROR: 'ERROR'>, text='error Memoryé', rest='Memoryé')
"""

import re
from enum import Enum
from typing import NamedTuple

LONGEST = 8000
"""Bytes of a line that are kept: as many as Piskvork keeps."""

_NO_CR = bytes.maketrans(b"\r", b"\n")
_CONTROL = bytes(code for code in (*range(32), 127) if code not in b"\t\n\r")


class Kind(Enum):
    """The kind of a line, by its first letters, whatever their case."""

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
    """A line in characters, without blanks around it; rest: what stands behind its keyword."""

    kind: Kind
    text: str
    rest: str


def read_line(line: bytes) -> Line:
    """The line that these bytes are: UTF-8, or Latin-1 as old brains write it."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = line.decode("latin-1")
    text = text.strip()
    opener = _OPENER.match(text)
    if opener is None:
        return Line(Kind.OTHER, text, text)
    return Line(_KINDS[opener[0].upper()], text, text[opener.end() :].strip())


class Lines:
    """Cuts one brain's output into lines."""

    __slots__ = ("_begun", "_length")

    def __init__(self) -> None:
        self._begun: list[bytes] = []  # pieces of the line that has no end yet
        self._length = 0

    @property
    def has_begun(self) -> bool:
        """Whether a line has begun, blanks aside, whose end has not come."""
        return bool(self._begun) and not b"".join(self._begun).isspace()

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete now, without their ends and without those that are blank."""
        *lines, begun = data.translate(_NO_CR, _CONTROL).split(b"\n")
        if lines and self._begun:
            lines[0] = b"".join([*self._begun, lines[0]])
            self._begun.clear()
            self._length = 0
        if begun and self._length <= LONGEST:
            self._begun.append(begun)
            self._length += len(begun)
        return [_cut(line) for line in lines if line and not line.isspace()]


def _cut(line: bytes) -> bytes:
    return line if len(line) <= LONGEST else line[:LONGEST] + b" ..."


_POINT = r"-?\d+\s*,\s*-?\d+"
_POINTS = re.compile(rf"{_POINT}(?:\s+{_POINT})*", re.ASCII)
_NUMBERS = re.compile(r"(-?\d+)\s*,\s*(-?\d+)", re.ASCII)
_UNPUNCTUATED = re.compile(r"[+-]?\d+(?:\s+|\s*[;:/]\s*)[+-]?\d+", re.ASCII)
_LONGEST = 4
"""Characters of a number that may be on some board; nothing is made of a longer one."""


def read_points(text: str) -> list[tuple[int, int]] | None:
    """The points, blanks between them, that are all of a text; None if it is anything else.

    >>> read_points("7,7"), read_points(" 10 , 11  3,4"), read_points("7,7 8"), read_points("7;7")
    ([(7, 7)], [(10, 11), (3, 4)], None, None)
    >>> read_points("99999999999,1")
    [(-1, 1)]
    """
    if _POINTS.fullmatch(text.strip()) is None:
        return None
    return [(_number(x), _number(y)) for x, y in _NUMBERS.findall(text)]


def leading_point(text: str) -> tuple[int, int] | None:
    """The point that a text begins with, whatever follows it, as Piskvork reads an answer; None for none.

    >>> leading_point("7,7 ok"), leading_point("7,8,1"), leading_point("7 7")
    ((7, 7), (7, 8), None)
    """
    found = _NUMBERS.match(text.strip())
    return (_number(found[1]), _number(found[2])) if found else None


def lacks_comma(text: str) -> bool:
    """Whether a text is two numbers as a point has, but for the comma.

    >>> lacks_comma("7 7"), lacks_comma("7;7"), lacks_comma("7,7"), lacks_comma("depth 7 7")
    (True, True, False, False)
    """
    return _UNPUNCTUATED.fullmatch(text.strip()) is not None


def _number(text: str) -> int:
    """The number; -1 for one that no board has, however many digits it has."""
    return int(text) if len(text) <= _LONGEST else -1


SHORT = 32
"""A version of at most so many characters goes into the short name."""

_PAIR = re.compile(r'([A-Za-z_]+)\s*=\s*"([^"]*)"')


def has_pairs(text: str) -> bool:
    """Whether it is what the protocol expects of ABOUT.

    >>> has_pairs('name = "Wine"'), has_pairs("A brain by me, 2004")
    (True, False)
    """
    return _PAIR.search(text) is not None


def introduce(text: str) -> tuple[str, str]:
    """(short name, description) of a brain; what it does not say is empty.

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
