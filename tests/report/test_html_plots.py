"""Scales, ticks, and lines of many points drawn as few."""

from hypothesis import given
from hypothesis import strategies as st

from gyoji.report.html.plots import Scale, thinned

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


@given(NUMBERS, NUMBERS)
def test_ticks_are_round_few_and_in_the_scale(one, two):
    scale = Scale(min(one, two), max(one, two))
    ticks = scale.ticks()
    if scale.high - scale.low < 1e-6:
        return
    assert len(ticks) <= 7
    width = scale.high - scale.low
    assert all(scale.low - width / 1e6 - 1e-9 <= tick <= scale.high + width / 1e6 + 1e-9 for tick in ticks)


def test_a_scale_of_one_number_has_room_around_it():
    assert Scale(5, 5).percent(5) == 50


def test_bars_end_at_the_ends_of_the_scale():
    scale = Scale(-10, 10)
    assert (scale.percent(scale.bounded(-500)), scale.percent(scale.bounded(500))) == (0, 100)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=300))
def test_thinned_lines_keep_their_ends_extremes_and_order(heights):
    points = list(enumerate(heights))
    kept = thinned(points, most=20)
    assert kept == sorted(set(kept))
    assert {points[0], points[-1]} <= set(kept)
    assert {min(heights), max(heights)} <= {y for _, y in kept}
    assert len(kept) <= max(20, 0) + 2
