"""The sequential probability ratio test: play until it is clear which of two hypotheses is right.

Hypothesis H0 is that the player is elo0 stronger than its opponent, H1 that it is elo1. After each
observation the log likelihood ratio (LLR, see `likelihood`) is compared with two bounds; beyond one of them
a hypothesis is accepted, and wrongly so with a probability of about alpha (H1, when H0 is true) or beta
(the reverse). No test of the same strength needs fewer games on average when one of the two is true (Wald
and Wolfowitz, 1948).

A `Trial` is such a test while it is played: a value, to be folded over results as a competition is. Results
are looked at in the order in which they are added, `batch` of them at a time; what comes after the decision
changes nothing. What the results then say about the strength is in `stopped`.

**Overshoot.** The LLR jumps over a bound rather than landing on it, so the plain test is a little stricter
than asked for, and a little longer. With `shrinks` the bounds move in by the mean overshoot, which is half
the mean square over the mean of the steps by which the LLR set new records (Siegmund, Sequential Analysis,
corollary 8.33). Then the error rates are about alpha and beta instead of below them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import log
from types import MappingProxyType
from typing import NamedTuple

from gyoji.stats.likelihood import bayeselo_llr, logistic_llr, normalized_llr
from gyoji.stats.scores import Scores

MOST_ELO = 400
"""Hypotheses further out are refused: the theory is one of small differences."""


class Model(StrEnum):
    """The meaning of the Elo of the hypotheses."""

    NORMALIZED = "normalized"  # standard deviations of a game: the same effort whatever the share of draws
    LOGISTIC = "logistic"  # the usual scale, of expected scores
    BAYESELO = "bayeselo"  # the usual scale too, with draws as BayesElo has them; single games only


class Decision(StrEnum):
    """The decision of a test."""

    CONTINUE = "continue"
    H0 = "accept H0"
    H1 = "accept H1"


_LLR: Mapping[Model, Callable[[Scores, float, float], float]] = MappingProxyType(
    {Model.NORMALIZED: normalized_llr, Model.LOGISTIC: logistic_llr, Model.BAYESELO: bayeselo_llr}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprt:
    """A test before anything is played. Raises ValueError, with a line for the user, for what is none.

    alpha, beta  how often H1 and H0 may be accepted wrongly.
    batch        observations that are added before the LLR is looked at again.
    shrinks      whether the bounds are corrected for overshoot.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.NORMALIZED
    batch: int = 1
    shrinks: bool = False

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise ValueError(
                f"expected -{MOST_ELO} <= elo0 < elo1 <= {MOST_ELO}, got {self.elo0:g} and {self.elo1:g}"
            )
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name}: expected a number between 0 and 0.5, got {rate:g}")
        if self.batch < 1:
            raise ValueError(f"batch: expected a number from 1, got {self.batch}")

    @property
    def lower(self) -> float:
        """The LLR below which H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR above which H1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    def llr(self, scores: Scores) -> float:
        """The log likelihood ratio, 0 without results. Raises ValueError for pairs if the model has none."""
        return _LLR[self.model](scores, self.elo0, self.elo1) if scores.number else 0.0

    def decision(self, llr: float) -> Decision:
        """The decision at that LLR, by the plain bounds."""
        if llr < self.lower:
            return Decision.H0
        return Decision.H1 if llr > self.upper else Decision.CONTINUE

    def start(self, *, pairs: bool) -> "Trial":
        """The test of pairs or of single games, before the first result."""
        return Trial(test=self, scores=Scores.none(pairs=pairs))


class Records(NamedTuple):
    """How far the LLR has gone to one side; the steps that took it there, and their squares, added up."""

    furthest: float = 0.0
    steps: float = 0.0
    squares: float = 0.0

    def after(self, distance: float) -> "Records":
        step = distance - self.furthest
        return Records(distance, self.steps + step, self.squares + step * step) if step > 0 else self

    @property
    def overshoot(self) -> float:
        """By how much the LLR will jump over a bound on that side, on average."""
        return self.squares / (2 * self.steps) if self.steps else 0.0


_NO_RECORDS = Records()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A test being played: what has been added, the LLR when it was last looked at, and the decision."""

    test: Sprt
    scores: Scores
    llr: float = 0.0
    decision: Decision = Decision.CONTINUE
    falls: Records = _NO_RECORDS
    rises: Records = _NO_RECORDS

    def add(self, points: float) -> "Trial":
        """With the player's points of one more game (0, ½, 1) or pair (0 to 2); itself once it is decided."""
        if self.decision is not Decision.CONTINUE:
            return self
        scores = self.scores.plus(points)
        if scores.number % self.test.batch:
            return replace(self, scores=scores)
        llr = self.test.llr(scores)
        falls, rises = self.falls.after(-llr), self.rises.after(llr)
        seen = Trial(test=self.test, scores=scores, llr=llr, falls=falls, rises=rises)
        lower, upper = seen.bounds
        if lower <= llr <= upper:
            return seen
        return replace(seen, decision=Decision.H0 if llr < lower else Decision.H1)

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLRs beyond which it is decided, as they are now."""
        test = self.test
        if not test.shrinks:
            return test.lower, test.upper
        return test.lower + self.falls.overshoot, test.upper - self.rises.overshoot
