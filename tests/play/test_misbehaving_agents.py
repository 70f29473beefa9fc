"""Agents of Dig Here that misbehave: they are out of the game, it goes on, and what they mean to do is not
guessed."""

import os
import re
import sys
import time
from pathlib import Path

import pytest
from bench.misbehaving import dighere, engine
from bench.misbehaving.verdicts import GOES_ON, OUT, expected

from descriptors import none_left_open
from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending
from gyoji.core.spec import Budgets, GameSpec, Player
from gyoji.core.text import parse_duration
from gyoji.games.dighere.fields import Agent, Field
from gyoji.games.dighere.files import json_field
from gyoji.games.dighere.plans import Cell, Treasure
from processes import MARK, kill, left_behind, marked
from standstill import play_through

PYTHON = (sys.executable, "-I", "-S")
STEPS = 4
LIMIT = 100  # seconds of wall time a game may take; the engines that it is to end would go on for longer
LATE = re.compile(r"used [\d.]+s with 0\.[0-4]\d*s left")
FIELD = Field(
    size=8,
    steps=STEPS,
    agents=(Agent(0, 0), Agent(7, 7), Agent(0, 7), Agent(7, 0)),
    known=(Treasure(7, 6, 8), Treasure(4, 4, 2)),
)
LARGE = Field(
    size=120,
    steps=STEPS,
    agents=FIELD.agents,
    holes=tuple(Cell(x, y) for x in range(120) for y in range(10, 110)),
    known=(Treasure(7, 6, 8), Treasure(4, 4, 2)),
)

pytestmark = pytest.mark.process


def player(code, command, token, *, clock=None, ponders=True):
    budgets = Budgets(move=parse_duration("20s"), close=parse_duration("300ms"))
    return Player(
        code=code,
        command=command,
        environ={MARK: token},
        protocol="dighere",
        budgets=budgets,
        stderr="discard",
        clock=clock and TimeControl.parse(clock),
        ponders=ponders,
    )


def scripted(*words):
    return (*PYTHON, str(Path(dighere.__file__)), *words)


def played(bad, token, *, others=(), clock=None, field=FIELD, asking="together", ponders=True, is_clean=True):
    """Return the record of a game of `bad` in seat 0, which has that clock, against programs that stay where
    they are, but for `others`.
    """
    commands = [bad, scripted(), scripted(), scripted()]
    for seat, command in dict(others).items():
        commands[seat] = command
    players = [
        player(code, command, token, clock=clock if code == "a" else None, ponders=ponders)
        for code, command in zip("abcd", commands, strict=True)
    ]
    spec = GameSpec(
        id="0_0",
        pairing="0",
        game="dighere",
        players=tuple(players),
        options={"opening": json_field(field)},
        clock=TimeControl.parse("60s"),
        asking=asking,
    )
    with none_left_open():
        report = play_through(spec)
    assert report.void is None, report.void
    if is_clean:
        assert left_behind(token) == {}
    return report.record


def plans_of(record, seat):
    """Return what a seat played, step by step, as far as it was asked."""
    return [each.move for turn in record.turns for each in turn if each.seat == seat]


