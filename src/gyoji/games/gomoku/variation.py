"""Openings turned and moved, so that few of them make many."""

from collections.abc import Mapping
from typing import Any

from gyoji.games.gomoku.board import board_of
from gyoji.games.gomoku.names import names_of
from gyoji.games.gomoku.options import Options

_STEPS = (0, 1, -2, -1)
_ROOM = 5


def vary(opening: str, options: Mapping[str, Any], *, symmetry: int = 0, shift: int = 0) -> str:
    """An opening as it looks in another place of the board; 0 and 0 leave it as it is.

    symmetry  0 to 7, a sum of 1 (left becomes right), 2 (top becomes bottom) and 4 (columns become rows,
              before the others); a board that is not square has no 4, and is left without.
    shift     0 to 15: columns to the right, shift % 4, and rows down, shift // 4; 0 to 3 stand for
              0, 1, -2 and -1. As in Piskvork there is none along an axis on which a stone is near the
              border, where less than five points are left on a side.
    """
    width, height = Options(**{**options, "opening": ""}).size
    board = board_of(width, height)
    names = names_of(board)
    places = [board.coordinates(point) for point in names.stones(opening)]
    if symmetry & 4 and width == height:
        places = [(y, x) for x, y in places]
    columns, rows = ([place[axis] for place in places] for axis in (0, 1))
    if symmetry & 1:
        columns = [width - 1 - x for x in columns]
    if symmetry & 2:
        rows = [height - 1 - y for y in rows]
    columns = _moved(columns, width, _STEPS[shift % 4])
    rows = _moved(rows, height, _STEPS[shift // 4])
    return names.join([board.point(x, y) for x, y in zip(columns, rows, strict=True)])


def _moved(along: list[int], length: int, step: int) -> list[int]:
    """The coordinates along one axis, moved by a step if there is room."""
    if not all(_ROOM <= at < length - _ROOM for at in along):
        return along
    return [at + step for at in along]
