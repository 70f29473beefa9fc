"""The likeliest distribution of results with a given mean, and the score interval that follows from it.

References: Wilson (JASA 22, 1927), Tango (Statistics in Medicine 17, 1998).
"""

# Theory of operation
# -------------------
#
# Results have the scores a with observed shares p. Among all distributions q over the same scores with the
# mean m, the one that makes the results likeliest is q = p / (1 + theta (a - m)), with theta such that sum q
# (a - m) = 0. A score that was not seen may have a share too: the lowest or the highest, where 1 + theta (a -
# m) is 0.
#
# The score interval contains the means m with n (mean - m)^2 <= z^2 V(m), where V(m) is the variance of the
# results if m is true, which is that of q. The interval never reaches below 0 or above 1, and it has a width
# even if all results are equal. Without draws it is Wilson's interval, with draws Tango's for paired
# proportions. The same holds for pairs of games.
#
# As V = (mean - m) / theta, a bound satisfies theta (mean - m) = z^2 / n. With m replaced by that, sum q = 1
# is an equation of theta alone: convex, with its minimum at 0 and one solution on each side. Newton's method
# descends to it.

from collections.abc import Sequence
from math import sqrt

_PRECISION = 1e-9
_HALVINGS = 100


# The sum falls from infinity to minus infinity over the admissible range of theta, so there is exactly one
# solution. Newton's method finds it, with bisection when a step would leave the range.
def tilt(shares: Sequence[float], f: Sequence[float], theta: float = 0.0) -> tuple[float, list[float]]:
    """Solve sum share * f / (1 + theta f) = 0 for theta.

    Args:
        shares: The share of each result.
        f: A value for each result. Both signs occur.
        theta: Where the search begins.

    Returns:
        theta, and the factors 1 + theta f, which are all positive.
    """
    low, high = -1 / max(f), -1 / min(f)
    if not low < theta < high:
        theta = 0.0
    for _ in range(_HALVINGS):
        tilted = [1 + theta * value for value in f]
        total = slope = 0.0
        for share, value, each in zip(shares, f, tilted, strict=True):
            ratio = value / each
            total += share * ratio
            slope += share * ratio * ratio
        if total > 0:
            low = theta
        else:
            high = theta
        step = total / slope
        if step * total <= _PRECISION**2:  # twice what the step adds to the likelihood of an observation
            break
        theta = theta + step if low < theta + step < high else (low + high) / 2
    return theta, tilted


def deviations_from(shares: Sequence[float], steps: Sequence[float], mean: float, number: float) -> float:
    """Return the z score of the results against a supposed true mean.

    It says by how many standard deviations the mean of the results is higher. For games won, drawn and lost
    and a mean of ½ it is (won - lost) / sqrt(won + lost).

    Args:
        shares: The share of each result.
        steps: The score of each result.
        mean: The supposed true mean.
        number: The number of results.

    >>> round(deviations_from((0.1, 0.4, 0.5), (0, 0.5, 1), 0.5, 10), 6) == round(4 / sqrt(6), 6)
    True
    """
    apart = sum(share * step for share, step in zip(shares, steps, strict=True)) - mean
    if not apart:
        return 0.0
    f = [step - mean for step in steps]
    end = 0 if apart > 0 else -1
    theta = -1 / f[end]  # as far as it may go: to there, if what is seen does not hold it back
    if shares[end] or apart * sum(p * a / (1 + theta * a) for p, a in zip(shares, f, strict=True) if p) < 0:
        theta, _ = tilt(shares, f)
    return sqrt(number * apart * theta) * (1 if apart > 0 else -1)


def mean_bounds(
    shares: Sequence[float], steps: Sequence[float], number: float, *, z: float
) -> tuple[float, float]:
    """Return the lower and the upper bound of the score interval of the true mean.

    Args:
        shares: The share of each result.
        steps: The score of each result, from 0 to 1, ascending.
        number: The number of results.
        z: The quantile of the normal distribution.

    >>> low, high = mean_bounds((0.25, 0, 0.75), (0, 0.5, 1), 20, z=1.96)
    >>> f"{low:.3f} {high:.3f}"
    '0.531 0.888'
    """
    mean = sum(share * step for share, step in zip(shares, steps, strict=True))
    around = [step - mean for step in steps]
    lower = _reach(shares, around, z * z / number)
    upper = _reach(shares[::-1], [-each for each in around[::-1]], z * z / number)
    return max(mean - lower, 0.0), min(mean + upper, 1.0)


# It solves sum p / (1 + c + theta (a - mean)) = 1 for theta > 0, from above, where one term is infinite.
def _reach(shares: Sequence[float], around: Sequence[float], c: float) -> float:
    """Return the distance from the mean of the results to the lower bound of the mean's score interval.

    Args:
        shares: The share of each result.
        around: The scores minus their mean, ascending; the first is 0 or less.
        c: z^2 / n.
    """
    if not around[0]:
        return 0.0
    seen = [(share, value) for share, value in zip(shares, around, strict=True) if share]
    theta = (1 + c) / -around[0]
    if seen[0][1] == around[0]:
        theta = (1 + c - seen[0][0]) / -around[0]  # there the first term alone is 1
    for _ in range(_HALVINGS):
        terms = [(share, value, 1 + c + theta * value) for share, value in seen]
        over = sum(share / each for share, _, each in terms) - 1
        slope = -sum(share * value / (each * each) for share, value, each in terms)
        if over <= 0 or over <= _PRECISION * slope * theta:
            break
        theta -= over / slope
    return c / theta
