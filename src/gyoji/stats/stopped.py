"""Strength after a sequential test, stopped or not, and how long the test takes: see `brownian`.

The walls are the bounds of the test, and the height of the particle is the LLR that belongs to the observed
mean. Where that is beyond a wall, which a walk in small steps hardly is, the wall was hit in proportion
earlier.
"""

from math import sqrt
from typing import NamedTuple

from gyoji.stats.brownian import Walk, falling_root
from gyoji.stats.likelihood import bayeselo_odds
from gyoji.stats.scores import NORMALIZED_ELO, Scores, elo_of, score_at
from gyoji.stats.sprt import Model, Sprt


class Estimate(NamedTuple):
    """The Elo on the usual scale: median-unbiased, with 95 % bounds, any of which may be infinite.

    superiority: how likely a player that is no stronger than its opponent would have done worse.
    """

    elo: float
    low: float
    high: float
    superiority: float


class Prospect(NamedTuple):
    """The prospects of a test: the likelihood that it accepts H1, and the expected games until a decision."""

    accepts_h1: float
    games: float


def estimate(test: Sprt, scores: Scores) -> Estimate | None:
    """The strength, given that `test` stopped there or goes on; None if the results do not tell."""
    mean, variance = scores.mean, scores.variance
    if mean is None or not variance:
        return None
    seen, time = _walk(test, scores, mean), scores.number
    height = seen.drift * time
    if not seen.lower <= height <= seen.upper:
        wall = seen.upper if height > 0 else seen.lower
        time, height = wall / seen.drift, wall

    def no_stronger(score: float) -> float:
        return _walk(test, scores, score).no_stronger(time, height)

    elo, low, high = (elo_of(falling_root(no_stronger, 0, 1, share)) for share in (0.5, 0.975, 0.025))
    return Estimate(elo, low, high, no_stronger(0.5))


def prospect(test: Sprt, scores: Scores, elo: float) -> Prospect:
    """The prospect of a test of games or pairs like `scores`; elo: the true strength, in the test's model.

    Where the results do not tell how much chance is in a game, it is taken for one without draws.
    """
    walk = _walk(test, scores, _score(test, scores, elo))
    return Prospect(walk.rises, walk.duration * (2 if scores.is_of_pairs else 1))


def _walk(test: Sprt, scores: Scores, mean: float) -> Walk:
    """The walk of the LLR if the true mean score of an observation is `mean`."""
    low, high = (_score(test, scores, elo) for elo in (test.elo0, test.elo1))
    apart, variance = high - low, _variance(scores)
    return Walk(
        drift=(mean - (low + high) / 2) * apart / variance,
        variance=apart * apart / variance,
        lower=test.lower,
        upper=test.upper,
    )


def _variance(scores: Scores) -> float:
    return scores.variance or (1 / 8 if scores.is_of_pairs else 1 / 4)


def _score(test: Sprt, scores: Scores, elo: float) -> float:
    """The mean score that a hypothesis expects, given how much chance and how many draws there are."""
    if test.model is Model.NORMALIZED:
        return 0.5 + elo / NORMALIZED_ELO * sqrt(_variance(scores) * (2 if scores.is_of_pairs else 1))
    if test.model is Model.LOGISTIC:
        return score_at(elo)
    lost, _, won = bayeselo_odds(scores, elo)
    return (1 + won - lost) / 2
