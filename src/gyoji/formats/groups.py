"""Groups with promotion: a round robin in each group, whose best players are promoted into another group.

The first group is the final. A group promotes into the group before it, unless it names another one. A group
begins when all groups that promote into it have played and none of their games waits for the judge.

The id of a pair has its group and its players, "final,a,b". A ruling may change who is promoted. Then games
in a group do not count if one of their players is no longer among the players of that group, and the missing
games are played.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import Format
from gyoji.core.record import GameResult, is_waiting
from gyoji.core.setup import (
    FROM_TOP,
    UNIQUE,
    CompetitionSetup,
    GameSettings,
    Identifier,
    PlayerCode,
    check_least,
    named,
)
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block
from gyoji.core.text import quote
from gyoji.pairing.competitors import trials
from gyoji.pairing.pair_competition import RoundRobin
from gyoji.pairing.rounds import pairing_id
from gyoji.results.cross import Cross
from gyoji.results.engine_reports import EngineReports
from gyoji.results.standings import standings
from gyoji.tables.event_tables import EventTables, uncounted_lines
from gyoji.tables.pair_tables import game_sides, matchup, settings_line
from gyoji.tables.standings_tables import brief_table, full_cross_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(GameSettings):
    """The settings of a group.

    Attributes:
        id: The id; A, B ... by position if the control file gives none.
        name: The name in reports and records.
        players: The players that are in the group from the beginning, without promoted ones.
        rounds: Number of games of each pair.
        promote: How many of the group's best players are promoted. Without effect in the first group.
        into: The id of an earlier group, into which these players are promoted; "" for the group just before.
    """

    id: Identifier = field(metadata=UNIQUE)
    name: str = field(metadata=UNIQUE)
    players: tuple[PlayerCode, ...] = ()
    rounds: int = field(metadata=FROM_TOP)
    promote: int = field(default=0, metadata=FROM_TOP)
    into: str = ""

    @classmethod
    def complete(cls, table: Mapping[str, Any], index: int) -> dict[str, Any]:
        """Return the table with default id and name."""
        return named(table, index, "group")

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        check_least(1, rounds=self.rounds)
        check_least(0, promote=self.promote)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of groups with promotion: the groups, the final first."""

    groups: tuple[Group, ...]

    def __post_init__(self) -> None:
        if not self.groups:
            raise ValueError("groups: expected one group or more")
        home: dict[str, str] = {}
        feeders = self.feeders()
        for group in self.groups:
            for code in group.players:
                if code in home:
                    raise ValueError(
                        f"groups: {quote(code)} is in {home[code]} and in {group.id}: expected one group only"
                    )
                home[code] = group.id
            size = len(group.players) + sum(feeder.promote for feeder in feeders[group.id])
            if size < 2:
                raise ValueError(f"groups: {group.id} has too few players ({size}): expected two or more")
            if group is not self.groups[0] and group.promote > size:
                raise ValueError(f"groups: {group.id} promotes {group.promote} of {size} players")

    def settings_of(self, pairing: str) -> Group | None:
        """Return the group of games with a pairing id such as "A,a,b"; None if there is no such group."""
        found = pairing.partition(",")[0]
        return next((group for group in self.groups if group.id == found), None)

    def feeders(self) -> dict[str, list[Group]]:
        """Return for each group, by id, the groups that promote into it.

        Raises:
            ValueError: A group promotes into a group that is not before it in the list.
        """
        feeders: dict[str, list[Group]] = {group.id: [] for group in self.groups[:1]}
        for before, group in pairwise(self.groups):
            target = group.into or before.id
            if target not in feeders:
                raise ValueError(
                    f"groups: {group.id} goes into {quote(target)}, which is not an earlier group"
                )
            if group.promote:
                feeders[target].append(group)
            feeders[group.id] = []
        return feeders


class GroupGames(RoundRobin):
    """The round robin of a group that has begun."""

    def __init__(self, setup: CompetitionSetup, group: Group, players: Sequence[str]) -> None:
        super().__init__(setup, group, players, limit=group.rounds, name=group.name)
        self._id = group.id
        self._limit: int = group.rounds
        self._with_result = 0  # games with a result, skipped ones included
        self._awaited = 0  # games that wait for the judge

    @property
    def is_over(self) -> bool:
        """Whether all games are played, and none waits for a ruling by the organiser."""
        return self._with_result == self.total and not self._awaited

    def name(self, pair: int) -> str:
        first, second = self.codes(pair)
        return pairing_id(self._id, first=first, second=second)

    # So that no player has the first seat in more than half of its pairs.
    def begins(self, pair: int) -> bool:
        """Return whether the player earlier in the group's list has the first seat in even games of a pair.

        Args:
            pair: Number of the pair, from 0.
        """
        first, second = self.positions(pair)
        return (second - first) % 2 == 1

    def _count(self, pair: int, number: int, result: GameResult) -> None:
        super()._count(pair, number, result)
        self._with_result += number < self._limit
        self._awaited += is_waiting(result)


