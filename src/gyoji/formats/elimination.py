"""Elimination at tables: in each stage the best players of each table go on to the next stage.

A table has as many players as the game has sides. It plays units: in the games of a unit, which have the same
seed, each player has each seat once. A stage begins when the stage before it is over. The last stage is one
table, the final. Players for whom a stage has no seat have a bye: they go on without playing. These are the
players with the fewest byes so far, and among equals the best seeds. The id of a unit has its stage, table,
number and players: "1,2,1,a,b,c".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, check_least
from gyoji.core.spec import GameSpec, derive_seed
from gyoji.core.tables import Block, Part, Table, count, data, names, numbers, ranks, texts
from gyoji.core.text import counted
from gyoji.pairing.competitors import FieldSettings, divided, seeded, trials
from gyoji.pairing.game_maker import GameMaker
from gyoji.pairing.units import UnitGames, table_of, unit_name
from gyoji.results.engine_reports import EngineReports
from gyoji.results.game_ids import game_number
from gyoji.tables.event_tables import EventTables, uncounted_lines

FINAL = "final"


@dataclass(frozen=True, kw_only=True)
class Settings(FieldSettings, GameSettings):
    """The settings of an elimination, besides those of its games.

    Attributes:
        advance: Number of players of each table that go on. 0: half of them, rounded down, but at least one.
            More may go on from the last stage before the final, so that the final's table is full.
        rounds: Number of rounds at each table. In one round each player has each seat once, on one seed.
    """

    advance: int = 0
    rounds: int = 1

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        GameSettings.__post_init__(self)
        check_least(0, advance=self.advance)
        check_least(1, rounds=self.rounds)


class Stage(NamedTuple):
    """The numbers of a stage.

    Attributes:
        players: Number of players in the stage, including players with a bye.
        tables: Number of tables.
        advance: Number of players of each table that go on; 0 in the final.
    """

    players: int
    tables: int
    advance: int


def stages(players: int, size: int, advance: int) -> list[Stage]:
    """Return the stages of an elimination, the final last.

    Args:
        players: Number of all players, at least `size`.
        size: Number of players at a table.
        advance: Number of players of each table that go on, less than `size`. The last table before the final
            may let more go on, so that the final is full.

    >>> [tuple(each) for each in stages(9, 4, 2)]
    [(9, 2, 2), (5, 1, 3), (4, 1, 0)]
    """
    found = []
    while players > size:
        tables = min(players // size, (players - size) // (size - advance))
        going = advance if tables else 2 * size - players
        found.append(Stage(players, tables or 1, going))
        players -= (tables or 1) * (size - going)
    return [*found, Stage(players, 1, 0)]


class SeatedTable(NamedTuple):
    """A table of a stage.

    Attributes:
        players: The players, the best seed first.
        units: The units that the table plays, by id.
    """

    players: tuple[str, ...]
    units: dict[str, UnitGames]


class Elimination:
    """An elimination at tables. It implements `gyoji.core.ports.Competition`.

    Attributes:
        players: The players, the first seed first.
        size: Number of players at a table.
        plan: The stages.
        played: Number of finished games, without skipped ones.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.settings = setup.settings_as(Settings)
        self.players = seeded(setup, self.settings, self.settings.scoring_player)
        self._maker = GameMaker(setup, self.settings, teams=None)
        self.size = self._maker.sides
        advance = self.settings.advance or max(self.size // 2, 1)
        if advance >= self.size or len(self.players) < self.size:
            raise ConfigError(
                f"{setup.code}: a table has {self.size} players: expected as many players or more, and fewer "
                f"that advance, got {len(self.players)} players, of whom {advance} advance"
            )
        self.plan = stages(len(self.players), self.size, advance)
        self._seated: list[list[SeatedTable]] = []
        self.engines = EngineReports()
        self.played = 0
        self._units: dict[str, UnitGames] = {}
        self._order: list[tuple[SeatedTable, int, str]] = []  # units of the last stage, with their numbers
        self._at = 0
        self._byes = dict.fromkeys(self.players, 0)
        self._left = list(self.players)  # the players that are not out
        self._seat(self._left)

    @property
    def seated(self) -> Sequence[Sequence[SeatedTable]]:
        """The tables of each stage that has begun. A stage begins when the one before it is over."""
        self._go_on()
        return self._seated

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: The pairing id does not have the form of an elimination's, or does not name the
                game's players.
        """
        self.engines.add(result)
        _, codes = table_of(result, 3, self.size)
        unit = self._units.setdefault(result.pairing, UnitGames(codes))
        if unit.add(game_number(result), result):
            self.played += result.outcome.ending is not Ending.SKIPPED

    def next_game(self) -> GameSpec | None:
        """Issue the next game of the present stage."""
        self._go_on()
        while self._at < len(self._order):
            table, number, name = self._order[self._at]
            unit = table.units[name]
            game = unit.issue()
            if game is not None:
                return self._maker.rotation(name, unit.players, game, self.size, unit=number)
            self._at += 1
        return None

    def remaining(self) -> int:
        """Return the number of games still to be issued, stages that have not begun included."""
        self._go_on()
        tables = sum(stage.tables for stage in self.plan[len(self._seated) :])
        later = tables * self.settings.rounds * self.size
        return later + sum(unit.left for table in self._seated[-1] for unit in table.units.values())

    def checks(self) -> Iterator[GameSpec]:
        return trials(self.setup, (self.settings, self.players))

    @property
    def uncounted(self) -> set[str]:
        """The ids of units with stored games that do not count, because no table plays these units now.

        That happens if other players have gone on since, such as after a ruling.
        """
        known = {name for table in chain.from_iterable(self.seated) for name in table.units}
        return self._units.keys() - known

    def is_over(self, number: int) -> bool:
        """Return whether a stage, given by its number from 0, is over. The stage must have begun."""
        return all(unit.is_over for table in self._seated[number] for unit in table.units.values())

    def placed(self, table: SeatedTable, stage: int) -> list[str]:
        """Return the players of a table from first to last.

        Points decide, then totals such as treasure won, then the lot.

        Args:
            stage: Number of the table's stage, from 0.
        """
        units = table.units.values()
        merits = {
            code: (
                round(sum(unit.points.get(code, 0.0) for unit in units), 9),
                round(sum(unit.totals.get(code, 0.0) for unit in units), 9),
                derive_seed(self.setup.seed, "lot", stage, code),
            )
            for code in table.players
        }
        return sorted(table.players, key=merits.__getitem__, reverse=True)

    @property
    def ranking(self) -> list[str]:
        """The players from first to last: by the last stage reached, by place at the table, then by seed.

        Players that have not been at a table yet, because they had a bye in each stage, come first.
        """
        self._go_on()
        found = []
        for number in reversed(range(len(self._seated))):
            places = [self.placed(table, number) for table in self._seated[number]]
            for at in range(self.size):
                found += sorted((place[at] for place in places), key=self.players.index)
        # Players that have had no table yet have a bye. They rank before all who have had one.
        playing = dict.fromkeys(found)
        return [*(code for code in self.players if code not in playing), *playing]

    def _go_on(self) -> None:
        """Begin the next stage if the newest one is over. Repeat this while stored results fill a stage."""
        while len(self._seated) < len(self.plan) and self.is_over(len(self._seated) - 1):
            last = len(self._seated) - 1
            out = {
                code
                for table in self._seated[last]
                for code in self.placed(table, last)[self.plan[last].advance :]
            }
            self._left = [code for code in self._left if code not in out]
            self._seat(self._left)

    def _seat(self, players: list[str]) -> None:
        """Begin the next stage with these players, the first seed first: choose byes and tables."""
        self._left = players
        number, stage = len(self._seated), self.plan[len(self._seated)]
        idle = stage.players - stage.tables * self.size
        resting = sorted(players, key=lambda code: self._byes[code])[:idle]
        for code in resting:
            self._byes[code] += 1
        sitting = [code for code in players if code not in resting]
        tables = [
            self._table(number, at, tuple(group)) for at, group in enumerate(divided(sitting, stage.tables))
        ]
        self._seated.append(tables)
        self._order = [
            (table, unit, name)
            for unit, names_of in enumerate(zip(*(table.units for table in tables), strict=True))
            for table, name in zip(tables, names_of, strict=True)
        ]
        self._at = 0

    def _table(self, stage: int, number: int, players: tuple[str, ...]) -> SeatedTable:
        units = {}
        for unit in range(self.settings.rounds):
            codes = sorted(players, key=lambda code: derive_seed(self.setup.seed, stage, unit, code))
            name = unit_name(f"{stage + 1},{number + 1},{unit + 1}", codes)
            units[name] = self._units.setdefault(name, UnitGames(tuple(codes)))
        return SeatedTable(players, units)


class EliminationTables(EventTables[Elimination]):
    """The report of an elimination: number of games, the players at each table of each stage and which of
    them go on, and the ranking.
    """

    def screen(self) -> Iterator[Block]:
        event = self.event
        yield f"{counted(event.played, 'game')} played, {event.remaining()} to come"
        for number, tables in enumerate(event.seated):
            yield ""
            yield f"{self._name(number)}:"
            for at, table in enumerate(tables, 1):
                cells = [f"{code} {count(_points(table, code))}" for code in event.placed(table, number)]
                cut = event.plan[number].advance
                shown = f"{', '.join(cells[:cut])} | {', '.join(cells[cut:])}" if cut else ", ".join(cells)
                yield f"  table {at}: {shown}"

    def body(self) -> Iterator[Block]:
        yield ""
        yield from self.screen()
        yield ""
        yield self._standings()
        yield ""
        yield from uncounted_lines(self.event.uncounted, "players that have not gone on")

    def shown(self) -> Iterator[Block]:
        """Return the whole report, for `gyoji show`."""
        return self.report()

    def summary(self) -> Iterator[str]:
        number = len(self.event.seated) - 1
        if self.event.is_over(number) and number == len(self.event.plan) - 1:
            yield f"winner: {self.event.ranking[0]}"
        else:
            yield f"playing: {self._name(number)}"

    def tables(self) -> Sequence[Part]:
        return self._standings(), self._stages()

    def facts(self) -> dict[str, Any]:
        return {"played": self.event.played, "not_counted": sorted(self.event.uncounted)}

    def _name(self, number: int) -> str:
        stage = self.event.plan[number]
        if not stage.advance:
            return FINAL
        idle = stage.players - stage.tables * self.event.size
        byes = f", {counted(idle, 'bye')}" if idle else ""
        return f"stage {number + 1}, the best {stage.advance} of each table go on{byes}"

    def _standings(self) -> Table:
        event = self.event
        last = {code: n for n, tables in enumerate(event.seated) for each in tables for code in each.players}
        found = event.ranking
        stage = [last.get(code) for code in found]
        return Table(
            name="standings",
            title="Standings",
            columns=(
                ranks(range(1, len(found) + 1)),
                names("player", found),
                numbers("seed", [event.players.index(code) + 1 for code in found]),
                texts("last table", [_stage_text(each, len(event.plan)) for each in stage], key="stage"),
            ),
        )

    def _stages(self) -> Table:
        event = self.event
        rows = [
            (number, at, place, code, _points(table, code), place <= event.plan[number].advance)
            for number, tables in enumerate(event.seated)
            for at, table in enumerate(tables, 1)
            for place, code in enumerate(event.placed(table, number), 1)
        ]
        return Table(
            name="stages",
            title="Stages",
            columns=(
                texts("stage", [_stage_text(number, len(event.plan)) for number, *_ in rows]),
                numbers("table", [at for _, at, *_ in rows]),
                ranks(place for _, _, place, *_ in rows),
                names("player", [row[3] for row in rows]),
                numbers("points", [row[4] for row in rows], digits=2),
                data("goes_on", [row[5] for row in rows]),
            ),
        )


def _stage_text(number: int | None, stages: int) -> str:
    if number is None:
        return "bye"
    return FINAL if number == stages - 1 else f"stage {number + 1}"


def _points(table: SeatedTable, player: str) -> float:
    return sum(unit.points.get(player, 0.0) for unit in table.units.values())


FORMAT = Format(name="elimination", settings=Settings, competition=Elimination, tables=EliminationTables)
