"""Players with gaps in them: ``command = "engine --rave={rave}"``, and a parameter's value for each gap.

A gap is written as Python's format strings have it: ``{code}``, or with a format, ``{code:.3f}``; a brace
that is none is doubled. Gaps may be in the words of commands, in the environment, and in the texts among the
settings of the player's protocol.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from string import Formatter
from typing import Any

from gyoji.core.spec import Player
from gyoji.core.text import quote


def gaps(player: Player) -> tuple[str, ...]:
    """The codes in the gaps of a player, in order. Raises ValueError for a text that is no template."""
    found: dict[str, None] = {}

    def look(text: str) -> str:
        found.update((code, None) for _, code, _ in _pieces(text) if code is not None)
        return text

    _mapped(player, look)
    return tuple(found)


def filled(player: Player, values: Mapping[str, Any]) -> Player:
    """The player with a value in each gap. Raises ValueError for a value that its format does not fit."""
    return _mapped(player, lambda text: fill(text, values))


def fill(text: str, values: Mapping[str, Any]) -> str:
    """A text with a value in each gap. Raises ValueError, and KeyError for a gap that has none.

    >>> fill("--fpu={fpu:.2f} {{x}}", {"fpu": 1})
    '--fpu=1.00 {x}'
    """
    return "".join(
        literal + ("" if code is None else _formatted(values[code], form))
        for literal, code, form in _pieces(text)
    )


def _pieces(text: str) -> Iterator[tuple[str, str | None, str]]:
    """What stands before each gap, its code and its format; None at the end of the text."""
    try:
        for literal, code, form, conversion in Formatter().parse(text):
            if conversion or "{" in (form or ""):
                raise ValueError("a gap is {code} or {code:format}")
            yield literal, code, form or ""
    except ValueError as error:
        raise ValueError(f"{quote(text)}: {error}; a brace that is none is doubled: {{{{ }}}}") from None


def _formatted(value: Any, form: str) -> str:
    try:
        return format(value, form)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{value!r} in a gap with the format {quote(form)}: {error}") from None


def _mapped(player: Player, change: Callable[[str], str]) -> Player:
    """The player with each text changed in which a gap may be."""
    return replace(
        player,
        command=tuple(map(change, player.command)),
        partner=tuple(map(change, player.partner)),
        environ={key: change(text) for key, text in player.environ.items()},
        options={key: _changed(value, change) for key, value in player.options.items()},
    )


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    """A setting of a protocol with its texts changed, however deep they are."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _changed(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_changed(item, change) for item in value)
    return value
