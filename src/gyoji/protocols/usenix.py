"""The codec for Go programs of the USENIX Computer Go Tournament, by its revised rules of October 1984."""

# Theory of operation (sections "referee" and "bad moves" of the rules)
#
#     we send     black | white      the first line: the program's colour
#                 G7 | pass          the other side's move
#                 byo-romi           main time has ended: each further move has the time of one period
#     it sends    G12 | pass         its move; letters are capitals without I, and a number follows at once
#                 anything else      garbage, ignored
#
# * Programs only answer requests for a move. The codec answers all other requests itself (`answers_itself`).
# * "black" requests Black's first move and is sent when that move is due; "white" is sent at once.
# * A line that arrives while no move is requested is garbage, even if it is a move. A move has arrived when
#   the end of its line has.
# * A line of the right form is a move on any board. "Z99" is a point off the board, which the rules of the
#   game refuse as they refuse an occupied one.
# * The protocol has no commands for handicap stones, openings, resignation, scores or undo. After two passes
#   nothing more is sent, because the game is over for the program.

import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gyoji.core import messages as m
from gyoji.core.lines import LineReader
from gyoji.core.plugins import Protocol
from gyoji.core.ports import needed

_LETTERS = frozenset(b"ABCDEFGHJKLMNOPQRSTUVWXYZ")
_PASS = b"pass"
_SIZE = (19, 19)
_KOMI = 5.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of a USENIX player.

    Attributes:
        forks: Whether the program may start other processes, as an adapter must. A clock of CPU time charges
            them too. The tournament allows none: if False, a program with a second process loses the game.
            Threads are always allowed.
        arguments: Whether the command may have arguments. The tournament starts programs without any (argc is
            1).
    """

    forks: bool = False
    arguments: bool = False


class GoGame(typing.Protocol):
    """The members of the rules of Go that this protocol uses."""

    width: int
    height: int
    komi: float
    handicap: int
    opening_plays: tuple[tuple[int, m.Move], ...]

    def parse(self, text: str) -> m.Move: ...
    def format(self, move: m.Move) -> str: ...


class _Elsewhere(str):
    """The text of a vertex off the board, returned in place of a move. The rules refuse it as illegal.

    Its `repr` has no quotes, because the message about the illegal move adds them.
    """

    __slots__ = ()
    __repr__ = str.__str__


class UsenixCodec:
    """The codec (port `Codec`) of one USENIX program."""

    answers_itself: ClassVar[bool] = True

    def __init__(self, options: Options) -> None:
        self.forks = options.forks
        self._due: list[m.Reply] = []
        self._lines = LineReader()
        self._is_asked = False
        self._greeting = ""  # the first line, while it is not sent
        self._knows_byo_yomi = False
        self._passes = 0  # in a row, in the news so far
        self._rules: Any = None
        self._seat = 0
        self._pass: m.Move = None

    # Requests

    def send(self, request: m.Request) -> bytes:
        """Return the lines to write to the program for a request of the referee (`Codec.send`)."""
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
        """Return one line for each move of the other side in `news`, up to the second pass in a row."""
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
        """Return the replies that are due, and those that `data` completes (`Codec.receive`)."""
        replies, self._due = self._due, []
        if not data:
            return replies
        for line in self._lines.feed(data):
            if self._is_asked and (line == _PASS or is_vertex(line)):
                self._is_asked = False
                replies.append(m.Moved(self._move(line.decode())))
        return replies

    def _move(self, text: str) -> m.Move:
        """Parse a move. A vertex off the board is returned as text, which the rules refuse."""
        try:
            return self._rules.parse(text)
        except ValueError:
            return _Elsewhere(text)

    def finish(self) -> Sequence[m.Reply]:
        """Return the replies that are due when the program closes its output (`Codec.finish`).

        A line without a line end is ignored.
        """
        replies, self._due = self._due, []
        return replies


def is_vertex(line: bytes) -> bool:
    """Return whether a line has the form of a vertex such as G12, on a board of any size.

    >>> [is_vertex(line) for line in (b"G12", b"Z99", b"I9", b"g12", b"G12 ", b"G")]
    [True, True, False, False, False, False]
    """
    return len(line) > 1 and line[0] in _LETTERS and line[1:].isdigit()


def check_command(words: Sequence[str], options: Mapping[str, Any]) -> None:
    """Raise ValueError for a command with arguments, which the tournament's rules forbid.

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
