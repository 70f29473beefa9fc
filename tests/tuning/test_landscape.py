"""The landscape of a tuner's games is the one that they were drawn from, as surely as it says."""

import numpy as np
import pytest

from gyoji.stats.scores import NAT_ELO as ELO
from gyoji.tuning.features import halton
from gyoji.tuning.landscape import Games, fit, snapped
from gyoji.tuning.scales import Axis, Explicit, Linear, Log

BEST = np.array([0.3, 0.7, 0.6])


def bowl(points):
    """Log-odds: 400 Elo points less for a distance of 1."""
    return -((points - BEST[: points.shape[1]]) ** 2).sum(axis=1) * 400 / ELO


def drawn(strength, dimensions, count, seed):
    chance = np.random.default_rng(seed)
    points = chance.random((count, dimensions))
    won = chance.random(count) < 1 / (1 + np.exp(-strength(points)))
    return Games(points, None, won.astype(float))


def covered(landscape, true, points, origin):
    """Return the share of points whose true strength above the origin is within the 95 % bounds."""
    means = landscape.mean(points) - landscape.mean(origin)
    errors = landscape.sd_from(points, origin[0])
    return np.mean(np.abs(means - (true(points) - true(origin))) <= 1.96 * errors)


@pytest.mark.parametrize(("dimensions", "count"), [(1, 500), (2, 1000)])
def test_the_true_strength_lies_within_the_bounds_nearly_everywhere(dimensions, count):
    origin, points = np.full((1, dimensions), 0.5), halton(200, dimensions)
    shares = [
        covered(fit([Axis()] * dimensions, drawn(bowl, dimensions, count, seed)), bowl, points, origin)
        for seed in range(4)
    ]
    assert np.mean(shares) > 0.88


def test_the_highest_point_is_near_the_best_one():
    landscape = fit([Axis()] * 2, drawn(bowl, 2, 8000, 1))
    points = halton(1000, 2)
    found = points[landscape.mean(points).argmax()]
    assert float((bowl(points).max() - bowl(found[None])[0]) * ELO) < 8


def test_draws_spread_as_the_errors_say():
    landscape = fit([Axis()] * 2, drawn(bowl, 2, 500, 1))
    points, origin = halton(20, 2), np.array([0.5, 0.5])
    normals = np.random.default_rng(1).standard_normal((4000, landscape.size))
    draws = landscape.draws(np.vstack([points, origin]), normals)
    spread = (draws[:, :-1] - draws[:, -1:]).std(axis=0)
    assert spread == pytest.approx(landscape.sd_from(points, origin), rel=0.06)


def test_games_of_two_candidates_show_the_same_landscape():
    chance = np.random.default_rng(3)
    points, others = chance.random((4000, 2)), chance.random((4000, 2))
    won = chance.random(4000) < 1 / (1 + np.exp(bowl(others) - bowl(points)))
    landscape = fit([Axis()] * 2, Games(points, others, won.astype(float)))
    assert covered(landscape, bowl, halton(200, 2), np.full((1, 2), 0.5)) > 0.85


def test_values_without_order_are_not_taken_for_neighbours():
    true = np.array([-1.0, 1.0, -1.0, 0.9, -1.0])
    axis = Explicit(("a", "b", "c", "d", "e")).axis
    games = drawn(lambda points: true[np.minimum((points[:, 0] * 5).astype(int), 4)], 1, 2000, 1)
    landscape = fit([axis], games)
    means = landscape.mean(snapped([axis], (np.arange(5)[:, None] + 0.5) / 5))
    assert means - means.mean() == pytest.approx(true - true.mean(), abs=0.3)


def test_level_games_make_the_bounds_narrower():
    whole = drawn(bowl, 1, 1000, 1)
    level = whole._replace(scores=np.where(np.arange(1000) % 2, 0.5, whole.scores))
    points, origin = halton(50, 1), np.array([0.5])
    half = whole._replace(scores=(whole.scores + 0.5) / 2)
    errors = [fit([Axis()], games).sd_from(points, origin).mean() for games in (level, half)]
    assert errors[1] < errors[0]


def test_many_games_take_no_longer_than_some():
    landscape = fit([Axis()] * 3, drawn(bowl, 3, 50_000, 1))
    assert landscape.size < 200


def test_all_games_at_one_point_are_no_obstacle():
    games = Games(np.full((30, 2), 0.5), None, np.ones(30))
    landscape = fit([Axis()] * 2, games)
    assert np.isfinite(landscape.mean(halton(20, 2))).all()


def test_whole_numbers_and_lists_have_places_for_their_values():
    assert Linear(0, 10).place(2.5) == 0.25
    assert Log(1, 100).place(Log(1, 100)(1.0)) == pytest.approx(1)
    assert Explicit((1, 2, 4)).place(2) == 0.5
    assert Explicit(("fast", "deep")).place("deep") == 0.75
    with pytest.raises(ValueError, match="expected 0 to 10, got 11"):
        Linear(0, 10).place(11)
    with pytest.raises(ValueError, match="expected one of fast, deep, got 'slow'"):
        Explicit(("fast", "deep")).place("slow")
