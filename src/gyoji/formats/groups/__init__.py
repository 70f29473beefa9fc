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
from gyoji.formats.groups.group import GroupInPlay, Settings
from gyoji.pairing.cross import Cross
from gyoji.pairing.field import EngineReports
from gyoji.pairing.rounds import pairing_id
from gyoji.pairing.standings import standings
from gyoji.tables.event import EventTables, uncounted_lines
from gyoji.tables.pairs import game_sides, pair_values, settings_line
from gyoji.tables.standings import brief_table, full_cross_table, standing_values


class Groups:
    """The groups of a setup, as far as they have been played. See `gyoji.core.ports.Competition`.

    groups: those in play, in the order of the control file. uncounted: the ids of stored games of groups
    that there are not.
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
        """Count a finished game, once. Raises ConfigError for one that no groups make."""
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
        """The next game, of the lowest group that has one."""
        for group in reversed(self.groups):
            if (spec := group.next_game()) is not None:
                return spec
        return None

    def remaining(self) -> int:
        return sum(group.remaining for group in self.groups)

    def checks(self) -> Iterator[GameSpec]:
        """A game for each player, as its group plays, and for those that score."""
        seen: set[str] = set()
        for group in self.groups:
            for code in (*group.settings.players, group.settings.scoring_player):
                if code and code not in seen:
                    seen.add(code)
                    yield group.check(code)

    def crosses(self) -> dict[str, Cross]:
        """One for each group that has begun."""
        return {group.settings.name: group.robin.cross for group in self.groups if group.robin}

    def _open(self) -> None:
        """Let those groups begin that wait for nothing any more, the lowest first."""
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

    def own_values(self, endings: Endings) -> dict[str, Any]:
        game = self.event.setup.game
        return {"groups": [_values(group, game, endings) for group in self.event.groups]}


def heading(group: GroupInPlay) -> str:
    """The name of the group, and how many games are played."""
    if group.robin:
        return f"{group.settings.name} ({group.robin.played}/{group.total} games)"
    awaited = [
        f"the best {feeder.promotes} of {feeder.settings.name}"
        for feeder in group.feeders
        if not feeder.is_over
    ]
    return f"{group.settings.name} waits for {', '.join(awaited)}"


def _promotion(group: GroupInPlay) -> list[str]:
    """Who goes up, once that is certain."""
    return [f"promoted: {', '.join(group.promoted)}"] if group.promoted else []


def _values(group: GroupInPlay, game: str, endings: Endings) -> dict[str, Any]:
    return {
        "id": group.settings.id,
        "name": group.settings.name,
        "players": list(group.players),
        "waits_for": [feeder.settings.id for feeder in group.feeders if not feeder.is_over],
        "played": group.robin.played if group.robin else 0,
        "total": group.total,
        "is_over": group.is_over,
        "promoted": list(group.promoted),
        "not_counted": sorted(group.uncounted),
        "standings": standing_values(standings(group.robin.cross), game) if group.robin else [],
        "matchups": [pair_values(stats, endings.get(stats.id, {})) for stats in group.stats()],
    }


FORMAT = Format(name="groups", settings=Settings, competition=Groups, tables=GroupsTables)
