"""Points and boards of gomoku as text.

A point has letters for its column, and its row's number from the top, both from the corner.
Moves of several stones are written without a break, and so are openings: this is the notation ``pos`` of
other programs. After z come aa, ab and so on.

>>> from gyoji.games.gomoku.board import board_of
>>> names = names_of(board_of(30, 30))
>>> names.format(names.parse("H8")), names.format(names.parse("h8ad30i9")), names.parse("swap")
('h8', 'h8ad30i9', -1)

On a drawn board X is Black, O White, # a stone of a counted row, . an empty point.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from string import ascii_lowercase
from typing import Any, TypeAlias

from gyoji.core.text import quote
from gyoji.games.gomoku.board import Board

SWAP = -1
"""The move that takes the other side."""
Move: TypeAlias = Any
"""A point; while sides are chosen, `SWAP` or a tuple of points too. The rules refuse all else."""

_STONE = re.compile(r"([a-z]+)([0-9]+)")
_STONES = re.compile(r"(?:[a-z]+[0-9]+)+")


def column_name(x: int) -> str:
    """The letters of a column, from 0.

    >>> column_name(0), column_name(25), column_name(26), column_name(126)
    ('a', 'z', 'aa', 'dw')
    """
    before, last = divmod(x, 26)
    return (column_name(before - 1) if before else "") + ascii_lowercase[last]


class Names:
    """Moves to text and back, for one board. Immutable."""

    __slots__ = ("_moves", "_names", "_size")

    def __init__(self, board: Board) -> None:
        columns = [column_name(x) for x in range(board.width)]
        places = ((point, board.coordinates(point)) for point in board.bits)
        self._names = {point: f"{columns[x]}{y + 1}" for point, (x, y) in places}
        self._names[SWAP] = "swap"
        self._moves = {name: move for move, name in self._names.items()}
        self._size = f"{board.width}x{board.height}"

    def parse(self, text: str) -> Move:
        """The move that `text` writes, in any case: a point, `SWAP`, or a tuple of two points or more.

        Raises ValueError: "ill-formed ..." for what is no move at all, "... is off the board" for one of
        another board.
        """
        move = self._moves.get(text)
        if move is None:
            word = text.strip().lower()
            if word == self._names[SWAP]:
                return SWAP
            stones = self.stones(word)
            if not stones:
                raise ValueError("ill-formed move: got nothing, expected a point such as h8")
            return stones if len(stones) > 1 else stones[0]
        return move

    def stones(self, text: str) -> tuple[int, ...]:
        """The points that `text` writes without a break, none for "". Raises ValueError as `parse` does."""
        text = text.lower()
        if text and _STONES.fullmatch(text) is None:
            raise ValueError(f"ill-formed point in {quote(text)}, expected points such as h8 or h8i9")
        return tuple(self._point(column, row) for column, row in _STONE.findall(text))

    def _point(self, column: str, row: str) -> int:
        name = column + (row.lstrip("0") or "0")
        point = self._moves.get(name)
        if point is None:
            raise ValueError(f"{quote(column + row)} is off the {self._size} board")
        return point

    def format(self, move: Move) -> str:
        """The text of a move. Raises ValueError for what is no move on this board."""
        name = self._names.get(move)
        if name is not None:
            return name
        if isinstance(move, tuple) and len(move) > 1 and SWAP not in move:
            return self.join(move)
        raise ValueError(f"{quote(repr(move))} is no move on this board")

    def join(self, points: Iterable[int]) -> str:
        """The text of stones in playing order, as `stones` reads it."""
        return "".join([self.format(point) for point in points])


@lru_cache(maxsize=64)
def names_of(board: Board) -> Names:
    """The names of a board's points, made once."""
    return Names(board)


BLACK, WHITE, DEAD, EMPTY = "XO#."


def draw(board: Board, black: int, white: int, dead: int = 0) -> str:
    """The board with its coordinates, first row on top; no newline at the end.

    >>> from gyoji.games.gomoku.board import board_of
    >>> board = board_of(5, 5)
    >>> print(draw(board, board.bits[board.point(1, 0)], board.bits[board.point(2, 3)]))
     1 . X . . .
     2 . . . . .
     3 . . . . .
     4 . . O . .
     5 . . . . .
       a b c d e
    """
    cell = 1 if board.width <= 26 else 2
    margin = 2 if board.height < 100 else 3
    lines = []
    for y in range(board.height):
        points = (board.bits[board.point(x, y)] for x in range(board.width))
        signs = (_sign(bit, ((black, BLACK), (white, WHITE), (dead, DEAD))) for bit in points)
        lines.append(f"{y + 1:{margin}} {' '.join(f'{sign:>{cell}}' for sign in signs)}")
    letters = " ".join(f"{column_name(x):>{cell}}" for x in range(board.width))
    return "\n".join([*lines, f"{'':{margin}} {letters}"])


def _sign(bit: int, marks: Sequence[tuple[int, str]]) -> str:
    return next((mark for points, mark in marks if bit & points), EMPTY)
