"""Scales: functions from a position between 0 and 1, a tuner's coordinate, to the engine's value.

The names and their arguments are gomill's. A control file in Python (.ctl) may give any function instead.

>>> Linear(-64, 256, integer=True)(0.0), Explicit(["low", "high"])(0.7)
(-64, 'high')
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, floor, isfinite, log
from typing import Any, NamedTuple

from gyoji.core.text import quote

_KEYS = ("scale", "min", "max", "integer", "values")


class Axis(NamedTuple):
    """The kind of a coordinate from 0 to 1: continuous, or divided among listed values.

    Attributes:
        levels: The number of equal parts, one for each value; 0 for a continuous axis.
        ordered: Whether neighbouring values are more alike than others.
    """

    levels: int = 0
    ordered: bool = True


class Scale:
    """The base of all scales."""

    __slots__ = ()

    def __call__(self, position: float) -> Any:
        """Return the value at a position from 0 to 1."""
        raise NotImplementedError

    # A record of the value keeps its meaning when the bounds of the scale are changed in the control file.
    def exact(self, position: float) -> float:
        """Return the number that stands for a position in records of games.

        For a scale between two numbers it is the value before rounding, for other scales the position.
        """
        return position

    def position(self, exact: float) -> float:
        """Return the position of a number that `exact` returned, perhaps when the scale had other bounds.

        The position is below 0 or above 1 if the number is outside the present bounds.
        """
        return exact

    def place(self, value: Any) -> float:
        """Return the position that stands for an engine's value, from 0 to 1 up to rounding.

        Raises:
            ValueError: The value is not between the bounds, or not in the list. For a scale that is a
                function of a control file, always.
        """
        raise ValueError("a function of your own has no way back from a value to its position")

    @property
    def axis(self) -> Axis:
        """The kind of the coordinate."""
        return Axis()

    @classmethod
    def convert(cls, plain: Any) -> "Scale":
        """Return a scale as it is, or make one of a function from positions (0 to 1) to values.

        Raises ValueError for anything else.
        """
        if isinstance(plain, Scale):
            return plain
        if callable(plain):
            return Function(plain)
        raise ValueError(f"expected a scale, or a function from 0..1 to a value, got {quote(repr(plain))}")


@dataclass(frozen=True, slots=True)
class Function(Scale):
    """A scale given by a function of the control file, from a position (0 to 1) to the engine's value."""

    function: Callable[[float], Any]

    def __call__(self, position: float) -> Any:
        return self.function(position)


