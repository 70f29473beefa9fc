"""Ratings of all players from all their results at once, with error bars. `logistic` has the model.

A rating is an Elo number relative to the average of the player's group, or to the given ratings in the group.
The error is half of the 95 % interval of the rating, or of the rating's difference to a chosen player.
Players of different groups, which no chain of games connects, are never compared.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gyoji.core.tables import shared_ranks
from gyoji.stats.blocks import Covariance, Floats, Numbers
from gyoji.stats.ledger import Ledger, groups, tells_sides
from gyoji.stats.logistic import Belief, Field, Fit, Games, fit, games_in, sums
from gyoji.stats.scores import NAT_ELO, Z_95, cdf

_SOME = 4096
_SAME = 1e-6  # Elo: a fit of players with the same results differs by some 1e-13
SURE = 1e-12
"""The variance, in squared Elo, that the difference of two fixed ratings is given, to avoid a division by
0.
"""


@dataclass(frozen=True, slots=True)
class Results:
    """Numbers of games that a player won, drew and lost."""

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
        """The points as a share of the games, None without games."""
        return self.points / self.games if self.games else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """The rating of one player, with its place in the list.

    Attributes:
        rank: The place within the group, from 1. Players with the same rating share it.
        group: The number of the player's group of connected players, from 1, the largest group first.
        elo: The rating.
        error: Half of the width of the 95 % interval in Elo, 0 for a fixed rating.
        total: All results of the player.
        sides: The results as first and as second player, in games with known sides.
        above_next: The likelihood that the player is stronger than the next in the group, None for the last.
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
    """The advantage of the first side in Elo.

    Attributes:
        error: Half of the width of the 95 % interval.
    """

    elo: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """The ratings of all players, group by group, the largest group first.

    Attributes:
        advantage: The advantage of the first side. None if it cannot be distinguished from strength: then it
            is assumed to be 0.
        draw_ratio: The expected share of draws between equals.
        is_weighted: Whether any game has a weight other than 1.
        relative_to: Error bars are for the difference to this player. None: to the mean of the group, or to
            its fixed ratings.
        basis: The arrays from which the ratings were made.
    """

    places: tuple[Rating, ...]
    advantage: Advantage | None
    draw_ratio: float
    groups: int
    games: int
    is_weighted: bool
    relative_to: str | None
    basis: "Basis" = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """The arrays from which ratings were made.

    Attributes:
        order: The number of the player at each place, the first place first.
        elo: The rating of each player by its number. The last element is the advantage of the first side.
        covariance: The covariances of the ratings and of the advantage, in squared Elo.
    """

    order: Numbers
    elo: Floats
    covariance: Covariance


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A prior for one player: rating and error in Elo (half the 95 % interval; 0 fixes the rating)."""

    player: str
    elo: float
    error: float = 0


def rate(
    ledger: Ledger,
    *,
    given: Sequence[Given] = (),
    relative_to: str | None = None,
    order: Sequence[str] = (),
) -> Ratings:
    """Rate all players in the ledger.

    Args:
        ledger: The games.
        given: Ratings that are known.
        relative_to: Error bars are for the difference to this player. None: to the mean of the group, or to
            its given ratings.
        order: The order of players with the same rating. Missing players follow in the ledger's order.

    Raises:
        ValueError: The ledger has no games.
        KeyError: A player in `given` or `relative_to` has no games.
    """
    meetings = ledger.meetings()
    players = meetings.players
    if not players:
        raise ValueError("there are no games to rate")
    games = games_in(meetings)
    numbers = {player: number for number, player in enumerate(players)}
    beliefs = [
        Belief(numbers[each.player], each.elo / NAT_ELO, each.error / Z_95 / NAT_ELO) for each in given
    ]
    sided = games.sided > 0
    known = Field(
        groups=groups(len(players), _paired(games.first, games.second)),
        anchors={each.player: each.elo for each in beliefs if not each.error},
        beliefs=[each for each in beliefs if each.error],
        sides=tells_sides(len(players), _paired(games.first[sided], games.second[sided])),
    )
    found = fit(games, known)
    beside = None if relative_to is None else numbers[relative_to]
    first = {player: place for place, player in enumerate(order)}
    tied = [first.get(player, len(first)) for player in players]
    rated = _ratings(players, games, known, found, beside=beside, tied=tied)
    return replace(rated, is_weighted=bool(meetings.weights))


# Some at a time: there may be a million pairs, and the caller often stops after one.
def _paired(first: Numbers, second: Numbers) -> Iterator[tuple[int, int]]:
    """Yield the elements of two arrays of player numbers in pairs."""
    for start in range(0, len(first), _SOME):
        some = slice(start, start + _SOME)
        yield from zip(first[some].tolist(), second[some].tolist(), strict=True)


def _ratings(
    players: Sequence[str],
    games: Games,
    known: Field,
    found: Fit,
    *,
    beside: int | None,
    tied: Sequence[int],
) -> Ratings:
    """Rank the players of each group, and convert ratings and error bars to Elo.

    Args:
        players: The names of the players, by number.
        games: The games that were rated.
        known: The groups of players, and the ratings that were given.
        found: The fitted strengths and their covariance, in nats.
        beside: The number of a player: error bars are for the difference to it. None for the mean of the
            group.
        tied: For each player, the key that orders players with the same rating.
    """
    elo, covariance = found.values * NAT_ELO, found.covariance.scaled(NAT_ELO**2)
    results = _results(len(players), games)
    places: list[Rating] = []
    order: list[int] = []
    for number, group in enumerate(known.groups, 1):
        ranked, ranks = ranked_group(group, elo, tied)
        own = covariance.within(ranked)
        errors = Z_95 * np.sqrt(_variances(own, ranked, beside).clip(min=0))
        order += ranked
        for at, player in enumerate(ranked):
            above = None
            if at + 1 < len(ranked):
                spread = own[at, at] + own[at + 1, at + 1] - 2 * own[at, at + 1]
                above = cdf((elo[player] - elo[ranked[at + 1]]) / max(spread, SURE) ** 0.5)
            place = Rating(
                rank=ranks[at],
                group=number,
                player=players[player],
                elo=float(elo[player]),
                error=float(errors[at]),
                total=results[0][player],
                sides=(results[1][player], results[2][player]),
                above_next=above,
            )
            places.append(place)
    error = Z_95 * covariance.of_advantage**0.5
    return Ratings(
        places=tuple(places),
        advantage=Advantage(elo=float(elo[-1]), error=error) if known.sides else None,
        draw_ratio=found.draws,
        groups=len(known.groups),
        games=int(games.results.sum()),
        is_weighted=False,
        relative_to=None if beside is None else players[beside],
        basis=Basis(np.array(order), elo, covariance),
    )


# Players with equal results have ratings that differ by rounding errors of the fit.
def ranked_group(group: Iterable[int], elo: Floats, tied: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the players of a group, the strongest first, and their ranks in that order.

    Args:
        group: The numbers of the players.
        elo: The rating of each player.
        tied: For each player, the key that orders players with the same rating.
    """
    ranked = sorted(group, key=lambda player: -elo[player])
    level, merits = 0, list[int]()
    for at, player in enumerate(ranked):
        level += at > 0 and elo[ranked[at - 1]] - elo[player] > _SAME
        merits.append(level)
    levels = dict(zip(ranked, merits, strict=True))
    return sorted(ranked, key=lambda player: (levels[player], tied[player], player)), shared_ranks(merits)


