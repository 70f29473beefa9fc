"""Beliefs about strength: normal distributions of the weights of features, learned from games.

References: MacKay's evidence framework for the variances, Laplace's method for the posterior.
"""

# A game is won with a probability that is the logistic function of a difference of strengths, each a weighted
# sum of features. The weights of a part have the same variance. The variances are those that make the games
# likeliest: MacKay's update, once for each belief, starting from those of the belief before. The posterior is
# taken to be normal around its mode (Laplace), and so is the evidence, by which beliefs with other parts are
# compared.

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
"""The variance of each part's weights before there are games, in squares of log-odds."""

DOUBT = 2.0
"""The number of well-known weights that the default variance counts as."""

_LEAST, _MOST = 1e-4, 400.0
_STEPS = 3
_FARTHEST = 4.0  # of a Newton step, in log-odds
_CLOSE = 0.05
_SATURATED = 12.0  # log-odds beyond which games tell no more


@dataclass(frozen=True, slots=True)
class Games:
    """Games between the same two candidates, or of one against the opponent, added up in rows.

    Attributes:
        rows: For each row, the features of the first candidate, less those of the second if there is one.
        won: The points of the first candidate, by row.
        played: The number of games, by row.
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
        root: A root of the covariance: root.T @ root.
        variances: The prior variance of the weights, by group of features.
        odds: For each row of games, the log-odds that the first candidate wins.
        evidence: The logarithm of how likely the games are under this model.
    """

    features: Features
    mean: Array
    root: Array
    variances: Mapping[str, float]
    odds: Array
    evidence: float

    def draws(self, features: Array, normals: Array) -> Array:
        """Return strengths drawn from the belief, in log-odds: a row for each point, a column for each draw.

        Args:
            features: The features of the points, a row for each.
            normals: Standard normal numbers, a column for each draw.
        """
        weights = self.mean[:, None] + self.root.T @ normals[: len(self.mean)]
        return np.asarray(features @ weights)


def believed(features: Features, games: Games, odds: Array, variances: Mapping[str, float]) -> Belief:
    """Return the belief about the weights of features after games.

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
    """Find the likeliest weights by Newton's method.

    Args:
        odds: The log-odds of each row of games to begin with.
        precision: The prior precision of each weight.

    Returns:
        The weights, a root of their precision, and the log-odds of each row.
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
    """Return, for each group of features, the prior variance that makes the games likelier."""
    uncertain = (inverse**2).sum(axis=0)
    found = []
    for number, (part, variance) in enumerate(zip(features.parts, now, strict=True)):
        mine = features.of == number
        known = max(float(mine.sum() - uncertain[mine].sum() / variance), 0.0)
        best = (float(mean[mine] @ mean[mine]) + DOUBT * DEFAULT_VARIANCES[part]) / (known + DOUBT)
        found.append(variance if part == "constant" else min(max(best, _LEAST), _MOST))
    return found
