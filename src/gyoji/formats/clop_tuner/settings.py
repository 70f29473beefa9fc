"""The settings of a CLOP tuner, checked."""

from dataclasses import dataclass

from gyoji.core.setup import GameSettings
from gyoji.tuning.colours import CandidateColour
from gyoji.tuning.parameters import Parameter
from gyoji.tuning.settings import OpponentSettings, check_least, check_parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(OpponentSettings):
    """A CLOP tuner's own settings, beside those of its games.

    number_of_games  None: endless; 0: none, but results are kept.
    correlations     whether parameters may depend on each other: a term for each pair of them.
    locality         how many standard errors below the mean a point must look to lose most of its weight.
    """

    parameters: tuple[Parameter, ...]
    candidate_colour: CandidateColour = CandidateColour.ALTERNATING
    number_of_games: int | None = None
    correlations: bool = True
    locality: float = 3.0

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        check_parameters(self.parameters)
        check_least(0.1, locality=self.locality)
        check_least(0, number_of_games=self.number_of_games)

    @property
    def limit(self) -> int | None:
        """How many games there are to be, from 0; None when endless."""
        return self.number_of_games
