"""The sequential probability ratio test (SPRT): play until one of two hypotheses can be accepted.

Hypothesis H0 says that the player is elo0 Elo stronger than its opponent. H1 says elo1. `Sprt` is the test,
`Trial` a test with its results so far. `sprt_estimate` estimates the strength after a test.
"""

# Theory of operation
# -------------------
#
#     Trial(CONTINUE) --add(points)--> LLR --+-- below `lower` --> Trial(H0)
#           ^                                +-- above `upper` --> Trial(H1)
#           +------------ between -----------+
#
# A trial is an immutable value that is folded over results in their order. A decided trial returns itself, so
# later results change nothing.
#
# After each observation the log likelihood ratio (LLR) is compared with two bounds. Beyond a bound a
# hypothesis is accepted, and wrongly so with a probability of about alpha (H1 although H0 is true) or beta
# (the reverse). No test with the same error rates needs fewer games on average if one of the hypotheses is
# true (Wald and Wolfowitz, 1948). The LLR jumps over a bound instead of landing on it, so the test is a
# little stricter than asked for, and a little longer.
#
# The LLR measures how much better the results fit H1. A hypothesis fixes one number, the true strength, and
# leaves open how often each result occurs (the share of draws, the dependence of the games of a pair). So
# each hypothesis is represented by the distribution that fits the results best among those that it allows,
# and the likelihoods of these two are compared: the generalized SPRT. For observations with shares p and a
# function f of the outcome whose mean the hypothesis fixes at 0, the best fit is q = p / (1 + theta f), with
# theta such that sum q f = 0. `empirical_likelihood` solves that.
#
# Models, which are the meanings of an Elo difference:
#
#   * logistic: the mean score is that of the Elo difference.
#   * normalized: the mean is so many standard deviations above ½. f depends on the mean and deviation of q
#     itself, so it is solved again with the new ones until nothing changes (`_normal_fit`).
#   * bayesian, single games only: the scale of the program BayesElo, with draws as in Rao and Kupper's model:
#     won is 1 / (1 + 10^((d - elo) / 400)), lost the same with -elo. Its scale is wider than the logistic
#     one, and more so with more draws. d is estimated from the results and gives the mean score of a
#     hypothesis. fishtest's oldest tests and fastchess do the same; fastchess waits for a win and a loss.
#   * cutechess, single games only: the same odds for an Elo that is stretched to have the logistic slope
#     between equals. The likelihoods of these odds themselves are compared, after half a game is added to
#     each count.

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log, log1p, log10, sqrt

from gyoji.stats.empirical_likelihood import tilt
from gyoji.stats.scores import GAME, NORMALIZED_ELO, Scores, score_at

_PRECISION = 1e-9
_ROUNDS = 10


class Model(StrEnum):
    """The Elo scale of the hypotheses."""

    NORMALIZED = "normalized"  # standard deviations of a game: the same effort whatever the share of draws
    LOGISTIC = "logistic"  # the scale of expected scores
    BAYESIAN = "bayesian"  # the scale of BayesElo, as fastchess has it; single games only
    CUTECHESS = "cutechess"  # the logistic scale, with draws as BayesElo has them; single games only

    @property
    def unit(self) -> str:
        """The unit of the hypotheses."""
        return {Model.NORMALIZED: "nElo", Model.BAYESIAN: "BayesElo"}.get(self, "Elo")

    @property
    def has_pairs(self) -> bool:
        """Whether an observation may be a pair of games."""
        return self in (Model.NORMALIZED, Model.LOGISTIC)


# The estimate needs results of each kind, so half a game is added to each count.
def _cutechess(scores: Scores, elo: float) -> Sequence[float]:
    number = scores.number + 1.5
    lost, _, won = ((count + 0.5) / number for count in scores.counts)
    draw_elo = 200 * log10((1 - lost) / lost * (1 - won) / won)
    odds = 10 ** (-draw_elo / 400)
    return _bayeselo_odds(elo * (1 + odds) ** 2 / (4 * odds), draw_elo)


def _bayeselo_odds(elo: float, draw_elo: float) -> tuple[float, float, float]:
    """Return the probabilities of a loss, a draw and a win at an Elo difference on BayesElo's scale."""
    won, lost = score_at(elo - draw_elo), score_at(-elo - draw_elo)
    return lost, 1 - won - lost, won


def mean_at(model: Model, scores: Scores, elo: float) -> float:
    """Return the mean score of an observation at an Elo difference of the model.

    Args:
        model: The Elo scale.
        scores: Results from which the share of draws, or the deviation, is taken.
        elo: The Elo difference.
    """
    if model is Model.LOGISTIC:
        return score_at(elo)
    if model is Model.NORMALIZED:
        return 0.5 + _signal(scores, elo) * sqrt(scores.variance or 0.0)
    if model is Model.CUTECHESS:
        lost, _, won = _cutechess(scores, elo)
    else:
        regular = scores.regular()
        lost = regular.counts[0] / regular.number
        won = regular.counts[2] / regular.number
        draw_elo = 200 * log10((1 - lost) / lost * (1 - won) / won)
        lost, _, won = _bayeselo_odds(elo, draw_elo)
    return (1 + won - lost) / 2


def _signal(scores: Scores, elo: float) -> float:
    """Convert normalized Elo to standard deviations of an observation.

    The number for a pair of games is √2 times that for a single game.
    """
    return elo / NORMALIZED_ELO * sqrt(scores.size)


