"""Getting a brain ready: START, ABOUT, and INFO of its limits and the game, in Piskvork's order."""

from typing import Any, Protocol

from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.messages import More, Move, NewGame, Ready, Reply, Unsupported
from gyoji.core.text import quote
from gyoji.protocols.gomocup.lines import REFUSALS, Kind, Line, has_pairs, introduce
from gyoji.protocols.gomocup.options import MOST, Options, info_line, is_tellable
from gyoji.protocols.gomocup.points import Points

_MS = 1_000_000


def introduce_game(request: NewGame, game: "GomokuGame", options: Options) -> tuple[bytes, tuple[str, ...]]:
    """(the INFO lines before a game, what could not be told in them)."""
    control, player = request.control, request.player
    told = {"max_memory": str(min(player.budgets.memory, MOST) if player else 0)}
    told |= _limits(control)
    told |= {"game_type": str(options.game_type), "rule": str(game.bits)}
    limits = {"max_depth": options.depth, "max_node": options.nodes, "thread_num": options.thread}
    told |= {key: str(limit) for key, limit in limits.items() if limit}
    unable = _untold(control)
    if player is not None and player.folder is not None:
        if is_tellable("folder", player.folder):
            told["folder"] = player.folder
        else:
            unable.append("its folder")
    told |= options.info
    return b"".join([info_line(key, value) for key, value in told.items()]), tuple(unable)


def _limits(control: TimeControl) -> dict[str, str]:
    """Match and turn limit. A limit of 0 for a turn means haste, so where there is none, none is told.

    Where only the match is limited a move may take all of it: brains take the smaller of that and a share of
    what is left.
    """
    match = (control.main or control.period or control.increment) // _MS
    turn = control.move // _MS if control.move else match
    limits = {"timeout_match": str(min(match, MOST))}
    if turn or control.move:
        limits["timeout_turn"] = str(min(turn, MOST))
    return limits


def _untold(control: TimeControl) -> list[str]:
    untold = {"the increment": control.increment, "byo-yomi": control.period}
    return [words for words, amount in untold.items() if amount]


def time_left_line(clock: Clock) -> bytes:
    """ms left of the match; below 0 when the margin has been needed."""
    left = clock.period if clock.in_byo_yomi else clock.main
    return b"INFO time_left %d\r\n" % min(left // _MS, MOST)


UNLIMITED_LINE = info_line("time_left", str(MOST))
"""The match time that is left where there is no limit."""


_ABOUT = b"ABOUT\r\n"


class GomokuGame(Protocol):
    """The part of the rules of gomoku that this protocol needs. Colours: 0 is Black, 1 is White.

    bits    the number of INFO rule.
    stones  all of them, in playing order, with their colours; dead: those of won lines.
    """

    width: int
    height: int
    bits: int

    @property
    def board(self) -> Points: ...
    def parse(self, text: str) -> Move: ...
    def point(self, x: int, y: int) -> Move: ...
    def stones(self, view: Any) -> tuple[tuple[Move, int], ...]: ...
    def dead(self, view: Any) -> frozenset[Move]: ...
    def colour(self, view: Any, seat: int) -> int: ...


class Preparation:
    """The dialogue with one brain before its games, and what it made of that."""

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

    def begin(self, request: NewGame, game: GomokuGame) -> bytes:
        """The lines that get the brain ready, up to the one it has to answer. game: the request's rules."""
        self._infos, self._unable = introduce_game(request, game, self._options)
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
        """The replies to a line, perhaps none; messages: the brain's other lines until now."""
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
