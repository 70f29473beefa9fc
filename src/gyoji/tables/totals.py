"""Games that count something for each team (`Game.unit`, `Outcome.totals`): treasure, or another amount.

`Totals` are what players gathered per game, by side, in matches, and the time they used. `Plans` are what
became of their moves, and what was gathered on each field, where a game counts these (`Game.counts`). Both
are folds over games, and are shown as tables and as values.

A match is two games of a pair in which both players had both sides, those with the numbers 0 and 1, 2 and 3
and so on: who has gathered more in both together has won it. The digits at the end of a game's id are
its number: `AvB_3`, a tuner's `3` and `g0#7r3` all have number 3.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from gyoji.core.game import AnyGame
from gyoji.core.record import GameResult
from gyoji.core.tables import Block, Column, Share, Style, Table, names, numbers, texts
from gyoji.stats.scores import Z_95

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


class Gathered(Struct):
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


class Totals:
    """A fold over the results of two teams; those whose totals are not known do not count.

    seats: those of the first team.
    """

    def __init__(self) -> None:
        self.seats: tuple[int, ...] = ()
        self._players: defaultdict[str, Gathered] = defaultdict(Gathered)
        self._waiting: dict[tuple[str, str, int], _Half] = {}  # games whose match lacks the other one

    def add(self, result: GameResult) -> None:
        totals = result.outcome.totals
        if len(totals) != TEAMS:
            return
        self.seats = self.seats or result.seats_of(0)
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

    def players(self) -> list[tuple[str, Gathered]]:
        """The players with their amounts, the largest mean first."""
        return sorted(self._players.items(), key=lambda item: (-(item[1].total.mean or 0.0), item[0]))


def _place(lead: float) -> int:
    return 0 if lead > 0 else 2 if lead < 0 else 1


def totals_table(totals: Totals, game: AnyGame) -> Table:
    """A row for each player."""
    players = totals.players()
    return Table(
        name="totals",
        title=f"{game.unit.capitalize()} per game",
        columns=(
            names("player", [player for player, _ in players]),
            *_columns([gathered for _, gathered in players], game, _engine_names(game, totals.seats)),
        ),
        style=Style.GOMILL,
    )


def totals_blocks(totals: Totals, game: AnyGame) -> list[Block]:
    """The table with a heading, as a part of a text; nothing if there are no players."""
    table = totals_table(totals, game)
    return [] if table.is_empty else [f"{game.unit} per game", table]


def _columns(rows: Sequence[Gathered], game: AnyGame, engines: Sequence[str]) -> Iterator[Column]:
    totals, thinking = [row.total for row in rows], [row.thinking for row in rows]
    yield numbers("games", [total.games for total in totals])
    yield numbers("mean", [total.mean for total in totals], digits=1)
    yield numbers("95%", [None if each.error is None else f"± {Z_95 * each.error:.1f}" for each in totals])
    for team, name in enumerate(game.side_names):
        yield numbers(name, [row.sides[team].mean for row in rows], digits=1)
    if any(sum(row.matches) for row in rows):
        for place, name in enumerate(("matches won", "level", "lost")):
            yield numbers(name, [row.matches[place] for row in rows])
    for place, name in enumerate(engines):
        seconds = [each[place].think_ns / each[place].games / 1e9 for each in thinking]
        yield numbers(f"{name} s/game", seconds, digits=2)
    for place, name in enumerate(engines):
        if any(each[place].left_out for each in thinking):
            yield numbers(f"{name} out", [each[place].left_out for each in thinking])


def totals_values(totals: Totals, game: AnyGame) -> dict[str, Any]:
    """The same as JSON-ready values."""
    return {
        "unit": game.unit,
        "players": [
            {
                "player": player,
                **_sample(gathered.total),
                "sides": {
                    name: _sample(side) for name, side in zip(game.side_names, gathered.sides, strict=True)
                },
                "matches": dict(zip(("won", "level", "lost"), gathered.matches, strict=True)),
                "engines": {
                    name: {
                        "think_s": each.think_ns / each.games / 1e9,
                        "slowest_s": each.slowest_ns / 1e9,
                        "left_out": each.left_out,
                    }
                    for name, each in zip(_engine_names(game, totals.seats), gathered.thinking, strict=False)
                },
            }
            for player, gathered in totals.players()
        ],
    }


def _engine_names(game: AnyGame, seats: Sequence[int]) -> Sequence[str]:
    """The names of the engines of a team with these seats."""
    return [game.roles[seat] for seat in seats] if game.roles else ["engine"]


def _sample(sample: Sample) -> dict[str, Any]:
    mean, error = sample.mean, sample.error
    reach = None if error is None else Z_95 * error
    return {
        "games": sample.games,
        "sum": sample.sum,
        "mean": mean,
        "interval_95": None if mean is None or reach is None else [mean - reach, mean + reach],
    }


# Plans of players, done and failed, and amounts gathered on each field

Kinds: TypeAlias = "Counter[tuple[str, str]]"
"""The number of plans by what they were to do and why they came to nothing: see `MoveCounts`."""


class Who(NamedTuple):
    """One of a player's engines. role: what it is in its team."""

    player: str
    role: str


