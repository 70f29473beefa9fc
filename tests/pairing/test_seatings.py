"""Tables: everybody meets everybody, and has each seat and each neighbour, about equally often."""

from collections import Counter
from itertools import combinations, pairwise
from math import comb

import pytest

from gyoji.pairing.seatings import MOST_COMPLETE, Rota, seat_orders


@pytest.mark.parametrize("size", range(2, 10))
def test_every_player_has_each_seat_once(size):
    for unit in range(2):
        orders = seat_orders(size, unit)
        assert len(orders) == size
        for row in (*orders, *zip(*orders, strict=True)):
            assert sorted(row) == list(range(size))


@pytest.mark.parametrize("size", range(2, 10))
def test_everybody_sits_behind_everybody_equally_often(size):
    units = range(1 if size % 2 == 0 else 2)
    behind = Counter(pair for unit in units for row in seat_orders(size, unit) for pair in pairwise(row))
    assert set(behind.values()) == {len(units)}
    assert len(behind) == size * (size - 1)


def met(tables):
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


@pytest.mark.parametrize(("players", "size"), [(4, 3), (5, 4), (6, 4), (8, 4), (9, 3), (10, 8)])
def test_after_a_whole_cycle_all_have_met_equally_often(players, size):
    rota, cycle = Rota(players, size), comb(players, size)
    assert cycle <= MOST_COMPLETE
    for _ in range(2):
        found = met(rota.next() for _ in range(cycle))
        assert set(found.values()) == {comb(players - 2, size - 2)}


@pytest.mark.parametrize(("players", "size"), [(4, 4), (6, 4), (12, 3), (16, 4), (20, 8), (50, 4)])
def test_at_any_time_all_have_met_about_equally_often(players, size):
    rota, found, sat = Rota(players, size), Counter(), Counter()
    for number in range(1, 301):
        table = rota.next()
        found.update(combinations(table, 2))
        sat.update(table)
        if number % 50 == 0:
            counts = [found[pair] for pair in combinations(range(players), 2)]
            assert max(counts) - min(counts) <= 6
            assert max(sat.values()) - min(sat[player] for player in range(players)) <= 4


def test_tables_of_an_earlier_run_are_taken_into_account():
    rota = Rota(6, 3)
    rota.note((0, 1, 2))
    assert rota.next() == (3, 4, 5)
