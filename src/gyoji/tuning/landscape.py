"""The landscape: a model, fitted to games, of candidates' strength at any point of parameter space.

References: Rasmussen, Williams, "Gaussian Processes for Machine Learning" (2006), sections 3.4, 5.5 and
8.3.
"""

# Theory of operation
# -------------------
#
# Strength is a Gaussian process over the points, with a Matérn kernel of order 3/2 and a length for each
# axis. The log-odds of a game between two candidates are the difference of their strengths; against an
# opponent they are the strength plus a constant. The process is approximated from its kernel at some dozens
# of support points. The posterior is Laplace's approximation; lengths and height are those with the highest
# evidence, with a weak prior on both. Games at neighbouring points are counted together if there are many.
# Drawn games vary less than games that are won or lost, so the likelihood is scaled by the variance of the
# scores.
#
#     games --_counted_together--> leaves --_searched--> shape (lengths, height) --_laplace--> Landscape
#
# The landscape is the same for all tuners, however the tuner that chose the games models strength. `search`
# has models of its own, and says why both exist.

from collections.abc import Sequence
from heapq import heappop, heappush
from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyoji.tuning.features import Array, halton
from gyoji.tuning.scales import Axis

_FIT_LEAVES, _SEARCH_LEAVES = 1000, 400
_SUPPORT = (0, 40, 80, 120)  # points of support by number of axes; 150 for more of them
_JITTER = 1e-6
_CONSTANT = 3.0  # the standard deviation of the opponent's constant, in log-odds
_DEFAULT_LENGTH, _DEFAULT_HEIGHT = 0.5, 1.0
_ROUNDS = 30
_FARTHEST = 5.0  # of a Newton step


class Games(NamedTuple):
    """Games of a tuner's candidates, a row for each. Positions are fractions of the parameters' ranges.

    Attributes:
        points: The position of the first candidate.
        others: The position of the second candidate; None if candidates play other opponents.
        scores: The score of the first candidate, from 0 to 1.
    """

    points: Array
    others: Array | None
    scores: Array


class _Leaves(NamedTuple):
    """Groups of games with neighbouring candidates, a row for each group.

    Attributes:
        points: The mean position of the first candidates.
        others: The mean position of the second candidates; None if there are none.
        games: The number of games.
        scores: The sum of the scores.
        squares: The sum of the squares of the scores.
    """

    points: Array
    others: Array | None
    games: Array
    scores: Array
    squares: Array


class _Shape(NamedTuple):
    """The parameters of the kernel: a correlation length for each axis, and the standard deviation of
    strengths.
    """

    lengths: Array
    height: float


class _Posterior(NamedTuple):
    """Laplace's approximation of the posterior of the weights of the basis functions.

    Attributes:
        weights: The mode.
        cholesky: The lower Cholesky factor of the weights' precision.
        evidence: The log marginal likelihood of the games.
    """

    weights: Array
    cholesky: Array
    evidence: float


class Landscape:
    """The posterior of candidates' strength at any point, up to a constant. Strengths are log-odds.

    A point is a row of positions, which are fractions of the parameters' ranges.
    """

    def __init__(self, basis: "_Basis", posterior: _Posterior) -> None:
        self.axes = basis.axes
        self._basis = basis
        self._posterior = posterior

    def mean(self, points: Array) -> Array:
        return np.asarray(self._columns(points) @ self._posterior.weights)

    def sd_from(self, points: Array, origin: Array) -> Array:
        """Return the standard deviations of the differences between the strengths of points and that of
        `origin`.
        """
        columns = self._columns(points) - self._columns(origin[None])
        return np.asarray(np.sqrt((np.linalg.solve(self._posterior.cholesky, columns.T) ** 2).sum(axis=0)))

    def draws(self, points: Array, normals: Array) -> Array:
        """Draw random strengths at points from the posterior. The result has a row for each draw.

        Args:
            points: The points.
            normals: A row of `size` standard normal numbers for each draw.
        """
        noise = np.linalg.solve(self._posterior.cholesky.T, normals[:, : self.size].T)
        return np.asarray((self._columns(points) @ (self._posterior.weights[:, None] + noise)).T)

    @property
    def size(self) -> int:
        """Number of standard normal numbers that `draws` needs for each draw: one for each weight."""
        return len(self._posterior.weights)

    def _columns(self, points: Array) -> Array:
        """Return the values of the basis functions at points, a row for each point.

        If the model has a constant for the strength of the opponent, a last column of zeros stands for it.
        """
        columns = self._basis.columns(points)
        return np.hstack([columns, np.zeros((len(points), self.size - columns.shape[1]))])


