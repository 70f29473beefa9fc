"""The log likelihood ratio of a sequential test with fastchess's rounding, so that all printed digits agree.

The theory is that of `gyoji.stats.sprt`, which solves its equations exactly. fastchess 1.8.2
(`app/src/matchmaking/sprt/sprt.cpp`) solves them to 0.001 for logistic Elo and in at most ten iterations for
normalized Elo, gives results that never occurred a weight of 0.001, and returns 0 in BayesElo until both
sides have won. So its printed ratio may differ in the last digit, and in very one-sided tests by more.
"""

from collections.abc import Callable, Sequence
from math import ceil, copysign, inf, log, log2, sqrt

from gyoji.stats.scores import NORMALIZED_ELO, Scores, score_at
from gyoji.stats.sprt import Model, Sprt, mean_at

_NEVER = 1e-3
_LOGISTIC_WIDTH, _NORMALIZED_WIDTH = 1e-3, 1e-7
_ROUNDS, _STEADY = 10, 1e-4


def fastchess_llr(test: Sprt, scores: Scores) -> float:
    """Return the log likelihood ratio of a test as fastchess computes it.

    Return 0 without results and, in BayesElo, until both sides have won.
    """
    if not scores.number:
        return 0.0
    counts = [count or _NEVER for count in scores.counts]
    total = sum(counts)
    shares = [count / total for count in counts]
    if test.model is Model.NORMALIZED:
        unit = NORMALIZED_ELO / (sqrt(2) if scores.is_of_pairs else 1)
        fits = [_normal_fit(shares, scores.steps, elo / unit) for elo in (test.elo0, test.elo1)]
    elif test.model is Model.LOGISTIC:
        fits = [_fit(shares, scores.steps, score_at(elo)) for elo in (test.elo0, test.elo1)]
    elif not scores.counts[0] or not scores.counts[2]:
        return 0.0
    else:
        means = [mean_at(test.model, scores, elo) for elo in (test.elo0, test.elo1)]
        fits = [_fit(shares, scores.steps, mean) for mean in means]
    first, second = fits
    return total * sum([share * (log(b) - log(a)) for share, a, b in zip(shares, first, second, strict=True)])


def _fit(shares: Sequence[float], steps: Sequence[float], mean: float) -> Sequence[float]:
    """Return the maximum likelihood distribution of results among those with a given mean.

    Args:
        shares: The observed share of each possible result.
        steps: The points of each possible result.
        mean: The mean of the points.
    """
    return _tilted(shares, [step - mean for step in steps], _LOGISTIC_WIDTH)


def _normal_fit(shares: Sequence[float], steps: Sequence[float], signal: float) -> Sequence[float]:
    """Return the maximum likelihood distribution whose mean is `signal` standard deviations above ½.

    Args:
        shares: The observed share of each possible result.
        steps: The points of each possible result.
    """
    fit: Sequence[float] = [1 / len(steps)] * len(steps)
    for _ in range(_ROUNDS):
        mean = sum(step * share for step, share in zip(steps, fit, strict=True))
        spread = sqrt(sum(share * (step - mean) ** 2 for step, share in zip(steps, fit, strict=True)))
        leads = [step - 0.5 - 0.5 * signal * spread * (1 + ((step - mean) / spread) ** 2) for step in steps]
        before, fit = fit, _tilted(shares, leads, _NORMALIZED_WIDTH)
        if max(abs(old - new) for old, new in zip(before, fit, strict=True)) < _STEADY:
            break
    return fit


def _tilted(shares: Sequence[float], leads: Sequence[float], width: float) -> Sequence[float]:
    """Return each share divided by 1 + theta * lead, with the theta for which the mean of the leads is 0.

    Args:
        shares: The share of each possible result.
        leads: For each possible result a number that shall have the mean 0, such as its points above a mean.
        width: The maximum error of theta.
    """

    def mean(theta: float) -> float:
        return sum([share * lead / (1 + theta * lead) for share, lead in zip(shares, leads, strict=True)])

    theta = _root(mean, -1 / min(leads), -1 / max(leads), width)
    return [share / (1 + theta * lead) for share, lead in zip(shares, leads, strict=True)]


def _root(function: Callable[[float], float], low: float, high: float, width: float) -> float:
    """Return a root of a decreasing function by the ITP method of Oliveira and Takahashi (2020).

    The parameters are fastchess's: k1 = 0.1, k2 = 2, n0 = 0.99.

    Args:
        low: The right end of the interval, where the function's value is low: it goes to minus infinity.
        high: The left end, where the value is high: it goes to infinity. So `high` is below `low`.
        width: The maximum error of the root.
    """
    at_low, at_high = -inf, inf
    most = ceil(log2(abs(high - low) / (2 * width))) + 0.99
    step = 0
    while abs(high - low) > 2 * width:
        half = (low + high) / 2
        radius = width * 2 ** (most - step) - (high - low) / 2
        falsi = (at_high * low - at_low * high) / (at_high - at_low)  # no number while an end is infinite
        shift = 0.1 * (high - low) ** 2
        near = falsi + copysign(shift, half - falsi) if shift <= abs(half - falsi) else half
        place = near if abs(near - half) <= radius else half - copysign(radius, half - falsi)
        value = function(place)
        if not value:
            return place
        if value < 0:
            low, at_low = place, value
        else:
            high, at_high = place, value
        step += 1
    return (low + high) / 2
