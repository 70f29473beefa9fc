"""Amounts that players collect in games of two teams, such as the treasure of Dig Here.

The games of two players are numbered from 0. Games 0 and 1, 2 and 3 and so on, with swapped sides, are a
match: the player with the larger sum of amounts wins it. The number of a game is the digits at the end of its
id. For example, `AvB_3` has number 3, and so have a tuner's games `3` and `g0#7r3`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from msgspec import Struct, field

from gyoji.core.game import AnyGame
from gyoji.core.record import GameResult
from gyoji.core.tables import Cell, Column, Style, Table, data, names, numbers
from gyoji.stats.scores import Z_95

TEAMS = 2

_NUMBERED = re.compile(r"(.*?)([0-9]+)", re.DOTALL)


class Sample(NamedTuple):
    """A sample of numbers, one from each game: their count, their sum, and the sum of their squares."""

    games: int = 0
    sum: float = 0.0
    squares: float = 0.0

    def after(self, number: float) -> "Sample":
        """Return a sample with one more number."""
        return Sample(self.games + 1, self.sum + number, self.squares + number * number)

    def joined(self, other: "Sample") -> "Sample":
        """Return a sample with the numbers of both samples."""
        return Sample(self.games + other.games, self.sum + other.sum, self.squares + other.squares)

    @property
    def mean(self) -> float | None:
        """The mean of the numbers; None without numbers."""
        return self.sum / self.games if self.games else None

    @property
    def error(self) -> float | None:
        """The standard error of the mean; None with fewer than two numbers.

        >>> sample = Sample().after(10).after(20).after(30)
        >>> round(sample.error, 2)
        5.77
        """
        if self.games < 2:
            return None
        # Rounding can make the difference slightly negative where all numbers are equal.
        variance = max(self.squares - self.sum * self.sum / self.games, 0.0) / (self.games - 1)
        return sqrt(variance / self.games)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean; None with fewer than two numbers."""
        mean, error = self.mean, self.error
        if mean is None or error is None:
            return None
        return mean - Z_95 * error, mean + Z_95 * error


class Thinking(Struct):
    """The time that one engine of a team took in all games.

    Attributes:
        games: Number of games.
        think_ns: Time that the engine's clock was charged for all moves, in ns.
        slowest_ns: Time charged for the longest move, in ns.
        left_out: Number of games that went on without the engine.
    """

    games: int = 0
    think_ns: int = 0
    slowest_ns: int = 0
    left_out: int = 0


class Gathered(Struct):
    """The amounts that one player collected in games of two teams.

    Attributes:
        sides: Amounts as team 0 and as team 1.
        thinking: Times of the engines of the player's team, in the order of their seats.
        matches: Numbers of won, drawn and lost matches.
    """

    sides: list[Sample] = field(default_factory=lambda: [Sample()] * TEAMS)
    thinking: list[Thinking] = field(default_factory=list)
    matches: list[int] = field(default_factory=lambda: [0, 0, 0])

    @property
    def total(self) -> Sample:
        return self.sides[0].joined(self.sides[1])


class Totals:
    """The amounts that all players collected in games of two teams. Games without amounts do not count.

    Attributes:
        seats: The seats of team 0, the same in every game.
    """

    def __init__(self) -> None:
        self.seats: tuple[int, ...] = ()
        self._players: defaultdict[str, Gathered] = defaultdict(Gathered)
        # Matches with one game so far: (player of team 0, player of team 1, lead of team 0 in amounts)
        self._waiting: dict[tuple[str, str, int], tuple[str, str, float]] = {}

    def add(self, result: GameResult) -> None:
        totals = result.outcome.totals
        if len(totals) != TEAMS:
            return
        # All games of a competition have the same seats in a team, so the first game is enough.
        self.seats = self.seats or result.seats_of(0)
        for team, player in enumerate(result.opponents):
            gathered = self._players[player]
            gathered.sides[team] = gathered.sides[team].after(totals[team])
            seats = result.seats_of(team)
            if not gathered.thinking:
                gathered.thinking = [Thinking() for _ in seats]
            for thinking, seat in zip(gathered.thinking, seats, strict=True):
                engine = result.engines[seat]
                thinking.games += 1
                thinking.think_ns += engine.think_ns
                thinking.slowest_ns = max(thinking.slowest_ns, engine.slowest_ns)
                thinking.left_out += seat in result.left_out
        self._match(result)

    def _match(self, result: GameResult) -> None:
        """If this game completes a match (two games with swapped sides), count the match.

        A player has no match against itself.
        """
        numbered = _NUMBERED.fullmatch(result.id)
        first, second = result.opponents
        if numbered is None or first == second:
            return
        key = result.pairing, numbered[1], int(numbered[2]) // 2
        lead = result.outcome.totals[0] - result.outcome.totals[1]
        other = self._waiting.pop(key, None)
        if other is None:
            self._waiting[key] = first, second, lead
        # Two games without a change of sides are no match: the side may have decided both.
        elif other[:2] == (second, first):
            lead -= other[2]
            place = 1 if lead == 0 else 0 if lead > 0 else 2
            self._players[first].matches[place] += 1
            self._players[second].matches[2 - place] += 1

    def players(self) -> list[tuple[str, Gathered]]:
        """Return the name and the amounts of each player, the largest mean first."""
        return sorted(self._players.items(), key=lambda item: (-(item[1].total.mean or 0.0), item[0]))


def totals_table(totals: Totals, game: AnyGame) -> Table:
    """Return the table of the amounts that each player collected, largest mean first."""
    players = totals.players()
    engines = [game.roles[seat] for seat in totals.seats] if game.roles else ["engine"]
    return Table(
        name="totals",
        title=f"{game.unit.capitalize()} per game",
        lead=f"{game.unit} per game",
        columns=(
            names("player", [player for player, _ in players]),
            *_columns([gathered for _, gathered in players], game, engines),
        ),
        style=Style.GOMILL,
    )


def _columns(rows: Sequence[Gathered], game: AnyGame, engines: Sequence[str]) -> Iterator[Column]:
    totals, thinking = [row.total for row in rows], [row.thinking for row in rows]
    yield numbers("games", [total.games for total in totals])
    yield data("sum", [total.sum for total in totals])
    yield numbers("mean", [total.mean for total in totals], digits=1)
    reach = ["" if each.error is None else f"± {Z_95 * each.error:.1f}" for each in totals]
    bounds = [each.interval for each in totals]
    yield numbers("95%", map(Cell, reach, bounds), key="interval_95")
    for team, name in enumerate(game.side_names):
        yield numbers(name, [row.sides[team].mean for row in rows], key=f"as_{name}", digits=1)
    if any(sum(row.matches) for row in rows):
        for place, name in enumerate(("won", "level", "lost")):
            heading = "matches won" if name == "won" else name
            yield numbers(heading, [row.matches[place] for row in rows], key=f"matches_{name}")
    for place, name in enumerate(engines):
        seconds = [each[place].think_ns / each[place].games / 1e9 for each in thinking]
        yield numbers(f"{name} s/game", seconds, key=f"{name}_game_s", digits=2)
    for place, name in enumerate(engines):
        yield numbers(f"{name} out", [each[place].left_out for each in thinking], is_optional=True)
    for place, name in enumerate(engines):
        yield data(f"{name}_slowest_s", [each[place].slowest_ns / 1e9 for each in thinking])
