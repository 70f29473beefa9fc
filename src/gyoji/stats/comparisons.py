"""Comparison of every two players of a rated field: which of them is stronger."""

from collections.abc import Iterator

import numpy as np

from gyoji.stats.ratings import SURE, Ratings
from gyoji.stats.scores import cdf


def superiority(ratings: Ratings) -> Iterator[tuple[float | None, ...]]:
    """Yield, for each place, the likelihood that its player is stronger than the player of each other place.

    The likelihood is None for the player itself and for players of other groups.
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
