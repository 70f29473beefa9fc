"""How long a test takes: against simulations, and against what theory says of large ones."""

from math import isfinite
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.stats.scores import NORMALIZED_ELO, Scores
from gyoji.stats.sprt import Model, Sprt
from gyoji.stats.sprt_duration import overshoots, prospect

GAMES, PAIRS, FEW_DRAWS = (200, 600, 200), (50, 200, 500, 200, 50), (350, 300, 350)
NO_DRAWS = (500, 0, 500)
SIMULATED = [
    # Mean games with the first hypothesis true, half way, and with the second true, and the share that
    # accepted H1: of 6,000 to 12,000 tests each, by a simulator written apart.
    # `python -m bench.ratings --only lengths` plays some of them anew.
    (Model.NORMALIZED, GAMES, 0, 60, (185.1, 314.4, 189.1), (0.0481, 0.5012, 0.9526)),
    (Model.NORMALIZED, PAIRS, 0, 60, (188.8, 316.7, 192.8), (0.0491, 0.5043, 0.9553)),
    (Model.NORMALIZED, NO_DRAWS, 0, 60, (185.5, 311.0, 188.5), (0.0488, 0.5058, 0.9543)),
    (Model.NORMALIZED, FEW_DRAWS, -10, 20, (726.8, 1218.0, 727.7), (0.0477, 0.5042, 0.9518)),
    (Model.LOGISTIC, GAMES, 0, 40, (166.9, 281.1, 174.2), (0.0488, 0.5004, 0.9520)),
    (Model.LOGISTIC, PAIRS, 0, 20, (657.4, 1100.1, 671.8), (0.0522, 0.5013, 0.9500)),
    (Model.BAYESIAN, FEW_DRAWS, 0, 40, (349.0, 587.2, 354.0), (0.0485, 0.5034, 0.9567)),
    (Model.BAYESIAN, GAMES, 0, 30, (719.0, 1205.2, 722.9), (0.0457, 0.4998, 0.9524)),
    (Model.CUTECHESS, GAMES, 0, 40, (157.3, 264.5, 159.6), (0.0559, 0.4971, 0.9406)),
    (Model.CUTECHESS, FEW_DRAWS, 0, 40, (285.1, 478.6, 286.6), (0.0480, 0.4991, 0.9518)),
]


@pytest.mark.parametrize(("model", "counts", "elo0", "elo1", "games", "accepted"), SIMULATED)
def test_the_expected_length_is_the_simulated_one(model, counts, elo0, elo1, games, accepted):
    test = Sprt(elo0=elo0, elo1=elo1, model=model)
    told = [prospect(test, Scores(counts), elo) for elo in (elo0, (elo0 + elo1) / 2, elo1)]
    assert [each.games for each in told] == pytest.approx(games, rel=0.03)
    assert [each.accepts_h1 for each in told] == pytest.approx(accepted, abs=0.01)


@pytest.mark.parametrize("model", Model)
def test_at_its_hypotheses_a_long_test_errs_as_often_as_it_may(model):
    """Nearly: the bounds are jumped over, so it errs a little less often."""
    test = Sprt(elo0=0, elo1=5, alpha=0.02, beta=0.1, model=model)
    counts = Scores((300, 900, 310))
    told = {elo: prospect(test, counts, elo) for elo in (0, 2.5, 5)}
    assert told[0].accepts_h1 == pytest.approx(0.02, abs=1e-3)
    assert told[5].accepts_h1 == pytest.approx(0.9, abs=3e-3)
    assert told[2.5].games > told[5].games > told[0].games


def test_a_long_test_takes_as_long_as_walds_equation_says():
    test = Sprt(elo0=0, elo1=0.5)
    known = 2 * test.upper * 0.9 / (0.5 / NORMALIZED_ELO) ** 2
    assert prospect(test, Scores(GAMES), 0).games == pytest.approx(known, rel=2e-3)
    assert prospect(test, Scores(PAIRS), 0.5).games == pytest.approx(known, rel=2e-3)
    assert prospect(test, Scores(PAIRS), 0.25).games == pytest.approx(
        (test.upper * NORMALIZED_ELO / 0.5) ** 2, rel=2e-3
    )


