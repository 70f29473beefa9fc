"""Misbehaving Gomocup brains: the right loser, in time, no process left; and harmless quirks."""

import os
import re
import time
from functools import partial
from pathlib import Path

import pytest
from bench.misbehaving import engine, gomocup
from bench.misbehaving.engine import BEHAVIOURS
from bench.misbehaving.gomocup import QUIRKS
from bench.misbehaving.verdicts import GOES_ON, expected

from descriptors import none_left_open
from gyoji.core.clocks import TimeControl
from gyoji.core.spec import GameSpec
from patient_players import LONG_CLOCK, PYTHON, SHORT_CLOCK, patient_player
from processes import kill, left_behind, marked
from standstill import play_through

SCRIPTED = (*PYTHON, str(Path(gomocup.__file__)))
WAITED_FOR = {
    **dict.fromkeys(("silent", "deaf", "partial", "drip", "garbage", "none", "babble"), "move"),
    **dict.fromkeys(("never-ready", "slow-ready"), "startup"),
}
"""Budgets that are spent, a move's where there is no clock. Nobody else's is short: a busy machine costs
nobody the game."""
LIMIT = 100  # seconds of wall time a game may take

pytestmark = pytest.mark.process


player = partial(patient_player, "gomocup")


def game(bad, token, *, clock="none", max_moves=30, **options):
    """Return the record of a game of `bad` against a brain that plays well."""
    spec = GameSpec(
        id="0",
        pairing="0",
        game="gomoku",
        players=(bad, player("good", SCRIPTED, token, budgets={"close": "20s"})),
        options={"max_moves": max_moves, **options},
        clock=TimeControl.parse(clock),
    )
    began = time.monotonic()
    with none_left_open():
        report = play_through(spec)
    took = time.monotonic() - began
    assert report.void is None, report.void
    assert took < LIMIT
    return report.record


def scripted(token, *words, quirks=(), **settings):
    flags = [word for quirk in quirks for word in ("--quirk", quirk)]
    return player("bad", (*SCRIPTED, *flags, *words), token, **settings)


def outcome(name, *words, **settings):
    """Return the outcome of a game of a scripted brain, which lost as its seat should."""
    token = f"{os.getpid()}-gomocup-{name}"
    rules = settings.pop("rules", {})
    ended = game(scripted(token, *words, **settings), token, **rules).result.outcome
    assert left_behind(token) == {}
    if ended.is_forfeit:
        check_forfeit(ended)
    return ended


def check_forfeit(ended):
    """Seat 0 has lost, and one line says why."""
    assert (ended.seat, ended.winner) == (0, 1), ended
    assert ended.detail.startswith("forfeit by bad: "), ended
    assert ended.detail.isprintable()


@pytest.mark.parametrize(
    "is_clocked",
    [True, pytest.param(False, marks=[pytest.mark.slow, pytest.mark.nightly])],
    ids=["clocked", "unclocked"],
)
@pytest.mark.parametrize("name", BEHAVIOURS)
def test_misbehaviour_costs_its_owner_the_game_and_nobody_else_anything(name, is_clocked):
    token = f"{os.getpid()}-gomocup-{name}-{is_clocked}"
    verdicts = expected("gomocup", name, is_clocked=is_clocked)
    words = ("--protocol", "gomocup", "--do", name, "--at", "6", "--mib", "16")
    words += ("--seconds", "1") if name == "late" else ()
    clock = SHORT_CLOCK if is_clocked and "time" in verdicts else None
    short = {WAITED_FOR[name]: "300ms"} if name in WAITED_FOR and clock is None else {}
    bad = player("bad", (*PYTHON, str(Path(engine.__file__)), *words), token, budgets=short, clock=clock)
    record = game(bad, token, clock=LONG_CLOCK if is_clocked else "none")
    ended = record.result.outcome
    assert (ended.ending.value if ended.is_forfeit else GOES_ON) in verdicts, ended
    if ended.is_forfeit:
        check_forfeit(ended)
    else:
        assert record.result.turns == 30
    if name == "daemon":  # what leaves the session is ended by a worker: see the tests of the system
        kill(marked(token))
    assert left_behind(token) == {}


@pytest.mark.parametrize("text", ["99999999999,1", "100,100", "-1,-1", "15,0"])
def test_a_point_off_the_board_loses_at_once_and_is_quoted(text):
    ended = outcome(f"off{text}", "7,7", text)
    assert ended.ending.value == "ill-formed move"
    assert ended.detail == f"forfeit by bad: ill-formed move {text!r}"


