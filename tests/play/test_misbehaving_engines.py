"""Misbehaving engines, with and without a clock: the right loser, in time and memory, no process left."""

import os
import resource
import sys
import time

import pytest
from bench.misbehaving import engine
from bench.misbehaving.verdicts import GOES_ON, expected

from descriptors import none_left_open
from gyoji.core.clocks import TimeControl
from gyoji.core.spec import Budgets, GameSpec, Player
from gyoji.core.text import parse_duration
from processes import MARK, kill, left_behind, marked
from standstill import play_through

LIMIT = 100  # seconds of wall time a game may take
MEMORY = 200 << 20  # bytes our process may grow by; what is written on standard error is more
SHORT_CLOCK, LONG_CLOCK = TimeControl.parse("300ms + 10ms/move"), TimeControl.parse("60s")
PATIENT = {"startup": "20s", "move": "20s", "score": "20s", "close": "300ms"}
WAITED_FOR = {
    **dict.fromkeys(("silent", "deaf", "partial", "drip"), "move"),
    **dict.fromkeys(("never-ready", "slow-ready"), "startup"),
}
"""Budgets that are spent, a move's where there is no clock. Nobody else's is short: a busy machine costs
nobody the game."""


def player(code, token, words=(), *, budgets=PATIENT, clock=None):
    spent = {name: parse_duration(text) for name, text in budgets.items()}
    command = (sys.executable, "-I", "-S", engine.__file__, *words)
    return Player(code=code, command=command, environ={MARK: token}, budgets=Budgets(**spent), clock=clock)


def play_misbehaving(name, token, *, is_clocked):
    words = ("--do", name, "--at", "6", "--mib", "16", *(("--seconds", "1") if name == "late" else ()))
    clock = SHORT_CLOCK if is_clocked and "time" in engine.BEHAVIOURS[name].clocked else None
    short = {WAITED_FOR[name]: "300ms"} if name in WAITED_FOR and clock is None else {}
    bad = player("bad", token, words, budgets=PATIENT | short, clock=clock)
    return play_through(
        GameSpec(
            id="0",
            pairing="0",
            game="go",
            players=(bad, player("good", token)),
            options={"board_size": 9, "komi": 7.5},
            clock=LONG_CLOCK if is_clocked else TimeControl(),
        )
    )


@pytest.mark.process
@pytest.mark.parametrize(
    "is_clocked",
    [True, pytest.param(False, marks=[pytest.mark.slow, pytest.mark.nightly])],
    ids=["clocked", "unclocked"],
)
@pytest.mark.parametrize("name", engine.BEHAVIOURS)
def test_misbehaviour_costs_its_owner_the_game_and_nobody_else_anything(name, is_clocked):
    token = f"{os.getpid()}-{name}-{is_clocked}"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.monotonic()
    with none_left_open():
        report = play_misbehaving(name, token, is_clocked=is_clocked)
    took = time.monotonic() - began

    assert report.void is None, report.void
    outcome = report.record.result.outcome
    verdicts = expected("gtp", name, is_clocked=is_clocked)
    if verdicts != (GOES_ON,):
        assert outcome.ending.value in verdicts, outcome
        assert (outcome.seat, outcome.winner) == (0, 1), outcome
        assert outcome.detail.startswith("forfeit by bad: "), outcome
        assert outcome.detail.isprintable()
    else:
        assert not outcome.is_forfeit, outcome
        assert report.record.result.turns > 10
    assert took < LIMIT
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10 < MEMORY
    if name == "daemon":  # what leaves the session is ended by a worker: see the tests of the system
        kill(marked(token))
    assert left_behind(token) == {}
