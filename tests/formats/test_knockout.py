"""The knockout: seeds and byes, best of so many games, drawn matches, the third place."""

import pytest
from format_events import all_drawn, event, games, mistake, pairings, stronger_wins, won

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.formats.rounds import knockout as competition
from gyoji.pairing.systems import places
from gyoji.tables.round_tables import bracket
from gyoji.testing.competition_kit import check_competition, drawn_result

OPENED = {"options": {"opening": ""}, "openings": Openings(lines=tuple("rstuvwxyz"))}


def test_a_bracket_of_sixteen_is_the_usual_one():
    assert [seed + 1 for seed in places(16)] == [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]


def test_the_best_two_seeds_meet_in_the_final_and_the_losers_of_the_semifinals_for_the_third_place():
    cup = event("knockout", "abcdefgh")
    assert pairings(games(cup)) == [
        *("1,a,h", "1,d,e", "1,b,g", "1,c,f"),
        *("2,a,d", "2,b,c"),
        *("3,a,b", "3,c,d"),
    ]
    assert list(cup.ranking) == list("abcdefgh")


def test_there_may_be_no_match_for_the_third_place():
    cup = event("knockout", third_place=False)
    assert pairings(games(cup)) == ["1,a,d", "1,b,c", "2,a,b"]


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ("ab", ["1,a,b"]),
        ("abc", ["1,b,c", "2,a,b"]),
        ("abcde", ["1,d,e", "2,a,d", "2,b,c", "3,a,b", "3,c,d"]),
        ("abcdef", ["1,d,e", "1,c,f", "2,a,d", "2,b,c", "3,a,b", "3,c,d"]),
    ],
)
def test_where_seeds_are_lacking_the_best_have_no_match_in_the_first_round(codes, expected):
    assert pairings(games(event("knockout", codes))) == expected


def test_seeds_come_from_ratings():
    ratings = {"d": 4, "c": 3, "b": 2, "a": 1}
    cup = event("knockout", "abcd", seeding="ratings", ratings=ratings)
    assert pairings(games(cup))[:2] == ["1,a,d", "1,b,c"]
    assert cup.system.players == tuple("dcba")


def test_no_game_is_begun_of_a_match_that_one_cannot_lose_any_more():
    ids = [spec.id for spec in games(event("knockout", "ab", games_per_match=5, extra_matches=0))]
    assert ids == ["1,a,b_0", "1,a,b_1", "1,a,b_2"]


def test_a_drawn_match_goes_on_with_another_opening_and_then_to_the_higher_seed():
    cup = event("knockout", "abc", extra_matches=2, **OPENED)
    specs = games(cup, all_drawn)
    told = [(spec.id, spec.options["opening"]) for spec in specs]
    assert [opening for name, opening in told if name.startswith("1,b,c")] == list("rrttvv")
    assert [opening for name, opening in told if name.startswith("2,a,b")] == list("ssuuww")
    assert list(cup.ranking) == list("abc")


def test_the_first_extra_match_that_somebody_wins_decides():
    cup = event("knockout", "ab")
    specs = games(cup, lambda spec: won(spec, "b" if spec.id.endswith("3") else ""))
    assert len(specs) == 4
    assert list(cup.ranking) == ["b", "a"]


def test_margins_may_decide():
    """As in the final of a programming contest: two games with changed places, and what both were won by."""

    def by_nine_and_four(spec):
        return won(spec, spec.players[0].code, margin=9 if spec.players[0].code == "b" else 4)

    cup = event("knockout", "ab", decided_by="margin")
    assert len(games(cup, by_nine_and_four)) == 2
    assert list(cup.ranking) == ["b", "a"]


def test_whoever_comes_further_is_ranked_higher():
    cup = event("knockout", "abcdefgh")
    games(cup, lambda spec: stronger_wins(spec, "hgfedcba"))
    assert list(cup.ranking) == list("hgfeabcd")


def test_the_ranking_is_as_far_as_is_known():
    cup = event("knockout", "abcd")
    games(cup, lambda spec: stronger_wins(spec, "dcba"), most=2)
    assert list(cup.ranking) == list("cdab")  # each match has a game left
    games(cup, lambda spec: stronger_wins(spec, "dcba"), most=2)
    assert list(cup.ranking) == list("cdab")


def test_the_bracket_shows_who_has_which_place():
    cup = event("knockout", "abc")
    games(cup, most=2)
    assert cup.system.bracket(cup.played) == [["a", None, "b", "c"], ["a", "b"], [None]]


def test_the_bracket_marks_who_won_a_match_that_is_over():
    cup = event("knockout", "abcd")
    games(cup, lambda spec: stronger_wins(spec, "abcd"), most=3)
    tree = bracket(cup.system, cup, "")
    assert [node.name for level in tree.levels for node in level if node.has_won] == ["1 a"]


def test_each_has_the_first_seat_first_in_about_half_of_the_matches():
    specs = games(event("knockout", "abcdefgh", games_per_match=1, extra_matches=0))
    assert ["".join(player.code for player in spec.players) for spec in specs] == [
        *("ah", "ed", "bg", "fc"),
        *("da", "bc"),
        *("ab", "cd"),
    ]


def test_another_field_is_refused_while_there_are_results():
    played = [drawn_result(spec) for spec in games(event("knockout", "abcd"), drawn_result)]
    cup = event("knockout", "abcde")
    with pytest.raises(ConfigError, match="the competitors or their order have changed"):
        cup.add(played[0])


@pytest.mark.parametrize(
    ("codes", "settings", "is_adaptive"),
    [
        ("ab", {}, True),
        ("abcdefghijk", {}, True),
        ("abcdefgh", {"games_per_match": 5, "extra_matches": 2, **OPENED}, True),
        ("abcde", {"decided_by": "margin", "third_place": False}, False),
    ],
    ids=["two", "eleven", "openings", "margins"],
)
def test_a_knockout_keeps_the_promises_of_a_competition(codes, settings, is_adaptive):
    def summary(cup):
        return cup.ranking, cup.system.bracket(cup.played), cup.engines

    check_competition(
        lambda: event("knockout", codes, **settings),
        drawn_result,
        summary=summary,
        is_balanced=True,
        is_adaptive=is_adaptive,
    )


TOML = """
competition = "knockout"
board_size = 9
komi = 7.5
competitors = ["b", "a"]
games_per_match = 3
extra_matches = 0
players = {a = {command = "a"}, b = {command = "b"}, c = {command = "c"}}
"""


def test_a_control_file(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(TOML)
    cup = competition(load(path))
    assert (cup.system.players, cup.system.terms.games, cup.system.terms.extras) == (("b", "a"), 3, 0)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("extra_matches = 0", "extra_matches = -1", "extra_matches: expected 0 or more, got -1"),
        ('["b", "a"]', '["b"]', "competitors: expected two or more, got only 'b'"),
        ("games_per_match = 3", "best_of = 3", "best_of: there is no such setting"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path, old, new, problem):
    assert problem in mistake(tmp_path, TOML.replace(old, new))
