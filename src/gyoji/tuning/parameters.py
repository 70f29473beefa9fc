"""Parameters of candidates: what they are called, what values they take, how reports show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from gyoji.core.faults import ConfigError
from gyoji.core.setup import POSITIONAL, UNIQUE, Identifier
from gyoji.core.text import printable
from gyoji.tuning.scales import Scale, with_scale

CODE = {**POSITIONAL, **UNIQUE}
"""The marks of a parameter's code."""


class Valued(Protocol):
    """A parameter, as far as reports show it. format: a text with a Python conversion such as %.2f in it."""

    @property
    def code(self) -> str: ...

    @property
    def format(self) -> str: ...

    def value(self, coordinate: float) -> Any:
        """What the engine is given for a coordinate of a tuner's point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter whose coordinate is a position on its scale. format: "CODE:%s" if the user gives none."""

    code: Identifier = field(metadata=CODE)
    scale: Scale
    format: str

    @classmethod
    def complete(cls, table: Mapping[str, Any], index: int) -> dict[str, Any]:
        """The scale of a TOML file's words, and the format that a parameter has if none is given."""
        return with_scale(with_format(table))

    def __post_init__(self) -> None:
        self.check(0.5)

    def check(self, position: float) -> None:
        """Raise ValueError if the scale or the format cannot be used at a position."""
        try:
            value = self.value(position)
        except Exception as error:  # noqa: BLE001 - a function of the user's raises what it likes
            raise ValueError(f"scale: it fails at {position:g}: {told(error)}") from None
        check_format(self.format, value)

    def value(self, coordinate: float) -> Any:
        return self.scale(coordinate)


def with_format(table: Mapping[str, Any]) -> dict[str, Any]:
    """A parameter's table with the format that it has if the user gives none."""
    full = dict(table)
    if full.get("format") is None:
        full["format"] = f"{str(full.get('code')).replace('%', '%%')}:%s"
    return full


def check_format(form: str, value: Any) -> None:
    """Raise ValueError, "format: problem", if a value cannot be shown with it."""
    try:
        form % (value,)
    except (TypeError, ValueError, KeyError) as error:
        raise ValueError(f"format: {form!r} does not show {value!r}: {error}") from None


def values_at(parameters: Sequence[Valued], point: Sequence[float]) -> tuple[Any, ...]:
    """What the engine is given at a point. Raises ConfigError if a function of the user's fails."""
    values = []
    for parameter, coordinate in zip(parameters, point, strict=True):
        try:
            values.append(parameter.value(coordinate))
        except Exception as error:  # noqa: BLE001 - a function of the user's raises what it likes
            raise ConfigError(
                f"parameter {parameter.code}: no value for {coordinate!r}: {told(error)}"
            ) from None
    return tuple(values)


def described(parameters: Sequence[Valued], values: Sequence[Any]) -> str:
    """The values as reports show them; one that its format does not fit as ``[code?value]``."""
    return "; ".join(_shown(parameter, value) for parameter, value in zip(parameters, values, strict=True))


def told(error: Exception) -> str:
    """An error of somebody else's code, in a line."""
    return printable(f"{type(error).__name__}: {error}")


def _shown(parameter: Valued, value: Any) -> str:
    try:
        return printable(parameter.format % (value,))
    except (TypeError, ValueError, KeyError):
        return printable(f"[{parameter.code}?{value}]")
