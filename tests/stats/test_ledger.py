"""Counting who met whom, and how often in each way."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.stats.ledger import HIGH_FIRST, LOW_FIRST, UNSIDED, Ledger, groups, meeting_of, tells_sides


def met(*games):
    """Return what a ledger says of games (first, second, half points)."""
    ledger = Ledger()
    for first, second, half_points in games:
        ledger.add(first, second, half_points)
    counts = {}
    for (low, high, kind), number in counted(ledger).items():
        counts.setdefault((low, high), {})[kind] = number
    return ledger.meetings().players, counts


def counted(ledger):
    """Return how many meetings of each kind two players had."""
    return Counter(map(meeting_of, ledger.meetings().codes))


def test_games_are_counted_by_who_was_first():
    players, counts = met(("a", "b", 2), ("b", "a", 2), ("b", "a", 1), ("a", "b", 2))
    assert players == ("a", "b")
    assert counts == {(0, 1): {LOW_FIRST + 2: 2, HIGH_FIRST + 2: 1, HIGH_FIRST + 1: 1}}


def test_the_winner_that_is_named_first_was_not_first_by_side():
    ledger = Ledger()
    ledger.add("a", "b", 2, sided=False)
    ledger.add("b", "a", 2, sided=False)
    ledger.add("b", "a", 1, sided=False)
    assert counted(ledger) == {(0, 1, UNSIDED + half_points): 1 for half_points in range(3)}


def test_a_game_against_oneself_is_refused():
    with pytest.raises(ValueError, match="'a' against itself"):
        Ledger().add("a", "a", 2)


GAMES = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(0, 2), st.booleans()), max_size=30
).map(lambda games: [game for game in games if game[0] != game[1]])


@given(GAMES)
def test_every_game_is_counted_once_with_its_points(games):
    ledger = Ledger()
    for first, second, half_points, sided in games:
        ledger.add(first, second, half_points, sided=sided)
    players, counts = ledger.meetings().players, counted(ledger)
    assert sum(counts.values()) == len(games)
    points = dict.fromkeys(players, 0)
    for first, second, half_points, _ in games:
        points[first] += half_points
        points[second] += 2 - half_points
    told = dict.fromkeys(players, 0)
    for (low, high, kind), number in counts.items():
        won = 2 - kind % 3 if HIGH_FIRST <= kind < UNSIDED else kind % 3
        assert low < high
        told[players[low]] += won * number
        told[players[high]] += (2 - won) * number
    assert told == points


@pytest.mark.parametrize(
    ("players", "games", "found"),
    [
        (0, [], []),
        (3, [], [[0], [1], [2]]),
        (4, [(2, 3)], [[2, 3], [0], [1]]),
        (6, [(0, 1), (4, 5), (1, 4), (2, 3)], [[0, 1, 4, 5], [2, 3]]),
    ],
)
def test_a_group_is_who_is_connected_by_games(players, games, found):
    assert groups(players, games) == found


@pytest.mark.parametrize(
    ("games", "tells"),
    [
        ([], False),
        ([(0, 1)] * 5, False),
        ([(0, 1), (1, 0)], True),
        ([(0, 1), (1, 2), (0, 3), (3, 2)], False),
        ([(0, 1), (1, 2), (0, 2)], True),
        ([(0, 1), (2, 3), (3, 2)], True),
    ],
)
def test_sides_are_told_from_strength_unless_every_first_can_be_one_step_higher(games, tells):
    assert tells_sides(4, games) is tells


def test_a_long_chain_of_players_has_a_level_each_in_whatever_order_games_come():
    games = [(player + 1, player) for player in range(500)]
    for order in (games, games[::-1], games[::2] + games[1::2]):
        assert not tells_sides(501, [*order, (500, 499), (1, 0)])
        assert tells_sides(501, [*order, (500, 498)])
        assert tells_sides(501, [*order, (0, 500)])


def test_a_meeting_costs_eight_bytes_whoever_meets():
    ledger = Ledger()
    for number in range(1, 200):
        ledger.add("0", str(number), 2)
        ledger.add(str(number), "0", 1)
    codes = ledger.meetings().codes
    assert (len(codes), codes.itemsize) == (398, 8)


def test_weights_are_kept_with_their_games():
    ledger = Ledger()
    for weight, half_points in ((1, 0), (2, 1), (1, 2)):
        ledger.add("a", "b", half_points, weight=weight)
    codes, weights = ledger.meetings().codes, ledger.meetings().weights
    assert list(zip([meeting_of(code)[2] for code in codes], weights, strict=True)) == [
        (0, 1),
        (1, 2),
        (2, 1),
    ]
