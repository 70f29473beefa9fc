"""The ladder: who challenges whom, who takes whose place."""

import pytest
from format_events import all_drawn, event, games, pairings, stronger_wins

from gyoji.core.openings import Openings
from gyoji.testing.competition_kit import check_competition, drawn_result


def ranking(cup):
    return "".join(cup.ranking)


def test_every_second_competitor_challenges_and_then_the_others():
    told = pairings(games(event("ladder", "abcde", rounds=2), all_drawn))
    assert told == ["1,a,b", "1,c,d", "2,b,c", "2,d,e"]


def test_a_challenger_that_wins_takes_the_place():
    cup = event("ladder", "abcd", rounds=2)
    told = pairings(games(cup, lambda spec: stronger_wins(spec, "dbca")))
    assert told == ["1,a,b", "1,c,d", "2,a,d"]
    assert ranking(cup) == "bdac"


def test_a_drawn_match_changes_nothing():
    cup = event("ladder", "abcd")
    games(cup, all_drawn)
    assert ranking(cup) == "abcd"


@pytest.mark.parametrize("order", ["hgfedcba", "bahgcdfe", "cdefghab", "abcdefgh"])
def test_as_many_rounds_as_competitors_put_any_order_right(order):
    cup = event("ladder", "abcdefgh")
    games(cup, lambda spec: stronger_wins(spec, order))
    assert ranking(cup) == order


def test_two_play_in_every_round():
    assert pairings(games(event("ladder", "ab", rounds=3))) == ["1,a,b", "2,a,b", "3,a,b"]


def test_the_challenger_has_the_first_seat_first():
    specs = games(event("ladder", "abc", rounds=2, games_per_match=1))
    assert ["".join(player.code for player in spec.players) for spec in specs] == ["ba", "cb"]


@pytest.mark.parametrize(
    ("codes", "settings"),
    [
        ("abcde", {}),
        ("ab", {"rounds": 3, "games_per_match": 3}),
        ("abcd", {"options": {"opening": ""}, "openings": Openings(lines=("x", "y"))}),
    ],
    ids=["five", "two", "openings"],
)
def test_a_ladder_keeps_the_promises_of_a_competition(codes, settings):
    check_competition(
        lambda: event("ladder", codes, **settings),
        drawn_result,
        summary=lambda cup: (cup.ranking, cup.engines),
        is_balanced=True,
    )


def test_a_ladder_has_a_round_at_least():
    with pytest.raises(ValueError, match="rounds: expected 1 or more, got 0"):
        event("ladder", rounds=0)
