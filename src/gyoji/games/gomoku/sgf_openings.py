"""Openings from SGF: of each game of a collection the stones of the main line.

Stones are set up (AB, AW) before the first move or not at all; they are taken to have come in turns. Points
are two letters, column and row, from the top left, capitals after z.
"""

from collections.abc import Sequence
from string import ascii_lowercase, ascii_uppercase

from gyoji.core.opening_files import Properties
from gyoji.core.text import quote
from gyoji.games.gomoku.board import Board

_LETTERS = ascii_lowercase + ascii_uppercase
_COLOURS = {"B": 0, "AB": 0, "W": 1, "AW": 1}


def sgf_points(properties: Properties, board: Board) -> Sequence[int]:
    """The stones of a main line in playing order. Raises ValueError for what is no game on this board."""
    size = f"{board.width}x{board.height}"
    setup: tuple[list[int], list[int]] = ([], [])
    moves: list[int] = []
    for name, value in [(name, value.strip()) for name, value in properties]:
        if name == "GM" and value != "4":
            raise ValueError(f"got a game of kind GM[{value[:20]}], expected GM[4]")
        if name == "SZ" and value not in (f"{board.width}:{board.height}", str(_side(board))):
            raise ValueError(f"got a game of size {quote(value)}, expected {size}")
        if name in ("AB", "AW"):
            if moves:
                raise ValueError(f"got {name} after move {len(moves)}, expected stones only before the first")
            setup[_COLOURS[name]].append(_point(value, board))
        elif name in ("B", "W"):
            placed = len(setup[0]) + len(setup[1]) + len(moves)
            if _COLOURS[name] != placed % 2:
                raise ValueError(f"stone {placed + 1}: got {name}, expected {'BW'[placed % 2]}")
            moves.append(_point(value, board))
    black, white = len(setup[0]), len(setup[1])
    if black - white not in (0, 1):
        raise ValueError(f"got {black} black and {white} white stones set up, which do not take turns")
    first = [setup[index % 2][index // 2] for index in range(black + white)]
    return first + moves


def _side(board: Board) -> int | None:
    """The size of a square board; None for others."""
    return board.width if board.width == board.height else None


def _point(value: str, board: Board) -> int:
    if len(value) != 2 or not all(letter in _LETTERS for letter in value):
        raise ValueError(f"got a stone on {quote(value)}, expected two letters")
    return board.point(_LETTERS.index(value[0]), _LETTERS.index(value[1]))
