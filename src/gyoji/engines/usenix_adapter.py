"""Adapters between GTP and the protocol of the USENIX Go tournament. The adapted program is a child process.

::

    python -I -S .../usenix_adapter.py usenix [--size N] [--komi K] [--period S] -- COMMAND
    python -I -S .../usenix_adapter.py gtp [--size N] -- COMMAND

The first lets a GTP engine play as a program of the tournament; the second lets such a program play as a GTP
engine. --period is the number of seconds per move that the engine is sent when `byo-romi` begins (10 by
default; 0 sends nothing), because some engines think longer then.
"""

# The end of input, `quit` and SIGTERM end the child too. Only a little of the standard library is imported,
# because most of the adapter's running time is its start.
#
# Limitations: the tournament's protocol has no resignation, so after an engine has resigned the adapter
# passes for it. It has no handicap and no undo either, and the sides must alternate.

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from subprocess import PIPE, Popen, TimeoutExpired

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

USAGE = "usage: usenix_adapter (usenix | gtp) [--size N] [--komi K] [--period S] -- COMMAND [WORD]..."
COLOURS = ("black", "white")
_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_PERIOD = 10  # seconds of byo-romi, by the rules

_GRACE = 0.3  # seconds for each way of ending


class Gone(Exception):
    """Raised if the program behind the adapter has ended or closed its output."""