def test_normalized_elo_needs_about_as_many_games_whatever_the_draws():
    test = Sprt(elo0=0, elo1=5)
    games = [prospect(test, Scores(counts), 5).games for counts in [(0, 0, 0), (9, 1, 9), (9, 500, 9)]]
    assert games == pytest.approx([games[0]] * 3, rel=0.03)
    assert prospect(test, Scores.none(pairs=True), 5).games == pytest.approx(games[0], rel=0.01)


def test_logistic_elo_needs_fewer_games_the_more_are_drawn():
    test = Sprt(elo0=0, elo1=5, model=Model.LOGISTIC)
    none, many = (prospect(test, Scores(counts), 5).games for counts in [(0, 0, 0), (9, 500, 9)])
    assert many < none / 10


@given(
    st.one_of(st.tuples(*[st.integers(0, 30)] * 3), st.tuples(*[st.integers(0, 30)] * 5)),
    st.sampled_from([Model.NORMALIZED, Model.LOGISTIC, Model.BAYESIAN]),
    st.sampled_from([(0, 0.5), (0, 5), (-3, 1), (0, 100), (-400, 400), (300, 310)]),
)
def test_whatever_was_played_there_is_a_prospect(counts, model, elos):
    if model.has_pairs or len(counts) == 3:
        test = Sprt(elo0=elos[0], elo1=elos[1], model=model)
        told = [prospect(test, Scores(counts), elo) for elo in elos]
        assert all(isfinite(each.games) and each.games >= 0 and 0 <= each.accepts_h1 <= 1 for each in told)


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 3), (0, 9, 0), (1, 0, 0), (3, 200, 1)])
@pytest.mark.parametrize("elos", [(0, 0.5), (-400, 400)])
def test_a_test_as_cutechess_has_it_has_a_prospect_too(counts, elos):
    test = Sprt(elo0=elos[0], elo1=elos[1], model=Model.CUTECHESS)
    told = [prospect(test, Scores(counts), elo) for elo in elos]
    assert all(isfinite(each.games) and each.games > 0 and 0 <= each.accepts_h1 <= 1 for each in told)


def normal(number):
    """Return a normal step, cut into equally likely ones."""
    return [1 / number] * number, [NormalDist().inv_cdf((each + 0.5) / number) for each in range(number)]


@pytest.mark.parametrize(
    ("shares", "steps", "known"),
    [
        ((0.5, 0.5), (-1, 1), (0.5, 0.5)),
        ((0.2, 0.6, 0.2), (-1, 0, 1), (0.5, 0.5)),
        (*normal(400), (0.583, 0.583)),
        # Pairs: a ladder height is one step with probability a, else two, where p2 a^2 + p1 a = p1
        ((0.05, 0.2, 0.5, 0.2, 0.05), (-2, -1, 0, 1, 2), (0.6464, 0.6464)),
    ],
)
def test_a_walk_jumps_over_a_bound_by_what_is_known_of_it(shares, steps, known):
    assert overshoots(shares, steps) == pytest.approx(known, abs=0.01)


def test_the_overshoot_of_a_skewed_walk_is_the_simulated_one():
    """Half of the mean square over the mean of its first height above 0, and below."""
    shares, steps = np.array([0.3, 0.5, 0.2]), np.array([-0.7, -0.1, 1.3])
    chance, told = np.random.default_rng(3), []
    assert shares @ steps == pytest.approx(0)
    for side in (-1, 1):
        walks = np.zeros(20_000)
        going = np.arange(20_000)
        for _ in range(1500):
            walks[going] += side * chance.choice(steps, len(going), p=shares)
            going = going[walks[going] <= 1e-9]
        heights = walks[walks > 0]
        told.append((heights**2).mean() / 2 / heights.mean())
    assert overshoots(tuple(shares), tuple(steps)) == pytest.approx(told, rel=0.03)
