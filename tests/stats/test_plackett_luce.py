"""Ratings of games of any number of sides, beside choix, scipy's search, openskill and our fit for two."""

import random
from itertools import combinations, pairwise, permutations
from math import exp, log

import choix
import numpy as np
import pytest
from openskill.models import PlackettLuce
from scipy.optimize import minimize
from scipy.stats import t

from gyoji.stats import plackett_luce
from gyoji.stats.ledger import Ledger
from gyoji.stats.placed_ratings import rate_placings
from gyoji.stats.placings import Placings
from gyoji.stats.plackett_luce import fit_placings, student
from gyoji.stats.ratings import rate
from gyoji.stats.scores import NAT_ELO

NAMES = "abcdefgh"


def race(strengths, rng):
    """Return the places of sides of these strengths, in nats."""
    order = sorted(range(len(strengths)), key=lambda side: -strengths[side] + log(rng.expovariate(1)))
    return [1 + order.index(side) for side in range(len(strengths))]


def played(players, sides, units, *, seed=1, ties=False, worth=()):
    """Rotations of tables of so many sides; players are 70 Elo apart."""
    rng, placings = random.Random(seed), Placings()
    strengths = {code: 0.4 * (players / 2 - number) for number, code in enumerate(NAMES[:players])}
    for unit in range(units):
        table = rng.sample(NAMES[:players], sides)
        for turn in range(sides):
            seated = table[turn:] + table[:turn]
            extra = [*worth, *[0] * sides]
            places = race([strengths[code] + extra[seat] for seat, code in enumerate(seated)], rng)
            if ties:
                places = [(place + 1) // 2 for place in places]
            placings.add(seated, places, unit, points=places)
    return placings


def values(placings):
    return dict(zip(placings.players, fit_placings(placings).values, strict=True))


@pytest.mark.parametrize("draws", [0, 0.3])
def test_for_two_it_is_the_fit_for_two(draws):
    rng, ledger, placings = random.Random(4), Ledger(), Placings()
    for game in range(300):
        first, second = rng.sample("abcdefg", 2)
        half_points = 1 if rng.random() < draws else 2 * (rng.random() < 0.6)
        ledger.add(first, second, half_points)
        places = {0: (2, 1), 1: (1, 1), 2: (1, 2)}[half_points]
        placings.add((first, second), places, game // 2, points=places)
    known, found = rate(ledger), rate_placings(placings)
    assert [each.player for each in found.places] == [each.player for each in known.places]
    assert [each.elo for each in found.places] == pytest.approx([each.elo for each in known.places], abs=1e-6)
    assert found.seats[0].elo == pytest.approx(known.advantage.elo, abs=1e-6)
    # Games are independent here, so that drawing units again finds about what the formula says.
    assert [each.error for each in found.places] == pytest.approx(
        [each.error for each in known.places], rel=0.2
    )


@pytest.mark.parametrize(("players", "sides"), [(3, 3), (6, 3), (5, 4), (8, 8)])
def test_without_ties_and_prior_it_is_that_of_choix(monkeypatch, players, sides):
    monkeypatch.setattr(plackett_luce, "SAMPLES", 1)
    monkeypatch.setattr(plackett_luce, "virtual_draws", lambda apart: (0.0, 0 * apart, 0 * apart))
    monkeypatch.setattr(plackett_luce, "_told_seats", lambda games, players: [])
    placings = played(players, sides, 12 if sides < 8 else 3)
    rankings = [
        [player for _, player in sorted(zip(game.places, game.players, strict=True))] for game in placings
    ]
    theirs = choix.opt_rankings(players, rankings, alpha=0.0, method="Newton-CG", tol=1e-12)
    assert fit_placings(placings).values == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def likelihood(placings, strengths):
    """Return the log likelihood in nats, priors included, from every order that the places allow."""
    total = 0.0
    for game in placings:
        sides = range(len(game.players))
        orders = [
            order
            for order in permutations(sides)
            if all(game.places[one] <= game.places[other] for one, other in pairwise(order))
        ]
        for order in orders:
            odds = [exp(strengths[game.players[side]]) for side in order]
            total += sum(log(odds[at] / sum(odds[at:])) for at in sides) / len(orders)
    return total - 0.25 * sum(
        np.logaddexp(each / 2, -each / 2) for each in np.subtract(strengths, np.mean(strengths))
    )


def test_ties_count_as_every_order_that_they_leave_open(monkeypatch):
    monkeypatch.setattr(plackett_luce, "SAMPLES", 1)
    monkeypatch.setattr(plackett_luce, "_told_seats", lambda games, players: [])
    placings = played(5, 4, 8, ties=True)
    best = minimize(
        lambda free: -likelihood(placings, [*free, -sum(free)]), np.zeros(4), method="BFGS", tol=1e-10
    )
    assert fit_placings(placings).values[:4] == pytest.approx(best.x, abs=1e-5)


def test_more_ties_than_can_be_written_out_are_level_too(monkeypatch):
    monkeypatch.setattr(plackett_luce, "SAMPLES", 1)
    placings = Placings()
    for turn in range(12):
        seated = [f"p{(turn + seat) % 12}" for seat in range(12)]
        placings.add(seated, [1] * 12, turn, points=[1] * 12)
    assert fit_placings(placings).values == pytest.approx([0] * 12, abs=1e-9)


def test_openskill_puts_players_in_the_same_order():
    placings = played(8, 4, 150, seed=7)
    model = PlackettLuce()
    theirs = [model.rating() for _ in placings.players]
    for game in placings:
        sides = [[theirs[player]] for player in game.players]
        for player, (after,) in zip(game.players, model.rate(sides, ranks=list(game.places)), strict=True):
            theirs[player] = after
    order = sorted(range(8), key=lambda player: -theirs[player].mu)
    assert [each.player for each in rate_placings(placings).places] == [
        placings.players[player] for player in order
    ]


def test_what_seats_are_worth_is_told_where_players_change_seats():
    found = rate_placings(played(4, 4, 200, worth=(0.8, 0.4)))
    assert [(each.sides, each.seat) for each in found.seats] == [(4, 0), (4, 1), (4, 2)]
    for each, true in zip(found.seats, (0.8, 0.4, 0), strict=True):
        assert abs(each.elo - true * NAT_ELO) < 1.5 * each.error < 90
    kept = Placings()
    for unit in range(9):
        kept.add("abc", (1, 2, 3), unit, points=(1, 0, 0))
    assert rate_placings(kept).seats == ()


def test_players_that_never_met_are_in_groups_of_their_own():
    placings = played(4, 3, 6)
    placings.add(("x", "y", "z"), (1, 2, 3), "else", points=(1, 0, 0))
    found = rate_placings(placings)
    assert [(each.player, each.rank) for each in found.places if each.group == 2] == [
        ("x", 1),
        ("y", 2),
        ("z", 3),
    ]
    assert found.groups == 2


def test_anchors_stay_and_errors_may_be_relative_to_a_player():
    placings = played(4, 3, 40)
    free, held = rate_placings(placings), rate_placings(placings, anchors={"b": 1500.0}, relative_to="b")
    elo, anchored = ({each.player: each.elo for each in found.places} for found in (free, held))
    for one, other in combinations("abcd", 2):
        assert anchored[one] - anchored[other] == pytest.approx(elo[one] - elo[other], abs=1)
    errors = {each.player: each.error for each in held.places}
    assert (anchored["b"], errors["b"]) == (pytest.approx(1500), 0)
    assert min(errors[code] for code in "acd") > 10


def test_equal_games_give_equal_bars_and_more_units_smaller_ones():
    few, again, many = (rate_placings(played(4, 4, units)) for units in (20, 20, 80))
    assert few == again
    assert many.places[0].error == pytest.approx(few.places[0].error / 2, rel=0.25)
    assert many.places[0].points.error == pytest.approx(few.places[0].points.error / 2, rel=0.3)
    assert few.places[-1].above_next is None
    assert few.places[0].above_next < many.places[0].above_next


def test_quantiles_of_student():
    for freedom in (4, 7, 12, 40, 300):
        assert student(freedom) == pytest.approx(t.ppf(0.975, freedom), rel=0.01)


def test_what_is_no_game_is_refused():
    with pytest.raises(ValueError, match="expected players"):
        Placings().add(("a", "a"), (1, 2), 1, points=(1, 0))
    with pytest.raises(ValueError, match="no games"):
        fit_placings(Placings())
