"""The settings of groups, checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gyoji.core.setup import FROM_TOP, UNIQUE, GameSettings, Identifier, PlayerCode, named
from gyoji.core.text import quote


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
        if self.rounds < 1:
            raise ValueError(f"rounds: expected 1 or more, got {self.rounds}")
        if self.promote < 0:
            raise ValueError(f"promote: expected 0 or more, got {self.promote}")


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
                        f"groups: {group.id} goes into {quote(target)}: no group before it is that"
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
                        f"groups: {quote(code)} is in {home[code]} and in {group.id}: once is enough"
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
