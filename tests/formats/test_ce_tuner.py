"""The cross-entropy tuner: gomill's arithmetic, its reports, and what resuming and extending make of it."""

from statistics import fmean, pvariance

import pytest

import shown as report
from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.formats.ce_tuner import CrossEntropy, Parameter, Scored, Spread, Transform
from gyoji.tuning.games import CandidateColour
from tuner_events import event, make, play, result, settings, values


def good(spec):
    """Return the score of a candidate that is better with more of the first parameter."""
    return float(values(spec)[0] > 0.6)


def cross_entropy(**changes):
    full = {"samples": 4, "elite": 0.5, "step": 0.8, "seed": 1} | changes
    return CrossEntropy([Spread(0.5, 1.0), Spread(2.0, 4.0)], **full)


def scored(*rows):
    return [Scored(number, point, score, 3) for number, (point, score) in enumerate(rows)]


def test_the_distribution_moves_towards_its_elite():
    learner = cross_entropy()
    learner.learn(scored(((1.0, 0.0), 2), ((9.0, 9.0), 0), ((3.0, 2.0), 3), ((8.0, 8.0), 1)))
    assert learner.spreads[0] == pytest.approx((0.8 * 2.0 + 0.2 * 0.5, 0.8 * 1.0 + 0.2 * 1.0))
    assert learner.spreads[1] == pytest.approx((0.8 * 1.0 + 0.2 * 2.0, 0.8 * 1.0 + 0.2 * 4.0))


def test_of_equals_the_later_candidate_is_better():
    learner = cross_entropy(elite=0.25)
    learner.learn(scored(((1.0, 0.0), 2), ((5.0, 0.0), 2), ((3.0, 2.0), 1), ((8.0, 8.0), 2)))
    assert [each.number for each in learner.closed[0][1]] == [3, 1, 0, 2]
    assert learner.spreads[0].mean == pytest.approx(0.8 * 8 + 0.2 * 0.5)


@pytest.mark.parametrize(
    ("elite", "samples", "count"),
    [(0.1, 5, 1), (0.1, 4, 1), (0.1, 15, 2), (0.1, 14, 1), (0.3, 5, 2), (0.01, 9, 1)],
)
def test_the_elite_is_a_share_rounded_and_one_at_least(elite, samples, count):
    assert cross_entropy(elite=elite).elite_count(samples) == count


def test_candidates_are_drawn_from_the_distribution():
    points = cross_entropy(samples=3000).draw(0)
    for axis, (mean, variance) in enumerate(((0.5, 1.0), (2.0, 4.0))):
        drawn = [point[axis] for point in points]
        assert fmean(drawn) == pytest.approx(mean, abs=0.1)
        assert pvariance(drawn) == pytest.approx(variance, rel=0.1)


def test_ids_and_codes_name_generation_candidate_and_round():
    specs = play(event("ce_tuner"), good)
    assert [spec.id for spec in specs[5:8]] == ["g0#5r0", "g0#0r1", "g0#1r1"]
    assert [player.code for player in specs[18].players] == ["opp", "g1#0"]
    assert len(specs) == 3 * 6 * 3


def test_the_record_says_what_was_played():
    spec = event("ce_tuner").next_game()
    rave, bias = values(spec)
    assert spec.note == f"Candidate parameters: R {rave:.2f}; B {bias:.1f}"
    assert spec.pairing == f"{rave!r},{bias!r}"


@pytest.mark.parametrize(("score", "points"), [(1.0, 1), (0.5, 0.5), (None, 0.5), (0.0, 0)])
def test_a_win_is_one_and_what_nobody_knows_a_half(score, points):
    tuner = event("ce_tuner")
    tuner.add(result(tuner.next_game(), score=score))
    assert [each.score for each in tuner.tuner.generations.last] == [points, 0, 0, 0, 0, 0]


def test_nothing_of_a_generation_is_issued_before_the_one_before_it_is_complete():
    tuner = event("ce_tuner")
    specs = [tuner.next_game() for _ in range(18)]
    assert tuner.next_game() is None
    assert tuner.remaining() == 36
    for spec in specs:
        tuner.add(result(spec, score=good(spec)))
    assert tuner.next_game().id == "g1#0r0"


def test_results_of_a_generation_may_come_in_any_order():
    tuner, again = event("ce_tuner"), event("ce_tuner")
    stored = [result(spec, score=good(spec)) for spec in play(tuner, good, 18)]
    for each in reversed(stored):
        again.add(each)
    assert again.tuner.learner.spreads == tuner.tuner.learner.spreads
    assert again.next_game() == tuner.next_game()


def test_an_event_that_is_over_can_be_extended():
    tuner = event("ce_tuner")
    stored = [result(spec, score=good(spec)) for spec in play(tuner, good)]
    longer = event("ce_tuner", number_of_generations=4)
    for each in stored:
        longer.add(each)
    assert (tuner.remaining(), longer.remaining()) == (0, 18)
    spec = longer.next_game()
    assert spec.id == "g3#0r0"
    assert longer.tuner.learner.spreads == tuner.tuner.learner.spreads


def test_a_larger_batch_leaves_what_is_over_as_it_was():
    tuner = event("ce_tuner")
    stored = [result(spec, score=good(spec)) for spec in play(tuner, good, 20)]
    larger = event("ce_tuner", batch_size=5)
    for each in stored:
        larger.add(each)
    assert larger.tuner.learner.spreads == tuner.tuner.learner.spreads
    assert larger.tuner.generations.number == 1
    assert larger.remaining() == 60 - 2


