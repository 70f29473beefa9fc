"""The event log and the history are written whatever happens, and nowhere once they are closed."""

import os
import signal

import pytest

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameResult, VoidGame
from gyoji.play.loop import Loop
from gyoji.scheduler.events import Journal

HOSTILE = "\x1b]0;mine\x07\x1b[2J\x9b1m\u202e\u2028"
HARMLESS = "\\u001b]0;mine\\u0007\\u001b[2J\\u009b1m\\u202e\n"


@pytest.fixture
def files(tmp_path):
    return tmp_path / "e.log", tmp_path / "e.hist"


def test_no_engine_says_anything_to_the_terminal_of_who_reads_the_log_or_the_history(files):
    warnings: list[str] = []
    journal = Journal(*files, warnings.append)
    outcome = Outcome(points=(1.0, 0.0), ending=Ending.FAULT, detail=HOSTILE)
    result = GameResult(
        id="0_0",
        pairing="0",
        players=("a", "b"),
        outcome=outcome,
        engines=(),
        wall_ns=0,
        turns=1,
        started="",
        warnings=(HOSTILE,),
    )
    journal.finished(result, ("a wrote to stderr:", f"    {HOSTILE}"), [HOSTILE])
    journal.voided(
        VoidGame(id="0_1", pairing="0", players=("a", "b"), reason=HOSTILE, started="", late=(HOSTILE,)),
        [HOSTILE],
    )
    journal.close()
    log, history = (file.read_text() for file in files)
    assert log.count(HARMLESS) == 5
    assert history == f"{HARMLESS}\n"
    assert all(char.isprintable() or char == "\n" for char in log + history)
    assert warnings == []


def test_a_signal_is_acted_on_while_it_is_caught_and_no_longer():
    heard = []
    loop = Loop()
    with loop.catching({signal.SIGUSR1: lambda: heard.append("in time")}):
        os.kill(os.getpid(), signal.SIGUSR1)
        loop.wait(0)
        os.kill(os.getpid(), signal.SIGUSR1)
    loop.wait(0)
    loop.close()
    assert heard == ["in time"]


def test_what_is_logged_after_the_end_goes_nowhere(tmp_path):
    warnings = []
    journal = Journal(tmp_path / "log", tmp_path / "history", warnings.append)
    journal.log("first")
    journal.close()
    with (tmp_path / "other").open("wb") as one, (tmp_path / "more").open("wb") as two:
        journal.log(f"late, to {one.fileno()} or {two.fileno()}")  # the numbers the journal had
    journal.close()
    written = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert written == {"log": "first\n", "history": "", "other": "", "more": ""}
    assert warnings == []
