"""The round robin by stages: who meets whom, one opening a stage, margins, lots, and who fills up."""

from itertools import combinations

import pytest
from format_events import all_drawn, event, games, pairings, won

from gyoji.core.openings import Openings
from gyoji.testing.competition_kit import check_competition, drawn_result

OPENED = {"options": {"opening": ""}, "openings": Openings(lines=tuple("rstuvwxyz"))}


def stages_of(specs):
    """Return the pairs of each stage, by its number."""
    found = {}
    for name in pairings(specs):
        number, *both = name.split(",")
        found.setdefault(number, []).append("".join(both))
    return found


@pytest.mark.parametrize("codes", ["ab", "abcd", "abcdefgh", "abc", "abcdefg"])
def test_everybody_meets_everybody_once_and_nobody_twice_in_a_stage(codes):
    found = stages_of(games(event("stages", codes), all_drawn))
    assert len(found) == len(codes) - 1 + len(codes) % 2
    for pairs in found.values():
        assert len(set("".join(pairs))) == 2 * (len(codes) // 2)
    met = sorted(pair for pairs in found.values() for pair in pairs)
    assert met == ["".join(pair) for pair in combinations(codes, 2)]


def test_an_odd_field_is_filled_up_with_somebody_who_has_no_place_in_the_table():
    cup = event("stages", "abcx", bye_player="x")
    found = stages_of(games(cup, all_drawn))
    assert all(len(pairs) == 2 for pairs in found.values())
    assert sum("x" in pair for pairs in found.values() for pair in pairs) == 3
    assert [place.player for place in cup.system.standings(cup.played)] in (
        [list(order) for order in ("abc", "acb", "bac", "bca", "cab", "cba")]
    )


def test_an_even_field_needs_nobody_to_fill_up():
    cup = event("stages", "abcdx", bye_player="x")
    assert not any("x" in name for name in pairings(games(cup)))
    assert [spec.players[0].code for spec in cup.checks()] == list("abcd")


def test_a_stage_has_one_opening_in_all_its_games():
    by_stage = {}
    for spec in games(event("stages", "abcd", **OPENED)):
        by_stage.setdefault(spec.pairing[0], set()).add(spec.options["opening"])
    assert by_stage == {"1": {"r"}, "2": {"s"}, "3": {"t"}}


def test_no_stage_waits_for_another():
    cup = event("stages", "abcd")
    issued = []
    while (spec := cup.next_game()) is not None:
        issued.append(spec.pairing[0])
    assert issued == sorted(issued)
    assert len(issued) == 12


def test_a_match_won_is_worth_two_and_the_sum_of_margins_breaks_ties():
    def result_of(spec):
        """a and b win their matches against the others, a by more; between them it is level."""
        codes = [player.code for player in spec.players]
        if set(codes) == {"a", "b"}:
            return won(spec, spec.players[0].code, margin=1)
        winner = next((code for code in "ab" if code in codes), "c")
        return won(spec, winner, margin=9 if winner == "a" else 5)

    cup = event("stages", "dcba", decided_by="margin")
    games(cup, result_of)
    places = [(place.player, place.points, place.breaks[0]) for place in cup.system.standings(cup.played)]
    assert places == [("a", 5, 36), ("b", 5, 20), ("c", 2, -18), ("d", 0, -38)]


def test_who_is_still_level_is_ranked_by_a_lot_of_the_seed():
    rankings = set()
    for seed in range(10):
        cup = event("stages", "abcd", seed=seed)
        games(cup, all_drawn)
        rankings.add(tuple(cup.ranking))
    assert len(rankings) > 5


def test_everybody_has_the_first_seat_first_about_as_often_as_not():
    specs = games(event("stages", "abcdefgh", games_per_match=1), all_drawn)
    first = [spec.players[0].code for spec in specs]
    assert {code: first.count(code) in (3, 4) for code in "abcdefgh"} == dict.fromkeys("abcdefgh", True)


def test_there_may_be_fewer_stages_or_all_again_the_other_way_round():
    assert len(stages_of(games(event("stages", "abcdef", rounds=2)))) == 2
    specs = games(event("stages", "abcd", rounds=6, games_per_match=1))
    seats = ["".join(player.code for player in spec.players) for spec in specs]
    assert [pair[::-1] for pair in seats[:6]] == seats[6:]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"rounds": 0}, "rounds: expected 1 or more, got 0"),
        ({"competitors": ("a", "b"), "bye_player": "b"}, "bye_player: 'b' is a competitor"),
    ],
)
def test_settings_that_do_not_fit_together_are_refused(settings, problem):
    with pytest.raises(ValueError, match=problem):
        event("stages", **settings)


@pytest.mark.parametrize(
    ("codes", "settings"),
    [
        ("abcdef", {}),
        ("abcde", {"rounds": 7, "games_per_match": 1, "points": "games"}),
        ("abcx", {"bye_player": "x", "decided_by": "margin", **OPENED}),
    ],
    ids=["even", "odd", "filled up"],
)
def test_stages_keep_the_promises_of_a_competition(codes, settings):
    def summary(cup):
        return cup.system.standings(cup.played), cup.uncounted, cup.engines

    check_competition(
        lambda: event("stages", codes, **settings), drawn_result, summary=summary, is_balanced=True
    )
