"""The state of a game of gomoku, with the choice of sides by swap2. Values.

Under the rule swap2 one player places three stones, the other takes a side, or places two and hands that
back. Seat 0 opens with black, white, black. Seat 1 then takes Black (`SWAP`), or is White with a fourth
stone, or adds a white and a black stone; in that case seat 0 takes Black (`SWAP`), or is White with a sixth
stone. After that the stones are an opening like any other.

Five stones make neither a row nor anything forbidden, so nothing else has to be checked of them.
"""

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


class Stones(NamedTuple):
    """The stones in playing order, as a chain: the last one, and the chain of those before it.

    A position costs one link, however many stones there are, and positions of one game share the links. A
    chain may be ten thousand links long, so nothing here may recurse as tuples do.
    """

    before: "Stones | None"
    point: int

    def backwards(self) -> Iterator[int]:
        """The points, the last one first."""
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
    """The points in playing order."""
    return () if stones is None else tuple(stones.backwards())[::-1]


class Position(NamedTuple):
    """A game in progress. Sets of points are as in `board`. Black has the first stone, and they alternate.

    black    stones of Black's that can be part of a row; likewise white.
    stones   all of them, in playing order; None if there is none.
    played   how many there are: the colour to move is ``played % 2``, 0 Black.
    end      "" while the game goes on, else why it is over: a constant of this module.
    phase    "" for ordinary play; THREE, CHOICE or LAST under swap2.
    swapped  1 if seat 0 has White, else 0.
    dead     stones of rows that have been counted, of both colours (continuous game).
    fives    how many rows Black and White have made (continuous game).
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

_WANTED = {
    THREE: "three stones",
    CHOICE: "swap, one stone, or two",
    LAST: "swap or one stone",
}


def chosen(position: Position, move: Move) -> tuple[Position, tuple[Move, ...]]:
    """The position with sides and phase as `move` leaves them, and the stones that it places, unchecked.

    Raises ValueError for what is no choice in this phase.
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
    """One move of each kind that may be made in the phase; points: the empty ones."""
    if phase == THREE:
        yield tuple(islice(points, 3))
        return
    yield SWAP
    yield next(iter(points))
    if phase == CHOICE:
        yield tuple(islice(points, 2))
