"""The CMA-ES tuner: what it asks the package for, and what it says without it."""

import sys

import pytest

import shown as report
from gyoji.core.faults import ConfigError
from gyoji.formats.cmaes_tuner import Parameter
from gyoji.tuning.scales import LINEAR
from tuner_events import event, play, result, settings, values


def good(spec):
    return float(values(spec)[0] > 0.6)


def test_without_the_package_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "cmaes", None)
    complaint = "cmaes_tuner needs the package cmaes, which is not installed: pip install 'gyoji"
    with pytest.raises(ConfigError, match=complaint):
        event("cmaes_tuner")


def test_games_are_named_by_generation_candidate_and_round():
    specs = play(event("cmaes_tuner"), good)
    assert [spec.id for spec in specs[:4]] == ["g0#0r0", "g0#0r1", "g0#1r0", "g0#1r1"]
    assert [spec.players[0].code for spec in specs[:2]] == ["g0#0", "opp"]
    assert len(specs) == 4 * 6 * 2


def test_candidates_stay_on_the_scales():
    specs = play(event("cmaes_tuner", step_size=1.0), good)
    assert all(0 <= rave <= 1 and 1 <= bias <= 100 for rave, bias in map(values, specs))


def test_the_search_begins_where_it_is_told():
    table = Parameter.complete({"code": "x", "scale": LINEAR(0, 10), "start": 0.25}, 0)
    tuner = event("cmaes_tuner", parameters=(Parameter(**table),), step_size=0.001)
    assert values(tuner.next_game())[0] == pytest.approx(2.5, abs=0.1)


def test_the_middle_moves_to_those_that_win():
    tuner = event("cmaes_tuner", number_of_generations=8)
    play(tuner, good)
    assert tuner.tuner.learner.mean[0] > 0.6


def test_an_event_that_is_over_can_be_extended():
    stored = [result(spec, score=good(spec)) for spec in play(event("cmaes_tuner"), good)]
    longer = event("cmaes_tuner", number_of_generations=5)
    for each in stored:
        longer.add(each)
    assert longer.next_game().id == "g4#0r0"


def fold(tuner, stored):
    for each in stored:
        tuner.add(each)


def test_another_population_is_refused():
    stored = [result(spec) for spec in play(event("cmaes_tuner"), good, 13)]
    other = event("cmaes_tuner", population_size=8)
    with pytest.raises(ConfigError, match="generation 0 was of 6 candidates, not of 8: restore"):
        fold(other, stored)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"population_size": 3}, "population_size: expected 4 or more, or 0, got 3"),
        ({"step_size": 0.0}, "step_size: expected more than 0"),
        ({"batch_size": 0}, "batch_size: expected 1"),
        ({"number_of_generations": 0}, "number_of_generations: expected 1"),
    ],
)
def test_settings_that_do_not_fit_are_refused(changes, complaint):
    with pytest.raises(ValueError, match=f"^{complaint}"):
        settings("cmaes_tuner", **changes)


def test_a_start_off_the_scale_is_refused():
    with pytest.raises(ValueError, match=r"^start: expected a position on the scale from 0 to 1, got 3"):
        Parameter(code="x", scale=LINEAR(0, 10), start=3.0, format="%s")


def test_a_population_is_twelve_at_least():
    assert settings("cmaes_tuner", population_size=0).population == 12


def test_the_report_gives_the_middle_and_the_generation():
    tuner = event("cmaes_tuner")
    play(tuner, good, 20)
    lines = report.report_lines(tuner)
    assert lines[3:5] == ["generation 1/4", ""]
    assert lines[5].startswith("Best parameters: R 0.")
    assert lines[7].split() == ["parameter", "best", "spread"]
    assert lines[11] == "wins from current samples:"
    assert lines[12] == f"[{', '.join(f'{each.score:g}' for each in tuner.tuner.generations.last)}]"
    played = report.values(tuner, {})
    assert [each["code"] for each in played["candidates"]] == [f"g1#{number}" for number in range(6)]
