"""Ratings of a field: what is told of it, and whether the truth is within the bars."""

import time
from itertools import permutations

import numpy as np
import pytest

from gyoji.stats.ledger import Ledger
from gyoji.stats.logistic import drawn_share
from gyoji.stats.ratings import Given, Results, rate, superiority
from gyoji.stats.scores import NAT_ELO


def ledger_of(games):
    ledger = Ledger()
    for first, second, half_points in games:
        ledger.add(first, second, half_points)
    return ledger


FIELD = [
    *[("a", "b", 2), ("b", "a", 1), ("a", "b", 0), ("b", "a", 0), ("a", "b", 1), ("b", "a", 0)] * 4,
    *[("a", "c", 2), ("c", "a", 0), ("a", "c", 2), ("c", "a", 1), ("a", "c", 0), ("c", "a", 0)] * 4,
    *[("b", "c", 2), ("c", "b", 1), ("b", "c", 1), ("c", "b", 2), ("b", "c", 2), ("c", "b", 0)] * 4,
]


def simulated(truth, advantage, draws, games, chance):
    """Return a ledger of `games` games of each ordered pair. truth: Elo. draws: share between equals."""
    ledger = Ledger()
    for first, second in permutations(range(len(truth)), 2):
        score = 1 / (1 + np.exp(-(truth[first] - truth[second] + advantage) / NAT_ELO))
        drawn = float(drawn_share(np.array(score * (1 - score)), draws))
        for half_points in chance.choice(3, games, p=(1 - score - drawn / 2, drawn, score - drawn / 2)):
            ledger.add(str(first), str(second), int(half_points))
    return ledger


def test_the_best_is_first_with_its_results():
    told = rate(ledger_of(FIELD))
    assert [(place.rank, place.group, place.player) for place in told.places] == [
        (1, 1, "a"),
        (2, 1, "b"),
        (3, 1, "c"),
    ]
    best = told.places[0]
    assert best.total == Results(won=28, drawn=12, lost=8)
    assert best.sides == (Results(won=12, drawn=4, lost=8), Results(won=16, drawn=8))
    assert (best.total.games, best.total.points) == (48, 34)
    assert best.total.score == pytest.approx(34 / 48)
    assert (told.games, told.groups) == (72, 1)
    assert sum(place.elo for place in told.places) == pytest.approx(0, abs=1e-6)


TIED = [*FIELD, *(("z" if one == "b" else one, "z" if two == "b" else two, won) for one, two, won in FIELD)]


def test_players_with_the_same_results_share_a_rank_in_the_order_that_is_asked_for():
    def places(order=()):
        return [(place.rank, place.player) for place in rate(ledger_of(TIED), order=order).places]

    plain = [player for _, player in places()]
    first = plain.index("b")
    for order in ("bz", "zb", "cazb", "z"):
        told = places(order)
        wanted = sorted("bz", key=lambda player: order.find(player) if player in order else 9)
        assert told[first : first + 2] == [(first + 1, player) for player in wanted]
        assert [rank for rank, _ in told if rank > first + 1] == list(range(first + 3, len(told) + 1))
    assert rate(ledger_of(TIED)).places[first].above_next == pytest.approx(0.5)


def test_superiority_is_told_of_any_two():
    told = rate(ledger_of(FIELD))
    table = np.array(list(superiority(told)), dtype=float)
    assert np.isnan(table.diagonal()).all()
    assert table[0, 1] == told.places[0].above_next > 0.9
    assert table[0, 2] > table[0, 1]
    assert told.places[-1].above_next is None
    off = ~np.eye(3, dtype=bool)
    assert (table + table.T)[off] == pytest.approx(np.ones(6))


def test_groups_that_have_not_met_are_rated_apart():
    told = rate(ledger_of([*FIELD, ("x", "y", 2), ("y", "x", 2), ("y", "x", 0), ("x", "y", 1)]))
    assert told.groups == 2
    assert [(place.rank, place.group) for place in told.places] == [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2)]
    above = list(superiority(told))
    assert above[0][3] is above[3][0] is None
    assert above[3][4] is not None
    alone = rate(ledger_of(FIELD))
    assert [place.error for place in told.places[:3]] == pytest.approx(
        [p.error for p in alone.places], rel=0.05
    )
    for group in (told.places[:3], told.places[3:]):
        assert sum(place.elo for place in group) == pytest.approx(0, abs=1e-6)


def test_an_anchor_has_its_elo_and_no_bar():
    told = rate(ledger_of(FIELD), given=[Given(player="b", elo=1500)])
    free = rate(ledger_of(FIELD))
    assert (told.places[1].elo, told.places[1].error) == (1500, 0)
    apart = [place.elo - free.places[1].elo for place in free.places]
    assert [place.elo - 1500 for place in told.places] == pytest.approx(apart, abs=1e-4)


def test_of_two_anchors_it_is_known_which_is_stronger():
    told = rate(ledger_of(FIELD), given=[Given(player="c", elo=10), Given(player="a", elo=0)])
    order = [place.player for place in told.places]
    above = list(superiority(told))
    assert above[order.index("c")][order.index("a")] == 1
    assert above[order.index("a")][order.index("c")] == 0


