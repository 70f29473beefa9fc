"""Who is ahead, and what decides between equals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pairing_games import LEVEL, LOST, UNKNOWN, WON, game

from gyoji.pairing.standings import standings
from gyoji.pairing.tally import Cross

OUTCOMES = {"+": WON, "-": LOST, "=": LEVEL, "?": UNKNOWN}


def cross(players, *results):
    """Results as "ab+": a in the first seat beat b in the second."""
    made = Cross(players)
    for first, second, how in results:
        made.add(game((first, second), OUTCOMES[how]))
    return made


def order(players, *results):
    return "".join(standing.player for standing in standings(cross(players, *results)))


@pytest.mark.parametrize(
    ("results", "expected", "why"),
    [
        ("", "abcd", "nobody has played: the order of the players"),
        ("ab- cd+", "bcad", "points, and of equals the order"),
        ("ab= cd+", "cabd", "a level game is half a point"),
        ("ac+ bd+ ba+ ad+", "bacd", "head to head between those with two points, then the order"),
        ("cd? ab?", "abcd", "a game that nobody can decide gives nobody anything"),
    ],
)
def test_points_come_first_then_the_games_among_equals(results, expected, why):
    assert order("abcd", *results.split()) == expected, why


def test_head_to_head_counts_only_games_among_equals():
    # a, b and c have a point each; of these three only b has beaten another
    made = cross("abcd", "ad+", "bc+", "cd+")
    ranked = list(standings(made))
    assert [(each.player, each.points, each.head_to_head) for each in ranked] == [
        ("b", 1, 1),
        ("a", 1, 0),
        ("c", 1, 0),
        ("d", 0, 0),
    ]


def test_sonneborn_berger_weighs_wins_by_the_opponents_points():
    # c and d have a point each and did not meet: d's is from b, who has 2, c's from a, who has none
    made = cross("abcd", "ca+", "db+", "ba+", "be+")
    ranked = {each.player: each for each in standings(made)}
    assert (ranked["c"].berger, ranked["d"].berger) == (0, 2)
    assert [each.player for each in standings(made)] == ["b", "d", "c", "a", "e"]


def test_a_level_game_is_half_of_the_opponents_points():
    ranked = {each.player: each for each in standings(cross("abc", "ab=", "bc+"))}
    assert ranked["a"].berger == 0.75
    assert ranked["b"].berger == 0.25


def test_the_share_of_points_decides_when_nothing_else_does_then_the_order():
    # both beat d once; b has lost a game to c besides, a has a game that nobody can decide
    ranked = list(standings(cross("badc", "ad+", "bd+", "bc-", "ac?")))
    assert [each.player for each in ranked] == ["c", "a", "b", "d"]
    assert [each.share for each in ranked] == [1, 1, 0.5, 0]


def test_ranks_count_from_one():
    assert [each.rank for each in standings(cross("abc"))] == [1, 2, 3]


RESULT = st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.sampled_from("+-=?")).filter(
    lambda each: each[0] != each[1]
)


@given(st.lists(RESULT, max_size=40), st.randoms())
def test_standings_are_of_the_set_of_results(results, chance):
    shuffled = chance.sample(results, len(results))
    assert list(standings(cross("abcde", *results))) == list(standings(cross("abcde", *shuffled)))


@given(st.lists(RESULT, max_size=40))
def test_a_cross_adds_up(results):
    made = cross("abcde", *results)
    decided = sum(how != "?" for _, _, how in results)
    assert sum(made.points(player) for player in made.players) == decided
    for player in made.players:
        assert made.points(player) == sum(points for _, points in made.opponents(player))
        assert made.of(player).total.points == made.points(player)
        for other in made.players:
            if other != player:
                mine, theirs = made.pair(player, other)
                assert (mine.total.points, theirs.total.points) == made.score(player, other)
                assert made.score(other, player) == made.score(player, other)[::-1]


def test_players_that_come_with_results_follow_the_others():
    assert cross("ab", "ca+", "bd-").players == ("a", "b", "c", "d")
