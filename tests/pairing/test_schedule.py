"""Whose game is next: rounds before pairs, blocks together, gaps first, every game once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.pairing.berger import begins, berger
from gyoji.pairing.schedule import IssuedGames, Schedule


def issued(schedule, count=100):
    games = []
    while len(games) < count and (game := schedule.next()) is not None:
        games.append(game)
    return games


def test_each_pair_has_a_game_before_any_has_another():
    assert issued(Schedule([2, 2, 2], [1, 1, 1])) == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]


def test_the_games_of_a_block_come_one_after_the_other():
    schedule = Schedule([4, 4], [2, 2])
    assert issued(schedule) == [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (0, 3), (1, 2), (1, 3)]


def test_a_limit_may_cut_a_block():
    assert issued(Schedule([3, 3], [2, 2])) == [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (1, 2)]


def test_a_half_played_block_is_finished_before_the_next_pair():
    schedule = Schedule([2, 2], [2, 2])
    schedule.take(0, 1)
    assert issued(schedule) == [(0, 0), (1, 0), (1, 1)]


def test_who_comes_late_catches_up_first():
    """gomill's manual: three rounds of A, B and C, then D joins for a fourth."""
    pairs = ["AvB", "AvC", "AvD", "BvC", "BvD", "CvD"]
    schedule = Schedule([4] * 6, [1] * 6)
    for pair in (0, 1, 3):
        for number in range(3):
            schedule.take(pair, number)
    names = [f"{pairs[pair]}_{number}" for pair, number in issued(schedule)]
    assert names == [
        *(f"{name}_{number}" for number in range(3) for name in ("AvD", "BvD", "CvD")),
        *(f"{name}_3" for name in pairs),
    ]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ([], []),
        ([0, 0], []),
        ([0, 1], [(1, 0)]),
        ([1, 3], [(0, 0), (1, 0), (1, 1), (1, 2)]),
    ],
)
def test_pairs_that_are_full_are_passed_over(limits, expected):
    assert issued(Schedule(limits, [1] * len(limits))) == expected


def test_remaining_counts_down_to_nothing_and_is_unknown_of_the_endless():
    schedule = Schedule([3, 2], [1, 1])
    schedule.take(0, 7)  # of a longer event before
    schedule.take(0, 7)
    assert schedule.remaining == 4
    issued(schedule)
    assert schedule.remaining == 0
    assert Schedule([3, None], [1, 1]).remaining is None


def naive_next(limits, blocks, taken):
    """Return the next (pair, number) by the plain rule: fewest blocks, then order; lowest missing number."""
    with_room = [
        (len(taken[pair]) // blocks[pair], pair)
        for pair, limit in enumerate(limits)
        if limit is None or len(taken[pair]) < limit
    ]
    if not with_room:
        return None
    pair = min(with_room)[1]
    return pair, next(number for number in range(100) if number not in taken[pair])


LIMITS = st.lists(st.none() | st.integers(0, 7), min_size=1, max_size=5)


@given(LIMITS, st.data())
def test_it_says_what_the_rule_says(limits, data):
    blocks = data.draw(st.lists(st.integers(1, 3), min_size=len(limits), max_size=len(limits)))
    pair = st.integers(0, len(limits) - 1)
    stored = data.draw(st.lists(st.tuples(pair, st.integers(0, 9)), max_size=20))
    schedule, taken = Schedule(limits, blocks), [set() for _ in limits]
    for pair, number in stored:
        schedule.take(pair, number)
        taken[pair].add(number)
    for _ in range(30):
        expected = naive_next(limits, blocks, taken)
        assert schedule.next() == expected
        if expected is None:
            break
        taken[expected[0]].add(expected[1])


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 12)), max_size=60))
def test_taken_is_a_set_of_numbers_for_each_pair(games):
    taken, expected = IssuedGames(3), [set(), set(), set()]
    for pair, number in games:
        assert taken.add(pair, number) == (number not in expected[pair])
        expected[pair].add(number)
    for pair, numbers in enumerate(expected):
        assert taken.count(pair) == len(numbers)
        assert taken.lowest_missing[pair] == min(set(range(20)) - numbers)


BERGER = {
    4: "1-4 2-3 / 4-3 1-2 / 2-4 3-1",
    6: "1-6 2-5 3-4 / 6-4 5-3 1-2 / 2-6 3-1 4-5 / 6-5 1-4 2-3 / 3-6 4-2 5-1",
    8: (
        "1-8 2-7 3-6 4-5 / 8-5 6-4 7-3 1-2 / 2-8 3-1 4-7 5-6 / 8-6 7-5 1-4 2-3 / 3-8 4-2 5-1 6-7 / "
        "8-7 1-6 2-5 3-4 / 4-8 5-3 6-2 7-1"
    ),
}
"""The tables as FIDE's handbook prints them, C.05 annex 1."""


@pytest.mark.parametrize("players", BERGER)
def test_bergers_tables_are_fides(players):
    told = [f"{first + 1}-{second + 1}" for first, second in berger(players)]
    assert told == BERGER[players].replace("/ ", "").split()


@pytest.mark.parametrize("players", range(1, 20))
def test_in_bergers_tables_everybody_meets_everybody_and_who_is_left_over_nobody(players):
    games = list(berger(players))
    assert sorted(map(sorted, games)) == [[a, b] for a in range(players) for b in range(a + 1, players)]
    assert all(begins(min(game), max(game), players) == (game[0] < game[1]) for game in games)
    for start in range(0, len(games), max(players // 2, 1)):
        together = [player for game in games[start : start + players // 2] for player in game]
        assert len(set(together)) == len(together)
