"""Settings of tuners whose candidates play against one opponent."""

from collections.abc import Sequence
from dataclasses import dataclass

from gyoji.core.setup import CandidateMaker, GameSettings, PlayerCode
from gyoji.tuning.colours import CandidateColour
from gyoji.tuning.parameters import Valued


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentSettings(GameSettings):
    """Whom candidates play against, how they are made, and which side they have."""

    opponent: PlayerCode
    candidate: CandidateMaker
    candidate_colour: CandidateColour

    @property
    def block(self) -> int:
        """How many games in a row are one candidate's: those of an opening, and one of each colour."""
        colours = 2 if self.candidate_colour is CandidateColour.ALTERNATING else 1
        return max(colours, self.openings.games if self.openings else 1)


def check_parameters(parameters: Sequence[Valued]) -> None:
    """Raise ValueError where there is nothing to tune."""
    if not parameters:
        raise ValueError("parameters: expected one parameter or more")


def check_least(least: float, **numbers: float | None) -> None:
    """Raise ValueError, "key: problem", for a number below `least`; None is none."""
    for key, number in numbers.items():
        if number is not None and number < least:
            raise ValueError(f"{key}: expected {least:g} or more, got {number:g}")


def check_share(**numbers: float) -> None:
    """Raise ValueError, "key: problem", for a number that is not between 0 and 1."""
    for key, number in numbers.items():
        if not 0 < number < 1:
            raise ValueError(f"{key}: expected more than 0 and less than 1, got {number:g}")
