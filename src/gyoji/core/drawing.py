"""The port of the opening editor: a page shows the board, and the game applies each change that a person
makes.

The page knows no rules and shows what the game returns. A change that is impossible raises ValueError and
alters nothing. An unfinished opening may break the rules; its picture lists how.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from gyoji.core.game import Frame, Scene
from gyoji.core.wire import Value


class Tool(NamedTuple):
    """A tool of the opening editor, which puts one kind of object on a place of the board.

    Attributes:
        label: Text that people read.
        sign: How the object is drawn (`gyoji.core.game`, "Pictures").
        key: Keyboard key that selects the tool.
        counted: Whether the object has an amount.
        single: Whether the board always has exactly one such object. The tool then moves it, or turns it when
            used on its place.
    """

    name: str
    label: str
    sign: str
    key: str
    counted: bool = False
    single: bool = False


class Number(NamedTuple):
    """A number that belongs to the opening as a whole, such as the number of steps of the game.

    Attributes:
        label: Text that people read.
        least: The smallest value.
        most: The greatest value.
    """

    name: str
    label: str
    least: int
    most: int


class Named(NamedTuple):
    """A command or a symmetry of the opening editor: its name, and its label for people."""

    name: str
    label: str


class Change(Value, frozen=True, kw_only=True):
    """One step of editing an opening.

    Attributes:
        do: Name of a tool, a number or a command.
        place: Place on which a tool is used.
        amount: Amount to put there, or the new value of a number.
        stays: Whether the tool leaves an object of its kind on the place, as when the mouse is dragged over
            many places. If false, using the tool again on the same place removes or turns the
            object.
        symmetry: Name of a symmetry of the board: the mirrored place gets the same change. "" for none.
        seed: Seed of a random command.
    """

    do: str
    place: int = 0
    amount: int = 0
    stays: bool = False
    symmetry: str = ""
    seed: int = 0


class Drawn(NamedTuple):
    """An opening as the editor shows it.

    Attributes:
        places: Content of each place in words; "" for an empty place.
        singles: Place of the object of each `single` tool, by the tool's name.
        numbers: Values of the opening's numbers, by name.
        about: One-line summary.
        text: The board as lines of characters.
        flaws: Violations of the rules.
        remarks: Other notes.
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
    """The opening editor of one game, as a port: any object or module with these members.

    An opening is a JSON-ready value of the game's option `opening`.
    """

    suffix: str
    tools: Sequence[Tool]
    numbers: Sequence[Number]
    commands: Sequence[Named]
    symmetries: Sequence[Named]

    def blank(self) -> Mapping[str, Any]:
        """Return an opening with an empty board."""

    def read(self, data: bytes, /) -> Mapping[str, Any]:
        """Parse an opening file of this game. Raises ValueError for an unreadable file."""

    def write(self, opening: Mapping[str, Any], /) -> bytes:
        """Format an opening as a file. Raises ValueError if it is not a valid opening."""

    def change(self, opening: Mapping[str, Any], change: Change, /) -> Mapping[str, Any]:
        """Return the opening after one step of editing. Raises ValueError if the step is impossible."""

    def shown(self, opening: Mapping[str, Any], /) -> Drawn:
        """Return the opening as the editor shows it. Raises ValueError if it is not a valid opening."""
