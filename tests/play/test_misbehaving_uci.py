"""Misbehaving UCI engines: the right loser, in time, no process left; and harmless quirks."""

import os
from functools import partial
from pathlib import Path

import pytest
from bench.misbehaving import engine, uci
from bench.misbehaving.engine import BEHAVIOURS
from bench.misbehaving.uci import QUIRKS, illegal_move, legal_move
from bench.misbehaving.verdicts import GOES_ON, expected

from descriptors import none_left_open
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import IllegalMove
from gyoji.core.spec import GameSpec
from gyoji.games.chess.game_options import Options, rules
from patient_players import LONG_CLOCK, PYTHON, SHORT_CLOCK, patient_player
from processes import kill, left_behind, marked
from standstill import play_through

QUIRKY = (*PYTHON, str(Path(uci.__file__)))
WAITED_FOR = {
    **dict.fromkeys(("silent", "deaf", "partial", "drip", "babble"), "move"),
    **dict.fromkeys(("never-ready", "slow-ready"), "startup"),
    **dict.fromkeys(("no-uciok", "no-readyok", "no-readyok-again", "error"), "startup"),
}
"""Budgets that are spent, a move's where there is no clock. Nobody else's is short: a busy machine costs
nobody the game."""

LENGTH = 40  # of a game of two engines that behave

pytestmark = pytest.mark.process


player = partial(patient_player, "uci")


def game(bad, token, clock=LONG_CLOCK):
    """Return the result of a game of `bad` against an engine that plays well; it lost as its seat should."""
    good = player("good", (*QUIRKY, "well"), token, budgets={"close": "20s"}, depth=1)
    spec = GameSpec(id="0", pairing="0", game="chess", players=(bad, good), clock=TimeControl.parse(clock))
    with none_left_open():
        report = play_through(spec)
    assert report.void is None, report.void
    result = report.record.result
    if result.outcome.is_forfeit:
        assert (result.outcome.seat, result.outcome.winner) == (0, 1), result.outcome
        assert result.outcome.detail.startswith("forfeit by bad: ")
        assert result.outcome.detail.isprintable()
    else:
        assert (result.outcome.ending.value, result.turns) == ("repetition", LENGTH)
    return result


def verdict(outcome):
    return outcome.ending.value if outcome.is_forfeit else GOES_ON


def test_the_engines_of_these_tests_play_a_legal_game():
    position, table = rules(Options()).start(), rules(Options())
    for played in range(LENGTH):
        with pytest.raises(IllegalMove):
            table.play(position, ((played % 2, illegal_move(played).decode()),))
        position = table.play(position, ((played % 2, legal_move(played).decode()),))
    assert position.end == "repetition"


@pytest.mark.parametrize("name", QUIRKS)
def test_a_quirk_costs_what_it_should_and_nobody_else_anything(name):
    token = f"{os.getpid()}-uci-{name}"
    short = {WAITED_FOR[name]: "300ms"} if name in WAITED_FOR else {}
    clock = SHORT_CLOCK if "time" in QUIRKS[name][2] else None
    options = {"options": {"Hash": 32}} if "option" in name else {}
    bad = player("bad", (*QUIRKY, name), token, budgets=short, clock=clock, **options)
    result = game(bad, token)
    assert verdict(result.outcome) in QUIRKS[name][2], result.outcome
    assert left_behind(token) == {}
    if name in ("two-moves", "out-of-the-blue"):
        assert any("when nothing was asked" in line for line in result.late), result.late


@pytest.mark.slow
@pytest.mark.parametrize(
    "is_clocked",
    [True, pytest.param(False, marks=[pytest.mark.slow, pytest.mark.nightly])],
    ids=["clocked", "unclocked"],
)
@pytest.mark.parametrize("name", BEHAVIOURS)
def test_misbehaviour_costs_its_owner_the_game_and_nobody_else_anything(name, is_clocked):
    token = f"{os.getpid()}-uci-{name}-{is_clocked}"
    verdicts = expected("uci", name, is_clocked=is_clocked)
    words = ("--protocol", "uci", "--do", name, "--at", "6", "--mib", "16")
    words += ("--seconds", "1") if name == "late" else ()
    clock = SHORT_CLOCK if is_clocked and "time" in verdicts else None
    short = {WAITED_FOR[name]: "300ms"} if name in WAITED_FOR and clock is None else {}
    options = {} if is_clocked else {"depth": 1}
    command = (*PYTHON, str(Path(engine.__file__)), *words)
    bad = player("bad", command, token, budgets=short, clock=clock, **options)
    result = game(bad, token, LONG_CLOCK if is_clocked else "none")
    assert verdict(result.outcome) in verdicts, result.outcome
    if name == "daemon":  # what leaves the session is ended by a worker: see the tests of the system
        kill(marked(token))
    assert left_behind(token) == {}
