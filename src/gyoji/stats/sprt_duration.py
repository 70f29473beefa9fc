"""The expected duration of a sequential test, and its probability of accepting H1.

References: Lai and Siegmund (Annals of Statistics 7, 1979), Siegmund (Sequential Analysis, 1985).
"""

# Theory of operation
# -------------------
#
# After many observations the log likelihood ratio (LLR) is nearly a sum of independent steps, one for each:
# the slope of the LLR towards the observation's outcome, at the true shares. If it were a Brownian motion
# between the bounds of the test, Wald's equation would give its length (`sprt_estimate.Walk`). Three
# corrections are added:
#
#   * Overshoot. The LLR jumps over a bound, on average by half of the mean square over the mean of its ladder
#     heights, the steps by which a walk without drift sets records. That is an integral over the
#     characteristic function of a step (`overshoots`). The bounds are moved out by it. With many draws or few
#     games it is a tenth of the length.
#   * Skewness. The odds of the bounds are those of the conjugate exponent r, with mean of exp(-r step) = 1
#     (`_exponent`). For a normal step r is 2 drift / variance. At a hypothesis it is close to 1, as it should
#     be.
#   * Curvature. The LLR is not linear in the shares: it is off by half the trace of its second derivative
#     times the covariance of a step, whatever the number of observations (Woodroofe's nonlinear renewal
#     theory).
#
# The cutechess model takes the share of draws from what was played, however little that is, and many of its
# tests end at once. So its first observations are followed exactly, from state to state (`_followed`).

import cmath
from collections.abc import Sequence
from math import comb, exp, log
from typing import NamedTuple

from gyoji.stats.scores import Scores
from gyoji.stats.sprt import Decision, Model, Sprt
from gyoji.stats.sprt_estimate import Walk

_MANY = 1e7
"""A number of observations so large that half a game more makes no difference."""
_RARE = 1e-6
"""The smallest share of an outcome, since each outcome must be possible."""

_STEP = 1e-3
"""The step of the numerical derivatives of the LLR."""

_FURTHEST, _PARTS = 30.0, 600
_LEVEL = -0.35
"""An approximate mean of log |1 - phi| for large arguments. It is from -log 2 (two outcomes) to 0."""

_STILL = 0.01
_CERTAIN = 50.0
"""The logarithm of the odds beyond which the exponent is not improved."""
_FOLLOWED = 30
"""Number of observations for which all states are enumerated."""


class Prospect(NamedTuple):
    """The prospects of a test.

    Attributes:
        accepts_h1: The probability that the test accepts H1.
        games: The expected number of games until a decision.
    """

    accepts_h1: float
    games: float


def prospect(test: Sprt, scores: Scores, elo: float) -> Prospect:
    """Return the prospects of a test.

    Args:
        test: The test.
        scores: Results from which the variance of future results is estimated. If there are none, or all are
            equal, games without draws are assumed.
        elo: The true Elo difference, in the unit of the test's model.
    """
    plain = _without_draws(scores)
    found = test.fit(scores if scores.variance else plain, elo) or test.fit(plain, elo)
    likely = [max(each, _RARE) for each in found or plain.counts]
    shares = [each / sum(likely) for each in likely]
    walk = _walk(test, shares, scores.unit)
    accepts, number = walk.rises, walk.duration
    if test.model is Model.CUTECHESS:
        accepts, number = _followed(test, shares, walk)
    return Prospect(accepts, max(number, 1.0) * scores.size)


def _without_draws(scores: Scores) -> Scores:
    """Return scores of equal players without draws, as if the games of an observation were independent."""
    step = (len(scores.counts) - 1) // scores.size
    counts = [0.0] * len(scores.counts)
    for won in range(scores.size + 1):
        counts[won * step] = comb(scores.size, won)
    return Scores(tuple(counts), scores.unit)


