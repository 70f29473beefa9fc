"""The Go board as bits: its geometry, flood fill, and points and boards as text. It knows no rules.

Point (x, y), column x from the left and row y from the bottom, both from 0, is bit ``y * stride + x`` of a
Python int, with ``stride = width + 1``. The padding column at the end of each row is never set. So a shift
moves a set of points one step in any direction. Points that leave the board land on padding or above the top,
and masking with a set of real points removes them. A set of points is an int. A group is the flood fill from
one stone through the stones of its colour.

>>> board = board_of(3, 2)
>>> [board.bit(x, y) for y in range(2) for x in range(3)]
[0, 1, 2, 4, 5, 6]
>>> bin(board.flood(1, within=0b0110011))
'0b110011'

As text a point is a vertex of GTP: a letter for the column, without I, and the row from the bottom. A move
is a vertex or "pass"; a placement of handicap stones is several vertices. On a drawn board X is Black, O
White, . an empty point, and * the point that ko forbids.

>>> names = vertices_of(board_of(19, 19))
>>> names.format(names.parse("q16")), names.format(-1), names.parse("PASS"), names.parse("A1 B1")
('Q16', 'pass', -1, (0, 1))
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from gyoji.core.boards import bits, row_text
from gyoji.core.text import quote

MAX_SIDE = 25
"""The largest side of a board: GTP names columns by one letter, without I."""


class Place(NamedTuple):
    """A point, precomputed for fast moves.

    Attributes:
        bit: The point, as a set of one point.
        near: The set of its neighbours.
        neighbours: For each neighbour, two sets: (the neighbour alone, the neighbour's own neighbours).
    """

    bit: int
    near: int
    neighbours: tuple[tuple[int, int], ...]


class Board:
    """The geometry of boards of one size. Immutable.

    Attributes:
        full: The set of all points.
        places: The `Place` of every point, by bit index.
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
        """The number of points of the board."""
        return self.width * self.height

    def bit(self, x: int, y: int) -> int:
        """Return the bit index of column x, row y (from the bottom). Raises ValueError off the board."""
        if 0 <= x < self.width and 0 <= y < self.height:
            return y * self.stride + x
        raise ValueError(f"column {x}, row {y} is off the {self.width}x{self.height} board")

    def column_row(self, point: int) -> tuple[int, int]:
        """Return the (x, y) of a bit index. Raises ValueError if it is not a point."""
        if point not in self.places:
            raise ValueError(f"{point} is no point of the {self.width}x{self.height} board")
        y, x = divmod(point, self.stride)
        return x, y

    def spread(self, points: int) -> int:
        """Return a set together with all its neighbours."""
        stride = self.stride
        return (points | points << 1 | points >> 1 | points << stride | points >> stride) & self.full

    def flood(self, seeds: int, within: int) -> int:
        """Return all points of `within` that are connected in it with a point of `seeds`."""
        stride, grown = self.stride, seeds & within
        while True:
            reached = grown
            grown = (reached | reached << 1 | reached >> 1 | reached << stride | reached >> stride) & within
            if grown == reached:
                return grown

    def pieces(self, points: int, seeds: int) -> list[int]:
        """Return the connected parts of the set `points` that contain a point of the set `seeds`.

        Parts are ordered by their lowest seed.
        """
        found = []
        seeds &= points
        while seeds:
            piece = self.flood(seeds & -seeds, points)
            found.append(piece)
            seeds &= ~piece
        return found

    def smothered(self, seed: int, stones: int, empty: int) -> int:
        """Return the group of a stone if it has no liberty, else 0.

        The search stops at the first liberty, because most groups have one nearby.

        Args:
            seed: The stone, as a set of one point.
            stones: All stones of its colour.
            empty: The empty points.
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
    """Return the board of a size, cached because a worker plays many games on few sizes."""
    return Board(width, height)


COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
PASS: Final = -1
"""The move that places no stone."""
Move: TypeAlias = Any
"""A point, `PASS`, or a tuple of points as a placement of handicap stones. The rules refuse anything else."""


class _Names(dict[Move, str]):
    """A table for one board: the text of each move. `_Moves` is the table of the moves by text.

    Both are dicts for speed: a game needs three such look-ups per move, and a dict answers without a call of
    a Python function. The text of a placement (tuple of points) is made at each look-up instead of being
    stored.
    """

    def __missing__(self, move: Move) -> str:
        if isinstance(move, tuple) and len(move) > 1 and PASS not in move:
            return " ".join([self[point] for point in move])
        raise ValueError(f"{quote(repr(move))} is no move on this board")


class _Moves(dict[str, Move]):
    """A table for one board: the move of each text. It has the points in upper case and "pass".

    Any other text, such as a point in lower case or a placement of several points, is parsed at each look-up.
    """

    def __init__(self, board: Board, moves: Mapping[str, Move]) -> None:
        super().__init__(moves)
        self._board = board

    def __missing__(self, text: str) -> Move:
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


class Vertices:
    """The conversion of moves to text and back, for one board. Immutable.

    Attributes:
        parse: Parses a move, in upper or lower case; several vertices make a tuple of points. Raises
            ValueError: "ill-formed ..." for text that is not a vertex, "... is off the board" for a vertex
            off this board.
        format: Returns the text of a move. Raises ValueError if it is not a move on this board.
    """

    __slots__ = ("format", "parse")

    def __init__(self, board: Board) -> None:
        names = _Names({PASS: "pass"})
        for point in board.places:
            x, y = board.column_row(point)
            names[point] = f"{COLUMNS[x]}{y + 1}"
        moves = _Moves(board, {name: move for move, name in names.items()})
        self.parse: Callable[[str], Move] = moves.__getitem__
        self.format: Callable[[Move], str] = names.__getitem__


@lru_cache(maxsize=64)
def vertices_of(board: Board) -> Vertices:
    """Return the conversion of moves and text for a board, cached."""
    return Vertices(board)


BLACK, WHITE, EMPTY, KO = "XO.*"


def draw(board: Board, black: int, white: int, ko: int = 0, *, marked: Collection[Move] = ()) -> str:
    """Draw a board as text with coordinates, top row first, without a final newline.

    Args:
        ko: The set of the point that ko forbids.
        marked: The points to put in brackets.

    >>> from gyoji.games.go.board import board_of
    >>> print(draw(board_of(3, 2), 0b001, 0b010))
     2 . . .
     1 X O .
       A B C
    """
    return draw_signs(board, ((black, BLACK), (white, WHITE), (ko, KO)), marked)


def draw_signs(board: Board, marks: Sequence[tuple[int, str]], marked: Collection[Move] = ()) -> str:
    """Draw a board as text, with given signs for sets of points.

    Args:
        marks: (set of points, sign) pairs. If several sets have a point, the first pair gives its sign.
        marked: The points to put in brackets.
    """
    lines = []
    for y in reversed(range(board.height)):
        row = [board.bit(x, y) for x in range(board.width)]
        signs = [next((mark for points, mark in marks if 1 << point & points), EMPTY) for point in row]
        brackets = [x for x, point in enumerate(row) if point in marked]
        lines.append(row_text(f"{y + 1:2}", signs, brackets))
    return "\n".join([*lines, f"   {' '.join(COLUMNS[: board.width])}"])
