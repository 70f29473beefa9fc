"""Boards drawn with characters, for people and for tests: X Black, O White, . empty, * not to be retaken."""

from collections.abc import Sequence

from gyoji.core.text import quote
from gyoji.games.go.board import Board
from gyoji.games.go.vertices import COLUMNS

BLACK, WHITE, EMPTY, KO = "XO.*"


def draw(board: Board, black: int, white: int, ko: int = 0) -> str:
    """The board with its coordinates, top row first; no newline at the end.

    >>> from gyoji.games.go.board import board_of
    >>> print(draw(board_of(3, 2), 0b001, 0b010))
     2 . . .
     1 X O .
       A B C
    """
    return draw_signs(board, ((black, BLACK), (white, WHITE), (ko, KO)))


def draw_signs(board: Board, marks: Sequence[tuple[int, str]]) -> str:
    """The same with signs of one's own: (set of points, sign); the first set that has a point decides."""
    lines = []
    for y in reversed(range(board.height)):
        row = [1 << board.bit(x, y) for x in range(board.width)]
        signs = [next((mark for points, mark in marks if bit & points), EMPTY) for bit in row]
        lines.append(f"{y + 1:2} {' '.join(signs)}")
    return "\n".join([*lines, f"   {' '.join(COLUMNS[: board.width])}"])


def read(board: Board, text: str) -> tuple[int, int, int]:
    """The (black, white, ko) sets of a diagram, with or without coordinates; blanks do not count.

    Raises ValueError for a diagram of another size, and for any other character on the board.
    """
    rows = ["".join(line.split()).lstrip("0123456789") for line in text.splitlines()]
    rows = [row for row in rows if row]
    if len(rows) == board.height + 1 and rows[-1] == COLUMNS[: board.width]:
        rows.pop()
    if len(rows) != board.height or any(len(row) != board.width for row in rows):
        got = " ".join(rows)
        raise ValueError(f"expected {board.height} rows of {board.width}, got {quote(got)}")
    sets = {BLACK: 0, WHITE: 0, EMPTY: 0, KO: 0}
    for y, row in enumerate(reversed(rows)):
        for x, sign in enumerate(row):
            if sign not in sets:
                raise ValueError(f"{quote(sign)} in a diagram, expected one of {BLACK}{WHITE}{EMPTY}{KO}")
            sets[sign] |= 1 << board.bit(x, y)
    return sets[BLACK], sets[WHITE], sets[KO]
