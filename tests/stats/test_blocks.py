"""Matrices in blocks with a border give what dense ones give, and cost what their blocks cost."""

import numpy as np
import pytest

from gyoji.stats.blocks import Bordered, Layout
from gyoji.stats.ledger import Ledger
from gyoji.stats.ratings import Given, rate

GROUPS = [[5, 0, 2], [1, 3, 7], [4, 6], [8]]
PLAYERS = 9


def drawn(chance, *, sides):
    """(a matrix in blocks, the same as a dense one): positive definite."""
    layout = Layout(GROUPS)
    dense = np.zeros((PLAYERS + 1, PLAYERS + 1))
    for group in GROUPS:
        rows = chance.normal(size=(len(group), len(group)))
        dense[np.ix_(group, group)] = rows @ rows.T + np.eye(len(group)) * 3
    if sides:
        dense[-1, :-1] = dense[:-1, -1] = chance.normal(size=PLAYERS)
    dense[-1, -1] = 40
    flat = np.zeros(layout.size)
    for members, block in layout.blocks(flat):
        block[:] = dense[members[:, :, None], members[:, None]]
    return Bordered(layout, flat, dense[-1, :-1].copy(), dense[-1, -1]), dense


@pytest.mark.parametrize("sides", [True, False])
@pytest.mark.parametrize("held", [[], [0], [4, 6], [8], [0, 1, 2, 3]])
def test_blocks_are_solved_as_a_dense_matrix_is(held, sides):
    chance = np.random.default_rng(len(held))
    (matrix, dense), (noise, dense_noise) = drawn(chance, sides=sides), drawn(chance, sides=sides)
    fixed = np.zeros(PLAYERS, dtype=bool)
    fixed[held] = True
    free = np.flatnonzero(np.append(~fixed, sides))
    right = chance.normal(size=PLAYERS + 1)
    expected = np.zeros(PLAYERS + 1)
    expected[free] = np.linalg.solve(dense[np.ix_(free, free)], right[free])
    assert matrix.solved(right, fixed, sides=sides) == pytest.approx(expected)
    inverse = np.linalg.inv(dense[np.ix_(free, free)])
    whole = np.zeros_like(dense)
    whole[np.ix_(free, free)] = inverse @ dense_noise[np.ix_(free, free)] @ inverse
    found = matrix.between(noise, fixed, sides=sides)
    for group in GROUPS:
        assert found.within(group) == pytest.approx(whole[np.ix_(group, group)])
    assert found.dense()[-1] == pytest.approx(whole[-1])
    assert found.of_advantage == pytest.approx(whole[-1, -1])


def ledger_of(*games):
    ledger = Ledger()
    for first, second, half_points in games:
        ledger.add(first, second, half_points, sided=False)
    return ledger


def test_groups_that_no_game_connects_are_rated_as_if_each_were_alone():
    one = [("a", "b", 2), ("b", "c", 2), ("c", "a", 2), ("a", "b", 2)]
    other = [("x", "y", 2), ("y", "x", 2), ("x", "y", 2)]
    given = [Given(player="x", elo=1000)]
    both = {each.player: each for each in rate(ledger_of(*one, *other), given=given).places}
    for games, anchors in ((one, []), (other, given)):
        for each in rate(ledger_of(*games), given=anchors).places:
            same = both[each.player]
            assert (same.elo, same.error) == pytest.approx((each.elo, each.error))
            assert same.above_next == pytest.approx(each.above_next)


def test_a_thousand_pairs_of_players_are_solved_as_pairs(monkeypatch):
    """A list of all-different names: as one matrix it is 2,000 x 2,000."""
    sizes = set()
    for name in ("solve", "inv"):
        plain = getattr(np.linalg, name)

        def noted(matrix, *others, plain=plain):
            sizes.add(matrix.shape[-1])
            return plain(matrix, *others)

        monkeypatch.setattr(np.linalg, name, noted)
    ratings = rate(ledger_of(*[(f"winner {each}", f"loser {each}", 2) for each in range(1000)]))
    assert (ratings.groups, len(ratings.places)) == (1000, 2000)
    assert {round(abs(each.elo), 6) for each in ratings.places} == {round(ratings.places[0].elo, 6)}
    assert sizes == {2}
