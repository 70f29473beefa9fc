"""The event log and the history, whatever engines have said."""

import pytest

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameResult, VoidGame
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
