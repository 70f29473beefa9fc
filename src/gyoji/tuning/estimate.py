"""The estimate of a tuner: how good its best parameters are, and how much better others may be.

The landscape is a model of the strength of all candidates. Random landscapes are drawn from its posterior.
The highest point of each says where the best parameters may be, and how much stronger than the tuner's best
point they may be. The draws depend only on the games.
"""

from typing import NamedTuple

import numpy as np

from gyoji.stats.scores import NAT_ELO
from gyoji.tuning.features import Array, halton
from gyoji.tuning.landscape import Games, Landscape, fit, snapped
from gyoji.tuning.observations import Observations, Point

DRAWS = 400
_SPREAD_POINTS = 800
_NEAR_POINTS = 200  # around the best point, at each of `_DISTANCES`
_DISTANCES = (0.02, 0.07, 0.2)
_SEED = 20260


class Bounds(NamedTuple):
    """An estimated number with its 95 % bounds."""

    value: float
    low: float
    high: float


class Span(NamedTuple):
    """The 95 % interval of the best value of a parameter, in the tuner's coordinates.

    Attributes:
        likely: For an unordered list, coordinates of values: with 95 % probability the best value is among
            them. Else ().
    """

    low: float
    high: float
    likely: tuple[float, ...] = ()


class Estimate(NamedTuple):
    """The estimated quality of a tuner's best point.

    Attributes:
        games: Number of games from which the estimate is made.
        best: The tuner's best point.
        start: The point that the tuner began with.
        gain: How much stronger `best` is than `start`, in Elo.
        spans: For each parameter, the interval of its best value.
        left: The upper 95 % bound of how much stronger than `best` any parameters are, in Elo.
        expected_left: The mean of how much stronger the truly best parameters are, in Elo.
    """

    games: int
    best: Point
    start: Point
    gain: Bounds
    spans: tuple[Span, ...]
    left: float
    expected_left: float


class Survey(NamedTuple):
    """A landscape, which models the strength of candidates at all points, and the games to which it is
    fitted.

    Attributes:
        landscape: The model. Its positions are fractions of each parameter's range.
        observations: All games of the tuner. They also convert points in the tuner's coordinates to
            positions.
        games: How many of the games, from the first, the landscape is fitted to.
    """

    landscape: Landscape
    observations: Observations
    games: int

    def estimate(self, best: Point, start: Point) -> Estimate:
        """Return the estimate for the tuner's best point."""
        chance = np.random.default_rng((_SEED, self.games))
        axes, landscape = self.landscape.axes, self.landscape
        here, origin = (np.array([self.observations.positions(each)]) for each in (best, start))
        near = [
            here + distance * chance.standard_normal((_NEAR_POINTS, len(axes))) for distance in _DISTANCES
        ]
        spread = np.vstack([halton(_SPREAD_POINTS, len(axes)), *near])
        points = np.vstack([here, origin, np.unique(snapped(axes, spread), axis=0)])
        draws = landscape.draws(points, chance.standard_normal((DRAWS, landscape.size))) * NAT_ELO
        better = draws.max(axis=1) - draws[:, 0]
        gains = draws[:, 0] - draws[:, 1]
        low, high = np.quantile(gains, (0.025, 0.975))
        highest = points[draws.argmax(axis=1)]
        return Estimate(
            games=self.games,
            best=best,
            start=start,
            gain=Bounds(float(gains.mean()), float(low), float(high)),
            spans=tuple(self._span(column, highest[:, column]) for column in range(len(axes))),
            left=float(np.quantile(better, 0.95)),
            expected_left=float(better.mean()),
        )

    def _span(self, column: int, places: Array) -> Span:
        """Return the 95 % interval of a parameter's best coordinate.

        Args:
            column: The number of the parameter.
            places: For each landscape drawn from the posterior: the parameter's position, a fraction of its
                range, at the landscape's highest point.
        """
        axis = self.landscape.axes[column]
        low, high = (float(each) for each in np.quantile(places, (0.025, 0.975), method="nearest"))
        ends = [self.observations.coordinate(column, each) for each in (low, high)]
        if axis.ordered or not axis.levels:
            return Span(ends[0], ends[1])
        level = np.minimum((places * axis.levels).astype(int), axis.levels - 1)
        shares = np.bincount(level, minlength=axis.levels) / len(places)
        order = np.argsort(-shares, kind="stable")
        enough = int(np.searchsorted(np.cumsum(shares[order]), 0.95)) + 1
        likely = sorted(order[:enough].tolist())
        places_of = ((each + 0.5) / axis.levels for each in likely)
        return Span(ends[0], ends[1], tuple(self.observations.coordinate(column, each) for each in places_of))

    def elo(self, positions: Array, best: Point) -> tuple[Array, Array]:
        """Compare the strength of positions with the strength of the point `best`.

        Args:
            positions: A row for each position. The row has fractions of the parameters' ranges.
            best: A point in the tuner's coordinates.

        Returns:
            How much stronger each position is, in Elo, and the standard deviation of that difference.
        """
        here = np.array(self.observations.positions(best))
        above = self.landscape.mean(positions) - self.landscape.mean(here[None])
        return above * NAT_ELO, self.landscape.sd_from(positions, here) * NAT_ELO


def survey(observations: Observations, games: int) -> Survey:
    """Fit the landscape of the first `games` games, at least one."""
    axes = [parameter.axis for parameter in observations.parameters]
    width, size = observations.width, len(axes)
    rows = np.array(observations.rows[: games * width]).reshape(games, width)
    others = rows[:, size : 2 * size] if observations.pairs else None
    return Survey(fit(axes, Games(rows[:, :size], others, rows[:, -1])), observations, games)
