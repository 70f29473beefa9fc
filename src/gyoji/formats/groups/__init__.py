"""Groups with promotion: a round robin in each group, whose best players go up into another group.

The first group is the final. A group that promotes (into the group before it, unless it names another)
plays first. The group that receives players waits until all such groups have played and no game waits for
the judge.

A pair is named after its group and its players, "final,a,b". If a ruling changes who is promoted, the
games of a player in a group that it is no longer in do not count, and the missing games are played.
"""

from collections.abc import Iterator
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block
from gyoji.core.text import quote
from gyoji.formats.groups.group import GroupInPlay, Settings
from gyoji.pairing.field import trials
from gyoji.pairing.rounds import pairing_id
from gyoji.results.cross import Cross
from gyoji.results.engine_reports import EngineReports
from gyoji.results.standings import standings
from gyoji.tables.event_tables import EventTables, uncounted_lines
from gyoji.tables.pair_tables import game_sides, matchup, settings_line
from gyoji.tables.standings_tables import brief_table, full_cross_table


class Groups:
    """The groups of a setup, as far as they have been played. See `gyoji.core.ports.Competition`.

    Attributes:
        groups: The groups in the order of the control file.
        uncounted: The ids of stored games of groups that are not in the control file.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        settings = setup.settings_as(Settings)
        feeders = settings.feeders()
        self._by_id: dict[str, GroupInPlay] = {}
        for group in reversed(settings.groups):
            below = [self._by_id[feeder.id] for feeder in feeders[group.id]]
            promotes = 0 if group is settings.groups[0] else group.promote
            self._by_id[group.id] = GroupInPlay(setup, group, below, promotes=promotes)
        self.groups = tuple(self._by_id[group.id] for group in settings.groups)
        self.uncounted: set[str] = set()
        self.engines = EngineReports()
        self._open()

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: No groups have such a game.
        """
        name, (first, second) = result.pairing.partition(",")[0], result.opponents
        if result.pairing != pairing_id(name, first=first, second=second):
            raise ConfigError(f"stored game {quote(result.id)} is not a game of groups")
        self.engines.add(result)
        group = self._by_id.get(name)
        if group is None:
            self.uncounted.add(result.id)
            return
        group.add(result)
        if group.is_over:
            self._open()

    def next_game(self) -> GameSpec | None:
        """Issue the next game, of the lowest group that has one."""
        for group in reversed(self.groups):
            if (spec := group.next_game()) is not None:
                return spec
        return None

    def remaining(self) -> int:
        return sum(group.remaining for group in self.groups)

    def checks(self) -> Iterator[GameSpec]:
        """Yield a game to try each player with, by the settings of its group, and one for each scoring
        player.
        """
        seen: set[str] = set()
        for group in self.groups:
            for spec in trials(self.setup, group.settings, *group.settings.players):
                if spec.players[0].code not in seen:
                    seen.add(spec.players[0].code)
                    yield spec

    def crosses(self) -> dict[str, Cross]:
        """Return one cross table for each group that has begun."""
        return {group.settings.name: group.robin.cross for group in self.groups if group.robin}

    # From the lowest group up, so that a group that ends at once, such as one whose games are all stored,
    # lets the next begin.
    def _open(self) -> None:
        """Begin the groups that wait for no other, the lowest first."""
        for group in reversed(self.groups):
            group.open()


class GroupsTables(EventTables[Groups]):
    """The groups, the final first."""

    def screen(self) -> Iterator[Block]:
        for number, group in enumerate(self.event.groups):
            if number:
                yield ""
            yield heading(group)
            if group.robin:
                yield brief_table(standings(group.robin.cross))
            yield from _promotion(group)

    def body(self) -> Iterator[Block]:
        yield ""
        sides = game_sides(self.event.setup.game)
        for group in self.event.groups:
            yield heading(group)
            yield settings_line(group.settings)
            if group.robin:
                yield full_cross_table(group.robin.cross, sides)
            yield from _promotion(group)
            yield from uncounted_lines(group.uncounted, "players that are not in this group")
            yield ""
        yield from uncounted_lines(self.event.uncounted, "groups that no longer exist")

    def facts(self) -> dict[str, Any]:
        return {"groups": list(map(_facts, self.event.groups))}


def heading(group: GroupInPlay) -> str:
    """Return the name of a group and how many games it has played, or what it waits for."""
    if group.robin:
        return f"{group.settings.name} ({group.robin.played}/{group.total} games)"
    awaited = [
        f"the best {feeder.promotes} of {feeder.settings.name}"
        for feeder in group.feeders
        if not feeder.is_over
    ]
    return f"{group.settings.name} waits for {', '.join(awaited)}"


def _promotion(group: GroupInPlay) -> list[str]:
    """Return a line on the promoted players, nothing before they are certain."""
    return [f"promoted: {', '.join(group.promoted)}"] if group.promoted else []


def _facts(group: GroupInPlay) -> dict[str, Any]:
    return {
        "id": group.settings.id,
        "name": group.settings.name,
        "players": group.players,
        "waits_for": [feeder.settings.id for feeder in group.feeders if not feeder.is_over],
        "played": group.robin.played if group.robin else 0,
        "total": group.total,
        "is_over": group.is_over,
        "promoted": group.promoted,
        "not_counted": sorted(group.uncounted),
        "matchups": list(map(matchup, group.stats())),
    }


FORMAT = Format(name="groups", settings=Settings, competition=Groups, tables=GroupsTables)
