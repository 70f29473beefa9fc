"""The round robin, gomill's all-play-all: every competitor meets every other one, in any number of rounds.

Competitors have letters, and the id of a pair is made of them: AvB. The games of a pair are numbered from 0.
Berger's tables say who has the first seat in the pair's even games; the opponent has it in the odd games.
With gomill's seating, the competitor that is earlier in the list has it in the even games. No pair gets its
next game (or both games of an opening) before all others have had as many, so standings are fair at any time.

Between two runs competitors may be added at the end of the list. They play their missing games first.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, PlayerCode
from gyoji.core.tables import Block, Style, Table, count, texts
from gyoji.pairing.berger import Seating, begins, berger
from gyoji.pairing.pair_competition import RoundRobin
from gyoji.results.game_ids import game_number
from gyoji.results.standings import standings
from gyoji.tables.event_tables import EventTables, played_line
from gyoji.tables.pair_tables import blocks, matchup
from gyoji.tables.standings_tables import brief_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(GameSettings):
    """The settings of a round robin, besides those of its games.

    Attributes:
        competitors: The competitors in the order of their letters. Empty: all players in the order of the
            control file.
        rounds: Number of games of each pair. None: endless. 0: none, but results are kept.
        seating: The order of the pairs, and who has the first seat: by Berger's tables, or by the list of
            players, as in gomill.
    """

    competitors: tuple[PlayerCode, ...] = ()
    rounds: int | None = None
    seating: Seating = "berger"

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        twice = [code for code in self.competitors if self.competitors.count(code) > 1]
        if twice:
            raise ValueError(f"competitors: {twice[0]!r} is given twice")
        if len(self.competitors) == 1:
            raise ValueError(f"competitors: expected two or more, got only {self.competitors[0]!r}")
        if self.rounds is not None and self.rounds < 0:
            raise ValueError(f'rounds: expected 0 or more, or "none" for endless, got {self.rounds}')


def competitor(player: str) -> str:
    """Return the player's name unchanged. It is the function `Competitor` of gomill's control files."""
    return player


CTL_NAMES = {"Competitor": competitor}
"""Further names that a control file of gomill (.ctl) of this format may use."""


def letters(position: int) -> str:
    """Return the letters of a competitor by its position.

    >>> [letters(position) for position in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    before, last = divmod(position, 26)
    return (letters(before - 1) if before else "") + chr(ord("A") + last)


_UNKNOWN, _EARLIER, _LATER = range(3)
"""Who has the first seat in a pair's games with an even number, as its stored games show: unknown without
games, the player earlier in the list, or the later one.
"""


# Berger's tables depend on the number of competitors, so a player that joins between two runs changes who has
# the first seat. A pair that has played goes on as it began: `keep` reads that from the seats of its games.
class RoundRobinEvent(RoundRobin):
    """A round robin. It implements `gyoji.core.ports.Competition`."""

    def __init__(self, setup: CompetitionSetup) -> None:
        self.settings = setup.settings_as(Settings)
        others = (code for code in setup.players if code != self.settings.scoring_player)
        self.competitors: tuple[str, ...] = self.settings.competitors or tuple(others)
        if len(self.competitors) < 2:
            raise ConfigError(f"{setup.code}: players: expected two or more, since all play each other")
        self.letters = tuple(map(letters, range(len(self.competitors))))
        super().__init__(setup, self.settings, self.competitors, limit=self.settings.rounds)
        self._begun = bytearray(self._pairs)
        self._is_berger = self.settings.seating == "berger"
        if self._is_berger:
            self._schedule.reorder(self.pair_at(min(pair), max(pair)) for pair in berger(len(self.players)))

    def keep(self, result: GameResult) -> None:
        """Note from a game which player of its pair has the first seat in the pair's even games.

        The pair keeps these seats, even if added competitors change Berger's tables. Called for each finished
        game, and for games in progress when the control file is read again
        (`gyoji.pairing.rounds.KeepsPairs`).
        """
        pair, number = self._pair_of(result), game_number(result)
        earlier = self.players[self.positions(pair)[0]]
        is_earlier = (result.players[0] == earlier) == (number % 2 == 0)
        self._begun[pair] = _EARLIER if is_earlier else _LATER

    def name(self, pair: int) -> str:
        first, second = self.positions(pair)
        return f"{self.letters[first]}v{self.letters[second]}"

    def begins(self, pair: int) -> bool:
        begun = self._begun[pair]
        if begun == _UNKNOWN:
            return not self._is_berger or begins(*self.positions(pair), len(self.players))
        return begun == _EARLIER

    # Pairs are named after the positions of their players, so the list may only grow at its end.
    def _pair_of(self, result: GameResult) -> int:
        pair = super()._pair_of(result)
        if pair is None or self.name(pair) != result.pairing:
            raise ConfigError(
                f"stored game {result.id} is of {' v '.join(result.players)}, which does not fit the "
                "competitors: they may be added at the end, but not taken out, replaced or moved: "
                "give the list as it was, or reset the competition"
            )
        return pair

    def _count(self, pair: int, number: int, result: GameResult) -> None:
        super()._count(pair, number, result)
        self.keep(result)


# 50 competitors have 1,225 pairs, each of them a block of the report.
MOST_IN_GRID = 50
"""Largest number of competitors in a grid. For a larger field the standings are shown, and no blocks of
pairs.
"""
MOST_ON_SCREEN = 50
"""Largest number of places of the standings on the screen. The report has all."""


class RoundRobinTables(EventTables[RoundRobinEvent]):
    """The tables of a round robin, laid out as in gomill: number of games, a grid of all scores, a block of
    each pair.
    """

    def screen(self) -> Iterator[Block]:
        yield played_line(self.event.played, self.event.total)
        yield ""
        yield from self._table(MOST_ON_SCREEN)

    def shown(self) -> Iterable[Block]:
        """Return the whole report, as gomill's `show` does.

        For more than `MOST_IN_GRID` competitors return the best places of the standings instead.
        """
        return self.report() if self._has_grid else self.screen()

    def body(self) -> Iterator[Block]:
        yield ""
        yield played_line(self.event.played, self.event.total)
        yield ""
        yield from self._table(None)
        yield ""
        if self._has_grid:
            yield from blocks(self.event.stats())
            yield ""

    def facts(self) -> dict[str, Any]:
        event = self.event
        return {
            "competitors": dict(zip(event.letters, event.competitors, strict=True)),
            "played": event.played,
            "matchups": [matchup(stats) for stats in event.stats() if stats.played],
        }

    @property
    def _has_grid(self) -> bool:
        return len(self.event.competitors) <= MOST_IN_GRID

    def _table(self, most: int | None) -> Iterator[Block]:
        """Yield the grid of scores, or the standings for more than `MOST_IN_GRID` competitors.

        Args:
            most: Largest number of places of the standings; None for all.
        """
        if self._has_grid:
            competitors, cross = self.event.competitors, self.event.cross
            columns = [texts("", self.event.letters, gap=1), texts("", competitors, gap=1)]
            for letter, other in zip(self.event.letters, competitors, strict=True):
                cells = (
                    "" if code == other else "-".join(map(count, cross.score(code, other)))
                    for code in competitors
                )
                columns.append(texts(f" {letter}", cells, gap=1))
            yield Table(columns=tuple(columns), style=Style.GOMILL)
            return
        yield brief_table(islice(standings(self.event.cross), most))
        hidden = 0 if most is None else len(self.event.competitors) - most
        if hidden > 0:
            yield f"… and {hidden} more"


FORMAT = Format(
    name="allplayall",
    settings=Settings,
    competition=RoundRobinEvent,
    ctl_names=CTL_NAMES,
    ctl_defaults={"seating": "list"},
    tables=RoundRobinTables,
)
