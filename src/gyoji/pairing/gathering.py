"""Amounts that players gathered per game, for games that tell them: by side, in matches, and time used.

A match is two games of a pair in which both players had both sides, those with the numbers 0 and 1, 2 and 3
and so on: who has gathered more in both together has won it. The digits at the end of a game's id are
its number: `AvB_3`, a tuner's `3` and `g0#7r3` all have number 3.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple

from gyoji.core.record import GameResult

TEAMS = 2

_NUMBERED = re.compile(r"(.*?)([0-9]+)", re.DOTALL)


class Sample(NamedTuple):
    """A number of each of some games, known by how many there are, their sum and that of their squares."""

    games: int = 0
    sum: float = 0.0
    squares: float = 0.0

    def after(self, number: float) -> "Sample":
        """With the number of one more game."""
        return Sample(self.games + 1, self.sum + number, self.squares + number * number)

    def joined(self, other: "Sample") -> "Sample":
        """The games of both."""
        return Sample(self.games + other.games, self.sum + other.sum, self.squares + other.squares)

    @property
    def mean(self) -> float | None:
        """None of no games."""
        return self.sum / self.games if self.games else None

    @property
    def error(self) -> float | None:
        """The standard error of the mean; None of fewer than two games.

        >>> sample = Sample().after(10).after(20).after(30)
        >>> round(sample.error, 2)
        5.77
        """
        if self.games < 2:
            return None
        variance = max(self.squares - self.sum * self.sum / self.games, 0.0) / (self.games - 1)
        return sqrt(variance / self.games)


class Thinking(NamedTuple):
    """The time of one of a team's engines over its games, ns; left_out: how many went on without it."""

    games: int = 0
    think_ns: int = 0
    slowest_ns: int = 0
    left_out: int = 0


class _Half(NamedTuple):
    """One game of a match: who had which side, and by how much the first one was ahead."""

    first: str
    second: str
    lead: float


@dataclass(slots=True)
class Gathered:
    """The amounts that one player gathered.

    sides    by team.   thinking  of the engines of the player's team, in the order of their seats.
    matches  won, level and lost.
    """

    sides: list[Sample] = field(default_factory=lambda: [Sample()] * TEAMS)
    thinking: list[Thinking] = field(default_factory=list)
    matches: list[int] = field(default_factory=lambda: [0, 0, 0])

    @property
    def total(self) -> Sample:
        return self.sides[0].joined(self.sides[1])


class Gathering:
    """A fold over the results of two teams; those whose totals are not known do not count."""

    def __init__(self) -> None:
        self._players: defaultdict[str, Gathered] = defaultdict(Gathered)
        self._waiting: dict[tuple[str, str, int], _Half] = {}  # games whose match lacks the other one

    def add(self, result: GameResult) -> None:
        totals = result.outcome.totals
        if len(totals) != TEAMS:
            return
        for team, player in enumerate(result.opponents):
            gathered = self._players[player]
            gathered.sides[team] = gathered.sides[team].after(totals[team])
            seats = result.seats_of(team)
            gathered.thinking += [Thinking()] * (len(seats) - len(gathered.thinking))
            for place, seat in enumerate(seats):
                engine = result.engines[seat]
                games, think, slowest, left_out = gathered.thinking[place]
                gathered.thinking[place] = Thinking(
                    games + 1,
                    think + engine.think_ns,
                    max(slowest, engine.slowest_ns),
                    left_out + (seat in result.left_out),
                )
        self._match(result)

    def _match(self, result: GameResult) -> None:
        """Count the match of which this game is the second. Nobody has a match against itself."""
        numbered = _NUMBERED.fullmatch(result.id)
        first, second = result.opponents
        if numbered is None or first == second:
            return
        key = result.pairing, numbered[1], int(numbered[2]) // 2
        lead = result.outcome.totals[0] - result.outcome.totals[1]
        other = self._waiting.pop(key, None)
        if other is None:
            self._waiting[key] = _Half(first, second, lead)
        elif (other.second, other.first) == (first, second):
            lead -= other.lead
            self._players[first].matches[_place(lead)] += 1
            self._players[second].matches[_place(-lead)] += 1

    def players(self) -> Iterator[tuple[str, Gathered]]:
        """The players with their amounts, the largest mean first."""

        def key(item: tuple[str, Gathered]) -> tuple[float, str]:
            return -(item[1].total.mean or 0.0), item[0]

        return iter(sorted(self._players.items(), key=key))


def _place(lead: float) -> int:
    return 0 if lead > 0 else 2 if lead < 0 else 1
