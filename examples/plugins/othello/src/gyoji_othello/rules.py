"""Othello: 8x8 squares as two bitboards. Square 0 is a1, the upper left corner; square 63 is h8.

A move is a square. There is no move that passes: who cannot move is passed over, and when neither can the
game is over. So nobody is asked for a pass, and nobody is told of one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from gyoji.core.boards import row_text
from gyoji.core.faults import IllegalMove
from gyoji.core.messages import Turn
from gyoji.core.outcome import Ending, Outcome, shared, won_by

SIDE = 8
SQUARES = SIDE * SIDE
COLUMNS = "abcdefgh"
OVER = -1

_ALL = (1 << SQUARES) - 1
_WEST = 0x0101010101010101
_NOT_WEST, _NOT_EAST = _ALL & ~_WEST, _ALL & ~(_WEST << 7)
_SHIFTS = (  # by how many squares, and where a disc may land that has not left the board at its side
    *((1, _NOT_WEST), (9, _NOT_WEST), (-7, _NOT_WEST)),
    *((-1, _NOT_EAST), (-9, _NOT_EAST), (7, _NOT_EAST)),
    *((8, _ALL), (-8, _ALL)),
)
_BLACK = 1 << 28 | 1 << 35  # e4 d5
_WHITE = 1 << 27 | 1 << 36  # d4 e5


class Position(NamedTuple):
    """The discs, and who is to move: seat 0 (Black), seat 1 (White) or `OVER`."""

    black: int = _BLACK
    white: int = _WHITE
    to_move: int = 0


def _shifted(discs: int, by: int, landing: int) -> int:
    return (discs << by if by > 0 else discs >> -by) & landing


def moves(own: int, other: int) -> int:
    """The squares on which `own` may place a disc."""
    found, empty = 0, _ALL & ~(own | other)
    for by, landing in _SHIFTS:
        row = _shifted(own, by, landing) & other
        for _ in range(SIDE - 3):
            row |= _shifted(row, by, landing) & other
        found |= _shifted(row, by, landing) & empty
    return found


def turned(own: int, other: int, square: int) -> int:
    """The discs of `other` that `own` turns by placing one on `square`; 0 for none."""
    found = 0
    for by, landing in _SHIFTS:
        row, at = 0, _shifted(1 << square, by, landing)
        while at & other:
            row |= at
            at = _shifted(at, by, landing)
        if at & own:
            found |= row
    return found


def placed(position: Position, square: int) -> Position:
    """The position after a legal move."""
    seat = position.to_move
    own, other = position[seat], position[1 - seat]
    gained = turned(own, other, square)
    own, other = own | gained | 1 << square, other & ~gained
    if moves(other, own):
        seat = 1 - seat
        return Position(*((other, own) if seat == 0 else (own, other)), seat)
    black, white = (own, other) if seat == 0 else (other, own)
    return Position(black, white, seat if moves(own, other) else OVER)


def squares(discs: int) -> Iterator[int]:
    """The numbers of the squares in a set, ascending."""
    while discs:
        lowest = discs & -discs
        yield lowest.bit_length() - 1
        discs ^= lowest


def name(square: int) -> str:
    """The square as players write it.

    >>> name(0), name(19), name(63)
    ('a1', 'd3', 'h8')
    """
    return f"{COLUMNS[square % SIDE]}{square // SIDE + 1}"


def square_of(text: str) -> int:
    """The square that a text names, in either case. Raises ValueError."""
    word = text.strip().lower()
    if len(word) != 2 or word[0] not in COLUMNS or word[1] not in "12345678":
        raise ValueError(f"no square: {text[:80]!r}, expected a1 to h8")
    return COLUMNS.index(word[0]) + SIDE * (int(word[1]) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of a game.

    empties  who gets the squares that are empty at the end.
    opening  moves that are played before the players' first, without blanks: "f5d6c3".
    """

    empties: Literal["winner", "nobody"] = "winner"
    opening: str = ""

    def __post_init__(self) -> None:
        if self.empties not in ("winner", "nobody"):
            raise ValueError(f'empties: expected "winner" or "nobody", got {self.empties!r}')
        opened(self.opening)


