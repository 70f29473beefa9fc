"""The strength after a sequential test, stopped or not, with a 95 % interval that allows for the stopping
rule.

Reference: Siegmund, Sequential Analysis (1985), chapters 3 and 8.
"""

# Theory of operation
# -------------------
#
# The log likelihood ratio of a sequential test is a sum of many small steps, one for each observation. After
# n of them it is nearly a Brownian motion (`Walk`): a particle that started at 0, moved by n times `drift` on
# average and spread with the variance n times `variance`. The test stops when the particle hits the wall
# `lower` (H0 is accepted) or `upper` (H1). The true strength enters through the drift alone, which grows with
# it. The height of the particle is the LLR that belongs to the observed mean. If that is beyond a wall, which
# a walk in small steps hardly is, the wall was hit in proportion earlier.
#
# Why the mean misleads: a test stops at the upper wall because it had a good run, so the mean score of the
# tests that stopped there is too high, and most of all that of a test that stopped early. An honest estimate
# asks how such an outcome comes about, not only where the particle is.
#
# The estimate: order the outcomes from weak to strong: hit the lower wall early, hit it late, still between
# the walls (by height), hit the upper wall late, hit it early. Let F(drift) be the probability of an outcome
# no stronger than the one that was seen. It falls as the drift grows. The drift with F = ½ is the
# median-unbiased estimate: the truth is above it as often as below. Those with F = 0.975 and 0.025 bound the
# 95 % interval.
#
# Computing F at time t and height y: without walls the particle's position is normal. To the paths that end
# below y add those that end above it after hitting the lower wall before the upper one, and subtract those
# that end below it after hitting the upper wall first. Both are sums over paths that touch the walls in turn
# at least so often: (lower) - (upper, lower) + (lower, upper, lower) - ... Reflecting such a path at each
# touch makes it a path to the mirror image of its end, so each term is a normal probability about an image of
# the start, times exp(2 drift / variance * image), which is what the reflections cost under the drift. Each
# term is a probability by itself, so no term is large, nothing cancels, and the terms vanish like a normal
# tail.

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, expm1, sqrt
from typing import NamedTuple

from gyoji.stats.scores import Scores, cdf, elo_of, log_cdf
from gyoji.stats.sprt import Sprt, mean_at

_NEGLIGIBLE = 1e-15
_SETTLED = 10
"""A standard deviation, in distances between the walls, after which only one walk in 10^214 has hit no
wall.
"""

_STILL = 1e-9
_HALVINGS = 45


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """A Brownian motion that starts at 0 and ends at one of two walls, lower < 0 < upper.

    Attributes:
        drift: The mean change in one step.
        variance: The variance of the change in one step.
    """

    drift: float
    variance: float
    lower: float
    upper: float

    def no_stronger(self, time: float, height: float) -> float:
        """Return the probability of an outcome that is no stronger than a given outcome.

        That is F in the theory of this module.

        Args:
            time: The number of steps of the given outcome, more than 0.
            height: The height of the given outcome, from `lower` to `upper`. At a wall, the walk has just hit
                it.
        """
        spread, carried = sqrt(self.variance * time), self.drift * time
        width, tilt = self.upper - self.lower, 2 * self.drift / self.variance
        if spread > _SETTLED * width:
            return 1 - self.rises

        def seen_through(image: float) -> float:
            side = 1 if image > 0 else -1
            return exp(tilt * image + log_cdf(side * (height - 2 * image - carried) / spread))

        total, turns = cdf((height - carried) / spread), 0
        while True:
            further = turns * width
            low = seen_through(self.lower - further), seen_through(-width - further)
            high = seen_through(self.upper + further), seen_through(width + further)
            total += low[0] - low[1] - high[0] + high[1]
            turns += 1
            if max(*low, *high) < _NEGLIGIBLE:
                return min(max(total, 0.0), 1.0)

    @property
    def rises(self) -> float:
        """The probability that the walk hits the upper wall first."""
        tilt = 2 * self.drift / self.variance
        width = self.upper - self.lower
        if abs(tilt) * width < _STILL:
            return -self.lower / width
        if tilt > 0:
            return expm1(tilt * self.lower) / expm1(-tilt * width)
        return 1 - expm1(tilt * self.upper) / expm1(tilt * width)

    @property
    def duration(self) -> float:
        """The expected number of steps until the walk hits a wall (Wald's equation)."""
        if abs(self.drift) * (self.upper - self.lower) < _STILL * self.variance:
            return -self.lower * self.upper / self.variance
        return (self.rises * self.upper + (1 - self.rises) * self.lower) / self.drift


def falling_root(function: Callable[[float], float], low: float, high: float, target: float) -> float:
    """Return the argument between `low` and `high` at which a falling function has the value `target`.

    If the function does not reach `target` there, return the end at which its value is nearer to it.

    >>> round(falling_root(lambda x: 1 - x, 0, 1, 0.25), 9), falling_root(lambda x: 1 - x, 0, 1, -5)
    (0.75, 1)
    """
    if function(high) >= target:
        return high
    if function(low) <= target:
        return low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if function(middle) > target:
            low = middle
        else:
            high = middle
    return (low + high) / 2


class Estimate(NamedTuple):
    """The median-unbiased Elo difference on the logistic scale with its 95 % bounds, which may be infinite.

    Attributes:
        superiority: The probability that a player as strong as its opponent would have had a weaker outcome.
    """

    elo: float
    low: float
    high: float
    superiority: float


def estimate(test: Sprt, scores: Scores) -> Estimate | None:
    """Estimate the strength after a test with these scores, stopped or not.

    Return None without scores, or if all scores are equal.
    """
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


def _walk(test: Sprt, scores: Scores, mean: float) -> Walk:
    """Return the Brownian motion that approximates the LLR of the test, if the true mean score is `mean`."""
    variance = scores.variance or 0.0
    low, high = (mean_at(test.model, scores, elo) for elo in (test.elo0, test.elo1))
    apart = high - low
    return Walk(
        drift=(mean - (low + high) / 2) * apart / variance,
        variance=apart * apart / variance,
        lower=test.lower,
        upper=test.upper,
    )
