"""Agents of Dig Here that misbehave: a driver for `engine.py`, and a program that follows a script.

::

    python -I -S .../bench/misbehaving/dighere.py 6 6 4abc         one word for each step, then -1
    python -I -S .../bench/misbehaving/dighere.py 6 14~,leave      actions after the text

A word is the text of an answer, with `+` between lines, `_` for a blank and `~` at its end for no line end;
or one of `ACTIONS`; or several of these with commas between them. `--life SECONDS` in front ends the program
in any case (120). It imports nothing of gyoji.
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
_LINES = 13  # of a question
_AGENTS = 4


class Driver:
    """A driver (see `engine.Driver`) whose agent stays where it is. No plan is illegal, but 99 is none of any
    agent's.

    The first question is START and a MOVE at once. The only END is that of the input.
    """

    def __init__(self, line: Callable[[], bytes], say: Callable[[bytes], None], _settings: Settings) -> None:
        self.line, self.say = line, say
        self.played = 0
        self._next = "start"

    def question(self) -> str:
        if self._next != "move at once":
            for _ in range(_LINES):
                self.line()
        is_first = self._next == "start"
        self._next = "move at once" if is_first else "move"
        return "start" if is_first else "move"

    def move(self) -> bytes:
        self.played += _AGENTS
        return self.wrapped(b"-1")

    def noisy(self) -> bytes:
        self.played += _AGENTS
        return b"\n \t\v\f\r\n-1\r\n"

    def illegal(self) -> bytes:
        self.played += _AGENTS
        return self.wrapped(b"99")

    def wrapped(self, text: bytes) -> bytes:
        return text + b"\n"

    def opening(self) -> bytes:
        return b""

    def chatter(self) -> bytes:
        return b" \n"

    def parting(self) -> bytes:
        return b""


def _crash() -> None:
    import resource  # noqa: PLC0415  wanted by this one only

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


def _sleep() -> None:
    while True:
        time.sleep(LIFE)


def _spin() -> None:
    """Loop for ever, and ignore SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        pass


ACTIONS: dict[str, Callable[[], None]] = {
    "leave": lambda: os._exit(3),
    "crash": _crash,
    "sleep": _sleep,
    "nap": lambda: time.sleep(0.3),
    "spin": _spin,
    "mute": lambda: os.close(1),
    "deaf": lambda: os.close(0),
    "moan": lambda: print("oh dear" * 10_000, file=sys.stderr, flush=True),
}


def _do(word: str) -> None:
    """Carry out one word of the script."""
    for part in word.split(","):
        if part in ACTIONS:
            ACTIONS[part]()
        else:
            end = "" if part.endswith("~") else "\n"
            said = part.removesuffix("~").replace("+", "\n").replace("_", " ") + end
            os.write(1, said.encode())


def main() -> None:
    """Follow the script of the command line."""
    words, life = sys.argv[1:], LIFE
    if words[:1] == ["--life"]:
        life, words = int(words[1]), words[2:]
    signal.alarm(life)
    script, rest = iter(words), b""
    while True:
        while rest.count(b"\n") < _LINES:
            try:
                more = os.read(0, 1 << 16)
            except OSError:  # it has closed its input, and goes on all the same
                break
            if not more:
                return
            rest += more
        rest = rest.split(b"\n", _LINES)[-1] if rest.count(b"\n") >= _LINES else b""
        _do(next(script, "-1"))


if __name__ == "__main__":
    main()
