"""Counts, shares and intervals as reports print them.

>>> count(2.5), count(3.0), percent(1, 3), percent(0, 0), percent(1, 0)
('2.5', '3', '33.33%', '--', '??')
"""

from math import sqrt

Z_95 = 1.959963984540054
"""The 97.5 % point of the normal distribution: two-sided 95 %."""


def count(number: float) -> str:
    """A number of wins: whole, or with its half."""
    return f"{number:.1f}".removesuffix(".0")


def percent(part: float, whole: float) -> str:
    """The share in percent with two decimals; "--" of nothing, "??" if it cannot be."""
    if whole:
        return f"{100 * part / whole:.2f}%"
    return "??" if part else "--"


def seconds(time: float | None, digits: int) -> str:
    """A time in seconds with so many decimals, "" if it is unknown."""
    return "" if time is None else f"{time:.{digits}f}"


def wilson(wins: float, games: int, *, z: float = Z_95) -> tuple[float, float] | None:
    """Bounds of the true score of a player that took `wins` of `games`, by Wilson's score interval.

    A level game counts half a win, which makes the interval a little too wide, never too narrow. None without
    games. (Wilson, E. B. (1927): JASA 22, 209-212.)

    >>> low, high = wilson(15, 20)
    >>> f"{low:.3f} {high:.3f}"
    '0.531 0.888'
    """
    if not games:
        return None
    share, spread = wins / games, z * z / games
    centre = (share + spread / 2) / (1 + spread)
    reach = z / (1 + spread) * sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(centre - reach, 0.0), min(centre + reach, 1.0)
