"""Which game is next: of the pair that has had fewest, the lowest number that it lacks.

The games of a pair are numbered from 0. Half a million pairs are normal, so a pair is a few bytes here,
however many games it has had, unless some of them are missing between others.
"""

from array import array
from collections.abc import Sequence


class Taken:
    """Which games of each of many pairs are taken: a growing set of whole numbers from 0 for each pair."""

    __slots__ = ("_beyond", "_lowest")

    def __init__(self, pairs: int) -> None:
        self._lowest = array("I", bytes(4 * pairs))
        self._beyond: dict[int, set[int]] = {}  # numbers above one that is missing, by pair

    def lowest_missing(self, pair: int) -> int:
        return self._lowest[pair]

    def count(self, pair: int) -> int:
        """How many games of the pair are taken."""
        return self._lowest[pair] + len(self._beyond.get(pair, ()))

    def add(self, pair: int, number: int) -> bool:
        """Take a game; whether it was free."""
        lowest = self._lowest[pair]
        beyond = self._beyond.get(pair, set())
        if number < lowest or number in beyond:
            return False
        if number > lowest:
            beyond.add(number)
            self._beyond[pair] = beyond
            return True
        lowest += 1
        while lowest in beyond:
            beyond.remove(lowest)
            lowest += 1
        self._lowest[pair] = lowest
        if not beyond:
            self._beyond.pop(pair, None)
        return True


class Schedule:
    """The order of the games of pairs, and which of them are still to be issued.

    A pair is given a block of games, then it is the next one's turn, in the order of the pairs; who has had
    more blocks waits until the others have had as many. So rounds go before pairs, and standings mean
    something early; and the games of an opening are played one after the other.

    Counts only grow, so one look through the pairs serves a whole round: `take` and `next` cost O(1) on
    average.
    """

    def __init__(self, limits: Sequence[int | None], blocks: Sequence[int]) -> None:
        """limits: how many games each pair is to have, None for endless. blocks: games of its blocks."""
        self._limits = limits
        self._blocks = blocks
        self._taken = Taken(len(limits))
        self._open = array("I", (pair for pair, limit in enumerate(limits) if limit != 0))
        self._blocks_had = 0  # by every pair before the place where we are, at least one more than that
        self._place = 0
        self._is_endless = None in limits
        self._remaining = sum(limit or 0 for limit in limits)

    def take(self, pair: int, number: int) -> None:
        """Note that a game has been issued, or played before."""
        limit = self._limits[pair]
        if self._taken.add(pair, number) and limit is not None and self._taken.count(pair) <= limit:
            self._remaining -= 1

    def next(self) -> tuple[int, int] | None:
        """The next game, as pair and number; it is taken then. None if there is none."""
        while self._open:
            while self._place < len(self._open):
                pair = self._open[self._place]
                if self._has_room(pair) and self._blocks_of(pair) <= self._blocks_had:
                    number = self._taken.lowest_missing(pair)
                    self.take(pair, number)
                    return pair, number
                self._place += 1
            self._open = array("I", filter(self._has_room, self._open))
            self._blocks_had = min(map(self._blocks_of, self._open), default=0)
            self._place = 0
        return None

    @property
    def remaining(self) -> int | None:
        """How many games are still to be issued; None when a pair is endless."""
        return None if self._is_endless else self._remaining

    def _has_room(self, pair: int) -> bool:
        limit = self._limits[pair]
        return limit is None or self._taken.count(pair) < limit

    def _blocks_of(self, pair: int) -> int:
        """How many blocks the pair has had."""
        return self._taken.count(pair) // self._blocks[pair]
