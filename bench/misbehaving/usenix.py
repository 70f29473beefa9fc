"""USENIX programs that misbehave: a driver for `engine.py`, and a program that follows a script.

::

    python -I -S .../bench/misbehaving/usenix.py D4 hello+E5 fork busy    one word for each move, then passes

A word is the text of an answer, with `+` between lines, or one of `ACTIONS`, which break rules that only this
protocol has. The program reads the opponent's moves and ignores them. `--life SECONDS` in front ends it in
any case (120). It imports nothing of gyoji.
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

_COLUMNS = b"ABCDEFGHJKLMNOPQRSTUVWXYZ"
LIFE = 120


class Driver:
    """A driver (see `engine.Driver`) for boards from 9x9 on. It plays an unused point beside another one."""

    def __init__(self, line: Callable[[], bytes], say: Callable[[bytes], None], settings: Settings) -> None:
        self.line, self.say = line, say
        self.moves = settings.moves
        self.played = 0
        self.used: dict[bytes, None] = {}
        self._colour = b""

    def question(self) -> str:
        if not self._colour:
            self._colour = self.line()
            return "start"
        if self._colour == b"black" and not self.played:
            return "move"
        while (said := self.line()) == b"byo-romi":
            pass
        self._note(said)
        return "move"

    def _note(self, move: bytes) -> None:
        self.played += 1
        if move != b"pass":
            self.used[move] = None

    def _unused(self) -> bytes:
        points = [b"%c%d" % (column, row) for row in range(1, 10, 2) for column in _COLUMNS[:9]]
        free = [point for point in points if point not in self.used]
        return free[0] if free and self.played < self.moves else b"pass"

    def move(self) -> bytes:
        move = self._unused()
        self._note(move)
        return self.wrapped(move)

    def noisy(self) -> bytes:
        return b"\x00\xff\xfe \xc3(\n" + self.move()

    def illegal(self) -> bytes:
        return self.wrapped(next(reversed(self.used), b"Z99"))

    def wrapped(self, text: bytes) -> bytes:
        return text + b"\n"

    def opening(self) -> bytes:
        return b""

    def chatter(self) -> bytes:
        return b"still thinking\n"

    def parting(self) -> bytes:
        return b""


def _spin() -> None:
    while True:
        pass


def _work() -> None:
    """Use a quarter of a second of user time, then pass."""
    until = os.times().user + 0.25
    while os.times().user < until:
        for _ in range(20_000):  # most of it in the program, not in the system
            pass
    _say(b"pass")


def _sleep() -> None:
    while True:
        time.sleep(LIFE)


def _fork() -> None:
    """Start a second process that lives on, and pass."""
    if os.fork() == 0:
        signal.alarm(LIFE)
        _sleep()
    _say(b"pass")


def _fork_and_wait() -> None:
    """Start a second process that ends before we pass."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    _say(b"pass")


def _fork_and_think() -> None:
    """Start a second process that computes, and wait for it."""
    if os.fork() == 0:
        signal.alarm(LIFE)
        _spin()
    os.wait()


def _thread() -> None:
    import threading  # noqa: PLC0415  wanted by this one only

    thread = threading.Thread(target=time.sleep, args=(0.01,))
    thread.start()
    thread.join()
    _say(b"pass")


def _threads() -> None:
    import threading  # noqa: PLC0415

    for _ in range(3):
        threading.Thread(target=_spin, daemon=True).start()
    _spin()


ACTIONS: dict[str, Callable[[], None]] = {
    "busy": _spin,
    "work": _work,
    "sleep": _sleep,
    "fork": _fork,
    "fork-and-wait": _fork_and_wait,
    "fork-and-think": _fork_and_think,
    "thread": _thread,
    "threads": _threads,
    "leave": lambda: os._exit(0),
}


def _say(text: bytes) -> None:
    os.write(1, text + b"\n")


def main() -> None:
    """Follow the script of the command line."""
    words = sys.argv[1:]
    life = LIFE
    if words[:1] == ["--life"]:
        life, words = int(words[1]), words[2:]
    signal.alarm(life)
    lines = sys.stdin.buffer
    is_black = lines.readline() == b"black\n"
    script = iter(words)
    while True:
        if not is_black:
            said = lines.readline()
            if not said:
                return
            if said == b"byo-romi\n":
                os.write(2, b"told byo-romi\n")
                continue
        is_black = False
        word = next(script, "pass")
        if word in ACTIONS:
            ACTIONS[word]()
        else:
            _say(word.replace("+", "\n").encode())


if __name__ == "__main__":
    main()
