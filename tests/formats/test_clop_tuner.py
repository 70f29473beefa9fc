"""The CLOP tuner: its regression, its draws, when it fits, and what resuming makes of it."""

import numpy as np
import pytest
from msgspec import structs

import shown as report
from gyoji.core.faults import ConfigError
from gyoji.formats.clop_tuner import Parameter
from gyoji.formats.clop_tuner.regression import Regression
from gyoji.tuning.scales import EXPLICIT, LINEAR, LOG
from gyoji.tuning.series import uniform
from tuner_events import event, parameter, play, result, settings, values


def regression(dimensions=2, *, correlations=True, locality=3.0):
    return Regression(dimensions, correlations=correlations, locality=locality)


def sample(count, odds, dimensions=2):
    """Points all over the cube, and games won there by chance with these log-odds."""
    points = [tuple(uniform("x", n, axis) for axis in range(dimensions)) for n in range(count)]
    scores = [float(uniform("y", n) < 1 / (1 + np.exp(-odds(point)))) for n, point in enumerate(points)]
    return points, scores


def hill(point):
    return 1 - 8 * sum((x - best) ** 2 for x, best in zip(point, (0.3, 0.7), strict=True))


@pytest.mark.parametrize(
    ("dimensions", "correlations", "games"), [(1, True, 6), (3, True, 20), (3, False, 14)]
)
def test_a_fit_needs_two_games_for_each_of_its_terms(dimensions, correlations, games):
    assert regression(dimensions, correlations=correlations).first_fit == games


def test_the_fit_finds_a_hill():
    model = regression().fit(*sample(2000, hill))
    assert model.best == pytest.approx((0.3, 0.7), abs=0.06)
    assert all(spread < 0.25 for spread in model.spread)


def test_without_anything_to_find_all_games_count():
    model = regression().fit(*sample(500, lambda point: 0.0))
    assert model.weights.mean() > 0.3
    assert model.best == pytest.approx((0.5, 0.5), abs=0.25)


def test_games_that_are_all_won_are_no_trouble():
    points, _ = sample(30, hill)
    model = regression().fit(points, [1.0] * 30)
    assert 0.9 < regression().expected(model, model.best) < 1


def test_locality_keeps_more_games():
    narrow, wide = (regression(locality=each).fit(*sample(800, hill)) for each in (1.0, 10.0))
    assert narrow.weights.sum() < wide.weights.sum()


def test_draws_are_where_the_weights_are():
    fit = regression()
    model = fit.fit(*sample(2000, hill))
    drawn = np.array([fit.draw(model, number) for number in range(200)])
    assert drawn.mean(axis=0) == pytest.approx(model.best, abs=0.05)
    assert drawn.std(axis=0) == pytest.approx(model.spread, rel=0.4)
    assert ((drawn >= 0) & (drawn <= 1)).all()
    assert fit.draw(model, 7) == fit.draw(model, 7) != fit.draw(model, 8)


# The tuner


def best_in_the_corner(spec):
    rave, bias = values(spec)
    return float(uniform(spec.seed) < 0.2 + 0.4 * rave + 0.003 * bias)


def test_a_model_is_fitted_anew_at_every_tenth_more_games():
    tuner = event("clop_tuner", number_of_games=200)
    sizes = []
    while (spec := tuner.next_game()) is not None:
        tuner.add(result(spec, score=best_in_the_corner(spec)))
        if (model := tuner.tuner.model) is not None and len(model.points) not in sizes:
            sizes.append(len(model.points))
    assert sizes[:3] == [12, 13, 14]
    assert sizes[-3:] == [163, 179, 196]


def test_candidates_play_both_colours():
    specs = play(event("clop_tuner"), lambda spec: 1.0, 3)
    assert [[player.code for player in spec.players] for spec in specs] == [
        ["#0", "opp"],
        ["opp", "#0"],
        ["#1", "opp"],
    ]


def test_records_keep_positions_in_the_unit_of_the_bounds():
    spec = event("clop_tuner").next_game()
    rave, bias = (float(word) for word in spec.pairing.split(","))
    assert values(spec) == (rave, bias)
    assert 1 <= bias <= 100


def test_bounds_may_be_moved_and_games_outside_still_count():
    stored = [result(spec) for spec in play(event("clop_tuner"), best_in_the_corner)]
    moved = (
        parameter(Parameter, "rave", LINEAR(0.5, 1.5)),
        parameter(Parameter, "bias", LOG(10, 100)),
    )
    tuner = event("clop_tuner", parameters=moved, number_of_games=50)
    for each in stored:
        tuner.add(each)
    assert min(point[0] for point in tuner.tuner.model.points) < 0
    assert all(0.5 <= values(spec)[0] <= 1.5 for spec in play(tuner, best_in_the_corner))


def test_whole_numbers_and_lists_are_positions_too():
    mixed = (
        parameter(Parameter, "n", LINEAR(0, 3, integer=True)),
        parameter(Parameter, "mode", EXPLICIT(("a", "b"))),
    )
    specs = play(event("clop_tuner", parameters=mixed), lambda spec: spec.seed % 2)
    words = {player.command[1:] for spec in specs for player in spec.players if "#" in player.code}
    assert words <= {(str(n), mode) for n in range(4) for mode in "ab"}
    assert len(words) > 4


@pytest.mark.parametrize("pairing", ["", "0.5", "a,b"])
def test_a_game_of_other_parameters_is_refused(pairing):
    tuner = event("clop_tuner")
    stored = structs.replace(result(tuner.next_game()), pairing=pairing)
    with pytest.raises(ConfigError, match="which is no point of 2 parameters"):
        tuner.add(stored)


def test_settings_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"^locality: expected 0.1 or more"):
        settings("clop_tuner", locality=0.0)


def test_the_report_gives_the_estimate_and_the_region():
    tuner = event("clop_tuner", number_of_games=200)
    assert list(report.screen_lines(tuner)) == ["0/200 games played", "", "no estimate before 12 games"]
    assert report.values(tuner, {})["best"] is None
    play(tuner, best_in_the_corner)
    lines = report.report_lines(tuner)
    assert lines[:5] == ["CLOP tuning event: tune", "board size: 9", "komi: 7.5", "200/200 games played", ""]
    assert lines[5].startswith("Best parameters: R 0.")
    assert lines[6].startswith("expected score: 0.")
    assert lines[8].split() == ["parameter", "best", "1", "sd", "below", "1", "sd", "above"]
    low, high = (float(word) for word in lines[9].split()[2:])
    assert low < report.values(tuner, {})["best"]["rave"] < high
    (place,) = (number for number, line in enumerate(lines) if line.startswith("opponent (opp): opp "))
    assert lines[place + 1 : place + 3] == ["", ""]
    assert lines[place + 3].startswith("estimate from 200 games: ")
    assert lines[place + 5].split() == ["parameter", "best", "95", "%", "interval", "start"]
