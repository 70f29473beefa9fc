"""The settings of groups, and one group in play: a round robin that begins when it is known who is in it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any

from gyoji.core.record import GameResult, is_waiting
from gyoji.core.setup import FROM_TOP, UNIQUE, CompetitionSetup, GameSettings, Identifier, PlayerCode, named
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.pairing.field import check_least
from gyoji.pairing.games import GameMaker, block_of, game_number
from gyoji.pairing.rounds import pairing_id
from gyoji.pairing.schedule import Meeting, RoundRobin
from gyoji.pairing.standings import standings
from gyoji.pairing.tally import PairStats


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(GameSettings):
    """One group, and how its games are played.

    id       A, B ... by its position if the user gives none.   name: for reports and records.
    players  those that are in it from the beginning.
    rounds   games of each pair.
    promote  how many of its best go up; of no meaning for the first group.
    into     the group that they go into, which stands before this one; "" for the one just before.
    """

    id: Identifier = field(metadata=UNIQUE)
    name: str = field(metadata=UNIQUE)
    players: tuple[PlayerCode, ...] = ()
    rounds: int = field(metadata=FROM_TOP)
    promote: int = field(default=0, metadata=FROM_TOP)
    into: str = ""

    @classmethod
    def complete(cls, table: Mapping[str, Any], index: int) -> dict[str, Any]:
        """The id and the name that a group has if none is given."""
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
        """The group that games of a pairing, "A,a,b", are played in."""
        found = pairing.partition(",")[0]
        return next((group for group in self.groups if group.id == found), None)

    def feeders(self) -> dict[str, list[Group]]:
        """For each group, by id, those whose best go into it. Raises ValueError for one that goes nowhere."""
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


class GroupInPlay:
    """A group as far as it has been played.

    feeders    the groups whose best go into it.   promotes: how many of its own best go up.
    players    who is in it, as far as is known.
    robin      its games; None while it waits for its feeders.
    uncounted  the ids of games that somebody has played here who is not in it.
    """

    def __init__(
        self, setup: CompetitionSetup, group: Group, feeders: Sequence["GroupInPlay"], *, promotes: int
    ) -> None:
        self.settings = group
        self.promotes = promotes
        self.feeders = tuple(feeders)
        self.players: tuple[str, ...] = group.players
        self.robin: RoundRobin | None = None
        self.uncounted: set[str] = set()
        size = len(group.players) + sum(feeder.promotes for feeder in feeders)
        self.total = size * (size - 1) // 2 * group.rounds
        self._setup = setup
        self._maker = GameMaker(setup, group, name=group.name)
        self._early: list[GameResult] = []  # results that came before it was known who is in it
        self._positions: dict[str, int] = {}
        self._awaited = 0  # games that wait for the judge

    @property
    def is_over(self) -> bool:
        """Whether all games are played and ruled, so that it is certain who is promoted."""
        return self.robin is not None and self.robin.is_over and not self._awaited

    @property
    def promoted(self) -> tuple[str, ...]:
        """Its best, as many as go up, the first first; nobody before it is over."""
        if self.robin is None or not self.is_over:
            return ()
        return tuple(place.player for place in islice(standings(self.robin.cross), self.promotes))

    def open(self) -> None:
        """Begin, if all feeders are over."""
        if self.robin is not None or not all(feeder.is_over for feeder in self.feeders):
            return
        guests = (code for feeder in self.feeders for code in feeder.promoted)
        self.players = (*self.settings.players, *guests)
        self._positions = {code: position for position, code in enumerate(self.players)}
        self.robin = RoundRobin(self.players, self.settings.rounds, block_of(self.settings))
        for result in self._early:
            self.add(result)
        self._early.clear()

    def add(self, result: GameResult) -> None:
        """Count a game of this group, when it begins if it has not."""
        if self.robin is None:
            self._early.append(result)
            return
        first, second = sorted(self._positions.get(code, -1) for code in result.opponents)
        if first < 0:
            self.uncounted.add(result.id)
        elif self.robin.add(Meeting(first, second, game_number(result)), result):
            self._awaited += is_waiting(result)

    def next_game(self) -> GameSpec | None:
        """Its next game; None if there is none now."""
        meeting = self.robin.next() if self.robin else None
        if meeting is None:
            return None
        first, second, number = meeting
        # so that nobody has the first seat first in more than half of the pairs
        if (second - first) % 2 == 0:
            first, second = second, first
        pair = (self._setup.players[self.players[first]], self._setup.players[self.players[second]])
        name = pairing_id(self.settings.id, first=pair[0].code, second=pair[1].code)
        return self._maker.spec(name, number, self.settings.rounds, pair, swaps=True)

    def check(self, code: str) -> GameSpec:
        """A game of this group to try a player with."""
        return self._maker.check("", self._setup.players[code])

    @property
    def remaining(self) -> int:
        """How many games are still to be issued."""
        return self.total if self.robin is None else self.robin.remaining or 0

    def stats(self) -> Iterator[PairStats]:
        """The results of each pair that has some, in order. Lazy."""
        for pair in combinations(self.players, 2):
            if self.robin and any(stats.total.played for stats in self.robin.cross.pair(*pair)):
                name = pairing_id(self.settings.id, first=pair[0], second=pair[1])
                yield self.robin.cross.pair_stats(name, pair, self.settings, limit=self.settings.rounds)
