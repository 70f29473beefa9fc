"""The SPSA tuner: its gains, its games, its rounding, and what resuming makes of it."""

from dataclasses import replace

import pytest
from msgspec import structs

import shown as report
from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.formats.spsa_tuner import Parameter
from tuner_events import event, play, result, settings, values

N, C_END, R_END = 100, 0.1, 0.002
FREE = Parameter(code="x", min=-50, max=50, start=0, c_end=C_END, r_end=R_END, format="%s")
WHOLE = Parameter(code="n", min=0, max=100, start=50.25, c_end=0.1, integer=True, format="%d")


def tuner(*parameters, **changes):
    return event("spsa_tuner", parameters=parameters or (FREE,), **{"number_of_iterations": N, **changes})


def fishtest(iteration):
    """c_k and R_k as fishtest computes them."""
    a_end, big_a = R_END * C_END**2, 0.1 * N
    c_k = C_END * N**0.101 / iteration**0.101
    return c_k, a_end * (big_a + N) ** 0.602 / ((big_a + iteration) ** 0.602 * c_k**2)


@pytest.mark.parametrize("iteration", [1, 2, 50, 100])
def test_changes_and_moves_are_those_of_fishtest(iteration):
    walk = tuner().tuner.walk
    c_k, r_k = fishtest(iteration)
    pair = walk.pair(iteration)
    assert abs(pair.plus[0]) == pytest.approx(c_k)
    assert pair.minus[0] == -pair.plus[0]
    flip = 1 if pair.plus[0] > 0 else -1
    walk.move(iteration, pair, 2.0)
    assert walk.place[0] == pytest.approx(r_k * c_k * 2 * flip)


def test_an_iteration_is_a_game_of_each_colour_between_its_two_candidates():
    specs = play(tuner(), lambda spec: 1.0, 4)
    assert [(spec.id, [player.code for player in spec.players]) for spec in specs] == [
        ("0", ["#1+", "#1-"]),
        ("1", ["#1-", "#1+"]),
        ("2", ["#2+", "#2-"]),
        ("3", ["#2-", "#2+"]),
    ]
    assert specs[0].pairing == specs[1].pairing


def test_parameters_move_when_both_games_are_in_and_not_for_one_win_each():
    event = tuner()
    first, second = event.next_game(), event.next_game()
    event.add(result(first, score=1.0))
    assert event.tuner.walk.place == (0,)
    event.add(result(second, score=0.0))
    assert event.tuner.walk.place == (0,)
    assert event.tuner.iterations == 1
    third, fourth = event.next_game(), event.next_game()
    event.add(result(fourth, score=1.0))
    event.add(result(third, score=None))
    assert event.tuner.walk.place != (0,)


def test_parameters_stay_in_their_range():
    edge = replace(FREE, min=0.0, max=0.05)
    walk = tuner(edge).tuner.walk
    pair = walk.pair(1)
    assert sorted((*pair.plus, *pair.minus)) == [0.0, 0.05]
    walk.move(1, pair, 1e9 if pair.plus > pair.minus else -1e9)
    assert walk.place == (0.05,)


def test_whole_numbers_are_rounded_by_chance_and_changed_by_half_at_least():
    event = tuner(WHOLE, number_of_iterations=400)
    given = [values(spec)[0] for spec in play(event, lambda spec: 0.5)]
    assert set(given) <= {49, 50, 51}
    assert sum(given) / len(given) == pytest.approx(50.25, abs=0.1)
    assert event.tuner.walk.change(WHOLE, 400) == 0.5


def test_the_record_says_what_both_were_given():
    spec = tuner(FREE, WHOLE).next_game()
    plus, minus = (player.command[1:] for player in spec.players)
    assert spec.note == (f"Candidate parameters: + {plus[0]}; {plus[1]} | - {minus[0]}; {minus[1]}")


def test_an_iteration_has_as_many_games_as_an_opening():
    openings = Openings(lines=("h8", "j9"), games=4)
    options = {"board_size": 15, "opening": ""}
    specs = play(tuner(game="gomoku", options=options, openings=openings), lambda spec: 1.0, 5)
    assert [spec.options["opening"] for spec in specs] == ["h8"] * 4 + ["j9"]
    assert [spec.players[0].code for spec in specs] == ["#1+", "#1-", "#1+", "#1-", "#2+"]


