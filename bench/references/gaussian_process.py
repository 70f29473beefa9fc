"""A tuner by a Gaussian process, in the manner of chess-tuning-tools 0.9: 50 candidates of 20 games each.

Sixteen candidates fill the cube. Each following one is, of 500 at random, the one whose result tells most
about the height of the maximum (max-value entropy search). The kernel is Matérn's of smoothness 5/2 with a
length for each axis; the noise of a result is that of its games; lengths and variance are the likeliest with
a weak prior, found anew at every fourth candidate. The estimate is where the mean is highest, of 3,000 at
random and of 1,000 near the best of these.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import ndtr

from gyoji.tuning.features import halton

Array = NDArray[np.float64]

CANDIDATES = 50
GAMES = 20
_FIRST = 16
_AFRESH = 4
_MAXIMA = 16


class Process:
    """A Gaussian process of log-odds by points in the cube. settings: logarithms of variance and lengths."""

    def __init__(self, dimensions: int) -> None:
        self.settings = np.log([1.0] + [0.4] * dimensions)
        self._points = np.zeros((0, dimensions))

    def learn(self, points: Array, wins: Array, *, afresh: bool) -> None:
        """Learn from the wins of candidates. afresh: whether variance and lengths are found anew."""
        share = (wins + 0.5) / (GAMES + 1)
        self._points, odds = points, np.log(share / (1 - share))
        self._noise = 1 / (GAMES * share * (1 - share))
        self._mean = float(np.average(odds, weights=1 / self._noise))
        self._values = odds - self._mean
        if afresh:
            bounds = [(-4.0, 4.0)] + [(-3.0, 1.5)] * points.shape[1]
            found = minimize(
                self._unlikely, self.settings, method="L-BFGS-B", bounds=bounds, options={"maxiter": 12}
            )
            self.settings = found.x
        kernel = self._kernel(points, points, self.settings) + np.diag(self._noise)
        self._root = np.linalg.cholesky(kernel)
        self._weights = np.linalg.solve(kernel, self._values)

    def mean(self, points: Array) -> Array:
        across = self._kernel(points, self._points, self.settings)
        return np.asarray(across @ self._weights + self._mean)

    def mean_and_covariance(self, points: Array) -> tuple[Array, Array]:
        across = self._kernel(points, self._points, self.settings)
        half = np.linalg.solve(self._root, across.T)
        return across @ self._weights + self._mean, self._kernel(
            points, points, self.settings
        ) - half.T @ half

    def _kernel(self, left: Array, right: Array, settings: Array) -> Array:
        scale = np.exp(settings)
        a, b = left / scale[1:], right / scale[1:]
        squares = (a * a).sum(1)[:, None] + (b * b).sum(1) - 2 * a @ b.T
        away = np.sqrt(5 * np.maximum(squares, 0))
        return np.asarray(scale[0] * (1 + away + away * away / 3) * np.exp(-away))

    def _unlikely(self, settings: Array) -> float:
        kernel = self._kernel(self._points, self._points, settings) + np.diag(self._noise)
        root = np.linalg.cholesky(kernel + 1e-9 * np.eye(len(kernel)))
        half = np.linalg.solve(root, self._values)
        prior = 0.5 * float(((settings - np.log([1.0] + [0.4] * (len(settings) - 1))) ** 2).sum())
        return float(0.5 * half @ half + np.log(np.diag(root)).sum()) + 0.5 * prior


def next_point(process: Process, generator: np.random.Generator) -> Array:
    """Return the candidate whose result tells most about how high the maximum is."""
    pool = generator.random((500, process.settings.size - 1))
    mean, covariance = process.mean_and_covariance(pool)
    few = generator.choice(500, 150, replace=False)
    root = np.linalg.cholesky(covariance[np.ix_(few, few)] + 1e-6 * np.eye(150))
    maxima = (mean[few][:, None] + root @ generator.standard_normal((150, _MAXIMA))).max(axis=0)
    spread = np.sqrt(np.maximum(np.diag(covariance), 1e-10))
    beyond = (np.maximum(maxima, mean.max() - 1e-3) - mean[:, None]) / spread[:, None]
    below = np.maximum(ndtr(beyond), 1e-12)
    density = np.exp(-0.5 * beyond**2) / np.sqrt(2 * np.pi)
    return pool[int((beyond * density / (2 * below) - np.log(below)).mean(axis=1).argmax())]


def estimate(process: Process, generator: np.random.Generator) -> Array:
    """Return where the mean is highest."""
    dimensions = process.settings.size - 1
    best = np.full(dimensions, 0.5)
    for pool in (generator.random((3000, dimensions)), 0.05 * generator.standard_normal((1000, dimensions))):
        points = pool if pool.min() >= 0 else np.clip(best + pool, 0, 1)
        best = points[int(process.mean(points).argmax())]
    return best


def first_points(dimensions: int, seed: int) -> Array:
    """Return the candidates that fill the cube."""
    return halton(_FIRST, dimensions, first=1 + 16 * seed)


def is_afresh(count: int) -> bool:
    """Whether lengths are found anew after so many candidates."""
    return count % _AFRESH == 0