def opened(text: str) -> tuple[Position, tuple[tuple[int, int], ...]]:
    """(the position after an opening, the seat and square of each of its moves). Raises ValueError."""
    position, plays = Position(), []
    words = [text[at : at + 2] for at in range(0, len(text), 2)]
    for number, word in enumerate(words, 1):
        seat, square = position.to_move, square_of(word)
        if (
            not turned(position[seat], position[1 - seat], square)
            or (position[0] | position[1]) >> square & 1
        ):
            raise ValueError(f"opening: move {number}, {word}, is not legal")
        plays.append((seat, square))
        position = placed(position, square)
        if position.to_move == OVER:
            raise ValueError(f"opening: the game is over after move {number}, {word}")
    return position, tuple(plays)


class OthelloRules:
    """Othello with its options fixed. Seat 0 is Black, seat 1 White.

    width, height, opening_plays and game_name are for the protocol GTP: the size of the board, the moves by
    which the first position comes to be, and what engines of several games call this one. notation and
    `render` are for a person who plays.
    """

    seats = 2
    teams: Sequence[int] = (0, 1)
    width = height = SIDE
    game_name = "Othello"
    notation = "a square such as d3"

    def __init__(self, options: Options) -> None:
        self._winner_gets_empties = options.empties == "winner"
        self._start, self.opening_plays = opened(options.opening)

    def start(self) -> Position:
        return self._start

    def acting(self, position: Position) -> tuple[int, ...]:
        return () if position.to_move == OVER else (position.to_move,)

    def phase(self, position: Position) -> str:
        return ""

    def legal(self, position: Position, seat: int) -> Iterable[int]:
        if seat != position.to_move:
            return ()
        return squares(moves(position[seat], position[1 - seat]))

    def check(self, position: Position, seat: int, move: int) -> None:
        if seat != position.to_move:
            raise IllegalMove(seat, "it is not its turn")
        if (position.black | position.white) >> move & 1:
            raise IllegalMove(seat, f"there is a disc on {name(move)}")
        if not turned(position[seat], position[1 - seat], move):
            raise IllegalMove(seat, f"{name(move)} turns no disc")

    def play(self, position: Position, turn: Turn[int]) -> Position:
        ((seat, move),) = turn
        self.check(position, seat, move)
        return placed(position, move)

    def drop(self, position: Position, seat: int) -> Position | None:
        return None

    def outcome(self, position: Position) -> Outcome:
        black, white = position.black.bit_count(), position.white.bit_count()
        if black == white:
            return Outcome(points=shared(2), ending=Ending.SCORE, margin=0.0, totals=(black, white))
        empty = SQUARES - black - white if self._winner_gets_empties else 0
        winner = int(white > black)
        totals = (black + empty, white) if winner == 0 else (black, white + empty)
        margin = float(abs(totals[0] - totals[1]))
        return Outcome(points=won_by(winner, 2), ending=Ending.SCORE, margin=margin, totals=totals)

    def simplify(self, position: Position, move: int) -> int:
        return move

    def view(self, position: Position, seat: int) -> Position:
        return position

    def render(self, position: Position, last: Turn[int] = ()) -> str:
        """The board, row 1 on top: X Black, O White; the last move in brackets."""
        signs = [
            "X" if position.black >> at & 1 else "O" if position.white >> at & 1 else "."
            for at in range(SQUARES)
        ]
        marked = [move for _, move in last]
        rows = [
            row_text(f"{y + 1}", signs[y * SIDE : (y + 1) * SIDE], [move - y * SIDE for move in marked])
            for y in range(SIDE)
        ]
        return "\n".join((*rows, f"  {' '.join(COLUMNS)}"))

    def news(self, turn: Turn[int], seat: int) -> Turn[int]:
        return turn

    def parse(self, text: str) -> int:
        return square_of(text)

    def format(self, move: int) -> str:
        return name(move)


def rules(options: Options, seed: int) -> OthelloRules:
    """The rules; nothing in them is left to chance."""
    return OthelloRules(options)


def openings(data: bytes, file: str, options: Mapping[str, Any]) -> Sequence[str]:
    """The openings of a file: one a line, blank lines and what follows # left out."""
    found = []
    for number, line in enumerate(data.decode("ascii", "replace").splitlines(), 1):
        text = "".join(line.partition("#")[0].split())
        if not text:
            continue
        try:
            opened(text)
        except ValueError as error:
            raise ValueError(f"line {number}: {str(error).removeprefix('opening: ')}") from None
        found.append(text.lower())
    return found
