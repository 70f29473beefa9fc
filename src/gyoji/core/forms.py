"""Questions of a form for one new game: the part of it that is the game's own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

Plain: TypeAlias = str | float | bool | None


class Field(NamedTuple):
    """A setting of a game, as a form asks for it.

    key      of the setting.   label: what people read.
    kind     "number", between least and most; "choice", one of the choices; "check", true or false.
    value    what it is where the person says nothing; None leaves the setting out.
    choices  (value, label) of what may be chosen, or of what is often chosen for a number.
    step     of a number.
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
        """Whether somebody may answer so."""
        match self.kind:
            case "check":
                return isinstance(value, bool)
            case "choice":
                return any(value == each and type(value) is type(each) for each, _ in self.choices)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and self.least <= value <= self.most  # type: ignore[operator]


class Strength(NamedTuple):
    """How well a program plays, in words, and what its command has more for it."""

    name: str
    words: tuple[str, ...] = ()


AS_IT_IS = Strength("as it is")


class Program(NamedTuple):
    """A program that plays the game, and that a machine may have.

    name       of the player.   command: its words; the first is looked for.   protocol: "" for the game's.
    strengths  that it can be played at, the usual one first.
    """

    name: str
    command: tuple[str, ...]
    protocol: str = ""
    strengths: tuple[Strength, ...] = (AS_IT_IS,)


Stones: TypeAlias = Sequence[tuple[str, str]]
"""(sign, place) of what stands on a board, as pictures have them; the place by its name."""


class Form(Struct, frozen=True, kw_only=True):
    """The game's part of a form.

    title     the game's name as people write it.
    fields    in the order in which they are asked for.
    settings  of the control file besides.
    programs  that may be there.   prefix: how names of others begin, "" if nobody knows.
    drawn     the value of the option `opening` that stands for a position that somebody has drawn: its
              stones, the side that is to move (None: the usual one), and the options of the game. Raises
              ValueError for what cannot be. None: nothing can be drawn.
    """

    title: str
    fields: tuple[Field, ...] = ()
    settings: Mapping[str, object]
    programs: tuple[Program, ...] = ()
    prefix: str = ""
    drawn: Callable[[Stones, int | None, Mapping[str, object]], str] | None = None
