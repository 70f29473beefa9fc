"""The results of one player against another as counts, and the Elo, intervals and likelihoods that follow.

A game gives 0, ½ or 1 point. If games come in pairs (the same opening, sides swapped), a pair is one
observation of 0, ½, 1, 1½ or 2 points, so that an opening that favours a side adds no noise. A unit is one
observation of more games, in which the players of a table change seats. Observations are scored from 0 to 1
in equal steps; all figures follow from the counts of these scores.

A figure is None without results, or if it would divide by a variance of 0. A player that always won is
infinitely many Elo stronger. No figure is NaN.

Intervals and the likelihood of superiority use the score method (`empirical_likelihood`), which has the right
coverage even for ten games. Figures whose name begins with `wald` use the observed variance as the true one,
as fishtest, fastchess and cutechess do. With few games, such intervals contain the truth less often.

>>> f"{cdf(Z_95):.4f} {log_cdf(-40):.4f}"
'0.9750 -804.6084'
"""

from collections.abc import Sequence
from math import erfc, inf, log, log1p, log10, pi, sqrt

from msgspec import Struct

from gyoji.stats.empirical_likelihood import deviations_from, mean_bounds

Z_95 = 1.959963984540054
"""The 97.5 % quantile of the normal distribution, for two-sided 95 % intervals."""

# `erfc` underflows to 0 soon after. statistics.NormalDist reaches less far still: its cdf is 0 beyond -8 in
# Python 3.11.
_FAR = -30.0
"""Below this value `log_cdf` uses the asymptotic series."""


def cdf(z: float) -> float:
    """Return the probability that a standard normal variable is at most z."""
    return erfc(-z / sqrt(2)) / 2


def log_cdf(z: float) -> float:
    """Return the natural logarithm of `cdf`, also where `cdf` is too small for a float."""
    if z > _FAR:
        return log(cdf(z))
    inverse = 1 / (z * z)
    return -z * z / 2 - log(-z * sqrt(2 * pi)) + log1p(-inverse * (1 - 3 * inverse * (1 - 5 * inverse)))


NAT_ELO = 400 / log(10)
"""The Elo difference at which the odds of winning are e to 1."""

NORMALIZED_ELO = 800 / log(10)
"""The normalized Elo of a mean score that is one standard deviation of a game above ½."""
GAME, PAIR = 3, 5
"""Number of possible scores of a game, and of a pair of games."""


def elo_of(score: float) -> float:
    """Return the Elo difference at which a score (0 to 1) is expected; infinite for 0 and 1.

    >>> f"{elo_of(0.75):.2f}", elo_of(1)
    ('190.85', inf)
    """
    if score <= 0:
        return -inf
    return inf if score >= 1 else -400 * log10(1 / score - 1)


def score_at(elo: float) -> float:
    """Return the expected score at an Elo difference: the inverse of `elo_of`."""
    return 1 / (1 + 10 ** (-elo / 400))


