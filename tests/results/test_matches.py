"""Matches: what decides them, when they are over, which games they need."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gyoji.core.record import WAITING
from gyoji.core.setup import GameSettings
from gyoji.results.matches import Fixture, Match, MatchSettings, Terms
from result_games import LATE, LEVEL, LOST, UNKNOWN, WON, game

OUTCOMES = {"+": WON, "-": LOST, "=": LEVEL, "?": UNKNOWN, "F": LATE}


def result(number, sign, margin=None):
    """Game `number` of a match of a and b: won, lost or level for a, whichever seat it has."""
    players = "ba" if number % 2 else "ab"
    told = {"+": "-", "-": "+"}.get(sign, sign) if number % 2 else sign
    return game(players, replace(OUTCOMES[told], margin=margin), name=f"1,a,b_{number}")


def match(signs, *, first=0, margins=(), **terms):
    """Return a match with these games from number `first` on; "." for one that has no result yet."""
    made = Match(Fixture("a", "b"), Terms(**{"games": 2, **terms}))
    for number, sign in enumerate(signs, first):
        if sign != ".":
            made.add(number, result(number, sign, margins[number] if margins else None))
    return made


def taken(made):
    """Return the numbers of all games that it needs now."""
    numbers = []
    while (number := made.take()) is not None:
        numbers.append(number)
    return numbers


def told(made):
    return made.is_over, made.winner


@pytest.mark.parametrize(
    ("signs", "terms", "expected", "points"),
    [
        ("", {}, (False, None), (0, 0)),
        ("+", {}, (False, None), (1, 0)),
        ("++", {}, (True, 0), (2, 0)),
        ("+-", {}, (True, None), (1, 1)),
        ("-=", {}, (True, 1), (0.5, 1.5)),
        ("+?", {}, (True, 0), (1, 0)),
        ("??", {}, (True, None), (0, 0)),
        ("+++", {"games": 5}, (False, None), (3, 0)),
        ("+++", {"games": 5, "is_best_of": True}, (True, 0), (3, 0)),
        ("++-", {"games": 5, "is_best_of": True}, (False, None), (2, 1)),
        ("+-", {"extras": 1}, (False, None), (1, 1)),
        ("+-=-", {"extras": 1}, (True, 1), (1.5, 2.5)),
        ("+-==", {"extras": 1}, (True, None), (2, 2)),
        ("+-==+", {"extras": 2}, (False, None), (3, 2)),
    ],
)
def test_a_match_is_decided_by_its_games(signs, terms, expected, points):
    made = match(signs, **terms)
    assert (told(made), made.points) == (expected, points)


@pytest.mark.parametrize(
    ("signs", "margins", "expected", "margin"),
    [
        ("+-", (9, 3), 0, 6),
        ("+-", (3, 9), 1, -6),
        ("+-", (4, 4), None, 0),
        ("-=", (0.5, 0), 1, -0.5),
        ("+-", (0.1, 0.3), 1, -0.2),
    ],
)
def test_a_match_may_be_decided_by_the_sum_of_margins(signs, margins, expected, margin):
    made = match(signs, margins=margins, decided_by="margin")
    assert (made.winner, made.margin) == (expected, margin)


@pytest.mark.parametrize(
    ("signs", "margins", "expected", "why"),
    [
        ("+-", (None, 300), 0, "a resignation outweighs any margin"),
        ("F+", (None, 300), 1, "so does a forfeit"),
        ("F-", (None, None), 1, "b has won both"),
        ("+-", (None, None), None, "one each"),
        ("+-+", (None, None, 2), 0, "one each, and the margin of the third"),
    ],
)
def test_a_win_without_a_margin_outweighs_all_margins(signs, margins, expected, why):
    made = match(signs, margins=margins, decided_by="margin", games=len(signs))
    assert made.winner == expected, why


def test_margins_have_no_end_so_all_games_are_played():
    made = match("++", margins=(50, 50), games=3, decided_by="margin", is_best_of=True)
    assert told(made) == (False, None)


def test_a_game_is_taken_once_and_those_that_are_lacking_come_first():
    assert taken(match("..+.", games=5)) == [0, 1, 3, 4]
    made = match("", games=2)
    assert (made.room, taken(made), made.room) == (2, [0, 1], 0)


def test_extra_games_are_wanted_as_soon_as_all_before_are_drawn():
    made = match("+", extras=1)
    assert taken(made) == [1]
    made.add(1, result(1, "-"))
    assert (made.room, taken(made)) == (2, [2, 3])


def test_no_game_is_wanted_of_a_match_that_is_over():
    assert taken(match("+++", games=5, is_best_of=True)) == []


def test_late_games_of_a_match_that_is_over_count_and_change_nothing():
    made = match("+++--", games=5, is_best_of=True)
    assert (told(made), made.points, made.played) == ((True, 0), (3, 2), 5)


def test_extra_games_that_a_ruling_made_needless_do_not_decide():
    made = match("++--", extras=1)
    assert (told(made), made.points) == ((True, 0), (2, 2))


def test_extra_games_that_come_first_wait_for_those_before_them():
    made = match("++", first=2, extras=1)
    assert (told(made), taken(made)) == ((False, None), [0, 1])
    made.add(0, result(0, "+"))
    made.add(1, result(1, "-"))
    assert told(made) == (True, 0)


def test_a_game_counts_once():
    made = match("+")
    assert not made.add(0, result(0, "-"))
    assert (made.points, made.played) == ((1, 0), 1)


def test_a_match_waits_for_the_judge():
    made = match("+")
    waiting = replace(result(1, "?"), outcome=replace(UNKNOWN, ending=LEVEL.ending, detail=WAITING))
    made.add(1, waiting)
    assert (told(made), taken(made)) == ((False, None), [])


@given(st.text("+-=?F", min_size=6, max_size=6), st.permutations(range(6)), st.booleans(), st.booleans())
def test_the_order_of_the_results_does_not_matter(signs, order, is_best_of, by_margin):
    terms = Terms(games=2, extras=2, is_best_of=is_best_of, decided_by="margin" if by_margin else "games")
    margins = (0.1, 0.2, 0.3, 0.7, None, 1.1)

    def state(numbers):
        made = Match(Fixture("a", "b"), terms)
        for number in numbers:
            made.add(number, result(number, signs[number], margins[number]))
        return told(made), made.points, made.margin, made.room

    assert state(order) == state(range(6))


@pytest.mark.parametrize("number", [0, -2])
def test_a_match_has_a_game_at_least(number):
    with pytest.raises(ValueError, match="games_per_match: expected 1 or more"):
        MatchSettings(game="go", games_per_match=number)
    assert isinstance(MatchSettings(game="go"), GameSettings)
