"""JSON lines: a protocol for any game whose views are JSON, one object a line in each direction.

====================================================== ==========================================
we say                                                 the engine says
====================================================== ==========================================
``{"prepare": seat, "view": ..., "limit": text}``      ``{"ready": name}``, ``{"cannot": why}``
``{"ask": seconds left, "news": ..., "view": ...}``    ``{"move": text}``, ``{"resign": true}``
``{"tell": news, "view": ...}``                        ``{"heard": true}``
``{"appraise": true}``                                 ``{"score": text}``
``{"finish": true}``                                   ``{"bye": true}``
====================================================== ==========================================

News are turns, each a list of [seat, move as text]. ``{"remark": text}`` may come before any answer, and
``{"opinion": chance to win}`` before a move, which it is about.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core import wire
from gyoji.core.faults import FaultKind
from gyoji.core.plugins import Protocol
from gyoji.core.text import quote

_ANSWERS = {
    m.NewGame: ("ready", "cannot"),
    m.AskMove: ("move", "resign", "cannot"),
    m.TellMoves: ("heard",),
    m.AskScore: ("score",),
    m.Quit: ("bye",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Nothing can be set."""


class JsonLines:
    """One conversation. `_wanted`: the answers that end the request in progress, () between two.

    `_opinion`: what was said of the move to come.
    """

    def __init__(self) -> None:
        self._rules: Any = None
        self._wanted: tuple[str, ...] = ()
        self._rest = b""
        self._broken = False
        self._opinion: m.Evaluation | None = None

    def send(self, request: m.Request) -> bytes:
        if self._broken:
            return b""
        self._wanted = _ANSWERS[type(request)]
        match request:
            case m.NewGame(seat, rules, view, control):
                self._rules = rules
                said = {"prepare": seat, "view": wire.encode(view), "limit": control.describe()}
            case m.AskMove(view, news, _, clock):
                said = {"ask": clock.main / 1e9, "news": self._shown(news), "view": wire.encode(view)}
            case m.TellMoves(view, news):
                said = {"tell": self._shown(news), "view": wire.encode(view)}
            case m.AskScore():
                said = {"appraise": True}
            case m.Quit():
                said = {"finish": True}
        return json.dumps(said).encode() + b"\n"

    def _shown(self, news: tuple[m.Turn, ...]) -> list[list[list[Any]]]:
        return [[[seat, self._rules.format(move)] for seat, move in turn] for turn in news]

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        replies: list[m.Reply] = []
        for line in lines:
            if self._broken:
                break
            replies += self._replies(line)
        return replies

    def finish(self) -> Sequence[m.Reply]:
        return self.receive(b"\n") if self._rest else ()

    def _break(self, detail: str) -> m.Broken:
        self._broken = True
        return m.Broken(FaultKind.PROTOCOL, detail)

    def _replies(self, line: bytes) -> list[m.Reply]:
        try:
            ((key, value),) = json.loads(line).items()
        except (ValueError, AttributeError):
            return [self._break(f"expected an object with one key, got {quote(line)}")]
        if key == "remark" and self._wanted:
            return [m.Comment(str(value))]
        if key == "opinion" and "move" in self._wanted and isinstance(value, float):
            self._opinion = m.Evaluation(win=value)
            return []
        if key not in self._wanted:
            expected = " or ".join(self._wanted) or "nothing, for nothing was asked"
            return [self._break(f"expected {expected}, got {quote(line)}")]
        self._wanted = ()
        said, self._opinion = self._opinion, None
        reply = self._meant(key, str(value))
        return [replace(reply, evaluation=said) if isinstance(reply, m.Moved) else reply]

    def _meant(self, key: str, text: str) -> m.Reply:
        match key:
            case "move":
                try:
                    return m.Moved(self._rules.parse(text))
                except ValueError:
                    return m.Malformed(text)
            case "ready":
                return m.Ready(name=text)
            case "cannot":
                return m.Unsupported(text)
            case "resign":
                return m.Resigned()
            case "heard":
                return m.Acknowledged()
            case "score":
                return m.Scored(text=text)
            case _:
                return m.HasQuit()


def codec(options: Options) -> JsonLines:
    return JsonLines()


PROTOCOL = Protocol(name="json_lines", options=Options, codec=codec)
