"""Players of the umpire in `counting.py` that misbehave: a driver for `engine.py`.

It is a file of its own, because players do not see that of the umpire.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.misbehaving.engine import Settings


class Driver:
    """A driver (see `engine.Driver`) whose player says again what it is asked.

    The first question is START and a MOVE at once. The only END is that of the input. Every line is an
    answer, so that nothing may come before one but the beginning of its line.
    """

    def __init__(self, line: Callable[[], bytes], say: Callable[[bytes], None], _settings: Settings) -> None:
        self.line, self.say = line, say
        self.played = 0
        self._asked = b""
        self._next = "start"

    def question(self) -> str:
        if self._next == "move at once":
            self._next = "move"
            return "move"
        self._asked = self.line()
        self.played = int(self._asked)
        first, self._next = self._next, "move"
        if first == "start":
            self._next = "move at once"
            return "start"
        return "move"

    def move(self) -> bytes:
        answer = self._asked
        self._asked = b"%d" % (int(answer) + 1)
        return answer + b"\n"

    def noisy(self) -> bytes:
        return self._asked + b"\r\n"

    def illegal(self) -> bytes:
        return b"-1\n"

    def wrapped(self, text: bytes) -> bytes:
        return text + b"\n"

    def opening(self) -> bytes:
        return b""

    def chatter(self) -> bytes:
        return b"x"

    def parting(self) -> bytes:
        return b""