def test_an_occupied_point_loses():
    assert outcome("occupied", "7,7", "7,7").detail == "forfeit by bad: occupied point h8"


def test_megabytes_without_the_end_of_a_line_lose():
    ended = outcome("endless", "endless")
    assert ended.detail == "forfeit by bad: sent a line of more than 65536 bytes"


def test_text_that_is_no_move_is_waited_out():
    ended = outcome("text", "h8", budgets={"move": "300ms"})
    assert re.fullmatch(r"forfeit by bad: gave no answer for [\d.]+s.*; it had said 'h8'", ended.detail)


def test_what_a_brain_complained_of_is_in_the_ruling_if_it_does_not_answer():
    said = "; it had said 'ERROR not enough memory'"
    left = outcome("fail-leave", "7,7", "fail-and-leave")
    assert left.detail == f"forfeit by bad: exited (exit 3){said}"
    silent = outcome("fail", "7,7", "fail", budgets={"move": "300ms"})
    assert silent.detail.startswith("forfeit by bad: gave no answer for ")
    assert silent.detail.endswith(said)
    late = outcome("fail-late", "fail", clock="300ms")
    assert late.ending.value == "time"
    assert late.detail.endswith(said)
    assert said not in outcome("fail-before", "ERROR_hm+7,7", "leave").detail


def test_an_error_as_an_answer_loses_at_once_if_the_player_is_strict():
    ended = outcome("strict", "fail", strict=True)
    assert (ended.ending.value, ended.detail) == (
        "rejection",
        "forfeit by bad: answered with 'ERROR not enough memory'",
    )


def test_a_brain_without_a_board_of_that_size_does_not_start():
    ended = outcome("size", quirks=["no-size"])
    assert ended.detail == "forfeit by bad: at start-up: refused START 15: 'ERROR unsupported size'"


def test_a_brain_that_leaves_loses():
    assert outcome("leave", "7,7", "leave").detail == "forfeit by bad: exited (exit 0)"


@pytest.mark.parametrize("quirk", sorted(QUIRKS.keys() - {"no-size"}))
def test_a_quirk_costs_nothing(quirk):
    ended = outcome(quirk, "7,7", quirks=[quirk])
    assert not ended.is_forfeit, ended


def test_answers_before_the_question_are_not_played_and_are_mentioned():
    token = f"{os.getpid()}-gomocup-early"
    early = scripted(token, "7,7+8,8+9,9", "10,10", budgets={"close": "20s"})
    record = game(early, token, max_moves=6)
    assert [turn[0].move for turn in record.turns[::2]][:2] == ["h8", "k11"]
    assert record.result.late == ("bad: answered 2 times when nothing was asked, first '8,8'",)


def test_a_brain_that_ignores_end_is_ended_in_its_closing_time():
    token = f"{os.getpid()}-gomocup-noend"
    record = game(scripted(token, quirks=["no-end"]), token, max_moves=6)
    (late,) = record.result.late
    assert late.startswith("bad: when told to quit: gave no answer for ")
    assert record.result.engines[0].status == "signal 9"
    assert left_behind(token) == {}


def test_a_brain_that_has_exited_has_quit_even_if_a_child_holds_its_output_open():
    token = f"{os.getpid()}-gomocup-child"
    brain = scripted(token, quirks=["child-at-end"], budgets={"close": "20s"})
    record = game(brain, token, max_moves=6)
    assert record.result.late == ()
    assert record.result.engines[0].status == "exit 0"
    assert left_behind(token) == {}


def test_a_brain_that_knows_no_swap2_loses_and_is_told_why():
    ended = outcome("swap2", quirks=["unknown"], rules={"swap2": True, "rule": "standard"})
    assert ended.detail == "forfeit by bad: does not know SWAP2BOARD: it answered 'UNKNOWN command'"


def test_messages_are_comments_on_the_moves_they_came_with():
    token = f"{os.getpid()}-gomocup-words"
    words = ("MESSAGE_good_luck+DEBUG_secret+7,7", "8,8", "9,9+MESSAGE_bye")
    record = game(scripted(token, *words), token, max_moves=5)
    assert [turn[0].comment for turn in record.turns[::2]] == ["good luck", "", "bye"]
