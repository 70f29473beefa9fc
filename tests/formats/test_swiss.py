"""The Swiss system as a competition: its rounds, byes and points, and the promises of the port."""

import pytest
from format_events import all_drawn, event, games, mistake, pairings, won

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.formats.rounds import swiss as competition
from gyoji.testing.competition_kit import check_competition, drawn_result

OPENED = {"options": {"opening": ""}, "openings": Openings(lines=("x", "y", "z"))}


def standings(cup):
    return [(place.player, place.points) for place in cup.system.standings(cup.played)]


def test_winners_meet_winners():
    cup = event("swiss", "abcdefgh", rounds=3, games_per_match=1)
    told = pairings(games(cup))
    assert told[:4] == ["1,a,e", "1,b,f", "1,c,g", "1,d,h"]
    assert told[4:8] == ["2,a,d", "2,b,c", "2,e,h", "2,f,g"]
    assert told[8:] == ["3,a,b", "3,c,e", "3,d,f", "3,g,h"]
    assert standings(cup)[0] == ("a", 3)


def test_nobody_meets_twice_and_everybody_plays_in_every_round():
    cup = event("swiss", "abcdefghijkl", rounds=7)
    told = [name.split(",") for name in pairings(games(cup, all_drawn))]
    assert len({tuple(players) for _, *players in told}) == len(told) == 6 * 7
    for number in "1234567":
        assert sorted(player for round_, *both in told if round_ == number for player in both) == list(
            "abcdefghijkl"
        )
    assert cup.system.departures(cup.played) == {}


def test_a_round_that_cannot_be_paired_by_the_rules_says_so_and_is_played():
    """After two rounds in which everybody has met all others."""
    cup = event("swiss", "abc", rounds=4, games_per_match=1)
    assert len(games(cup, all_drawn)) == 4
    line = cup.system.departures(cup.played)[3]
    pair = "-".join(sorted(cup.played[3][0].players))
    bye = cup.system.byes(cup.played)[3]
    assert line == f"not paired as the rules say: {pair} meeting again; {bye} with a second bye"


def test_a_bye_is_worth_a_match_won_and_nobody_has_two():
    cup = event("swiss", "abcde", rounds=3)
    games(cup, all_drawn)
    assert cup.system.byes(cup.played) == ["e", "d", "c"]
    assert dict(standings(cup)) == {"a": 3, "b": 3, "c": 4, "d": 4, "e": 4}


def test_points_are_of_games_or_of_matches():
    def one_wins_both(spec):
        return won(spec, "a" if spec.pairing == "1,a,c" else "")

    assert dict(standings_after(one_wins_both)) == {"a": 2, "b": 1, "c": 0, "d": 1}
    assert dict(standings_after(one_wins_both, points="matches")) == {"a": 2, "b": 1, "c": 0, "d": 1}
    first_only = {"1,a,c_0": "a"}
    assert dict(standings_after(lambda spec: won(spec, first_only.get(spec.id)))) == {
        "a": 1.5,
        "b": 1,
        "c": 0.5,
        "d": 1,
    }


def standings_after(result_of, **settings):
    cup = event("swiss", "abcd", rounds=1, **settings)
    games(cup, result_of)
    return standings(cup)


def test_margins_may_decide():
    def by_seat(spec):
        """Return a result in which the first seat wins, by 9 if it is a, else by 3."""
        code = spec.players[0].code
        return won(spec, code, margin=9 if code == "a" else 3)

    told = dict(standings_after(by_seat, decided_by="margin", points="matches"))
    assert told == {"a": 2, "b": 1, "c": 0, "d": 1}


def test_more_rounds_are_played_after_fewer():
    played = [won(spec, "a") for spec in games(event("swiss", rounds=2), lambda spec: won(spec, "a"))]
    cup = event("swiss", rounds=3)
    for result in played:
        cup.add(result)
    assert {spec.pairing[0] for spec in games(cup)} == {"3"}


@pytest.mark.parametrize("codes", ["abcdef", "bacd", "abxd"])
def test_another_field_is_refused_while_there_are_results(codes):
    played = [won(spec, "a") for spec in games(event("swiss", "abcd", rounds=2), lambda spec: won(spec, "a"))]
    cup = event("swiss", codes, rounds=2)
    with pytest.raises(ConfigError, match="the competitors or their order have changed"):
        cup.add(played[0])


def test_everybody_is_tried_and_the_player_that_scores():
    cup = event("swiss", "abcs", rounds=1, competitors=tuple("abc"), scorer="engine", scoring_player="s")
    assert [spec.players[0].code for spec in cup.checks()] == ["a", "b", "c", "s"]


@pytest.mark.parametrize(
    ("codes", "settings"),
    [
        ("ab", {"rounds": 2}),
        ("abcdefg", {"rounds": 4}),
        ("abcdefgh", {"rounds": 3, "games_per_match": 1, **OPENED}),
        ("abcdef", {"rounds": 4, "games_per_match": 3, "decided_by": "margin", "points": "matches"}),
        ("abcdef", {"rounds": 2, "seeding": "lot"}),
    ],
    ids=["two", "odd", "openings", "margins", "lot"],
)
def test_a_swiss_tournament_keeps_the_promises_of_a_competition(codes, settings):
    def summary(cup):
        return cup.system.standings(cup.played), cup.uncounted, cup.engines

    check_competition(
        lambda: event("swiss", codes, **settings), drawn_result, summary=summary, is_balanced=True
    )


def test_a_hundred_players_are_no_burden():
    """7 rounds, 700 games: less than a second, most of it for the results."""
    cup = event("swiss", [f"p{number:03}" for number in range(100)], rounds=7)
    assert len(games(cup, drawn_result)) == 50 * 7 * 2
    assert cup.is_over


TOML = """
competition = "swiss"
board_size = 9
komi = 7.5
rounds = 3
tie_breaks = ["wins", "buchholz"]
seeding = "ratings"
ratings = { b = 1800, a = 1500.5 }
players = {a = {command = "a"}, b = {command = "b"}, c = {command = "c"}}
"""


def test_a_control_file(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(TOML)
    cup = competition(load(path))
    assert (cup.system.players, cup.system.tie_breaks) == (("b", "a", "c"), ("wins", "buchholz"))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("rounds = 3\n", "", "rounds: required, but not given"),
        ("rounds = 3", "rounds = 0", "rounds: expected 1 or more, got 0"),
        ('"wins", ', '"luck", ', 'tie_breaks.0: expected "buchholz" or'),
        ('"ratings"', '"given"', 'ratings: have no effect with seeding = "given"'),
        ("rounds = 3", "rounds = 3\ngames_per_match = 0", "games_per_match: expected 1 or more"),
        ("rounds = 3", 'rounds = 3\ndecided_by = "margin"', 'points: expected "matches"'),
        ("rounds = 3", 'rounds = 3\ncompetitors = ["a", "z"]', "competitors.1: there is no player 'z'"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path, old, new, problem):
    assert problem in mistake(tmp_path, TOML.replace(old, new))
