"""The settings of an SPSA tuner, checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import floor
from typing import Any

from gyoji.core.setup import CandidateMaker, GameSettings, Identifier
from gyoji.tuning.parameters import CODE, check_format, with_format
from gyoji.tuning.settings import check_least, check_parameters, check_share

USUAL_REACH = 10
"""Which part of its range a parameter is changed by, in the end, if the user does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter in the engine's own unit.

    start    where the search begins; the middle if the user does not say.
    min, max its range.
    c_end    by how much it is changed up and down in the last iteration; a 10th of the range if not said.
    r_end    how far it is moved in the last iteration, as a share of c_end squared.
    integer  whether the engine is given whole numbers: of the two nearest one by chance.
    """

    code: Identifier = field(metadata=CODE)
    min: float
    max: float
    start: float
    c_end: float
    r_end: float = 0.01
    integer: bool = False
    format: str

    @classmethod
    def complete(cls, table: Mapping[str, Any], index: int) -> dict[str, Any]:
        """The start, the change and the format that a parameter has if none is given."""
        full = with_format(table)
        low, high = full.get("min"), full.get("max")
        if isinstance(low, int | float) and isinstance(high, int | float):
            full.setdefault("start", (low + high) / 2)
            full.setdefault("c_end", (high - low) / USUAL_REACH)
        return full

    def __post_init__(self) -> None:
        if self.min >= self.max:
            raise ValueError(f"max: expected more than min, which is {self.min:g}, got {self.max:g}")
        if not self.min <= self.start <= self.max:
            raise ValueError(f"start: expected {self.min:g} to {self.max:g}, got {self.start:g}")
        for key in ("c_end", "r_end"):
            if getattr(self, key) <= 0:
                raise ValueError(f"{key}: expected more than 0, got {getattr(self, key):g}")
        for key in ("min", "max") if self.integer else ():
            if getattr(self, key) != int(getattr(self, key)):
                raise ValueError(f"{key}: expected a whole number, got {getattr(self, key):g}")
        check_format(self.format, self.value(self.start))

    def value(self, coordinate: float, luck: float = 0.5) -> float:
        """The value that the engine gets: itself, or the whole number below or above.

        luck: from 0 to 1; the nearer one is, the more of it leads there. At ½ it is the nearest.
        """
        return floor(coordinate + luck) if self.integer else coordinate


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(GameSettings):
    """An SPSA tuner's own settings, beside those of its games.

    number_of_iterations  of two games each, or as many as an opening has.
    stability    A, as a share of all iterations: more, and the first ones move it less.
    alpha, gamma  how fast moves and changes shrink: by the iteration to these powers.
    """

    parameters: tuple[Parameter, ...]
    candidate: CandidateMaker
    number_of_iterations: int
    stability: float = 0.1
    alpha: float = 0.602
    gamma: float = 0.101

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        check_parameters(self.parameters)
        check_least(1, number_of_iterations=self.number_of_iterations)
        check_least(0, stability=self.stability)
        check_share(alpha=self.alpha, gamma=self.gamma)

    @property
    def block(self) -> int:
        """Games of an iteration: one of each colour, or those of an opening."""
        return max(2, self.openings.games if self.openings else 0)
