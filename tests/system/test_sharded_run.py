"""A competition in two shards, played by the commands that a user types, and joined."""

import subprocess
import sys
from functools import partial

import pytest

from commands import run

pytestmark = [pytest.mark.process, pytest.mark.slow]

CUP = """competition = "playoff"
game = "go"
board_size = 5
komi = 3.5
clock = "1m"
[players]
kozo = { command = "gyoji-kozo" }
chance = { command = "gyoji-kozo --random" }
[[matchups]]
players = ["kozo", "chance"]
number_of_games = 8
"""


def test_two_shards_are_played_with_a_break_and_gathered(tmp_path):
    (tmp_path / "cup.toml").write_text(CUP)
    gyoji = partial(run, sys.executable, "-m", "gyoji", cwd=tmp_path, stderr=subprocess.PIPE, timeout=300)
    assert "--shard N/2" in gyoji("shard", "cup.toml", "2")
    assert "4/8 games" in gyoji("run", "cup.toml", "--shard", "1/2", "-j", "2")
    assert "missing: 4 of shard 2" in gyoji("gather", "cup.toml", "cup.shards/1-of-2.db", status=3)
    assert "1/8 games" in gyoji("run", "cup.toml", "--shard", "2/2", "--max-games", "1")
    assert "4/8 games" in gyoji("run", "cup.toml", "--shard", "2/2")
    databases = ["cup.shards/1-of-2.db", "cup.shards/2-of-2.db"]
    assert "8 of 8 games are here" in gyoji("gather", "cup.toml", *databases)
    assert "8/8 games" in gyoji("show", "cup.toml")
    assert "no differences" in gyoji("verify", "cup.toml")
