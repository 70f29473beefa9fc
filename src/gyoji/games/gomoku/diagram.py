"""Boards drawn with characters, for people: X Black, O White, # a stone of a counted row, . empty."""

from collections.abc import Sequence

from gyoji.games.gomoku.board import Board
from gyoji.games.gomoku.names import column_name

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
