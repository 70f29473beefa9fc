"""A signal between the last moment of a run and its end finds nothing of the run to act on."""

import os
import signal

from gyoji.play.loop import Loop
from gyoji.scheduler.events import Journal


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
