"""Moves of Go in SGF: a point, or None for a pass.

SGF writes a pass as nothing, and on boards of up to 19 also as ``tt``, which is what we write there, because
old programs know no other.

>>> format_move((3, 3), 19, 19), parse_move("dp", 19, 19), parse_move("tt", 19, 19)
('dp', (3, 3), None)
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from gyoji.records.sgf.points import Point, format_point, parse_point

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The columns of GTP, which knows no board wider or higher than 25."""
PASS_AS_POINT = 19
"""The largest board on which ``tt`` is no point."""


def pass_letters(width: int, height: int) -> str:
    """How we write a pass."""
    return "tt" if max(width, height) <= PASS_AS_POINT else ""


def format_move(move: Point | None, width: int, height: int) -> str:
    """The letters of a move. Raises ValueError off the board."""
    return pass_letters(width, height) if move is None else format_point(move, width, height)


def parse_move(raw: str, width: int, height: int) -> Point | None:
    """The move that a raw value writes. Raises ValueError for no move, and off the board."""
    move = raw.strip()
    if not move or (move == "tt" and pass_letters(width, height)):
        return None
    return parse_point(move, width, height)


def format_vertex(move: Point | None) -> str:
    """A move as GTP writes it: "D4", "pass". Raises ValueError beyond 25 columns or rows."""
    if move is None:
        return "pass"
    column, row = move
    if not (0 <= column < len(COLUMNS) and 0 <= row < len(COLUMNS)):
        raise ValueError(f"{move} has no vertex: GTP ends at 25 columns and rows")
    return f"{COLUMNS[column]}{row + 1}"


@cache
def vertex_letters(width: int, height: int) -> Mapping[str, str]:
    """The SGF letters of every vertex of a board, and of "pass": writing a move is one look-up."""
    points = [(column, row) for row in range(height) for column in range(width)]
    table = {format_vertex(point): format_move(point, width, height) for point in points}
    return MappingProxyType({**table, "pass": pass_letters(width, height)})
