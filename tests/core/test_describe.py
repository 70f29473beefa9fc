"""Results in words: the table of codes and lines."""

import pytest
from msgspec.structs import replace

from gyoji.core.describe import ResultWords, describe_result, format_margin, result_code
from gyoji.core.outcome import Ending, Outcome, ranked
from gyoji.core.record import EngineReport, GameResult


def result(outcome, players=("a", "b"), teams=()):
    return GameResult(
        id="0_0",
        pairing="0",
        players=players,
        outcome=outcome,
        turns=3,
        engines=(EngineReport(),) * len(players),
        started="2026-11-21T01:09:00+00:00",
        wall_ns=0,
        teams=teams,
    )


BLACK, WHITE, LEVEL = (1.0, 0.0), (0.0, 1.0), (0.5, 0.5)

TABLE = [
    # points, ending, margin, detail, code, line
    (BLACK, Ending.SCORE, 3.5, "", "B+3.5", "a beat b B+3.5"),
    (WHITE, Ending.SCORE, 34.5, "", "W+34.5", "b beat a W+34.5"),
    (BLACK, Ending.SCORE, 3.0, "", "B+3", "a beat b B+3"),
    (BLACK, Ending.SCORE, None, "unable to agree", "B+", "a beat b B+ (unable to agree)"),
    (BLACK, Ending.SCORE, 0.0, "", "B+", "a beat b B+"),
    (LEVEL, Ending.SCORE, None, "", "0", "a vs b jigo"),
    (LEVEL, Ending.FULL, None, "", "0", "a vs b draw (full board)"),
    (WHITE, Ending("five"), None, "", "W+", "b beat a W+ (five)"),
    (None, Ending.SCORE, None, "players disagreed", "?", "a vs b ? (players disagreed)"),
    (None, Ending.SCORE, None, "", "?", "a vs b ?"),
    (None, Ending.MOVE_LIMIT, None, "", "Void", "a vs b Void (hit move limit)"),
    (None, Ending.MOVE_LIMIT, None, "hit move limit", "Void", "a vs b Void (hit move limit)"),
    (WHITE, Ending.MOVE_LIMIT, 2.0, "", "W+2", "b beat a W+2 (hit move limit)"),
    (LEVEL, Ending.NO_RESULT, None, "triple ko", "Void", "a vs b Void (triple ko)"),
    (None, Ending.NO_RESULT, None, "", "Void", "a vs b Void (no result)"),
    (BLACK, Ending.RESIGNATION, None, "", "B+R", "a beat b B+R"),
    (WHITE, Ending.CLAIM, None, "", "W+", "b beat a W+ (claim)"),
    (BLACK, Ending.TIME, None, "b used 61 s of 60 s", "B+T", "a beat b B+T (b used 61 s of 60 s)"),
    (BLACK, Ending.TIME, None, "", "B+T", "a beat b B+T"),
    (WHITE, Ending.ILLEGAL_MOVE, None, "", "W+F", "b beat a W+F (illegal move)"),
    (WHITE, Ending.ILL_FORMED_MOVE, None, "forfeit by a", "W+F", "b beat a W+F (forfeit by a)"),
    (BLACK, Ending.REJECTION, None, "", "B+F", "a beat b B+F (rejection)"),
    (BLACK, Ending.FAULT, None, "exit 1", "B+F", "a beat b B+F (exit 1)"),
]


@pytest.mark.parametrize(("points", "ending", "margin", "detail", "code", "line"), TABLE)
def test_a_result_has_the_code_and_the_line_of_the_table(points, ending, margin, detail, code, line):
    outcome = Outcome(points=points, ending=ending, margin=margin, detail=detail)
    assert result_code(outcome) == code
    assert describe_result(result(outcome)) == line


def test_every_ending_has_a_line():
    for ending in Ending:
        for points in (None, BLACK, WHITE, LEVEL):
            outcome = Outcome(points=points, ending=ending)
            assert describe_result(result(outcome)).startswith(("a ", "b "))


def test_letters_name_the_teams_of_another_game():
    outcome = Outcome(points=(0.0, 1.0), ending=Ending.RESIGNATION)
    assert result_code(outcome, letters=("X", "O")) == "O+R"


def test_more_teams_than_letters_are_numbered():
    outcome = Outcome(points=(0.0, 0.0, 1.0), ending=Ending.SCORE, margin=12.0)
    assert result_code(outcome) == "3+12"
    assert describe_result(result(outcome, ("a", "b", "c"), (0, 1, 2))) == "c beat a, b by 12"


