"""What candidates are made of: gaps in players, formats, points as text, chance, colours, results."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameResult
from gyoji.core.spec import Player
from gyoji.formats.mc_tuner import Parameter
from gyoji.tuning.games import CandidateColour, score
from gyoji.tuning.parameters import described, fill, filled, gaps, values_at
from gyoji.tuning.scales import Linear
from gyoji.tuning.series import (
    format_point,
    normal,
    parse_point,
    pick,
    recorded_number,
    recorded_points,
    uniform,
)
from tuner_events import OPPONENT, make, parameter

PLAYER = Player(
    code="candidate",
    command=("engine", "--a={a}", "{{b}}"),
    partner=("dog", "{b:.1f}"),
    environ={"A": "{a}"},
    options={"startup": ("set {a}", ["x", {"y": "{c}"}]), "level": 3, "fast": True},
)


def test_gaps_are_found_wherever_an_engine_may_be_told_something():
    assert gaps(PLAYER) == ("a", "b", "c")


def test_a_player_is_filled_everywhere():
    assert filled(PLAYER, {"a": 1, "b": 2.26, "c": "z"}) == replace(
        PLAYER,
        command=("engine", "--a=1", "{b}"),
        partner=("dog", "2.3"),
        environ={"A": "1"},
        options={"startup": ("set 1", ["x", {"y": "z"}]), "level": 3, "fast": True},
    )


@given(st.text())
def test_a_text_with_its_braces_doubled_stays_as_it_is(text):
    assert fill(text.replace("{", "{{").replace("}", "}}"), {}) == text


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "'{': .*write a literal brace twice"),
        ("a}", "write a literal brace twice"),
        ("{a!r}", "a gap is {code} or {code:format}"),
        ("{a:{b}}", "a gap is"),
        ("{a:d}", "1.5 in a gap with the format 'd'"),
    ],
)
def test_a_text_that_is_no_template_is_refused(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        fill(text, {"a": 1.5, "b": 2})


def test_values_are_shown_by_their_formats():
    parameters = [
        parameter(Parameter, "a", Linear(0, 1), split=2, format="a %.2f"),
        parameter(Parameter, "b", Linear(0, 10), split=2),
    ]
    assert described(parameters, (0.5, 3)) == "a 0.50; b:3"
    assert described(parameters, ("x", (1, 2))) == "[a?x]; b:(1, 2)"


def test_a_function_that_fails_at_a_point_is_told():
    bad = parameter(Parameter, "a", Linear(0, 1), split=2)
    with pytest.raises(ConfigError, match="parameter a: no value for None: TypeError"):
        values_at([bad], [None])


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_a_point_is_read_as_it_was_written(point):
    assert parse_point(format_point(point)) == tuple(point)


def game(pairing="0.5,1.0", points=(1.0, 0.0), ending=Ending.SCORE, players=("#1", "opp"), name="7"):
    return GameResult(
        id=name,
        pairing=pairing,
        players=players,
        outcome=Outcome(points=points, ending=ending),
        turns=1,
        engines=(),
        started="",
        wall_ns=0,
    )


@pytest.mark.parametrize("text", ["", "x", "1.0", "1.0,2.0,3.0", "nan,1.0", "inf,1"])
def test_a_game_that_was_played_at_no_such_point_is_refused(text):
    with pytest.raises(
        ConfigError, match=r"stored game '7' was played at .* expected 1 point of 2 parameters"
    ):
        recorded_points(game(text), 2, 1)


@pytest.mark.parametrize("name", ["", "a", "-1", "1_0", "²"])
def test_a_game_that_has_no_number_is_refused(name):
    with pytest.raises(ConfigError, match="is not a game of this tuner"):
        recorded_number(game(name=name))


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (game(), 1),
        (game(players=("opp", "#1")), 0),
        (game(points=(0.5, 0.5)), 0.5),
        (game(points=None), 0.25),
        (game(points=(0.5, 0.5), ending=Ending.NO_RESULT), 0.25),
        (game(points=(0.0, 1.0), players=("opp", "g1#2", "opp", "g1#2")), 1),
    ],
)
def test_the_score_is_the_candidates(result, expected):
    assert score(result, unknown=0.25) == expected


def test_a_game_without_a_candidate_is_refused():
    with pytest.raises(ConfigError, match="it has no candidate"):
        score(game(players=("a", "b")))


def test_candidates_are_recognised_by_a_mark_that_no_other_player_can_have():
    assert "#" in make("#1", ()).code
    assert "#" not in OPPONENT.code


@pytest.mark.parametrize(
    ("word", "colour", "seats"),
    [
        ("b", CandidateColour.BLACK, [0, 0, 0, 0]),
        ("White", CandidateColour.WHITE, [1, 1, 1, 1]),
        ("ALTERNATING", CandidateColour.ALTERNATING, [0, 1, 0, 1]),
        ("r", CandidateColour.RANDOM, None),
    ],
)
def test_the_candidates_seat_is_that_of_its_colour(word, colour, seats):
    assert CandidateColour.convert(word) is colour
    got = [colour.seat(number, 7, f"{number}") for number in range(4 if seats else 100)]
    if seats:
        assert got == seats
    else:
        assert 30 < sum(got) < 70
        assert got == [colour.seat(0, 7, f"{number}") for number in range(100)]


@pytest.mark.parametrize("word", ["", "bw", "red", 3, None])
def test_what_is_no_colour_is_refused(word):
    with pytest.raises(ValueError, match='expected one of "black", "white", "random", "alternating"'):
        CandidateColour.convert(word)


def test_draws_have_the_distribution_that_they_should():
    draws = [normal(1, number) for number in range(2000)]
    assert abs(sum(draws)) / 2000 < 0.1
    assert 0.9 < sum(draw * draw for draw in draws) / 2000 < 1.1
    assert all(0 < uniform(number) < 1 for number in range(2000))
    assert {pick(3, number) for number in range(50)} == {0, 1, 2}
