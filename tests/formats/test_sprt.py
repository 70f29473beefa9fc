"""The test that stops by itself: what it looks at, in which order, when it stops."""

import pytest
from format_events import event, games, mistake, result, won
from msgspec.structs import replace

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import WAITING
from gyoji.formats.sprt import SequentialTest, Settings
from gyoji.stats.scores import Scores
from gyoji.stats.sprt import Decision, Model, Sprt
from gyoji.testing.competition_kit import check_competition, drawn_result
from shown import tables


def sprt(players=("new", "old"), **settings):
    return event("sprt", players, **{"elo0": 0, "elo1": 40, **settings})


def mostly(spec):
    """Return a result. The first player by name wins six games of ten."""
    codes = sorted(player.code for player in spec.players)
    return won(spec, codes[spec.seed % 10 >= 6])


def issue(cup, count):
    return [cup.next_game() for _ in range(count)]


def test_it_stops_when_the_likelihood_ratio_leaves_its_bounds_and_says_what_the_test_says():
    cup = sprt()
    specs = games(cup, mostly, most=2000)
    assert 50 < len(specs) < 2000
    assert (cup.trial.decision, cup.remaining(), cup.next_game()) == (Decision.H1, 0, None)
    test = Sprt(elo0=0, elo1=40)
    assert cup.trial.llr == pytest.approx(test.llr(cup.trial.scores))
    assert cup.trial.llr > test.upper
    assert cup.trial.scores.games == cup.counted == len(specs)


def test_the_one_against_the_other_is_not_the_other_against_the_one():
    """The first player is under test: if the second is the stronger one, H0 is accepted."""
    cup = sprt(elo0=-20, elo1=20, competitors=("old", "new"))
    games(cup, mostly, most=2000)
    assert cup.trial.decision is Decision.H0


def test_two_games_with_changed_places_are_one_observation():
    cup = sprt()
    first, second, third = issue(cup, 3)
    assert [spec.id for spec in (first, second, third)] == ["new,old_0", "new,old_1", "new,old_2"]
    assert [spec.players[0].code for spec in (first, second, third)] == ["new", "old", "new"]
    cup.add(won(first, "new"))
    assert cup.trial.scores.number == 0
    cup.add(won(second, ""))
    assert cup.trial.scores == Scores((0, 0, 0, 1, 0))


def test_single_games_may_be_observations():
    cup = sprt(observations="games", model="cutechess")
    for spec, code in zip(issue(cup, 3), ("new", "", "old"), strict=True):
        cup.add(won(spec, code))
    assert cup.trial.scores == Scores((1, 1, 1))
    assert cup.trial.test.model is Model.CUTECHESS


def test_both_games_of_a_pair_have_the_same_opening():
    opened = {"options": {"opening": ""}, "openings": Openings(lines=("x", "y"))}
    assert [spec.options["opening"] for spec in issue(sprt(**opened), 4)] == ["x", "x", "y", "y"]


def test_games_are_looked_at_in_order_up_to_the_first_that_is_lacking():
    cup = sprt(observations="games")
    specs = issue(cup, 4)
    for number in (3, 1):
        cup.add(won(specs[number], "new"))
    assert cup.counted == 0
    cup.add(won(specs[0], "new"))
    assert cup.counted == 2
    cup.add(won(specs[2], "new"))
    assert cup.counted == 4


def test_what_ends_after_the_decision_changes_nothing():
    ahead = sprt()
    specs = issue(ahead, 3000)
    for spec in specs:
        ahead.add(mostly(spec))
    alone = sprt()
    played = games(alone, mostly)
    assert (ahead.trial, ahead.counted) == (alone.trial, len(played))
    assert ahead.games.played == 3000


def test_a_pair_with_a_game_that_nobody_can_decide_is_left_out():
    cup = sprt()
    specs = issue(cup, 4)
    unknown = Outcome(points=None, ending=Ending.MOVE_LIMIT)
    for spec, told in zip(specs, (unknown, None, None, None), strict=True):
        cup.add(result(spec, told) if told else won(spec, "new"))
    assert (cup.trial.scores.counts, cup.counted, cup.left_out) == ((0, 0, 0, 0, 1), 4, 2)


def test_a_game_that_waits_for_the_judge_is_lacking():
    cup = sprt(observations="games")
    first, second = issue(cup, 2)
    cup.add(result(first, Outcome(points=None, ending=Ending.SCORE, detail=WAITING)))
    cup.add(won(second, "new"))
    assert cup.counted == 0


