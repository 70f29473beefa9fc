"""The CMA-ES tuner: an evolution strategy, generation by generation, by the package `cmaes`.

For more parameters than a regression can deal with, and for landscapes that have no shape. Games are noise to
it, which it answers by learning slower (`adapts_rate`); a larger batch or population helps too.

A game's pairing is where its candidate stands, as positions on the scales. Generations are learned from anew
when a run is resumed, from the points that were played.
"""

from typing import TYPE_CHECKING, TypeAlias

from gyoji.competitions.cmaes_tuner.settings import Parameter, Settings
from gyoji.core.faults import ConfigError
from gyoji.core.format import Format
from gyoji.core.setup import CompetitionSetup
from gyoji.tuning.generation_tuner import GenerationTuner
from gyoji.tuning.scales import CTL_NAMES

if TYPE_CHECKING:
    from gyoji.competitions.cmaes_tuner.evolution import Evolution

__all__ = ["CTL_NAMES", "FORMAT", "CmaesTuner", "Parameter", "Settings", "competition"]

CmaesTuner: TypeAlias = "GenerationTuner[Evolution]"


def competition(setup: CompetitionSetup) -> CmaesTuner:
    """The tuner that `setup` describes, before its first game. Raises ConfigError without cmaes."""
    settings: Settings = setup.settings
    try:
        from gyoji.competitions.cmaes_tuner.evolution import Evolution  # noqa: PLC0415 - and with it numpy
    except ModuleNotFoundError as error:
        if error.name != "cmaes":
            raise
        raise ConfigError(
            f"{setup.kind} needs the package cmaes, which is not installed: pip install 'gyoji[tune]'"
        ) from None
    return GenerationTuner(
        setup,
        Evolution(settings, setup.seed),
        settings.parameters,
        limit=settings.number_of_generations,
        batch=settings.batch_size,
    )


FORMAT = Format(name="cmaes_tuner", settings=Settings, competition=competition, ctl_names=CTL_NAMES)
