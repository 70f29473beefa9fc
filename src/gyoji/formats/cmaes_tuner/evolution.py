"""CMA-ES by the package `cmaes`: a normal distribution that learns its shape from the ranks of its draws.

Hansen's covariance matrix adaptation; the package is asked for points and told their scores. Its chance is
set anew before each draw, so that a draw depends on what was learned and on its number alone.
"""

from collections.abc import Sequence

import numpy as np
from cmaes import CMA

from gyoji.core.faults import ConfigError
from gyoji.core.spec import derive_seed
from gyoji.formats.cmaes_tuner.settings import Settings
from gyoji.tuning.generations import Point, Scored

_SEEDS = 2**32  # of numpy's generator


class Evolution:
    """The distribution, in the unit cube. See `generations.Learner`."""

    def __init__(self, settings: Settings, seed: int) -> None:
        dimensions = len(settings.parameters)
        self._population = settings.population
        self._seed = seed
        self._search = CMA(
            mean=np.array([parameter.start for parameter in settings.parameters]),
            sigma=settings.step_size,
            bounds=np.array([[0.0, 1.0]] * dimensions),
            population_size=self._population,
            lr_adapt=settings.adapts_rate,
            seed=0,
        )
        self.trail = [self._middle()]

    @property
    def mean(self) -> Point:
        """The middle of the distribution, held within the cube."""
        return self.trail[-1]

    def draw(self, generation: int) -> list[Point]:
        points = []
        for number in range(self._population):
            self._search.reseed_rng(derive_seed(self._seed, "draw", generation, number) % _SEEDS)
            points.append(tuple(float(each) for each in self._search.ask()))
        return points

    def learn(self, generation: int, candidates: Sequence[Scored]) -> None:
        if len(candidates) != self._population:
            raise ConfigError(
                f"generation {generation} was of {len(candidates)} candidates, not of {self._population}: "
                "give population_size as it was, or reset the competition"
            )
        self._search.tell([(np.array(each.point), -each.score / each.games) for each in candidates])
        self.trail.append(self._middle())

    def _middle(self) -> Point:
        return tuple(float(each) for each in np.clip(self._search.mean, 0.0, 1.0))