def test_there_may_be_a_limit_of_games():
    cup = sprt(rounds=6)
    assert len(games(cup, drawn_result)) == 6
    assert (cup.trial.decision, cup.remaining()) == (Decision.CONTINUE, 0)


def test_games_of_another_test_are_refused():
    stored = won(sprt().next_game(), "new")
    with pytest.raises(ConfigError, match="stored game 'new,old_0' is not of old against new"):
        sprt(("old", "new")).add(stored)
    with pytest.raises(ConfigError, match=r"is not a game of|does not belong to matchup"):
        sprt().add(replace(stored, id="new,old_x"))


def test_players_that_are_not_two_have_to_be_named():
    assert sprt("abc", competitors=("c", "a")).players == ("c", "a")
    with pytest.raises(ValueError, match="competitors: required where players are not two, got 3"):
        Settings.check_players({}, "abc")
    Settings.check_players({"scoring_player": "c"}, "abc")
    Settings.check_players({"competitors": ["c", "a"]}, "abc")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"elo1": 0}, "elo1: expected more than elo0, which is 0, got 0"),
        ({"elo1": 4000}, "expected -400 <= elo0 < elo1 <= 400"),
        ({"alpha": 0}, "alpha: expected a number between 0 and 0.5, got 0"),
        ({"model": "cutechess"}, 'observations: expected "games" where model is "cutechess", got "pairs"'),
        ({"model": "bayesian"}, 'observations: expected "games" where model is "bayesian", got "pairs"'),
        ({"rounds": 7}, "rounds: expected an even number for pairs, got 7"),
        ({"rounds": 0}, "rounds: expected 1 or more, got 0"),
        ({"competitors": ("new",)}, "competitors: expected two, got 1"),
        ({"competitors": ("new", "new")}, "competitors: 'new' is given twice"),
        ({"openings": Openings(lines=("x",), games=3)}, "openings: games: expected an even number"),
    ],
)
def test_settings_that_do_not_fit_together_are_refused(settings, problem):
    with pytest.raises(ValueError, match=problem):
        sprt(**settings)


@pytest.mark.parametrize(
    ("settings", "result_of"),
    [
        ({"elo1": 100}, mostly),
        ({"rounds": 40}, drawn_result),
        ({"observations": "games", "model": "logistic", "elo0": -20, "elo1": 20}, mostly),
    ],
    ids=["pairs", "limited", "games"],
)
def test_a_sequential_test_keeps_the_promises_of_a_competition(settings, result_of):
    check_competition(
        lambda: sprt(**settings),
        result_of,
        longest=1000,
        summary=lambda cup: (cup.trial, cup.counted, cup.left_out, cup.games, cup.engines),
        is_balanced=True,
        is_adaptive=True,
    )


TOML = """
competition = "sprt"
board_size = 9
komi = 7.5
elo0 = 0
elo1 = 5
players = {new = {command = "a"}, old = {command = "b"}}
"""


def test_a_control_file(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(TOML)
    cup = SequentialTest(load(path))
    assert (cup.players, cup.trial.test) == (("new", "old"), Sprt(elo0=0, elo1=5))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("elo1 = 5\n", "", "elo1: required, but not given"),
        ("elo1 = 5", 'elo1 = 5\nmodel = "elo"', 'model: expected "normalized" or "logistic" or "bayesian"'),
        ("elo1 = 5", "elo1 = -5", "elo1: expected more than elo0, which is 0, got -5"),
        ("elo1 = 5", "elo1 = 5\nalpha = 0.9", "alpha: expected a number between 0 and 0.5, got 0.9"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path, old, new, problem):
    assert problem in mistake(tmp_path, TOML.replace(old, new))


def test_its_chart_leads_from_nothing_to_the_decision():
    cup = sprt()
    games(cup, mostly, most=2000)
    gauge, chart = tables(cup).charts()
    assert (gauge.value, gauge.place) == (cup.trial.llr, 1.0)
    assert gauge.verdict == (
        f"new has passed after {cup.counted} games against old: "
        "the results fit 40 nElo better than 0 (H1 is accepted)."
    )
    assert chart.lines[0].points[0] == (0, 0)
    assert chart.lines[0].points[-1] == (cup.counted, cup.trial.llr)
    assert len(chart.lines[0].points) == cup.counted // 2 + 1
    assert [y for _, y in chart.limits] == [cup.trial.test.lower, cup.trial.test.upper]
