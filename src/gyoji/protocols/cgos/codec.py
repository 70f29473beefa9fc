"""The codec of a player that connects to gyoji by a client of CGOS."""

# Theory of operation
#
# A CGOS client is sent `setup` and then the opponent's moves, and answers only `genmove`. So this codec
# answers most requests itself (`answers_itself`). Its lines are a log of the game, from which `session` sends
# everything again to a client that reconnects:
#
#     NewGame    setup - 9 7.5 60000 - - MOVE TIME ...   the server fills in the game's number and the players
#                ready                         <-        the client has had time to set up the board
#     AskMove    play b D4 59000                         every turn of the game, the seat's own ones too: the
#                play w E5 58000                         server does not send those on
#                genmove b 59000
#                c3 {"winrate":0.6}            <-        the client's answer, if its engine says something
#     TellMoves  play w PASS 58000
#     Quit                                               the result comes to the server from the run
#
# Times are the time that a seat has left after its move, in whole ms, rounded down, at least 0. A line that
# arrives while no move is requested is dropped.

from collections.abc import Sequence
from typing import ClassVar

from gyoji.core import messages as m
from gyoji.core.clocks import Clock
from gyoji.core.lines import LineReader
from gyoji.core.ports import needed
from gyoji.protocols.cgos import Options
from gyoji.protocols.cgos.analysis import read_answer
from gyoji.protocols.cgos.terms import CgosRules, objections

READY = "ready"
"""The line by which the server reports that a client has had time to set up its board."""

_COLOURS = "bw"
_MS = 1_000_000
_RESIGN = "resign"


class CgosCodec:
    """The codec (port `Codec`) for one CGOS client. It lives on while the client reconnects."""

    answers_itself: ClassVar[bool] = True

    def __init__(self, _options: Options) -> None:
        self._due: list[m.Reply] = []
        self._lines = LineReader()
        self._awaits = ""  # "ready", "move", or "" for nothing
        self._seat = 0
        self._left = [0, 0]  # ms of each seat after its last move

    # Requests

    def send(self, request: m.Request) -> bytes:
        """Return the lines to write for a request of the referee (`Codec.send`)."""
        match request:
            case m.AskMove():
                self._left = [_ms(clock) for clock in request.clocks] or self._left
                self._awaits = "move"
                asked = f"genmove {_COLOURS[self._seat]} {_ms(request.clock)}\n"
                return (self._plays(request.news) + asked).encode()
            case m.NewGame():
                return self._begin(request)
            case m.TellMoves():
                self._due.append(m.Acknowledged())
                return self._plays(request.news).encode()
            case m.AskScore():
                self._due.append(m.Scored())
            case _:
                self._due.append(m.HasQuit())
        self._awaits = ""
        return b""

    def _begin(self, request: m.NewGame) -> bytes:
        if reasons := objections(request.rules, request.control):
            self._due.append(m.Unsupported("; ".join(reasons)))
            return b""
        rules: CgosRules = needed(request.rules, CgosRules, "cgos", "Go")
        self._parse, self._format = rules.parse, rules.format
        self._seat, self._awaits = request.seat, "ready"
        main = request.control.main // _MS
        self._left = [each.main // _MS for each in request.controls] or [main, main]
        moves = "".join([f" {rules.format(move)} {main}" for _, move in rules.opening_plays])
        return f"setup - {rules.width} {rules.komi} {main} - -{moves}\n".encode()

    def _plays(self, news: tuple[m.Turn[m.Move], ...]) -> str:
        pairs = [pair for turn in news for pair in turn]
        return "".join(
            [f"play {_COLOURS[seat]} {self._format(move)} {self._left[seat]}\n" for seat, move in pairs]
        )

    # Replies

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """Return the replies to lines of the client, and those that the codec gives itself
        (`Codec.receive`).
        """
        replies, self._due = self._due, []
        for line in self._lines.feed(data):
            awaited, self._awaits = self._awaits, ""
            text = line.decode("utf-8", "replace").strip()
            if awaited == "ready" and text == READY:
                replies.append(_READY)
            elif awaited == "move" and text:
                replies += self._answer(text)
            else:
                self._awaits = awaited
        return replies

    def _answer(self, line: str) -> Sequence[m.Reply]:
        word, said, comment = read_answer(line)
        remark = [m.Comment(comment)] if comment else []
        if word.lower() == _RESIGN:
            return [m.Resigned(), *remark]
        try:
            return [m.Moved(self._parse(word), said), *remark]
        except ValueError:
            return [m.Malformed(word), *remark]

    def finish(self) -> Sequence[m.Reply]:
        """Return the replies that are due at the end of the connection (`Codec.finish`)."""
        return self.receive(b"")


def _ms(clock: Clock) -> int:
    return max(clock.main // _MS, 0)


_READY = m.Ready(can_score=False, knows_rules=True, resumes=False, tells_dead=False, takes_back=False)
