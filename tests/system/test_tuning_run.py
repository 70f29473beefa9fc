"""A tuner run for real: engines started with parameters, stopped half way, resumed, reported."""

import json
import re
import sqlite3
import sys
from pathlib import Path

import pytest

from gyoji.store.store import Store

pytestmark = [pytest.mark.process, pytest.mark.slow]

ENGINE = Path(__file__).with_name("rated_engine.py")
PYTHON = f"{sys.executable} -S -E {ENGINE}"

TOML = f"""
competition = "auto_tuner"
seed = 1
board_size = 9
komi = 7.5
number_of_games = 60
check_games = 4
opponent = "weak"

[players.weak]
command = "{PYTHON} 0"

[candidate]
command = "{PYTHON} {{chance:.3f}}"

[[parameters]]
code = "chance"
min = 0
max = 1
"""

CTL = f"""
competition_type = "mc_tuner"

players = {{'weak' : Player("{PYTHON} 0")}}

parameters = [
    Parameter('chance', scale = LINEAR(0, 1), split = 4, format = "C: %.3f"),
    ]

def make_candidate(chance):
    return Player("{PYTHON} %f" % chance)

board_size = 9
komi = 7.5
opponent = 'weak'
candidate_colour = 'b'
number_of_games = 30
exploration_coefficient = 0.45
initial_visits = 4
initial_wins = 2
"""


def draw(database, secret):
    """Make the database of a competition that has drawn that secret: gomill's files give no seed."""
    Store.open(database, database.stem, create=True).close()
    connection = sqlite3.connect(database)
    with connection:
        connection.execute("UPDATE about SET value = ? WHERE key = 'secret'", (str(secret),))
    connection.close()


def test_a_template_is_tuned_stopped_and_resumed(gyoji):
    (gyoji.folder / "tune.toml").write_text(TOML)
    assert gyoji("run", "tune.toml", "-q", "-j", "2", "--max-games", "6")[0] == 0
    assert json.loads(gyoji("show", "tune.toml", "--json")[1])["played"] == 6
    assert gyoji("run", "tune.toml", "-q", "-j", "2")[0] == 0
    values = json.loads(gyoji("show", "tune.toml", "--json")[1])
    assert (values["played"], values["remaining"]) == (60, 0)
    assert values["tables"]["check"][0]["games"] == 4
    status, out, _ = gyoji("export", "tune.toml", "--to", "candidates")
    assert (status, out.splitlines()[0], len(out.splitlines())) == (0, "chance,score", 61)
    assert 0 < values["best"]["chance"] <= 1
    records = sorted((gyoji.folder / "tune.games").iterdir())
    assert len(records) == 64
    match = [record.read_text() for record in records if record.name.startswith("check-")]
    assert len(match) == 4
    assert all("Candidate parameters: best chance:" in text for text in match)
    records = [record for record in records if not record.name.startswith("check-")]
    notes = [re.search(r"Candidate parameters: chance:([01]\.\d+)", record.read_text()) for record in records]
    assert all(notes)
    assert len({note[1] for note in notes}) == 30


def test_a_file_of_gomills_finds_the_best_engine(gyoji):
    (gyoji.folder / "tune.ctl").write_text(CTL)
    draw(gyoji.folder / "tune.db", 2)
    status, out, err = gyoji("run", "tune.ctl")  # one at a time, so that the same games are played each time
    assert (status, err) == (0, "")
    assert re.search(r"Best parameters: C: 0\.[68]", out)
    report = (gyoji.folder / "tune.report").read_text().splitlines()
    assert report[:4] == ["MCTS tuning event: tune", "board size: 9", "komi: 7.5", "30/30 games played"]
    assert report[-2:] == ["opponent (weak): rated", ""]
    history = (gyoji.folder / "tune.hist").read_text().splitlines()
    assert len(history) == 30
    assert {re.sub(r"\d", "0", line) for line in history} == {
        "C: 0.000 [(0,)] won",
        "C: 0.000 [(0,)] lost",
    }