def test_points_come_from_the_records_not_from_chance():
    stored = [result(spec, score=good(spec)) for spec in play(event("ce_tuner"), good, 20)]
    other = event("ce_tuner", seed=99)
    for each in stored:
        other.add(each)
    assert other.tuner.generations.last[0].point == tuple(map(float, stored[18].pairing.split(",")))


def test_games_of_an_opening_are_the_same_for_all_candidates():
    openings = Openings(lines=("h8", "j9"))
    tuner = event(
        "ce_tuner",
        game="gomoku",
        options={"board_size": 15, "opening": ""},
        openings=openings,
        batch_size=4,
        candidate_colour=CandidateColour.ALTERNATING,
    )
    specs = play(tuner, lambda spec: 1.0, 24)
    per_candidate = {}
    for spec in specs:
        seat = [player.code for player in spec.players].index(spec.id[:4])
        per_candidate.setdefault(spec.id[:4], []).append((spec.options["opening"], seat))
    assert set(map(tuple, per_candidate.values())) == {(("h8", 0), ("h8", 1), ("j9", 0), ("j9", 1))}


def test_values_are_transformed_held_between_bounds_and_rounded():
    free = Parameter(code="x", initial_mean=1.0, initial_variance=1.0, format="%s")
    assert free.value(2.6) == 2.6
    bound = Parameter(
        code="x",
        initial_mean=1.0,
        initial_variance=1.0,
        transform=Transform.convert("exp10"),
        min=2,
        max=500,
        integer=True,
        format="%d",
    )
    assert [bound.value(x) for x in (0.0, 1.04, 9.0)] == [2, 11, 500]


@pytest.mark.parametrize("name", ["none", "exp", "exp2", "exp10"])
def test_transforms_have_names(name):
    assert Transform.convert(name).function(0.0) == (0.0 if name == "none" else 1.0)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"elite_proportion": 1.0}, "elite_proportion: expected more than 0 and less than 1, got 1"),
        ({"step_size": 0.0}, "step_size: expected more than 0"),
        ({"batch_size": 0}, "batch_size: expected 1 or more"),
        ({"parameters": ()}, "parameters: expected one parameter"),
    ],
)
def test_settings_that_do_not_fit_are_refused(changes, complaint):
    with pytest.raises(ValueError, match=f"^{complaint}"):
        settings("ce_tuner", **changes)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"initial_variance": -1.0}, "initial_variance: expected 0 or more, got -1"),
        ({"transform": Transform(lambda x: 1 / 0)}, "transform: it fails at initial_mean: ZeroDivisionError"),
        ({"format": "x"}, "format: 'x' does not show 1.0"),
        ({"min": 3.0, "max": 2.0}, "max: expected 3 or more, which is min, got 2"),
    ],
)
def test_a_parameter_that_cannot_be_is_refused(changes, complaint):
    full = {"code": "x", "initial_mean": 1.0, "initial_variance": 1.0, "format": "%s"} | changes
    with pytest.raises(ValueError, match=f"^{complaint}"):
        Parameter(**full)


def test_a_transform_that_fails_in_play_ends_the_run_with_a_message():
    shy = Parameter(
        code="x",
        initial_mean=1.0,
        initial_variance=1e6,
        transform=Transform(lambda x: x if x == 1.0 else 1 / 0),
        format="%s",
    )
    with pytest.raises(ConfigError, match=r"parameter x: no value for .*: ZeroDivisionError"):
        event("ce_tuner", parameters=(shy,), candidate=make)


# Reports


def test_the_report_is_gomills():
    tuner = event("ce_tuner")
    play(tuner, good, 40)
    assert report.report_lines(tuner) == [
        "CEM tuning event: tune",
        "board size: 9",
        "komi: 7.5",
        "generation 2",
        "",
        "wins from current samples:",
        "[1, 1, 1, 1, 0, 0]",
        "",
        "distribution for generation 2:",
        "R 1.57; B 2.0",
        " 1.57~0.06  2.00~0.00",
    ]


def test_the_last_distribution_is_called_final():
    tuner = event("ce_tuner")
    play(tuner, good)
    lines = list(report.screen_lines(tuner))
    assert lines[0] == "generation 3"
    assert lines[3] == "[3, 3, 3, 3, 3, 3]"
    assert lines[5] == "final distribution:"


def test_the_history_has_each_generation_ranked_with_its_elite_marked():
    tuner = event("ce_tuner")
    written = []
    while (spec := tuner.next_game()) is not None:
        stored = result(spec, score=None if spec.id == "g0#1r0" else good(spec))
        tuner.add(stored)
        written.append(list(report.history_lines(tuner, stored)))
    assert [len(lines) for lines in written] == ([0] * 17 + [11]) * 3
    lines = written[17]
    assert lines[:4] == ["Generation 0", "Distribution", "R 0.50; B 2.0", " 0.50~1.00  2.00~0.00"]
    scores = [float(line.split()[-1]) for line in lines[4:-1]]
    assert scores == sorted(scores, reverse=True)
    assert 0.5 in [score % 1 for score in scores]
    assert [line[4] for line in lines[4:-1]] == ["*", "*", " ", " ", " ", " "]
    assert {line[:4] for line in lines[4:-1]} == {f"g0#{number}" for number in range(6)}
    assert lines[-1] == ""
