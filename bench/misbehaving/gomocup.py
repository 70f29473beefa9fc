"""Gomocup brains that misbehave: a driver for `engine.py`, and a program that follows a script.

::

    python -I -S .../bench/misbehaving/gomocup.py 7,7 MESSAGE_hello+8,8 leave     one word for each move
    python -I -S .../bench/misbehaving/gomocup.py --quirk mute-about --quirk cr   then it plays on by itself

A word is the text of an answer, with `+` between lines and `_` for a blank, or one of `ACTIONS`. A quirk is
one of `QUIRKS` and lasts for the whole game. `--life SECONDS` ends the program in any case (120). It imports
nothing of gyoji.
"""

from __future__ import annotations

import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.misbehaving.engine import Settings

LIFE = 120
_OPTIONAL = (b"ABOUT", b"RECTSTART", b"RESTART", b"TAKEBACK", b"PLAY", b"SWAP2BOARD")
_INITIAL = (b"START", b"RECTSTART", b"RESTART")

QUIRKS = {
    "mute-about": "says nothing to ABOUT",
    "unknown-about": "knows no ABOUT",
    "late-about": "answers ABOUT when it is asked for a move",
    "free-about": "answers ABOUT with words of its own, and a banner before",
    "unknown": "knows no optional command: UNKNOWN for each of its lines",
    "no-size": "supports no board",
    "loud-info": "says something to each INFO",
    "cr": "ends lines with CR",
    "crlf": "ends lines with CR LF, in two writes",
    "no-end": "ignores END, and TERM",
    "talks-at-end": "answers END",
    "child-at-end": "leaves a child behind that holds its output open",
}


class Driver:
    """A driver (see `engine.Driver`) for boards of any size. Its points make no five in a row, so a game goes
    on.
    """

    def __init__(
        self, line: Callable[[], bytes], say: Callable[[bytes], None], _settings: Settings | None = None
    ) -> None:
        self.line, self.say = line, say
        self.width = self.height = 15
        self.played = 0
        self.used: dict[bytes, None] = {}  # in the order of play
        self._first: bytes | None = None
        self._place = 0

    def question(self) -> str:
        if self._first is None:
            self._first = self.line()
            return "start"
        while True:
            words = (self._first or self.line()).upper().split(None, 1)
            self._first = b""
            if words[:1] == [b"END"]:
                return "end"
            if words and self.is_question(words[0], *words[1:]):
                return "move"

    def is_question(self, command: bytes, argument: bytes = b"") -> bool:
        """Record a command, and answer it unless it asks for a move."""
        if command in _INITIAL:
            if argument:
                self.width, self.height = (*map(int, argument.split(b",")), int(argument.split(b",")[0]))[:2]
            self.used, self.played, self._place = {}, 0, 0
            self.say(b"OK\n")
        elif command == b"ABOUT":
            self.say(b'name="misbehaving", version="1"\n')
        elif command == b"TURN":
            self._note(argument)
        elif command == b"BOARD":
            self.used, self.played, self._place = {}, 0, 0
            while (stone := self.line()) != b"DONE":
                self._note(b",".join(stone.split(b",")[:2]))
        elif command not in (b"BEGIN", b"INFO"):
            self.say(b"UNKNOWN command\n")
        return command in (b"TURN", b"BOARD", b"BEGIN")

    def _note(self, point: bytes) -> None:
        self.played += 1
        self.used[point] = None

    def _unused(self) -> bytes:
        """Return the next free point, leaving out every fifth of each line."""
        while self._place < self.width * self.height:
            y, x = divmod(self._place, self.width)
            self._place += 1
            point = b"%d,%d" % (x, y)
            if (x + 2 * y) % 5 and point not in self.used:
                return point
        return b"0,0"

    def move(self) -> bytes:
        point = self._unused()
        self._note(point)
        return self.wrapped(point)

    def noisy(self) -> bytes:
        return b"MESSAGE \x00\xff\xfe \xc3(\n\x00" + self.move()

    def illegal(self) -> bytes:
        return self.wrapped(next(reversed(self.used), b"0,0"))  # on an empty board nothing is illegal

    def wrapped(self, text: bytes) -> bytes:
        return text + b"\n"

    def opening(self) -> bytes:
        return b""

    def chatter(self) -> bytes:
        return b"DEBUG still thinking\n"

    def parting(self) -> bytes:
        return b""


