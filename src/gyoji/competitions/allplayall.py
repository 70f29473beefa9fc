"""Everybody plays everybody: gomill's all-play-all, a round robin of as many rounds as wanted.

The competitors have letters, and a pair is named after them: AvB. The earlier of the two has the first seat
in the games with an even number, the other in those with an odd one. Every pair has a game before any has its
next, so that standings mean something at any time; where there are openings, both games of one.

Competitors may be added at the end of the list between two runs, and catch up first. A thousand of them are
half a million pairs: until two have met, their pair is a few bytes.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from gyoji.core.faults import ConfigError
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, PlayerCode
from gyoji.core.spec import GameSpec
from gyoji.pairing.cross import Cross
from gyoji.pairing.games import GameMaker, block_of, game_number
from gyoji.pairing.introductions import Introductions
from gyoji.pairing.schedule import Schedule, Taken
from gyoji.pairing.tally import PairStats


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(GameSettings):
    """An all-play-all's own settings, beside those of its games.

    competitors  in the order of their letters; none given: all players, as the control file has them.
    rounds       games of each pair; None: endless; 0 or less: none, but results are kept.
    """

    competitors: tuple[PlayerCode, ...] = ()
    rounds: int | None = None

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        twice = [code for code in self.competitors if self.competitors.count(code) > 1]
        if twice:
            raise ValueError(f"competitors: {twice[0]!r} is given twice")
        if len(self.competitors) == 1:
            raise ValueError(f"competitors: expected two or more, got only {self.competitors[0]!r}")

    @property
    def limit(self) -> int | None:
        """How many games each pair is to have, from 0; None when endless."""
        return None if self.rounds is None else max(self.rounds, 0)


def competitor(player: str) -> str:
    """gomill's other way to name a competitor, `Competitor("a")`, in Python control files."""
    return player


CTL_NAMES = {"Competitor": competitor}
"""Further names that a Python control file of this format may use."""


def letters(position: int) -> str:
    """What a competitor is called by its position.

    >>> [letters(position) for position in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    before, last = divmod(position, 26)
    return (letters(before - 1) if before else "") + chr(ord("A") + last)


class Allplayall:
    """The all-play-all of a setup, as far as it has been played. See `gyoji.core.ports.Competition`.

    cross: everybody's results. played: games that have a result.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.settings: Settings = setup.settings
        others = (code for code in setup.players if code != self.settings.scoring_player)
        self.competitors: tuple[str, ...] = self.settings.competitors or tuple(others)
        if len(self.competitors) < 2:
            raise ConfigError(f"{setup.code}: players: everybody plays everybody: expected two or more")
        self.letters = tuple(map(letters, range(len(self.competitors))))
        self.cross = Cross(self.competitors)
        self.played = 0
        count = len(self.competitors)
        self._positions = {code: position for position, code in enumerate(self.competitors)}
        self._first_pairs = [place * (2 * count - place - 1) // 2 for place in range(count - 1)]
        self._maker = GameMaker(setup, self.settings)
        self._schedule = Schedule([self.settings.limit] * self.pairs, [block_of(self.settings)] * self.pairs)
        self._finished = Taken(self.pairs)
        self._introductions = Introductions()

    @property
    def pairs(self) -> int:
        """How many there are."""
        return len(self.competitors) * (len(self.competitors) - 1) // 2

    @property
    def engines(self) -> Mapping[str, EngineReport]:
        """What each player's engine said of itself in its last game."""
        return self._introductions.engines

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError if competitors are not those it was played by."""
        pair, number = self._pair(result), game_number(result)
        self._schedule.take(pair, number)
        if self._finished.add(pair, number):
            self.cross.add(result)
            self.played += 1
        self._introductions.add(result)

    def next_game(self) -> GameSpec | None:
        """The next game, of the pair that has had fewest."""
        found = self._schedule.next()
        if found is None:
            return None
        pair, number = found
        first = bisect_right(self._first_pairs, pair) - 1
        second = first + 1 + pair - self._first_pairs[first]
        players = self.setup.players
        pair_players = players[self.competitors[first]], players[self.competitors[second]]
        return self._maker.spec(
            self._name(first, second), number, self.settings.limit, pair_players, swaps=True
        )

    def remaining(self) -> int | None:
        """How many games are still to be issued; None when it is endless."""
        return self._schedule.remaining

    def checks(self) -> Iterator[GameSpec]:
        """A game for each competitor, and for the player that scores."""
        if self.settings.limit != 0:
            for code in dict.fromkeys((*self.competitors, self.settings.scoring_player)):
                if code:
                    yield self._maker.check("", self.setup.players[code])

    def stats(self) -> Iterator[PairStats]:
        """The results of each pair, in order, those that have none included. Lazy."""
        for first, second in combinations(range(len(self.competitors)), 2):
            yield self.pair_stats(first, second)

    def pair_stats(self, first: int, second: int) -> PairStats:
        """The results of two competitors by their positions, the earlier one first."""
        codes = self.competitors[first], self.competitors[second]
        return PairStats(
            id=self._name(first, second),
            name=" v ".join(codes),
            settings=self.settings,
            limit=self.settings.limit,
            swaps=True,
            players=self.cross.pair(*codes),
        )

    def _name(self, first: int, second: int) -> str:
        return f"{self.letters[first]}v{self.letters[second]}"

    def _pair(self, result: GameResult) -> int:
        """The number of the pair that a stored game is of."""
        first, second = sorted(self._positions.get(code, -1) for code in result.players[:2])
        if first < 0 or self._name(first, second) != result.pairing:
            raise ConfigError(
                f"stored game {result.id} is of {' v '.join(result.players)}, which does not fit the "
                "competitors: they may be added at the end, but not taken out, replaced or moved: "
                "give the list as it was, or reset the competition"
            )
        return self._first_pairs[first] + second - first - 1


def competition(setup: CompetitionSetup) -> Allplayall:
    """The all-play-all that `setup` describes, before its first game."""
    return Allplayall(setup)
