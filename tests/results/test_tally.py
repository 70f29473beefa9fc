"""Games counted by side, by whose fault, and by what they cost."""

import pytest
from msgspec.structs import replace

from gyoji.results.cross import Cross
from gyoji.results.tally import SideStats, Tally
from result_games import ILLEGAL, LATE, LEVEL, LOST, UNKNOWN, WON, game

SECOND = 10**9


def tally(*games, players=("a", "b")):
    made = Tally(*players)
    for each in games:
        made.add(each)
    return made


def cross(*games):
    made = Cross()
    for each in games:
        made.add(each)
    return made


@pytest.mark.parametrize(
    ("outcome", "first", "second"),
    [
        (WON, SideStats(wins=1), SideStats(losses=1)),
        (LOST, SideStats(losses=1), SideStats(wins=1)),
        (LEVEL, SideStats(levels=1), SideStats(levels=1)),
        (UNKNOWN, SideStats(unknown=1), SideStats(unknown=1)),
        (LATE, SideStats(losses=1, timeouts=1), SideStats(wins=1)),
        (ILLEGAL, SideStats(losses=1, errors=1), SideStats(wins=1)),
    ],
)
def test_each_ending_is_counted_once_for_each_player(outcome, first, second):
    counted = tally(game("ab", outcome))
    assert counted.of("a").sides == (first, SideStats())
    assert counted.of("b").sides == (SideStats(), second)


def test_sides_are_the_colours_that_were_played_not_the_seats():
    """After a swap the first seat has White."""
    counted = tally(game("ab", WON, sides=(1, 0)))
    assert counted.of("a").sides == (SideStats(), SideStats(wins=1))
    assert counted.of("b").sides == (SideStats(losses=1), SideStats())


def test_points_halves_and_totals():
    stats = tally(game("ab", WON), game("ba", LEVEL), game("ab", UNKNOWN), game("ba", LATE)).of("a")
    assert (stats.total.points, stats.total.played, stats.total.forfeits) == (2.5, 4, 0)
    assert [side.points for side in stats.sides] == [1, 1.5]
    assert tally(game("ab", WON), game("ba", LEVEL)).points("b") == 0.5


def test_mean_times_of_a_move_and_of_a_game():
    stats = tally(
        game("ab", turns=10, think=5 * SECOND), game("ba", turns=11, think=16 * SECOND), game("ab", turns=0)
    ).of("a")
    assert (stats.moves, stats.move_s, stats.game_s) == (10.5, 2, 7)
    nothing = tally().of("a")
    assert (nothing.move_s, nothing.game_s, nothing.cpu_s) == (None, None, None)


def test_cpu_time_is_a_mean_over_the_games_in_which_it_is_known():
    counted = tally(game("ab", cpu=2 * SECOND), game("ab", cpu=4 * SECOND), game("ab"))
    assert counted.of("b").cpu_s == 3


def test_the_engines_of_a_team_are_counted_together():
    """Four seats that move at once: a team makes two moves a turn."""
    stats = tally(game("abab", WON, turns=5, think=SECOND, cpu=SECOND)).of("a")
    assert (stats.total.wins, stats.total.played) == (1, 1)
    assert (stats.moves, stats.think_ns, stats.cpu_s) == (10, 2 * SECOND, 2)


def test_a_team_is_who_the_rules_say_whatever_seats_it_has():
    """a has the first two seats, b the others: each pays for its own engines, and the winner is a team."""
    played = game("aabb", LOST, turns=5, think=SECOND, teams=(0, 0, 1, 1))
    counted = tally(played)
    assert (counted.of("a").total, counted.of("b").total) == (SideStats(losses=1), SideStats(wins=1))
    assert counted.of("b").game_s == 2
    one, other = cross(played).pair("a", "b")
    assert (one.total.losses, other.total.wins) == (1, 1)


def test_one_player_alone_is_counted_against_everybody():
    counted = tally(game("ab", WON), game("ca", WON), game("bc", WON), players=("a",))
    assert (counted.of("a").total.wins, counted.of("a").total.losses) == (1, 1)


@pytest.mark.parametrize("counted", [tally, cross])
def test_a_game_that_went_as_one_before_is_counted_and_is_no_observation(counted):
    games = [game("ab", WON), game("ba", LEVEL), game("ab", WON), game("ab", LOST)]
    digests = ("1", "2", "1", "3")
    counts = counted(*(replace(each, digest=digest) for each, digest in zip(games, digests, strict=True)))
    total = counts.of("a").total
    assert (total.wins, total.levels, total.losses, total.points) == (2, 1, 1, 2.5)
    assert total.observations == (1, 1, 1)
    assert counts.of("b").total.observations == (1, 1, 1)


def test_repeated_games_of_a_tally_stay_so_in_a_cross_table():
    whole = Cross()
    whole.include(tally(*[replace(game("ab", WON), digest="1")] * 3))
    assert whole.of("a").total.observations == (0, 0, 1)
    assert whole.pair("b", "a")[0].total.observations == (1, 0, 0)