def _normal_fit(shares: Sequence[float], steps: Sequence[float], signal: float) -> Sequence[float] | None:
    """Return the likeliest shares of results whose mean is `signal` standard deviations above ½.

    Return None if no shares have such a mean.
    """
    fit: Sequence[float] = [1 / len(steps)] * len(steps)
    theta = 0.0
    for _ in range(_ROUNDS):
        mean = sum([share * step for share, step in zip(fit, steps, strict=True)])
        variance = sum([share * (step - mean) ** 2 for share, step in zip(fit, steps, strict=True)])
        deviation = sqrt(variance)
        f = [step - 0.5 - signal / 2 * (deviation + (step - mean) ** 2 / deviation) for step in steps]
        if not min(f) < 0 < max(f):
            return None
        theta, tilted = tilt(shares, f, theta)
        before, fit = fit, [share / each for share, each in zip(shares, tilted, strict=True)]
        if max([abs(old - new) for old, new in zip(before, fit, strict=True)]) < _PRECISION:
            break
    return fit


def _closed(regular: Scores, elo0: float, elo1: float) -> float:
    """Return the LLR of two hypotheses in normalized Elo by a formula for many games.

    It is exact to three digits unless results are very one-sided.

    Args:
        regular: The results, without counts of 0 (`Scores.regular`).
    """
    seen = (regular.normalized_elo or 0) / NORMALIZED_ELO
    first, second = ((seen - elo / NORMALIZED_ELO) ** 2 for elo in (elo0, elo1))
    return regular.games / 2 * (log1p(first) - log1p(second))


# The theory holds for small differences.
MOST_ELO = 400
"""The largest Elo difference of a hypothesis."""


class Decision(StrEnum):
    """The decision of a test."""

    CONTINUE = "continue"
    H0 = "accept H0"
    H1 = "accept H1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprt:
    """A sequential test: its hypotheses, error rates and Elo scale.

    Attributes:
        elo0: The Elo difference by hypothesis H0.
        elo1: The Elo difference by hypothesis H1.
        alpha: The probability of accepting H1 if H0 is true.
        beta: The probability of accepting H0 if H1 is true.

    Raises:
        ValueError: A hypothesis or rate is out of range. The text is a line for the user.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.NORMALIZED

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise ValueError(
                f"expected -{MOST_ELO} <= elo0 < elo1 <= {MOST_ELO}, got {self.elo0:g} and {self.elo1:g}"
            )
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name}: expected a number between 0 and 0.5, got {rate:g}")

    @property
    def lower(self) -> float:
        """The LLR below which H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR above which H1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    def fit(self, scores: Scores, elo: float) -> Sequence[float] | None:
        """Return the likeliest shares of the scores if `elo` is the true Elo difference.

        Return None if no shares have this difference, which happens with normalized Elo only.
        """
        if self.model is Model.CUTECHESS:
            return _cutechess(scores, elo)
        if self.model is not Model.NORMALIZED:
            mean = mean_at(self.model, scores, elo)
            regular = scores.regular()
            shares = [count / regular.number for count in regular.counts]
            _, tilted = tilt(shares, [step - mean for step in regular.steps])
            return [share / each for share, each in zip(shares, tilted, strict=True)]
        regular = scores.regular()
        shares = [count / regular.number for count in regular.counts]
        return _normal_fit(shares, regular.steps, _signal(scores, elo))

    # With normalized Elo there may be no distribution if nearly all results are equal. Then the formula for
    # many games is used.
    def llr(self, scores: Scores) -> float:
        """Return the log likelihood ratio; 0 without results.

        Raises:
            ValueError: The scores are of pairs or units, and the model is for single games only.
        """
        if len(scores.counts) != GAME and not self.model.has_pairs:
            raise ValueError(f"the model {self.model} is of single games, not of pairs")
        if not scores.number:
            return 0.0
        first, second = self.fit(scores, self.elo0), self.fit(scores, self.elo1)
        if first is None or second is None:
            return _closed(scores.regular(), self.elo0, self.elo1)
        half = self.model is Model.CUTECHESS
        counts = [count + 0.5 for count in scores.counts] if half else scores.regular().counts
        return sum([count * log(b / a) for count, a, b in zip(counts, first, second, strict=True)])

    def decision(self, llr: float) -> Decision:
        """Return the decision at an LLR."""
        if llr < self.lower:
            return Decision.H0
        return Decision.H1 if llr > self.upper else Decision.CONTINUE

    def start(self, *, pairs: bool = False, scores: Scores | None = None) -> "Trial":
        """Return the test before its first result.

        Args:
            pairs: Whether a pair of games is one observation, instead of each game.
            scores: Scores without results, for observations of another kind.
        """
        return Trial(test=self, scores=scores or Scores.none(pairs=pairs))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A sequential test with the results so far.

    Attributes:
        llr: The log likelihood ratio of the two hypotheses.
        decision: The accepted hypothesis, or that the test goes on.
    """

    test: Sprt
    scores: Scores
    llr: float = 0.0
    decision: Decision = Decision.CONTINUE

    def add(self, points: float) -> "Trial":
        """Return the test with one more observation. A decided test returns itself.

        Args:
            points: The points of a game (0, ½ or 1), of a pair of games (0 to 2 in steps of ½), or of a unit
                (`Scores.of_units`).

        Raises:
            ValueError: An observation cannot give that many points. Or the observations are pairs or units,
                and the model is for single games only.
        """
        if self.decision is not Decision.CONTINUE:
            return self
        scores = self.scores.plus(points)
        llr = self.test.llr(scores)
        return Trial(test=self.test, scores=scores, llr=llr, decision=self.test.decision(llr))
