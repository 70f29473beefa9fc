"""Strength after a test that stops by itself, and how long it takes."""

from itertools import pairwise
from math import exp, inf, log, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.stats.scores import Z_95, Scores, cdf, elo_of, log_cdf, score_at
from gyoji.stats.sprt import Decision, Model, Sprt
from gyoji.stats.sprt_estimate import Walk, estimate, falling_root


@pytest.mark.parametrize(
    ("model", "counts", "elo0", "elo1", "known"),
    [
        # fishtest, which is exact as long as the walls are near; still going, accepted H1, accepted H0
        ("logistic", (39, 2226, 31451, 2412, 40), 0.2, 0.9, (0.8652, 0.1683, 1.5406, 0.9920)),
        ("normalized", (39, 2226, 31451, 2412, 40), 0.764, 3.439, (0.8652, 0.1683, 1.5406, 0.9920)),
        ("logistic", (10789, 19328, 33806, 19402, 10543), -3, 1, (-0.9925, -3.4885, 1.4886, 0.1880)),
        ("logistic", (223, 9863, 21279, 10037, 246), 0.5, 2.5, (1.2235, -0.1363, 2.7222, 0.9612)),
        ("normalized", (365, 16618, 36229, 16974, 390), 0, 2, (0.9321, -0.0514, 1.8782, 0.9687)),
        ("normalized", (36027, 68692, 36433), 0, 2, (0.9837, -0.3362, 2.2910, 0.9286)),
        ("normalized", (1, 60, 500, 1200, 600), 0, 2, (188.3590, 168.4388, 209.4781, 1.0)),
    ],
)
def test_the_estimate_is_that_of_another_tool(model, counts, elo0, elo1, known):
    told = estimate(Sprt(elo0=elo0, elo1=elo1, model=Model(model)), Scores(counts))
    assert told == pytest.approx(known, abs=1e-4)


@pytest.mark.parametrize(("model", "elo1"), [(Model.CUTECHESS, 6), (Model.BAYESIAN, 9.84)])
def test_whatever_the_model_the_estimate_is_the_usual_elo(model, elo1):
    counts = Scores((591, 2163, 716))
    logistic = estimate(Sprt(elo0=0, elo1=6, model=Model.LOGISTIC), counts)
    told = estimate(Sprt(elo0=0, elo1=elo1, model=model), counts)
    assert tuple(told) == pytest.approx(tuple(logistic), rel=2e-3)


def test_without_walls_in_sight_the_estimate_is_the_mean():
    counts = Scores((400, 800, 420))
    told = estimate(Sprt(elo0=-0.1, elo1=0.1, model=Model.LOGISTIC), counts)
    assert told[:3] == pytest.approx((counts.elo, *counts.wald_interval), rel=0.01)
    assert told.superiority == pytest.approx(counts.wald_superiority, rel=0.01)


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 5), (0, 7, 0), (0, 0, 0, 0, 9)])
@pytest.mark.parametrize("model", Model)
def test_results_without_chance_tell_nothing(counts, model):
    assert estimate(Sprt(elo0=0, elo1=5, model=model), Scores(counts)) is None


def test_bounds_may_be_infinite():
    told = estimate(Sprt(elo0=0, elo1=300), Scores((1, 0, 3)))
    assert told.low < told.elo < told.high == inf


def played(test, elo, chance):
    """Return a trial at a true Elo, of games without draws in pairs."""
    trial = test.start(pairs=True)
    share = score_at(elo)
    while trial.decision is Decision.CONTINUE:
        trial = trial.add(int((chance.random(2) < share).sum()))
    return trial