def _variances(own: Floats, group: Sequence[int], beside: int | None) -> Floats:
    """Return the variance of each rating of a group, or of its difference to the rating of `beside`.

    Args:
        own: The covariance matrix of the group's ratings.
        group: The numbers of the group's players.
        beside: The number of a player. If it is None or in another group, the ratings are not compared with
            it.
    """
    variances: Floats = np.diag(own).copy()
    if beside in group:
        at = group.index(beside)
        variances += own[at, at] - 2 * own[at]
    return variances


def _results(players: int, games: Games) -> tuple[list[Results], list[Results], list[Results]]:
    """Return three lists of results by player: all results, those as first player, and those as second
    player.
    """

    def counted(who: Numbers, lost_drawn_won: Floats) -> Floats:
        return np.array([sums(who, column, players) for column in lost_drawn_won.T])

    def told(table: Floats) -> list[Results]:
        return [Results(won, drawn, lost) for lost, drawn, won in table.T.astype(int).tolist()]

    sided = games.results * games.sided[:, None]
    first, second = counted(games.first, sided), counted(games.second, sided[:, ::-1])
    total = counted(games.first, games.results) + counted(games.second, games.results[:, ::-1])
    return told(total), told(first), told(second)


def superiority(ratings: Ratings) -> Iterator[tuple[float | None, ...]]:
    """Yield a row of likelihoods for each player, in the order of the places.

    Item k of a row is the likelihood that the row's player is stronger than the player in place k. It is None
    for the player itself and for players of other groups.
    """
    basis = ratings.basis
    elo, covariance = basis.elo[basis.order], basis.covariance.dense()[np.ix_(basis.order, basis.order)]
    variances, places = np.diag(covariance), ratings.places
    groups = [place.group for place in places]
    for row, own in enumerate(covariance):
        spread = (variances[row] + variances - 2 * own).clip(min=SURE)
        apart = ((elo[row] - elo) / np.sqrt(spread)).tolist()
        yield tuple(
            None if column == row or group != groups[row] else cdf(apart[column])
            for column, group in enumerate(groups)
        )
