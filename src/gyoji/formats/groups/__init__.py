"""Groups with promotion: everybody plays everybody in each group, and the best go up into another.

The first group is the final. A group whose best go up (into the group before it, if it names no other) plays
first; the one that they go into waits until all such groups have played and no game waits for the judge. Who
was promoted is a function of the results, like everything else here.

A pair is named after its group and its players, "final,a,b": should a ruling change who was promoted, what
somebody played in a group that he is not in does not count, and the games that are lacking are played.
"""

from collections.abc import Iterator
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Endings
from gyoji.core.text import quote
from gyoji.formats.groups.stage import Settings, Stage, pairing_id
from gyoji.pairing.field import EngineReports
from gyoji.pairing.standings import standings
from gyoji.pairing.tally import Cross
from gyoji.tables.event import EventTables, uncounted_lines
from gyoji.tables.pairs import game_sides, pair_values, settings_line
from gyoji.tables.standings import brief_table, full_cross_table, standing_values


class Groups:
    """The groups of a setup, as far as they have been played. See `gyoji.core.ports.Competition`.

    stages: the groups in play, in the order of the control file. uncounted: the ids of stored games of groups
    that there are not.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        settings = setup.settings_as(Settings)
        feeders = settings.feeders()
        self._by_id: dict[str, Stage] = {}
        for group in reversed(settings.groups):
            below = [self._by_id[feeder.id] for feeder in feeders[group.id]]
            promotes = 0 if group is settings.groups[0] else group.promote
            self._by_id[group.id] = Stage(setup, group, below, promotes=promotes)
        self.stages = tuple(self._by_id[group.id] for group in settings.groups)
        self.uncounted: set[str] = set()
        self.engines = EngineReports()
        self._open()

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one that no groups make."""
        group = result.pairing.partition(",")[0]
        if result.pairing != pairing_id(group, *result.opponents):
            raise ConfigError(f"stored game {quote(result.id)} is no game of groups")
        self.engines.add(result)
        stage = self._by_id.get(group)
        if stage is None:
            self.uncounted.add(result.id)
            return
        stage.add(result)
        if stage.is_over:
            self._open()

    def next_game(self) -> GameSpec | None:
        """The next game, of the lowest group that has one."""
        for stage in reversed(self.stages):
            if (spec := stage.next_game()) is not None:
                return spec
        return None

    def remaining(self) -> int:
        return sum(stage.remaining for stage in self.stages)

    def checks(self) -> Iterator[GameSpec]:
        """A game for each player, as its group plays, and for those that score."""
        seen: set[str] = set()
        for stage in self.stages:
            for code in (*stage.group.players, stage.group.scoring_player):
                if code and code not in seen:
                    seen.add(code)
                    yield stage.check(code)

    def crosses(self) -> dict[str, Cross]:
        """One for each group that has begun."""
        return {stage.group.name: stage.robin.cross for stage in self.stages if stage.robin}

    def _open(self) -> None:
        """Let those groups begin that wait for nothing any more, the lowest first."""
        for stage in reversed(self.stages):
            stage.open()


class GroupsTables(EventTables[Groups]):
    """The groups, the final first."""

    def screen(self) -> Iterator[Block]:
        for number, stage in enumerate(self.event.stages):
            if number:
                yield ""
            yield heading(stage)
            if stage.robin:
                yield brief_table(standings(stage.robin.cross))
            yield from _promotion(stage)

    def body(self) -> Iterator[Block]:
        yield ""
        sides = game_sides(self.event.setup.game)
        for stage in self.event.stages:
            yield heading(stage)
            yield settings_line(stage.group)
            if stage.robin:
                yield full_cross_table(stage.robin.cross, sides)
            yield from _promotion(stage)
            yield from uncounted_lines(stage.uncounted, "players that are not in this group")
            yield ""
        yield from uncounted_lines(self.event.uncounted, "groups that no longer exist")

    def own_values(self, endings: Endings) -> dict[str, Any]:
        game = self.event.setup.game
        return {"groups": [_values(stage, game, endings) for stage in self.event.stages]}


def heading(stage: Stage) -> str:
    """The name of the group, and how many games are played."""
    if stage.robin:
        return f"{stage.group.name} ({stage.robin.played}/{stage.total} games)"
    awaited = [
        f"the best {feeder.promotes} of {feeder.group.name}" for feeder in stage.feeders if not feeder.is_over
    ]
    return f"{stage.group.name} waits for {', '.join(awaited)}"


def _promotion(stage: Stage) -> list[str]:
    """Who goes up, once that is certain."""
    return [f"promoted: {', '.join(stage.promoted)}"] if stage.promoted else []


def _values(stage: Stage, game: str, endings: Endings) -> dict[str, Any]:
    return {
        "id": stage.group.id,
        "name": stage.group.name,
        "players": list(stage.players),
        "waits_for": [feeder.group.id for feeder in stage.feeders if not feeder.is_over],
        "played": stage.robin.played if stage.robin else 0,
        "total": stage.total,
        "is_over": stage.is_over,
        "promoted": list(stage.promoted),
        "not_counted": sorted(stage.uncounted),
        "standings": standing_values(standings(stage.robin.cross), game) if stage.robin else [],
        "matchups": [pair_values(stats, endings.get(stats.id, {})) for stats in stage.stats()],
    }


FORMAT = Format(name="groups", settings=Settings, competition=Groups, tables=GroupsTables)
