"""Comparisons of two players in a rated field: who is stronger, what they played, what another game would
tell.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gyoji.stats.blocks import Floats, Numbers
from gyoji.stats.logistic import drawn_share
from gyoji.stats.ratings import SURE, Rating, Ratings, Results
from gyoji.stats.scores import NAT_ELO, Z_95, cdf


def superiority(ratings: Ratings) -> Iterator[tuple[float | None, ...]]:
    """Yield, for each place, the likelihood that its player is stronger than the player of each other place.

    The likelihood is None for the player itself and for players of other groups.
    """
    elo, covariance, _ = _by_place(ratings)
    variances, places = np.diag(covariance), ratings.places
    groups = [place.group for place in places]
    for row, own in enumerate(covariance):
        spread = (variances[row] + variances - 2 * own).clip(min=SURE)
        apart = ((elo[row] - elo) / np.sqrt(spread)).tolist()
        yield tuple(
            None if column == row or group != groups[row] else cdf(apart[column])
            for column, group in enumerate(groups)
        )


class HeadToHead(NamedTuple):
    """The results of one player against another.

    Attributes:
        expected: Its share of the points by the ratings.
        elo: How much higher it is rated.
        error: Half of the 95 % interval of `elo`.
        superiority: The likelihood that it is the stronger one.
    """

    player: str
    opponent: str
    results: Results
    expected: float
    elo: float
    error: float
    superiority: float


def head_to_head(ratings: Ratings) -> Iterator[HeadToHead]:
    """Yield the results of each pair that met, from both sides, in the order of the players' places."""
    elo, covariance, at = _by_place(ratings)
    games, size = ratings.basis.games, len(elo)
    advantage = ratings.advantage.elo if ratings.advantage else 0.0
    met: dict[int, list[float]] = {}
    for first, second, (lost, drawn, won), sided in zip(
        at[games.first].tolist(),
        at[games.second].tolist(),
        games.results.tolist(),
        games.sided.tolist(),
        strict=True,
    ):
        number, apart = lost + drawn + won, elo[first] - elo[second] + sided * advantage
        share = number / (1 + np.exp(-apart / NAT_ELO))
        for key, counts in (
            (first * size + second, (won, drawn, lost, share)),
            (second * size + first, (lost, drawn, won, number - share)),
        ):
            met[key] = [a + b for a, b in zip(met.get(key, (0, 0, 0, 0)), counts, strict=True)]
    for key in sorted(met):
        one, other = divmod(key, size)
        won, drawn, lost, share = met[key]
        results = Results(int(won), int(drawn), int(lost))
        spread = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        apart = float(elo[one] - elo[other])
        yield HeadToHead(
            player=ratings.places[one].player,
            opponent=ratings.places[other].player,
            results=results,
            expected=float(share) / results.games,
            elo=apart,
            error=Z_95 * float(max(spread, 0.0)) ** 0.5,
            superiority=cdf(apart / float(max(spread, SURE)) ** 0.5),
        )


class Next(NamedTuple):
    """A pair of players whose next game is informative.

    Attributes:
        gain: The share by which the game reduces the sum of the squared errors of all ratings. None for
            the first game between two groups.
        apart: How much higher the first is rated, and half of the 95 % interval; None between groups.
    """

    first: str
    second: str
    gain: float | None
    apart: tuple[float, float] | None


def next_games(ratings: Ratings, most: int) -> list[Next]:
    """Return the games that tell most about the ratings relative to the average, the best first.

    Games that connect groups come before all others: between the best-known players of two groups. The
    player that has been second more often is first.

    Args:
        ratings: The rated field.
        most: How many games to return at most.
    """
    found = list(_between_groups(ratings))[:most]
    elo, covariance, _ = _by_place(ratings)
    gains = _gains(ratings, elo, covariance)
    ones, others = np.triu_indices(len(elo), 1)
    gained = gains[ones, others]
    total = np.diag(_centred(ratings, covariance)).sum()
    for index in np.argsort(-gained, kind="stable")[: most - len(found)]:
        one, other = int(ones[index]), int(others[index])
        if gained[index] <= 0:
            break
        if _seconds(ratings.places[other]) > _seconds(ratings.places[one]):
            one, other = other, one
        spread = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        apart = (float(elo[one] - elo[other]), Z_95 * float(max(spread, 0.0)) ** 0.5)
        names = (ratings.places[one].player, ratings.places[other].player)
        found.append(Next(*names, gain=float(gained[index] / total), apart=apart))
    return found


def _seconds(place: Rating) -> int:
    """Return how many more games a player had as second than as first."""
    return place.sides[1].games - place.sides[0].games


def _between_groups(ratings: Ratings) -> Iterator[Next]:
    best: dict[int, Rating] = {}
    for place in ratings.places:
        if place.group not in best or place.error < best[place.group].error:
            best[place.group] = place
    first, *rest = best.values()
    for other in rest:
        yield Next(first.player, other.player, gain=None, apart=None)


def _gains(ratings: Ratings, elo: Floats, covariance: Floats) -> Floats:
    """Return by how much a game of each two players reduces the sum of the variances; 0 between groups."""
    x = (elo[:, None] - elo) / NAT_ELO
    spread = 0.25 - (np.tanh(x / 2) / 2) ** 2
    noise = spread - drawn_share(spread, ratings.basis.draws) / 4
    information = spread * spread / noise.clip(min=SURE) / NAT_ELO**2
    centred = _centred(ratings, covariance)
    variances = np.diag(covariance)
    apart = variances[:, None] + variances - 2 * covariance
    squares = centred @ centred
    moved = np.diag(squares)[:, None] + np.diag(squares) - 2 * squares
    groups = np.array([place.group for place in ratings.places])
    gains: Floats = information * moved / (1 + information * apart) * (groups[:, None] == groups)
    return gains


def _centred(ratings: Ratings, covariance: Floats) -> Floats:
    """Return the covariance of the ratings relative to the average of their group."""
    groups = np.array([place.group for place in ratings.places])
    same = (groups[:, None] == groups).astype(np.float64)
    out = np.eye(len(groups)) - same / same.sum(axis=1)
    centred: Floats = out @ (covariance * same) @ out
    return centred


def _by_place(ratings: Ratings) -> tuple[Floats, Floats, Numbers]:
    """Return ratings and covariance in the order of the places, and the place of each player by number."""
    basis = ratings.basis
    at = np.empty(len(basis.order), dtype=np.int64)
    at[basis.order] = np.arange(len(basis.order))
    return basis.elo[basis.order], basis.covariance.dense()[np.ix_(basis.order, basis.order)], at
