"""Ratings of a field from all its results at once, with error bars. See `logistic` for the model.

A rating is an Elo number relative to the average of the player's group, or to the anchors in it; ± is half
of a 95 % interval of that. Two players of different groups, which no chain of games connects, cannot be
compared, and nothing here does so.

The bars come from the curvature of the likelihood, which takes every game for a throw of its own. Games of
an opening are not: they share its luck. The bootstrap asks the results instead: as many pairs of games are
drawn from those of each two players, with repetition, as there were, and the field is rated again, many
times over; the spread of these ratings is the error. What is drawn is a function of a seed: the same
results have the same bars.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gyoji.stats.ledger import BLOCKS, Ledger, groups, tells_sides
from gyoji.stats.logistic import Counts, Field, Fit, Floats, Games, Met, Numbers, fit, games_of, met_in, sums
from gyoji.stats.scores import NAT_ELO, Z_95, cdf

_SOME = 4096
_SURE = 1e-12
"""The least variance of a difference, in Elo: two anchors are what they are."""


@dataclass(frozen=True, slots=True)
class Results:
    """How many games a player won, drew and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2

    @property
    def score(self) -> float | None:
        """Points as a share of the games, None without any."""
        return self.points / self.games if self.games else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One player's place; rank counts from 1 within its group, the groups from 1 too, largest first.

    elo, error     and half of the 95 % interval, 0 for an anchor.
    total, sides   its results: all, and those in which it was first and second, where sides are known.
    above_next     the likelihood that it is stronger than the next in its group, None for the last.
    """

    rank: int
    group: int
    player: str
    elo: float
    error: float
    total: Results
    sides: tuple[Results, Results]
    above_next: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage:
    """The advantage of the first player, in Elo, and half of its 95 % interval."""

    elo: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """A rated field, from the top of the largest group to the bottom of the smallest.

    superiority  of players by row: the likelihood that the one is stronger than the other; None where they
                 cannot be compared, or are the same.
    advantage    None where results do not tell it from strength; then it is taken for 0.
    draw_ratio   the share of draws that is expected between equals.
    """

    places: tuple[Rating, ...]
    superiority: tuple[tuple[float | None, ...], ...]
    advantage: Advantage | None
    draw_ratio: float
    groups: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrap:
    """How often to draw, and from which seed."""

    draws: int = 200
    seed: int = 0


def rate(
    ledger: Ledger, *, anchors: Mapping[str, float] | None = None, bootstrap: Bootstrap | None = None
) -> Ratings:
    """Rate everybody in the ledger. anchors: Elo that is given.

    Raises ValueError for a ledger without games, KeyError for an anchor that has none.
    """
    meetings = ledger.meetings()
    players = meetings.players
    if not players:
        raise ValueError("there are no games to rate")
    games = games_of(met_in(meetings))
    numbers = {player: number for number, player in enumerate(players)}
    field = Field(
        groups=groups(len(players), _paired(games.first, games.second)),
        anchors={numbers[player]: elo / NAT_ELO for player, elo in (anchors or {}).items()},
        sides=tells_sides(len(players), _directed(games)),
    )
    found = fit(games, field)
    if bootstrap is not None:
        found = replace(found, covariance=_spread(met_in(meetings), field, found.values, bootstrap))
    return _told(players, games, field, found)


def _directed(games: Games) -> Iterator[tuple[int, int]]:
    """The pairs (first, second) that met."""
    sided = games.sided > 0
    return _paired(games.first[sided], games.second[sided])


def _paired(first: Numbers, second: Numbers) -> Iterator[tuple[int, int]]:
    """The pairs of two arrays. A few at a time: there may be a million, and one may be enough."""
    for start in range(0, len(first), _SOME):
        some = slice(start, start + _SOME)
        yield from zip(first[some].tolist(), second[some].tolist(), strict=True)


def _spread(met: Met, field: Field, start: Floats, bootstrap: Bootstrap) -> Floats:
    """The covariance of what is found in meetings drawn from those of each two players, as many."""
    chance = np.random.default_rng(bootstrap.seed)
    number, shares = met.counts.sum(axis=1).astype(np.int64), _chances(met.counts)
    values = []
    for _ in range(bootstrap.draws):
        drawn = chance.multinomial(number, shares)
        values.append(fit(games_of(met._replace(counts=drawn)), field, start).values)
    return np.cov(np.array(values), rowvar=False)


def _chances(counts: Counts) -> Floats:
    """The chances that each kind of meeting is drawn: its share of all, had there been one meeting more.

    That one may have any result, so that nobody is sure of a player that has always won.
    """
    number = counts.sum(axis=1, keepdims=True)
    more = np.empty(counts.shape)
    for block in BLOCKS:
        more[:, block] = counts[:, block].mean(axis=1, keepdims=True) / number
    chances: Floats = (counts + more) / (number + 1)
    return chances


def _told(players: Sequence[str], games: Games, field: Field, found: Fit) -> Ratings:
    """The ratings that a fit says."""
    elo, covariance = found.values * NAT_ELO, found.covariance * NAT_ELO**2
    errors = Z_95 * np.sqrt(np.diag(covariance).clip(min=0))
    results = _results(len(players), games)
    places: list[Rating] = []
    superiority: list[tuple[float | None, ...]] = []
    for number, group in enumerate(field.groups, 1):
        order = sorted(group, key=lambda player: -elo[player])
        above = _superiority(elo[order], covariance[np.ix_(order, order)])
        before, after = [None] * len(places), [None] * (len(players) - len(places) - len(order))
        for rank, (player, row) in enumerate(zip(order, above, strict=True), 1):
            place = Rating(
                rank=rank,
                group=number,
                player=players[player],
                elo=float(elo[player]),
                error=float(errors[player]),
                total=results[0][player],
                sides=(results[1][player], results[2][player]),
                above_next=row[rank] if rank < len(order) else None,
            )
            places.append(place)
            superiority.append((*before, *row, *after))
    return Ratings(
        places=tuple(places),
        superiority=tuple(superiority),
        advantage=Advantage(elo=float(elo[-1]), error=float(errors[-1])) if field.sides else None,
        draw_ratio=found.draws,
        groups=len(field.groups),
        games=int(games.results.sum()),
    )


def _superiority(elo: Floats, covariance: Floats) -> Iterator[list[float | None]]:
    """The likelihood that the player of a row is stronger than that of a column, None for the same one."""
    variances = np.diag(covariance)
    for row, own in enumerate(covariance):
        spread = variances[row] + variances - 2 * own
        apart = (elo[row] - elo) / np.sqrt(spread.clip(min=_SURE))
        yield [None if column == row else cdf(value) for column, value in enumerate(apart.tolist())]


def _results(players: int, games: Games) -> tuple[list[Results], list[Results], list[Results]]:
    """The results of each player: all, those in which it was first, those in which it was second."""

    def counted(who: Numbers, lost_drawn_won: Floats) -> Floats:
        return np.array([sums(who, column, players) for column in lost_drawn_won.T])

    def told(table: Floats) -> list[Results]:
        return [Results(won, drawn, lost) for lost, drawn, won in table.T.astype(int).tolist()]

    sided = games.results * games.sided[:, None]
    first, second = counted(games.first, sided), counted(games.second, sided[:, ::-1])
    total = counted(games.first, games.results) + counted(games.second, games.results[:, ::-1])
    return told(total), told(first), told(second)