def _walk(test: Sprt, shares: Sequence[float], unit: int) -> Walk:
    """Return the Brownian motion that approximates the LLR of the test.

    Args:
        shares: The true share of each score.
        unit: The number of games of a unit; 0 for single games and pairs.
    """

    def level(share: Sequence[float]) -> float:
        return test.llr(Scores(tuple(each * _MANY for each in share), unit)) / _MANY

    drift, curvature, steps = level(shares), 0.0, []
    for outcome, share in enumerate(shares):
        part = min(_STEP, share / 2)
        ahead, back = (
            level([each * (1 - way) + way * (index == outcome) for index, each in enumerate(shares)])
            for way in (part, -part)
        )
        steps.append(drift + (ahead - back) / (2 * part))
        curvature += share * (ahead + back - 2 * drift) / (2 * part * part)
    variance = sum(share * (step - drift) ** 2 for share, step in zip(shares, steps, strict=True))
    below, above = overshoots(shares, steps)
    curvature = min(max(curvature, test.lower / 2), test.upper / 2)  # of a few results it is all there is
    lower, upper = test.lower - below - curvature, test.upper + above - curvature
    if abs(drift) * (upper - lower) > _STILL * variance:
        variance = 2 * drift / _exponent(shares, steps, 2 * drift / variance)
    return Walk(drift=drift, variance=variance, lower=lower, upper=upper)


def _exponent(shares: Sequence[float], steps: Sequence[float], start: float) -> float:
    """Return the conjugate exponent: the number r near `start`, but not 0, with sum share exp(-r step) = 1.

    Return `start` if the search finds no such number.
    """
    r = start
    if max(abs(start * step) for step in steps) > _CERTAIN:
        return start
    for _ in range(20):
        terms = [share * exp(-r * step) for share, step in zip(shares, steps, strict=True)]
        slope = -sum(term * step for term, step in zip(terms, steps, strict=True))
        if slope * start <= 0:
            return start
        r -= (sum(terms) - 1) / slope
        if not 0.5 < r / start < 2:
            return start
    return r


def overshoots(shares: Sequence[float], steps: Sequence[float]) -> tuple[float, float]:
    """Return by how much a random walk overshoots a distant lower and a distant upper bound, on average.

    The walk has these steps minus their mean. For two equally likely steps the overshoot is half a step. For
    normal steps it is 0.583 of their standard deviation.

    Args:
        shares: The probability of each step.
        steps: The steps.

    >>> [round(each, 2) for each in overshoots((0.5, 0.5), (-1, 1))]
    [0.5, 0.5]
    """
    mean = sum(share * step for share, step in zip(shares, steps, strict=True))
    around = [step - mean for step in steps]
    deviation = sum(share * each * each for share, each in zip(shares, around, strict=True)) ** 0.5
    unit = [each / deviation for each in around]
    pairs = [(share, each * 1j) for share, each in zip(shares, unit, strict=True) if share]
    total, width = 0.0, _FURTHEST / _PARTS
    for part in range(_PARTS):
        t = (part + 0.5) * width
        phi = sum([share * cmath.exp(t * each) for share, each in pairs])
        total += log(2 * abs(1 - phi) / (t * t)) / (t * t) * width
    total += (log(2) + _LEVEL - 2 * log(_FURTHEST) - 2) / _FURTHEST
    skew = sum(share * each**3 for share, each in zip(shares, unit, strict=True)) / 6
    return deviation * (-skew - total / cmath.pi), deviation * (skew - total / cmath.pi)


def _followed(test: Sprt, shares: Sequence[float], walk: Walk) -> tuple[float, float]:
    """Return the probability that a test of single games accepts H1, and its expected number of observations.

    All courses of the first `_FOLLOWED` games are followed; the rest is approximated by `walk`.

    Args:
        test: The test.
        shares: The true shares of games lost, drawn and won.
        walk: The Brownian motion that approximates the LLR.
    """
    alive, accepts, number = {(0, 0, 0): 1.0}, 0.0, 0.0
    for _ in range(_FOLLOWED):
        number += sum(alive.values())
        reached: dict[tuple[int, int, int], float] = {}
        for (lost, drawn, won), chance in alive.items():
            for state, share in zip(
                ((lost + 1, drawn, won), (lost, drawn + 1, won), (lost, drawn, won + 1)), shares, strict=True
            ):
                reached[state] = reached.get(state, 0.0) + chance * share
        alive = {}
        for state, chance in reached.items():
            decision = test.decision(test.llr(Scores(state)))
            if decision is Decision.CONTINUE:
                alive[state] = chance
            elif decision is Decision.H1:
                accepts += chance
    for state, chance in alive.items():
        height = test.llr(Scores(state))
        rest = Walk(
            drift=walk.drift,
            variance=walk.variance,
            lower=min(walk.lower - height, 0.0),
            upper=max(walk.upper - height, 0.0),
        )
        accepts += chance * rest.rises
        number += chance * rest.duration
    return accepts, number
