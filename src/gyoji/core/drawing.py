"""Openings drawn by hand: what a page asks of a game so that somebody can draw one.

The page shows what the game makes of each change, and knows no rules. A change that cannot be made raises
ValueError, and then nothing has changed; what is drawn may break the rules until it is finished, and the
picture of it says how.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from gyoji.core.game import Frame, Scene
from gyoji.core.wire import Value


class Tool(NamedTuple):
    """A thing that can be put on a place.

    sign     how it is drawn.   label: its name for people.   key: that picks it.
    counted  whether it is put with an amount.
    single   whether there is always one of it: it is moved, and where it stands already it is turned.
    """

    name: str
    label: str
    sign: str
    key: str
    counted: bool = False
    single: bool = False


class Number(NamedTuple):
    """A number of the opening as a whole."""

    name: str
    label: str
    least: int
    most: int


class Named(NamedTuple):
    """A choice by name: a command, a symmetry."""

    name: str
    label: str


class Change(Value, frozen=True, kw_only=True):
    """One step of drawing.

    do        the name of a tool, a number or a command.
    place     where a tool is used.
    amount    what is put there; of a number, what it becomes.
    stays     whether a tool that has been used there already changes nothing, as in a stroke over many
              places; otherwise it takes back what it put.
    symmetry  in which the same is done at the place that lies opposite; "" for none.
    seed      of a command that needs chance.
    """

    do: str
    place: int = 0
    amount: int = 0
    stays: bool = False
    symmetry: str = ""
    seed: int = 0


class Drawn(NamedTuple):
    """An opening as it is shown to whoever draws it.

    places   what stands on each place, in words, "" for nothing.   numbers: by name.
    singles  where each single tool has put what it puts, by name.
    about    one line on it.   text: the board as lines of characters.
    flaws    what the rules exclude; remarks: what else there is to say of it.
    """

    scene: Scene
    frame: Frame
    places: Sequence[str]
    singles: Mapping[str, int]
    numbers: Mapping[str, int]
    about: str
    text: str
    flaws: Sequence[str]
    remarks: Sequence[str]


class Drawing(Protocol):
    """How openings of a game are drawn; a module with all of this is one. Openings are JSON-ready."""

    suffix: str
    tools: Sequence[Tool]
    numbers: Sequence[Number]
    commands: Sequence[Named]
    symmetries: Sequence[Named]

    def blank(self) -> Mapping[str, Any]:
        """An opening with nothing on it."""

    def read(self, data: bytes, /) -> Mapping[str, Any]:
        """The opening of a file. Raises ValueError."""

    def write(self, opening: Mapping[str, Any], /) -> bytes:
        """The file of an opening. Raises ValueError for what is none."""

    def change(self, opening: Mapping[str, Any], change: Change, /) -> Mapping[str, Any]:
        """The opening after a change. Raises ValueError."""

    def shown(self, opening: Mapping[str, Any], /) -> Drawn:
        """The opening as it is shown. Raises ValueError for what is none."""
