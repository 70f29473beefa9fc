"""The settings of a CMA-ES tuner, checked."""

from dataclasses import dataclass
from math import log

from gyoji.core.setup import GameSettings
from gyoji.tuning import parameters as tuned
from gyoji.tuning.colours import CandidateColour
from gyoji.tuning.settings import OpponentSettings, check_least, check_parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter(tuned.Parameter):
    """A parameter on a scale. start: the position where the search begins, from 0 to 1."""

    start: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.start <= 1:
            raise ValueError(f"start: expected a position on the scale from 0 to 1, got {self.start:g}")
        self.check(self.start)


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
        check_parameters(self.parameters)
        check_least(1, number_of_generations=self.number_of_generations, batch_size=self.batch_size)
        if self.population_size != 0 and self.population_size < 4:
            raise ValueError(f"population_size: expected 4 or more, or 0, got {self.population_size}")
        if not 0 < self.step_size <= 1:
            raise ValueError(f"step_size: expected more than 0 and 1 at most, got {self.step_size:g}")

    @property
    def population(self) -> int:
        """How many candidates a generation has."""
        return self.population_size or max(12, 4 + int(3 * log(len(self.parameters))))
