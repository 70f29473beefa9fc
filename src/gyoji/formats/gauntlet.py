"""The gauntlet: each of the champions against each of the challengers, and nobody else against anybody.

It measures a new program against a field, or many small changes against one yardstick: no game is spent on
how the challengers do among themselves. A pair is named after its champion and its challenger:
"champion,challenger". Every pair has a game before any has its next; where there are openings, all games of
one.

Between two runs champions and challengers may be added, taken out and moved at will. What was played by a
pair that is not in the lists any more is kept, and counts again if it comes back.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, PlayerCode
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Endings
from gyoji.core.text import quote
from gyoji.pairing.cross import Cross
from gyoji.pairing.field import EngineReports, check_least, refuse_twins, trials
from gyoji.pairing.games import GameMaker, block_of, game_number
from gyoji.pairing.schedule import Schedule
from gyoji.pairing.standings import standings
from gyoji.pairing.tally import PairStats
from gyoji.tables.event import EventTables, played_line
from gyoji.tables.pairs import blocks, pair_values
from gyoji.tables.standings import score_table, standing_values


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(GameSettings):
    """A gauntlet's own settings, beside those of its games.

    champions    one or more.
    challengers  none given: all other players.
    rounds       games of each pair; None: endless; 0: none, but results are kept.
    """

    champions: tuple[PlayerCode, ...]
    challengers: tuple[PlayerCode, ...] = ()
    rounds: int | None = None

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        refuse_twins("champions", self.champions)
        refuse_twins("challengers", self.challengers)
        if not self.champions:
            raise ValueError("champions: expected one or more, got none")
        for code in self.challengers:
            if code in self.champions:
                raise ValueError(f"challengers: {quote(code)} is a champion")
        check_least(0, rounds=self.rounds)


class Gauntlet:
    """The gauntlet of a setup, as far as it has been played. See `gyoji.core.ports.Competition`.

    cross      the games of its pairs; played: how many these are.
    uncounted  the ids of stored games of other pairs.
    """

    has_fixed_games = True

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.settings = setup.settings_as(Settings)
        self.champions: tuple[str, ...] = self.settings.champions
        busy = {*self.champions, self.settings.scoring_player}
        idle = tuple(code for code in setup.players if code not in busy)
        self.challengers: tuple[str, ...] = self.settings.challengers or idle
        if not self.challengers:
            raise ConfigError(f"{setup.code}: players: expected one or more challengers, got none")
        self.cross = Cross((*self.champions, *self.challengers))
        self.played = 0
        self.uncounted: set[str] = set()
        self._pairs = [
            (champion, challenger) for challenger in self.challengers for champion in self.champions
        ]
        self._numbers = {pairing_id(*pair): number for number, pair in enumerate(self._pairs)}
        limits, blocks = [self.settings.rounds], [block_of(self.settings)]
        self._schedule = Schedule(limits * len(self._pairs), blocks * len(self._pairs))
        self._maker = GameMaker(setup, self.settings)
        self.engines = EngineReports()

    @property
    def total(self) -> int | None:
        """How many games there are to be in all; None when it is endless."""
        return None if self.settings.rounds is None else self.settings.rounds * len(self._pairs)

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one that no gauntlet makes."""
        number = game_number(result)
        if set(result.pairing.split(",")) != set(result.opponents):
            raise ConfigError(f"stored game {quote(result.id)} is not a game of a gauntlet")
        self.engines.add(result)
        pair = self._numbers.get(result.pairing)
        if pair is None:
            self.uncounted.add(result.id)
            return
        if self._schedule.finish(pair, number):
            self.cross.add(result)
            self.played += result.outcome.ending is not Ending.SET_ASIDE

    def next_game(self) -> GameSpec | None:
        """The next game, of the pair that has had fewest. In half of the pairs the challenger begins."""
        found = self._schedule.next()
        if found is None:
            return None
        pair, number = found
        champion, challenger = self._pairs[pair]
        first, second = self.setup.players[champion], self.setup.players[challenger]
        if sum(divmod(pair, len(self.champions))) % 2:
            first, second = second, first
        name = pairing_id(champion, challenger)
        return self._maker.spec(name, number, self.settings.rounds, (first, second), swaps=True)

    def remaining(self) -> int | None:
        return self._schedule.remaining

    def checks(self) -> Iterator[GameSpec]:
        """A game for each player that will play, and for the one that scores."""
        if self.settings.rounds != 0:
            yield from trials(self.setup, self.settings, *self.champions, *self.challengers)

    def crosses(self) -> dict[str, Cross]:
        """One, of all games."""
        return {"": self.cross}

    def stats(self) -> Iterator[PairStats]:
        """The results of each pair, in order, those that have none included. Lazy."""
        for pair in self._pairs:
            yield self.cross.pair_stats(pairing_id(*pair), pair, self.settings, limit=self.settings.rounds)


def pairing_id(champion: str, challenger: str) -> str:
    """The name of a pair; no code has a comma."""
    return f"{champion},{challenger}"


class GauntletTables(EventTables[Gauntlet]):
    """How many games are played, the challengers from the best on, the champions; a block of each pair."""

    def screen(self) -> Iterator[Block]:
        event = self.event
        yield played_line(event.played, event.total)
        for codes, others in ((event.challengers, event.champions), (event.champions, ())):
            places = [place for place in standings(event.cross) if place.player in codes]
            yield ""
            yield score_table(event.cross, places, others)

    def body(self) -> Iterator[Block]:
        yield ""
        yield from self.screen()
        yield ""
        yield from blocks(self.event.stats())
        yield ""
        if ids := " ".join(sorted(self.event.uncounted)):
            yield f"not counted, because their pairs are not in the control file: {ids}"

    def own_values(self, endings: Endings) -> dict[str, Any]:
        event = self.event
        return {
            "champions": list(event.champions),
            "challengers": list(event.challengers),
            "played": event.played,
            "standings": standing_values(standings(event.cross), event.setup.game),
            "matchups": [
                pair_values(stats, endings.get(stats.id, {})) for stats in event.stats() if stats.played
            ],
            "not_counted": sorted(event.uncounted),
        }


FORMAT = Format(name="gauntlet", settings=Settings, competition=Gauntlet, tables=GauntletTables)
