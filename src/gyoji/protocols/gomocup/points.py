"""Points of the board as the protocol writes them: "x,y", both from 0, x first, from the top left corner."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from gyoji.core.messages import Move, Moved
from gyoji.games.gomoku.board import board_of

_POINT = r"-?\d+\s*,\s*-?\d+"
_POINTS = re.compile(rf"{_POINT}(?:\s+{_POINT})*", re.ASCII)
_NUMBERS = re.compile(r"(-?\d+)\s*,\s*(-?\d+)", re.ASCII)
_UNPUNCTUATED = re.compile(r"[+-]?\d+(?:\s+|\s*[;:/]\s*)[+-]?\d+", re.ASCII)
_LONGEST = 4
"""Characters of a number that may be on some board; nothing is made of a longer one."""


class Tables(NamedTuple):
    """What is said most often, made once for a board.

    names    point -> "x,y".   turns  point -> the line that tells a move of the opponent's there.
    answers  a plain answer, its line end included -> what comes of it.
    """

    names: Mapping[Move, bytes]
    turns: Mapping[Move, bytes]
    answers: Mapping[bytes, tuple[Moved]]


@lru_cache(maxsize=8)
def tables(width: int, height: int) -> Tables:
    """The tables of a size of board, made once: a worker plays many games on few sizes."""
    board = board_of(width, height)
    names = {board.point(x, y): b"%d,%d" % (x, y) for y in range(height) for x in range(width)}
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