class _Basis:
    """The basis functions. Their weighted sum is the strength at a point.

    With independent weights of variance 1 the sum is a Gaussian process, approximated from support points.
    """

    def __init__(self, axes: Sequence[Axis], shape: _Shape, support: Array) -> None:
        self.axes = axes
        self._lengths = shape.lengths
        self._support = self._stretched(support)
        kernel = _matern(self._support, self._support) + _JITTER * np.eye(len(support))
        self._factor = np.linalg.inv(np.linalg.cholesky(kernel)).T * shape.height

    def columns(self, points: Array) -> Array:
        """Return the values of the basis functions at points: a row for each point."""
        return np.asarray(_matern(self._stretched(points), self._support) @ self._factor)

    def of(self, leaves: _Leaves) -> Array:
        """Return the design matrix: a row for each group of `leaves`, and a column for each basis function.

        For games against an opponent, a further column of ones stands for the opponent's strength. For games
        of two candidates, a row is the difference between the two candidates' values.
        """
        columns = self.columns(leaves.points)
        if leaves.others is not None:
            return columns - self.columns(leaves.others)
        return np.hstack([columns, np.ones((len(columns), 1))])

    def precision(self, size: int) -> Array:
        """Return the prior precision of each weight.

        Args:
            size: Number of weights: one for each function, and one more if the opponent's strength has a
                weight.
        """
        support = len(self._support)
        return np.array([1.0] * support + [_CONSTANT**-2] * (size - support))

    def _stretched(self, points: Array) -> Array:
        """Return the points in units of the correlation lengths.

        An unordered list becomes several axes, one for each of its values.
        """
        columns = []
        for axis, length, places in zip(self.axes, self._lengths, points.T, strict=True):
            if axis.ordered or not axis.levels:
                columns.append(places[:, None] / length)
            else:
                level = np.minimum((places * axis.levels).astype(int), axis.levels - 1)
                columns.append(np.eye(axis.levels)[level] * (0.5 / length))
        return np.hstack(columns)


def snapped(axes: Sequence[Axis], points: Array) -> Array:
    """Return points clipped to the range 0 to 1, with listed values exact.

    The range of a parameter with listed values has equal parts, one for each value. A coordinate is moved to
    the middle of its part.
    """
    held = np.clip(points, 0.0, 1.0)
    for column, axis in enumerate(axes):
        if axis.levels:
            level = np.minimum((held[:, column] * axis.levels).astype(int), axis.levels - 1)
            held[:, column] = (level + 0.5) / axis.levels
    return held


def fit(axes: Sequence[Axis], games: Games) -> Landscape:
    """Fit the landscape to one or more games."""
    leaves = _counted_together(games, _FIT_LEAVES)
    few = _counted_together(games, _SEARCH_LEAVES)
    support = _support(axes, leaves)
    basis = _Basis(axes, _searched(axes, support, few), support)
    columns = basis.of(leaves)
    precision = basis.precision(columns.shape[1])
    first = _laplace(columns, leaves, precision, 1.0)
    chance = _chance(columns @ first.weights)
    found = leaves.squares - 2 * chance * leaves.scores + leaves.games * chance**2
    whole = float((leaves.games * chance * (1 - chance)).sum())
    spread = min(max(float(found.sum()) / whole, 0.05), 1.0) if whole else 1.0
    return Landscape(basis, _laplace(columns, leaves, precision, spread, first.weights))


def _searched(axes: Sequence[Axis], support: Array, leaves: _Leaves) -> _Shape:
    """Search for the shape with the highest evidence: first with equal lengths, then axis by axis."""
    known: dict[tuple[float, ...], float] = {}

    def worth(logs: tuple[float, ...]) -> float:
        if logs not in known:
            known[logs] = _evidence(axes, support, leaves, np.array(logs))
        return known[logs]

    alike = [(length,) * len(axes) + (height,) for length in _LENGTHS for height in _HEIGHTS]
    best = max(alike, key=worth)
    for step in (0.7, 0.35):
        for place in range(len(best)):
            while (moved := max((_moved(best, place, by) for by in (-step, step)), key=worth)) and worth(
                moved
            ) > worth(best) + 0.1:
                best = moved
    return _shape(np.array(best))


_LENGTHS = tuple(log(_DEFAULT_LENGTH) + step for step in (-1.4, -0.7, 0.0, 0.7, 1.4))
_HEIGHTS = tuple(log(_DEFAULT_HEIGHT) + step for step in (-1.4, 0.0, 1.4))


def _moved(logs: tuple[float, ...], place: int, by: float) -> tuple[float, ...]:
    return (*logs[:place], round(logs[place] + by, 6), *logs[place + 1 :])


def _shape(logs: Array) -> _Shape:
    return _Shape(np.exp(logs[:-1]), float(np.exp(logs[-1])))


