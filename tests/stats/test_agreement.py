"""Hosts agree where their games could be samples of all games, and differ where they could not."""

from math import isclose
from random import Random

import numpy as np
import pytest

from gyoji.stats.agreement import Samples, chi_square_tail


@pytest.mark.parametrize(
    ("value", "freedom", "chance"),  # of printed tables
    [
        (2.706, 1, 0.10),
        (6.635, 1, 0.01),
        (10.828, 1, 0.001),
        (0.0157908, 1, 0.90),
        (9.488, 4, 0.05),
        (2.558, 10, 0.99),
        (140.169, 100, 0.005),
        (0, 3, 1),
    ],
)
def test_the_tail_is_that_of_printed_tables(value, freedom, chance):
    assert chi_square_tail(value, freedom) == pytest.approx(chance, rel=2e-3)


def samples(*games):
    found = Samples()
    for kind, host, value in games:
        found.add(kind, host, value)
    return found


def test_of_one_kind_with_two_results_it_is_pearsons_but_for_a_factor():
    counts = {"x": (30, 10), "y": (20, 20), "z": (25, 5)}
    games = [
        ("k", host, value) for host, pair in counts.items() for value in (0, 1) for _ in range(pair[value])
    ]
    test = samples(*games).test()
    table = np.array(list(counts.values()), float)
    expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
    pearson = ((table - expected) ** 2 / expected).sum()
    number = table.sum()
    assert test.chi_square == pytest.approx(pearson * (number - 1) / number)
    assert test.freedom == 2
    assert test.farthest == "y"
    assert test.hosts["y"].amount == pytest.approx(20 - 40 * 35 / 110)


def test_of_several_kinds_it_is_that_of_the_whole_matrix_of_covariances():
    draw = Random(5)
    games = [(draw.choice("klm"), draw.choice("wxyz"), draw.choice((0, 0.5, 1))) for _ in range(200)]
    hosts = sorted({host for _, host, _ in games})
    offs, covariance = np.zeros(4), np.zeros((4, 4))
    for kind in "klm":
        mine = [(hosts.index(host), value) for each, host, value in games if each == kind]
        values = np.array([value for _, value in mine])
        has = np.array([[place == at for at in range(4)] for place, _ in mine], float)
        counts = has.sum(0)
        offs += (values - values.mean()) @ has
        covariance += values.var(ddof=1) * (np.diag(counts) - np.outer(counts, counts) / len(mine))
    test = samples(*games).test()
    assert test.chi_square == pytest.approx(offs @ np.linalg.pinv(covariance) @ offs, rel=1e-6)
    for at, host in enumerate(hosts):
        assert test.hosts[host].deviations == pytest.approx(offs[at] / covariance[at, at] ** 0.5)


def test_where_hosts_do_not_matter_chances_are_spread_evenly():
    draw = Random(11)
    chances = []
    for _ in range(400):
        found = Samples()
        for _ in range(150):
            kind = draw.choice("ab")
            found.add(kind, draw.choice("wxyz"), float(draw.random() < (0.3 if kind == "a" else 0.8)))
        chances.append(found.test().chance)
    assert 0.02 <= sum(chance < 0.05 for chance in chances) / 400 <= 0.08
    assert 0.43 <= sum(chance < 0.5 for chance in chances) / 400 <= 0.57


def test_that_kinds_are_not_spread_evenly_is_no_difference():
    games = [("weak", "x", 0.0)] * 50 + [("strong", "y", 1.0)] * 50
    games += [("weak", "y", float(n % 10 == 0)) for n in range(10)] + [("weak", "x", 1.0)] * 5
    assert samples(*games).test().chance > 0.5


def test_a_host_that_differs_is_found():
    draw = Random(3)
    found = Samples()
    for number in range(600):
        host = "abcdef"[number % 6]
        found.add("k", host, float(draw.random() < (0.25 if host == "e" else 0.5)))
    test = found.test()
    assert test.chance < 0.001
    assert test.farthest == "e"
    assert test.hosts["e"].deviations < -3


@pytest.mark.parametrize(
    "games",
    [[], [("k", "x", 1.0)], [("k", "x", 1.0), ("k", "y", 1.0)], [("k", "x", 1.0), ("l", "y", 0.0)]],
    ids=["none", "one host", "all alike", "nothing in common"],
)
def test_where_nothing_can_be_compared_there_is_no_test(games):
    assert samples(*games).test() is None


def test_hosts_in_groups_that_have_nothing_in_common_are_compared_within_them():
    pairs = [("k", "a", 1.0), ("k", "b", 0.0), ("k", "a", 1.0), ("k", "b", 1.0)]
    apart = [("l", "c", 1.0), ("l", "d", 0.0), ("l", "d", 0.0), ("l", "c", 0.0)]
    one, other, both = (samples(*games).test() for games in (pairs, apart, pairs + apart))
    assert both.freedom == 2
    assert isclose(both.chi_square, one.chi_square + other.chi_square, rel_tol=1e-9)


@pytest.mark.parametrize(
    "games",
    [
        "kx0 ky0 ky1 lx0 lx1 ly0",
        "ky1 ky1 kz0 ly0 ly0 lz1",
    ],
)
def test_hosts_that_are_off_by_rounding_alone_agree(games):
    test = samples(*[(kind, host, int(value)) for kind, host, value in games.split()]).test()
    assert test.chi_square == pytest.approx(0, abs=1e-9)
    assert test.chance == pytest.approx(1)
