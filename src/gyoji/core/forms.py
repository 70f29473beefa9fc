"""The part of the new-game form that each game defines: fields, known programs and set-up positions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

Plain: TypeAlias = str | float | bool | None


class Field(NamedTuple):
    """A setting of a game as a field of the new-game form.

    Attributes:
        key: Key of the setting in a control file.
        label: Text that people read.
        kind: "number" from `least` to `most`, "choice" of `choices`, or "check" (a check box).
        value: Default; None if the setting is omitted by default.
        choices: (value, label) of each possible value of a "choice", or of some common values of a "number".
        step: Step of a number.
    """

    key: str
    label: str
    kind: Literal["number", "choice", "check"]
    value: Plain
    choices: tuple[tuple[Plain, str], ...] = ()
    least: float = 0
    most: float = 0
    step: float = 1

    def takes(self, value: object) -> bool:
        """Return whether a value is valid for the field: its type, and its range or its choices."""
        match self.kind:
            case "check":
                return isinstance(value, bool)
            case "choice":
                return any(value == each and type(value) is type(each) for each, _ in self.choices)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and self.least <= value <= self.most  # type: ignore[operator]


class Strength(NamedTuple):
    """A playing strength of a program: its name, and the arguments that it adds to the command."""

    name: str
    words: tuple[str, ...] = ()


AS_IT_IS = Strength("as it is")


class Program(NamedTuple):
    """A known program that plays the game and may be installed on a machine.

    Attributes:
        name: Name of the player.
        command: Words of the command. The first is searched on PATH.
        protocol: Name of the protocol; "" for the game's default.
        strengths: Playing strengths, the default first.
    """

    name: str
    command: tuple[str, ...]
    protocol: str = ""
    strengths: tuple[Strength, ...] = (AS_IT_IS,)


Stones: TypeAlias = Sequence[tuple[str, str]]
"""(sign, place name) of each stone on a board, in the signs of the game's pictures."""


class Form(Struct, frozen=True, kw_only=True):
    """The part of the new-game form that a game defines.

    Attributes:
        title: Name of the game for people.
        fields: Fields in the order of the form.
        settings: Further settings for the control file.
        programs: Known programs that may be installed.
        prefix: Prefix of file names. Other installed programs whose names have it are offered too; "" for
            none.
        drawn: Returns the value of the option `opening` for a position that a person set up. It gets the
            stones, the side to move (None for the default) and the game's options, and raises ValueError for
            an impossible position. None if positions cannot be set up.
    """

    title: str
    fields: tuple[Field, ...] = ()
    settings: Mapping[str, object]
    programs: tuple[Program, ...] = ()
    prefix: str = ""
    drawn: Callable[[Stones, int | None, Mapping[str, object]], str] | None = None
