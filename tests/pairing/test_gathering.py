"""What players gathered: means by side, matches of two games, the time of each engine of a team."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pairing_games import UNKNOWN, WON, game

from gyoji.core.record import EngineReport
from gyoji.pairing.gathering import Gathering, Sample, Thinking


def gathered(*games):
    """What players gathered in games, each given as (number, first, second, totals)."""
    gathering = Gathering()
    for number, first, second, totals in games:
        outcome = replace(WON, totals=totals)
        gathering.add(game((first, second, first, second), outcome, name=f"x_{number}"))
    return dict(gathering.players())


def test_what_was_gathered_is_counted_by_side():
    found = gathered((0, "a", "b", (10, 2)), (1, "b", "a", (4, 6)), (2, "a", "b", (20, 0)))
    assert list(found) == ["a", "b"]
    assert found["a"].sides == [Sample(2, 30, 500), Sample(1, 6, 36)]
    assert found["a"].total == Sample(3, 36, 536)
    assert found["b"].sides == [Sample(1, 4, 16), Sample(2, 2, 4)]
    assert (found["a"].total.mean, found["b"].total.mean) == (12, 2)


@pytest.mark.parametrize(
    ("games", "matches"),
    [
        ([(0, "a", "b", (10, 2)), (1, "b", "a", (4, 6))], [1, 0, 0]),
        ([(0, "a", "b", (10, 2)), (1, "b", "a", (8, 0))], [0, 1, 0]),
        ([(1, "b", "a", (20, 0)), (0, "a", "b", (10, 2))], [0, 0, 1]),
        ([(0, "a", "b", (10, 2))], [0, 0, 0]),
        ([(1, "a", "b", (10, 2)), (2, "b", "a", (4, 6))], [0, 0, 0]),
        ([(0, "a", "b", (10, 2)), (1, "a", "b", (4, 6))], [0, 0, 0]),
    ],
    ids=["won", "level", "lost, in any order", "one game", "of two matches", "without a change of sides"],
)
def test_two_games_with_both_sides_are_a_match(games, matches):
    found = gathered(*games)
    assert found["a"].matches == matches
    assert found["b"].matches == matches[::-1]


def test_games_whose_totals_nobody_knows_do_not_count():
    gathering = Gathering()
    for outcome in (WON, UNKNOWN):
        gathering.add(game("ab", outcome))
    assert not list(gathering.players())


def test_the_time_of_each_engine_of_a_team_is_counted():
    gathering = Gathering()
    for number in range(2):
        result = game("abab", replace(WON, totals=(1, 0)), name=f"x_{number}")
        engines = [EngineReport(think_ns=10 * seat, slowest_ns=seat + number) for seat in range(4)]
        gathering.add(replace(result, engines=tuple(engines)))
    found = dict(gathering.players())
    assert found["a"].thinking == [Thinking(2, 0, 1), Thinking(2, 40, 3)]
    assert found["b"].thinking == [Thinking(2, 20, 2), Thinking(2, 60, 4)]


def test_a_mean_of_few_games_is_not_given_an_error():
    assert (Sample().mean, Sample().error) == (None, None)
    assert (Sample().after(3).mean, Sample().after(3).error) == (3, None)
    assert Sample().after(3).after(3).error == 0


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30), st.data())
def test_samples_can_be_joined_in_any_cut(numbers, data):
    cut = data.draw(st.integers(0, len(numbers)))
    whole, head, tail = Sample(), Sample(), Sample()
    for place, number in enumerate(numbers):
        whole = whole.after(number)
        if place < cut:
            head = head.after(number)
        else:
            tail = tail.after(number)
    assert head.joined(tail) == pytest.approx(whole)
    mean = sum(numbers) / len(numbers)
    spread = sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1)
    assert whole.error**2 * len(numbers) == pytest.approx(spread, abs=1e-3)
