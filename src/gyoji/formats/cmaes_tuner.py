"""The CMA-ES tuner: an evolution strategy, generation by generation, by the package `cmaes`.

For more parameters than a regression can deal with, and for landscapes that have no shape. Games are noise to
it, which it answers by learning slower (`adapts_rate`); a larger batch or population helps too.

A game's pairing is where its candidate stands, as positions on the scales. Generations are learned from anew
when a run is resumed, from the points that were played.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from statistics import pstdev
from typing import Any, TypeAlias

import numpy as np

from gyoji.core.faults import ConfigError
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import derive_seed
from gyoji.core.tables import Block, Chart, Endings, count
from gyoji.pairing.field import check_least
from gyoji.tuning import parameters as tuned
from gyoji.tuning.around import tuner_format
from gyoji.tuning.games import CandidateColour, OpponentSettings
from gyoji.tuning.generations import GenerationTuner, Scored
from gyoji.tuning.observations import Point
from gyoji.tuning.scales import CTL_NAMES
from gyoji.tuning.tables import (
    TunerTables,
    candidate_values,
    generation_charts,
    parameter_table,
    scored_values,
    shown_at,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter(tuned.Parameter):
    """A parameter on a scale. start: the position where the search begins, from 0 to 1."""

    start: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.start <= 1:
            raise ValueError(f"start: expected a position on the scale from 0 to 1, got {self.start:g}")
        self.check(self.start)

    @property
    def first(self) -> float:
        return self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(OpponentSettings):
    """A CMA-ES tuner's own settings, beside those of its games.

    batch_size       games of each candidate.
    population_size  candidates of a generation; 0: 4 + 3 ln n for n parameters, 12 at least.
    step_size        the first standard deviation, in parts of the scales.
    adapts_rate      whether it learns slower where games are noise (Nomura, Akimoto, Ono 2023).
    """

    parameters: tuple[Parameter, ...]
    candidate_colour: CandidateColour = CandidateColour.ALTERNATING
    number_of_generations: int
    batch_size: int = 8
    population_size: int = 0
    step_size: float = 0.25
    adapts_rate: bool = True

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        self.check_tuning(self.parameters)
        check_least(1, number_of_generations=self.number_of_generations, batch_size=self.batch_size)
        if self.population_size != 0 and self.population_size < 4:
            raise ValueError(f"population_size: expected 4 or more, or 0, got {self.population_size}")
        if not 0 < self.step_size <= 1:
            raise ValueError(f"step_size: expected more than 0 and 1 at most, got {self.step_size:g}")

    @property
    def population(self) -> int:
        """How many candidates a generation has."""
        return self.population_size or max(12, 4 + int(3 * log(len(self.parameters))))


_SEEDS = 2**32  # of numpy's generator


class Evolution:
    """The distribution, in the unit cube: it learns its shape from the ranks of its draws. A `Learner`.

    Hansen's covariance matrix adaptation; the package is asked for points and told their scores. Its chance
    is set anew before each draw, so that a draw depends on what was learned and on its number alone.
    """

    def __init__(self, settings: Settings, seed: int) -> None:
        from cmaes import CMA  # noqa: PLC0415 - not everybody has it

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
                "restore population_size, or reset the competition"
            )
        self._search.tell([(np.array(each.point), -each.score / each.games) for each in candidates])
        self.trail.append(self._middle())

    def _middle(self) -> Point:
        return tuple(float(each) for each in np.clip(self._search.mean, 0.0, 1.0))


CmaesTuner: TypeAlias = GenerationTuner[Evolution]


class CmaesTables(TunerTables[CmaesTuner]):
    """The generation, the best parameters, and how the candidates of the generation have done."""

    method = "CMA-ES"

    def screen(self) -> Iterator[Block]:
        generations, parameters, mean = self.event.generations, self.event.parameters, self.event.learner.mean
        yield f"generation {generations.number}/{generations.limit}"
        yield ""
        yield f"Best parameters: {self.event.describe(mean)}"
        yield ""
        spreads = [f"{spread:.3f}" for spread in self._spreads()]
        yield parameter_table(parameters, {"best": shown_at(parameters, mean), "spread": spreads})
        yield ""
        yield "wins from current samples:"
        yield f"[{', '.join(count(each.score) for each in generations.last)}]"

    def own_values(self, endings: Endings) -> dict[str, Any]:
        """position, spread: in parts of the scales."""
        generations, parameters, mean = self.event.generations, self.event.parameters, self.event.learner.mean
        return {
            "generation": generations.number,
            "best": candidate_values(parameters, mean),
            "position": list(mean),
            "spread": self._spreads(),
            "candidates": scored_values(
                parameters, generations.number - generations.is_over, generations.last
            ),
        }

    def charts(self) -> tuple[Chart, ...]:
        return generation_charts(self.event)

    def _spreads(self) -> list[float]:
        """How far along each axis the candidates are from each other: standard deviations."""
        points = (each.point for each in self.event.generations.last)
        return [pstdev(axis) for axis in zip(*points, strict=True)]


def competition(setup: CompetitionSetup) -> CmaesTuner:
    """The tuner that `setup` describes, before its first game. Raises ConfigError without cmaes."""
    settings = setup.settings_as(Settings)
    try:
        learner = Evolution(settings, setup.seed)
    except ModuleNotFoundError as error:
        if error.name != "cmaes":
            raise
        raise ConfigError(
            f"{setup.kind} needs the package cmaes, which is not installed: pip install 'gyoji[tune]'"
        ) from None
    return GenerationTuner(
        setup,
        learner,
        settings.parameters,
        limit=settings.number_of_generations,
        batch=settings.batch_size,
    )


FORMAT = tuner_format(
    name="cmaes_tuner", settings=Settings, tuner=competition, ctl_names=CTL_NAMES, tables=CmaesTables
)