class GroupInPlay:
    """A group, before and after it begins.

    Attributes:
        feeders: The groups that promote into this group.
        promotes: How many of this group's best players are promoted.
        players: The group's players. Promoted players are among them only after the group has begun.
        robin: The group's games; None while the group waits for its feeders.
        early: The results that were added before the group began.
    """

    def __init__(
        self, setup: CompetitionSetup, group: Group, feeders: Sequence["GroupInPlay"], *, promotes: int
    ) -> None:
        self.settings = group
        self.promotes = promotes
        self.feeders = tuple(feeders)
        self.players: tuple[str, ...] = group.players
        self.robin: GroupGames | None = None
        size = len(group.players) + sum(feeder.promotes for feeder in feeders)
        self.total = size * (size - 1) // 2 * group.rounds
        self.early: list[GameResult] = []
        self._setup = setup

    @property
    def is_over(self) -> bool:
        """Whether all games are played and none waits for a ruling, so that it is certain who is promoted."""
        return self.robin is not None and self.robin.is_over

    # A game that waits for the judge may still change the order.
    @property
    def promoted(self) -> tuple[str, ...]:
        """The players that are promoted from this group, the best first; () before it is over."""
        if self.robin is None or not self.is_over:
            return ()
        return tuple(place.player for place in islice(standings(self.robin.cross), self.promotes))

    def open(self) -> None:
        """Begin the group if all groups that promote into it are over."""
        if self.robin is not None or not all(feeder.is_over for feeder in self.feeders):
            return
        guests = (code for feeder in self.feeders for code in feeder.promoted)
        self.players = (*self.settings.players, *guests)
        self.robin = GroupGames(self._setup, self.settings, self.players)
        for result in self.early:
            self.robin.add(result)
        self.early.clear()

    @property
    def remaining(self) -> int:
        """The number of games still to be issued."""
        return self.total if self.robin is None else self.robin.remaining() or 0


class Groups:
    """Groups with promotion. It implements `gyoji.core.ports.Competition`.

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
        """Count a finished game, once. The next groups may begin with it.

        Games of groups that the control file no longer has go to `uncounted`. Those of a group that has not
        begun wait for its beginning.

        Raises:
            ConfigError: The pairing id does not name the game's players.
        """
        name, (first, second) = result.pairing.partition(",")[0], result.opponents
        if result.pairing != pairing_id(name, first=first, second=second):
            raise ConfigError(f"stored game {quote(result.id)} is not a game of groups")
        self.engines.add(result)
        group = self._by_id.get(name)
        if group is None:
            self.uncounted.add(result.id)
        elif group.robin is None:
            group.early.append(result)
        else:
            group.robin.add(result)
            if group.is_over:
                self._open()

    def next_game(self) -> GameSpec | None:
        """Issue the next game. Groups later in the list come first."""
        specs = (group.robin.next_game() for group in reversed(self.groups) if group.robin)
        return next(filter(None, specs), None)

    def remaining(self) -> int:
        return sum(group.remaining for group in self.groups)

    def checks(self) -> Iterator[GameSpec]:
        """Yield one game for the check of each player before a run, by the settings of the player's group.
        Scoring players are included.
        """
        return trials(self.setup, *((group.settings, group.settings.players) for group in self.groups))

    def crosses(self) -> dict[str, Cross]:
        """Return one cross table for each group that has begun."""
        return {group.settings.name: group.robin.cross for group in self.groups if group.robin}

    # From the last group to the first, so that a group that is over at once, as its games are all stored,
    # lets the next one begin.
    def _open(self) -> None:
        """Begin each group whose feeders are over."""
        for group in reversed(self.groups):
            group.open()


class GroupsTables(EventTables[Groups]):
    """The tables of groups with promotion, the final first."""

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
            if group.robin:
                yield from uncounted_lines(group.robin.uncounted, "players that are not in this group")
            yield ""
        yield from uncounted_lines(self.event.uncounted, "groups that no longer exist")

    def facts(self) -> dict[str, Any]:
        return {
            "groups": [
                {
                    "id": group.settings.id,
                    "name": group.settings.name,
                    "players": group.players,
                    "waits_for": [feeder.settings.id for feeder in group.feeders if not feeder.is_over],
                    "played": group.robin.played if group.robin else 0,
                    "total": group.total,
                    "is_over": group.is_over,
                    "promoted": group.promoted,
                    "not_counted": sorted(group.robin.uncounted if group.robin else ()),
                    "matchups": [
                        matchup(stats)
                        for stats in (group.robin.stats() if group.robin else ())
                        if stats.played
                    ],
                }
                for group in self.event.groups
            ]
        }


def heading(group: GroupInPlay) -> str:
    """Return the name of a group with its number of games, or with the groups that it waits for."""
    if group.robin:
        return f"{group.settings.name} ({group.robin.played}/{group.total} games)"
    awaited = [
        f"the best {feeder.promotes} of {feeder.settings.name}"
        for feeder in group.feeders
        if not feeder.is_over
    ]
    return f"{group.settings.name} waits for {', '.join(awaited)}"


def _promotion(group: GroupInPlay) -> list[str]:
    """Return a line on the promoted players; [] before the group is over."""
    return [f"promoted: {', '.join(group.promoted)}"] if group.promoted else []


FORMAT = Format(name="groups", settings=Settings, competition=Groups, tables=GroupsTables)
