"""Which game is next: of the pair that has had fewest, the lowest number that it lacks.

The games of a pair are numbered from 0. Half a million pairs are normal, so a pair is a few bytes here,
however many games it has had, unless some of them are missing between others. In a `RoundRobin` the pairs are
everybody of a list against everybody, in the order of the list or in that of Berger's tables; what they are
called, the format says.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.pairing.cross import Cross


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
        beyond = self._beyond
        return self._lowest[pair] + (len(beyond[pair]) if pair in beyond else 0)

    def add(self, pair: int, number: int) -> bool:
        """Take a game; whether it was free."""
        lowest = self._lowest[pair]
        if number == lowest and pair not in self._beyond:  # as it nearly always is
            self._lowest[pair] = lowest + 1
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
        self._finished = Taken(len(limits))
        self._open = array("I", (pair for pair, limit in enumerate(limits) if limit != 0))
        self._blocks_had = 0  # by every pair before the place where we are, at least one more than that
        self._place = 0
        self._is_endless = None in limits
        self._remaining = sum(limit or 0 for limit in limits)

    def reorder(self, pairs: Iterable[int]) -> None:
        """Take the pairs, all of them, in that order. For before the first game is issued."""
        self._open = array("I", (pair for pair in pairs if self._limits[pair] != 0))

    def take(self, pair: int, number: int) -> None:
        """Note that a game has been issued, or played before."""
        if self._taken.add(pair, number):
            limit = self._limits[pair]
            if limit is not None and self._taken.count(pair) <= limit:
                self._remaining -= 1

    def finish(self, pair: int, number: int) -> bool:
        """Note that a game has a result; whether it had none."""
        self.take(pair, number)
        return self._finished.add(pair, number)

    def next(self) -> tuple[int, int] | None:
        """The next game, as pair and number; it is taken then. None if there is none."""
        while self._open:
            while self._place < len(self._open):
                pair = self._open[self._place]
                limit, count = self._limits[pair], self._taken.count(pair)
                is_its_turn = count // self._blocks[pair] <= self._blocks_had
                if is_its_turn and (limit is None or count < limit):
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


Seating: TypeAlias = Literal["berger", "list"]
"""Who has the first seat in the first game of each pair, and which pair comes first: as Berger's tables say,
or by the order of the list, in which the first always begins and the last never does."""


def berger(players: int) -> Iterator[tuple[int, int]]:
    """The games of Berger's tables, round by round, as positions from 0, who has the first seat first.

    The tables of FIDE's handbook (C.05, annex 1). Of an odd number of players one has no game in each round.

    >>> [f"{first + 1}-{second + 1}" for first, second in berger(4)]
    ['1-4', '2-3', '4-3', '1-2', '2-4', '3-1']
    """
    half = (players + 1) // 2
    apart = 2 * half - 1  # the last of an even number: it changes seats from round to round
    for number in range(apart):
        centre = number // 2 + number % 2 * half
        if apart < players:
            yield (apart, centre) if number % 2 else (centre, apart)
        for distance in range(1, half):
            yield (centre + distance) % apart, (centre - distance) % apart


def begins(first: int, second: int, players: int) -> bool:
    """Whether the earlier of two, by position from 0, has the first seat in Berger's tables.

    >>> all(begins(min(pair), max(pair), 8) == (pair[0] < pair[1]) for pair in berger(8))
    True
    """
    if second == players - 1 and second % 2:
        return first <= second // 2
    return (first + second) % 2 == 1


class Meeting(NamedTuple):
    """A game of a round robin: positions of two players, first < second, and the game's number of theirs."""

    first: int
    second: int
    number: int


_UNKNOWN, _EARLIER, _LATER = range(3)
"""Who of a pair has the first seat in its games with an even number, if one has been played."""


class RoundRobin:
    """The games of a round robin: which are still to be issued, and what came of those that are played.

    limit: games of a pair, None for endless. block: how many of them are issued one after the other. Until
    two players have met, their pair is a few bytes.

    Two who have met go on changing seats, whoever has joined since. A round robin that was begun by the order
    of the list goes on by it: the games that are played tell.
    """

    def __init__(
        self, players: Sequence[str], limit: int | None, block: int, *, seating: Seating = "list"
    ) -> None:
        count = len(players)
        self.pairs = count * (count - 1) // 2
        self.cross = Cross(players)
        self.played = 0
        self._players = tuple(players)
        self._limit = limit
        self._finished_in_limit = 0
        self._first_pairs = [first * (2 * count - first - 1) // 2 for first in range(count - 1)]
        self._schedule = Schedule([limit] * self.pairs, [block] * self.pairs)
        self._begun = bytearray(self.pairs)
        self._is_berger = seating == "berger"
        self._is_ordered = False

    def add(self, meeting: Meeting, result: GameResult) -> bool:
        """Count a result; whether this game had none."""
        first, second, number = meeting
        is_new = self._schedule.finish(self._pair(first, second), number)
        if is_new:
            self.cross.add(result)
            self.played += result.outcome.ending is not Ending.SET_ASIDE
            self._finished_in_limit += self._limit is not None and number < self._limit
            self.keep(meeting, result)
        return is_new

    def keep(self, meeting: Meeting, result: GameResult) -> None:
        """Take note of who has the first seat, before the result is counted.

        Nothing is noted of seats that neither the list nor Berger's tables can have given, when the second of
        the two was the last of the list or later.
        """
        first, second, number = meeting
        is_earlier = (result.players[0] == self._players[first]) == (number % 2 == 0)
        if is_earlier and first % 2 == second % 2 == 0:  # in tables of any size the later begins
            self._is_berger = False
        tables = (begins(first, second, size) for size in (second + 1, second + 2))
        if is_earlier in tables or (is_earlier and not self._is_berger):
            self._begun[self._pair(first, second)] = _EARLIER if is_earlier else _LATER

    def next(self) -> Meeting | None:
        """The next game, of the pair that has had fewest; None if there is none."""
        if not self._is_ordered:
            self._is_ordered = True
            if self._is_berger:
                order = (self._pair(min(pair), max(pair)) for pair in berger(len(self._players)))
                self._schedule.reorder(order)
        found = self._schedule.next()
        if found is None:
            return None
        pair, number = found
        first = bisect_right(self._first_pairs, pair) - 1
        return Meeting(first, first + 1 + pair - self._first_pairs[first], number)

    def begins(self, first: int, second: int) -> bool:
        """Whether the earlier of two has the first seat in their games with an even number."""
        begun = self._begun[self._pair(first, second)]
        if begun == _UNKNOWN:
            return not self._is_berger or begins(first, second, len(self._players))
        return begun == _EARLIER

    def _pair(self, first: int, second: int) -> int:
        """The number of the pair of two positions, first < second, in the order of the list."""
        return self._first_pairs[first] + second - first - 1

    @property
    def remaining(self) -> int | None:
        """How many games are still to be issued; None when it is endless."""
        return self._schedule.remaining

    @property
    def total(self) -> int | None:
        """How many games it has in all; None when it is endless."""
        return None if self._limit is None else self._limit * self.pairs

    @property
    def is_over(self) -> bool:
        """Whether every game has a result."""
        return self._finished_in_limit == self.total
