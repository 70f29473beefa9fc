"""SIGKILL for anybody at any moment: afterwards every game is there, once, and no process is left."""

import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from processes import kill, marked, of_kind

GAMES = 150
MOMENTS = 30

CONTROL = """\
competition = "playoff"
board_size = 9
komi = 7.5
record_games = true

[players.one]
command = "{engine} --seed 1 --moves 20 --delay-us {delay}"

[players.two]
command = "{engine} --seed 2 --moves 20 --delay-us {delay}"

[[matchups]]
player_1 = "one"
player_2 = "two"
alternating = true
number_of_games = {games}
"""

VICTIMS = {
    "scheduler": lambda token: of_kind(token, "-m gyoji run"),
    "worker": lambda token: of_kind(token, "gyoji.play.worker")[:1],
    "engine": lambda token: of_kind(token, "gtp_instant")[:1],
    "reaper": lambda token: of_kind(token, "reaper")[:1],
    "everything": marked,
}


@pytest.mark.process
@pytest.mark.slow
def test_whoever_is_killed_every_game_is_recorded_once_and_nothing_is_left(gyoji, instant):
    control = gyoji.folder / "event.toml"
    control.write_text(CONTROL.format(engine=instant, games=GAMES, delay=20_000))
    dice = random.Random(1984)
    run, killed = None, 0
    while killed < MOMENTS:
        if run is None or run.poll() is not None:
            if run is not None:
                run.communicate(timeout=60)
            run = gyoji.start("run", "event.toml", "--parallel", "2", "--quiet")
            time.sleep(0.3)
        time.sleep(dice.uniform(0.0, 0.5))
        if run.poll() == 0:
            break
        kill(VICTIMS[dice.choice(sorted(VICTIMS))](gyoji.token))
        killed += 1
    assert killed == MOMENTS, "the competition was over before all moments had come"
    run.terminate()
    run.communicate(timeout=60)
    control.write_text(CONTROL.format(engine=instant, games=GAMES, delay=0))
    # A game that was killed four times is skipped: `--retry` plays those too.
    status, _, err = gyoji("run", "--retry", "event.toml", "--parallel", "2", "--quiet")
    assert status == 0, err

    with sqlite3.connect(gyoji.folder / "event.db") as connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM games")]
    assert len(ids) == GAMES
    assert set(ids) == {f"0_{number:03d}" for number in range(GAMES)}
    assert gyoji.left() == {}


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.nightly
def test_kills_from_the_scheduler_down_to_cells_change_no_game_and_leave_nothing():
    command = [sys.executable, "-m", "bench.kills", "--kills", "12", "--seed", "3", "--only", "playoff go"]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ["together", "12"] in [line.split()[:2] for line in done.stdout.splitlines()]