class Place(Struct):
    """One field. first: the id of the first game on it; sides: of each player, what it gathered by team."""

    description: str
    first: str
    sides: dict[str, list[Sample]] = field(default_factory=dict)


class Plans:
    """A fold over games. game: theirs."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._plans: defaultdict[Who, Kinds] = defaultdict(Counter)
        self._places: dict[str, Place] = {}

    def add(self, result: GameResult, plans: Sequence[Kinds], *, field: str, description: str) -> None:
        """Count a game. plans: of each seat; field: tells it from others; description: it in a few words."""
        for seat, counts in enumerate(plans):
            self._plans[Who(result.players[seat], self.game.roles[seat])].update(counts)
        place = self._places.setdefault(field, Place(description, result.id))
        place.first = min(place.first, result.id)
        for team, total in enumerate(result.outcome.totals):
            sides = place.sides.setdefault(result.players[team], [Sample()] * TEAMS)
            sides[team] = sides[team].after(total)

    def plans(self) -> dict[Who, Kinds]:
        """The number of plans of each kind that an engine made; by player, in the order of roles."""
        order = list(dict.fromkeys(self.game.roles))
        found = sorted(self._plans.items(), key=lambda item: (item[0].player, order.index(item[0].role)))
        return dict(found)

    def places(self) -> list[Place]:
        """The fields in the order of their first games."""
        return sorted(self._places.values(), key=lambda place: place.first)


def plans_blocks(plans: Plans) -> list[Block]:
    """Both tables with their headings; nothing if there are no games."""
    if not plans.places():
        return []
    by_field = f"{plans.game.unit} by field, as {' and as '.join(plans.game.side_names)}"
    return [by_field, _place_table(plans.places()), "", "plans", _plan_table(plans.plans())]


def _place_table(places: Sequence[Place]) -> Table:
    columns = [
        numbers("", range(1, len(places) + 1)),
        texts("", [place.description for place in places], gap=3),
    ]
    for player in sorted({player for place in places for player in place.sides}):
        for team in range(TEAMS):
            sides = [place.sides.get(player) for place in places]
            means = [None if side is None else side[team].mean for side in sides]
            column = numbers(player, means, digits=0, gap=4 if team else 2)
            columns.append(replace(column, span=0 if team else TEAMS))
    return Table(columns=tuple(columns), style=Style.GOMILL)


def _plan_table(plans: dict[Who, Kinds]) -> Table:
    """The shares of an engine's plans: of what was done, and of the reasons why others came to nothing."""
    done = sorted({verb for counts in plans.values() for verb in _done(counts)})
    failed = sorted({reason for counts in plans.values() for reason in _failed(counts)})
    columns = [texts("", ["", *done, *(f"failed: {reason}" for reason in failed)], gap=3)]
    engines = Counter(who.player for who in plans)
    seen = set[str]()
    for who, counts in plans.items():
        whats, whys = _done(counts), _failed(counts)
        found = [*(whats[verb] for verb in done), *(whys[reason] for reason in failed)]
        shares = [Share(number, counts.total()) if number else None for number in found]
        span = 0 if who.player in seen else engines[who.player]
        columns.append(replace(numbers(who.player, [who.role, *shares], gap=3), span=span))
        seen.add(who.player)
    return Table(columns=tuple(columns), style=Style.GOMILL)


def _done(counts: Kinds) -> Counter[str]:
    """The plans that were carried out, by verb, with their numbers."""
    return Counter({verb: number for (verb, reason), number in counts.items() if not reason})


def _failed(counts: Kinds) -> Counter[str]:
    """The reasons why plans failed, with their numbers."""
    reasons: Counter[str] = Counter()
    for (_, reason), number in counts.items():
        if reason:
            reasons[reason] += number
    return reasons


def plans_values(plans: Plans) -> dict[str, Any]:
    """The same as JSON-ready values: counts and means."""
    return {
        "plans": [
            {
                "player": who.player,
                "role": who.role,
                "done": dict(sorted(_done(counts).items())),
                "failed": dict(sorted(_failed(counts).items())),
            }
            for who, counts in plans.plans().items()
        ],
        "fields": [
            {
                "field": place.description,
                "first_game": place.first,
                "players": {
                    player: {
                        name: {"games": side.games, "mean": side.mean}
                        for name, side in zip(plans.game.side_names, sides, strict=True)
                    }
                    for player, sides in sorted(place.sides.items())
                },
            }
            for place in plans.places()
        ],
    }
