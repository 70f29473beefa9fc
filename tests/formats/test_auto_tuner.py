"""The automatic tuner: who plays whom, what is recorded, and what resuming makes of it."""

import pytest
from msgspec import structs

import shown as report
from gyoji.core.faults import ConfigError
from gyoji.formats.auto_tuner import Parameter
from gyoji.tuning.scales import Explicit, Linear, Log
from gyoji.tuning.series import parse_point, uniform
from tuner_events import event, parameter, play, result, settings


def level(spec):
    return float(uniform(spec.seed) < 0.5)


def one(scale, **more):
    return event("auto_tuner", parameters=(parameter(Parameter, "p", scale, **more),), number_of_games=None)


def test_candidates_play_each_other_both_ways_round():
    first, second, third = play(event("auto_tuner"), level, 3)
    assert [player.code for player in first.players] == ["#0+", "#0-"]
    assert [player.code for player in second.players] == ["#0-", "#0+"]
    assert third.players[0].code == "#1+"
    assert first.pairing == second.pairing != third.pairing
    plus, minus = map(parse_point, first.pairing.split(";"))
    assert first.players[0].command[1:] == tuple(map(str, plus))
    assert first.players[1].command[1:] == tuple(map(str, minus))


def test_candidates_play_the_opponent_if_there_is_one():
    specs = play(event("auto_tuner", opponent="opp"), level, 4)
    assert [[player.code for player in spec.players] for spec in specs] == [
        ["#0", "opp"],
        ["opp", "#0"],
        ["#1", "opp"],
        ["opp", "#1"],
    ]
    assert ";" not in specs[0].pairing


def test_a_game_counts_for_the_candidate_that_won_it():
    tuner = event("auto_tuner", parameters=(parameter(Parameter, "p", Linear(0, 1)),), number_of_games=200)

    def larger(spec):
        plus, minus = map(parse_point, spec.pairing.split(";"))
        return float(plus > minus)

    play(tuner, larger)
    assert tuner.tuner.best[0] > 0.85


@pytest.mark.parametrize(
    ("scale", "allowed"),
    [
        (Linear(0, 4, integer=True), {0, 1, 2, 3, 4}),
        (Log(1, 16, integer=True), set(range(1, 17))),
        (Explicit((1, 2, 4)), {1, 2, 4}),
    ],
)
def test_whole_numbers_and_lists_stand_where_their_values_are(scale, allowed):
    tuner = one(scale)
    for spec in play(tuner, level, 60):
        for (exact,) in map(parse_point, spec.pairing.split(";")):
            position = scale.position(exact)
            assert scale(position) in allowed
            assert scale.exact(position) == pytest.approx(exact)
            if getattr(scale, "integer", False):
                assert exact == pytest.approx(scale(position))


@pytest.mark.parametrize(
    ("values", "size"),
    [((1, 2, 4), 0), ((4.0, 2, 1), 0), (("slow", "fast"), 2), (("a", 1, "b"), 3)],
)
def test_numbers_have_an_order_and_words_have_none(values, size):
    tuner = one(Explicit(values))
    assert tuner.tuner.search.sizes == (size,)


def test_bounds_may_be_moved_between_two_runs():
    def tuner(high):
        kind = parameter(Parameter, "p", Linear(0, high))
        return event("auto_tuner", parameters=(kind,), number_of_games=None)

    spec = tuner(1).next_game()
    plus, minus = tuner(2).tuner.where(result(spec))
    exact = [parse_point(text) for text in spec.pairing.split(";")]
    assert plus == pytest.approx([exact[0][0] / 2])
    assert minus == pytest.approx([exact[1][0] / 2])


@pytest.mark.parametrize("pairing", ["0.5,0.5", "0.5;0.5", "0.1,0.2;0.3,0.4;0.5,0.6", "a,b;c,d", ""])
def test_a_game_of_other_parameters_is_refused(pairing):
    tuner = event("auto_tuner")
    game = structs.replace(result(tuner.next_game()), pairing=pairing)
    with pytest.raises(ConfigError, match="expected 2 points of 2 parameters"):
        tuner.add(game)


def test_a_game_that_nobody_can_judge_is_level():
    tuner = event("auto_tuner", number_of_games=2)
    play(tuner, lambda spec: None)
    assert tuner.tuner.played == 2
    assert tuner.tuner.best is None


def test_the_report_says_when_there_will_be_an_estimate_and_then_which():
    tuner = event("auto_tuner", number_of_games=40)
    play(tuner, level, 4)
    assert "no estimate before 16 games" in "\n".join(report.report_lines(tuner))
    assert report.values(tuner)["best"] is None
    play(tuner, level)
    lines = "\n".join(report.report_lines(tuner))
    assert "Best parameters: R 0." in lines
    assert "models: quadratic " in lines
    told = report.values(tuner)
    assert set(told["best"]) == {"rave", "bias"}
    assert len(told["standard_deviation"]) == 2


def test_the_opponent_is_named_in_the_report():
    tuner = event("auto_tuner", opponent="opp")
    play(tuner, level, 2)
    assert "opponent (opp): opp 0" in "\n".join(report.report_lines(tuner))


def test_the_settings_are_checked():
    with pytest.raises(ValueError, match="expected one parameter"):
        settings("auto_tuner", parameters=())
    with pytest.raises(ValueError, match="number_of_games"):
        settings("auto_tuner", number_of_games=-1)
