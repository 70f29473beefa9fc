"""numpy is needed to rate players and by tuners: all else works where it cannot be imported."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from commands import run

CUP = """competition = "playoff"
board_size = 5
komi = 5.5
number_of_games = 2
players = { a = { command = "gyoji-kozo --random" }, b = { command = "gyoji-kozo --random" } }
matchups = [{ players = ["a", "b"] }]
"""


@pytest.mark.process
@pytest.mark.slow
def test_a_competition_is_played_shown_and_exported_without_numpy(tmp_path):
    (tmp_path / "numpy.py").write_text("raise ImportError('there is no numpy here')")
    (tmp_path / "cup.toml").write_text(CUP)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environ = {"PYTHONPATH": str(tmp_path), "PATH": path}
    gyoji = partial(run, sys.executable, "-m", "gyoji", cwd=tmp_path, stderr=subprocess.PIPE, **environ)

    gyoji("run", "cup.toml")
    assert "a v b (2/2 games)" in gyoji("show", "cup.toml")
    gyoji("show", "--json", "cup.toml")
    gyoji("report", "cup.toml")
    gyoji("export", "--to", "bayeselo", "cup.toml")
    gyoji("match", "gyoji-kozo --random", "gyoji-kozo --random", "--size", "5")
