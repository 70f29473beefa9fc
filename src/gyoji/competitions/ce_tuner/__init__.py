"""The cross-entropy tuner: gomill's. Generations of candidates, each drawn around the best of the one before.

A game's pairing is the point that its candidate was drawn at, so the distributions are computed anew from
what was played. Their course depends on `elite_proportion` and `step_size`: when these are changed between
two runs it is as if they had been so from the beginning, but for the points that have been played. More
generations, and larger batches, may be asked for at any time, also when all was over.
"""

from typing import TypeAlias

from gyoji.competitions.ce_tuner.distribution import CrossEntropy, Spread
from gyoji.competitions.ce_tuner.settings import Parameter, Settings
from gyoji.core.format import Format
from gyoji.core.setup import CompetitionSetup
from gyoji.tuning.generation_tuner import GenerationTuner

__all__ = ["FORMAT", "CeTuner", "Parameter", "Settings", "competition"]

CeTuner: TypeAlias = GenerationTuner[CrossEntropy]


def competition(setup: CompetitionSetup) -> CeTuner:
    """The tuner that `setup` describes, before its first game."""
    settings: Settings = setup.settings
    learner = CrossEntropy(
        [Spread(each.initial_mean, each.initial_variance) for each in settings.parameters],
        samples=settings.samples_per_generation,
        elite=settings.elite_proportion,
        step=settings.step_size,
        seed=setup.seed,
    )
    return GenerationTuner(
        setup,
        learner,
        settings.parameters,
        limit=settings.number_of_generations,
        batch=settings.batch_size,
    )


FORMAT = Format(name="ce_tuner", settings=Settings, competition=competition)
