"""The codec of an umpire, a program that decides a game."""

from collections.abc import Sequence
from dataclasses import dataclass

from gyoji.core import messages as m
from gyoji.core.faults import FaultKind
from gyoji.core.lines import LineReader
from gyoji.core.plugins import Protocol
from gyoji.core.text import quote
from gyoji.games.umpire.messages import ENDS_TURN, STOP, read

_ASK = b'{"ask"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The protocol settings of an umpire: none."""


class UmpireCodec:
    """The codec (port `Codec`) of an umpire. It only knows the requests `AskUmpire` and `Quit`."""

    def __init__(self) -> None:
        self._lines = LineReader()
        self._said: list[str] = []  # of the answer that is not complete
        self._is_asked = self._is_over = False

    def send(self, request: m.Request) -> bytes:
        if isinstance(request, m.AskUmpire):
            self._is_asked = True
            return f"{request.line}\n".encode()
        self._is_over = True
        return f"{STOP}\n".encode()

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """Return `Ruled` with the umpire's lines up to a question or the end of the game.

        Output without a request breaks the conversation.
        """
        replies: list[m.Reply] = []
        for line in self._lines.feed(data):
            if self._is_over or not line.strip():
                continue
            try:
                text = line.decode().strip()
                ends = line.startswith(_ASK) or read(text)[0] in ENDS_TURN
            except ValueError as error:
                return [*replies, self._broken(str(error))]
            if not self._is_asked:
                return [*replies, self._broken(f"said {quote(text)} before it got an answer")]
            self._said.append(text)
            if ends:
                said, self._said, self._is_asked = tuple(self._said), [], False
                replies.append(m.Ruled(said))
        return replies

    def finish(self) -> Sequence[m.Reply]:
        rest = self._lines.take_rest()
        return self.receive(rest + b"\n") if rest.strip() else ()

    def _broken(self, how: str) -> m.Broken:
        self._is_over = True
        return m.Broken(FaultKind.PROTOCOL, how)


PROTOCOL = Protocol(name="umpire-program", options=Options, codec=lambda _: UmpireCodec(), games=())
"""The protocol of umpires, which is not for players."""
