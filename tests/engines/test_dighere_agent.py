"""The helper for agents of Dig Here: questions, answers, and faults that it survives."""

import subprocess
import sys

import pytest
from dighere_states import drawn, question, state, told
from hypothesis import given
from hypothesis import strategies as st

from gyoji.engines.dighere import STAY, Agent, Cell, State, Treasure, read_state
from gyoji.games.dighere.game_options import Options
from gyoji.games.dighere.rules import DigHereRules, rules

FIELD = "?o.... a.A.o. .?$... ...... ..o.b. .....B"


def asked(seat):
    game = DigHereRules(drawn(FIELD, amounts={(0, 0): 4}))
    return question(game, game.start(), seat)


def test_a_dog_is_told_all_that_there_is():
    assert read_state(asked(2).splitlines()) == State(
        agent=2,
        size=6,
        step=0,
        steps=100,
        holes=(Cell(1, 0), Cell(4, 1), Cell(2, 4)),
        known=(Treasure(2, 2, 10),),
        sensed=(Treasure(0, 0, 4), Treasure(1, 2, 10)),
        agents=(Cell(2, 1), Cell(5, 5), Cell(0, 1), Cell(4, 4)),
        plans=(-1,) * 4,
        actions=(-1,) * 4,
        scores=(0, 0),
        buried=24,
        left=10_000,
    )


@given(st.integers(0, 10**9), st.lists(st.integers(-1, 23), min_size=4, max_size=40), st.integers(0, 3))
def test_what_the_protocol_says_is_what_is_read(seed, plans, seat):
    game = rules(Options(), seed)
    position = game.start()
    for step in range(len(plans) // 4):
        position = game.play(position, tuple(enumerate(plans[4 * step : 4 * step + 4])))
    assert read_state(question(game, position, seat).splitlines()) == told(game, position, seat)


@given(st.integers(0, 10**9), st.lists(st.integers(0, 7), min_size=4, max_size=40), st.integers(0, 3))
def test_a_plan_is_operable_when_it_is_carried_out_if_all_others_stay(seed, plans, seat):
    game = rules(Options(), seed)
    position = game.start()
    for step in range(len(plans) // 4):
        position = game.play(position, tuple(enumerate(plans[4 * step : 4 * step + 4])))
    now = told(game, position, seat)
    for plan in range(-3, 26):
        turn = tuple((each, plan if each == seat else STAY) for each in range(4))
        assert now.is_operable(plan) == (not game.notes(position, turn)[seat])
    assert now.operable() == [plan for plan in range(-1, 24) if now.is_operable(plan)]


def test_an_agent_answers_once_in_thirteen_lines():
    agent = Agent(lambda state: 7 + state.agent)
    said = [agent.answer(line) for line in (asked(0) + asked(2)).splitlines()]
    assert said == [b""] * 12 + [b"7\n"] + [b""] * 12 + [b"9\n"]


def test_plans_are_named_by_the_cell_they_are_about():
    now = state(FIELD)
    assert now.move(Cell(2, 0)) == 4
    assert now.dig(Cell(2, 2)) == 8
    assert state(FIELD, agent=2).plug(Cell(1, 0)) == 21
    with pytest.raises(ValueError, match="not in"):
        now.move(Cell(4, 1))
    assert [now.target(plan) for plan in (-1, 6, 14, 22)] == [Cell(2, 1), *[Cell(3, 1)] * 3]


def test_treasure_is_what_all_know_and_what_the_dog_senses():
    assert state(FIELD).treasure == {(2, 2): 10}
    assert state(FIELD, agent=2).treasure == {(2, 2): 10, (0, 0): 10, (1, 2): 10}
    assert [state(FIELD, agent=seat).is_dog for seat in range(4)] == [False, False, True, True]


@pytest.mark.parametrize(
    ("bad", "why"), [(lambda state: 1 // 0, "ZeroDivision"), (lambda state: None, "int()")]
)
def test_a_bug_costs_a_step_and_not_the_game(bad, why, capsys):
    agent = Agent(bad)
    assert [agent.answer(line) for line in asked(3).splitlines()][-1] == b"-1\n"
    assert "no plan in step 0" in (told := capsys.readouterr().err)
    assert why in told


@pytest.mark.parametrize(
    ("line", "text", "why"),
    [
        (1, b"one", "line 1: expected whole numbers, got b'one'"),
        (2, b"", "line 2: expected 1 numbers, got 0"),
        (5, b"", "line 5: expected 1 numbers, got 0"),
        (5, b"2 1 2 3", "line 5: expected 5 numbers, got 4"),
        (6, b"1 2 3", "line 6: expected 4 numbers, got 3"),
        (8, b"1 2 3 4", "line 8: expected 8 numbers, got 4"),
        (13, b"1 2", "line 13: expected 1 numbers, got 2"),
    ],
)
def test_a_question_that_is_none_ends_the_session_with_a_word(line, text, why, capsys):
    lines = asked(0).splitlines()
    lines[line - 1] = text
    agent = Agent(lambda state: 0)
    assert [agent._reply(each) for each in lines][-1] == (b"", True)
    assert capsys.readouterr().err == f"this is no question of Dig Here: {why}\n"


@pytest.mark.process
def test_an_agent_talks_until_its_input_ends():
    program = (
        "from gyoji.engines.dighere import Agent; raise SystemExit(Agent(lambda state: state.step).run())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=asked(0) + asked(2) + b"0\n", capture_output=True, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == (b"0\n0\n", b"", 0)
