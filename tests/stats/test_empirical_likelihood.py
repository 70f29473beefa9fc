"""The score interval: against its definition, against Wilson's, and how often it holds the truth."""

from math import exp, lgamma, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.stats.empirical_likelihood import deviations_from, mean_bounds
from gyoji.stats.scores import Z_95

GAME, PAIR = (0, 0.5, 1), (0, 0.25, 0.5, 0.75, 1)
COUNTS = st.one_of(st.tuples(*[st.integers(0, 300)] * 3), st.tuples(*[st.integers(0, 300)] * 5)).filter(any)


def bounds(counts):
    number = sum(counts)
    steps = GAME if len(counts) == 3 else PAIR
    return mean_bounds([each / number for each in counts], steps, number, z=Z_95)


def wilson(share, number):
    spread = Z_95**2 / number
    centre = (share + spread / 2) / (1 + spread)
    reach = Z_95 / (1 + spread) * sqrt(share * (1 - share) / number + spread / (4 * number))
    return centre - reach, centre + reach


@given(st.integers(0, 2000), st.integers(0, 2000).filter(bool), st.booleans())
def test_without_draws_it_is_wilsons(won, lost, swapped):
    won, lost = (lost, won) if swapped else (won, lost)
    expected = wilson(won / (won + lost), won + lost)
    assert bounds((lost, 0, won)) == pytest.approx(expected, abs=1e-9)
    assert bounds((lost, 0, 0, 0, won)) == pytest.approx(expected, abs=1e-9)


def variance_at(lost, drawn, won, mean):
    """Return the variance of the likeliest (lost, drawn, won) of that mean: a quadratic equation (Tango,
    1998).
    """
    lead = 2 * mean - 1
    a = -2 * (lost + drawn + won)
    b = (lost + won) * (1 - lead) - 2 * lead * (lost + drawn)
    root = sqrt(max(b * b - 4 * a * lost * lead * (1 - lead), 0))
    loses = (-b - root) / (2 * a)
    return (2 * loses + lead - lead * lead) / 4


@pytest.mark.parametrize(
    "counts",
    [(2, 5, 3), (0, 5, 5), (0, 10, 0), (1, 8, 1), (3, 0, 7), (1, 40, 9), (0, 1, 99), (250, 600, 150)],
)
def test_with_draws_it_is_tangos(counts):
    number = sum(counts)
    mean = (counts[1] / 2 + counts[2]) / number
    for bound in bounds(counts):
        if 0 < bound < 1:
            assert number * (mean - bound) ** 2 == pytest.approx(Z_95**2 * variance_at(*counts, bound))


@given(COUNTS)
def test_at_a_bound_the_mean_is_as_far_as_chance_allows(counts):
    number, steps = sum(counts), GAME if len(counts) == 3 else PAIR
    shares = [each / number for each in counts]
    for bound, z in zip(bounds(counts), (Z_95, -Z_95), strict=True):
        if 1e-6 < bound < 1 - 1e-6:
            assert deviations_from(shares, steps, bound, number) == pytest.approx(z, abs=1e-5)


@given(COUNTS)
def test_it_holds_the_mean_stays_between_nothing_and_all_and_turns_with_the_table(counts):
    number, (low, high) = sum(counts), bounds(counts)
    mean = sum(count * index for index, count in enumerate(counts)) / number / (len(counts) - 1)
    assert 0 <= low <= mean + 1e-12
    assert mean - 1e-12 <= high <= 1
    assert bounds(counts[::-1]) == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_a_score_that_has_not_been_seen_takes_what_is_left_over():
    """Nine level pairs and a won one: if the mean is ½, as many are lost as won, V is 1/40 and z is 1."""
    shares = (0, 0, 0.9, 0, 0.1)
    assert deviations_from(shares, PAIR, 0.5, 10) == pytest.approx(1)
    assert deviations_from(shares[::-1], PAIR, 0.5, 10) == pytest.approx(-1)
    assert deviations_from((0, 0, 1), GAME, 0.5, 10) == pytest.approx(sqrt(10))


def test_pairs_that_openings_decide_have_a_narrow_interval():
    """One of ten pairs was won, the others were level; as ten games these say little."""
    low, high = bounds((0, 0, 9, 0, 1))
    alone = bounds((9, 0, 11))
    assert (high - low) < (alone[1] - alone[0]) / 1.3


def davidson(share, draws):
    """(lost, drawn, won) of a mean of `share`, where `draws` are drawn between equals."""
    nu, low, high = 2 * draws / (1 - draws), -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        weights = np.array([exp(-middle), nu, exp(middle)])
        weights /= weights.sum()
        low, high = (middle, high) if weights[2] + weights[1] / 2 < share else (low, middle)
    return weights


def coverage(number, draws, shares):
    """Return the exact probability that the interval holds the truth, of each true share."""
    tables = [
        (lost, number - lost - won, won) for lost in range(number + 1) for won in range(number + 1 - lost)
    ]
    found = np.array([bounds(each) for each in tables])
    counts = np.array(tables)
    ways = [lgamma(number + 1) - sum(lgamma(each + 1) for each in table) for table in tables]
    held = []
    for share in shares:
        chances = np.exp(np.array(ways) + counts @ np.log(np.maximum(davidson(share, draws), 1e-300)))
        held.append(chances[(found[:, 0] <= share + 1e-12) & (found[:, 1] >= share - 1e-12)].sum())
    return held


@pytest.mark.parametrize("draws", [0, 0.3, 0.6])
@pytest.mark.parametrize("number", [10, 20, 50])
def test_it_holds_the_truth_as_often_as_it_says(number, draws):
    """Over true scores from 0.1 to 0.9: computed, not simulated."""
    held = coverage(number, draws, np.arange(0.1, 0.901, 0.01))
    assert 0.94 <= np.mean(held) <= 0.97
    assert min(held) >= 0.90
    assert max(held) < 1


@pytest.mark.parametrize(
    ("number", "least", "most"), [(10, 0.95, 0.995), (20, 0.935, 0.975), (100, 0.93, 0.965)]
)
def test_it_holds_the_truth_of_pairs_too(number, least, most):
    """Simulated: pairs as of equals with many level ones, tilted; of few pairs it is on the safe side."""
    chance, steps = np.random.default_rng(7), np.array(PAIR)
    base, held = np.array([0.05, 0.2, 0.5, 0.2, 0.05]), []
    for slope in (-2.5, -1.0, 0.0, 1.7):
        shares = base * np.exp(slope * steps)
        shares /= shares.sum()
        found = [bounds(tuple(each)) for each in chance.multinomial(number, shares, 600).tolist()]
        held += [low <= shares @ steps <= high for low, high in found]
    assert least <= np.mean(held) <= most
