"""The search of the automatic tuner: features, what is believed after games, and which games it asks for."""

from math import exp

import numpy as np
import pytest

from gyoji.tuning.belief import Games, believed
from gyoji.tuning.features import Features, Region, Space, halton
from gyoji.tuning.search import Search, Trial, telling
from gyoji.tuning.series import uniform

QUADRATIC = frozenset({"line", "parabola", "product"})
JOINT = QUADRATIC | {"smooth", "steep", "wide", "near", "value", "pair"}


def chance(odds):
    return 1 / (1 + exp(-odds))


def hill(point):
    return -9 * sum((x - best) ** 2 for x, best in zip(point, (0.3, 0.7, 0.4), strict=False))


def searched(strength, games, *, sizes=(0, 0), seed=1, against=False, **more):
    """Return a search after so many games between candidates, or against an opponent of strength -0.5."""
    search = Search(sizes, against=against, seed=seed, **more)
    for number in range(games):
        trial = search.trial(number)
        other = -0.5 if trial.second is None else strength(trial.second)
        won = uniform("game", seed, number) < chance(strength(trial.first) - other)
        search.add(trial, float(won))
    return search


def believed_after(features, first, second, strength, games=40):
    """Return what is believed when so many games of each pair ended as often as they should."""
    odds = np.array([strength(x) - strength(y) for x, y in zip(first, second, strict=True)])
    played = np.full(len(odds), float(games))
    rows = features(first) - features(second)
    return believed(features, Games(rows, played / (1 + np.exp(-odds)), played), np.zeros(len(odds)), {})


def test_points_of_halton_fill_the_cube():
    points = halton(64, 3)
    assert ((points > 0) & (points < 1)).all()
    assert points.mean(axis=0) == pytest.approx([0.5] * 3, abs=0.03)


@pytest.mark.parametrize("sizes", [(0,), (0, 0), (0, 3, 0), (4,), (2, 3)])
def test_features_are_told_apart_by_their_parts(sizes):
    space = Space(sizes, JOINT)
    numbers = len(space.numbers)
    cloud = 0.2 * halton(12, numbers) if numbers else np.zeros((12, 0))
    region = Region(np.zeros(numbers), np.eye(numbers), cloud) if numbers else None
    features = Features(space, region)
    rows = features(halton(5, len(sizes)))
    assert rows.shape == (5, len(features.of))
    assert set(features.of) == set(range(len(features.parts)))
    assert ("value" in features.parts) == any(sizes)
    assert ("wide" in features.parts) == (numbers > 1)


def test_long_lists_are_independent_of_each_other():
    short, long = (Features(Space(sizes, JOINT), None) for sizes in ((10, 12), (40, 50)))
    assert list(short.of).count(short.parts.index("pair")) == 120
    assert "pair" not in long.parts


def test_a_curve_has_the_variance_of_its_kernel_where_it_is_held():
    features = Features(Space((0,), frozenset({"steep"})), None)
    rows = features(np.array([[0.0], [0.5], [1.0]]))[:, features.of == features.parts.index("steep")]
    assert (rows**2).sum(axis=1) == pytest.approx([1, 1, 1], abs=1e-4)


def test_a_quadratic_is_learned_from_results_as_they_should_be():
    features = Features(Space((0, 0), QUADRATIC), None)
    points = halton(80, 2)
    belief = believed_after(features, points[:40], points[40:], hill, games=2000)
    looked = halton(200, 2, first=100)
    strengths = features(looked) @ belief.mean
    wanted = np.array([hill(point) for point in looked])
    assert strengths - strengths.mean() == pytest.approx(wanted - wanted.mean(), abs=0.35)


def test_evidence_is_for_the_model_that_can_be_so():
    def step(point):
        return 1.0 if point[0] > 0.6 else -1.0

    points = halton(120, 1)
    flat, steep = (
        believed_after(Features(Space((0,), parts), None), points[:60], points[60:], step).evidence
        for parts in (QUADRATIC, QUADRATIC | {"steep"})
    )
    assert steep > flat + 3


def test_more_games_leave_less_doubt():
    features = Features(Space((0, 0), QUADRATIC), None)
    points = halton(80, 2)
    doubts = [
        np.linalg.norm(believed_after(features, points[:40], points[40:], hill, games).root)
        for games in (4, 40, 400)
    ]
    assert doubts == sorted(doubts, reverse=True)


def test_the_trials_asked_for_tell_most_of_what_is_to_be_known():
    features = Features(Space((0, 0), QUADRATIC), None)
    points = halton(80, 2)
    belief = believed_after(features, points[:40], points[40:], hill, 4)
    choice = np.array([[0.3, 0.7], [0.1, 0.7], [0.5, 0.7], [0.3, 0.699]])
    optima = np.array([[0.25, 0.7], [0.35, 0.7]])
    pairs = telling(belief, choice, optima, count=3, games=4, against=False)
    assert set(pairs[0]) == {1, 2}, "both sides of the optima, not two neighbours"
    assert len(pairs) == 3


@pytest.mark.parametrize("against", [False, True])
def test_the_search_comes_near_the_best(against):
    search = searched(hill, 500, against=against)
    assert search.best == pytest.approx((0.3, 0.7), abs=0.1)
    assert all(0 < each < 0.2 for each in search.spread)
    assert sum(search.shares.values()) == pytest.approx(1)


def test_choices_without_an_order_are_found():
    def strength(point):
        return (0.0, 0.9, 0.1, 1.6, 0.3)[int(point[0] * 5)] - 4 * (point[1] - 0.2) ** 2

    best = searched(strength, 400, sizes=(5, 0)).best
    assert best[0] == pytest.approx(0.7)
    assert best[1] == pytest.approx(0.2, abs=0.15)


def test_before_it_has_learned_there_is_no_estimate():
    search = searched(hill, 15)
    assert not search.has_learned
    assert search.best == (0.5, 0.5)
    assert searched(hill, 16).has_learned


def test_the_same_games_make_the_same_search():
    one, same, other = (searched(hill, 60, seed=seed) for seed in (1, 1, 2))
    trials = [[each.trial(number) for number in range(8)] for each in (one, same, other)]
    assert trials[0] == trials[1] != trials[2]


def test_candidates_stand_where_they_are_put():
    search = searched(hill, 40, snap=lambda points: np.round(points * 4) / 4)
    trials = [search.trial(number) for number in range(8)]
    assert all(x * 4 == round(x * 4) for first, second in trials for x in (*first, *second))


def test_games_that_are_all_won_or_all_level_are_no_trouble():
    for score in (1.0, 0.5):
        search = Search((0, 0), against=True, seed=1)
        for number in range(60):
            search.add(search.trial(number), score)
        assert all(0 <= each <= 1 for each in search.best)


def test_games_of_others_can_be_learned_from():
    search = Search((0,), against=True, seed=1)
    for number in range(100):
        point = uniform("point", number)
        won = uniform("won", number) < chance(2 - 12 * (point - 0.8) ** 2)
        search.add(Trial((point,), None), float(won))
    assert search.best[0] > 0.55


def test_against_a_strong_opponent_it_waits_for_games_that_are_won():
    search = Search((0, 0), against=True, seed=1)
    for number in range(100):
        search.add(search.trial(number), 0.0)
    assert not search.has_learned
    assert len({search.trial(number) for number in range(100)}) == 100
    for number in range(100, 106):
        search.add(search.trial(number), 1.0)
    assert search.has_learned
