"""The state of a gomoku game, and the choice of sides by swap2."""

# Theory of operation: swap2
# --------------------------
# One player places three stones. The other chooses a side, or places two more and returns the choice:
#
#    THREE  seat 0: black, white, black
#      |
#    CHOICE seat 1: swap (takes Black)  ---------------------------> ordinary play, White is seat 0
#      |            one white stone     ---------------------------> ordinary play, White is seat 1
#      |            a white and a black stone
#    LAST   seat 0: swap (takes Black)  ---------------------------> ordinary play, White is seat 1
#                   one white stone     ---------------------------> ordinary play, White is seat 0
#
# The colour to move is always the number of stones modulo 2; `swapped` says which seat has that colour. A
# pair of stones in CHOICE changes `swapped`, because seat 0 then has the choice and would be White. After
# swap2 the stones are an ordinary opening.
#
# The at most five stones of swap2 make neither a row of five nor a foul of renju, so they need no other
# checks. If a player cannot carry out swap2, the game is played from the opening of the options
# (`GomokuRules.declined`).

from collections.abc import Collection, Iterator
from itertools import islice
from typing import NamedTuple

from gyoji.games.gomoku.board import SWAP, Move

FIVE = "five"
FULL_BOARD = "the board is full"
FEW_POINTS = "few points are left"
MOST_MOVES = "the most moves are made"
NO_FIVE = "no five is possible any more"
NO_MOVE = "every point left is forbidden to Black"


# A linked list, because a tuple with up to 16,129 stones would be copied at each move.
class Stones(NamedTuple):
    """The stones in playing order, as a linked list: the last point, and the list of the points before it.

    Each stone is a link of the list. Positions of one game share links, so a new position costs only one. A
    list may have ten thousand links, so comparison is iterative instead of recursive.
    """

    before: "Stones | None"
    point: int

    def backwards(self) -> Iterator[int]:
        """Yield the points of the stones, the one played last first."""
        link: Stones | None = self
        while link is not None:
            link, point = link
            yield point

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stones):
            return NotImplemented
        one: Stones | None = self
        two: Stones | None = other
        while one is not two:
            if one is None or two is None or one.point != two.point:
                return False
            one, two = one.before, two.before
        return True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.point)

    def __repr__(self) -> str:
        return f"<stones up to {self.point}>"


def in_order(stones: Stones | None) -> tuple[int, ...]:
    """Return the points in playing order."""
    return () if stones is None else tuple(stones.backwards())[::-1]


class Position(NamedTuple):
    """A gomoku game in progress. Sets of points are as in `board`. Black plays first, and colours alternate.

    Attributes:
        black: Black's stones that can be part of a row. `white` is the same for White.
        stones: All stones in playing order; None if there are none.
        played: The number of stones. The colour to move is ``played % 2``, 0 for Black.
        end: The reason why the game is over, a constant of this module; "" while it goes on.
        phase: "" for ordinary play; THREE, CHOICE or LAST under swap2.
        swapped: 1 if seat 0 has White, else 0.
        dead: Stones of both colours in rows that were counted (continuous game).
        fives: The number of rows that (Black, White) have made (continuous game).
    """

    black: int = 0
    white: int = 0
    stones: Stones | None = None
    played: int = 0
    end: str = ""
    phase: str = ""
    swapped: int = 0
    dead: int = 0
    fives: tuple[int, int] = (0, 0)


THREE = "swap2: three stones"
CHOICE = "swap2: choice"
LAST = "swap2: last choice"

_WANTED = {THREE: "three stones", CHOICE: "swap, one stone, or two", LAST: "swap or one stone"}


def chosen(position: Position, move: Move) -> tuple[Position, tuple[Move, ...]]:
    """Apply a choice of swap2.

    Returns:
        (the position with the new sides and phase, the stones of the move). The stones are not checked, and
        are not on the position's board yet.

    Raises:
        ValueError: The move is not a valid choice in this phase.
    """
    phase, swapped = position.phase, position.swapped
    stones = move if isinstance(move, tuple) else (move,)
    if phase == THREE and len(stones) == 3:
        return position._replace(phase=CHOICE), stones
    if phase == CHOICE and len(stones) == 2:
        return position._replace(phase=LAST, swapped=1 - swapped), stones  # whose choice it is has White
    if phase != THREE and move == SWAP:
        return position._replace(phase="", swapped=1 - swapped), ()
    if phase != THREE and len(stones) == 1:
        return position._replace(phase=""), stones
    got = "swap" if move == SWAP else f"{len(stones)} stone{'s' * (len(stones) != 1)}"
    raise ValueError(f"got {got}, expected {_WANTED[phase]}")


def examples(phase: str, points: Collection[int]) -> Iterator[Move]:
    """Yield one move of each kind that the phase allows.

    Args:
        points: The empty points.
    """
    if phase == THREE:
        yield tuple(islice(points, 3))
        return
    yield SWAP
    yield next(iter(points))
    if phase == CHOICE:
        yield tuple(islice(points, 2))
