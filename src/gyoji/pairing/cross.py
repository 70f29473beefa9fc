"""Everybody's games against everybody, whatever the format: what cross tables and standings are made of."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, runtime_checkable

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.pairing.tally import PlayerStats, Tally, deeds


class Cross:
    """The tallies of players and of the pairs that have met. Nothing is made for a pair that has not.

    players: in the order in which they are to be shown where nothing else decides. Others may come with
    results, after them.
    """

    __slots__ = ("_met", "_players")

    def __init__(self, players: Iterable[str] = ()) -> None:
        self._players: dict[str, Tally] = {player: Tally(player) for player in players}
        self._met: dict[str, dict[str, Tally]] = {player: {} for player in self._players}

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(self._players)

    def add(self, result: GameResult) -> None:
        """Count a finished game; not one that is set aside."""
        if result.outcome.ending is Ending.SET_ASIDE:
            return
        first, second = result.opponents
        one, other, both = self._tallies(first, second)
        for player, deed, tally in zip((first, second), deeds(result), (one, other), strict=True):
            tally.count(player, deed)
            both.count(player, deed)

    def include(self, pair: Tally) -> None:
        """Count all games that a tally of two players has counted."""
        for tally in self._tallies(*pair.players):
            tally.include(pair)

    def _tallies(self, first: str, second: str) -> tuple[Tally, Tally, Tally]:
        """The tallies of two players, and that of their meetings."""
        for player in (first, second):
            if player not in self._players:
                self._players[player], self._met[player] = Tally(player), {}
        pair = self._met[first].get(second)
        if pair is None:
            pair = self._met[first][second] = self._met[second][first] = Tally(first, second)
        return self._players[first], self._players[second], pair

    def of(self, player: str) -> PlayerStats:
        """All that a player did."""
        return self._players[player].of(player)

    def points(self, player: str) -> float:
        return self._players[player].points(player)

    def opponents(self, player: str) -> Iterator[tuple[str, float]]:
        """Each opponent that a player has met, and the player's points against it."""
        return ((opponent, pair.points(player)) for opponent, pair in self._met[player].items())

    def pair(self, first: str, second: str) -> tuple[PlayerStats, PlayerStats]:
        """The results of two players against each other; nothing if they have not met."""
        tally = self._met[first].get(second) or Tally(first, second)
        return tally.of(first), tally.of(second)

    def score(self, first: str, second: str) -> tuple[float, float]:
        """The points of two players against each other."""
        tally = self._met[first].get(second)
        return (tally.points(first), tally.points(second)) if tally else (0, 0)


@runtime_checkable
class HasCrosses(Protocol):
    """A competition of players who meet each other."""

    def crosses(self) -> Mapping[str, Cross]:
        """Everybody's games, by the name of the part of the competition, "" for all of it."""


def crosses_of(competition: object) -> Mapping[str, Cross]:
    """The games that cross tables, standings and ratings count; nothing where nobody meets often."""
    return competition.crosses() if isinstance(competition, HasCrosses) else {}