@pytest.mark.slow
@pytest.mark.nightly
def test_estimates_after_stopping_are_too_high_as_often_as_too_low():
    """Small, to be quick; `python -m bench.ratings` is the large one."""
    test, chance, truth = Sprt(elo0=0, elo1=70, alpha=0.1, beta=0.1), np.random.default_rng(5), 35
    trials = [played(test, truth, chance) for _ in range(120)]
    told = [estimate(test, trial.scores) for trial in trials]
    assert np.mean([each.elo > truth for each in told]) == pytest.approx(0.5, abs=0.12)
    assert np.mean([each.low <= truth <= each.high for each in told]) > 0.9
    accepted = [trial.scores.elo for trial in trials if trial.decision is Decision.H1]
    assert np.mean(accepted) > truth + 10  # what the plain mean would say of those that passed


@pytest.mark.parametrize(("truth", "wrong"), [(0, Decision.H1), (70, Decision.H0)])
def test_a_test_is_seldom_wrong(truth, wrong):
    """In a tenth of all cases at most; of sixty, six, give or take three."""
    test, chance = Sprt(elo0=0, elo1=70, alpha=0.1, beta=0.1), np.random.default_rng(6)
    assert sum(played(test, truth, chance).decision is wrong for _ in range(60)) <= 12


def test_the_mean_of_a_test_that_passed_early_is_brought_down():
    counts = Scores((4, 0, 40, 0, 56))
    told = estimate(Sprt(elo0=0, elo1=60), counts)
    assert 0 < told.elo < elo_of(counts.mean)


WALK = Walk(drift=0.02, variance=0.05, lower=-2.9, upper=2.3)


def moved(drift, variance=0.05, lower=-2.9, upper=2.3):
    return Walk(drift=drift, variance=variance, lower=lower, upper=upper)


def by_eigenfunctions(walk, time, height):
    """Return the same probability by another series: vibrations between the walls. For large times."""
    width, start, end = walk.upper - walk.lower, -walk.lower, height - walk.lower
    gamma = walk.drift / walk.variance
    total = 0.0
    for n in range(1, 200):
        k = n * np.pi / width
        decay = exp(-(k * k * walk.variance + walk.drift**2 / walk.variance) / 2 * time)
        primitive = (gamma * np.sin(k * end) - k * np.cos(k * end)) / (gamma**2 + k * k)
        total += 2 / width * decay * np.sin(k * start) * primitive * exp(gamma * (end - start))
    if abs(gamma) < 1e-12:
        return (width - start) / width + total
    return (1 - exp(2 * gamma * (width - start))) / (1 - exp(2 * gamma * width)) + total


@pytest.mark.parametrize("drift", [-0.15, -0.02, 0.0, 0.01, 0.06, 0.2])
@pytest.mark.parametrize("time", [40, 120, 700])
@pytest.mark.parametrize("height", [-2.9, -1.0, 0.0, 1.5, 2.3])
def test_mirrors_and_vibrations_are_two_sides_of_the_same(drift, time, height):
    walk = moved(drift)
    assert walk.no_stronger(time, height) == pytest.approx(by_eigenfunctions(walk, time, height), abs=1e-9)


def test_simulated_walks_end_as_often_where_it_says():
    chance, walks, time = np.random.default_rng(1), 4000, 60
    steps = chance.normal(WALK.drift / 25, sqrt(WALK.variance / 25), (walks, time * 25))
    paths = steps.cumsum(axis=1)
    low, high = paths < WALK.lower, paths > WALK.upper
    first_low = np.where(low.any(axis=1), low.argmax(axis=1), paths.shape[1])
    first_high = np.where(high.any(axis=1), high.argmax(axis=1), paths.shape[1])
    alive = (first_low == first_high) & (paths[:, -1] <= 0.5)
    seen = ((first_low < first_high) | alive).mean()
    assert WALK.no_stronger(time, 0.5) == pytest.approx(seen, abs=0.02)


def test_far_walls_change_nothing():
    walk = moved(0.02, lower=-1000, upper=1000)
    assert walk.no_stronger(100, 1.0) == pytest.approx(cdf((1 - 2) / sqrt(5)))


