"""The digest of a game is equal for games that went the same way, and for no others."""

import pytest

from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.record import Played, course_digest

TURNS = ((Played(0, "C3", 5),), (Played(1, "D4", 7),))
WON = Outcome(points=won_by(0, 2), ending=Ending.SCORE, margin=2.5, detail="counted")


def test_times_and_words_are_no_part_of_a_game():
    retold = ((Played(0, "C3", 900, "best", "", "note"),), (Played(1, "D4", 1),))
    other = Outcome(points=(1, 0), ending=Ending.SCORE, margin=2.5, detail="said so")
    assert course_digest("", TURNS, WON) == course_digest(None, retold, other)
    assert course_digest("", [[[0, "C3", 5]], [[1, "D4", 7]]], WON) == course_digest("", TURNS, WON)


@pytest.mark.parametrize(
    ("opening", "turns", "outcome"),
    [
        ("A1", TURNS, WON),
        ("", TURNS[:1], WON),
        ("", (TURNS[1], TURNS[0]), WON),
        ("", ((Played(1, "C3", 5),), TURNS[1]), WON),
        ("", TURNS, Outcome(points=won_by(1, 2), ending=Ending.SCORE)),
        ("", TURNS, Outcome(points=shared(2), ending=Ending.SCORE)),
        ("", TURNS, Outcome(points=None, ending=Ending.SCORE)),
        ("", TURNS, Outcome(points=won_by(0, 2), ending=Ending.TIME)),
        ("", TURNS, Outcome(points=won_by(0, 2), ending=Ending.SCORE, totals=(2, 1))),
    ],
    ids=["opening", "shorter", "order", "seat", "loser", "level", "unknown", "ending", "totals"],
)
def test_games_that_differ_have_other_digests(opening, turns, outcome):
    assert course_digest(opening, turns, outcome) != course_digest("", TURNS, WON)


def test_a_game_without_turns_says_nothing_of_how_it_would_go():
    assert course_digest("A1", (), WON) == ""