@dataclass(frozen=True, slots=True)
class _Bounded(Scale):
    """A scale between two bounds.

    Attributes:
        integer: Whether values are rounded to the nearest whole number, halves up.
    """

    lower_bound: float
    upper_bound: float
    integer: bool = False

    def __post_init__(self) -> None:
        if not (isfinite(self.lower_bound) and isfinite(self.upper_bound)):
            raise ValueError(
                f"the bounds of a scale are numbers: got {self.lower_bound} and {self.upper_bound}"
            )

    def __call__(self, position: float) -> Any:
        return rounded(self.exact(position), self.integer)

    def place(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise ValueError(f"expected a number, got {quote(str(value))}")
        slack = 1e-9 * (self.upper_bound - self.lower_bound)  # of what was computed from a position
        if not self.lower_bound - slack <= value <= self.upper_bound + slack:
            bounds = f"{self.lower_bound:g} to {self.upper_bound:g}"
            raise ValueError(f"expected {bounds}, got {value:g}")
        return self.position(value)


class Linear(_Bounded):
    """A linear scale: equal steps of the position are equal differences of the value."""

    __slots__ = ()

    def exact(self, position: float) -> float:
        return self.lower_bound + position * (self.upper_bound - self.lower_bound)

    def position(self, exact: float) -> float:
        width = self.upper_bound - self.lower_bound
        return (exact - self.lower_bound) / width if width else 0.0


class Log(_Bounded):
    """A logarithmic scale: equal steps of the position are equal factors. Both bounds are positive, or both
    negative.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        _Bounded.__post_init__(self)
        if self.lower_bound * self.upper_bound <= 0:
            reach = f"{self.lower_bound:g} to {self.upper_bound:g}"
            raise ValueError(f"a logarithmic scale has no zero: got {reach}")

    def exact(self, position: float) -> float:
        return self.lower_bound * exp(position * log(self.upper_bound / self.lower_bound))

    def position(self, exact: float) -> float:
        rate = log(self.upper_bound / self.lower_bound)
        return log(exact / self.lower_bound) / rate if rate and exact * self.lower_bound > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Explicit(Scale):
    """A scale of listed values. The range of positions is divided into equal parts, one for each value."""

    values: Sequence[Any]

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("values: expected one value or more")

    def __call__(self, position: float) -> Any:
        return self.values[min(int(position * len(self.values)), len(self.values) - 1)]

    def place(self, value: Any) -> float:
        """Return the position of a value, in [0, 1]: the middle of its part. The value may also be a text.

        Raises:
            ValueError: It is not one of the listed values.
        """
        for number, each in enumerate(self.values):
            if each == value or str(each) == str(value):
                return (number + 0.5) / len(self.values)
        there_are = ", ".join(str(each) for each in self.values)
        raise ValueError(f"expected one of {there_are}, got {quote(str(value))}")

    @property
    def axis(self) -> Axis:
        """The kind of the coordinate: one level for each value; ordered if all values are numbers."""
        return Axis(len(self.values), all(isinstance(each, int | float) for each in self.values))


CTL_NAMES = {"LINEAR": Linear, "LOG": Log, "EXPLICIT": Explicit}
"""The scales that a control file in Python (.ctl) may use."""


def with_scale(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a parameter's table with the settings of a TOML file combined into one scale.

    These settings are ``scale`` ("linear", the default, or "log"), ``min``, ``max`` and ``integer``; or
    ``values``. If ``scale`` is not a text, the table is returned as it is: a Python control file gives a
    `Scale`.

    Raises:
        ValueError: A setting is wrong. The text is "key: problem".
    """
    full = dict(table)
    kind = full.get("scale", "linear")
    if not isinstance(kind, str):
        return full
    given = {key: full.pop(key) for key in _KEYS if key in full}
    if "values" not in given:
        return full | {"scale": _bounded(kind, given)}
    unused = [key for key in given if key != "values"]
    if unused:
        raise ValueError(f"{unused[0]}: contradicts values: give one of them")
    if not isinstance(given["values"], list):
        raise ValueError("values: expected a list")
    return full | {"scale": Explicit(tuple(given["values"]))}


def rounded(number: float, integer: bool) -> float:
    """Return the number, or if `integer` is set, the nearest whole number, halves up."""
    return floor(number + 0.5) if integer else number


def _bounded(kind: str, given: Mapping[str, Any]) -> Scale:
    if kind not in ("linear", "log"):
        raise ValueError(f'scale: expected "linear" or "log", got {quote(kind)}; or give values')
    for key in ("min", "max"):
        if key not in given:
            raise ValueError(f"{key}: required, but not given; or give values")
        if (
            isinstance(given[key], bool)
            or not isinstance(given[key], int | float)
            or not isfinite(given[key])
        ):
            raise ValueError(f"{key}: expected a number, got {given[key]!r}")
    lower, upper, integer = given["min"], given["max"], given.get("integer", False)
    if not isinstance(integer, bool):
        raise ValueError(f"integer: expected true or false, got {integer!r}")
    if lower >= upper:
        raise ValueError(f"max: expected more than min, which is {lower:g}, got {upper:g}")
    try:
        return (Linear if kind == "linear" else Log)(lower, upper, integer)
    except ValueError as error:
        raise ValueError(f"scale: {error}") from None
