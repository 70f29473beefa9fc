"""A Go board as bits, its geometry and floods over it; points and boards as text. Knows no game.

Point (x, y), column x from the left and row y from the bottom, both from 0, is bit ``y * stride + x`` of a
Python int, with ``stride = width + 1``. The column of padding at the end of each row is never set, so a
set of points moves one step in each direction by a shift, and what leaves the board falls on padding or
beyond the top, where masking with any set of real points (or a right shift) drops it. A set of points is
an int, a group is what a flood of one stone through its colour reaches.

>>> board = board_of(3, 2)
>>> [board.bit(x, y) for y in range(2) for x in range(3)]
[0, 1, 2, 4, 5, 6]
>>> bin(board.flood(1, within=0b0110011))
'0b110011'

As text a point is a vertex of GTP: a letter for the column, I left out, and the row from the bottom. A move
is a vertex or "pass"; a placement of handicap stones is several vertices. On a drawn board X is Black, O
White, . an empty point, and * one that may not be retaken.

>>> names = vertices_of(board_of(19, 19))
>>> names.format(names.parse("q16")), names.format(-1), names.parse("PASS"), names.parse("A1 B1")
('Q16', 'pass', -1, (0, 1))
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from gyoji.core.boards import bits, row_text
from gyoji.core.text import quote

MAX_SIDE = 25
"""Columns are named by one letter, I left out."""


class Place(NamedTuple):
    """A point as moves use it: its bit, its neighbours as one set, and each (its bit, its own set)."""

    bit: int
    near: int
    neighbours: tuple[tuple[int, int], ...]


class Board:
    """The geometry of one size of board. Immutable.

    full    all points, as a set.
    places  bit index -> `Place`, for every point.
    """

    __slots__ = ("full", "height", "places", "stride", "width")

    def __init__(self, width: int, height: int) -> None:
        if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
            raise ValueError(f"got a board of {width}x{height}, expected 1x1 to {MAX_SIDE}x{MAX_SIDE}")
        self.width = width
        self.height = height
        self.stride = width + 1
        row = (1 << width) - 1
        self.full = sum(row << y * self.stride for y in range(height))
        near = {point: self.spread(1 << point) & ~(1 << point) for point in bits(self.full)}
        self.places = {
            point: Place(1 << point, around, tuple((1 << each, near[each]) for each in bits(around)))
            for point, around in near.items()
        }

    @property
    def points(self) -> int:
        """How many points there are."""
        return self.width * self.height

    def bit(self, x: int, y: int) -> int:
        """The bit index of column x, row y (from the bottom). Raises ValueError off the board."""
        if 0 <= x < self.width and 0 <= y < self.height:
            return y * self.stride + x
        raise ValueError(f"column {x}, row {y} is off the {self.width}x{self.height} board")

    def column_row(self, point: int) -> tuple[int, int]:
        """The (x, y) of a bit index. Raises ValueError for what is no point."""
        if point not in self.places:
            raise ValueError(f"{point} is no point of the {self.width}x{self.height} board")
        y, x = divmod(point, self.stride)
        return x, y

    def spread(self, points: int) -> int:
        """The set and all its neighbours."""
        stride = self.stride
        return (points | points << 1 | points >> 1 | points << stride | points >> stride) & self.full

    def flood(self, seeds: int, within: int) -> int:
        """All points of `within` joined to a seed in `within` by a path in it."""
        stride, grown = self.stride, seeds & within
        while True:
            reached = grown
            grown = (reached | reached << 1 | reached >> 1 | reached << stride | reached >> stride) & within
            if grown == reached:
                return grown

    def pieces(self, points: int, seeds: int) -> list[int]:
        """The connected parts of a set that hold a seed, in the order of their lowest seeds."""
        found = []
        seeds &= points
        while seeds:
            piece = self.flood(seeds & -seeds, points)
            found.append(piece)
            seeds &= ~piece
        return found

    def smothered(self, seed: int, stones: int, empty: int) -> int:
        """The group of `seed` among `stones` if no point of `empty` touches it, else 0.

        Stops at the first liberty: the captures of a move need no more, and most groups have one nearby.
        """
        stride, group = self.stride, seed
        while True:
            grown = group | group << 1 | group >> 1 | group << stride | group >> stride
            if grown & empty:
                return 0
            grown &= stones
            if grown == group:
                return group
            group = grown


@lru_cache(maxsize=64)
def board_of(width: int, height: int) -> Board:
    """The board of this size, made once: a worker plays many games on few sizes."""
    return Board(width, height)


COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
PASS: Final = -1
"""The move that places no stone."""
Move: TypeAlias = Any
"""A point or `PASS`; where a handicap is placed, a tuple of points. The rules refuse all else."""


class Vertices:
    """Moves to text and back, for one board. Immutable."""

    __slots__ = ("_board", "_moves", "_names")

    def __init__(self, board: Board) -> None:
        self._board = board
        self._names = {PASS: "pass"}
        for point in board.places:
            x, y = board.column_row(point)
            self._names[point] = f"{COLUMNS[x]}{y + 1}"
        self._moves = {name: move for move, name in self._names.items()}

    def parse(self, text: str) -> Move:
        """The move that `text` writes, in any case; several vertices make a tuple of points.

        Raises ValueError: "ill-formed ..." for what is no vertex at all, "... is off the board" for one of
        another board.
        """
        move = self._moves.get(text)
        if move is not None:
            return move
        words = text.split()
        if not words:
            raise ValueError("ill-formed move: got nothing, expected a vertex or pass")
        if len(words) == 1:
            return PASS if words[0].lower() == "pass" else self._point(words[0])
        return tuple([self._point(word) for word in words])

    def _point(self, word: str) -> int:
        column, row = word[0].upper(), word[1:]
        # ASCII only: the capital of the long s is S, and other scripts have digits too
        if not word.isascii() or column not in COLUMNS or not row.isdecimal():
            raise ValueError(f"ill-formed vertex {quote(word)}, expected one such as D4")
        # int() refuses thousands of digits with a message of its own: cut before
        y = int(row.lstrip("0")[:3] or "0") - 1
        try:
            return self._board.bit(COLUMNS.index(column), y)
        except ValueError:
            size = f"{self._board.width}x{self._board.height}"
            raise ValueError(f"{quote(word)} is off the {size} board") from None

    def format(self, move: Move) -> str:
        """The text of a move. Raises ValueError for what is no move on this board."""
        name = self._names.get(move)
        if name is not None:
            return name
        if isinstance(move, tuple) and len(move) > 1 and PASS not in move:
            return " ".join([self.format(point) for point in move])
        raise ValueError(f"{quote(repr(move))} is no move on this board")


@lru_cache(maxsize=64)
def vertices_of(board: Board) -> Vertices:
    """The names of a board's points, made once."""
    return Vertices(board)


BLACK, WHITE, EMPTY, KO = "XO.*"


def draw(board: Board, black: int, white: int, ko: int = 0, *, marked: Collection[Move] = ()) -> str:
    """The board with its coordinates, top row first; no newline at the end. marked: points in brackets.

    >>> from gyoji.games.go.board import board_of
    >>> print(draw(board_of(3, 2), 0b001, 0b010))
     2 . . .
     1 X O .
       A B C
    """
    return draw_signs(board, ((black, BLACK), (white, WHITE), (ko, KO)), marked)


def draw_signs(board: Board, marks: Sequence[tuple[int, str]], marked: Collection[Move] = ()) -> str:
    """The same with signs of one's own: (set of points, sign); the first set that has a point decides."""
    lines = []
    for y in reversed(range(board.height)):
        row = [board.bit(x, y) for x in range(board.width)]
        signs = [next((mark for points, mark in marks if 1 << point & points), EMPTY) for point in row]
        brackets = [x for x, point in enumerate(row) if point in marked]
        lines.append(row_text(f"{y + 1:2}", signs, brackets))
    return "\n".join([*lines, f"   {' '.join(COLUMNS[: board.width])}"])


def read_diagram(board: Board, text: str) -> tuple[int, int, int]:
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
