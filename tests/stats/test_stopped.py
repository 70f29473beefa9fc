"""Estimates after a test that stopped by itself: against another tool's figures, and against simulation."""

from math import inf

import numpy as np
import pytest

from gyoji.stats.scores import Scores, elo_of, score_at
from gyoji.stats.sprt import Decision, Model, Sprt
from gyoji.stats.stopped import estimate, prospect


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


def test_bayeselo_is_estimated_as_the_usual_elo():
    counts = Scores((591, 2163, 716))
    logistic, bayeselo = (
        estimate(Sprt(elo0=0, elo1=6, model=model), counts) for model in (Model.LOGISTIC, Model.BAYESELO)
    )
    assert bayeselo == pytest.approx(logistic, rel=1e-3)


def test_without_walls_in_sight_the_estimate_is_the_mean():
    counts = Scores((400, 800, 420))
    told = estimate(Sprt(elo0=-0.1, elo1=0.1, model=Model.LOGISTIC), counts)
    assert told[:3] == pytest.approx((counts.elo, *counts.interval), rel=0.01)
    assert told.superiority == pytest.approx(counts.superiority, rel=0.01)


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 5), (0, 7, 0), (0, 0, 0, 0, 9)])
@pytest.mark.parametrize("model", Model)
def test_results_without_chance_tell_nothing(counts, model):
    assert estimate(Sprt(elo0=0, elo1=5, model=model), Scores(counts)) is None


def test_bounds_may_be_infinite():
    told = estimate(Sprt(elo0=0, elo1=300), Scores((1, 0, 3)))
    assert told.low < told.elo < told.high == inf


def played(test, elo, chance):
    """A trial at a true Elo, of games without draws in pairs."""
    trial = test.start(pairs=True)
    share = score_at(elo)
    while trial.decision is Decision.CONTINUE:
        trial = trial.add(int((chance.random(2) < share).sum()))
    return trial


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


@pytest.mark.parametrize("model", Model)
def test_at_its_hypotheses_a_test_errs_as_often_as_it_may(model):
    test = Sprt(elo0=0, elo1=5, alpha=0.02, beta=0.1, model=model)
    counts = Scores((300, 900, 310))
    assert prospect(test, counts, 0).accepts_h1 == pytest.approx(0.02, abs=1e-3)
    assert prospect(test, counts, 5).accepts_h1 == pytest.approx(0.9, abs=1e-3)
    assert prospect(test, counts, 2.5).games > prospect(test, counts, 5).games


def test_normalized_elo_needs_as_many_games_whatever_the_draws():
    test = Sprt(elo0=0, elo1=5)
    games = [prospect(test, Scores(counts), 5).games for counts in [(0, 0, 0), (9, 1, 9), (9, 500, 9)]]
    assert games == pytest.approx([games[0]] * 3)
    pairs = prospect(test, Scores.none(pairs=True), 5).games
    assert pairs == pytest.approx(games[0])
    assert pairs == pytest.approx(2 * 2.9444 * 0.9 / (5 / 347.4356) ** 2, rel=1e-4)


def test_logistic_elo_needs_fewer_games_the_more_are_drawn():
    test = Sprt(elo0=0, elo1=5, model=Model.LOGISTIC)
    none, many = (prospect(test, Scores(counts), 5).games for counts in [(0, 0, 0), (9, 500, 9)])
    assert many < none / 10


def test_the_mean_of_a_test_that_passed_early_is_brought_down():
    counts = Scores((4, 0, 40, 0, 56))
    told = estimate(Sprt(elo0=0, elo1=60), counts)
    assert 0 < told.elo < elo_of(counts.mean)
