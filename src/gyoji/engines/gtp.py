r"""Helpers for writing a GTP 2 engine: the main loop, a table of commands, and the parsing of arguments.

A command is a method with `@command("name")` above it. It takes the words after the command and returns the
text of the response: None for an empty one, a bool for `true` or `false`. A subclass can replace a command by
marking a method with the same name.

>>> class Adder(GtpEngine):
...     name = "Adder"
...     @command("add")
...     def add(self, args):
...         return str(args.integer(0) + args.integer(1))
>>> engine = Adder()
>>> engine.answer(b"7 add 2 3 # five")
b'=7 5\n\n'
>>> engine.answer(b"add 2"), engine.answer(b"divide 2")
(b'? argument 2 is missing: an int\n\n', b'? unknown command\n\n')

`Adder().run()` talks to the controller that started the program. Input and output are UTF-8; invalid bytes of
the input become U+FFFD. Everything about Go itself, except colours and vertices, is in
`gyoji.engines.gtp_states`.
"""

import math
import re
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from gyoji.engines.session import Session, current_traceback

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The letters of the columns. I is not used."""

BIGGEST = (1 << 31) - 1
"""The largest integer. Larger integers and command ids are replaced by it."""

_COLOURS = {"b": "b", "black": "b", "w": "w", "white": "w"}
_ID = re.compile(r"(-?[0-9]+)(?:\s|$)")
_UNWANTED = {code: None for code in (*range(32), 127) if code not in (9, 10)}


class GtpError(Exception):
    """Raised by a command that fails. Its text becomes the `?` response, and the session goes on."""


class GtpQuit(Exception):
    """Raised by a command that succeeds and ends the session. Its text becomes the response."""


class Arguments(tuple[str, ...]):
    """The arguments of a command. Each method parses the argument at an index from 0, and raises GtpError if
    it is missing or invalid.

    >>> args = Arguments(("Black", "d4", "-7", "6.5"))
    >>> args.colour(0), args.vertex(1, 9), args.integer(2), args.number(3)
    ('b', (3, 3), -1, 6.5)
    """

    __slots__ = ()

    def text(self, index: int, kind: str = "a word") -> str:
        if index >= len(self):
            raise GtpError(f"argument {index + 1} is missing: {kind}")
        return self[index]

    def colour(self, index: int) -> str:
        word = self.text(index, "a colour")
        if (colour := _COLOURS.get(word.lower())) is None:
            raise GtpError(f"invalid colour: '{word}'")
        return colour

    def vertex(self, index: int, columns: int, rows: int = 0) -> tuple[int, int] | None:
        return read_vertex(self.text(index, "a vertex"), columns, rows)

    def integer(self, index: int) -> int:
        return read_int(self.text(index, "an int"))

    def number(self, index: int) -> float:
        word = self.text(index, "a number")
        try:
            value = float(word if word.isascii() and "_" not in word else "")
        except ValueError:
            raise GtpError(f"invalid number: '{word}'") from None
        if not math.isfinite(value):
            raise GtpError(f"not a finite number: '{word}'")
        return value


def read_vertex(text: str, columns: int, rows: int = 0) -> tuple[int, int] | None:
    """Parse a vertex into column and row, from 0 at the lower left. Return None for a pass. Raises GtpError.

    Args:
        columns: Number of columns of the board.
        rows: Number of rows; 0 means as many as columns.

    >>> read_vertex("J1", 9), read_vertex("pass", 9)
    ((8, 0), None)
    """
    if text.lower() == "pass":
        return None
    column, digits = COLUMNS.find(text[:1].upper()), text[1:]
    if column < 0 or not text or not (digits.isascii() and digits.isdigit()) or len(digits) > 3:
        raise GtpError(f"invalid vertex: '{text}'")
    row = int(digits) - 1
    if not (0 <= row < (rows or columns) and column < columns):
        raise GtpError(f"vertex is off the board: '{text}'")
    return column, row


def write_vertex(point: tuple[int, int] | None) -> str:
    """Return the vertex of a column and a row as text, or "pass" for None.

    >>> write_vertex((8, 0)), write_vertex(None)
    ('J1', 'pass')
    """
    return "pass" if point is None else f"{COLUMNS[point[0]]}{point[1] + 1}"


def read_int(text: str) -> int:
    """Parse an integer. Raises GtpError.

    A negative integer is returned as -1. An integer above BIGGEST is returned as BIGGEST.
    """
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise GtpError(f"invalid int: '{text}'")
    if text[0] == "-":
        return -1
    return BIGGEST if len(digits.lstrip("0")) > 10 else min(int(digits), BIGGEST)


Answer: TypeAlias = str | bool | None
Handler: TypeAlias = Callable[[Arguments], Answer]
_F = TypeVar("_F", bound=Callable[..., Any])


def command(name: str) -> Callable[[_F], _F]:
    """Mark a method as the handler of the GTP command `name`."""

    def mark(method: _F) -> _F:
        method.__dict__.setdefault("gtp_commands", []).append(name)
        return method

    return mark


class GtpEngine(Session):
    """A GTP engine with the administrative commands, such as `name` and `quit`. Subclasses add others with
    `@command`.
    """

    name: str = "unnamed engine"
    version: str = ""

    def __init__(self) -> None:
        self.commands: dict[str, Handler] = {}
        for kind in reversed(type(self).__mro__):
            for attribute, method in vars(kind).items():
                for name in getattr(method, "gtp_commands", ()):
                    self.commands[name] = getattr(self, attribute)

    @command("name")
    def _name(self, args: Arguments) -> str:
        return self.name

    @command("version")
    def _version(self, args: Arguments) -> str:
        return self.version

    @command("protocol_version")
    def _protocol_version(self, args: Arguments) -> str:
        return "2"

    @command("list_commands")
    def _list_commands(self, args: Arguments) -> str:
        return "\n".join(sorted(self.commands))

    @command("known_command")
    def _known_command(self, args: Arguments) -> bool:
        return args.text(0) in self.commands

    @command("quit")
    def _quit(self, args: Arguments) -> str:
        raise GtpQuit

    def call(self, name: str, *words: str) -> str:
        """Carry out a command and return the text of its response.

        Raises:
            GtpError: The command is unknown, or fails.
            GtpQuit: The command ends the session. Other exceptions of the command's method are raised, too.
        """
        if name not in self.commands:
            raise GtpError("unknown command")
        answer = self.commands[name](Arguments(words))
        if isinstance(answer, bool):
            return "true" if answer else "false"
        return answer or ""

    def _reply(self, line: bytes) -> tuple[bytes, bool]:
        """Return the response to a line, and whether the session ends with it."""
        ident, words = read_line(line)
        if not words:
            return b"", False
        try:
            return write_answer("=" + ident, self.call(*words)), False
        except GtpQuit as ending:
            return write_answer("=" + ident, str(ending)), True
        except GtpError as error:
            return write_answer("?" + ident, str(error)), False
        except Exception as error:  # noqa: BLE001  a bug in one command must not end the game
            return write_answer("?" + ident, f"internal error: {error!r}\n{current_traceback()}"), False


def read_line(line: bytes) -> tuple[str, list[str]]:
    r"""Split a line of input into its id and its words, without comments and control characters.

    The id is "" if it is missing or negative.

    >>> read_line(b"12 play\tb D4\r # joseki")
    ('12', ['play', 'b', 'D4'])
    """
    text = line.decode("utf-8", "replace").partition("#")[0]
    text = text.replace("\t", " ").translate(_UNWANTED).strip()
    match = _ID.match(text)
    if not match:
        return "", text.split()
    number = match[1]
    ident = "" if number[0] == "-" else str(read_int(number))
    return ident, text[match.end() :].split()


def write_answer(head: str, text: str) -> bytes:
    r"""Return the bytes of a response: `head` ("=" or "?", perhaps with an id) and `text`.

    Control characters are removed, and "." replaces blank lines, which would end the response.

    >>> write_answer("=", "two\n\nparts\n")
    b'= two\n.\nparts\n\n'
    """
    clean = text.replace("\r\n", "\n").translate(_UNWANTED).rstrip()
    if "\n" in clean:
        clean = "\n".join(line if line.strip() else "." for line in clean.split("\n"))
    return f"{head} {clean}".rstrip().encode("utf-8", "replace") + b"\n\n"
