"""Chance as a function: a draw depends on what it is for, and on nothing that was drawn before.

Parts of a draw are the competition's seed and whatever names the draw: the same parts give the same draw, so
that a resumed tuner goes on as it would have gone on.

>>> uniform(7, "first") == uniform(7, "first") != uniform(7, "second")
True
"""

from statistics import NormalDist

from gyoji.core.spec import derive_seed

_STANDARD = NormalDist()


def uniform(*parts: object) -> float:
    """A number between 0 and 1, neither of them."""
    return ((derive_seed(*parts) >> 11) + 0.5) / 2**52


def normal(*parts: object) -> float:
    """A number of the standard normal distribution."""
    return _STANDARD.inv_cdf(uniform(*parts))


def pick(count: int, *parts: object) -> int:
    """A whole number from 0, less than `count`."""
    return derive_seed(*parts) % count
