"""The protocol of players in games with an umpire: lines of text or JSON, with nothing specific to gyoji.

::

    gyoji sends     the umpire's messages to the seat since its last answer, then the question
    a program       its answer: one line, or as many as the question asks for

A player of "text" is sent texts unchanged, and other values as a line of JSON. A player of "json" is sent a
line of JSON for each message, and answers with one. "botzone" and "botzone-simple" are programs for Botzone:
an adapter (`gyoji.engines.botzone`) starts them for each question, and speaks JSON to gyoji.

The codec itself answers all other requests: a program learns from the end of its input that the game is over.
Output without a question breaks the conversation, because it would be taken for the answer to a later
question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import msgspec

from gyoji.core import messages as m
from gyoji.core.faults import Breakdown, FaultKind
from gyoji.core.lines import LineReader
from gyoji.core.plugins import Protocol
from gyoji.core.text import quote
from gyoji.games.umpire.position import Json, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of one player.

    Attributes:
        speak: What the program reads and writes: lines of "text", lines of "json", or the JSON or the
            simplified interaction of Botzone.
    """

    speak: Literal["text", "json", "botzone", "botzone-simple"] = "text"


_decode_text = msgspec.json.Decoder(str).decode


class SpeechCodec:
    """The codec (port `Codec`) for a player's program in a game with an umpire."""

    answers_itself: ClassVar[bool] = True

    def __init__(self, speak: str) -> None:
        self._is_text = speak == "text"
        self._due: list[m.Reply] = []  # what we have answered ourselves
        self._lines = LineReader()
        self._wanted = 0  # lines of the open question that are still missing
        self._answer: list[str] = []
        self._is_over = False

    def send(self, request: m.Request) -> bytes:
        if self._is_over:
            return b""
        if type(request) is m.AskMove:
            view = request.view
            assert isinstance(view, View), view
            assert view.ask is not None, "the seat is asked"
            self._wanted = view.ask.lines if self._is_text else 1
            asked = self._written(bytes(view.ask.say).decode())
            return b"".join([self._written(each) for each in view.told]) + asked if view.told else asked
        if isinstance(request, m.NewGame):
            if not isinstance(request.view, View):
                raise Breakdown("protocol umpire: it has words for games with an umpire alone")
            self._due.append(m.Ready(can_score=False, knows_rules=True, takes_back=False))
        elif isinstance(request, m.TellMoves):
            self._due.append(m.Acknowledged())
            view = request.view
            assert isinstance(view, View), view
            return b"".join([self._written(each) for each in view.told])
        elif isinstance(request, m.AskScore):
            self._due.append(m.Scored())
        else:
            self._is_over = True
            self._due.append(m.HasQuit())
        return b""

    def _written(self, said: str) -> bytes:
        """Return a message of the umpire as bytes for the program; b"" for an empty text.

        Args:
            said: The message as JSON.
        """
        if self._is_text and said[0] == '"':
            text = _decode_text(said)
            return f"{text}\n".encode("utf-8", "replace") if text else b""
        return f"{said}\n".encode()

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        replies, self._due = self._due, []
        if data and not self._is_over:
            for line in self._lines.feed(data):
                self._take(line, replies)
        return replies

    def _take(self, line: bytes, replies: list[m.Reply]) -> None:
        if self._is_over:
            return
        text = line.decode("utf-8", "replace").rstrip("\r")
        if not self._wanted:
            if text.strip():
                self._is_over = True
                replies.append(m.Broken(FaultKind.PROTOCOL, f"said {quote(text)} before it was asked"))
            return
        self._answer.append(text)
        self._wanted -= 1
        if not self._wanted:
            answer, self._answer = "\n".join(self._answer), []
            replies.append(m.Moved(answer) if self._is_text else _value(answer))

    def finish(self) -> Sequence[m.Reply]:
        """Return the last replies, after the end of output. A line needs no line end there."""
        rest = self._lines.take_rest()
        return self.receive(rest + b"\n") if rest else ()


def _value(text: str) -> m.Reply:
    """Return an answer in JSON as a move, without blanks; `Malformed` if it is not JSON."""
    try:
        return m.Moved(Json(msgspec.json.encode(msgspec.json.decode(text)).decode()))
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        return m.Malformed(text, f"it is no JSON: {error}")


def _adapter(options: Mapping[str, object]) -> Sequence[str]:
    speak = options.get("speak", "text")
    simple = ("--simple",) if speak == "botzone-simple" else ()
    return ("gyoji.engines.botzone", *simple) if speak in ("botzone", "botzone-simple") else ()


PROTOCOL = Protocol(
    name="umpire",
    options=Options,
    codec=lambda options: SpeechCodec(options.speak),
    games=("umpire",),
    adapter=_adapter,
    title="the umpire's words",
)
