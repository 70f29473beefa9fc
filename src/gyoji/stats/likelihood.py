"""The log likelihood ratio of two hypotheses about strength, given results: how much better the second fits.

A hypothesis fixes one number, the true strength; how often which result comes (the share of draws, how the
games of a pair depend on each other) it leaves open. So each is represented by the distribution that fits
the results best among those that it allows, and their likelihoods are compared: the generalized SPRT.

For observations with frequencies p and a function f of the outcome whose mean the hypothesis fixes at 0,
the best fit is  q = p / (1 + theta f),  with theta such that  sum q f = 0.  That is all that has to be
solved here.

* logistic: the mean score is that of an Elo difference.
* normalized: the mean is so many standard deviations above ½. Here f depends on the mean and the deviation
  of q itself, so it is solved again with the new ones until nothing changes.
* BayesElo, of single games: draws as Rao and Kupper have them, with the observed share of draws.
"""

from collections.abc import Sequence
from math import log, log1p, log10, sqrt

from gyoji.stats.scores import NORMALIZED_ELO, Scores, score_at

_PRECISION = 1e-9
_ROUNDS = 10
_HALVINGS = 100


def logistic_llr(scores: Scores, elo0: float, elo1: float) -> float:
    """ln of how much likelier the results are at elo1 than at elo0."""
    regular = scores.regular()
    number, steps = regular.number, regular.steps
    shares = [count / number for count in regular.counts]
    first, second = (_tilt(shares, [step - score_at(elo) for step in steps])[1] for elo in (elo0, elo1))
    return _ratio(regular, first, second)


def normalized_llr(scores: Scores, elo0: float, elo1: float) -> float:
    """The same for normalized Elo.

    Where nearly all results are the same no distribution may be found for a hypothesis: then it is the closed
    form for many games.
    """
    regular = scores.regular()
    number = regular.number
    shares = [count / number for count in regular.counts]
    first, second = (_normal_tilt(shares, regular.steps, _signal(scores, elo)) for elo in (elo0, elo1))
    if first is None or second is None:
        return _closed(regular, elo0, elo1)
    return _ratio(regular, first, second)


def bayeselo_llr(scores: Scores, elo0: float, elo1: float) -> float:
    """The same by the model of BayesElo, for Elo on the usual scale, as the older tools have it."""
    first, second = bayeselo_odds(scores, elo0), bayeselo_odds(scores, elo1)
    return sum(count * log(b / a) for count, a, b in zip(scores.counts, first, second, strict=True))


def bayeselo_odds(scores: Scores, elo: float) -> tuple[float, float, float]:
    """The probabilities of (lost, drawn, won) at that Elo, where draws are as frequent as in `scores`.

    Half a game is added to each count, since there must be some of each. Raises ValueError for pairs.
    """
    if scores.is_of_pairs:
        raise ValueError("the model bayeselo is of single games, not of pairs")
    number = scores.number + 1.5
    lost, _, won = ((count + 0.5) / number for count in scores.counts)
    draw_elo = 200 * log10((1 - lost) / lost * (1 - won) / won)
    odds = 10 ** (-draw_elo / 400)
    stretched = elo * (1 + odds) ** 2 / (4 * odds)  # its own scale is wider, the more so the more draws
    won, lost = score_at(stretched - draw_elo), score_at(-stretched - draw_elo)
    return lost, 1 - won - lost, won


def _signal(scores: Scores, elo: float) -> float:
    """Normalized Elo as standard deviations of an observation: a pair shows √2 times what a game does."""
    return elo / NORMALIZED_ELO * (sqrt(2) if scores.is_of_pairs else 1)


def _normal_tilt(shares: Sequence[float], steps: Sequence[float], signal: float) -> list[float] | None:
    """The 1 + theta f of a mean `signal` deviations above ½; None if there is no such distribution."""
    fit: Sequence[float] = [1 / len(steps)] * len(steps)
    theta = 0.0
    for _ in range(_ROUNDS):
        mean = sum([share * step for share, step in zip(fit, steps, strict=True)])
        variance = sum([share * (step - mean) ** 2 for share, step in zip(fit, steps, strict=True)])
        deviation = sqrt(variance)
        f = [step - 0.5 - signal / 2 * (deviation + (step - mean) ** 2 / deviation) for step in steps]
        if not min(f) < 0 < max(f):
            return None
        theta, tilt = _tilt(shares, f, theta)
        before, fit = fit, [share / each for share, each in zip(shares, tilt, strict=True)]
        if max([abs(old - new) for old, new in zip(before, fit, strict=True)]) < _PRECISION:
            break
    return tilt


def _tilt(shares: Sequence[float], f: Sequence[float], theta: float = 0.0) -> tuple[float, list[float]]:
    """1 + theta f, all of them positive, such that  sum share f / (1 + theta f)  is 0. f has both signs.

    The sum falls from infinity to minus infinity as theta grows through what is allowed, so there is exactly
    one theta. Newton finds it, from the given one, and where a step leads out of what is left, halving.
    """
    low, high = -1 / max(f), -1 / min(f)
    if not low < theta < high:
        theta = 0.0
    for _ in range(_HALVINGS):
        tilt = [1 + theta * value for value in f]
        total = slope = 0.0
        for share, value, each in zip(shares, f, tilt, strict=True):
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
    return theta, tilt


def _ratio(regular: Scores, first: Sequence[float], second: Sequence[float]) -> float:
    """The log likelihood ratio of two fits by their 1 + theta f."""
    return sum([count * log(a / b) for count, a, b in zip(regular.counts, first, second, strict=True)])


def _closed(regular: Scores, elo0: float, elo1: float) -> float:
    """Normalized, in closed form: right to three digits unless results are very one-sided."""
    seen = (regular.normalized_elo or 0) / NORMALIZED_ELO
    first, second = ((seen - elo / NORMALIZED_ELO) ** 2 for elo in (elo0, elo1))
    return regular.games / 2 * (log1p(first) - log1p(second))
