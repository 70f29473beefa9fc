"""The gauntlet: champions against challengers only, in rounds, whoever comes and goes."""

import pytest
from format_events import event, games, pairings
from msgspec.structs import replace

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.formats.gauntlet import Gauntlet
from gyoji.testing.competition_kit import check_competition, drawn_result

OPENED = {"options": {"opening": ""}, "openings": Openings(lines=("x", "y"))}


def gauntlet(champions="AB", others="cd", **settings):
    full = {"champions": tuple(champions), "rounds": 2, **settings}
    return event("gauntlet", [*champions, *others], **full)


def ids(cup, most=1000):
    return [spec.id for spec in games(cup, drawn_result, most)]


def test_champions_meet_challengers_and_nobody_else_meets_anybody():
    assert ids(gauntlet()) == [
        *("A,c_0", "B,c_0", "A,d_0", "B,d_0"),
        *("A,c_1", "B,c_1", "A,d_1", "B,d_1"),
    ]


def test_both_games_of_an_opening_are_played_before_the_next_pair_has_its_turn():
    specs = games(gauntlet(rounds=4, **OPENED), drawn_result)
    assert [spec.id for spec in specs[:4]] == ["A,c_0", "A,c_1", "B,c_0", "B,c_1"]
    assert [spec.options["opening"] for spec in specs] == ["x"] * 8 + ["y"] * 8


def test_champions_begin_in_half_of_the_pairs():
    first = [spec.players[0].code for spec in games(gauntlet("AB", "cdef", rounds=1), drawn_result)]
    assert first == ["A", "c", "d", "B", "A", "e", "f", "B"]


def test_without_a_list_all_others_challenge_but_the_one_that_scores():
    cup = event("gauntlet", "Acds", champions=("A",), rounds=1, scorer="engine", scoring_player="s")
    assert cup.challengers == ("c", "d")
    assert [spec.players[0].code for spec in cup.checks()] == ["A", "c", "d", "s"]


def test_a_challenger_that_comes_later_catches_up_first():
    played = [drawn_result(spec) for spec in games(gauntlet("A", "cd"), drawn_result)]
    cup = gauntlet("A", "ecd", rounds=3)
    for result in played:
        cup.add(result)
    assert ids(cup) == ["A,e_0", "A,e_1", "A,e_2", "A,c_2", "A,d_2"]


def test_games_of_pairs_that_are_not_listed_are_kept_aside_and_count_again_later():
    played = [drawn_result(spec) for spec in games(gauntlet("A", "cd"), drawn_result)]
    cup, again = gauntlet("A", "c"), gauntlet("A", "cd")
    for result in played:
        cup.add(result)
        again.add(result)
    assert (cup.played, cup.uncounted, cup.remaining()) == (2, {"A,d_0", "A,d_1"}, 0)
    assert (again.played, again.uncounted) == (4, set())


@pytest.mark.parametrize(
    ("name", "players"), [("0_0", "Ac"), ("A,c", "Ac"), ("A,c_0", "Ad"), ("A,c_x", "Ac")]
)
def test_a_stored_game_that_no_gauntlet_made_is_refused(name, players):
    stored = drawn_result(gauntlet().next_game())
    with pytest.raises(ConfigError, match=r"is not a game of|does not belong to matchup"):
        gauntlet().add(replace(stored, id=name, pairing=name.rpartition("_")[0], players=tuple(players)))


def test_no_rounds_keep_results_and_try_nobody():
    cup = gauntlet(rounds=0)
    cup.add(drawn_result(gauntlet().next_game()))
    assert (cup.next_game(), cup.played, list(cup.checks())) == (None, 1, [])


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"champions": ""}, "champions: expected one or more, got none"),
        ({"champions": "AA"}, "champions: 'A' is given twice"),
        ({"challengers": ("c", "c")}, "challengers: 'c' is given twice"),
        ({"challengers": ("c", "A")}, "challengers: 'A' is a champion"),
        ({"rounds": -1}, "rounds: expected 0 or more, got -1"),
    ],
)
def test_settings_that_do_not_fit_together_are_refused(settings, problem):
    with pytest.raises(ValueError, match=problem):
        gauntlet(**settings)


def test_somebody_has_to_challenge():
    with pytest.raises(ConfigError, match="cup: players: expected one or more challengers"):
        gauntlet("AB", "")


@pytest.mark.parametrize(
    ("champions", "others", "settings"),
    [
        ("A", "cdef", {"rounds": 3}),
        ("ABC", "de", {"rounds": 4, **OPENED}),
        ("A", "cd", {"rounds": None}),
    ],
    ids=["one champion", "openings", "endless"],
)
def test_a_gauntlet_keeps_the_promises_of_a_competition(champions, others, settings):
    check_competition(
        lambda: gauntlet(champions, others, **settings),
        drawn_result,
        longest=50,
        summary=lambda cup: (list(cup.stats()), cup.played, cup.engines),
        is_balanced=True,
    )


def test_a_thousand_challengers_are_met_at_once():
    cup = event("gauntlet", ["A", "B", *(f"c{number}" for number in range(1000))], champions=("A", "B"))
    assert len(pairings(games(cup, drawn_result, most=2000))) == 2000
    assert cup.remaining() is None


def test_a_control_file(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text("""
competition = "gauntlet"
board_size = 9
komi = 7.5
champions = ["a"]
rounds = 10
players = {a = {command = "a"}, b = {command = "b"}, c = {command = "c"}}
""")
    cup = Gauntlet(load(path))
    assert (cup.champions, cup.challengers, cup.total) == (("a",), ("b", "c"), 20)
