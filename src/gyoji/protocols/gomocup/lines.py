r"""The lines of a brain: bytes cut into lines with any ends, read, and how it introduces itself.

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
