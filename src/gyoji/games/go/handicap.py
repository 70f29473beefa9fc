"""Handicap stones: how many a board takes, and where the fixed ones lie.

The source of the fixed ones is the table of GTP version 2, section 4.1.1, which knows square boards only:
stones lie on the fourth line from 13x13 on, else on the third, and are placed in the order of the table.
"""

from collections.abc import Callable, Container

from gyoji.core.messages import Move

CORNERS_AND_EDGES = {
    # left, middle, right (0, 1, 2) and bottom, middle, top
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (2, 2), (0, 2)),
    4: ((0, 0), (2, 2), (0, 2), (2, 0)),
    5: ((0, 0), (2, 2), (0, 2), (2, 0), (1, 1)),
    6: ((0, 0), (2, 2), (0, 2), (2, 0), (0, 1), (2, 1)),
    7: ((0, 0), (2, 2), (0, 2), (2, 0), (0, 1), (2, 1), (1, 1)),
    8: ((0, 0), (2, 2), (0, 2), (2, 0), (0, 1), (2, 1), (1, 0), (1, 2)),
    9: ((0, 0), (2, 2), (0, 2), (2, 0), (0, 1), (2, 1), (1, 0), (1, 2), (1, 1)),
}


def most_fixed(width: int, height: int) -> int:
    """The largest fixed handicap of a board; 0 if it has none.

    >>> [most_fixed(side, side) for side in (6, 7, 8, 9, 10, 19)], most_fixed(9, 19)
    ([0, 4, 4, 9, 4, 9], 0)
    """
    if width != height or width < 7:
        return 0
    return 9 if width % 2 and width >= 9 else 4


def most_free(width: int, height: int) -> int:
    """The largest free handicap: one point stays empty. Less than 2 means that there is none."""
    return width * height - 1


def fixed_points(side: int, handicap: int) -> tuple[tuple[int, int], ...]:
    """The (x, y) of the fixed stones on a square board, from the bottom left.

    >>> fixed_points(7, 2)
    ((2, 2), (4, 4))
    """
    if not 2 <= handicap <= most_fixed(side, side):
        raise ValueError(f"got {handicap} fixed handicap stones on {side}x{side}")
    line = 3 if side >= 13 else 2
    lines = (line, side // 2, side - 1 - line)
    return tuple((lines[column], lines[row]) for column, row in CORNERS_AND_EDGES[handicap])


def checked_placement(
    move: Move, stones: int, points: Container[Move], shown: Callable[[Move], str]
) -> tuple[int, ...]:
    """The points of a free handicap, which must be exactly `stones` different ones of the board's `points`.

    Raises ValueError saying what is wrong; `shown` puts a move in words.
    """
    expected = f"expected {stones} handicap stones"
    if not isinstance(move, tuple):
        raise ValueError(f"{expected}, got one move: {shown(move)}")
    if len(move) != stones:
        raise ValueError(f"{expected}, got {len(move)}")
    for number, point in enumerate(move):
        if point not in points:
            raise ValueError(f"no point for a handicap stone: {shown(point)}")
        if point in move[:number]:
            raise ValueError(f"two handicap stones at {shown(point)}")
    return move
