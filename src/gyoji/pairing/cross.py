"""Everybody against everybody, whatever the format: cross tables, standings and ratings are made of it.

A thousand players are half a million pairs, of which each has its place as soon as two have met: 0.2 kB.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from gyoji.core.outcome import Ending
from gyoji.core.ports import offers
from gyoji.core.record import GameResult
from gyoji.core.setup import GameSettings
from gyoji.pairing.tally import PairStats, PlayerStats, Rows, Seen, Tally, increments


class Cross:
    """The games of players in all, and of each pair that has met. Nothing is made for a pair that has not.

    players: in the order in which they are to be shown where nothing else decides. Others may come with
    results, after them.

    A pair has two rows, the first that of the player with the lower number.
    """

    __slots__ = ("_all", "_met", "_names", "_numbers", "_pairs", "_seen", "_total")

    def __init__(self, players: Iterable[str] = ()) -> None:
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._all = Rows()
        self._met: list[dict[int, int]] = []  # of each player by number: its pair with another one
        self._pairs = Rows()
        self._seen = Seen()
        self._total = 0  # pairs
        for player in players:
            self._number(player)

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(self._names)

    def add(self, result: GameResult) -> None:
        """Count a finished game; not one that is set aside."""
        if result.outcome.ending is Ending.SET_ASIDE:
            return
        first, second = result.opponents
        one, other, row = self._place(first, second)
        found, is_again = increments(result), self._seen.has(result)
        self._all.count((one, other), found, is_again=is_again)
        self._pairs.count((row, row ^ 1), found, is_again=is_again)

    def include(self, pair: Tally) -> None:
        """Count all games that a tally of two players has counted."""
        one, other, row = self._place(*pair.players)
        for place, (in_all, in_pair) in enumerate(((one, row), (other, row ^ 1))):
            self._all.include(in_all, pair.rows, place)
            self._pairs.include(in_pair, pair.rows, place)

    def _place(self, first: str, second: str) -> tuple[int, int, int]:
        """The numbers of two players, and the row of the first of their meetings with each other."""
        numbers = self._numbers
        one = numbers[first] if first in numbers else self._number(first)
        other = numbers[second] if second in numbers else self._number(second)
        pair = self._met[one].get(other)
        if pair is None:
            pair = self._met[one][other] = self._met[other][one] = self._total
            self._pairs.extend(2)
            self._total += 1
        return one, other, 2 * pair + (one > other)

    def _number(self, player: str) -> int:
        """The number of a player that may be new."""
        number = self._numbers.setdefault(player, len(self._names))
        if number == len(self._names):
            self._names.append(player)
            self._met.append({})
            self._all.extend(1)
        return number

    def of(self, player: str) -> PlayerStats:
        """All that a player did."""
        return self._all.of(self._numbers[player], player)

    def points(self, player: str) -> float:
        return self._all.points(self._numbers[player])

    def opponents(self, player: str) -> Iterator[tuple[str, float]]:
        """Each opponent that a player has met, and the player's points against it."""
        number = self._numbers[player]
        for other, pair in self._met[number].items():
            yield self._names[other], self._pairs.points(2 * pair + (number > other))

    def pair(self, first: str, second: str) -> tuple[PlayerStats, PlayerStats]:
        """The results of two players against each other; nothing if they have not met."""
        row = self._row(first, second)
        rows, row = (Rows(2), 0) if row is None else (self._pairs, row)
        return rows.of(row, first), rows.of(row ^ 1, second)

    def _row(self, first: str, second: str) -> int | None:
        """The row of a player's meetings with another; None if they have not met."""
        one, other = self._numbers[first], self._numbers.get(second, -1)
        pair = self._met[one].get(other)
        return None if pair is None else 2 * pair + (one > other)

    def pair_stats(
        self, pairing: str, players: tuple[str, str], settings: GameSettings, *, limit: int | None
    ) -> PairStats:
        """The results of a pair that changes sides. pairing: its id; limit: how many games it is to have."""
        return PairStats(
            id=pairing,
            name=" v ".join(players),
            settings=settings,
            limit=limit,
            swaps=True,
            players=self.pair(*players),
        )

    def score(self, first: str, second: str) -> tuple[float, float]:
        """The points of two players against each other."""
        row = self._row(first, second)
        return (0, 0) if row is None else (self._pairs.points(row), self._pairs.points(row ^ 1))


class HasCrosses(Protocol):
    """A competition of players who meet each other."""

    def crosses(self) -> Mapping[str, Cross]:
        """Everybody's games, by the name of the part of the competition, "" for all of it."""


def crosses_of(competition: object) -> Mapping[str, Cross]:
    """The games that cross tables, standings and ratings count; nothing where nobody meets often."""
    return competition.crosses() if offers(competition, HasCrosses) else {}
