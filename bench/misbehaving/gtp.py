"""The misbehaving engine's GTP 2. `engine.py` loads this module."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.misbehaving.engine import Settings

_KNOWN = (
    *b"protocol_version name version list_commands known_command boardsize clear_board".split(),
    *b"komi play genmove quit".split(),
)


class Driver:
    """A driver (see `engine.Driver`). It plays an unused point beside another one: legal by any rules."""

    def __init__(self, line: Callable[[], bytes], say: Callable[[bytes], None], settings: Settings) -> None:
        self.line, self.say = line, say
        self.name = b"misbehaving " + settings.behaviour.encode()
        self.known = (*_KNOWN, b"gomill-explain_last_move") if settings.behaviour == "noise" else _KNOWN
        self.moves = settings.moves
        self.size = 19
        self.played = 0
        self.used: dict[bytes, None] = {}  # in the order of play
        self.remark = b""
        self._first: bytes | None = None

    def question(self) -> str:
        if self._first is None:
            self._first = self.line()
            return "start"
        while True:
            words = (self._first or self.line()).partition(b"#")[0].split()
            self._first = b""
            if not words:
                continue
            if words[0] == b"genmove":
                return "move"
            if words[0] == b"quit":
                return "end"
            self.say(self._answer(words[0], words[1:]))

    def _answer(self, command: bytes, args: list[bytes]) -> bytes:
        if command not in self.known:
            return b"? unknown command\n\n"
        if command in (b"boardsize", b"clear_board"):
            self.size = int(args[0]) if args else self.size
            self.used, self.played = {}, 0
        if command == b"play":
            self._note(args[1].upper())
        texts = {
            b"protocol_version": b"2",
            b"name": self.name,
            b"version": b"1",
            b"list_commands": b"\n".join(self.known),
            b"known_command": b"true" if args[:1] and args[0] in self.known else b"false",
            b"gomill-explain_last_move": self.remark,
        }
        return self.wrapped(texts.get(command, b""))

    def _note(self, vertex: bytes) -> None:
        self.played += 1
        if vertex != b"PASS":
            self.used.pop(vertex, None)
            self.used[vertex] = None

    def _unused(self) -> bytes | None:
        """Return the first unused point with an unused one to its right or above it."""
        columns = b"ABCDEFGHJKLMNOPQRSTUVWXYZ"[: self.size]
        rows = range(1, self.size + 1)
        for row in rows:
            for column, right in zip(columns, (*columns[1:], None), strict=True):
                vertex = b"%c%d" % (column, row)
                if vertex in self.used:
                    continue
                if right is not None and b"%c%d" % (right, row) not in self.used:
                    return vertex
                if row + 1 in rows and b"%c%d" % (column, row + 1) not in self.used:
                    return vertex
        return None

    def move(self) -> bytes:
        vertex = self._unused() if self.played < self.moves else None
        self._note(vertex or b"PASS")
        return self.wrapped(vertex or b"pass")

    def noisy(self) -> bytes:
        self.remark = b"\x00\xff\xfe \xc3( \x07"
        return self.move().replace(b" ", b" \x00\x01")

    def illegal(self) -> bytes:
        return self.wrapped(next(reversed(self.used), b"Z99"))  # on an empty board nothing is illegal

    def wrapped(self, text: bytes) -> bytes:
        return b"= " + text + b"\n\n"

    def opening(self) -> bytes:
        return b"= "

    def chatter(self) -> bytes:
        return b"still thinking\n"

    def parting(self) -> bytes:
        return b"=\n\n"