class Scores(Struct, frozen=True):
    """Results as the numbers of observations with each score.

    Attributes:
        counts: The numbers, the lowest score first. For games: lost, drawn and won. For pairs: with 0, ½, 1,
            1½ and 2 points. For units: by half points.
        unit: The number of games in a unit (the games of one table with the same seed). 0 for single games
            and pairs.
    """

    counts: tuple[float, ...]
    unit: int = 0

    def __post_init__(self) -> None:
        if len(self.counts) not in (GAME, PAIR) and not self.unit:
            raise ValueError(f"expected {GAME} counts of games or {PAIR} of pairs, got {len(self.counts)}")
        if min(self.counts) < 0:
            raise ValueError(f"expected counts from 0, got {min(self.counts)}")

    @classmethod
    def none(cls, *, pairs: bool) -> "Scores":
        """Return scores without results, for pairs or for single games."""
        return cls((0,) * (PAIR if pairs else GAME))

    @classmethod
    def of_units(cls, unit: int, points: int) -> "Scores":
        """Return scores without results, for units of `unit` games that give 0 to `points` points in steps of
        ½.
        """
        return cls((0,) * (2 * points + 1), unit)

    def plus(self, points: float) -> "Scores":
        """Return the scores with one more observation.

        Args:
            points: 0, ½ or 1 for a game, 0 to 2 for a pair, or the points of a unit.

        Raises:
            ValueError: An observation cannot give that many points.
        """
        index = points * 2
        if index not in range(len(self.counts)):
            raise ValueError(f"expected 0 to {(len(self.counts) - 1) / 2} points in halves, got {points}")
        counts = list(self.counts)
        counts[int(index)] += 1
        return Scores(tuple(counts), self.unit)

    @property
    def is_of_pairs(self) -> bool:
        return len(self.counts) == PAIR and not self.unit

    @property
    def size(self) -> int:
        """The number of games of an observation."""
        return self.unit or (2 if self.is_of_pairs else 1)

    @property
    def number(self) -> float:
        """The number of observations: games, pairs or units."""
        return sum(self.counts)

    @property
    def games(self) -> float:
        return self.number * self.size

    @property
    def steps(self) -> Sequence[float]:
        """The score of each count, from 0 to 1."""
        return [index / (len(self.counts) - 1) for index in range(len(self.counts))]

    @property
    def mean(self) -> float | None:
        """The mean score, from 0 to 1; None without results."""
        number = self.number
        weighed = sum(count * step for count, step in zip(self.counts, self.steps, strict=True))
        return weighed / number if number else None

    @property
    def variance(self) -> float | None:
        """The variance of one observation; None without results, 0 if all results are equal."""
        mean, number = self.mean, self.number
        if mean is None:
            return None
        pairs = zip(self.counts, self.steps, strict=True)
        return sum(count * (step - mean) ** 2 for count, step in pairs) / number

    @property
    def game_deviation(self) -> float | None:
        """The standard deviation of the score of one game, estimated from observations; None without results.

        It is the standard deviation of an observation's score, times the root of the number of games in an
        observation.
        """
        variance = self.variance
        return None if variance is None else sqrt(self.size * variance)

    @property
    def elo(self) -> float | None:
        """The Elo difference at which the mean score is expected. Biased unless the number of games was fixed
        in advance.
        """
        return None if self.mean is None else elo_of(self.mean)

    @property
    def method(self) -> str:
        """The name of the method of the intervals."""
        if self.unit:
            return "score method over units"
        if self.is_of_pairs:
            return "pentanomial score method"
        return "trinomial score method" if self.counts[1] else "Wilson score method"

    @property
    def share_interval(self) -> tuple[float, float] | None:
        """The 95 % bounds of the true mean score; None without results."""
        shares = self._shares
        return mean_bounds(shares, self.steps, self.number, z=Z_95) if shares else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % bounds of the Elo difference, None without results. One of them may be infinite."""
        bounds = self.share_interval
        return None if bounds is None else (elo_of(bounds[0]), elo_of(bounds[1]))

    @property
    def margin(self) -> float | None:
        """Half of the width of `interval` in Elo: the number after ±. None without results."""
        return _half(self.interval)

    @property
    def superiority(self) -> float | None:
        """The likelihood that this player is the stronger one, None without results.

        For single games it is the normal probability of (won - lost) / sqrt(won + lost).
        """
        shares = self._shares
        return cdf(deviations_from(shares, self.steps, 0.5, self.number)) if shares else None

    @property
    def wald_interval(self) -> tuple[float, float] | None:
        """The 95 % bounds of the Elo difference by the observed variance, None without a variance."""
        mean, deviation = self.mean, self._deviation_of_mean
        if mean is None or not deviation:
            return None
        return elo_of(mean - Z_95 * deviation), elo_of(mean + Z_95 * deviation)

    @property
    def wald_margin(self) -> float | None:
        """Half of the width of `wald_interval` in Elo; None without a variance."""
        return _half(self.wald_interval)

    @property
    def wald_superiority(self) -> float | None:
        """The likelihood of superiority by the observed variance, None without a variance."""
        mean, deviation = self.mean, self._deviation_of_mean
        return cdf((mean - 0.5) / deviation) if mean is not None and deviation else None

    @property
    def normalized_elo(self) -> float | None:
        """The mean score above ½ in standard deviations of a game, scaled to Elo.

        It determines how many games are needed to prove the difference.
        """
        mean, deviation = self.mean, self.game_deviation
        return NORMALIZED_ELO * (mean - 0.5) / deviation if mean is not None and deviation else None

    @property
    def normalized_margin(self) -> float | None:
        """Half of the width of the 95 % interval of the normalized Elo, for a variance taken as known; None
        without results.
        """
        return NORMALIZED_ELO * Z_95 / sqrt(self.games) if self.number else None

    @property
    def draw_ratio(self) -> float | None:
        """The share of drawn games, or of pairs or units that gave both players equally many points."""
        return self.counts[len(self.counts) // 2] / self.number if self.number else None

    @property
    def pairs_ratio(self) -> float | None:
        """The number of pairs won divided by the number of pairs lost.

        None if observations are not pairs, and if no pair is lost.
        """
        if not self.is_of_pairs or not (lost := sum(self.counts[:2])):
            return None
        return sum(self.counts[3:]) / lost

    @property
    def _shares(self) -> tuple[float, ...]:
        """The share of each count, empty without results."""
        number = self.number
        return tuple(count / number for count in self.counts) if number else ()

    @property
    def _deviation_of_mean(self) -> float | None:
        variance = self.variance
        return None if variance is None else sqrt(variance / self.number)

    # Likelihoods need a positive count of each outcome. fishtest uses the same number.
    def regular(self) -> "Scores":
        """Return the scores with each count of 0 replaced by 0.001."""
        return Scores(tuple(count or 0.001 for count in self.counts), self.unit)


def _half(bounds: tuple[float, float] | None) -> float | None:
    """Return half of the width of an interval; infinite if a bound is infinite."""
    return None if bounds is None else (bounds[1] - bounds[0]) / 2
