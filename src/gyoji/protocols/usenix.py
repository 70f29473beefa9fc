"""The language of the USENIX Computer Go Tournament, by its revised rules of October 1984. Pure.

This is our half of a conversation, by the sections "referee" and "bad moves".

::

    we say      black | white      the first line: the program's colour
                G7 | pass          the other side's move
                byo-romi           the main time is over: each further move has the period's time
    it says     G12 | pass         its move; letters are capitals without I, and a number follows at once
                anything else      garbage, ignored

Nothing but a move is ever answered, so all other requests are answered by us (`answers_itself`). "black" is
the question for Black's first move, and is said when that move is asked for; "white" is said at once.

A line that comes while no move is asked for is garbage, a move or not: nothing can be answered before it was
asked. What counts is when the line's end comes. A line of the right form is a move, whatever the board:
"Z99" is a point that is not on it, which the rules of the game refuse like an occupied one.
"""

import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gyoji.core import messages as m
from gyoji.core.plugins import Protocol
from gyoji.core.ports import needed

_LETTERS = frozenset(b"ABCDEFGHJKLMNOPQRSTUVWXYZ")
_PASS = b"pass"
_SIZE = (19, 19)
_KOMI = 5.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a program of the tournament is treated.

    forks  whether it may start other processes, as an adapter has to. They count on a clock of CPU time then.
           The tournament allows none: false, a second process loses the game. Threads are free either way.
    arguments  whether its command may have arguments. The tournament starts a program without any: argc is 1.
    """

    forks: bool = False
    arguments: bool = False


class GoGame(typing.Protocol):
    """The part of the rules of Go that this protocol needs."""

    width: int
    height: int
    komi: float
    handicap: int
    opening_plays: tuple[tuple[int, m.Move], ...]

    def parse(self, text: str) -> m.Move: ...
    def format(self, move: m.Move) -> str: ...


class _Elsewhere(str):
    """A vertex that is not on the board. It is quoted by who refuses it, so not here."""

    __slots__ = ()
    __repr__ = str.__str__


class UsenixCodec:
    """The port `Codec` for a USENIX program."""

    answers_itself: ClassVar[bool] = True

    def __init__(self, options: Options) -> None:
        self.forks = options.forks
        self._due: list[m.Reply] = []
        self._rest = b""  # of a line whose end has not come
        self._is_asked = False
        self._greeting = ""  # what has not been said of it
        self._knows_byo_yomi = False
        self._passes = 0  # in a row, as far as the news went
        self._rules: Any = None
        self._seat = 0
        self._pass: m.Move = None

    # Requests

    def send(self, request: m.Request) -> bytes:
        """See the port."""
        if type(request) is m.AskMove:
            return self._ask(request)
        if isinstance(request, m.NewGame):
            return self._prepare(request)
        if isinstance(request, m.TellMoves):
            self._due.append(m.Acknowledged())
            return self._moves_since(request.news).encode()
        self._due.append(m.Scored() if isinstance(request, m.AskScore) else m.HasQuit())
        return b""

    def _prepare(self, request: m.NewGame) -> bytes:
        rules = needed(request.rules, GoGame, "usenix", "Go")
        self._rules, self._seat, self._pass = rules, request.seat, rules.parse("pass")
        if rules.handicap:
            self._due.append(m.Unsupported("the protocol has no words for handicap stones"))
            return b""
        if rules.opening_plays:
            self._due.append(m.Unsupported("the protocol has no words for an opening"))
            return b""
        unable = []
        if (rules.width, rules.height) != _SIZE:
            unable.append("the board size")
        if rules.komi != _KOMI:
            unable.append("komi")
        self._due.append(m.Ready(unable=tuple(unable), can_score=False, resumes=False, takes_back=False))
        if request.seat:
            return b"white\n"
        self._greeting = "black\n"
        return b""

    def _ask(self, request: m.AskMove) -> bytes:
        news, clock = request.news, request.clock
        text, self._greeting = self._greeting, ""
        if clock.in_byo_yomi and not self._knows_byo_yomi:
            self._knows_byo_yomi = True
            text += "byo-romi\n"
        text += self._moves_since(news)
        self._is_asked = True
        return text.encode()

    def _moves_since(self, news: tuple[m.Turn[m.Move], ...]) -> str:
        """The other side's moves among the news, up to the second pass in a row: what follows is not play."""
        text = ""
        for turn in news:
            for seat, move in turn:
                if self._passes >= 2:
                    break
                self._passes = self._passes + 1 if move == self._pass else 0
                if seat != self._seat:
                    text += self._rules.format(move) + "\n"
        return text

    # Replies

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """See the port. Without data: what no program answers, answered."""
        replies, self._due = self._due, []
        if not data:
            return replies
        *lines, self._rest = (self._rest + data).split(b"\n") if self._rest else data.split(b"\n")
        for line in lines:
            if self._is_asked and (line == _PASS or is_vertex(line)):
                self._is_asked = False
                replies.append(m.Moved(self._move(line.decode())))
        return replies

    def _move(self, text: str) -> m.Move:
        """The move; what is not on the board stays text, which is no move to the rules."""
        try:
            return self._rules.parse(text)
        except ValueError:
            return _Elsewhere(text)

    def finish(self) -> Sequence[m.Reply]:
        """See the port. A line without an end is none."""
        replies, self._due = self._due, []
        return replies


def is_vertex(line: bytes) -> bool:
    """Whether a line has the form of a stone's placement, on whatever board.

    >>> [is_vertex(line) for line in (b"G12", b"Z99", b"I9", b"g12", b"G12 ", b"G")]
    [True, True, False, False, False, False]
    """
    return len(line) > 1 and line[0] in _LETTERS and line[1:].isdigit()


def check_command(words: Sequence[str], options: Mapping[str, Any]) -> None:
    """Raise ValueError for a command with arguments, of which the rules allow none.

    >>> check_command(["./oog", "-x"], {"arguments": False})
    Traceback (most recent call last):
    ValueError: by the rules of 1984 a program has no arguments (argc is 1), got 1: leave it out, \
or allow some with arguments = true
    """
    if (count := len(words) - 1) and not options["arguments"]:
        them = "it" if count == 1 else "them"
        raise ValueError(
            f"by the rules of 1984 a program has no arguments (argc is 1), got {count}: leave {them} out, "
            "or allow some with arguments = true"
        )


PROTOCOL = Protocol(
    name="usenix", options=Options, codec=UsenixCodec, games=("go",), check_command=check_command
)
