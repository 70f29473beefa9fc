"""Points of any number of teams, and the places that follow."""

import pytest

from gyoji.core.outcome import Ending, Outcome, lost_by, ranked, shared, won_by


def outcome(points):
    return Outcome(points=points, ending=Ending.SCORE)


PLACES = [
    # points, places, winner, whether it is level
    (None, (), None, False),
    ((1.0, 0.0), (1, 2), 0, False),
    ((0.5, 0.5), (1, 1), None, True),
    ((1.0,), (1,), 0, False),
    (won_by(1, 3), (2, 1, 2), 1, False),
    (lost_by(1, 3), (1, 3, 1), None, False),
    (shared(3), (1, 1, 1), None, True),
    (ranked((1, 2, 3)), (1, 2, 3), 0, False),
    (ranked((3, 1, 1, 4)), (3, 1, 1, 4), None, False),
    (ranked((1, 2, 2, 4)), (1, 2, 2, 4), 0, False),
]


@pytest.mark.parametrize(("points", "places", "winner", "is_level"), PLACES)
def test_places_winner_and_level_follow_from_the_points(points, places, winner, is_level):
    made = outcome(points)
    assert (made.places, made.winner, made.is_level) == (places, winner, is_level)


@pytest.mark.parametrize(
    "order", [(1,), (1, 2), (1, 1), (2, 3, 1), (1, 1, 1), (5, 5, 2, 9), (0.5, -3, 0.5, 8, 8)]
)
def test_ranked_points_make_one_and_keep_the_order(order):
    points = ranked(order)
    assert sum(points) == pytest.approx(1)
    better = [1 + sum(other < own for other in order) for own in order]
    assert list(outcome(points).places) == better


def test_of_two_teams_ranked_points_are_those_of_a_won_and_of_a_level_game():
    assert ranked((7, 3)) == won_by(1, 2)
    assert ranked((3, 3)) == shared(2)
