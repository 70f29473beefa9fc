"""The choice of the next game: the pair with the fewest blocks of games, and its lowest missing game number.

The games of a pair are numbered from 0. Half a million pairs are normal, so a pair takes a few bytes,
however many games it has had.
"""

from array import array
from collections.abc import Iterable, Sequence


# Games are issued and finished nearly in order, so for most pairs one number says which ones: the lowest
# missing. It takes 4 bytes, an empty set 216. Half a million pairs would take 108 MB as sets.
class IssuedGames:
    """The numbers of the games that have been issued, pair by pair.

    Attributes:
        lowest_missing: For each pair, the lowest number of a game that is not issued.
    """

    __slots__ = ("_beyond", "lowest_missing")

    def __init__(self, pairs: int) -> None:
        self.lowest_missing = array("I", bytes(4 * pairs))
        self._beyond: dict[int, set[int]] = {}  # numbers above one that is missing, by pair

    def count(self, pair: int) -> int:
        """Return how many games of a pair are issued."""
        beyond = self._beyond
        return self.lowest_missing[pair] + (len(beyond[pair]) if pair in beyond else 0)

    def add(self, pair: int, number: int) -> bool:
        """Record that game `number` of a pair is issued. Return False if it was issued already."""
        lowest = self.lowest_missing[pair]
        if number == lowest and pair not in self._beyond:  # as it nearly always is
            self.lowest_missing[pair] = lowest + 1
            return True
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
        self.lowest_missing[pair] = lowest
        if not beyond:
            self._beyond.pop(pair, None)
        return True


# Counts only grow, so one pass through the pairs serves a whole round: `take` and `next` cost O(1) on
# average. A heap of pairs by their counts would cost O(log n) and an entry for each of half a million pairs.
class Schedule:
    """The order in which pairs play their games, and which games are still to be issued.

    A block is the games of one opening. A pair gets a block, then the next pair in order gets a block. No
    pair gets another block before all others have had as many. So standings are fair at any time, and the
    games of an opening follow each other.
    """

    def __init__(self, limits: Sequence[int | None], blocks: Sequence[int]) -> None:
        """Begin without games.

        Args:
            limits: The number of games of each pair, None for no limit.
            blocks: How many games each pair plays in a row before the next pair's turn.
        """
        self._limits = limits
        self._blocks = blocks
        self._taken = IssuedGames(len(limits))
        self._finished = IssuedGames(len(limits))
        self._open = array("I", (pair for pair, limit in enumerate(limits) if limit != 0))
        self._blocks_had = 0  # blocks that every pair has had; the pairs before `_place` have had one more
        self._place = 0
        self._is_endless = None in limits
        self._remaining = sum(limit or 0 for limit in limits)

    def reorder(self, pairs: Iterable[int]) -> None:
        """Set the order of the pairs. Call it before the first game is issued."""
        self._open = array("I", (pair for pair in pairs if self._limits[pair] != 0))

    def take(self, pair: int, number: int) -> None:
        """Record that game `number` of a pair is issued, or was played in an earlier run."""
        if self._taken.add(pair, number):
            limit = self._limits[pair]
            if limit is not None and self._taken.count(pair) <= limit:
                self._remaining -= 1

    def finish(self, pair: int, number: int) -> bool:
        """Record that game `number` of a pair has a result. Return False if it had one already."""
        self.take(pair, number)
        return self._finished.add(pair, number)

    def next(self) -> tuple[int, int] | None:
        """Issue the next game. Return its pair and its number in the pair, or None if no game is left."""
        while self._open:
            while self._place < len(self._open):
                pair = self._open[self._place]
                limit, count = self._limits[pair], self._taken.count(pair)
                is_its_turn = count // self._blocks[pair] <= self._blocks_had
                if is_its_turn and (limit is None or count < limit):
                    number = self._taken.lowest_missing[pair]
                    self.take(pair, number)
                    return pair, number
                self._place += 1
            counts = {pair: self._taken.count(pair) for pair in self._open}
            limits = self._limits
            left = [pair for pair in counts if (limit := limits[pair]) is None or counts[pair] < limit]
            self._open = array("I", left)
            self._blocks_had = min((counts[pair] // self._blocks[pair] for pair in left), default=0)
            self._place = 0
        return None

    @property
    def remaining(self) -> int | None:
        """The number of games still to be issued, None if a pair has no limit."""
        return None if self._is_endless else self._remaining
