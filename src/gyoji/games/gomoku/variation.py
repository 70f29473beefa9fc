"""Openings turned and moved, so that few of them make many."""

from collections.abc import Mapping
from typing import Any

from gyoji.core.openings import turned
from gyoji.games.gomoku.board import board_of
from gyoji.games.gomoku.names import names_of
from gyoji.games.gomoku.options import Options

_STEPS = (0, 1, -2, -1)
_ROOM = 5


def vary(opening: str, options: Mapping[str, Any], *, symmetry: int = 0, shift: int = 0) -> str:
    """An opening as it looks in another place of the board; 0 and 0 leave it as it is.

    symmetry  0 to 7, see `gyoji.core.openings.turned`.
    shift     0 to 15: columns to the right, shift % 4, and rows down, shift // 4; 0 to 3 stand for
              0, 1, -2 and -1. As in Piskvork there is none along an axis on which a stone is near the
              border, where less than five points are left on a side.
    """
    width, height = Options(**{**options, "opening": ""}).size
    board = board_of(width, height)
    names = names_of(board)
    stones = [board.coordinates(point) for point in names.stones(opening)]
    places = turned(stones, (width, height), symmetry)
    columns, rows = ([place[axis] for place in places] for axis in (0, 1))
    columns = _moved(columns, width, _STEPS[shift % 4])
    rows = _moved(rows, height, _STEPS[shift // 4])
    return names.join([board.point(x, y) for x, y in zip(columns, rows, strict=True)])


def _moved(along: list[int], length: int, step: int) -> list[int]:
    """The coordinates along one axis, moved by a step if there is room."""
    if not all(_ROOM <= at < length - _ROOM for at in along):
        return along
    return [at + step for at in along]
