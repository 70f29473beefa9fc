"""What is counted of all results for a report: endings, losses, times, sides."""

import pytest
from msgspec.structs import replace
from report_games import CUP, account, game

from gyoji.core.outcome import Ending
from gyoji.tables.digest import Nobody, ReportDigest, candidate_charts, winner_of
from gyoji.tables.report_tables import side_name, winner_name


def digest(games, most=None):
    made = ReportDigest(most)
    for _, record in games:
        made.add(record.result)
    return made


def test_endings_are_counted_by_the_side_that_won():
    assert dict(digest(CUP).endings) == {
        (Ending.SCORE, 0): 1,
        (Ending.SCORE, 1): 1,  # the players had changed sides
        (Ending.SCORE, Nobody.LEVEL): 1,
        (Ending.RESIGNATION, 1): 1,
        (Ending.TIME, 0): 1,
        (Ending.MOVE_LIMIT, Nobody.UNKNOWN): 1,
    }


def test_losses_are_told_of_who_lost():
    losses = digest(CUP).losses
    assert {player: dict(each) for player, each in losses.items()} == {
        "b": {Ending.SCORE: 2, Ending.RESIGNATION: 1},
        "c": {Ending.TIME: 1},
    }


def test_the_seats_of_a_team_are_one_player_and_its_slowest_move_is_that_of_any():
    made = digest([game(0, name="dighere")])
    assert made.players == ("a", "b")
    assert made.of("a").total.wins == 1
    assert made.slowest["b"] == 2 * 10**9


def test_only_so_many_results_are_kept_and_all_are_counted():
    made = digest(CUP, most=2)
    assert [result.id for result in made.newest] == ["0_4", "0_5"]
    assert (made.played, made.first, made.last) == (6, "2026-11-21T01:00:00+0000", "2026-11-21T01:05:00+0000")


def test_ratings_count_games_by_their_first_side_and_leave_out_what_nobody_knows():
    meetings = digest(CUP).ledger.meetings()
    assert set(meetings.players) == {"a", "b", "c"}
    rated = account().ratings
    assert rated.games == 5
    assert {place.player: place.sides[1].won for place in rated.places}["a"] == 2


# Tuners

TUNED = [game(0, ("g0#1", "pela")), game(1, ("pela", "g0#2"), "-"), game(2, ("g1#0", "pela"), "=")]
TUNED += [game(3, ("#3+", "#3-"), "+"), game(4, ("pela", "#17"), "?"), game(5, ("a", "a#2"), "+")]


def test_the_candidates_of_a_tuner_are_one_player_and_a_clone_is_another():
    made = digest(TUNED)
    assert made.players == ("candidates", "pela", "a", "a#2")
    assert made.of("candidates").total.played == 6  # two of them in one game
    assert dict(made.losses["pela"]) == {Ending.SCORE: 1, Ending.RESIGNATION: 1}
    assert list(made.progress) == [1, 1, 0.5]
    assert next(result.players[0] for result in made.newest) == "g0#1"


def test_a_clone_of_a_player_of_the_control_file_is_no_candidate():
    made = ReportDigest(None, players=["a"])
    made.add(game(0, ("b", "a#2"))[1].result)
    assert made.players == ("b", "a#2")


@pytest.mark.parametrize(
    ("points", "line"),
    [
        ([], None),
        ([1.0] * 19, None),
        ([0.0] * 10 + [1.0] * 10 + [0.5] * 9, ((10, 0), (20, 100))),
        ([0.5, 1.0] * 500, tuple((20 * (number + 1), 75) for number in range(50))),
    ],
)
def test_a_tuner_has_a_chart_of_how_its_candidates_score(points, line):
    charts = candidate_charts(points)
    assert [chart.lines[0].points for chart in charts] == ([line] if line else [])


def test_winners_losers_and_sides_are_told_by_the_teams_of_the_rules():
    """The seats of the first team are 0 and 1: who has seat 1 is not the second player."""
    made = ReportDigest(None)
    _, record = game(0, ("a", "b"), "-", name="dighere")
    result = replace(record.result, players=("a", "a", "b", "b"), teams=(0, 0, 1, 1))
    made.add(result)
    assert (winner_of(result), winner_name(result)) == (1, "b")
    assert [side_name(result, side) for side in (0, 1)] == ["a", "b"]
    assert dict(made.losses) == {"a": {Ending.RESIGNATION: 1}}
    assert made.ledger.meetings().players == ("a", "b")
