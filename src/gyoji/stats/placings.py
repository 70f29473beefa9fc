"""The results of games with any number of sides, as places: the input of `placed_ratings`."""

from array import array
from collections.abc import Hashable, Iterator, Sequence
from math import nan
from typing import NamedTuple


class Placed(NamedTuple):
    """One game.

    Attributes:
        players: The number of the player of each side, in the order of the sides.
        places: The place of each side: the lower, the better. Equal places are ties.
        unit: The number of the game's unit. Games of one unit share seed, opening and players, and are one
            observation.
    """

    players: tuple[int, ...]
    places: tuple[int, ...]
    unit: int


# Seatings and places recur, so a game is stored as three numbers, besides the points and totals of its sides.
class Placings:
    """Collects games for ratings. A game takes 12 bytes, and 16 more for each side.

    Attributes:
        points: The points of each side of each game, one game after the other.
        totals: The totals, such as treasure, of each side in the same order; NaN in games without totals.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._seatings: dict[tuple[int, ...], int] = {}
        self._places: dict[tuple[int, ...], int] = {}
        self._units: dict[Hashable, int] = {}
        self._games = array("I")
        self.points = array("d")
        self.totals = array("d")

    @property
    def players(self) -> tuple[str, ...]:
        """The players by number."""
        return tuple(self._numbers)

    @property
    def units(self) -> int:
        """Number of units of the games (`Placed.unit`)."""
        return len(self._units)

    def __len__(self) -> int:
        return len(self._games) // 3

    def __iter__(self) -> Iterator[Placed]:
        """Yield the games in the order in which they were added."""
        seatings, places, games = list(self._seatings), list(self._places), self._games
        for at in range(0, len(games), 3):
            yield Placed(seatings[games[at]], places[games[at + 1]], games[at + 2])

    def add(
        self,
        players: Sequence[str],
        places: Sequence[int],
        unit: Hashable,
        *,
        points: Sequence[float],
        totals: Sequence[float] = (),
    ) -> None:
        """Count a game.

        Args:
            players: The player of each side.
            places: The place of each side, from 1.
            unit: A key of the game's unit.
            points: The points of each side.
            totals: The total of each side, such as chips; () if the game has none.

        Raises:
            ValueError: There are fewer than two different players, or a place or points are missing.
        """
        if len(set(players)) < 2 or not len(players) == len(places) == len(points):
            raise ValueError(
                f"expected players, and a place and points of each, got {players}, {places} and {points}"
            )
        numbers, seatings, units = self._numbers, self._seatings, self._units
        seated = tuple([numbers.setdefault(player, len(numbers)) for player in players])
        self._games.append(seatings.setdefault(seated, len(seatings)))
        self._games.append(self._places.setdefault(tuple(places), len(self._places)))
        self._games.append(units.setdefault(unit, len(units)))
        self.points.extend(points)
        self.totals.extend(totals or (nan,) * len(players))
