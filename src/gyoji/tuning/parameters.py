"""Parameters of candidates, and templates of players with placeholders for the parameters' values.

A placeholder is written as in Python's format strings: ``command = "engine --rave={rave}"``, or with a
format, ``{rave:.3f}``; a literal brace is doubled. Placeholders may be in the words of commands, in the
environment, and in the texts among the settings of the player's protocol.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Protocol

from msgspec import structs

from gyoji.core.faults import ConfigError
from gyoji.core.setup import POSITIONAL, UNIQUE, Identifier
from gyoji.core.spec import Player
from gyoji.core.text import printable, quote
from gyoji.tuning.scales import Axis, Scale, with_scale

CODE = {**POSITIONAL, **UNIQUE}
"""Metadata for the config layer about the field `code` of a parameter."""


class Valued(Protocol):
    """A parameter of any tuner.

    Attributes:
        code: The parameter's name.
        format: A text with a Python conversion such as %.2f for the value.
    """

    @property
    def code(self) -> str: ...

    @property
    def format(self) -> str: ...

    @property
    def reach(self) -> tuple[float, float]:
        """The lowest and the highest coordinate of the search."""

    @property
    def axis(self) -> Axis:
        """The kind of the coordinate: continuous, or divided among listed values."""

    def value(self, coordinate: float) -> Any:
        """Return the engine's value at a coordinate of the search."""

    def place(self, value: Any) -> float:
        """Return the coordinate of the search that has this value: the inverse of `value`.

        Raises:
            ValueError: The parameter has no such value.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter whose coordinate is a position on its scale.

    Attributes:
        start: The value that the search begins with; None for the middle of the scale.
        format: The format of its value in reports, by default "CODE:%s".
    """

    code: Identifier = field(metadata=CODE)
    scale: Scale
    start: bool | float | str | None = None
    format: str

    reach = (0.0, 1.0)

    @classmethod
    def complete(cls, table: Mapping[str, Any], index: int) -> dict[str, Any]:
        """Return a parameter's table with its scale as one `Scale`, and with the default format if it has
        none.

        In a TOML file `scale`, `min`, `max` and `integer`, or `values`, describe the scale. If `scale` is not
        a text, as in a Python control file, it stays as it is.

        Args:
            table: The table, as in a control file.
            index: The number of the table in its array; unused.

        Raises:
            ValueError: A setting is wrong. The text is "key: problem".
        """
        return with_scale(with_format(table))

    def __post_init__(self) -> None:
        self.check(self.first)

    @property
    def first(self) -> float:
        """The position of the start, from 0 to 1."""
        if self.start is None:
            return 0.5
        try:
            return self.place(self.start)
        except ValueError as error:
            raise ValueError(f"start: {error}") from None

    @property
    def axis(self) -> Axis:
        return self.scale.axis

    def check(self, position: float) -> None:
        """Raise ValueError if the scale or the format fails at a position."""
        try:
            value = self.value(position)
        except Exception as error:  # noqa: BLE001 - a function of the user's raises what it likes
            raise ValueError(f"scale: it fails at {position:g}: {told(error)}") from None
        check_format(self.format, value)

    def value(self, coordinate: float) -> Any:
        return self.scale(coordinate)

    def place(self, value: Any) -> float:
        return self.scale.place(value)


def with_format(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a parameter's table with the default format if it has none."""
    full = dict(table)
    if full.get("format") is None:
        full["format"] = f"{str(full.get('code')).replace('%', '%%')}:%s"
    return full


def check_format(form: str, value: Any) -> None:
    """Raise ValueError, "format: problem", if the format cannot show a value."""
    try:
        form % (value,)
    except (TypeError, ValueError, KeyError) as error:
        raise ValueError(f"format: {form!r} does not show {value!r}: {error}") from None


def values_at(parameters: Sequence[Valued], point: Sequence[float]) -> tuple[Any, ...]:
    """Return the engine's values at a point.

    Raises:
        ConfigError: A function of the control file fails.
    """
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
    """Return the values as text for reports: ``[code?value]`` for a value that does not fit its format."""
    shown = []
    for parameter, value in zip(parameters, values, strict=True):
        try:
            shown.append(printable(parameter.format % (value,)))
        except (TypeError, ValueError, KeyError):
            shown.append(printable(f"[{parameter.code}?{value}]"))
    return "; ".join(shown)


def told(error: Exception) -> str:
    """Return an exception that a user's function raised, as one line: its type and message."""
    return printable(f"{type(error).__name__}: {error}")


def gaps(player: Player) -> tuple[str, ...]:
    """Return the names of the parameters in a player's placeholders, in order.

    Raises:
        ValueError: A text has a wrong placeholder or brace.
    """
    found: dict[str, None] = {}

    def look(text: str) -> str:
        found.update((code, None) for _, code, _ in _pieces(text) if code is not None)
        return text

    _mapped(player, look)
    return tuple(found)


def filled(player: Player, values: Mapping[str, Any]) -> Player:
    """Return the player with each placeholder replaced by its value.

    Raises:
        ValueError: A format does not fit its value, or a text has a wrong placeholder or brace.
        KeyError: A placeholder has no value.
    """
    return _mapped(player, lambda text: fill(text, values))


def fill(text: str, values: Mapping[str, Any]) -> str:
    """Return a text with each placeholder replaced by its value.

    Raises:
        ValueError: A format does not fit its value, or the text has a wrong placeholder or brace.
        KeyError: A placeholder has no value.

    >>> fill("--fpu={fpu:.2f} {{x}}", {"fpu": 1})
    '--fpu=1.00 {x}'
    """
    filled = ""
    for literal, code, form in _pieces(text):
        filled += literal
        if code is not None:
            try:
                filled += format(values[code], form)
            except (TypeError, ValueError) as error:
                raise ValueError(
                    f"{values[code]!r} in a gap with the format {quote(form)}: {error}"
                ) from None
    return filled


def _pieces(text: str) -> Iterator[tuple[str, str | None, str]]:
    """Yield three texts for each placeholder: the literal text before it, the parameter's name and the
    format.

    For text after the last placeholder the name is None.
    """
    try:
        for literal, code, form, conversion in Formatter().parse(text):
            if conversion or "{" in (form or ""):
                raise ValueError("a gap is {code} or {code:format}")
            yield literal, code, form or ""
    except ValueError as error:
        raise ValueError(f"{quote(text)}: {error}; write a literal brace twice: {{{{ }}}}") from None


def _mapped(player: Player, change: Callable[[str], str]) -> Player:
    """Return the player with `change` applied to each text that may have placeholders."""
    return structs.replace(
        player,
        command=tuple(map(change, player.command)),
        partner=tuple(map(change, player.partner)),
        mate=None if player.mate is None else _mapped(player.mate, change),
        environ={key: change(text) for key, text in player.environ.items()},
        options={key: _changed(value, change) for key, value in player.options.items()},
    )


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    """Return a setting of a protocol with its texts changed, however deep they are nested."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _changed(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_changed(item, change) for item in value)
    return value
