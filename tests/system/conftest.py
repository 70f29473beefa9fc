"""What the tests of the whole system share: the instant engine, compiled once, and runs of the command."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from processes import MARK, kill, left_behind, marked

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def instant(tmp_path_factory):
    """The instant GTP engine, an executable."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler (cc or gcc) on PATH")
    program = tmp_path_factory.mktemp("instant") / "gtp_instant"
    source = ROOT / "bench" / "engines" / "gtp_instant.c"
    subprocess.run([compiler, "-O2", "-o", program, source], check=True)
    return program


class Command:
    """Runs `gyoji` as a user would; all its processes carry a mark by which they are found again."""

    def __init__(self, folder):
        self.folder = folder
        self.token = f"{os.getpid()}-{folder.name}"
        self.environ = {**os.environ, MARK: self.token}

    def command(self, *words):
        return [sys.executable, "-m", "gyoji", *map(str, words)]

    def start(self, *words, **options):
        return subprocess.Popen(
            self.command(*words),
            cwd=self.folder,
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            **options,
        )

    def __call__(self, *words, timeout=300):
        """Run to the end: (exit status, standard output, standard error)."""
        process = self.start(*words)
        out, err = process.communicate(timeout=timeout)
        return process.returncode, out, err

    def left(self):
        """Return the processes of ours that are still there."""
        return left_behind(self.token)


@pytest.fixture
def gyoji(tmp_path):
    command = Command(tmp_path)
    yield command
    kill(marked(command.token))
