"""The sequential test as a value that results are folded into."""

from functools import reduce
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.stats.scores import Scores
from gyoji.stats.sprt import Decision, Model, Sprt

TEST = Sprt(elo0=0, elo1=60)


def folded(test, results, *, pairs):
    return reduce(lambda trial, points: trial.add(points), results, test.start(pairs=pairs))


def test_the_bounds_are_walds():
    assert (TEST.lower, TEST.upper) == pytest.approx((-2.9444, 2.9444), abs=5e-5)
    skewed = Sprt(elo0=0, elo1=5, alpha=0.01, beta=0.1)
    assert (skewed.lower, skewed.upper) == pytest.approx((log(0.1 / 0.99), log(0.9 / 0.01)))


@pytest.mark.parametrize(
    ("model", "counts", "llr", "decision"),
    [
        (Model.NORMALIZED, (127, 4883, 10712, 5150, 104), 3.0102, Decision.H1),
        (Model.NORMALIZED, (10650, 20431, 10871), 2.2975, Decision.CONTINUE),
    ],
)
def test_a_test_knows_what_counts_say(model, counts, llr, decision):
    test = Sprt(elo0=-1.75, elo1=0.25, model=model)
    assert test.llr(Scores(counts)) == pytest.approx(llr, abs=5e-5)
    assert test.decision(test.llr(Scores(counts))) is decision


@pytest.mark.parametrize("model", Model)
def test_nothing_is_decided_before_the_first_result(model):
    trial = Sprt(elo0=0, elo1=5, model=model).start(pairs=False)
    assert (trial.llr, trial.decision, trial.scores.number) == (0, Decision.CONTINUE, 0)


@pytest.mark.parametrize("model", Model)
def test_winning_accepts_h1_losing_h0(model):
    test = Sprt(elo0=0, elo1=100, model=model)
    assert folded(test, [1] * 100, pairs=False).decision is Decision.H1
    assert folded(test, [0] * 100, pairs=False).decision is Decision.H0


def test_what_comes_after_the_decision_changes_nothing():
    decided = folded(TEST, [2] * 100, pairs=True)
    assert decided.scores.number < 100
    assert decided.add(0) is decided


def test_a_trial_is_a_value():
    trial = folded(TEST, [1, 2, 0], pairs=True)
    assert trial.add(1) == trial.add(1)
    assert trial.scores == Scores((1, 0, 1, 0, 1))


@given(st.lists(st.sampled_from([0, 0.5, 1, 1.5, 2]), max_size=40))
def test_the_ratio_of_a_trial_is_that_of_its_counts(results):
    trial = folded(TEST, results, pairs=True)
    assert trial.llr == TEST.llr(trial.scores)
    assert trial.decision is TEST.decision(trial.llr)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"elo0": 5, "elo1": 5}, "expected -400 <= elo0 < elo1 <= 400, got 5 and 5"),
        ({"elo0": 5, "elo1": 0}, "elo0 < elo1"),
        ({"elo0": 0, "elo1": 401}, "got 0 and 401"),
        ({"elo0": float("nan"), "elo1": 5}, "got nan and 5"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "alpha: expected a number between 0 and 0.5, got 0"),
        ({"elo0": 0, "elo1": 5, "beta": 0.5}, "beta: expected a number between 0 and 0.5, got 0.5"),
    ],
)
def test_what_is_no_test_is_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        Sprt(**settings)
