"""The normal distribution, as far into its tails as anybody asks.

`statistics.NormalDist` goes less far: in Python 3.11 it knows no difference from 0 beyond -8.

>>> f"{cdf(Z_95):.4f} {log_cdf(-40):.4f}"
'0.9750 -804.6084'
"""

from math import erfc, log, log1p, pi, sqrt

Z_95 = 1.959963984540054
"""The 97.5 % point: two-sided 95 %."""

_FAR = -30.0
"""Below this the tail is taken from its asymptotic series: soon after, `erfc` is 0 in floating point."""


def cdf(z: float) -> float:
    """The probability of a standard normal value up to z."""
    return erfc(-z / sqrt(2)) / 2


def log_cdf(z: float) -> float:
    """The natural logarithm of `cdf`, also where that is too small for a float."""
    if z > _FAR:
        return log(cdf(z))
    inverse = 1 / (z * z)
    return -z * z / 2 - log(-z * sqrt(2 * pi)) + log1p(-inverse * (1 - 3 * inverse * (1 - 5 * inverse)))
