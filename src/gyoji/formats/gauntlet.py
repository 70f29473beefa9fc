"""The gauntlet: each champion meets each challenger, and no other pair plays.

It measures a new program against several others, or many small changes against one program, without games
among the challengers. The id of a pair is "champion,challenger". No pair gets its next game, or the games of
its next opening, before all others have had as many.

Between two runs champions and challengers may be added, removed and reordered. The games of a pair that is
no longer in the lists are kept, and count again if it comes back.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, PlayerCode, check_least, refuse_twins
from gyoji.core.tables import Block
from gyoji.core.text import quote
from gyoji.pairing.pair_competition import UniformPairs
from gyoji.results.standings import standings
from gyoji.tables.event_tables import EventTables, played_line
from gyoji.tables.pair_tables import blocks, matchup
from gyoji.tables.standings_tables import score_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(GameSettings):
    """The settings of a gauntlet, besides those of its games.

    Attributes:
        champions: One champion or more.
        challengers: The challengers. Empty: all other players.
        rounds: Number of games of each pair. None: endless. 0: none, but results are kept.
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


class Gauntlet(UniformPairs):
    """A gauntlet. It implements `gyoji.core.ports.Competition`."""

    def __init__(self, setup: CompetitionSetup) -> None:
        self.settings = setup.settings_as(Settings)
        self.champions: tuple[str, ...] = self.settings.champions
        busy = {*self.champions, self.settings.scoring_player}
        idle = tuple(code for code in setup.players if code not in busy)
        self.challengers: tuple[str, ...] = self.settings.challengers or idle
        if not self.challengers:
            raise ConfigError(f"{setup.code}: players: expected one or more challengers, got none")
        self._codes = [
            (champion, challenger) for challenger in self.challengers for champion in self.champions
        ]
        players, pairs = (*self.champions, *self.challengers), len(self._codes)
        super().__init__(setup, self.settings, players, pairs=pairs, limit=self.settings.rounds)
        self._numbers = {self.name(pair): pair for pair in range(pairs)}

    def codes(self, pair: int) -> tuple[str, str]:
        return self._codes[pair]

    def name(self, pair: int) -> str:
        return ",".join(self._codes[pair])  # no code has a comma

    # Pairs are numbered challenger by challenger. The sum of both indices alternates along both lists, so
    # each player begins about half of its pairs.
    def begins(self, pair: int) -> bool:
        """Return whether the champion of a pair has the first seat in the pair's even games.

        That is so if the positions of champion and challenger in their lists are both even or both odd.

        Args:
            pair: Number of the pair, from 0.
        """
        return sum(divmod(pair, len(self.champions))) % 2 == 0

    # A stored game of players that are no longer in the lists is kept: they may come back. A game whose
    # pairing id does not have its players was never issued by a gauntlet.
    def _pair_of(self, result: GameResult) -> int | None:
        if set(result.pairing.split(",")) != set(result.opponents):
            raise ConfigError(f"stored game {quote(result.id)} is not a game of a gauntlet")
        return self._numbers.get(result.pairing)


class GauntletTables(EventTables[Gauntlet]):
    """The tables of a gauntlet: number of games, scores of the challengers and of the champions, a block of
    each pair.
    """

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

    def facts(self) -> dict[str, Any]:
        event = self.event
        return {
            "champions": event.champions,
            "challengers": event.challengers,
            "played": event.played,
            "matchups": [matchup(stats) for stats in event.stats() if stats.played],
            "not_counted": sorted(event.uncounted),
        }


FORMAT = Format(name="gauntlet", settings=Settings, competition=Gauntlet, tables=GauntletTables)