def test_an_iteration_that_lacks_a_game_gets_it_from_where_it_began():
    event = tuner()
    specs = [event.next_game() for _ in range(4)]
    stored = [result(specs[number]) for number in (0, 2, 3)]
    again = tuner()
    for each in stored:
        again.add(each)
    assert again.tuner.iterations == 1
    assert again.tuner.walk.place != (0,)
    assert again.next_game() == specs[1]


@pytest.mark.parametrize("pairing", ["", "1.0", "1.0;x", "1.0;1.0;1.0", "1.0,2.0;1.0,2.0"])
def test_a_game_of_no_such_pair_is_refused(pairing):
    event = tuner()
    stored = structs.replace(result(event.next_game()), pairing=pairing)
    with pytest.raises(ConfigError, match="expected 2 points of 1 parameter"):
        event.add(stored)


def test_only_a_candidate_is_checked():
    checks = [spec.players[0] for spec in tuner().checks()]
    assert [(player.code, player.command) for player in checks] == [("candidate", ("candidate", "0"))]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"min": 60.0}, "max: expected more than min, which is 60, got 50"),
        ({"start": 51.0}, "start: expected -50 to 50, got 51"),
        ({"c_end": 0.0}, "c_end: expected more than 0"),
        ({"r_end": -1.0}, "r_end: expected more than 0"),
        ({"integer": True, "min": 0.5, "start": 1.0}, "min: expected a whole number, got 0.5"),
        ({"format": "x"}, "format: 'x' does not show"),
    ],
)
def test_a_parameter_that_cannot_be_is_refused(changes, complaint):
    with pytest.raises(ValueError, match=f"^{complaint}"):
        replace(FREE, **changes)


def test_a_parameter_begins_in_its_middle_and_is_changed_by_a_tenth():
    table = Parameter.complete({"code": "x", "min": 10, "max": 50}, 0)
    assert table == {"code": "x", "min": 10, "max": 50, "start": 30, "c_end": 4, "format": "x:%s"}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"number_of_iterations": 0}, "number_of_iterations: expected 1"),
        ({"stability": -1.0}, "stability: expected 0"),
        ({"alpha": 1.0}, "alpha: expected more than 0 and less than 1"),
    ],
)
def test_settings_that_do_not_fit_are_refused(changes, complaint):
    with pytest.raises(ValueError, match=f"^{complaint}"):
        settings("spsa_tuner", **changes)


def test_the_report_says_where_each_parameter_has_got_to():
    event = tuner(FREE, WHOLE)
    play(event, lambda spec: 0.5, 3)
    assert report.report_lines(event) == [
        "SPSA tuning event: tune",
        "board size: 9",
        "komi: 7.5",
        "1/100 iterations, 3 games played",
        "",
        "Parameters: 0.0; 50",
        "",
        "parameter now    start  tried up and down by min  max",
        "x             0      0               0.1485  -50   50",
        "n         50.25  50.25                  0.5    0  100",
        "",
    ]
    assert report.values(event)["best"] == {"x": 0, "n": 50}


def test_the_winner_draws_the_parameters_towards_itself():
    """Candidates of more x are better; x cannot go down but by the luck of equals."""

    def more_wins(spec):
        plus, minus = (next(player for player in spec.players if player.code.endswith(mark)) for mark in "+-")
        return float(float(plus.command[1]) > float(minus.command[1]))

    event = tuner(replace(FREE, r_end=0.5))
    places = []
    for _ in range(50):
        play(event, more_wins, 2)
        places.append(event.tuner.walk.place[0])
    assert places == sorted(places)
    assert places[-1] > 1


def test_its_chart_has_the_places_of_all_iterations_in_their_ranges():
    event = tuner(FREE, WHOLE)
    play(event, lambda spec: 1.0, 6)
    (chart,) = report.tables(event).charts()
    free, whole = chart.lines
    assert (free.name, free.points[0], whole.points[0]) == ("x", (0, 0.5), (0, 0.5025))
    assert [x for x, _ in whole.points] == [0, 1, 2, 3]
    assert free.points[-1][1] == pytest.approx((event.tuner.walk.place[0] + 50) / 100)