@pytest.mark.parametrize(
    ("order", "code", "line"),
    [
        ((1, 2, 3), "1+", "1. a, 2. b, 3. c"),
        ((3, 1, 2), "2+", "1. b, 2. c, 3. a"),
        ((2, 2, 1), "3+", "c beat a, b"),
        ((1, 2, 1), "1=3+", "a, c beat b"),
        ((1, 1, 1), "0", "a vs b vs c draw"),
    ],
)
def test_more_than_two_teams_come_in_the_order_of_their_places(order, code, line):
    outcome = Outcome(points=ranked(order), ending=Ending.SCORE)
    assert result_code(outcome) == code
    assert describe_result(result(outcome, ("a", "b", "c"), (0, 1, 2)), ResultWords()) == line


def test_each_of_more_than_two_places_has_its_total():
    outcome = Outcome(points=ranked((-7, -12, -5)), ending=Ending.SCORE, totals=(7.0, 12.0, 5.0))
    assert describe_result(result(outcome, ("a", "b", "c"), (0, 1, 2))) == "1. b 12, 2. a 7, 3. c 5"
    by = Outcome(points=ranked((2, 1, 3)), ending=Ending.SCORE, margin=5.0)
    assert describe_result(result(by, ("a", "b", "c"), (0, 1, 2))) == "1. b by 5, 2. a, 3. c"
    level = Outcome(points=ranked((7, 7, 5)), ending=Ending.SCORE, totals=(5.0, 5.0, 7.0))
    assert describe_result(result(level, ("a", "b", "c"), (0, 1, 2))) == "c beat a, b 7 to 5 to 5"


def test_the_players_of_a_team_stand_together():
    won = Outcome(points=(0.0, 1.0), ending=Ending.SCORE, margin=2.0, detail="all found")
    assert describe_result(result(won, ("a", "b", "a#2", "b#2"))) == "b & b#2 beat a & a#2 by 2 (all found)"
    level = Outcome(points=LEVEL, ending=Ending.SCORE)
    assert describe_result(result(level, ("a", "b", "c", "d"))) == "a & c vs b & d jigo"
    assert describe_result(result(won, ("a", "b", "a", "b"))) == "b beat a by 2 (all found)"
    unknown = Outcome(points=None, ending=Ending.NO_RESULT)
    assert describe_result(result(unknown, ("a", "b", "c"), (0, 1, 2))) == "a vs b vs c Void (no result)"


def test_teams_are_those_of_the_rules_whatever_seats_they_have():
    won = Outcome(points=(0.0, 1.0), ending=Ending.SCORE, margin=2.0)
    assert describe_result(result(won, ("a", "a", "b", "b"), (0, 0, 1, 1))) == "b beat a by 2"
    assert describe_result(result(won, ("a", "b", "c", "d"), (0, 1, 1, 0))) == "b & c beat a & d by 2"
    assert result(won, ("a", "a", "b", "b"), (0, 0, 1, 1)).opponents == ("a", "b")


@pytest.mark.parametrize(
    ("points", "totals", "line"),
    [
        ((0.0, 1.0), (8.0, 22.0), "b beat a 22 to 8"),
        ((1.0, 0.0), (22.0, 7.5), "a beat b 22 to 7.5"),
        (LEVEL, (7.0, 7.0), "a vs b 7 to 7"),
    ],
)
def test_where_the_totals_are_known_they_say_it_all(points, totals, line):
    outcome = Outcome(points=points, ending=Ending.SCORE, margin=14.0, detail="8 to 22", totals=totals)
    assert describe_result(result(outcome, ("a", "b", "a", "b"))) == line
    assert describe_result(result(outcome)) == line


def test_a_player_meets_itself_under_two_codes():
    outcome = Outcome(points=WHITE, ending=Ending.RESIGNATION)
    assert describe_result(result(outcome, ("x", "x#2"))) == "x#2 beat x W+R"


@pytest.mark.parametrize(
    ("margin", "text"),
    [(0.5, "0.5"), (10.0, "10"), (100.0, "100"), (6.25, "6.25"), (1e7, "10000000"), (-1.0, ""), (None, "")],
)
def test_a_margin_has_neither_exponent_nor_trailing_zeros(margin, text):
    assert format_margin(margin) == text


def test_what_is_no_number_is_no_margin():
    assert format_margin(float("inf")) == format_margin(float("nan")) == ""


def test_the_code_is_that_of_the_side_a_player_had_in_the_end():
    won = Outcome(points=BLACK, ending=Ending("five"))
    assert describe_result(replace(result(won), sides=(1, 0))) == "a beat b W+ (five)"


def test_a_game_has_its_own_words_for_its_results():
    words = ResultWords(letters=("W", "B"), level="draw")
    won = result(Outcome(points=BLACK, ending=Ending.SCORE, margin=3.0))
    level = result(Outcome(points=LEVEL, ending=Ending.SCORE))
    assert [describe_result(each, words) for each in (won, level)] == ["a beat b W+3", "a vs b draw"]
    assert describe_result(level) == "a vs b jigo"
