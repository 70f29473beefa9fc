"""Points as the protocol writes them, and the commands that bring a brain to a position.

A point is "x,y", both from 0, x first, from the top left corner.
"""

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeAlias

from gyoji.core.messages import Move, Moved

_POINT = r"-?\d+\s*,\s*-?\d+"
_POINTS = re.compile(rf"{_POINT}(?:\s+{_POINT})*", re.ASCII)
_NUMBERS = re.compile(r"(-?\d+)\s*,\s*(-?\d+)", re.ASCII)
_UNPUNCTUATED = re.compile(r"[+-]?\d+(?:\s+|\s*[;:/]\s*)[+-]?\d+", re.ASCII)
_LONGEST = 4
"""Characters of a number that may be on some board; nothing is made of a longer one."""


class Points(Protocol):
    """The points of a board; the same object for all games on boards of one size."""

    width: int
    height: int

    def __hash__(self) -> int: ...
    def point(self, x: int, y: int) -> Move: ...


class Tables(NamedTuple):
    """The most frequent texts, made once for a board.

    names    point -> "x,y".   turns  point -> the line that tells a move of the opponent's there.
    answers  a plain answer, its line end included -> what comes of it.
    """

    names: Mapping[Move, bytes]
    turns: Mapping[Move, bytes]
    answers: Mapping[bytes, tuple[Moved]]


@lru_cache(maxsize=8)
def tables(board: Points) -> Tables:
    """The tables of a board, made once: a worker plays many games on few sizes."""
    names = {board.point(x, y): b"%d,%d" % (x, y) for y in range(board.height) for x in range(board.width)}
    turns = {move: b"TURN %s\r\n" % name for move, name in names.items()}
    answers = {name + end: (Moved(move),) for move, name in names.items() for end in (b"\r\n", b"\n")}
    return Tables(names, turns, answers)


def read_points(text: str) -> list[tuple[int, int]] | None:
    """The points, blanks between them, that are all of a text; None if it is anything else.

    >>> read_points("7,7"), read_points(" 10 , 11  3,4"), read_points("7,7 8"), read_points("7;7")
    ([(7, 7)], [(10, 11), (3, 4)], None, None)
    >>> read_points("99999999999,1")
    [(-1, 1)]
    """
    if _POINTS.fullmatch(text.strip()) is None:
        return None
    return [(_number(x), _number(y)) for x, y in _NUMBERS.findall(text)]


def leading_point(text: str) -> tuple[int, int] | None:
    """The point that a text begins with, whatever follows it, as Piskvork reads an answer; None for none.

    >>> leading_point("7,7 ok"), leading_point("7,8,1"), leading_point("7 7")
    ((7, 7), (7, 8), None)
    """
    found = _NUMBERS.match(text.strip())
    return (_number(found[1]), _number(found[2])) if found else None


def lacks_comma(text: str) -> bool:
    """Whether a text is two numbers as a point has, but for the comma.

    >>> lacks_comma("7 7"), lacks_comma("7;7"), lacks_comma("7,7"), lacks_comma("depth 7 7")
    (True, True, False, False)
    """
    return _UNPUNCTUATED.fullmatch(text.strip()) is not None


def _number(text: str) -> int:
    """The number; -1 for one that no board has, however many digits it has."""
    return int(text) if len(text) <= _LONGEST else -1


Stones: TypeAlias = Sequence[tuple[Move, int]]
"""(point, colour) in playing order; the colours are 0 for Black and 1 for White."""

_OWN, _THEIRS, _DEAD = b"1", b"2", b"3"
_RESTART = b"RESTART\r\n"


class Way(NamedTuple):
    """commands: each answered by OK, or it is no way; question: then asks for the move."""

    commands: tuple[bytes, ...]
    question: bytes


def ways(
    known: Sequence[Move], stones: Stones, own: int, dead: Set[Move], board: Tables, *, may_turn: bool = True
) -> list[Way]:
    """The ways from the stones a brain knows of to those there are, the best first.

    own: its colour; dead: the stones of won lines. may_turn: whether the board may be told by TURN if it is
    that of one move; one that is an opening is told by BOARD.

    If the position is one that the brain was in some moves ago, and a move of the opponent's on top of that,
    it is taken back there. As a rule that is no move at all.
    """
    wanted = [move for move, _ in stones]
    told = board_lines(stones, own, dead, board.names) if stones else b"BEGIN\r\n"
    anew = Way((_RESTART,) if known else (), told)
    behind = len(wanted) - 1
    if not (stones and stones[-1][1] != own and known[:behind] == wanted[:behind] and (known or may_turn)):
        return [anew]
    surplus = reversed(known[behind:])
    commands = tuple([b"TAKEBACK %s\r\n" % board.names[move] for move in surplus])
    return [Way(commands, board.turns[wanted[-1]]), anew]


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
