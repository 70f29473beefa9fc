"""The results of every player against every other: the source of cross tables, standings and ratings."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from gyoji.core.outcome import Ending
from gyoji.core.ports import supports
from gyoji.core.record import GameResult
from gyoji.results.tally import DuplicateGames, PlayerStats, StatsArrays, Tally, deltas


class Cross:
    """The results of each player in all games, and of each pair that has met.

    A pair that has met takes two rows of an array and two entries in dicts, about 0.2 kB; other pairs take no
    memory. The first of the two rows belongs to the player with the lower number.

    Attributes:
        players: The names of the players. Tables show tied players in this order. A player that is known only
            from results comes at the end.
    """

    __slots__ = ("_all", "_met", "_names", "_numbers", "_pairs", "_seen", "_total")

    def __init__(self, players: Iterable[str] = ()) -> None:
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._all = StatsArrays()
        self._met: list[dict[int, int]] = []  # for each player, by number of the opponent: number of the pair
        self._pairs = StatsArrays()
        self._seen = DuplicateGames()
        self._total = 0  # pairs
        for player in players:
            self._number(player)

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(self._names)

    def add(self, result: GameResult) -> None:
        """Count a finished game for both players and for their pair. A skipped game adds nothing."""
        if result.outcome.ending is Ending.SKIPPED:
            return
        first, second = result.opponents
        one, other, row = self._place(first, second)
        found, is_again = deltas(result), self._seen.repeats(result)
        self._all.count((one, other), found, is_again=is_again)
        self._pairs.count((row, row ^ 1), found, is_again=is_again)

    def include(self, pair: Tally) -> None:
        """Add all counts of a tally of two players."""
        one, other, row = self._place(*pair.players)
        for place, (in_all, in_pair) in enumerate(((one, row), (other, row ^ 1))):
            self._all.include(in_all, pair.rows, place)
            self._pairs.include(in_pair, pair.rows, place)

    def _place(self, first: str, second: str) -> tuple[int, int, int]:
        """Return three indices: those of the two players, and that of the row of `first` against `second` in
        `_pairs`.

        Add the players and the pair if they are new.
        """
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
        """Return the number of a player. A new player gets one."""
        number = self._numbers.setdefault(player, len(self._names))
        if number == len(self._names):
            self._names.append(player)
            self._met.append({})
            self._all.extend(1)
        return number

    def of(self, player: str) -> PlayerStats:
        """Return the results of a player in all games."""
        return self._all.of(self._numbers[player], player)

    def points(self, player: str) -> float:
        """Return the points of a player in all games."""
        return self._all.points(self._numbers[player])

    def opponents(self, player: str) -> Iterator[tuple[str, float]]:
        """Yield each opponent that a player has met, with the player's points against it."""
        number = self._numbers[player]
        for other, pair in self._met[number].items():
            yield self._names[other], self._pairs.points(2 * pair + (number > other))

    def pair(self, first: str, second: str) -> tuple[PlayerStats, PlayerStats]:
        """Return the results of two players against each other, zeros if they have not met."""
        row = self._row(first, second)
        rows, row = (StatsArrays(2), 0) if row is None else (self._pairs, row)
        return rows.of(row, first), rows.of(row ^ 1, second)

    def _row(self, first: str, second: str) -> int | None:
        """Return the index in `_pairs` of the results of `first` against `second`; None without games."""
        one, other = self._numbers[first], self._numbers.get(second, -1)
        pair = self._met[one].get(other)
        return None if pair is None else 2 * pair + (one > other)

    def score(self, first: str, second: str) -> tuple[float, float]:
        """Return the points of `first` and of `second` in their games against each other."""
        row = self._row(first, second)
        return (0, 0) if row is None else (self._pairs.points(row), self._pairs.points(row ^ 1))


class HasCrosses(Protocol):
    """A competition that has cross tables."""

    def crosses(self) -> Mapping[str, Cross]:
        """Return the results of each part of the competition by the part's name, "" for the whole."""


def crosses_of(competition: object) -> Mapping[str, Cross]:
    """Return a competition's results for cross tables, standings and ratings; {} if its format has none."""
    return competition.crosses() if supports(competition, HasCrosses) else {}
