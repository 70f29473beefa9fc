"""The commands to a brain: preparation, limits, positions and the clock, in the order in which Piskvork sends
them.

A point is "x,y": column and row, both from 0, from the top left corner.
"""

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.messages import More, Move, Moved, NewGame, Ready, Reply, Unsupported
from gyoji.core.text import quote
from gyoji.protocols.gomocup.game_rules import GomokuGame, Points
from gyoji.protocols.gomocup.lines import REFUSALS, Kind, Line, has_pairs, introduce
from gyoji.protocols.gomocup.options import MOST, Options, info_line, is_tellable

_MS = 1_000_000
_ABOUT = b"ABOUT\r\n"


def introduce_game(request: NewGame, game: GomokuGame, options: Options) -> tuple[bytes, tuple[str, ...]]:
    """Describe a game to a brain by INFO lines.

    Returns:
        (the lines, the properties of the game that no INFO line can express, such as "the increment")
    """
    control, player = request.control, request.player
    told = {"max_memory": str(min(player.budgets.memory, MOST) if player else 0)}
    told |= _limits(control)
    told |= {"game_type": str(options.game_type), "rule": str(game.bits)}
    limits = {"max_depth": options.depth, "max_node": options.nodes, "thread_num": options.thread}
    told |= {key: str(limit) for key, limit in limits.items() if limit}
    untold = {
        "the increment": control.increment,
        "byo-yomi": control.period,
        "the hourglass": control.hourglass,
    }
    unable = [words for words, amount in untold.items() if amount]
    if player is not None and player.folder is not None:
        if is_tellable("folder", player.folder):
            told["folder"] = player.folder
        else:
            unable.append("its folder")
    told |= options.info
    return b"".join([info_line(key, value) for key, value in told.items()]), tuple(unable)


def _limits(control: TimeControl) -> dict[str, str]:
    """Return the INFO values for the time limits of the match and of a turn, in ms.

    If only the match is limited, the turn gets the same limit: brains use the smaller of the turn's limit and
    a share of the remaining time. If nothing is limited, the turn's limit is omitted, because 0 would mean
    "at once".
    """
    match = (control.main or control.period or control.increment) // _MS
    turn = control.move // _MS if control.move else match
    limits = {"timeout_match": str(min(match, MOST))}
    if turn or control.move:
        limits["timeout_turn"] = str(min(turn, MOST))
    return limits


def turn_limit_line(control: TimeControl) -> bytes:
    """Return the line that changes the time limit of a turn during a game. 2147483647 means no limit."""
    return info_line("timeout_turn", _limits(control).get("timeout_turn", str(MOST)))