# (script, what is played of it, what the warning says; "" for none)
ANSWERS = {
    "leaves without an answer": (["6", "leave"], ["6"], "exited (exit 3)"),
    "leaves at once": (["leave"], [], "exited (exit 3)"),
    "crashes": (["6", "6", "crash"], ["6", "6"], "exited (signal 11"),
    "answers without a line end and leaves": (["6", "6~,leave"], ["6", "6"], "exited (exit 3)"),
    "says text": (["6", "abc"], ["6"], "ill-formed move 'abc'"),
    "says text after the number": (["4abc"], [], "ill-formed move '4abc'"),
    "says a fraction": (["3.7"], [], "ill-formed move '3.7'"),
    "says a hexadecimal number": (["0x4"], [], "ill-formed move '0x4'"),
    "says more than asked": (["6", "6_5"], ["6", "6"], "said '5' before it was asked"),
    "queues its answers": (["6+6+6"], ["6"], "said '6\\n6' before it was asked"),
    "says a number of 40 bits": (["4294967302", "6"], ["2147483647", "6", "-1", "-1"], ""),
    "says numbers that are no plans": (["-7", "3", "99"], ["-7", "3", "99", "-1"], ""),
    "says blank lines before": (["++_6", "+6"], ["6", "6", "-1", "-1"], ""),
    "says a number with plus and zeros": (["+006", "+0"], ["6", "0", "-1", "-1"], ""),
    "says a lot on standard error": (["moan,6", "moan,6"], ["6", "6", "-1", "-1"], ""),
    "closes its output and stays": (["6", "mute,sleep"], ["6"], "closed its output"),
    "closes its input and answers on": (["6,deaf", "nap,6", "sleep"], ["6"], "closed its input"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_who_misbehaves_is_out_of_the_game_and_it_goes_on(name, tmp_path):
    words, expected, warning = ANSWERS[name]
    record = played(scripted(*words), f"dh-{os.getpid()}-{tmp_path.name}")
    outcome = record.result.outcome
    assert (outcome.ending, len(record.turns)) == (Ending.SCORE, STEPS)
    if warning:
        ((text),) = record.result.warnings
        assert text.startswith("a (samurai) is out of the game: ")
        assert warning in text
    else:
        assert record.result.warnings == ()
    assert plans_of(record, 0)[: len(expected)] == expected
    assert [len(turn) for turn in record.turns] == [
        4 if seat < len(plans_of(record, 0)) else 3 for seat in range(STEPS)
    ]
    for seat in (1, 2, 3):
        assert plans_of(record, seat) == ["-1"] * STEPS


@pytest.mark.parametrize("words", [["sleep"], ["6~,sleep"], ["nap", "nap", "nap"]])
def test_who_takes_too_long_is_out_of_the_game_at_its_limit(words, tmp_path):
    began = time.monotonic()
    record = played(scripted(*words), f"dh-{os.getpid()}-{tmp_path.name}", clock="250ms")
    (warning,) = record.result.warnings
    said = re.fullmatch(
        r"a \(samurai\) is out of the game: used ([\d.]+)s with 0\.250+s left(; of that it .*)?", warning
    )
    assert float(said[1]) >= 0.25
    assert len(record.turns) == STEPS
    assert plans_of(record, 0) == []
    assert time.monotonic() - began < LIMIT


def test_who_never_reads_is_out_of_the_game_even_if_the_pipe_does_not_hold_the_question(tmp_path):
    command = (*PYTHON, "-c", "import time; time.sleep(20)")
    record = played(command, f"dh-{os.getpid()}-{tmp_path.name}", clock="300ms", field=LARGE)
    assert len(record.turns) == STEPS
    assert record.result.warnings[0].startswith("a (samurai) is out of the game: ")


def test_an_agent_that_ignores_the_end_is_ended(tmp_path):
    began = time.monotonic()
    record = played(scripted(*["-1"] * (STEPS - 1), "-1,spin"), f"dh-{os.getpid()}-{tmp_path.name}")
    assert plans_of(record, 0) == ["-1"] * STEPS
    assert time.monotonic() - began < LIMIT


def test_the_game_goes_on_and_is_counted_when_all_are_out_of_it(tmp_path):
    dig = scripted("12", "leave")
    others = {1: dig, 2: scripted("x"), 3: scripted("-1", "-1,mute,sleep")}
    record = played(scripted("leave"), f"dh-{os.getpid()}-{tmp_path.name}", others=others)
    outcome = record.result.outcome
    assert (outcome.ending, outcome.points, outcome.detail) == (Ending.SCORE, (0.0, 1.0), "0 to 8")
    assert len(record.result.warnings) == 4


@pytest.mark.parametrize("asking", ["together", "in turn"])
@pytest.mark.parametrize("ponders", [True, False])
def test_agents_play_on_when_asked_one_by_one_and_when_stopped_between(asking, ponders, tmp_path):
    record = played(
        scripted("6", "4", "0"),
        f"dh-{os.getpid()}-{tmp_path.name}",
        others={1: scripted("12")},
        asking=asking,
        ponders=ponders,
    )
    assert plans_of(record, 0) == ["6", "4", "0", "-1"]
    notes = [each.note for each in record.turns[1]]
    assert notes == ["cannot move to (1,-1): outside the field", "", "", ""]
    assert record.result.outcome.detail == "0 to 8"


GENERAL = {
    "die": "exited",
    "segv": "exited",
    "last-word": "exited",
    "illegal": "",
    "garbage": "ill-formed move 'zz99 gibberish'",
    "none": LATE,
    "twice": "before it was asked",
    "noise": "",
    "late": LATE,
    "silent": LATE,
    "partial": LATE,
    "flood": "sent more than",
    "drip": LATE,
    "endless": "sent",
    "mute": "closed its output",
    "orphan": "exited",
    "early": "before it was asked",  # unless the next question is there by then
    "daemon": "",
    "babble": "ill-formed move 'usage: engine [options]'",
    "never-ready": LATE,
}


@pytest.mark.parametrize("name", GENERAL)
def test_what_every_protocol_has_to_stand_is_stood(name, tmp_path):
    command = (
        *PYTHON,
        str(Path(engine.__file__)),
        "--protocol",
        "dighere",
        "--do",
        name,
        "--at",
        "4",
        "--life",
        "20",
    )
    token = f"dh-{os.getpid()}-{tmp_path.name}"
    told = GENERAL[name]
    clock = "400ms" if told is LATE else None
    record = played(command, token, clock=clock, is_clean=name != "daemon")
    kill(marked(token))  # what leaves the session is ended by a worker: see the tests of the system
    assert len(record.turns) == STEPS
    warnings = record.result.warnings
    assert (OUT if warnings else GOES_ON) in expected("dighere", name, is_clocked=True)
    if warnings:
        assert len(warnings) == 1
        assert warnings[0].startswith("a (samurai) is out of the game: ")
        assert LATE.search(warnings[0]) if told is LATE else told in warnings[0]


def test_a_dog_that_leaves_is_called_the_dog_of_its_player(tmp_path):
    record = played(scripted(), f"dh-{os.getpid()}-{tmp_path.name}", others={2: scripted("-1", "leave")})
    (warning,) = record.result.warnings
    assert warning.startswith("c (dog) is out of the game: exited (exit 3)")
    assert record.result.left_out == (2,)
