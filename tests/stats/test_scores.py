"""One player's results: against the figures of other tools, and where there is nothing to say."""

from math import inf, isclose, isfinite, sqrt

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
def test_results_are_told_to_four_digits(counts, elo, margin, normalized, superiority, draws):
    scores = Scores(counts)
    told = (scores.elo, scores.margin, scores.normalized_elo, scores.superiority, scores.draw_ratio)
    assert told == pytest.approx((elo, margin, normalized, superiority, draws), abs=5e-5)


def test_the_interval_is_around_the_mean_and_the_margin_is_half_of_it():
    scores = Scores((30, 20, 50))
    low, high = scores.interval
    reach = 1.959964 * sqrt(scores.variance / 100)
    assert (score_at(low), score_at(high)) == pytest.approx((0.6 - reach, 0.6 + reach))
    assert scores.margin == pytest.approx((high - low) / 2)


def test_a_pair_is_half_as_noisy_as_two_games_where_openings_decide():
    """The first player of every game wins: the pairs are all level but one."""
    games, pairs = Scores((100, 0, 101)), Scores((0, 0, 99, 0, 1))
    assert games.margin > 7 * pairs.margin


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
    assert {scores.mean, scores.variance, scores.elo, scores.margin, scores.superiority} == {None}
    assert {scores.normalized_elo, scores.draw_ratio, scores.interval, scores.game_deviation} == {None}


@pytest.mark.parametrize(
    ("counts", "elo"), [((0, 0, 9), inf), ((9, 0, 0), -inf), ((0, 9, 0), 0), ((0, 0, 0, 0, 9), inf)]
)
def test_results_that_are_all_the_same_tell_no_chance(counts, elo):
    scores = Scores(counts)
    assert scores.elo == elo
    assert {scores.margin, scores.interval, scores.superiority, scores.normalized_elo} == {None}


def test_an_interval_that_reaches_past_all_points_has_no_end():
    assert Scores((1, 0, 3)).interval[1] == inf
    assert Scores((1, 0, 3)).margin == inf


@given(COUNTS)
def test_nothing_is_ever_not_a_number(scores):
    told = (scores.elo, scores.margin, scores.normalized_elo, scores.superiority, scores.draw_ratio)
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
