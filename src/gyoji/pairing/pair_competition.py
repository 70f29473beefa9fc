"""Competitions of pairs: a schedule says which pair plays next, and a cross table counts the results.

`PairCompetition` is what a playoff, a gauntlet, a round robin and a sequential test have in common.
`UniformPairs` is for pairs that all play by the same settings, and `RoundRobin` for all pairs of players.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import GameSpec
from gyoji.pairing.competitors import trials
from gyoji.pairing.game_maker import PAIR, GameMaker, block_of
from gyoji.pairing.schedule import Schedule
from gyoji.results.cross import Cross
from gyoji.results.engine_reports import EngineReports
from gyoji.results.game_ids import game_number
from gyoji.results.tally import PairStats


class PairCompetition(ABC):
    """A competition of numbered pairs. It implements `gyoji.core.ports.Competition`.

    Attributes:
        uncounted: The ids of stored games whose pair is no longer in the control file.
    """

    has_fixed_games = True

    def __init__(self, setup: CompetitionSetup, limits: Sequence[int | None], blocks: Sequence[int]) -> None:
        """Begin without games.

        Args:
            setup: The competition's setup.
            limits: The number of games of each pair; None for no limit.
            blocks: How many games each pair plays in a row before the next pair's turn.
        """
        self.setup = setup
        self.engines = EngineReports()
        self.uncounted: set[str] = set()
        self._schedule = Schedule(limits, blocks)

    @abstractmethod
    def _pair_of(self, result: GameResult) -> int | None:
        """Return the number of the pair that a stored game belongs to; None if its pair is no longer in the
        control file.

        Raises:
            ConfigError: No control file of this competition can have issued the game.
        """

    @abstractmethod
    def _count(self, pair: int, number: int, result: GameResult) -> None:
        """Count the result of game `number` of a pair. `add` calls this at most once for a game."""

    def _count_other(self, number: int, result: GameResult) -> None:
        """Count a game of a pair that is no longer in the control file."""
        self.uncounted.add(result.id)

    @abstractmethod
    def _spec(self, pair: int, number: int) -> GameSpec:
        """Return game `number`, from 0, of a pair."""

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: No control file of this competition can have issued the game.
        """
        number, pair = game_number(result), self._pair_of(result)
        self.engines.add(result)
        if pair is None:
            self._count_other(number, result)
        elif self._schedule.finish(pair, number):
            self._count(pair, number, result)

    def next_game(self) -> GameSpec | None:
        """Issue the next game. `Schedule` chooses the pair."""
        found = self._schedule.next()
        return None if found is None else self._spec(*found)

    def remaining(self) -> int | None:
        return self._schedule.remaining


class UniformPairs(PairCompetition):
    """A competition whose pairs all play by the same settings and change sides after every game.

    Attributes:
        players: All players.
        cross: The results of all games.
        played: Number of finished games, without skipped ones.
    """

    def __init__(
        self,
        setup: CompetitionSetup,
        settings: GameSettings,
        players: Sequence[str],
        *,
        pairs: int,
        limit: int | None,
        block: int = 1,
        name: str = "",
        sides: int | None = PAIR,
    ) -> None:
        """Begin without games.

        Args:
            setup: The competition's setup.
            settings: The settings of all games.
            players: The names of all players.
            pairs: How many pairs there are.
            limit: The number of games of each pair; None for an endless competition.
            block: How many games each pair plays in a row before the next pair's turn. Openings may ask for
                more.
            name: The name of the part of the competition, for records.
            sides: How many sides a game has; None for any number.
        """
        super().__init__(setup, [limit] * pairs, [max(block, block_of(settings))] * pairs)
        self.players = tuple(players)
        self.cross = Cross(players)
        self.played = 0
        self._settings = settings
        self._pairs = pairs
        self._limit = limit
        self._maker = GameMaker(setup, settings, name=name, teams=sides)

    @abstractmethod
    def codes(self, pair: int) -> tuple[str, str]:
        """Return the names of a pair's players in the order in which tables show them."""

    @abstractmethod
    def name(self, pair: int) -> str:
        """Return the id of a pair, with which the ids of its games begin."""

    def begins(self, pair: int) -> bool:
        """Return whether the first of the pair's `codes` has the first seat in games 0, 2, 4, ...

        The second has it in games 1, 3, 5, ...
        """
        return True

    @property
    def total(self) -> int | None:
        """The number of all games; None for an endless competition."""
        return None if self._limit is None else self._limit * self._pairs

    def checks(self) -> Iterator[GameSpec]:
        """Yield one game for the check of each player before a run, scoring players included.

        Yield nothing if no games are to be played (limit 0).
        """
        if self._limit != 0:
            yield from trials(self.setup, (self._settings, self.players))

    def crosses(self) -> dict[str, Cross]:
        return {"": self.cross}

    def stats(self) -> Iterator[PairStats]:
        """Yield the results of each pair in order, pairs without games included."""
        for pair in range(self._pairs):
            players = self.codes(pair)
            yield PairStats(
                id=self.name(pair),
                name=" v ".join(players),
                settings=self._settings,
                limit=self._limit,
                swaps=True,
                players=self.cross.pair(*players),
            )

    def _count(self, pair: int, number: int, result: GameResult) -> None:
        self.cross.add(result)
        self.played += result.outcome.ending is not Ending.SKIPPED

    def _spec(self, pair: int, number: int) -> GameSpec:
        first, second = (self.setup.players[code] for code in self.codes(pair))
        seated = (first, second) if self.begins(pair) else (second, first)
        return self._maker.spec(self.name(pair), number, self._limit, seated, swaps=True)


class RoundRobin(UniformPairs):
    """A competition in which each player meets every other one.

    Pairs are numbered in the order of the list: (0, 1), (0, 2) ... (1, 2) ... A thousand players make half a
    million pairs, so the players of a pair are computed from its number, and nothing is kept for it before it
    plays.
    """

    def __init__(
        self,
        setup: CompetitionSetup,
        settings: GameSettings,
        players: Sequence[str],
        *,
        limit: int | None,
        name: str = "",
    ) -> None:
        count = len(players)
        super().__init__(setup, settings, players, pairs=count * (count - 1) // 2, limit=limit, name=name)
        self._first_pairs = [first * (2 * count - first - 1) // 2 for first in range(count - 1)]
        self._positions = {code: position for position, code in enumerate(players)}

    def positions(self, pair: int) -> tuple[int, int]:
        """Return the positions of a pair's players in the list, the lower one first."""
        first = bisect_right(self._first_pairs, pair) - 1
        return first, first + 1 + pair - self._first_pairs[first]

    def pair_at(self, first: int, second: int) -> int:
        """Return the number of the pair of the players at two positions in the list, first < second."""
        return self._first_pairs[first] + second - first - 1

    def codes(self, pair: int) -> tuple[str, str]:
        first, second = self.positions(pair)
        return self.players[first], self.players[second]

    def _pair_of(self, result: GameResult) -> int | None:
        """Return the number of the pair of a game's players. Return None if a player is not in the list."""
        first, second = sorted(self._positions.get(code, -1) for code in result.opponents)
        return None if first < 0 else self.pair_at(first, second)
