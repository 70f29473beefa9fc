"""The port of the opening editor: how a page lets a person draw an opening, while the game applies each
change.

The page knows no rules and shows what the game returns. A change that is impossible raises ValueError and
alters nothing. An unfinished opening may break the rules; its picture lists how.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from gyoji.core.game import Frame, Scene
from gyoji.core.wire import Value


class Tool(NamedTuple):
    """A tool of the opening editor: it puts one kind of thing on a place of the board.

    Attributes:
        label: Name for people.
        sign: How the thing is drawn.
        key: Keyboard key that selects the tool.
        counted: Whether the thing has an amount.
        single: Whether there is always exactly one such thing on the board. The tool then moves it, or turns
            it if it is used where the thing stands.
    """

    name: str
    label: str
    sign: str
    key: str
    counted: bool = False
    single: bool = False


class Number(NamedTuple):
    """A number in the editor that belongs to the opening as a whole, such as the number of steps of the game.

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
    """A command or a symmetry of the opening editor: its name, and the label that people read."""

    name: str
    label: str


class Change(Value, frozen=True, kw_only=True):
    """One step of editing an opening.

    Attributes:
        do: Name of a tool, a number or a command.
        place: Place on which a tool is used.
        amount: Amount to put there, or the new value of a number.
        stays: Whether a second use on the same place changes nothing, as in a stroke over many places.
            Otherwise it removes what the first one put.
        symmetry: Symmetry whose opposite place gets the same change; "" for none.
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
        singles: Place of each thing of which there is exactly one, by tool.
        numbers: Values by name.
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

    An opening is a JSON-ready value in the form of the game's option `opening`.
    """

    suffix: str
    tools: Sequence[Tool]
    numbers: Sequence[Number]
    commands: Sequence[Named]
    symmetries: Sequence[Named]

    def blank(self) -> Mapping[str, Any]:
        """Return an opening without anything on the board."""

    def read(self, data: bytes, /) -> Mapping[str, Any]:
        """Parse an opening file of this game. Raises ValueError for an unreadable file."""

    def write(self, opening: Mapping[str, Any], /) -> bytes:
        """Format an opening as a file. Raises ValueError if it is not a valid opening."""

    def change(self, opening: Mapping[str, Any], change: Change, /) -> Mapping[str, Any]:
        """Return the opening after one step of editing. Raises ValueError if the step is impossible."""

    def shown(self, opening: Mapping[str, Any], /) -> Drawn:
        """Return the opening as the editor shows it. Raises ValueError if it is not a valid opening."""
