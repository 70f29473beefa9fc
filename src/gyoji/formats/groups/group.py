"""One group of a competition with promotion: its settings, and its games once its members are known."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

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
from gyoji.core.text import quote
from gyoji.pairing.pair_competition import RoundRobin
from gyoji.pairing.rounds import pairing_id
from gyoji.results.standings import standings
from gyoji.results.tally import PairStats


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(GameSettings):
    """The settings of a group.

    Attributes:
        id: A, B ... by its position, unless the control file gives an id.
        name: The name in reports and records.
        players: The players that are in it from the beginning.
        rounds: The games of each pair.
        promote: How many of its best players go up. Without effect in the first group.
        into: The group that they go into, which stands before this one; "" for the one just before.
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
    """The groups, the final first."""

    groups: tuple[Group, ...]

    def __post_init__(self) -> None:
        if not self.groups:
            raise ValueError("groups: expected one group or more")
        self._check_homes()
        self._check_sizes()

    def settings_of(self, pairing: str) -> Group | None:
        """Return the group that games of a pairing, "A,a,b", belong to; None if there is no such group."""
        found = pairing.partition(",")[0]
        return next((group for group in self.groups if group.id == found), None)

    def feeders(self) -> dict[str, list[Group]]:
        """Return, by id of group, the groups whose best players go into it.

        Raises:
            ValueError: A group promotes into one that is not an earlier group.
        """
        feeders: dict[str, list[Group]] = {}
        before = ""
        for group in self.groups:
            if before:
                target = group.into or before
                if target not in feeders:
                    raise ValueError(
                        f"groups: {group.id} goes into {quote(target)}, which is not an earlier group"
                    )
                if group.promote:
                    feeders[target].append(group)
            feeders[group.id] = []
            before = group.id
        return feeders

    def _check_homes(self) -> None:
        home: dict[str, str] = {}
        for group in self.groups:
            for code in group.players:
                if code in home:
                    raise ValueError(
                        f"groups: {quote(code)} is in {home[code]} and in {group.id}: expected one group only"
                    )
                home[code] = group.id

    def _check_sizes(self) -> None:
        feeders = self.feeders()
        for group in self.groups:
            size = len(group.players) + sum(feeder.promote for feeder in feeders[group.id])
            if size < 2:
                raise ValueError(f"groups: {group.id} has too few players ({size}): expected two or more")
            if group is not self.groups[0] and group.promote > size:
                raise ValueError(f"groups: {group.id} promotes {group.promote} of {size} players")


class GroupGames(RoundRobin):
    """The games of a group whose members are known."""

    def __init__(self, setup: CompetitionSetup, group: Group, players: Sequence[str]) -> None:
        super().__init__(setup, group, players, limit=group.rounds, name=group.name)
        self._id = group.id
        self._limit: int = group.rounds
        self._with_result = 0  # of its games, those skipped included
        self._awaited = 0  # games that wait for the judge

    @property
    def is_over(self) -> bool:
        """Whether all games are played and ruled."""
        return self._with_result == self.total and not self._awaited

    def name(self, pair: int) -> str:
        first, second = self.codes(pair)
        return pairing_id(self._id, first=first, second=second)

    # So that no player begins in more than half of its pairs.
    def begins(self, pair: int) -> bool:
        """Return whether the earlier of two begins."""
        first, second = self.positions(pair)
        return (second - first) % 2 == 1

    def _count(self, pair: int, number: int, result: GameResult) -> None:
        super()._count(pair, number, result)
        self._with_result += number < self._limit
        self._awaited += is_waiting(result)


class GroupInPlay:
    """A group as far as it has been played.

    Attributes:
        feeders: The groups whose best players go into it.
        promotes: How many of its own best players go up.
        players: Its members, as far as they are known.
        robin: Its games, None while it waits for its feeders.
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
        self._setup = setup
        self._early: list[GameResult] = []  # results that came before it was known who is in it

    @property
    def is_over(self) -> bool:
        """Whether all games are played and ruled on, so that the promoted players are certain."""
        return self.robin is not None and self.robin.is_over

    # A game that waits for the judge may still change the order.
    @property
    def promoted(self) -> tuple[str, ...]:
        """The promoted players, the best first. Empty before the group is over."""
        if self.robin is None or not self.is_over:
            return ()
        return tuple(place.player for place in islice(standings(self.robin.cross), self.promotes))

    @property
    def uncounted(self) -> set[str]:
        """The ids of games of players that are not members."""
        return self.robin.uncounted if self.robin else set()

    def open(self) -> None:
        """Begin if all feeders are over."""
        if self.robin is not None or not all(feeder.is_over for feeder in self.feeders):
            return
        guests = (code for feeder in self.feeders for code in feeder.promoted)
        self.players = (*self.settings.players, *guests)
        self.robin = GroupGames(self._setup, self.settings, self.players)
        for result in self._early:
            self.robin.add(result)
        self._early.clear()

    def add(self, result: GameResult) -> None:
        """Count a game of this group, or keep it until the group begins."""
        if self.robin is None:
            self._early.append(result)
        else:
            self.robin.add(result)

    def next_game(self) -> GameSpec | None:
        """Issue the next game, None if there is none now."""
        return self.robin.next_game() if self.robin else None

    @property
    def remaining(self) -> int:
        """The number of games still to be issued."""
        return self.total if self.robin is None else self.robin.remaining() or 0

    def stats(self) -> Iterator[PairStats]:
        """Return the results of each pair that has any, in order. Lazy."""
        return (stats for stats in (self.robin.stats() if self.robin else ()) if stats.played)
