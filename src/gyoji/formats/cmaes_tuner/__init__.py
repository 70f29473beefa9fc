"""The CMA-ES tuner: an evolution strategy, generation by generation, by the package `cmaes`.

For more parameters than a regression can deal with, and for landscapes that have no shape. Games are noise to
it, which it answers by learning slower (`adapts_rate`); a larger batch or population helps too.

A game's pairing is where its candidate stands, as positions on the scales. Generations are learned from anew
when a run is resumed, from the points that were played.
"""

from collections.abc import Iterator
from statistics import pstdev
from typing import TYPE_CHECKING, Any, TypeAlias

from gyoji.core.faults import ConfigError
from gyoji.core.format import Format
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Block, Chart, Endings, count
from gyoji.formats.cmaes_tuner.settings import Parameter, Settings
from gyoji.tuning.generations import GameName, GenerationTuner
from gyoji.tuning.scales import CTL_NAMES
from gyoji.tuning.tables import TunerTables, candidate_values, generation_charts, parameter_table, shown_at

if TYPE_CHECKING:
    from gyoji.formats.cmaes_tuner.evolution import Evolution

__all__ = ["CTL_NAMES", "FORMAT", "CmaesTuner", "Parameter", "Settings", "competition"]

CmaesTuner: TypeAlias = "GenerationTuner[Evolution]"


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

    @property
    def opponent(self) -> str:
        return str(self.event.setup.settings.opponent)

    def own_values(self, endings: Endings) -> dict[str, Any]:
        """position, spread: in parts of the scales."""
        generations, parameters, mean = self.event.generations, self.event.parameters, self.event.learner.mean
        return {
            "generation": generations.number,
            "best": candidate_values(parameters, mean),
            "position": list(mean),
            "spread": self._spreads(),
            "candidates": [
                {
                    "code": GameName(generations.number - generations.is_over, each.number, 0).code,
                    "parameters": candidate_values(parameters, each.point),
                    "games": each.games,
                    "score": each.score,
                }
                for each in generations.last
            ],
        }

    def charts(self) -> tuple[Chart, ...]:
        return generation_charts(self.event)

    def _spreads(self) -> list[float]:
        """How far along each axis the candidates are from each other: standard deviations."""
        points = (each.point for each in self.event.generations.last)
        return [pstdev(axis) for axis in zip(*points, strict=True)]


def competition(setup: CompetitionSetup) -> CmaesTuner:
    """The tuner that `setup` describes, before its first game. Raises ConfigError without cmaes."""
    settings: Settings = setup.settings
    try:
        from gyoji.formats.cmaes_tuner.evolution import Evolution  # noqa: PLC0415 - and with it numpy
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


FORMAT = Format(
    name="cmaes_tuner", settings=Settings, competition=competition, ctl_names=CTL_NAMES, tables=CmaesTables
)