def test_one_far_wall_leaves_the_first_passage_of_the_other():
    """Inverse Gaussian: the probability that a walk has come down to -1 by time t."""
    walk, time = moved(-0.01, lower=-1, upper=1000), 30
    spread, carried = sqrt(0.05 * time), -0.01 * time
    reached = cdf((-1 - carried) / spread) + exp(2 * -0.01 / 0.05 * -1) * cdf((-1 + carried) / spread)
    assert walk.no_stronger(time, -1) == pytest.approx(reached)


@given(
    st.floats(-3, 3),
    st.floats(1e-4, 10),
    st.floats(0.01, 0.99),
    st.floats(0.1, 1e5),
    st.floats(1e-3, 1),
)
def test_stronger_drifts_have_weaker_outcomes_less_often(drift, more, share, time, variance):
    low, high = moved(drift, variance), moved(drift + more, variance)
    height = low.lower + share * (low.upper - low.lower)
    weak, strong = low.no_stronger(time, height), high.no_stronger(time, height)
    assert 0 <= strong <= weak + 1e-12
    assert weak <= 1


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(1, 1e4))
def test_outcomes_are_ordered_by_height_and_by_when_a_wall_was_hit(drift, share, time):
    walk = moved(drift)
    height = walk.lower + share * (walk.upper - walk.lower)
    order = [
        (time / 2, walk.lower),
        (time, walk.lower),
        (time, height),
        (time, walk.upper),
        (time / 2, walk.upper),
    ]
    chances = [walk.no_stronger(*outcome) for outcome in order]
    assert all(one <= next_ + 1e-12 for one, next_ in pairwise(chances))


@pytest.mark.parametrize(("error", "drift"), [(0.05, 0.1), (0.01, -0.4)])
def test_a_test_between_its_hypotheses_has_the_error_rates_it_was_made_for(error, drift):
    """With the drift of a hypothesis, which is half the variance, Wald's bounds are exact."""
    bound = log((1 - error) / error)
    walk = Walk(drift=drift, variance=2 * abs(drift), lower=-bound, upper=bound)
    assert walk.rises == pytest.approx(1 - error if drift > 0 else error)
    assert walk.duration == pytest.approx(bound * (1 - 2 * error) / abs(drift))


@pytest.mark.parametrize("drift", [-5.0, -0.03, 0.0, 1e-14, 0.03, 5.0, 500.0])
def test_in_the_end_it_hits_one_of_the_walls(drift):
    walk = moved(drift)
    assert walk.no_stronger(1e6, 0) == pytest.approx(1 - walk.rises, abs=1e-9)
    assert walk.duration > 0


def test_without_drift_it_takes_longest_and_the_nearer_wall_is_likelier():
    still = moved(0.0)
    assert still.rises == pytest.approx(2.9 / 5.2)
    assert still.duration == pytest.approx(2.9 * 2.3 / 0.05)
    assert still.duration == pytest.approx(moved(1e-6).duration, rel=1e-3)
    assert still.duration > moved(0.02).duration


def test_roots_are_found_or_the_end_that_is_nearest():
    assert falling_root(lambda x: -(x**3), -2, 5, -8) == pytest.approx(2)
    assert falling_root(lambda x: -x, 0, 1, 5) == 0
    assert falling_root(lambda x: -x, 0, 1, -5) == 1


@given(st.floats(-36, 36))
def test_the_logarithm_of_a_tail_is_that_of_the_tail(z):
    assert log_cdf(z) == pytest.approx(np.log(cdf(z)), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("z", [-6, -3.5, -1, 0, 0.3, 2, 5, 9])
def test_the_middle_is_that_of_the_standard_library(z):
    assert cdf(z) == pytest.approx(NormalDist().cdf(z), rel=1e-9)
    assert NormalDist().inv_cdf(0.975) == pytest.approx(Z_95, rel=1e-15)


def test_the_tail_goes_on_where_floats_end():
    assert cdf(-60) == 0
    assert log_cdf(-60) == pytest.approx(-1805.013560681)
