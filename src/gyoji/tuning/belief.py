"""Beliefs about strength: normal distributions of the weights of features, learned from games.

References: MacKay's evidence framework for the variances, Laplace's method for the posterior.
"""

# A game is won with a probability that is the logistic function of a difference of strengths, each of which
# is a weighted sum of features. The weights of a group of features have the same prior variance. The
# variances are those that make the games likeliest: MacKay's update, once for each belief, starting from
# those of the belief before. The posterior is approximated by a normal distribution around its mode
# (Laplace). From it follows the evidence, by which beliefs with other groups are compared.

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gyoji.tuning.features import Array, Features

DEFAULT_VARIANCES: Mapping[str, float] = {
    "constant": 4.0,
    "line": 1.0,
    "parabola": 1.0,
    "product": 0.5,
    "smooth": 0.5,
    "steep": 0.1,
    "wide": 0.5,
    "near": 0.1,
    "value": 0.3,
    "pair": 0.15,
}
"""The prior variance of each group's weights before there are games, in squared log-odds."""
DOUBT = 2.0
"""The default variance counts like this number of known weights when a group's variance is estimated."""

_LEAST, _MOST = 1e-4, 400.0
_STEPS = 3
_FARTHEST = 4.0  # of a Newton step, in log-odds
_CLOSE = 0.05
_SATURATED = 12.0  # log-odds are clipped to this in the fit


@dataclass(frozen=True, slots=True)
class Games:
    """Game results, added up for each two candidates that met, or for each candidate that met the opponent.

    The arrays have a row for each of these sums.

    Attributes:
        rows: The features of the first candidate, minus the features of the second if there is one.
        won: The points of the first candidate.
        played: The number of games.
    """

    rows: Array
    won: Array
    played: Array


@dataclass(frozen=True, slots=True)
class Belief:
    """A normal distribution of the weights of features, after some games.

    Attributes:
        features: The features that the weights belong to.
        mean: The mean of the weights.
        root: A square root of the covariance matrix, which is root.T @ root.
        variances: The prior variance of the weights, by group of features.
        odds: For each row of games, the log-odds that the first candidate wins.
        evidence: The log marginal likelihood of the games under this model.
    """

    features: Features
    mean: Array
    root: Array
    variances: Mapping[str, float]
    odds: Array
    evidence: float

    def draws(self, features: Array, normals: Array) -> Array:
        """Draw random strengths of points from the belief, in log-odds.

        The result has a row for each point, and a column for each draw.

        Args:
            features: The features of the points, a row for each.
            normals: Standard normal numbers, a column for each draw.
        """
        weights = self.mean[:, None] + self.root.T @ normals[: len(self.mean)]
        return np.asarray(features @ weights)


def believed(features: Features, games: Games, odds: Array, variances: Mapping[str, float]) -> Belief:
    """Fit the belief about the weights of features to games.

    Args:
        features: The features of points.
        games: All games.
        odds: Where the search for the mean begins: the log-odds of each row of games.
        variances: The prior variances by group of features, which the fit improves.
    """
    parts = [variances.get(part, DEFAULT_VARIANCES[part]) for part in features.parts]
    precision = 1 / np.array(parts)[features.of]
    mean, root, odds = _mode(games, odds, precision)
    inverse = np.asarray(np.linalg.inv(root), dtype=np.float64)
    known = dict(zip(features.parts, _variances(features, mean, inverse, parts), strict=True))
    likelihood = games.won @ -np.logaddexp(0, -odds) + (games.played - games.won) @ -np.logaddexp(0, odds)
    evidence = (
        float(likelihood)
        - 0.5 * float(precision @ mean**2)
        - float(np.log(np.diag(root)).sum())
        + 0.5 * float(np.log(precision).sum())
    )
    return Belief(features, mean, inverse, known, odds, evidence)


def _mode(games: Games, odds: Array, precision: Array) -> tuple[Array, Array, Array]:
    """Find the mode of the posterior, by Newton's method.

    Args:
        odds: Where the search begins: the log-odds of each row of games.
        precision: The prior precision of each weight.

    Returns:
        Three arrays: the weights, the Cholesky factor of their precision, and the log-odds of each row of
            games.
    """
    rows, share = games.rows, games.won / games.played
    root = mean = precision
    for _ in range(_STEPS):
        held = np.clip(odds, -_SATURATED, _SATURATED)
        chance = 1 / (1 + np.exp(-held))
        weight = games.played * np.maximum(chance * (1 - chance), 1e-5)
        target = weight * held + games.played * (share - chance)
        curvature = (rows * weight[:, None]).T @ rows + np.diag(precision)
        root = np.asarray(np.linalg.cholesky(curvature), dtype=np.float64)
        mean = np.asarray(np.linalg.solve(curvature, rows.T @ target), dtype=np.float64)
        step = rows @ mean - odds
        size = float(np.abs(step).max())
        odds = odds + step * min(1.0, _FARTHEST / max(size, 1e-9))
        if size < _CLOSE:
            break
    return mean, root, rows @ mean


def _variances(features: Features, mean: Array, inverse: Array, now: list[float]) -> list[float]:
    """Return, for each group of features, the new prior variance of its weights by MacKay's update.

    Args:
        features: The features.
        mean: The posterior mean of the weights.
        inverse: A square root of the weights' covariance: the covariance is inverse.T @ inverse.
        now: The present prior variances of the groups.
    """
    uncertain = (inverse**2).sum(axis=0)
    found = []
    for number, (part, variance) in enumerate(zip(features.parts, now, strict=True)):
        mine = features.of == number
        known = max(float(mine.sum() - uncertain[mine].sum() / variance), 0.0)
        best = (float(mean[mine] @ mean[mine]) + DOUBT * DEFAULT_VARIANCES[part]) / (known + DOUBT)
        found.append(variance if part == "constant" else min(max(best, _LEAST), _MOST))
    return found
