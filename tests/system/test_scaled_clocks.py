"""Clocks go by the speed of the machine: games are played, told, resumed and verified with scaled ones."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.core.outcome import Ending
from gyoji.play.speed import ANSWER, Speed
from gyoji.store.store import Store

pytestmark = [pytest.mark.process, pytest.mark.slow]
BIN = Path(sys.executable).parent

SLOW = f"""#!{sys.executable}
import sys, time
answers = {{"protocol_version": "2", "name": "slow", "list_commands": "genmove", "genmove": "pass"}}
for line in sys.stdin:
    word = line.split()[0]
    if word == "genmove":
        time.sleep(0.6)
    print("=", answers.get(word, ""), end="\\n\\n", flush=True)
"""

CUP = """
competition = "playoff"
board_size = 5
komi = 0.5
clock = "3s/move"
scale_clocks = {scaled}

[players.a]
command = "./slow"
[players.b]
command = "{bin}/gyoji-kozo --random"

[[matchups]]
players = ["a", "b"]
number_of_games = 2
"""


def gyoji(*words):
    result = CliRunner().invoke(app, [*map(str, words)])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def cup(tmp_path, monkeypatch):
    monkeypatch.setattr("gyoji.scheduler.slots.measure", lambda slots: Speed(10.0, ANSWER))
    (tmp_path / "slow").write_text(SLOW)
    (tmp_path / "slow").chmod(0o755)
    path = tmp_path / "cup.toml"
    path.write_text(CUP.format(bin=BIN, scaled="true"))
    gyoji("run", path, "-q")
    return path


def test_on_a_machine_ten_times_as_fast_there_is_a_tenth_of_the_time_and_the_record_says_so(cup):
    with Store.read(cup.with_suffix(".db")) as store:
        results = list(store.results())
        spec, _ = store.record("0_0")
        stored = store.as_played(1).spec
    assert [(result.outcome.ending, result.outcome.seat) for result in results] == [(Ending.TIME, 0)] * 2
    assert {result.clock_factor for result in results} == {0.1}
    assert spec.clock.describe() == "0.3s/move"
    assert (stored.clock.describe(), stored.clock_factor) == ("3s/move", 1.0)
    assert "no differences" in gyoji("verify", cup)
    gyoji("run", cup)  # nothing is played again
    with Store.read(cup.with_suffix(".db")) as store:
        assert store.count == 2
    # Others do not count with these
    cup.write_text(CUP.format(bin=BIN, scaled="false"))
    assert "scale clocks yes, not no" in gyoji("show", cup)