def _sleep() -> None:
    while True:
        time.sleep(LIFE)


def _endless() -> None:
    """Write three MB without the end of a line."""
    os.write(1, b"x" * (3 << 20))
    _sleep()


def _fail() -> None:
    os.write(1, b"ERROR not enough memory\n")
    _sleep()


def _fail_and_leave() -> None:
    os.write(1, b"ERROR not enough memory\n")
    os._exit(3)


ACTIONS: dict[str, Callable[[], None]] = {
    "sleep": _sleep,
    "leave": lambda: os._exit(0),
    "endless": _endless,
    "fail": _fail,
    "fail-and-leave": _fail_and_leave,
}


class Brain(Driver):
    """A brain that follows a script and has quirks."""

    def __init__(self, quirks: list[str], words: list[str]) -> None:
        super().__init__(self.read, self.write)
        self.quirks = frozenset(quirks)
        self.words = iter(words)
        self.owed = b""  # the answer to ABOUT

    def read(self) -> bytes:
        line = sys.stdin.buffer.readline()
        if not line:
            os._exit(0)
        return line.rstrip()

    def write(self, text: bytes) -> None:
        if "cr" in self.quirks:
            text = text.replace(b"\n", b"\r")
        if "crlf" in self.quirks:
            for line in text.splitlines():
                os.write(1, line + b"\r")
                os.write(1, b"\n")
        else:
            os.write(1, text)

    def is_question(self, command: bytes, argument: bytes = b"") -> bool:
        quirks = self.quirks
        if command == b"ABOUT" and self._tell_about():
            return False
        if command in _INITIAL and "no-size" in quirks:
            self.write(b"ERROR unsupported size\n")
        elif "unknown" in quirks and (command in _OPTIONAL or command == b"DONE" or b"," in command):
            self.write(b"UNKNOWN command\n")
        elif command == b"INFO" and "loud-info" in quirks:
            self.write(b"ERROR INFO " + argument + b"\nUNKNOWN command\nMESSAGE 7,7\nOK\n\n")
        else:
            return super().is_question(command, argument)
        return False

    def _tell_about(self) -> bool:
        """Answer ABOUT as the quirks say. Return False if no quirk concerns it."""
        if "unknown-about" in self.quirks:
            self.write(b"UNKNOWN command\n")
        elif "free-about" in self.quirks:
            self.write(b"A brain that plays well.\n\nBy me, 2004\n")
        elif "late-about" in self.quirks:
            self.owed = b'name="latecomer"\n'
        else:
            return "mute-about" in self.quirks
        return True

    def converse(self) -> None:
        while (question := self.question()) != "end":
            if question == "move":
                self.write(self.owed)
                self.owed = b""
                self._act(next(self.words, ""))
        if "talks-at-end" in self.quirks:
            self.write(b"bye\nMESSAGE bye\n7,7\n")
        if "no-end" in self.quirks:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            _sleep()
        if "child-at-end" in self.quirks and os.fork() == 0:
            signal.alarm(LIFE)  # a child has no alarm of its parent's
            _sleep()

    def _act(self, word: str) -> None:
        if word in ACTIONS:
            ACTIONS[word]()
        elif word:
            lines = word.replace("_", " ").split("+")
            for line in lines:
                if line[:1].isdigit():
                    self._note(line.encode())
            self.write("".join([line + "\n" for line in lines]).encode())
        else:
            self.write(self.move())


def main() -> None:
    """Follow the script of the command line."""
    words, quirks, life = sys.argv[1:], [], LIFE
    while words[:1] in (["--quirk"], ["--life"]):
        if words[0] == "--life":
            life = int(words[1])
        elif words[1] in QUIRKS:
            quirks.append(words[1])
        else:
            raise SystemExit(f"misbehaving: no quirk {words[1]!r}; there are: {' '.join(QUIRKS)}")
        words = words[2:]
    signal.alarm(life)
    Brain(quirks, words).converse()


if __name__ == "__main__":
    main()
