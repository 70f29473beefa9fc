"""A machine is measured by a computation whose answer is the same everywhere."""

import sys

import pytest

from gyoji.core.faults import Breakdown
from gyoji.play import speed
from gyoji.play.speed import ANSWER, Speed, measure


def test_the_answer_is_that_of_every_machine():
    assert speed.compute() == ANSWER


@pytest.mark.process
def test_a_machine_is_measured_with_as_many_processes_as_there_are_games():
    measured = measure(2)
    assert measured.answer == ANSWER
    assert 0.01 < measured.speed < 100


@pytest.mark.parametrize(
    ("fast", "factor"),
    [(1.0, 1.0), (2.0, 0.5), (0.3333, 3.0), (1.2345, 0.81), (0.0, 100.0), (1e9, 0.01)],
)
def test_clocks_are_longer_where_everything_takes_longer(fast, factor):
    assert Speed(fast, ANSWER).factor == factor


@pytest.mark.process
@pytest.mark.parametrize("said", ["", "no number", "12"])
def test_what_is_no_measurement_is_a_breakdown(monkeypatch, said):
    monkeypatch.setattr(speed, "_COMMAND", (sys.executable, "-S", "-c", f"print({said!r})"))
    with pytest.raises(Breakdown, match="the speed of this machine cannot be measured"):
        measure()


@pytest.mark.process
def test_another_answer_than_the_right_one_is_told(monkeypatch):
    monkeypatch.setattr(speed, "_COMMAND", (sys.executable, "-S", "-c", "print(45000000, 'beef')"))
    assert measure(2) == Speed(1.0, "beef")
