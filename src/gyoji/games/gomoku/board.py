"""The board of gomoku as bits: its geometry, the lines through a point, and points as text.

Point (x, y), column x from the left and row y from the top, both from 0, is bit ``(y + 5) * stride + x + 5``
of a Python int. At least one bit at the end of each row is never set, so that a set of points moves one step
in each of the four directions by a shift and no row runs on into the next. Five unused rows and columns lie
before the first point. So one shift to the right brings the surroundings of any point, even at an edge, to
the lowest bits of the int.

Two questions are asked about what is near a move:

* `near` and `arms`: how many stones are on its four lines, up to four steps away? This is tested for every
  move, because there are nearly always too few for a row. ``(stones >> point - reach) & arm`` has them.
* `Line.window`: the eleven points of a line around the point as a number of eleven bits, the point in the
  middle. The points of a line are `step` bits apart in the int. One division by ``2 ** (step - 1) - 1``
  gathers them: in the remainder, bit ``n * step`` has become bit n. That needs steps above 12, hence the
  minimum stride.

>>> board = board_of(15, 15)
>>> board.point(0, 0), board.point(7, 7), board.coordinates(board.point(7, 7))
(85, 204, (7, 7))
>>> row = sum(1 << board.point(x, 3) for x in (2, 3, 5))
>>> [f"{line.window(row, board.point(3, 3)):011b}" for line in board.lines]
['00010110000', '00000100000', '00000100000', '00000100000']

As text a point has letters for the column from the left, after z aa, ab and so on, and the row's number from
the top. Several stones are written without separators: the notation ``pos`` of other programs.

>>> names = names_of(board_of(30, 30))
>>> names.format(names.parse("H8")), names.format(names.parse("h8ad30i9")), names.parse("swap")
('h8', 'h8ad30i9', -1)

On a drawn board X is Black, O White, # a stone of a counted row, . an empty point.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from string import ascii_lowercase
from typing import Any, NamedTuple, TypeAlias

from gyoji.core.boards import row_text
from gyoji.core.text import quote

MIN_SIDE, MAX_SIDE = 5, 127

_MARGIN = 5
_REACH = 4  # steps to the farthest stone of a row of five
_LEAST_STRIDE = 14


class Line(NamedTuple):
    """One of the four directions of rows.

    Attributes:
        step: The distance from a point to the next, in bits.
        back: The distance from a point back to the first point of its window, in bits.
        comb: The set of a window's points if its first point is bit 0.
        modulus: The divisor that gathers the bits of a window into a number.
    """

    step: int
    back: int
    comb: int
    modulus: int

    def window(self, points: int, middle: int) -> int:
        """Return the eleven points of the line around `middle` as an 11-bit number. Bit 5 is `middle`.

        The bit beside the last point of the board in each direction is never set. Bits beyond it may be those
        of points elsewhere on the board.
        """
        return (points >> middle - self.back & self.comb) % self.modulus


class Board:
    """The geometry of boards of one size. Immutable.

    Attributes:
        full: The set of all points.
        bits: {point: the set of this point alone}, in rows from the top.
        lines: The directions east, south-west, south, south-east.
        near: A mask of the points on the four lines through bit `reach`, up to four steps from it and bit
            `reach` itself.
        reach: The number of the bit in the middle of `near`. ``stones >> point - reach`` moves `point` there.
        arms: The part of `near` on each of the four lines.
    """

    __slots__ = ("_places", "arms", "bits", "full", "height", "lines", "near", "reach", "stride", "width")

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.stride = stride = max(width + 1, _LEAST_STRIDE)
        self._places = {
            (y + _MARGIN) * stride + x + _MARGIN: (x, y) for y in range(height) for x in range(width)
        }
        self.bits = {point: 1 << point for point in self._places}
        row = (1 << width) - 1
        self.full = sum(row << self.point(0, y) for y in range(height))
        self.lines = tuple(_line(step) for step in (1, stride - 1, stride, stride + 1))
        self.reach = _REACH * (stride + 1)
        self.arms = tuple(
            sum(1 << self.reach + count * line.step for count in range(-_REACH, _REACH + 1))
            for line in self.lines
        )
        self.near = self.arms[0] | self.arms[1] | self.arms[2] | self.arms[3]

    @property
    def points(self) -> int:
        """The number of points of the board."""
        return self.width * self.height

    def point(self, x: int, y: int) -> int:
        """Return the point in column x, row y. Raises ValueError off the board."""
        if 0 <= x < self.width and 0 <= y < self.height:
            return (y + _MARGIN) * self.stride + x + _MARGIN
        raise ValueError(f"column {x}, row {y} (from 0) is off the {self.width}x{self.height} board")

    def coordinates(self, point: int) -> tuple[int, int]:
        """Return the (x, y) of a point. Raises ValueError if it is not on the board."""
        place = self._places.get(point)
        if place is None:
            raise ValueError(f"{point} is no point of the {self.width}x{self.height} board")
        return place

    def run(self, stones: int, point: int, step: int) -> tuple[int, ...]:
        """Return the unbroken row of `stones` through `point`, from end to end; `point` counts as a stone."""
        first = last = point
        while stones >> first - step & 1:
            first -= step
        while stones >> last + step & 1:
            last += step
        return tuple(range(first, last + 1, step))


def _line(step: int) -> Line:
    comb = sum(1 << count * step for count in range(2 * _MARGIN + 1))
    modulus = (1 << step - 1) - 1 if step > 1 else comb + 1  # neighbours are gathered already
    return Line(step, _MARGIN * step, comb, modulus)


@lru_cache(maxsize=64)
def board_of(width: int, height: int) -> Board:
    """Return the board of a size, cached because a worker plays many games on few sizes."""
    return Board(width, height)


SWAP = -1
"""The move that swaps sides."""
Move: TypeAlias = Any
"""A point; during swap2 also `SWAP` or a tuple of points. The rules refuse anything else."""

_STONE = re.compile(r"([a-z]+)([0-9]+)")
_STONES = re.compile(r"(?:[a-z]+[0-9]+)+")


def column_name(x: int) -> str:
    """Return the letters of a column. Columns are numbered from 0.

    >>> column_name(0), column_name(25), column_name(26), column_name(126)
    ('a', 'z', 'aa', 'dw')
    """
    before, last = divmod(x, 26)
    return (column_name(before - 1) if before else "") + ascii_lowercase[last]


class Names:
    """The conversion of moves to text and back, for one board. Immutable."""

    __slots__ = ("_moves", "_names", "_size")

    def __init__(self, board: Board) -> None:
        columns = [column_name(x) for x in range(board.width)]
        places = ((point, board.coordinates(point)) for point in board.bits)
        self._names = {point: f"{columns[x]}{y + 1}" for point, (x, y) in places}
        self._names[SWAP] = "swap"
        self._moves = {name: move for move, name in self._names.items()}
        self._size = f"{board.width}x{board.height}"

    def parse(self, text: str) -> Move:
        """Parse a move, in upper or lower case: a point, `SWAP`, or a tuple of two or more points.

        Raises:
            ValueError: "ill-formed ..." for text that is not a move, "... is off the board" for a point off
                this board.
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
        """Parse points that are written without separators; () for "".

        Raises ValueError as `parse` does.
        """
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
        """Return a move as text that `parse` reads. It need not be legal.

        Raises:
            ValueError: The move is no point of this board, nor `SWAP`, nor a tuple of two or more points.
        """
        name = self._names.get(move)
        if name is not None:
            return name
        if isinstance(move, tuple) and len(move) > 1 and SWAP not in move:
            return self.join(move)
        raise ValueError(f"{quote(repr(move))} is no move on this board")

    def join(self, points: Iterable[int]) -> str:
        """Return points as text without separators, which `stones` parses."""
        return "".join([self.format(point) for point in points])


@lru_cache(maxsize=64)
def names_of(board: Board) -> Names:
    """Return the conversion of moves and text for a board, cached."""
    return Names(board)


BLACK, WHITE, DEAD, EMPTY = "XO#."


def draw(board: Board, black: int, white: int, dead: int = 0, *, marked: Collection[Move] = ()) -> str:
    """Draw a board as text with coordinates, first row on top, without a final newline.

    Args:
        black: The set of Black's stones. `white` is the same for White.
        dead: The set of stones in rows that were counted (continuous game).
        marked: The points to put in brackets.

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
    marks, lines = ((black, BLACK), (white, WHITE), (dead, DEAD), (board.full, EMPTY)), []
    for y in range(board.height):
        row = [board.point(x, y) for x in range(board.width)]
        signs = [next(f"{mark:>{cell}}" for points, mark in marks if points >> point & 1) for point in row]
        brackets = [x for x, point in enumerate(row) if point in marked]
        lines.append(row_text(f"{y + 1:{margin}}", signs, brackets))
    letters = " ".join(f"{column_name(x):>{cell}}" for x in range(board.width))
    return "\n".join([*lines, f"{'':{margin}} {letters}"])
