"""The settings of a cross-entropy tuner, checked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import exp
from types import MappingProxyType
from typing import Any

from gyoji.core.setup import GameSettings, Identifier
from gyoji.core.text import quote
from gyoji.tuning.parameters import CODE, check_format, told, with_format
from gyoji.tuning.scales import rounded
from gyoji.tuning.settings import OpponentSettings, check_least, check_parameters, check_share

NAMED: Mapping[str, Callable[[float], float]] = MappingProxyType(
    {"none": float, "exp": exp, "exp2": lambda x: 2.0**x, "exp10": lambda x: 10.0**x}
)
"""The transforms that have a name, for files that hold no functions."""


@dataclass(frozen=True, slots=True)
class Transform:
    """From a number of the distribution to the value an engine is given."""

    function: Callable[[float], Any]

    @classmethod
    def convert(cls, plain: Any) -> "Transform":
        """The transform that a control file gives, by its name or as a function."""
        if callable(plain):
            return cls(plain)
        if isinstance(plain, str) and plain in NAMED:
            return cls(NAMED[plain])
        there_are = ", ".join(f'"{name}"' for name in NAMED)
        raise ValueError(f"expected a function or one of {there_are}, got {quote(str(plain))}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter, and where the search for it begins.

    transform    makes the engine's value of a number of the distribution.
    min, max     what the value is held between, None for no bound.
    integer      whether it is then rounded to the nearest whole number.
    """

    code: Identifier = field(metadata=CODE)
    initial_mean: float
    initial_variance: float
    transform: Transform = field(default_factory=lambda: Transform(float))
    min: float | None = None
    max: float | None = None
    integer: bool = False
    format: str

    @classmethod
    def complete(cls, table: Mapping[str, Any], index: int) -> dict[str, Any]:
        """The format that a parameter has if none is given."""
        return with_format(table)

    def __post_init__(self) -> None:
        check_least(0, initial_variance=self.initial_variance)
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"max: expected {self.min:g} or more, which is min, got {self.max:g}")
        try:
            value = self.value(self.initial_mean)
        except Exception as error:  # noqa: BLE001 - a function of the user's raises what it likes
            raise ValueError(f"transform: it fails at initial_mean: {told(error)}") from None
        check_format(self.format, value)

    def value(self, coordinate: float) -> Any:
        value = self.transform.function(coordinate)
        if self.min is not None:
            value = max(value, self.min)
        if self.max is not None:
            value = min(value, self.max)
        return rounded(value, self.integer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(OpponentSettings):
    """A cross-entropy tuner's own settings, beside those of its games.

    batch_size        games of each candidate.
    elite_proportion  the share of a generation that the next one is drawn from.
    step_size         how far the distribution moves towards that of the elite; 1 would be all the way.
    """

    parameters: tuple[Parameter, ...]
    number_of_generations: int
    samples_per_generation: int
    batch_size: int
    elite_proportion: float
    step_size: float

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        check_parameters(self.parameters)
        check_least(
            1,
            number_of_generations=self.number_of_generations,
            samples_per_generation=self.samples_per_generation,
            batch_size=self.batch_size,
        )
        check_share(elite_proportion=self.elite_proportion, step_size=self.step_size)
