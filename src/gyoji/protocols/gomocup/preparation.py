"""Getting a brain ready: ABOUT, START and INFO; RESTART and INFO for another game of the same kind.

A brain need not answer ABOUT, and we have no clock to stop waiting by. So START goes with it, and its OK ends
the wait. A brain that knows no ABOUT says UNKNOWN, which START may have brought about too: then START is put
again, and what is answered to that is for START. The same goes for INFO, where it is told before START.
"""

from typing import Any, Protocol

from gyoji.core.messages import More, Move, NewGame, Ready, Reply, Unsupported
from gyoji.core.text import quote
from gyoji.protocols.gomocup.about import has_pairs, introduce
from gyoji.protocols.gomocup.infos import introduce_game
from gyoji.protocols.gomocup.lines import REFUSALS, Kind, Line
from gyoji.protocols.gomocup.options import Options

_ABOUT = b"ABOUT\r\n"


class GomokuGame(Protocol):
    """What this protocol takes from the rules of Gomoku. Colours: 0 is Black, 1 is White.

    bits    the number of INFO rule.
    stones  all of them, in playing order, with their colours; dead: those of won lines.
    """

    width: int
    height: int
    bits: int

    def parse(self, text: str) -> Move: ...
    def point(self, x: int, y: int) -> Move: ...
    def stones(self, view: Any) -> tuple[tuple[Move, int], ...]: ...
    def dead(self, view: Any) -> frozenset[Move]: ...
    def colour(self, view: Any, seat: int) -> int: ...


class Preparation:
    """What has been said to one brain before its games, and what it made of that."""

    __slots__ = ("_about", "_ahead", "_command", "_infos", "_kind", "_options", "_unable")

    def __init__(self, options: Options) -> None:
        self._options = options
        self._kind: tuple[int, int, int] | None = None  # of game: width, height, rule
        self._command = ""  # the one that sets the board up
        self._ahead = 0  # how many lines before it may bring about a refusal
        self._infos = b""
        self._unable: tuple[str, ...] = ()
        self._about = ""

    def fits(self, game: GomokuGame) -> bool:
        """Whether the brain can be made ready for that game: its first, or one like it."""
        return self._kind in (None, (game.width, game.height, game.bits))

    def begin(self, request: NewGame) -> bytes:
        """The lines that get the brain ready, up to the one it has to answer."""
        game: GomokuGame = request.rules
        self._infos, self._unable = introduce_game(request, self._options)
        ahead = self._infos if self._options.info_before_start else b""
        if self._kind is not None:
            self._command = "RESTART"
        else:
            is_square = game.width == game.height
            self._command = f"START {game.width}" if is_square else f"RECTSTART {game.width},{game.height}"
            ahead = _ABOUT * self._options.send_about + ahead
        self._kind = (game.width, game.height, game.bits)
        self._ahead = ahead.count(b"\n")
        return ahead + self._command_line()

    def _command_line(self) -> bytes:
        return f"{self._command}\r\n".encode()

    def hear(self, line: Line, messages: list[str]) -> tuple[Reply, ...]:
        """What comes of a line, perhaps nothing; messages: what else the brain has said until now."""
        if line.kind is Kind.OK:
            name, description = introduce(self._about)
            description = "\n".join(filter(None, (description, *messages)))
            ready = Ready(name, description, self._unable, can_score=False, knows_rules=True)
            return (ready,) if self._options.info_before_start else (More(self._infos), ready)
        if line.kind in REFUSALS:
            if self._ahead:
                self._ahead -= 1
                return (More(self._command_line()),)
            return (Unsupported(f"refused {self._command}: {quote(line.text)}"),)
        if has_pairs(line.text):
            self._about, self._ahead = line.text, max(0, self._ahead - 1)
        elif not self._about:
            self._about = line.text
        return ()