class Child:
    """The program behind the adapter: a child process that reads and writes lines."""

    def __init__(self, command: list[str]) -> None:
        """Start the program. Raises SystemExit if it cannot be started."""
        try:
            self._process = Popen(command, stdin=PIPE, stdout=PIPE)
        except OSError as error:
            raise SystemExit(f"usenix_adapter: cannot start {command[0]!r}: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._into, self._from = self._process.stdin, self._process.stdout

    def say(self, line: str) -> None:
        """Write a line to the program. Raises Gone."""
        try:
            self._into.write(line.encode() + b"\n")
            self._into.flush()
        except OSError:
            raise Gone from None

    def line(self) -> str:
        """Return the program's next line without trailing blanks. Raises Gone."""
        line = self._from.readline()
        if not line:
            raise Gone
        return line.decode("utf-8", "replace").rstrip()

    def end(self) -> None:
        """End the program: close its input, then send SIGTERM, then SIGKILL, with a pause after each."""
        with suppress(OSError):  # it may have gone already
            self._into.close()
        for number in (0, signal.SIGTERM, signal.SIGKILL):
            self._process.send_signal(number)
            with suppress(TimeoutExpired):
                self._process.wait(_GRACE)
                return


def is_move(line: str) -> bool:
    """Return whether a line of a tournament program is a move: "pass", or a vertex such as G12."""
    return line == "pass" or (line[:1] in _COLUMNS and line.isascii() and line[1:].isdecimal() and line != "")


def _print(text: str) -> None:
    os.write(1, text.encode() + b"\n")


class UsenixSide:
    """The adapter that appears as a tournament program to the referee. A GTP engine plays."""

    def __init__(self, child: Child, size: int, komi: float, period: int) -> None:
        self._child = child
        self._period = period
        self._size = size
        self._komi = komi
        self._colour = ""
        self._passes = 0  # in a row; two are the end
        self._has_resigned = False

    def serve(self) -> None:
        """Play one game. Return at the end of input, or at once if the first line is not a colour.

        Raises:
            Gone: The engine has ended.
        """
        first = sys.stdin.readline().strip()
        if first not in COLOURS:
            return
        self._colour, other = first, COLOURS[first == "black"]
        for command in (f"boardsize {self._size}", "clear_board", f"komi {self._komi:g}"):
            self._ask(command)
        if first == "black":
            self._move()
        for raw in sys.stdin:
            line = raw.strip()
            if line == "byo-romi":
                if self._period:
                    self._ask(f"time_settings 0 {self._period} 1")
            elif is_move(line) and self._passes < 2:
                self._ask(f"play {other} {line}")
                self._count(line)
                if self._passes < 2:
                    self._move()
        self._child.say("quit")

    def _ask(self, command: str) -> str:
        """Send a GTP command and return the first line of the response.

        If the command fails, the response is also printed on standard error.
        """
        self._child.say(command)
        while not (line := self._child.line()):
            pass
        answer = line
        while self._child.line():
            pass
        if answer.startswith("?"):
            print(f"usenix_adapter: {command}: {answer}", file=sys.stderr)
        return answer

    def _move(self) -> None:
        move = "pass"
        if not self._has_resigned:
            answer = self._ask(f"genmove {self._colour}").upper()
            word = answer.lstrip("=").strip()
            self._has_resigned = word == "RESIGN"
            if answer.startswith("=") and word != "PASS" and is_move(word):
                move = word
        self._count(move)
        _print(move)

    def _count(self, move: str) -> None:
        self._passes = self._passes + 1 if move == "pass" else 0


class GtpSide:
    """The adapter that appears as a GTP engine to the referee. The player is a tournament program.

    The program is started anew for each game.
    """

    def __init__(self, command: list[str], size: int) -> None:
        self._command = command
        self._size = size
        self._child: Child | None = None
        self._colour = ""  # of the program, once its game has begun
        self._news: list[tuple[str, str]] = []  # (colour, vertex) it has not been told

    def serve(self) -> None:
        """Answer commands until `quit` or the end of input."""
        try:
            for raw in sys.stdin:
                words = raw.partition("#")[0].split()
                number = words.pop(0) if words and words[0].isdecimal() else ""
                if not words:
                    continue
                try:
                    _print(f"={number} {self._answer(words[0], words[1:])}\n")
                except ValueError as error:
                    _print(f"?{number} {error}\n")
                if words[0] == "quit":
                    return
        finally:
            self.end()

    def end(self) -> None:
        """End the program of the game in progress."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def _answer(self, command: str, args: list[str]) -> str:
        """Return the response to a command. Raises ValueError if the command fails."""
        deed = getattr(self, f"_do_{command}", None)
        if deed is None:
            raise ValueError("unknown command")
        try:
            return str(deed(*args))
        except TypeError:
            raise ValueError("syntax error") from None
        except Gone:
            raise ValueError("the program has ended") from None

    def _do_protocol_version(self) -> str:
        return "2"

    def _do_name(self) -> str:
        return f"{os.path.basename(self._command[0])} (USENIX)"

    def _do_version(self) -> str:
        return ""

    def _do_list_commands(self) -> str:
        return "\n".join(name.removeprefix("_do_") for name in dir(self) if name.startswith("_do_"))

    def _do_known_command(self, name: str) -> str:
        return "true" if hasattr(self, f"_do_{name}") else "false"

    def _do_quit(self) -> str:
        return ""

    def _do_boardsize(self, size: str) -> str:
        if size != str(self._size):
            raise ValueError("unacceptable size")
        return self._do_clear_board()

    def _do_clear_board(self) -> str:
        self.end()
        self._colour = ""
        self._news = []
        return ""

    def _do_komi(self, _komi: str) -> str:
        return ""

    def _do_play(self, colour: str, vertex: str) -> str:
        colour, move = _colour(colour), vertex.lower() if vertex.lower() == "pass" else vertex.upper()
        if not is_move(move):
            raise ValueError("syntax error")
        if self._news or colour == self._colour or (not self._colour and colour == "white"):
            raise ValueError("a USENIX program can only be told of one move of the other side at a time")
        self._news.append((colour, move))
        return ""

    def _do_genmove(self, colour: str) -> str:
        colour = _colour(colour)
        if self._colour not in ("", colour) or (self._news and self._news[0][0] == colour):
            raise ValueError("a USENIX program plays one colour")
        if not self._news and (self._colour or colour == "white"):
            raise ValueError("a USENIX program moves after the other side")
        if self._child is None:
            self._child = Child(self._command)
            self._child.say(colour)
        self._colour = colour
        for _, move in self._news:
            self._child.say(move)
        self._news = []
        while not is_move(line := self._child.line()):
            pass  # garbage
        return line


def _colour(word: str) -> str:
    found = {"b": "black", "w": "white"}.get(word.lower(), word.lower())
    if found not in COLOURS:
        raise ValueError("syntax error")
    return found


def _terminate(_number: int, _frame: object) -> NoReturn:
    raise SystemExit(128 + signal.SIGTERM)


def _settings(words: list[str]) -> tuple[str, int, float, int, list[str]]:
    """Parse the command line. Raises SystemExit if it is wrong.

    Returns:
        The direction ("usenix" or "gtp"), the size, the komi, the seconds of `--period`, and the command.
    """
    try:
        cut = words.index("--")
        direction, *rest = words[:cut]
        given = dict(zip(rest[::2], rest[1::2], strict=True))
        size, komi = int(given.pop("--size", 19)), float(given.pop("--komi", 5.5))
        period = int(given.pop("--period", _PERIOD))
    except ValueError:
        raise SystemExit(USAGE) from None
    if given or direction not in ("usenix", "gtp") or not words[cut + 1 :]:
        raise SystemExit(USAGE)
    return direction, size, komi, period, words[cut + 1 :]


def main() -> None:
    direction, size, komi, period, command = _settings(sys.argv[1:])
    signal.signal(signal.SIGTERM, _terminate)
    if direction == "gtp":
        GtpSide(command, size).serve()
        return
    child = Child(command)
    try:
        UsenixSide(child, size, komi, period).serve()
    except Gone:
        raise SystemExit(f"usenix_adapter: {command[0]} has ended") from None
    finally:
        child.end()


if __name__ == "__main__":
    main()
