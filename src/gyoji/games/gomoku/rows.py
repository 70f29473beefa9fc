"""Which rows of five win, and whether one still can."""

from typing import TypeAlias

from gyoji.games.gomoku.board import Board
from gyoji.games.gomoku.rulesets import Standard

Row: TypeAlias = tuple[int, ...]
"""The points of a whole unbroken row, from end to end."""


def winning_rows(board: Board, own: int, other: int, point: int, standard: Standard) -> tuple[Row, ...]:
    """The rows of `own`, the stone on `point` among them, that go through that stone and win."""
    rows = []
    for line in board.lines:
        row = board.run(own, point, line.step)
        if len(row) < 5 or (standard.exactly and len(row) > 5):
            continue
        if standard.open and len(row) == 5 and other >> row[0] - line.step & other >> row[-1] + line.step & 1:
            continue
        rows.append(row)
    return tuple(rows)


def can_win(board: Board, own: int, other: int, room: int, standard: Standard) -> bool:
    """Whether there is a place where `own` could still become a row that wins, if the opponent let it.

    room: `own` and the empty points. What stays is what no stone can take away: five points in a line without
    a foreign stone and, as the rule has it, without a stone at an end that makes the row too long or closes
    its second end. Nothing else is looked at: neither whose turn it is, nor how many points are left, nor
    what renju forbids. So there may be a place that no play could use, but never the other way round.
    """
    for line in board.lines:
        step = line.step
        pairs = room & room >> step
        places = pairs & pairs >> 2 * step & room >> 4 * step  # the first points of five in a line
        if standard.exactly:
            places &= ~(own << step | own >> 5 * step)
        if standard.open:
            places &= ~(other << step & other >> 5 * step)
        if places:
            return True
    return False
