"""The adapters between GTP and the USENIX language: right translations, and no process left."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from bench.misbehaving import engine, usenix

from gyoji.core.clocks import Meter, TimeControl
from gyoji.core.spec import GameSpec, Player
from gyoji.engines import usenix_adapter
from gyoji.play.game import play
from gyoji.play.order import Order
from processes import MARK, left_behind

PYTHON = (sys.executable, "-I", "-S")
ADAPTER = (*PYTHON, str(Path(usenix_adapter.__file__)))
GTP_ENGINE = (*PYTHON, str(Path(engine.__file__)))
PROGRAM = (*PYTHON, str(Path(usenix.__file__)))
SECOND = 10**9

pytestmark = pytest.mark.process


def converse(words, text, token="none"):
    environ = os.environ | {MARK: token}
    done = subprocess.run(
        [*ADAPTER, *words], input=text.encode(), capture_output=True, timeout=60, check=False, env=environ
    )
    return done.stdout.decode()


def test_a_gtp_engine_speaks_usenix():
    token = f"{os.getpid()}-adapter"
    words = ["usenix", "--size", "9", "--", *GTP_ENGINE, "--moves", "4"]
    assert converse(words, "black\nE5\nbyo-romi\nE6\npass\nE7\n", token) == "A1\nB1\npass\n"
    assert converse(words, "white\nE5\npass\n", token) == "A1\nB1\n"
    assert left_behind(token) == {}


ECHO = """
import sys
for line in sys.stdin:
    sys.stderr.write(line)
    print("= pass" + chr(10), flush=True)
"""


@pytest.mark.parametrize(
    ("options", "told"),
    [([], "time_settings 0 10 1\n"), (["--period", "2"], "time_settings 0 2 1\n"), (["--period", "0"], "")],
)
def test_the_engine_is_told_of_byo_romi_as_the_player_likes(options, told):
    words = [*ADAPTER, "usenix", *options, "--", *PYTHON, "-u", "-c", ECHO]
    done = subprocess.run(words, input=b"white\nbyo-romi\nE5\n", capture_output=True, timeout=60, check=False)
    preparation = "boardsize 19\nclear_board\nkomi 5.5\n"
    assert done.stderr.decode() == f"{preparation}{told}play black E5\ngenmove white\nquit\n"
    assert done.stdout == b"pass\n"


@pytest.mark.parametrize("text", ["", "green\n", "black"])
def test_no_colour_or_an_end_at_once_ends_it(text):
    assert converse(["usenix", "--", *GTP_ENGINE], text).splitlines() in ([], ["A1"])


def test_a_usenix_program_speaks_gtp():
    words = ["gtp", "--size", "9", "--", *PROGRAM, "E5", "hello+C3"]
    commands = "name\nboardsize 9\nboardsize 19\nkomi 5.5\ngenmove b\nplay w d4\n7 genmove b\nquit\n"
    answers = converse(words, commands).split("\n\n")
    assert answers[1:] == ["= ", "? unacceptable size", "= ", "= E5", "= ", "=7 C3", "= ", ""]


@pytest.mark.parametrize(
    ("commands", "why"),
    [
        ("genmove w", "moves after the other side"),
        ("play w D4", "one move of the other side"),
        ("play b D4\nplay w D5", "one move of the other side"),
        ("genmove b\ngenmove b", "moves after the other side"),
        ("genmove b\nplay b D4", "one move of the other side"),
        ("play b D4\ngenmove b", "plays one colour"),
        ("play b i5", "syntax error"),
        ("play b", "syntax error"),
        ("genmove green", "syntax error"),
        ("undo", "unknown command"),
    ],
)
def test_what_the_program_cannot_be_told_is_refused(commands, why):
    *_, last, end = converse(["gtp", "--", *PROGRAM, "E5"], commands + "\n").split("\n\n")
    assert last.startswith("? ")
    assert why in last
    assert end == ""


def test_a_program_that_has_ended_fails_the_command():
    *_, last, _ = converse(["gtp", "--", *PROGRAM, "leave"], "genmove b\n").split("\n\n")
    assert last == "? the program has ended"


def test_a_new_game_has_a_new_process():
    text = converse(["gtp", "--", *PROGRAM, "E5"], "genmove b\nclear_board\nplay b D4\ngenmove w\n")
    assert text.split() == ["=", "E5", "=", "=", "=", "E5"]


@pytest.mark.parametrize("direction", ["usenix", "gtp"])
def test_sigterm_ends_the_engine_too(direction):
    token = f"{os.getpid()}-{direction}"
    command, first = (GTP_ENGINE, b"black\n") if direction == "usenix" else (PROGRAM, b"genmove b\n")
    adapter = subprocess.Popen(
        [*ADAPTER, direction, "--", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {MARK: token},
    )
    with adapter:
        adapter.stdin.write(first)
        adapter.stdin.flush()
        assert adapter.stdout.readline()
        adapter.send_signal(signal.SIGTERM)
        assert adapter.wait(60) == 128 + signal.SIGTERM
    assert left_behind(token) == {}


@pytest.mark.parametrize(
    "words", [[], ["usenix"], ["usenix", "--"], ["x", "--", "y"], ["gtp", "--size", "--", "y"]]
)
def test_a_wrong_command_line_is_told(words):
    done = subprocess.run([*ADAPTER, *words], capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert b"usage" in done.stderr


def play_adapted(**options):
    control = TimeControl(main=5 * SECOND, period=SECOND, periods=1, meter=Meter.USER)
    adapted = (*ADAPTER, "usenix", "--size", "9", "--", *GTP_ENGINE, "--moves", "12")
    native = (*PROGRAM, "J9", "J8", "J7", "J6", "J5", "J4", "J3")
    players = (
        Player(code="adapted", command=adapted, protocol="usenix", options=options),
        Player(code="native", command=native, protocol="usenix"),
    )
    rules = {"board_size": 9, "komi": 5.5, "ruleset": "japanese"}
    spec = GameSpec(id="0", pairing="0", game="go", players=players, options=rules, clock=control)
    report = play(Order(spec=spec))
    assert report.void is None, report.void
    return report.record.result


def test_an_adapted_engine_plays_a_whole_game_as_a_player_that_may_fork():
    result = play_adapted(forks=True)
    assert not result.outcome.is_forfeit, result.outcome
    assert result.turns > 12


def test_an_adapted_engine_needs_forks():
    assert play_adapted().outcome.detail == "forfeit by adapted: started a second process"


def test_the_command_line_becomes_the_adapter():
    words = [sys.executable, "-m", "gyoji", "adapt", "usenix", "--size", "9", "--", *GTP_ENGINE]
    done = subprocess.run(words, input=b"white\nE5\n", capture_output=True, timeout=60, check=False)
    assert done.stdout == b"A1\n", done.stderr
