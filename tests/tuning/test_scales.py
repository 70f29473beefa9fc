"""Scales: gomill's, and their words in TOML."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.tuning.scales import Explicit, Function, Linear, Log, Scale, with_scale

numbers = st.floats(-1e6, 1e6)
positions = st.floats(0, 1)


@pytest.mark.parametrize(
    ("scale", "position", "value"),
    [
        (Linear(20, 30), 0.0, 20.0),
        (Linear(20, 30), 1.0, 30.0),
        (Linear(lower_bound=20, upper_bound=30), 0.49, 24.9),
        (Linear(20, 30, integer=True), 0.49, 25),
        (Linear(20, 30, integer=True), 0.51, 25),
        (Linear(-64, 256, integer=True), 0.0, -64),
        (Linear(-3, 0, integer=True), 0.5, -1),
        (Linear(5, 0), 0.2, 4.0),
        (Log(2, 200_000), 0.0, 2.0),
        (Log(2, 200_000), 0.4, 200.0),
        (Log(2, 200_000), 1.0, 200_000.0),
        (Log(1, 100, integer=True), 0.1, 2),
        (Log(-2, -200), 0.5, -20.0),
        (Explicit(["a", "b", "c"]), 0.0, "a"),
        (Explicit(["a", "b", "c"]), 0.34, "b"),
        (Explicit(["a", "b", "c"]), 1.0, "c"),
        (Function(lambda f: f * f), 0.5, 0.25),
    ],
)
def test_a_scale_gives_the_value_at_a_position(scale, position, value):
    got = scale(position)
    assert got == (pytest.approx(value) if isinstance(value, float) else value)
    assert isinstance(got, type(value))


def test_a_range_of_whole_numbers_is_met_by_as_many_cells():
    scale = Linear(-0.5, 10.5, integer=True)
    assert [scale((cell + 0.5) / 11) for cell in range(11)] == list(range(11))


@given(numbers, numbers, positions)
def test_a_linear_position_is_found_again(lower, upper, position):
    scale = Linear(lower, upper)
    if abs(upper - lower) > 1e-3:
        assert scale.position(scale.exact(position)) == pytest.approx(position, abs=1e-6)


@given(st.floats(0.01, 100), st.floats(1.1, 1000), positions, st.sampled_from((1, -1)))
def test_a_logarithmic_position_is_found_again(lower, factor, position, sign):
    scale = Log(sign * lower, sign * lower * factor)
    assert scale.position(scale.exact(position)) == pytest.approx(position, abs=1e-6)


def test_a_scale_of_one_value_has_one_position():
    assert Linear(3, 3).position(Linear(3, 3).exact(0.7)) == 0.0
    assert Log(3, 3).position(3.0) == 0.0


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: Log(0, 1), "no zero"),
        (lambda: Log(1, -2), "no zero: got 1 to -2"),
        (lambda: Linear(0, float("inf")), "are numbers"),
        (lambda: Linear(float("nan"), 1), "are numbers"),
        (lambda: Explicit([]), "expected one value or more"),
        (lambda: Scale.convert(None), "expected a scale"),
    ],
)
def test_what_is_no_scale_is_refused(make, complaint):
    with pytest.raises(ValueError, match=complaint):
        make()


@pytest.mark.parametrize(
    ("table", "scale"),
    [
        ({"min": 0, "max": 4}, Linear(0, 4)),
        ({"scale": "linear", "min": 0, "max": 4, "integer": True}, Linear(0, 4, integer=True)),
        ({"scale": "log", "min": 1, "max": 4}, Log(1, 4)),
        ({"values": [1, "x"]}, Explicit((1, "x"))),
        ({"scale": Log(1, 2)}, Log(1, 2)),
    ],
)
def test_the_words_of_a_table_are_a_scale(table, scale):
    assert with_scale({"code": "x", **table}) == {"code": "x", "scale": scale}


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ({}, "min: required, but not given; or give values"),
        ({"min": 1}, "max: required"),
        ({"min": 1, "max": 1}, "max: expected more than min, which is 1, got 1"),
        ({"min": "1", "max": 2}, "min: expected a number, got '1'"),
        ({"min": 1, "max": float("inf")}, "max: expected a number"),
        ({"min": 1, "max": 2, "integer": 1}, "integer: expected true or false"),
        ({"scale": "exp", "min": 1, "max": 2}, 'scale: expected "linear" or "log"'),
        ({"scale": "log", "min": -1, "max": 2}, "scale: a logarithmic scale"),
        ({"values": [1], "scale": "log"}, "scale: contradicts values"),
        ({"values": "abc"}, "values: expected a list"),
    ],
)
def test_words_that_are_no_scale_are_refused_at_their_key(table, complaint):
    with pytest.raises(ValueError, match=f"^{complaint}"):
        with_scale(table)
