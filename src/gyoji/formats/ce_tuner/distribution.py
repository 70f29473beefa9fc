"""The cross-entropy method on a normal distribution whose coordinates are independent.

Rubinstein 1999; for engines Chaslot, Winands, Szita, van den Herik, "Cross-Entropy for Monte-Carlo Tree
Search" (ICGA Journal 31, 2008), section 3: draw a generation, keep its best, move towards them, again.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import NamedTuple

from gyoji.tuning.chance import normal
from gyoji.tuning.generations import Point, Scored


class Spread(NamedTuple):
    """One coordinate."""

    mean: float
    variance: float


class CrossEntropy:
    """The distribution, and the generations that it has learned from. See `generations.Learner`.

    spreads  by coordinate, of the generation that is played, or would be.
    closed   each generation that is over: the distribution it was drawn from, and its candidates ranked.
    """

    def __init__(
        self, spreads: Sequence[Spread], *, samples: int, elite: float, step: float, seed: int
    ) -> None:
        self.spreads = tuple(spreads)
        self.closed: list[tuple[tuple[Spread, ...], list[Scored]]] = []
        self._samples = samples
        self._elite = elite
        self._step = step
        self._seed = seed

    @property
    def trail(self) -> list[Point]:
        spreads = [*(before for before, _ in self.closed), self.spreads]
        return [tuple(spread.mean for spread in each) for each in spreads]

    def draw(self, generation: int) -> list[Point]:
        return [
            tuple(
                spread.mean + sqrt(spread.variance) * normal(self._seed, "draw", generation, number, axis)
                for axis, spread in enumerate(self.spreads)
            )
            for number in range(self._samples)
        ]

    def learn(self, generation: int, candidates: Sequence[Scored]) -> None:
        ranked = sorted(candidates, key=lambda each: (each.score, each.number), reverse=True)
        self.closed.append((self.spreads, ranked))
        elite = ranked[: self.elite_count(len(ranked))]
        if elite:
            self.spreads = tuple(
                self._moved(spread, [each.point[axis] for each in elite])
                for axis, spread in enumerate(self.spreads)
            )

    def elite_count(self, candidates: int) -> int:
        """How many of a generation are its elite: the share rounded, halves up, one at least."""
        return max(1, int(self._elite * candidates + 0.5))

    def _moved(self, spread: Spread, elite: Sequence[float]) -> Spread:
        mean = fmean(elite)
        variance = fmean((each - mean) ** 2 for each in elite)
        step = self._step
        return Spread(step * mean + (1 - step) * spread.mean, step * variance + (1 - step) * spread.variance)
