"""Everybody of a list against everybody, each pair equally often. What pairs are called, the format says."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.pairing.cross import Cross
from gyoji.pairing.schedule import Schedule, Taken


class Meeting(NamedTuple):
    """A game of a round robin: positions of two players, first < second, and the game's number of theirs."""

    first: int
    second: int
    number: int


class RoundRobin:
    """The games of a round robin: which are still to be issued, and what came of those that are played.

    limit: games of a pair, None for endless. block: how many of them are issued one after the other. Until
    two players have met, their pair is a few bytes.
    """

    def __init__(self, players: Sequence[str], limit: int | None, block: int) -> None:
        count = len(players)
        self.pairs = count * (count - 1) // 2
        self.cross = Cross(players)
        self.played = 0
        self._limit = limit
        self._finished_in_limit = 0
        self._first_pairs = [first * (2 * count - first - 1) // 2 for first in range(count - 1)]
        self._schedule = Schedule([limit] * self.pairs, [block] * self.pairs)
        self._finished = Taken(self.pairs)

    def add(self, meeting: Meeting, result: GameResult) -> bool:
        """Count a result; whether this game had none."""
        pair = self._first_pairs[meeting.first] + meeting.second - meeting.first - 1
        self._schedule.take(pair, meeting.number)
        is_new = self._finished.add(pair, meeting.number)
        if is_new:
            self.cross.add(result)
            self.played += result.outcome.ending is not Ending.SET_ASIDE
            self._finished_in_limit += self._limit is not None and meeting.number < self._limit
        return is_new

    def next(self) -> Meeting | None:
        """The next game, of the pair that has had fewest; None if there is none."""
        found = self._schedule.next()
        if found is None:
            return None
        pair, number = found
        first = bisect_right(self._first_pairs, pair) - 1
        return Meeting(first, first + 1 + pair - self._first_pairs[first], number)

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
