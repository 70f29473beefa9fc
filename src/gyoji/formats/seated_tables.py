"""Tables: any number of players meet at tables. A table has as many players as the game has sides.

A table plays one unit: games with the same seed, in which each player has each seat once. All players meet
each other about equally often (`gyoji.pairing.seatings.Rota`). The id of a unit has its number and its
players, "7,a,b,c".

Players may be added between two runs: tables that have begun are finished, and later tables have players that
have met least.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.plugins import GAMES, Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import GameSpec, derive_seed
from gyoji.core.tables import Block, count
from gyoji.core.text import counted
from gyoji.pairing.competitors import FieldSettings, seeded, trials
from gyoji.pairing.game_maker import GameMaker
from gyoji.pairing.seatings import Rota
from gyoji.pairing.units import UnitGames, table_of, unit_name
from gyoji.results.engine_reports import EngineReports
from gyoji.results.game_ids import game_number
from gyoji.tables.event_tables import MOST_NAMED, EventTables, uncounted_lines
from gyoji.tables.rankings import Rankings, ahead_table, rankings_table


@dataclass(frozen=True, kw_only=True)
class Settings(FieldSettings, GameSettings):
    """The settings of an event at tables, besides those of its games.

    Attributes:
        tables: Number of all tables. A table plays as many games as it has players. None: endless.
    """

    tables: int | None = None

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        GameSettings.__post_init__(self)
        if self.tables is not None and self.tables < 0:
            raise ValueError(f'tables: expected 0 or more, or "none" for endless, got {self.tables}')


# Tables are made in the order of their numbers; those of an earlier run stay as they were. So a run that is
# killed and resumed makes the same tables as without that.
class TablesEvent:
    """A competition at tables. It implements `gyoji.core.ports.Competition`.

    Attributes:
        players: The players, the first seed first.
        size: Number of players at a table.
        units: The units of the tables that have begun, by number.
        rankings: The places and points of all players.
        played: Number of finished games, without skipped ones.
        uncounted: The ids of stored games of players that are not in the control file.
    """

    has_fixed_games = True

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.settings = setup.settings_as(Settings)
        self.players = seeded(setup, self.settings, self.settings.scoring_player)
        self._maker = GameMaker(setup, self.settings, teams=None)
        self.size = self._maker.sides
        if len(self.players) < self.size:
            raise ConfigError(
                f"{setup.code}: players: expected {self.size} or more, as many as {self.settings.game} has "
                f"sides, got {len(self.players)}"
            )
        self.units: dict[int, UnitGames] = {}
        self.rankings = Rankings()
        self.engines = EngineReports()
        self.played = 0
        self.uncounted: set[str] = set()
        self._numbers = {code: number for number, code in enumerate(self.players)}
        self._rota = Rota(len(self.players), self.size)
        self._at = 0  # the first table that may have games to issue
        self._noted = 0  # number of tables that the rota has counted
        self._issued = 0

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: The pairing id does not have the form of a table's, or does not name the game's
                players.
        """
        self.engines.add(result)
        unit = self._unit(result)
        if unit is None:
            self.uncounted.add(result.id)
            return
        number = game_number(result)
        self._issued += not unit.issued >> number & 1
        if unit.add(number, result) and result.outcome.ending is not Ending.SKIPPED:
            self.played += 1
            self.rankings.add(result)

    def keep(self, result: GameResult) -> None:
        """Keep the players of a game in progress at their table, when the control file is read again
        (`KeepsPairs`).
        """
        self._unit(result)

    def _unit(self, result: GameResult) -> UnitGames | None:
        """Return the unit of a game; None if one of its players is no longer in the control file."""
        (number,), players = table_of(result, 1, self.size)
        if any(code not in self._numbers for code in players):
            return None
        return self.units.setdefault(number, UnitGames(players))

    def next_game(self) -> GameSpec | None:
        """Issue the next game, of the first table that has a game to issue."""
        limit = self.settings.tables
        while limit is None or self._at < limit:
            unit = self._begun(self._at)
            number = unit.issue()
            if number is not None:
                self._issued += 1
                pairing = unit_name(str(self._at), unit.players)
                return self._maker.rotation(pairing, unit.players, number, self.size, unit=self._at)
            self._at += 1
        return None

    def _begun(self, number: int) -> UnitGames:
        """Return the unit that table `number` plays.

        If the table has not begun, begin it with players that have met least.
        """
        if number not in self.units:
            codes = [self.players[player] for player in self._rota.next()]
            # In a random order, since otherwise players would have the same neighbours at all of their
            # tables.
            codes.sort(key=lambda code: derive_seed(self.setup.seed, "table", number, code))
            self.units[number] = UnitGames(tuple(codes))
        elif number == self._noted:
            self._rota.note([self._numbers[code] for code in self.units[number].players])
        self._noted = max(self._noted, number + 1)
        return self.units[number]

    @property
    def total(self) -> int | None:
        """The number of all games; None for an endless competition."""
        return None if self.settings.tables is None else self.settings.tables * self.size

    def remaining(self) -> int | None:
        return None if self.total is None else max(self.total - self._issued, 0)

    def checks(self) -> Iterator[GameSpec]:
        return trials(self.setup, (self.settings, self.players))

    @property
    def ranking(self) -> list[str]:
        """The players, most points first. Players without games come last."""
        ranked = [player for _, player, _ in self.rankings.ranked()]
        return [*ranked, *(code for code in self.players if code not in ranked)]


class TablesTables(EventTables[TablesEvent]):
    """The report of a competition at tables.

    It has the number of games, the standings, and how often each player finished ahead of each other one.
    """

    def screen(self) -> Iterator[Block]:
        event = self.event
        of = "" if event.total is None else f" of {event.total}"
        over = sum(unit.is_over for unit in event.units.values())
        yield f"{event.played}{of} games, {counted(over, 'table')} of {event.size} played"
        yield ""
        yield rankings_table(event.rankings, GAMES.find(event.settings.game))

    def body(self) -> Iterator[Block]:
        yield ""
        yield from self.screen()
        yield ""
        table = ahead_table(self.event.rankings)
        if not table.is_empty:
            yield table
            yield ""
        yield from uncounted_lines(self.event.uncounted, "players that are not in the control file")

    def shown(self) -> Iterator[Block]:
        """Return the whole report, for `gyoji show`."""
        return self.report()

    def summary(self) -> Iterator[str]:
        ranked = self.event.rankings.ranked()
        best = [f"{player} {count(each.points)}/{each.games}" for _, player, each in ranked[:MOST_NAMED]]
        if best:
            more = [f"and {len(ranked) - MOST_NAMED} more"] if len(ranked) > MOST_NAMED else []
            yield f"standings: {', '.join([*best, *more])}"

    def facts(self) -> dict[str, Any]:
        event = self.event
        return {
            "played": event.played,
            "tables": [
                {
                    "number": number,
                    "players": unit.players,
                    "is_over": unit.is_over,
                    "points": unit.points,
                    "totals": unit.totals,
                }
                for number, unit in sorted(event.units.items())
            ],
            "not_counted": sorted(event.uncounted),
        }


FORMAT = Format(name="tables", settings=Settings, competition=TablesEvent, tables=TablesTables)
