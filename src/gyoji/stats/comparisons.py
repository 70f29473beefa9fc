"""Two players of a rated field: who is stronger, what they played, what another game would tell."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gyoji.stats.blocks import Floats, Numbers
from gyoji.stats.logistic import drawn_share
from gyoji.stats.ratings import SURE, Rating, Ratings, Results
from gyoji.stats.scores import NAT_ELO, Z_95, cdf


def superiority(ratings: Ratings) -> Iterator[tuple[float | None, ...]]:
    """For each place, the likelihood that its player is stronger than that of each other place.

    None where they cannot be compared, or are the same.
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
    """The results of a player against another. expected: its share of the points, by the ratings.

    elo, error: by how much it is rated higher, and half of the 95 % interval of that.
    """

    player: str
    opponent: str
    results: Results
    expected: float
    elo: float
    error: float
    superiority: float


def head_to_head(ratings: Ratings) -> Iterator[HeadToHead]:
    """Each two players that met, from the side of either, in the order of their places."""
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
    """Two players whose next game tells something.

    gain      how much of the sum of the squared errors of all ratings the game takes away, as a share; None
              if it is the first game between two groups.
    apart     by how much the first is rated higher, and half of the 95 % interval; None between groups.
    """

    first: str
    second: str
    gain: float | None
    apart: tuple[float, float] | None


def next_games(ratings: Ratings, most: int) -> list[Next]:
    """The games that say the most about the ratings of all, relative to the average; the best first.

    Whoever has been second more often is first. Before all others come games that connect groups: those of
    the players of two groups that are known best.
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
    """How much more often a player was second than first."""
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
    """By how much a game of each two takes the sum of the variances down; 0 between groups."""
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
    """The covariance of ratings relative to the average of their group."""
    groups = np.array([place.group for place in ratings.places])
    same = (groups[:, None] == groups).astype(np.float64)
    out = np.eye(len(groups)) - same / same.sum(axis=1)
    centred: Floats = out @ (covariance * same) @ out
    return centred


def _by_place(ratings: Ratings) -> tuple[Floats, Floats, Numbers]:
    """Ratings and their covariance in the order of places; and the place of each player by number."""
    basis = ratings.basis
    at = np.empty(len(basis.order), dtype=np.int64)
    at[basis.order] = np.arange(len(basis.order))
    return basis.elo[basis.order], basis.covariance.dense()[np.ix_(basis.order, basis.order)], at