def time_left_line(clock: Clock) -> bytes:
    """Return the INFO line with the remaining time of the match, in ms. It is negative if the brain has
    exceeded its time by less than the margin of its clock.
    """
    left = clock.period if clock.in_byo_yomi else clock.main
    return b"INFO time_left %d\r\n" % min(left // _MS, MOST)


UNLIMITED_LINE = info_line("time_left", str(MOST))
"""The INFO line for the remaining match time if there is no limit."""


def start_command(width: int, height: int) -> str:
    """Return START for a square board, RECTSTART for any other."""
    return f"START {width}" if width == height else f"RECTSTART {width},{height}"


class Preparation:
    """The exchange before each game of one brain: ABOUT, START and INFO at first, later RESTART and INFO."""

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
        """Return whether this process of the brain can play the game.

        Its first game can be any. Later games must have the size and rule of the first one.
        """
        return self._kind in (None, (game.width, game.height, game.bits))

    def begin(self, request: NewGame, game: GomokuGame) -> bytes:
        """Return the lines that prepare the brain, up to START or RESTART, which the brain must answer.

        Args:
            game: The rules of the request, which the caller has checked.
        """
        self._infos, self._unable = introduce_game(request, game, self._options)
        ahead = self._infos if self._options.info_before_start else b""
        if self._kind is not None:
            self._command = "RESTART"
        else:
            self._command = start_command(game.width, game.height)
            ahead = _ABOUT * self._options.send_about + ahead
        self._kind = (game.width, game.height, game.bits)
        self._ahead = ahead.count(b"\n")
        return ahead + f"{self._command}\r\n".encode()

    def hear(self, line: Line, messages: list[str]) -> tuple[Reply, ...]:
        """Return the replies to a line of the brain: `More` lines to send, `Ready`, or `Unsupported`.

        Return () if the line completes no step of the preparation.

        Args:
            messages: The brain's MESSAGE lines so far, which are added to its description.
        """
        if line.kind is Kind.OK:
            name, description = introduce(self._about)
            description = "\n".join(filter(None, (description, *messages)))
            ready = Ready(
                name,
                description,
                self._unable,
                can_score=False,
                knows_rules=True,
                gives_hints=True,
                takes_limits=True,
            )
            return (ready,) if self._options.info_before_start else (More(self._infos), ready)
        if line.kind in REFUSALS:
            if self._ahead:
                self._ahead -= 1
                return (More(f"{self._command}\r\n".encode()),)
            return (Unsupported(f"refused {self._command}: {quote(line.text)}"),)
        if has_pairs(line.text):
            self._about, self._ahead = line.text, max(0, self._ahead - 1)
        elif not self._about:
            self._about = line.text
        return ()


class Tables(NamedTuple):
    """Precomputed texts of the protocol for a board of one size.

    Attributes:
        names: The text "x,y" of each move.
        turns: For each move, the TURN line that sends it as the opponent's.
        answers: The replies to an answer that is only a point, by the bytes of the answer.
        start: The START or RECTSTART line for the board.
    """

    names: Mapping[Move, bytes]
    turns: Mapping[Move, bytes]
    answers: Mapping[bytes, tuple[Moved]]
    start: bytes


@lru_cache(maxsize=8)
def tables(board: Points) -> Tables:
    """Return the texts for a board, cached because a worker plays many games on few board sizes."""
    names = {board.point(x, y): b"%d,%d" % (x, y) for y in range(board.height) for x in range(board.width)}
    turns = {move: b"TURN %s\r\n" % name for move, name in names.items()}
    answers = {name + end: (Moved(move),) for move, name in names.items() for end in (b"\r\n", b"\n")}
    return Tables(names, turns, answers, f"{start_command(board.width, board.height)}\r\n".encode())


Stones: TypeAlias = Sequence[tuple[Move, int]]
"""(point, colour) pairs in playing order. Colours are 0 for Black and 1 for White."""

_OWN, _THEIRS, _DEAD = b"1", b"2", b"3"
_RESTART = b"RESTART\r\n"


class Way(NamedTuple):
    """Commands that change a brain's board to the position of the game, and then ask for a move.

    Attributes:
        commands: Commands to send one by one. If the brain does not answer OK to each, the next `Way` is
            tried.
        question: The lines that ask for the move.
    """

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
    """Return the sequences of commands that ask a brain for a move in a position, the best first.

    If the brain's board has all stones but the last, which is the opponent's, TURN sends that stone. TAKEBACK
    first removes moves that the game no longer has. Otherwise the board is set up again by RESTART and BOARD.
    A brain without RESTART may accept a second START instead.

    Args:
        known: The moves on the brain's board in playing order; None if they are not of this game.
        stones: The stones of the position.
        own: The brain's colour.
        dead: The moves whose stones are in completed lines and no longer count.
        board: The texts for boards of this size.
        may_turn: Whether TURN may send the only stone on the board. If not, BOARD sends it, because the stone
            is an opening.
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
    commands = tuple([b"TAKEBACK %s\r\n" % board.names[move] for move in reversed(known[behind:])])
    return [Way(commands, board.turns[wanted[-1]]), *anew]


def board_lines(stones: Stones, own: int, dead: Set[Move], names: Mapping[Move, bytes]) -> bytes:
    """Return the lines of BOARD, which set up these stones in playing order and ask for a move.

    The protocol demands playing order for Renju only, but some brains assume under any rule that the first
    stone is Black's.

    Args:
        own: The colour of the brain that is asked.
        dead: The moves whose stones are in completed lines and no longer count.
        names: "x,y" for each move.
    """
    lines = [
        b"%s,%s" % (names[move], _DEAD if move in dead else _OWN if colour == own else _THEIRS)
        for move, colour in stones
    ]
    return b"\r\n".join([b"BOARD", *lines, b"DONE", b""])


def swap2_lines(stones: Stones, names: Mapping[Move, bytes], *, has_colours: bool) -> bytes:
    """Return the lines of SWAP2BOARD, which ask a brain for its choice in the swap2 opening.

    Args:
        names: "x,y" for each move.
        has_colours: Whether each stone has a third number, its colour: 1 for black, 2 for white.
    """
    lines = [b"%s,%d" % (names[move], colour + 1) if has_colours else names[move] for move, colour in stones]
    return b"\r\n".join([b"SWAP2BOARD", *lines, b"DONE", b""])
