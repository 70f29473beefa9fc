"""Late seats: the text of the fault, and a machine that stood still."""

import pytest

from gyoji.core import messages as m
from gyoji.core.clocks import Meter, TimeControl
from gyoji.core.faults import Breakdown, FaultKind
from gyoji.core.outcome import Ending
from gyoji.core.record import Timing, VoidGame
from gyoji.core.spec import GameSpec, Player
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.rules import rules as go_rules
from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Wait

MS = 1_000_000
S = 1000 * MS


def asked(timing, *, clock="1s", meter=Meter.WALL):
    """Return a referee that has asked the first player for a move, and knows that of the time."""
    players = (Player(code="x", command=("x",)), Player(code="y", command=("y",)))
    spec = GameSpec(
        id="0_0",
        pairing="0",
        game="go",
        players=players,
        options={"board_size": 5, "komi": 0.5},
        clock=TimeControl.parse(clock, meter=meter),
    )
    account = timing if callable(timing) else lambda: timing
    referee = Referee(spec, go_rules(GoOptions(**spec.options), 0), lambda seat: account())
    referee.begin()
    for seat in (0, 1):
        referee.replied(seat, m.Ready(), 0)
    return referee


def took(ns, **figures):
    return Timing(0, 0, ns, **figures)


@pytest.mark.parametrize(
    ("timing", "words"),
    [
        (None, "used 1.100s with 1.000s left"),
        (took(1100 * MS, delayed=0, cpu=0), "used 1.100s with 1.000s left"),
        (took(1100 * MS, delayed=10 * MS, unread=10 * MS), "used 1.100s with 1.000s left"),
        (
            took(1100 * MS, delayed=200 * MS),
            "used 1.100s with 1.000s left; of that it waited 0.2s for a processor",
        ),
        (
            took(1100 * MS, delayed=200 * MS, unread=50 * MS),
            "used 1.100s with 1.000s left; of that it waited 0.2s for a processor and was not heard for up"
            " to 0.05s",
        ),
        (
            took(2 * MS, unread=1 * MS),
            "used 1.100s with 1.000s left; of that it was not heard for up to 0.001s",
        ),
    ],
)
@pytest.mark.parametrize("answers", [True, False])
def test_a_loss_on_time_says_what_was_not_the_engines_own_doing(timing, words, answers):
    referee = asked(timing)
    if answers:
        referee.replied(0, m.Moved(0), 1100 * MS)
    else:
        referee.expired(0, 1100 * MS, 1100 * MS)
    assert referee.outcome.ending is Ending.TIME
    assert referee.outcome.detail == f"forfeit by x: {words}"


VOID = VoidGame(id="0", pairing="0", players=("x", "y"), reason="x", started="now")


@pytest.mark.parametrize("used", [1010 * MS, 1400 * MS])
def test_who_is_late_because_the_machine_stood_still_has_not_lost(used):
    referee = asked(took(used, stalled=400 * MS))
    with pytest.raises(Breakdown, match=r"machine stood still for 0\.4s while x was asked; it used 1"):
        referee.replied(0, m.Moved(0), used)
    assert referee.outcome is None
    void = referee.void(VOID)
    assert void.to_move == ("x",)


def test_who_would_have_been_late_anyway_has_lost():
    referee = asked(took(1500 * MS, stalled=400 * MS))
    referee.replied(0, m.Moved(0), 1500 * MS)
    assert referee.outcome.ending is Ending.TIME
    assert referee.outcome.detail.endswith("; the machine stood still for 0.4s")


def test_a_clock_of_cpu_time_does_not_mind_what_the_machine_did():
    referee = asked(took(60 * S, stalled=40 * S, delayed=10 * S), meter=Meter.CPU)
    referee.replied(0, m.Moved(0), 1100 * MS)
    assert referee.outcome.detail == "forfeit by x: used 1.100s with 1.000s left"


@pytest.mark.parametrize(("clock", "limit"), [("none", 600 * S), ("1s", 1 * S)])
def test_who_is_silent_has_the_time_again_for_which_the_machine_stood_still(clock, limit):
    now = limit
    stalls = {limit: 3 * S, limit + 3 * S + 1: 5 * S}  # it stands still again meanwhile
    referee = asked(lambda: took(now, stalled=stalls.get(now, 5 * S)), clock=clock)
    assert referee.expired(0, now, now) == [Wait(0, 3 * S + 1)]
    now += 3 * S + 1
    assert referee.expired(0, now, now) == [Wait(0, 2 * S)]
    now += 2 * S
    assert referee.expired(0, now, now) != []
    assert referee.outcome.seat == 0
    assert referee.outcome.detail.endswith("; the machine stood still for 5s")


def test_an_answer_in_the_time_that_is_given_again_makes_the_game_void():
    referee = asked(took(1300 * MS, stalled=400 * MS))
    referee.expired(0, 1000 * MS, 1000 * MS)
    with pytest.raises(Breakdown, match="stood still"):
        referee.replied(0, m.Moved(0), 1300 * MS)


def test_silence_of_a_machine_that_runs_is_a_fault():
    referee = asked(took(600 * S, delayed=0), clock="none")
    referee.expired(0, 600 * S, 600 * S)
    assert referee.outcome.ending is Ending.FAULT


def test_a_seat_with_time_left_is_waited_for_whatever_the_machine_did():
    assert asked(took(500 * MS, stalled=400 * MS)).expired(0, 500 * MS, 500 * MS) == [Wait(0, 500 * MS)]


def test_nobody_is_to_move_before_the_game_has_begun():
    referee = asked(None)
    assert referee.void(VOID).to_move == ("x",)
    referee.broken(0, FaultKind.EXIT, "exited")
    assert referee.void(VOID).to_move == ()
