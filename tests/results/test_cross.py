"""Everybody against everybody: each pair is seen from both sides, and costs little."""

import tracemalloc
from itertools import combinations

from gyoji.core.outcome import Ending, Outcome
from gyoji.results.cross import Cross
from gyoji.results.tally import Tally
from result_games import ILLEGAL, LEVEL, WON, game

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_BYTES = 300
"""Of a pair that has met. A player's share of a dict of a few opponents is in it."""


def test_a_pair_is_the_same_whoever_is_named_first_and_whoever_came_first():
    cross = Cross("cba")
    for each in (game("ab", WON, think=3), game("bc", LEVEL), game("ba", ILLEGAL, cpu=7), game("cb", WON)):
        cross.add(each)
    one, other = cross.pair("a", "b")
    assert (other, one) == cross.pair("b", "a")
    assert (one.total.wins, other.total.losses, other.total.errors) == (2, 2, 1)
    assert (one.think_ns, one.cpu_ns) == (3, 7)
    assert cross.score("b", "c") == (0.5, 1.5)
    assert {who: dict(cross.opponents(who)) for who in "abc"} == {
        "a": {"b": 2},
        "b": {"a": 0, "c": 0.5},
        "c": {"b": 1.5},
    }


def test_what_a_player_did_in_all_is_what_it_did_against_each_other():
    games = [
        played
        for first, second in combinations("abcd", 2)
        for played in (game(first + second, WON, think=2, cpu=5), game(second + first, LEVEL))
    ]
    cross, alone = Cross(), {player: Tally(player) for player in "abcd"}
    for each in games:
        cross.add(each)
        for tally in alone.values():
            tally.add(each)
    for player, tally in alone.items():
        assert cross.of(player) == tally.of(player)
        assert cross.points(player) == sum(points for _, points in cross.opponents(player))


def test_the_games_of_a_tally_can_be_included():
    games = [game("ab", WON, think=3), game("ba", ILLEGAL, cpu=7)]
    pair, counted, included = Tally("b", "a"), Cross(), Cross("a")
    for each in games:
        pair.add(each)
        counted.add(each)
    included.include(pair)
    assert included.pair("a", "b") == counted.pair("a", "b")
    assert included.of("b") == counted.of("b")


def test_a_game_skipped_and_a_pair_that_has_not_met_are_nothing():
    cross = Cross("ab")
    cross.add(game("ab", Outcome(points=None, ending=Ending.SKIPPED)))
    assert cross.score("a", "b") == (0, 0)
    assert [each.total.played for each in cross.pair("a", "b")] == [0, 0]
    assert list(cross.opponents("a")) == []


def test_a_pair_that_has_met_costs_a_few_hundred_bytes():
    players = [one + other for one in LETTERS for other in LETTERS[:6]]
    pairs = list(combinations(players, 2))
    games = [game(pair) for pair in pairs]
    tracemalloc.start()
    cross = Cross(players)
    for each in games:
        cross.add(each)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held / len(pairs) < MOST_BYTES
