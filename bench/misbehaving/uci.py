"""UCI engines that misbehave: a driver for `engine.py`, and an engine with a quirk of its own.

::

    python -I -S .../bench/misbehaving/uci.py QUIRK [--life SECONDS]

QUIRK is one of `QUIRKS`, which break rules that only this protocol has, or `well`. It imports nothing of
gyoji.
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
_FILES = b"abcdefgh"
_GREETING = b"option name Hash type spin default 16 min 1 max 64\nuciok\n"


def legal_move(played: int) -> bytes:
    """Return a legal move of a game that both sides play by this function: pawns, then a knight to and fro.

    No piece is attacked on the way and no line to a king opens, so the moves are legal whatever legal ones of
    this kind the other side makes. The game ends after 40 moves by repetition.
    """
    number, side = divmod(played, 2)
    if number < 16:
        start, goal = (b"23", b"34")[number // 8] if not side else (b"76", b"65")[number // 8]
        return b"%c%c%c%c" % (_FILES[number % 8], start, _FILES[number % 8], goal)
    knight = (b"b1c3", b"b8c6")[side]
    return knight if number % 2 == 0 else knight[2:] + knight[:2]


def illegal_move(played: int) -> bytes:
    """Return the king's move onto the own queen."""
    return (b"e1d1", b"e8d8")[played % 2]


class Driver:
    """A driver (see `engine.Driver`) for games of standard chess from the start position."""

    def __init__(self, line: Callable[[], bytes], say: Callable[[bytes], None], settings: Settings) -> None:
        self.line, self.say = line, say
        self.name = b"misbehaving " + settings.behaviour.encode()
        self.played = 0
        self._first: bytes | None = None

    def question(self) -> str:
        if self._first is None:
            self._first = self.line()
            return "start"
        while True:
            words = (self._first or self.line()).split()
            self._first = b""
            if words[:1] == [b"go"]:
                return "move"
            if words[:1] == [b"quit"]:
                return "end"
            if words[:1] == [b"uci"]:
                self.say(b"id name " + self.name + b"\nid author bench\n" + _GREETING)
            elif words[:1] == [b"isready"]:
                self.say(b"readyok\n")
            elif words[:1] == [b"position"]:
                self.played = len(words) - 3 if b"moves" in words else 0

    def move(self) -> bytes:
        return b"info depth 1 score cp 10\nbestmove " + legal_move(self.played) + b"\n"

    def noisy(self) -> bytes:
        return b"info string \x00\xff\xfe \xc3( \x07\ninfo depth \xff score cp\n" + self.move()

    def illegal(self) -> bytes:
        return self.wrapped(illegal_move(self.played))

    def wrapped(self, text: bytes) -> bytes:
        return b"bestmove " + text + b"\n"

    def opening(self) -> bytes:
        return b"info depth 1 score cp 3 "

    def chatter(self) -> bytes:
        return b"info string still thinking\n"

    def parting(self) -> bytes:
        return b""


QUIRKS: dict[str, tuple[str, dict[bytes, bytes | None], tuple[str, ...]]] = {
    "no-uciok": ("names its options, and never says uciok", {b"uci": b"id name x\n"}, ("fault",)),
    "no-readyok": ("never says readyok", {b"isready": b""}, ("fault",)),
    "no-readyok-again": ("says readyok once, and not after ucinewgame", {b"ready 2": b""}, ("fault",)),
    "dies-of-uci": ("exits when it is greeted", {b"uci": None}, ("fault",)),
    "dies-of-setoption": ("exits when an option is set", {b"setoption": None}, ("fault",)),
    "dies-of-ucinewgame": ("exits when a new game begins", {b"ucinewgame": None}, ("fault",)),
    "dies-of-position": ("exits when it is told a position", {b"position": None}, ("fault",)),
    "odd-options": (
        "declares options in no form of the protocol",
        {
            b"uci": b"option\noption name\noption name A type\n"
            b"option name B type spin default x min 9 max 1\n"
            b"option name \xff\xfe type check default maybe\noption name C type combo var var var\n"
            b"option name Hash type spin default 16 min 1 max 64\nid\nid name\nuciok\n"
        },
        ("goes on",),
    ),
    "many-options": (
        "declares 20,000 options",
        {b"uci": b"option name %d type button\n" * 20_000 + _GREETING},
        ("goes on",),
    ),
    "no-option": ("lacks the option that is set", {b"uci": b"id name x\nuciok\n"}, ("fault",)),
    "options-late": ("says uciok before its options", {b"uci": b"uciok\n" + _GREETING}, ("fault",)),
    "out-of-the-blue": (
        "says a move whenever it is asked anything before the game",
        dict.fromkeys((b"uci", b"isready", b"ucinewgame"), b"bestmove e2e4\n+"),
        ("goes on",),
    ),
    "answers-position": (
        "says a move when it is told a position",
        {b"position": b"bestmove e2e4\n"},
        ("illegal move",),
    ),
    "two-moves": ("says two moves, the second one illegal", {b"go": b"+bestmove a1a8\n"}, ("goes on",)),
    "san": ("writes the move in SAN", {b"go": b"bestmove Nf3\n"}, ("ill-formed move",)),
    "glued": ("says the move in a line with other words", {b"go": b"info bestmove e2e4\n"}, ("time",)),
    "error": ("answers each command with an error", {b"isready": b"Unknown command: isready\n"}, ("fault",)),
    "odd-info": (
        "says info lines in no form of the protocol",
        {
            b"go": b"info\ninfo score\ninfo score cp\ninfo score cp x\ninfo depth 1 score mate\ninfo pv\n"
            b"info score cp 99999999999999999999999 pv zz99 \xff\ninfo multipv x score cp 1\n"
            b"info score cp 5 lowerbound upperbound wdl 1 2 pv e2e4 e2e4 e2e4\n+"
        },
        ("goes on",),
    ),
    "ignores-quit": ("does not end when it is told to quit", {b"quit": b""}, ("goes on",)),
}
"""By name: what the engine does; what it says to a command instead of what is right (None: it exits; "+"
stands for the right answer; "ready 2" is the second isready); the correct endings, "goes on" if it costs
nothing.
"""


def _right(words: list[bytes], played: int) -> bytes:
    """Return the right answer to a command."""
    answers = {b"uci": b"id name quirk\n" + _GREETING, b"isready": b"readyok\n"}
    if words[0] == b"go":
        return b"bestmove " + legal_move(played) + b"\n"
    return answers.get(words[0], b"")


def main() -> None:
    """Run an engine with the quirk of the command line until it is told to quit."""
    name, life = sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else LIFE
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(life)
    said = QUIRKS[name][1] if name in QUIRKS else {}
    played = ready = 0
    for line in iter(sys.stdin.buffer.readline, b""):
        words = line.split()
        if not words:
            continue
        key = words[0]
        if key == b"position":
            played = len(words) - 3 if b"moves" in words else 0
        if key == b"isready":
            ready += 1
            key = b"ready 2" if ready == 2 and b"ready 2" in said else key
        answer = said.get(key, b"+")
        if answer is None:
            os._exit(1)
        if key == b"quit" and answer:
            return
        os.write(1, answer.replace(b"+", _right(words, played)))
    if name == "ignores-quit":
        time.sleep(life)


if __name__ == "__main__":
    main()
