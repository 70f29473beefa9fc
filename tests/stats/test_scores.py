"""One player's results: against the figures of other tools, and where there is nothing to say."""

from math import inf, isclose, isfinite, sqrt
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.stats.scores import NORMALIZED_ELO, Scores, elo_of, score_at

PENTANOMIAL = (365, 16618, 36229, 16974, 390)
COUNTS = st.one_of(
    st.tuples(*[st.integers(0, 500)] * 3),
    st.tuples(*[st.integers(0, 500)] * 5),
).map(Scores)


@pytest.mark.parametrize(
    ("score", "elo"),
    [
        (0.5, 0),
        (0.75, 190.8485),
        (0.25, -190.8485),
        (0.64, 99.9510),
        (0.9, 381.6970),
        (10 / 11, 400),
        (0, -inf),
        (1, inf),
    ],
)
def test_a_score_is_an_elo_difference(score, elo):
    assert elo_of(score) == pytest.approx(elo, abs=1e-4)


@given(st.floats(-1000, 1000))
def test_an_elo_difference_is_a_score_and_back(elo):
    assert elo_of(score_at(elo)) == pytest.approx(elo, abs=1e-6)


@pytest.mark.parametrize(
    ("counts", "elo", "margin", "normalized", "superiority", "draws"),
    [
        ((5, 5, 10), 88.7395, 143.8749, 104.7558, 0.9112, 0.25),
        ((1, 2, 9, 5, 4), 75.6225, 83.5461, 100.2960, 0.9693, 0.4286),
        (PENTANOMIAL, 0.9993, 0.9231, 1.9623, 0.9831, 0.5133),
    ],
)
def test_results_are_told_as_other_tools_tell_them(counts, elo, margin, normalized, superiority, draws):
    scores = Scores(counts)
    told = (scores.elo, scores.wald_margin, scores.normalized_elo, scores.wald_superiority, scores.draw_ratio)
    assert told == pytest.approx((elo, margin, normalized, superiority, draws), abs=5e-5)


def test_walds_interval_is_around_the_mean_and_the_margin_is_half_of_it():
    scores = Scores((30, 20, 50))
    low, high = scores.wald_interval
    reach = 1.959964 * sqrt(scores.variance / 100)
    assert (score_at(low), score_at(high)) == pytest.approx((0.6 - reach, 0.6 + reach))
    assert scores.wald_margin == pytest.approx((high - low) / 2)


def test_the_interval_in_elo_is_that_of_the_share_and_the_margin_is_half_of_it():
    scores = Scores((3, 2, 5))
    low, high = scores.interval
    assert (score_at(low), score_at(high)) == pytest.approx(scores.share_interval)
    assert scores.margin == pytest.approx((high - low) / 2)


def test_a_pair_is_half_as_noisy_as_two_games_where_openings_decide():
    """The first player of every game wins: the pairs are all level but one."""
    games, pairs = Scores((100, 0, 101)), Scores((0, 0, 99, 0, 1))
    assert games.wald_margin > 7 * pairs.wald_margin
    assert games.margin > 3 * pairs.margin


def test_independent_games_are_as_noisy_in_pairs_as_alone():
    games, pairs = Scores((16, 0, 48)), Scores((4, 0, 24, 0, 36))
    assert pairs.games == 2 * pairs.number
    assert pairs.mean == games.mean
    assert pairs.game_deviation == pytest.approx(games.game_deviation)
    assert pairs.normalized_elo == pytest.approx(games.normalized_elo)
    assert games.normalized_elo == pytest.approx(NORMALIZED_ELO * 0.25 / sqrt(3 / 16))


def test_pairs_won_are_compared_with_pairs_lost():
    assert Scores((1, 3, 7, 5, 3)).pairs_ratio == 2
    assert Scores((0, 0, 7, 5, 3)).pairs_ratio is None
    assert Scores((1, 3, 7)).pairs_ratio is None


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 0, 0, 0)])
def test_without_results_there_is_nothing_to_say(counts):
    scores = Scores(counts)
    assert scores == Scores.none(pairs=len(counts) == 5)
    assert scores.number == 0
    told = (
        scores.mean,
        scores.variance,
        scores.elo,
        scores.margin,
        scores.superiority,
        scores.share_interval,
    )
    told += (scores.normalized_elo, scores.draw_ratio, scores.interval, scores.game_deviation)
    told += (scores.normalized_margin, scores.wald_interval, scores.wald_margin, scores.wald_superiority)
    assert set(told) == {None}


