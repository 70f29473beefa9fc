"""The commands that a brain is told: a game and its limits, positions, and the clock, in Piskvork's order.

A point is "x,y", both from 0, x first, from the top left corner.
"""

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, TypeAlias

from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.messages import More, Move, Moved, NewGame, Ready, Reply, Unsupported
from gyoji.core.text import quote
from gyoji.protocols.gomocup.lines import REFUSALS, Kind, Line, has_pairs, introduce
from gyoji.protocols.gomocup.options import MOST, Options, info_line, is_tellable

_MS = 1_000_000
_ABOUT = b"ABOUT\r\n"


class Points(Protocol):
    """The points of a board; the same object for all games on boards of one size."""

    width: int
    height: int

    def __hash__(self) -> int: ...
    def point(self, x: int, y: int) -> Move: ...


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


def introduce_game(request: NewGame, game: GomokuGame, options: Options) -> tuple[bytes, tuple[str, ...]]:
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


def turn_limit_line(control: TimeControl) -> bytes:
    """The line that changes the limit of a turn in the middle of a game, to none by the greatest number."""
    return info_line("timeout_turn", _limits(control).get("timeout_turn", str(MOST)))


def _untold(control: TimeControl) -> list[str]:
    untold = {"the increment": control.increment, "byo-yomi": control.period}
    return [words for words, amount in untold.items() if amount]


def time_left_line(clock: Clock) -> bytes:
    """ms left of the match; below 0 when the margin has been needed."""
    left = clock.period if clock.in_byo_yomi else clock.main
    return b"INFO time_left %d\r\n" % min(left // _MS, MOST)


UNLIMITED_LINE = info_line("time_left", str(MOST))
"""The match time that is left where there is no limit."""


def start_command(width: int, height: int) -> str:
    """The command that sets up a board."""
    return f"START {width}" if width == height else f"RECTSTART {width},{height}"


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
            self._command = start_command(game.width, game.height)
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
            ready = Ready(
                name,
                description,
                self._unable,
                can_score=False,
                knows_rules=True,
                advises=True,
                takes_limits=True,
            )
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


class Tables(NamedTuple):
    """The most frequent texts, made once for a board.

    names    point -> "x,y".   turns  point -> the line that tells a move of the opponent's there.
    answers  a plain answer, its line end included -> what comes of it.   start  sets the board up.
    """

    names: Mapping[Move, bytes]
    turns: Mapping[Move, bytes]
    answers: Mapping[bytes, tuple[Moved]]
    start: bytes


@lru_cache(maxsize=8)
def tables(board: Points) -> Tables:
    """The tables of a board, made once: a worker plays many games on few sizes."""
    names = {board.point(x, y): b"%d,%d" % (x, y) for y in range(board.height) for x in range(board.width)}
    turns = {move: b"TURN %s\r\n" % name for move, name in names.items()}
    answers = {name + end: (Moved(move),) for move, name in names.items() for end in (b"\r\n", b"\n")}
    return Tables(names, turns, answers, f"{start_command(board.width, board.height)}\r\n".encode())


Stones: TypeAlias = Sequence[tuple[Move, int]]
"""(point, colour) in playing order; the colours are 0 for Black and 1 for White."""

_OWN, _THEIRS, _DEAD = b"1", b"2", b"3"
_RESTART = b"RESTART\r\n"


class Way(NamedTuple):
    """commands: each answered by OK, or it is no way; question: then asks for the move."""

    commands: tuple[bytes, ...]
    question: bytes


def ways(
    known: Sequence[Move] | None,
    stones: Stones,
    own: int,
    dead: Set[Move],
    board: Tables,
    *,
    may_turn: bool = True,
) -> list[Way]:
    """The ways from the stones a brain knows of to those there are, the best first.

    known: None if those on its board are not of this game.
    own: its colour; dead: the stones of won lines. may_turn: whether the board may be told by TURN if it is
    that of one move; one that is an opening is told by BOARD.

    A brain that knows no RESTART may take a second START for one.

    If the position is one that the brain was in some moves ago, and a move of the opponent's on top of that,
    it is taken back there. As a rule that is no move at all.
    """
    wanted = [move for move, _ in stones]
    told = board_lines(stones, own, dead, board.names) if stones else b"BEGIN\r\n"
    anew = [Way((command,), told) for command in (_RESTART, board.start)]
    if known is not None and not known:
        anew = [Way((), told)]
    behind = len(wanted) - 1
    if known is None or not (
        stones and stones[-1][1] != own and known[:behind] == wanted[:behind] and (known or may_turn)
    ):
        return anew
    surplus = reversed(known[behind:])
    commands = tuple([b"TAKEBACK %s\r\n" % board.names[move] for move in surplus])
    return [Way(commands, board.turns[wanted[-1]]), *anew]


def board_lines(stones: Stones, own: int, dead: Set[Move], names: Mapping[Move, bytes]) -> bytes:
    """The question for a move on this board.

    In playing order, which by the protocol only Renju asks for: some brains take the first stone for Black's
    under any rule.
    """
    lines = [
        b"%s,%s" % (names[move], _DEAD if move in dead else _OWN if colour == own else _THEIRS)
        for move, colour in stones
    ]
    return b"\r\n".join([b"BOARD", *lines, b"DONE", b""])


def swap2_lines(stones: Stones, names: Mapping[Move, bytes], *, has_colours: bool) -> bytes:
    """The question for a choice of the swap2 opening; has_colours: 1 behind black stones, 2 behind white."""
    lines = [b"%s,%d" % (names[move], colour + 1) if has_colours else names[move] for move, colour in stones]
    return b"\r\n".join([b"SWAP2BOARD", *lines, b"DONE", b""])
