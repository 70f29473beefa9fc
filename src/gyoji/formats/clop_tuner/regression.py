"""Local quadratic logistic regression: where candidates win most, of games that are won or lost by chance.

The idea is that of CLOP (R. Coulom, "CLOP: Confident Local Optimization for Noisy Black-Box Parameter
Tuning", ACG 13, 2011); the computation is ours. The log-odds of a win are taken to be a quadratic function q
of where the candidate stands. No strength is quadratic over a large region, so those games count less that
seem to be worse than the average: a point x has the weight

    w(x) = min(1, exp((q(x) - m) / (H s)))

with m the log-odds of the weighted mean score, s the standard error of m, and H the locality. The fit and the
weights depend on each other, and are computed in turns until they agree; weights only shrink. As games
accumulate s shrinks, and the region that counts closes in on the optimum, as slowly as the noise demands.

The next candidate is drawn with a probability in proportion to w, the optimum is estimated by the mean of all
points played, weighted by w: the maximum of q would depend on the fit's least certain terms.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyoji.tuning.observations import Point
from gyoji.tuning.series import uniform

Array = NDArray[np.float64]

PRIOR = 0.05
"""Pseudo-games, about, that hold each term of q at zero: enough for a fit of few games to exist."""

GRID = 64
"""Places along an axis that a draw chooses from."""

_ROUNDS = 40
_STEPS = 30
_FARTHEST = 4.0  # of a Newton step, in log-odds


class Model(NamedTuple):
    """A fit. terms: q's; mean: m; error: H times s; points and weights of the games it was fitted to."""

    terms: Array
    mean: float
    error: float
    points: Array
    weights: Array

    @property
    def best(self) -> Point:
        """The estimate of the optimum."""
        return tuple(float(each) for each in self.weights @ self.points / self.weights.sum())

    @property
    def spread(self) -> Point:
        """By axis, how far the points that count are from the estimate: their standard deviation."""
        squares = (self.points - np.array(self.best)) ** 2
        return tuple(float(each) for each in np.sqrt(self.weights @ squares / self.weights.sum()))


class Regression:
    """Fits and draws. correlations: whether q has products of two coordinates."""

    def __init__(self, dimensions: int, *, correlations: bool, locality: float) -> None:
        self.dimensions = dimensions
        self._locality = locality
        first = range(dimensions)
        self._products = [(i, j) for i in first for j in first if i == j or (i < j and correlations)]

    @property
    def first_fit(self) -> int:
        """How many games there have to be for a fit to mean anything: two for each term."""
        return 2 * (1 + self.dimensions + len(self._products))

    def fit(self, points: Sequence[Point], scores: Sequence[float]) -> Model:
        """The model of these games. Points are in the unit cube, scores from 0 to 1."""
        places, outcomes = np.array(points, dtype=float), np.array(scores, dtype=float)
        columns = self._columns(places)
        weights = np.ones(len(outcomes))
        terms = np.zeros(columns.shape[1])
        mean = error = 0.0
        for _ in range(_ROUNDS):
            terms = _fitted(columns, outcomes, weights, terms)
            mean, error = self._average(outcomes, weights)
            smaller = np.minimum(weights, _weights(columns @ terms, mean, error))
            if smaller.sum() < self.first_fit:
                break  # too little would be left to fit anything to
            change = np.abs(smaller - weights).max()
            weights = smaller
            if change < 1e-3:
                break
        return Model(terms, mean, error, places, weights)

    def draw(self, model: Model, *parts: object) -> Point:
        """A point drawn in proportion to its weight: from a point played, twice around its axes.

        parts: what names the draw.
        """
        start = _chosen(model.weights, uniform(*parts, "start"))
        point = np.clip(model.points[start], 0.0, 1.0)
        for round_ in range(2):
            for axis in range(self.dimensions):
                grid = (np.arange(GRID) + uniform(*parts, "grid", round_, axis)) / GRID
                around = np.repeat(point[None], GRID, axis=0)
                around[:, axis] = grid
                weights = _weights(self._columns(around) @ model.terms, model.mean, model.error)
                point[axis] = grid[_chosen(weights, uniform(*parts, "place", round_, axis))]
        return tuple(float(each) for each in point)

    def expected(self, model: Model, point: Point) -> float:
        """The score that the model expects at a point."""
        return float(_chance(self._columns(np.array([point])) @ model.terms)[0])

    def _columns(self, points: Array) -> Array:
        """The terms of each point: 1, its coordinates, their products; with the middle of the cube at 0."""
        centred = 2 * points - 1
        products = [centred[:, i] * centred[:, j] for i, j in self._products]
        return np.stack([np.ones(len(points)), *centred.T, *products], axis=1)

    def _average(self, outcomes: Array, weights: Array) -> tuple[float, float]:
        """The log-odds of the mean score, held off 0 and 1 by half a game, and H times its standard error."""
        games = weights.sum()
        share = (weights @ outcomes + 0.5) / (games + 1)
        error = 1 / np.sqrt(games * share * (1 - share))
        return float(np.log(share / (1 - share))), float(self._locality * error)


def _fitted(columns: Array, outcomes: Array, weights: Array, start: Array) -> Array:
    """The terms that make the outcomes most likely, by Newton's method with a weak prior at zero."""
    prior = np.full(len(start), PRIOR)
    terms = start.copy()
    for _ in range(_STEPS):
        chance = _chance(columns @ terms)
        slope = columns.T @ (weights * (outcomes - chance)) - prior * terms
        curvature = (columns * (weights * chance * (1 - chance))[:, None]).T @ columns + np.diag(prior)
        step = np.linalg.solve(curvature, slope)
        size = np.abs(step).max()
        terms += step * min(1.0, _FARTHEST / size) if size else 0.0
        if size < 1e-6:
            break
    return terms


def _chance(odds: Array) -> Array:
    return 1 / (1 + np.exp(-np.clip(odds, -30, 30)))


def _weights(odds: Array, mean: float, error: float) -> Array:
    return np.exp(np.clip((odds - mean) / error, -50, 0))


def _chosen(weights: Array, luck: float) -> int:
    """An index, with a chance in proportion to its weight; luck: from 0 to 1."""
    sums: Any = np.cumsum(weights)
    return int(np.searchsorted(sums, luck * sums[-1]))