def _evidence(axes: Sequence[Axis], support: Array, leaves: _Leaves, logs: Array) -> float:
    """Return the log evidence of a shape: the log likelihood of the games plus the log prior of the shape."""
    basis = _Basis(axes, _shape(logs), support)
    columns = basis.of(leaves)
    found = _laplace(columns, leaves, basis.precision(columns.shape[1]), 1.0)
    usual = np.array([log(_DEFAULT_LENGTH)] * (len(logs) - 1) + [log(_DEFAULT_HEIGHT)])
    return found.evidence - 0.5 * float((((logs - usual) / 0.8) ** 2).sum())


def _laplace(
    columns: Array, leaves: _Leaves, precision: Array, spread: float, start: Array | None = None
) -> _Posterior:
    """Return the Laplace approximation of the posterior of the weights, found by Newton's method.

    Args:
        columns: The design matrix (`_Basis.of`): a row for each group of `leaves`, a column for each weight.
        leaves: The games, in groups with neighbouring candidates.
        precision: The prior precision (1 / variance) of each weight.
        spread: The variance of a score, relative to that of games without draws.
        start: The weights at which the search begins; None for zeros.
    """
    games, scores = leaves.games / spread, leaves.scores / spread
    weights = np.zeros(columns.shape[1]) if start is None else start.copy()
    for _ in range(_ROUNDS):
        chance = _chance(columns @ weights)
        slope = columns.T @ (scores - games * chance) - precision * weights
        curvature = (columns * (games * chance * (1 - chance))[:, None]).T @ columns + np.diag(precision)
        step = np.linalg.solve(curvature, slope)
        size = float(np.abs(step).max())
        weights += step * min(1.0, _FARTHEST / size) if size else 0.0
        if size < 1e-4:
            break
    odds = columns @ weights
    cholesky = np.asarray(np.linalg.cholesky(curvature), dtype=np.float64)
    likely = float(scores @ odds - games @ np.logaddexp(0.0, odds))
    prior = 0.5 * float(np.log(precision).sum() - precision @ weights**2)
    return _Posterior(weights, cholesky, likely + prior - float(np.log(np.diag(cholesky)).sum()))


def _chance(odds: Array) -> Array:
    return 1 / (1 + np.exp(-np.clip(odds, -30, 30)))


def _matern(points: Array, others: Array) -> Array:
    squares = (points**2).sum(axis=1)[:, None] + (others**2).sum(axis=1) - 2 * points @ others.T
    distance = np.sqrt(3 * np.maximum(squares, 0.0))
    return np.asarray((1 + distance) * np.exp(-distance))


def _support(axes: Sequence[Axis], leaves: _Leaves) -> Array:
    """Return the support points. Half of them are where games were played, half are spread over the cube."""
    dimensions = len(axes)
    count = _SUPPORT[dimensions] if dimensions < len(_SUPPORT) else 150
    played = leaves.points if leaves.others is None else np.vstack([leaves.points, leaves.others])
    groups = _groups(played, count // 2)
    centres = np.array([played[group].mean(axis=0) for group in groups])
    return np.unique(snapped(axes, np.vstack([centres, halton(count - count // 2, dimensions)])), axis=0)


def _counted_together(games: Games, most: int) -> _Leaves:
    """Divide the games into at most `most` groups with neighbouring candidates, and add up each group."""
    places = games.points if games.others is None else np.hstack([games.points, games.others])
    groups = _groups(places, most)
    sizes = np.array([len(group) for group in groups])
    order, starts = np.concatenate(groups), np.cumsum(sizes) - sizes

    def summed(values: Array) -> Array:
        return np.add.reduceat(values[order], starts, axis=0)

    return _Leaves(
        points=summed(games.points) / sizes[:, None],
        others=None if games.others is None else summed(games.others) / sizes[:, None],
        games=sizes.astype(float),
        scores=summed(games.scores),
        squares=summed(games.scores**2),
    )


def _groups(places: Array, most: int) -> list[NDArray[Any]]:
    """Divide rows into at most `most` groups of neighbours.

    Repeatedly, the largest group is split across its widest axis.
    """
    whole: list[NDArray[Any]] = []
    waiting = [(-len(places), 0, np.arange(len(places)))]
    number = 1
    while waiting and len(whole) + len(waiting) < most:
        rows = heappop(waiting)[2]
        inside = places[rows]
        widths = inside.max(axis=0) - inside.min(axis=0)
        axis = int(widths.argmax())
        if widths[axis] <= 1e-12:
            whole.append(rows)
            continue
        middle = (inside[:, axis].max() + inside[:, axis].min()) / 2
        below = np.median(inside[:, axis])
        low = inside[:, axis] <= (below if below < inside[:, axis].max() else middle)
        for part in (rows[low], rows[~low]):
            heappush(waiting, (-len(part), number, part))
            number += 1
    return [*whole, *(rows for _, _, rows in waiting)]
