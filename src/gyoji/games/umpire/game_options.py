"""The settings of a game with an umpire, and files of openings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from gyoji.core import wire
from gyoji.core.openings import openings_of
from gyoji.core.text import quote

MOST_SEATS = 64

_NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOptions:
    """The options that games with an umpire and games of a relay have in common.

    Attributes:
        seats: Number of seats, from 1 to 64.
        teams: The team of each seat, numbered from 0 in the order of their first seats; () if each seat is a
            team.
    """

    seats: int = 2
    teams: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.seats <= MOST_SEATS:
            raise ValueError(f"seats: expected 1 to {MOST_SEATS}, got {self.seats}")
        if self.teams and len(self.teams) != self.seats:
            raise ValueError(f"teams: expected one for each of {self.seats} seats, got {len(self.teams)}")
        order = list(dict.fromkeys(self.teams))
        if order != list(range(len(order))):
            raise ValueError(
                f"teams: expected numbers from 0 in the order of their first seats, got {list(self.teams)}"
            )

    @property
    def team_of_seats(self) -> Sequence[int]:
        """The team of each seat."""
        return self.teams or tuple(range(self.seats))


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(SeatOptions):
    """The settings of one game. Raises ValueError for invalid or contradictory ones.

    Attributes:
        settings: Settings of the umpire, which are sent to it unchanged.
        failure: What happens if a seat crashes, is late or sends a malformed answer: the "umpire" decides, or
            its team "loses".
        opening: The start of the game, which only the umpire understands; "" for the ordinary start.
    """

    settings: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    failure: Literal["umpire", "loses"] = "umpire"
    opening: str | Mapping[str, Any] = ""

    def __post_init__(self) -> None:
        SeatOptions.__post_init__(self)  # super() knows no class with slots
        if self.failure not in ("umpire", "loses"):
            raise ValueError(f"failure: got {quote(self.failure)}, expected 'umpire' or 'loses'")


@dataclass(frozen=True, slots=True, kw_only=True)
class RelayOptions(SeatOptions):
    """The options of one game of a relay.

    Attributes:
        opening: The opening, which replaces {opening} in the runner's command; "" for none.
    """

    opening: str = ""

    @property
    def settings(self) -> Mapping[str, Any]:
        """No settings are sent to a runner; its command contains them."""
        return _NONE

    @property
    def failure(self) -> Literal["umpire", "loses"]:
        """The runner decides what the failure of a player costs."""
        return "umpire"


def openings(data: bytes, name: str, options: Mapping[str, Any]) -> Sequence[object]:
    """Return the openings in a file, one per line: a JSON object, or any other text unchanged.

    Raises:
        ValueError: The file is not UTF-8, or a line that begins with a brace is not a JSON object.
    """
    lines = enumerate(data.decode().splitlines(), 1)
    return list(openings_of(((f"line {number}", line) for number, line in lines if line.strip()), _opening))


def _opening(line: str) -> object:
    return wire.loads(dict, line) if line.lstrip().startswith("{") else line.strip()
