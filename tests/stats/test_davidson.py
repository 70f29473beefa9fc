"""The joint fit against an independent search for the maximum of the likelihood, written down plainly."""

from math import cosh, exp, log

import numpy as np
import pytest

from gyoji.stats.davidson import Field, fit, games_of, met_in
from gyoji.stats.ledger import Ledger, groups, meeting_of

GAMES = (
    [("a", "b", 2)] * 7
    + [("b", "a", 2)] * 2
    + [("b", "a", 1)] * 3
    + [("b", "c", 2)] * 6
    + [("c", "b", 0)] * 3
    + [("c", "a", 1)] * 2
    + [("a", "d", 2)] * 4
    + [("d", "c", 0)] * 5
    + [("d", "c", 2)] * 3
)
PLAYERS = ("a", "b", "c", "d")


def field(ledger, *, anchors=(), sides=True):
    meetings = ledger.meetings()
    found = groups(len(meetings.players), [meeting_of(code)[:2] for code in meetings.codes])
    return games_of(met_in(meetings)), Field(groups=found, anchors=dict(anchors), sides=sides)


def ledger_of(games):
    ledger = Ledger()
    for first, second, half_points in games:
        ledger.add(first, second, half_points)
    return ledger


def log_posterior(values, games=GAMES):
    """Game by game, from the definition. values: ratings, advantage, ln nu."""
    *ratings, advantage, log_nu = values
    nu, mean = exp(log_nu), sum(ratings) / len(ratings)
    total = log(nu) / 2 - log(2 + nu) - log(2 * cosh(advantage / 2))
    total -= sum(log(2 * cosh((rating - mean) / 2)) for rating in ratings)
    for first, second, half_points in games:
        x = ratings[PLAYERS.index(first)] - ratings[PLAYERS.index(second)] + advantage
        odds = (exp(-x / 2), nu, exp(x / 2))
        total += log(odds[half_points] / sum(odds))
    return total


def searched(start, function):
    """The maximum, by trying ever smaller steps along each axis."""
    best, step = list(start), 1.0
    while step > 1e-7:
        moved = False
        for axis in range(len(best)):
            for move in (step, -step):
                tried = [*best[:axis], best[axis] + move, *best[axis + 1 :]]
                if function(tried) > function(best):
                    best, moved = tried, True
        if not moved:
            step /= 2
    return best


def curvature(values, function, step=1e-3):
    """Second differences."""
    size = len(values)
    unit = np.eye(size) * step

    def at(change):
        return function(list(np.array(values) + change))

    return np.array(
        [
            [
                (
                    at(unit[i] + unit[j])
                    - at(unit[i] - unit[j])
                    - at(unit[j] - unit[i])
                    + at(-unit[i] - unit[j])
                )
                / (4 * step * step)
                for j in range(size)
            ]
            for i in range(size)
        ]
    )


def test_the_fit_is_the_maximum_and_its_covariance_the_inverse_of_the_curvature():
    ledger = ledger_of(GAMES)
    assert ledger.meetings().players == PLAYERS
    found = fit(*field(ledger))
    best = searched([0.0] * 6, log_posterior)
    best[:4] = np.array(best[:4]) - np.mean(best[:4])
    assert found.values == pytest.approx(best, abs=1e-4)
    assert found.covariance == pytest.approx(
        np.linalg.pinv(-curvature(best, log_posterior), rcond=1e-5), rel=1e-2, abs=1e-4
    )


def test_an_anchor_stays_and_the_others_move_with_it():
    free = fit(*field(ledger_of(GAMES)))
    held = fit(*field(ledger_of(GAMES), anchors={1: 3.0}))
    assert held.values[1] == 3.0
    assert held.values[:4] - 3.0 == pytest.approx(free.values[:4] - free.values[1], abs=1e-6)
    assert held.covariance[1] == pytest.approx(np.zeros(6), abs=1e-12)
    spread = free.covariance
    assert held.covariance[0, 0] == pytest.approx(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1])


def test_two_anchors_pull_the_rest():
    found = fit(*field(ledger_of(GAMES), anchors={0: 0.0, 2: 0.0}))

    def held(values):
        return log_posterior([0.0, values[0], 0.0, *values[1:]])

    best = searched([0.0] * 4, held)
    assert found.values[[1, 3, 4, 5]] == pytest.approx(best, abs=1e-4)


def test_without_sides_there_is_no_advantage():
    found = fit(*field(ledger_of(GAMES), sides=False))

    def unsided(values):
        return log_posterior([*values[:4], 0.0, values[4]]) + log(2)

    assert found.values[4] == 0
    assert found.covariance[4] == pytest.approx(np.zeros(6))
    assert found.values[5] == pytest.approx(searched([0.0] * 5, unsided)[4], abs=1e-4)


def test_expected_points_are_the_real_ones():
    """So it is at the maximum of Davidson's likelihood; the virtual draws count for little."""
    chance = np.random.default_rng(1)
    games = [(*chance.choice(PLAYERS, 2, replace=False), int(chance.integers(3))) for _ in range(3000)]
    ledger = ledger_of(games)
    rated, known = field(ledger)
    values = fit(rated, known).values
    nu, players = exp(values[-1]), ledger.meetings().players
    for player in players:
        expected = real = 0.0
        for first, second, half_points in games:
            x = values[players.index(first)] - values[players.index(second)] + values[-2]
            share = (exp(x / 2) + nu / 2) / (exp(x / 2) + nu + exp(-x / 2))
            if player in (first, second):
                real += half_points / 2 if player == first else 1 - half_points / 2
                expected += share if player == first else 1 - share
        assert expected == pytest.approx(real, abs=0.1)


def test_pairs_count_like_the_games_they_are_made_of():
    single, paired = Ledger(), Ledger()
    for number, (one, other) in enumerate([(2, 0), (2, 2), (1, 2), (0, 1), (2, 0)]):
        for first, second, half_points in (("a", "b", one), ("b", "a", other)):
            single.add(first, second, half_points)
            paired.add(first, second, half_points, pair=str(number))
    ratings = [
        dict(zip(ledger.meetings().players, fit(*field(ledger)).values[:2], strict=True))
        for ledger in (single, paired)
    ]
    assert ratings[0] == pytest.approx(ratings[1])


@pytest.mark.parametrize(
    "games",
    [
        [("a", "b", 2)],
        [("a", "b", 2)] * 10_000,
        [("a", "b", 1)] * 10_000,
        [("a", "b", 0), ("b", "a", 2)] * 99,
    ],
)
def test_one_sided_results_have_finite_ratings(games):
    found = fit(*field(ledger_of(games)))
    assert np.isfinite(found.values).all()
    assert np.isfinite(found.covariance).all()
    assert abs(found.values[:2]).max() < 15


def test_a_start_elsewhere_leads_to_the_same_place():
    rated, known = field(ledger_of(GAMES))
    start = np.array([5.0, -5.0, 3.0, -3.0, 4.0, -6.0])
    assert fit(rated, known, start).values == pytest.approx(fit(rated, known).values, abs=1e-6)
