"""Counting who met whom, in pairs of games where they are pairs."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.stats.ledger import PAIRS, SINGLE, SINGLE_HIGH, SINGLE_LOW, Ledger, groups, meeting_of, tells_sides


def met(*games):
    """What a ledger says of games (first, second, half points, pair)."""
    ledger = Ledger()
    for first, second, half_points, pair in games:
        ledger.add(first, second, half_points, pair=pair)
    counts = {}
    for (low, high, kind), number in counted(ledger).items():
        counts.setdefault((low, high), {})[kind] = number
    return ledger.meetings().players, counts


def counted(ledger):
    """How many meetings of each kind two players had."""
    return Counter(map(meeting_of, ledger.meetings().codes))


def test_single_games_are_counted_by_who_was_first():
    players, counts = met(("a", "b", 2, ""), ("b", "a", 2, ""), ("b", "a", 1, ""), ("a", "b", 2, ""))
    assert players == ("a", "b")
    assert counts == {(0, 1): {SINGLE_LOW + 2: 2, SINGLE_HIGH + 2: 1, SINGLE_HIGH + 1: 1}}


@pytest.mark.parametrize("order", [1, -1])
def test_two_games_with_the_sides_changed_are_a_pair(order):
    games = [("a", "b", 2, "p"), ("b", "a", 1, "p")][::order]
    players, counts = met(*games)
    a_first, b_first = 2, 1
    expected = 3 * a_first + b_first if players == ("a", "b") else 3 * b_first + a_first
    assert counts == {(0, 1): {expected: 1}}


def test_games_of_different_pairs_are_not_a_pair():
    _, counts = met(("a", "b", 2, "p"), ("b", "a", 0, "q"), ("a", "c", 1, "r"))
    assert counts == {(0, 1): {SINGLE_LOW + 2: 1, SINGLE_HIGH: 1}, (0, 2): {SINGLE_LOW + 1: 1}}


def test_two_games_with_the_same_sides_are_not_a_pair():
    _, counts = met(("a", "b", 2, "p"), ("a", "b", 0, "p"))
    assert counts == {(0, 1): {SINGLE_LOW + 2: 1, SINGLE_LOW: 1}}


def test_the_winner_that_is_named_first_was_not_first_by_side():
    ledger = Ledger()
    ledger.add("a", "b", 2, sided=False)
    ledger.add("b", "a", 2, sided=False)
    ledger.add("b", "a", 1, sided=False)
    assert counted(ledger) == {(0, 1, SINGLE + half_points): 1 for half_points in range(3)}


def test_a_game_against_oneself_is_refused():
    with pytest.raises(ValueError, match="'a' against itself"):
        Ledger().add("a", "a", 2)


GAMES = st.lists(
    st.tuples(
        st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(0, 2), st.sampled_from(["", *"pqrst"])
    ),
    max_size=30,
).map(lambda games: [game for game in games if game[0] != game[1]])


@given(GAMES)
def test_every_game_is_counted_once_with_its_points(games):
    ledger = Ledger()
    for first, second, half_points, pair in games:
        ledger.add(first, second, half_points, pair=pair)
    players, counts = ledger.meetings().players, counted(ledger)
    assert sum(half_points_of_low(kind)[1] * number for (_, _, kind), number in counts.items()) == len(games)
    points = dict.fromkeys(players, 0)
    for first, second, half_points, _ in games:
        points[first] += half_points
        points[second] += 2 - half_points
    told = dict.fromkeys(players, 0)
    for (low, high, kind), number in counts.items():
        won, played = half_points_of_low(kind)
        assert low < high
        told[players[low]] += won * number
        told[players[high]] += (2 * played - won) * number
    assert told == points


def half_points_of_low(kind):
    """(half points of the player with the lower number, games) of one meeting of that kind."""
    if kind < PAIRS:
        return kind // 3 + 2 - kind % 3, 2
    half_points = (kind - PAIRS) % 3
    return (2 - half_points if SINGLE_HIGH <= kind < SINGLE else half_points), 1


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


def meeting(ledger):
    """The meetings by name."""
    players = ledger.meetings().players
    for low, high, kind in map(meeting_of, ledger.meetings().codes):
        yield players[low], players[high], kind


def test_weights_are_kept_with_their_meetings():
    ledger = Ledger()
    for weight, pair in ((1, "p"), (2, ""), (1, ""), (0.5, "q")):
        ledger.add("a", "b", 2, weight=weight, pair=pair)
    ledger.add("b", "a", 2, weight=1, pair="p")
    ledger.add("b", "a", 2, weight=0.25, pair="q")
    codes, weights = ledger.meetings().codes, ledger.meetings().weights
    assert sorted(weights) == [0.25, 0.5, 1, 1, 2]
    assert [weight for code, weight in zip(codes, weights, strict=True) if meeting_of(code)[2] < PAIRS] == [1]
