"""The state of a game in progress, and why it is over. Values; no rules here."""

from collections.abc import Iterator
from typing import NamedTuple

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
    phase    "" for ordinary play; see `swap2`.
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
