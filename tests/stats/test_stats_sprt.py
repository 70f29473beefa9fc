"""Sequential tests of two hypotheses, and the likelihood ratio that decides them."""

from functools import reduce
from math import isfinite, log, log10, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.stats.scores import NORMALIZED_ELO, Scores, score_at
from gyoji.stats.sprt import Decision, Model, Sprt, mean_at

TEST = Sprt(elo0=0, elo1=60)
NORMALIZED, LOGISTIC, BAYESIAN, CUTECHESS = Model
SINGLE = (BAYESIAN, CUTECHESS)


def llr(model, counts, elo0, elo1):
    return Sprt(elo0=elo0, elo1=elo1, model=model).llr(Scores(counts))


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


KNOWN = [
    (NORMALIZED, (36027, 68692, 36433), 0, 2, 0.9233),
    (NORMALIZED, (10650, 20431, 10871), -1.75, 0.25, 2.2975),
    (NORMALIZED, (0, 0, 4250), 0, 10, 120.5483),
    (LOGISTIC, (21184, 40708, 21404), 0.5, 2.5, -1.5719),
    (LOGISTIC, (57030, 106593, 57433), 0, 2, -2.5930),
    (NORMALIZED, (365, 16618, 36229, 16974, 390), 0, 2, 2.2504),
    (NORMALIZED, (127, 4883, 10712, 5150, 104), -1.75, 0.25, 3.0102),
    (NORMALIZED, (0, 0, 0, 0, 5550), 0, 5, 111.7976),
    (LOGISTIC, (223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.0741),
    (LOGISTIC, (871, 26175, 55983, 26678, 821), 0, 2, -4.9787),
    (LOGISTIC, (39, 2226, 31451, 2412, 40), 0.2, 0.9, 2.1625),
    (LOGISTIC, (591, 2163, 716), 0, 6, 4.3618),
]
ALL = (NORMALIZED, LOGISTIC)
COUNTS = st.one_of(
    st.tuples(*[st.integers(0, 300)] * 3),
    st.tuples(*[st.integers(0, 300)] * 5),
).filter(any)


@pytest.mark.parametrize(("model", "counts", "elo0", "elo1", "known"), KNOWN)
def test_the_ratio_is_that_of_other_tools(model, counts, elo0, elo1, known):
    assert llr(model, counts, elo0, elo1) == pytest.approx(known, abs=5e-5)


@pytest.mark.parametrize(("model", "counts", "elo0", "elo1", "known"), KNOWN)
def test_the_closed_forms_agree_to_three_digits(model, counts, elo0, elo1, known):
    """Written down here anew; they are for results that are not one-sided."""
    scores = Scores(counts)
    if model is NORMALIZED:
        if not scores.normalized_elo:
            return
        seen = scores.normalized_elo / NORMALIZED_ELO
        apart = [1 + (seen - elo / NORMALIZED_ELO) ** 2 for elo in (elo0, elo1)]
        closed = scores.games / 2 * log(apart[0] / apart[1])
    else:
        pairs = list(zip(scores.counts, scores.steps, strict=True))
        apart = [sum(n * (a - score_at(elo)) ** 2 for n, a in pairs) for elo in (elo0, elo1)]
        closed = scores.number / 2 * log(apart[0] / apart[1])
    assert closed == pytest.approx(known, rel=2e-3)


def best_fit(counts, mean):
    """Return the likelihood of the likeliest (lost, drawn, won) with that mean, found by trying shares."""
    best = -float("inf")
    for step in range(1, 20_000):
        drawn = step / 20_000
        won = mean - drawn / 2
        lost = 1 - won - drawn
        if won > 0 and lost > 0:
            fits = zip(counts, (lost, drawn, won), strict=True)
            best = max(best, sum(n * log(p) for n, p in fits))
    return best


@pytest.mark.parametrize("counts", [(20, 35, 45), (45, 35, 20), (3, 1, 90)])
def test_the_logistic_ratio_compares_the_best_fits(counts):
    fits = [best_fit(counts, score_at(elo)) for elo in (-20, 60)]
    assert llr(LOGISTIC, counts, -20, 60) == pytest.approx(fits[1] - fits[0], abs=1e-4)


def best_normalized_fit(counts, signal):
    """Return the likeliest (lost, drawn, won) whose mean is `signal` deviations above ½."""
    best = -float("inf")
    for step in range(1, 20_000):
        drawn = step / 20_000
        # with e = won - lost the mean is (1 + e) / 2, the variance (1 - drawn - e^2) / 4
        lead = signal * sqrt((1 - drawn) / (1 + signal**2))
        won, lost = (1 - drawn + lead) / 2, (1 - drawn - lead) / 2
        if won > 0 and lost > 0:
            fits = zip(counts, (lost, drawn, won), strict=True)
            best = max(best, sum(n * log(p) for n, p in fits))
    return best


@pytest.mark.parametrize("counts", [(20, 35, 45), (45, 35, 20), (10, 30, 60)])
def test_the_normalized_ratio_compares_the_best_fits(counts):
    fits = [best_normalized_fit(counts, elo / NORMALIZED_ELO) for elo in (-20, 60)]
    assert llr(NORMALIZED, counts, -20, 60) == pytest.approx(fits[1] - fits[0], abs=1e-4)


@given(COUNTS, st.sampled_from(Model), st.floats(-100, 95), st.floats(1, 50))
def test_the_ratio_is_finite_and_turns_with_the_table(counts, model, elo0, apart):
    if model.has_pairs or len(counts) == 3:
        there = llr(model, counts, elo0, elo0 + apart)
        back = Sprt(elo0=-elo0 - apart, elo1=-elo0, model=model).llr(Scores(counts[::-1]))
        assert isfinite(there)
        assert back == pytest.approx(-there, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("model", ALL)
@pytest.mark.parametrize(
    "counts",
    [(1, 10**6, 0), (0, 10**6, 0), (0, 1, 0), (0, 0, 10**6, 0, 0), (0, 0, 0, 10**6, 0), (0, 0, 1, 0, 0)],
)
@pytest.mark.parametrize("bounds", [(0, 0.5), (0, 50), (-400, 400)])
def test_results_that_are_nearly_all_the_same_have_a_ratio(model, counts, bounds):
    assert isfinite(llr(model, counts, *bounds))


def bayeselo(counts):
    """BayesElo's Elo of draws of a table, and ln of the odds of (lost, drawn, won) at an Elo of its own."""
    number = sum(counts)
    p_lost, p_won = counts[0] / number, counts[2] / number
    draw_elo = 200 * log10((1 - p_lost) / p_lost * (1 - p_won) / p_won)

    def odds(elo):
        win = 1 / (1 + 10 ** ((draw_elo - elo) / 400))
        loss = 1 / (1 + 10 ** ((draw_elo + elo) / 400))
        return loss, 1 - win - loss, win

    return draw_elo, odds


def test_cutechess_compares_the_likelihoods_of_bayeselos_odds_at_a_stretched_elo():
    """With half a game more of each; the slope at equality is then that of the usual scale."""
    counts = (591.5, 2163.5, 716.5)
    draw_elo, odds = bayeselo(counts)
    scale = 4 * 10 ** (-draw_elo / 400) / (1 + 10 ** (-draw_elo / 400)) ** 2
    known = sum(n * log(b / a) for n, a, b in zip(counts, odds(0), odds(6 / scale), strict=True))
    assert llr(CUTECHESS, (591, 2163, 716), 0, 6) == pytest.approx(known, rel=1e-12)


def test_bayesian_is_logistic_of_the_scores_that_bayeselo_expects():
    counts = (591, 2163, 716)
    _, odds = bayeselo(counts)
    elos = [400 * log10((1 + won - lost) / (1 - won + lost)) for lost, _, won in (odds(0), odds(6))]
    assert llr(BAYESIAN, counts, 0, 6) == pytest.approx(llr(LOGISTIC, counts, *elos), rel=1e-9)


def test_the_two_units_differ_by_the_slope_of_bayeselos_scale():
    """With 62 % of draws an Elo on the usual scale is 1.64 of BayesElo's."""
    counts = (591, 2163, 716)
    draw_elo, _ = bayeselo(counts)
    scale = 4 * 10 ** (-draw_elo / 400) / (1 + 10 ** (-draw_elo / 400)) ** 2
    assert 1 / scale == pytest.approx(1.64, abs=0.005)
    assert llr(BAYESIAN, counts, 0, 6 / scale) == pytest.approx(llr(CUTECHESS, counts, 0, 6), rel=0.01)
    assert mean_at(BAYESIAN, Scores(counts), 6 / scale) == pytest.approx(
        mean_at(CUTECHESS, Scores(counts), 6), abs=1e-5
    )
    assert [model.unit for model in Model] == ["nElo", "Elo", "BayesElo", "Elo"]


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 7), (0, 5, 5), (30, 0, 40), (30, 200, 40)])
@pytest.mark.parametrize("model", Model)
def test_a_hypothesis_is_a_distribution(model, counts):
    if model.has_pairs and not any(counts):
        return
    fit = Sprt(elo0=0, elo1=30, model=model).fit(Scores(counts), 30)
    assert sum(fit) == pytest.approx(1, abs=1e-3)
    assert min(fit) > 0
    assert fit[2] > fit[0]


@pytest.mark.parametrize("model", SINGLE)
def test_some_models_are_of_single_games(model):
    assert not model.has_pairs
    with pytest.raises(ValueError, match="single games"):
        llr(model, (1, 2, 3, 4, 5), 0, 5)
