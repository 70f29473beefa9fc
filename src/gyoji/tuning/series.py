"""Games numbered from 0, one candidate after the other, each with a block of them.

Which candidate comes next only its tuner knows, and what a candidate is to it.
"""

from typing import Generic, NamedTuple, TypeVar

from gyoji.pairing.schedule import Schedule, Taken

T = TypeVar("T")


class Turn(NamedTuple, Generic[T]):
    """The next game. candidate: its number; chosen: what it is, None if that is still to be chosen."""

    number: int
    candidate: int
    chosen: T | None


class Series(Generic[T]):
    """Which games are taken, and what the candidates are whose block is not finished.

    limit: how many games there are to be, None for endless. block: games of each candidate.
    """

    def __init__(self, limit: int | None, block: int) -> None:
        self.played = 0
        self._block = block
        self._schedule = Schedule([limit], [1])
        self._finished = Taken(1)
        self._open: dict[int, tuple[T, int]] = {}  # what it is, and games without a result, by candidate

    def add(self, number: int, chosen: T) -> bool:
        """Count a result of a candidate; whether this game had none."""
        self._schedule.take(0, number)
        if not self._finished.add(0, number):
            return False
        self.played += 1
        candidate = number // self._block
        left = self._open[candidate][1] if candidate in self._open else self._block
        self._open[candidate] = chosen, left - 1
        if left == 1:
            del self._open[candidate]
        return True

    def next(self) -> Turn[T] | None:
        """The next game, which is taken then; None if there is none."""
        found = self._schedule.next()
        if found is None:
            return None
        candidate = found[1] // self._block
        known = self._open.get(candidate)
        return Turn(found[1], candidate, known[0] if known else None)

    def choose(self, candidate: int, chosen: T) -> None:
        """Note which candidate was chosen."""
        self._open[candidate] = chosen, self._block

    @property
    def remaining(self) -> int | None:
        """How many games are still to be issued; None when it is endless."""
        return self._schedule.remaining