def test_an_anchor_that_has_not_played_is_refused():
    with pytest.raises(KeyError, match="zoe"):
        rate(ledger_of(FIELD), given=[Given(player="zoe", elo=0)])


def test_a_ledger_without_games_is_refused():
    with pytest.raises(ValueError, match="no games"):
        rate(Ledger())


def test_the_advantage_is_found_or_said_to_be_unknown():
    chance = np.random.default_rng(2)
    told = rate(simulated([0, 50, 100], 120, 0.2, 800, chance))
    assert told.advantage.elo == pytest.approx(120, abs=3 * told.advantage.error / 1.96)
    assert 0 < told.advantage.error < 15
    assert told.draw_ratio == pytest.approx(0.2, abs=0.02)
    assert rate(ledger_of([("a", "b", 2)] * 9)).advantage is None


def test_named_winners_give_no_advantage():
    ledger = Ledger()
    for winner, loser in [("a", "b"), ("b", "c"), ("a", "c"), ("c", "b")] * 5:
        ledger.add(winner, loser, 2, sided=False)
    told = rate(ledger)
    assert told.advantage is None
    assert told.places[0].sides == (Results(), Results())
    assert told.places[0].total == Results(won=10)


@pytest.mark.parametrize("draws", [0, 0.3, 0.6, 0.8])
def test_bars_hold_the_truth_as_often_as_they_say(draws):
    """Small, to be quick; `python -m bench.ratings` is the large one."""
    chance, held, number = np.random.default_rng(3), 0, 0
    for _ in range(60):
        truth = chance.normal(0, 150 * (1 - draws), 5)
        truth -= truth.mean()
        told = rate(simulated(truth, 20, draws, 30, chance))
        for place in told.places:
            held += abs(place.elo - truth[int(place.player)]) <= place.error
            number += 1
    assert 0.92 <= held / number <= 0.98


def errors_of(told):
    return {place.player: place.error for place in told.places}


def test_errors_are_relative_to_whom_one_likes():
    """The distance to a player, and to the average, are what they are, whatever is given."""
    beside, from_a = (errors_of(rate(ledger_of(FIELD), relative_to=player)) for player in "ba")
    assert beside == pytest.approx({"a": from_a["b"], "b": 0, "c": beside["c"]})
    loose = [Given(player="a", elo=1500, error=70)]
    assert errors_of(rate(ledger_of(FIELD), given=loose, relative_to="b")) == pytest.approx(beside, rel=1e-3)
    assert errors_of(rate(ledger_of(FIELD), given=loose))["a"] == pytest.approx(70, rel=1e-3)


def test_a_loose_anchor_has_the_error_that_is_given():
    told = rate(ledger_of(FIELD), given=[Given(player="a", elo=1500, error=90)])
    assert told.places[0].elo == pytest.approx(1500, abs=0.01)
    assert told.places[0].error == pytest.approx(90, rel=0.1)


def test_a_game_of_weight_two_counts_twice_in_the_rating_and_once_as_chance():
    def told(weight, games):
        ledger = Ledger()
        for first, second, half_points in FIELD * games:
            ledger.add(first, second, half_points, weight=weight if (first, half_points) == ("a", 2) else 1)
        return rate(ledger)

    plain, doubled = told(1, 40), told(2, 40)
    twice = Ledger()
    for first, second, half_points in FIELD * 40:
        for _ in range(2 if (first, half_points) == ("a", 2) else 1):
            twice.add(first, second, half_points)
    assert [place.elo for place in doubled.places] == pytest.approx([p.elo for p in rate(twice).places])
    assert doubled.places[0].error > rate(twice).places[0].error
    assert (doubled.games, doubled.is_weighted, plain.is_weighted) == (plain.games, True, False)


def test_weights_that_are_all_the_same_change_nothing():
    def told(weight):
        ledger = Ledger()
        for first, second, half_points in FIELD * 20:
            ledger.add(first, second, half_points, weight=weight)
        return [(place.elo, place.error) for place in rate(ledger).places]

    for half, plain in zip(told(0.5), told(1), strict=True):
        assert half == pytest.approx(plain, rel=0.01)


def test_a_large_field_is_rated_in_a_moment():
    """Two hundred players; `python -m bench.ratings` plays a million games, these are fewer."""
    chance, players, number = np.random.default_rng(6), 200, 200_000
    names = [f"player-{index}" for index in range(players)]
    first = chance.integers(0, players, number)
    second = (first + chance.integers(1, players, number)) % players
    games = [(names[a], names[b]) for a, b in zip(first.tolist(), second.tolist(), strict=True)]
    results = chance.integers(0, 3, number).tolist()
    began = time.thread_time()
    ledger = Ledger()
    for (one, two), half_points in zip(games, results, strict=True):
        ledger.add(one, two, half_points)
    told = rate(ledger)
    assert told.games == number
    assert time.thread_time() - began < 20