@pytest.mark.parametrize(
    ("counts", "elo", "share", "superiority"),
    [
        ((0, 0, 10), inf, (0.722467, 1), 0.999217),
        ((10, 0, 0), -inf, (0, 0.277533), 0.000783),
        ((0, 0, 0, 0, 10), inf, (0.722467, 1), 0.999217),
        ((0, 10, 0), 0, (0.361234, 0.638766), 0.5),
    ],
)
def test_results_that_are_all_the_same_have_an_interval_but_no_spread(counts, elo, share, superiority):
    """Wilson's bound of ten of ten is 10 / (10 + 1.96^2); a draw is worth half of a win."""
    scores = Scores(counts)
    assert scores.elo == elo
    assert scores.share_interval == pytest.approx(share, abs=1e-6)
    assert scores.superiority == pytest.approx(superiority, abs=1e-6)
    assert {scores.wald_interval, scores.wald_superiority, scores.normalized_elo} == {None}


def test_walds_interval_may_reach_past_all_points_the_other_does_not():
    scores = Scores((1, 0, 3))
    assert scores.wald_interval[1] == scores.wald_margin == inf
    assert scores.interval[1] == pytest.approx(528.36, abs=0.01)


@pytest.mark.parametrize(
    ("counts", "method"),
    [((1, 0, 3), "Wilson"), ((1, 1, 3), "trinomial"), ((0, 0, 2, 0, 1), "pentanomial")],
)
def test_the_method_has_a_name(counts, method):
    assert Scores(counts).method == f"{method} score method"


@pytest.mark.parametrize("counts", [(4, 0, 9), (9, 20, 4), (0, 3, 8), (5, 5, 10)])
def test_the_superiority_of_games_is_the_usual_one(counts):
    lost, _, won = counts
    assert Scores(counts).superiority == pytest.approx(NormalDist().cdf((won - lost) / sqrt(won + lost)))


@given(COUNTS)
def test_the_better_one_is_sure_to_be_if_the_interval_leaves_equality_out(scores):
    if scores.number:
        low, high = scores.share_interval
        assert low <= scores.mean + 1e-12
        assert scores.mean - 1e-12 <= high
        if abs(low - 0.5) > 1e-6:
            assert (low > 0.5) == (scores.superiority > 0.975)


@given(COUNTS)
def test_nothing_is_ever_not_a_number(scores):
    told = (scores.elo, scores.margin, scores.normalized_elo, scores.superiority, scores.draw_ratio)
    told += (scores.normalized_margin, scores.wald_margin, scores.wald_superiority)
    assert all(value is None or value == value for value in told)  # noqa: PLR0124 - what NaN is not
    assert scores.superiority is None or 0 <= scores.superiority <= 1


@given(COUNTS)
def test_seen_from_the_other_side_the_signs_change(scores):
    mirrored = Scores(scores.counts[::-1])
    if scores.elo is not None and isfinite(scores.elo):
        assert isclose(mirrored.elo, -scores.elo, abs_tol=1e-6)
        assert mirrored.variance == pytest.approx(scores.variance)
    if scores.superiority is not None:
        assert mirrored.superiority == pytest.approx(1 - scores.superiority)


@pytest.mark.parametrize(
    ("pairs", "points", "counts"),
    [
        (False, 0, (1, 0, 0)),
        (False, 0.5, (0, 1, 0)),
        (False, 1, (0, 0, 1)),
        (True, 1.5, (0, 0, 0, 1, 0)),
        (True, 2, (0, 0, 0, 0, 1)),
    ],
)
def test_points_are_counted(pairs, points, counts):
    assert Scores.none(pairs=pairs).plus(points) == Scores(counts)


@pytest.mark.parametrize(("pairs", "points"), [(False, 1.5), (False, -0.5), (True, 0.25), (True, 2.5)])
def test_points_that_nobody_can_have_are_refused(pairs, points):
    with pytest.raises(ValueError, match="in halves, got"):
        Scores.none(pairs=pairs).plus(points)


@pytest.mark.parametrize("counts", [(1, 2), (1, 2, 3, 4), (1, -2, 3), ()])
def test_counts_that_are_none_are_refused(counts):
    with pytest.raises(ValueError, match=r"expected .* got"):
        Scores(counts)
