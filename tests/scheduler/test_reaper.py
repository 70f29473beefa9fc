"""Whatever carries a run's mark is found and ended; whatever does not is left alone."""

import os
import secrets
import subprocess
import sys

import pytest
from fakes import marked_processes

from gyoji.scheduler import reaper

pytestmark = pytest.mark.process

BREEDER = """
import os, time
for _ in range(4):
    os.fork()
    os.setsid() if os.getpid() != os.getsid(0) else None
print(end=".", flush=True)
time.sleep(600)
"""


@pytest.fixture
def mark():
    mark = secrets.token_hex(16)
    yield mark
    reaper.sweep(mark)


def start(value, code="print(end='.', flush=True); input()"):
    """Return a process with that mark, once it runs."""
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, reaper.VARIABLE: value},
    )
    assert process.stdout.read(1) == b"."
    return process


def close(process):
    process.kill()
    process.communicate()


def test_a_sweep_ends_what_carries_the_mark_and_nothing_else(mark):
    ours = [start(mark), start(f"{mark}.1"), start(f"{mark}.12")]
    others = [start(f"{mark}2"), start(f"x{mark}"), start(mark[:-1])]
    assert reaper.sweep(f"{mark}.1") == 1
    assert ours[1].wait(10) == -9
    assert reaper.sweep(mark) == 2
    assert [process.poll() for process in others] == [None] * 3
    assert reaper.sweep(mark) == 0
    for process in ours + others:
        close(process)


def test_a_sweep_ends_what_multiplies(mark):
    first = start(mark, BREEDER)
    assert reaper.sweep(mark) > 1
    assert marked_processes(mark) == []
    close(first)


def test_the_reaper_ends_everything_when_its_pipe_closes_and_not_before(mark, tmp_path):
    victim = start(mark)
    folder = tmp_path / "scratch"
    (folder / "1").mkdir(parents=True)
    words = [sys.executable, "-S", "-I", reaper.__file__, mark, str(folder)]
    with subprocess.Popen(words, stdin=subprocess.PIPE) as guard:
        guard.stdin.write(b"x" * 100)
        guard.stdin.flush()
        assert victim.poll() is None
        assert folder.exists()
    assert guard.returncode == 0
    assert not folder.exists()
    assert victim.wait(10) == -9
    close(victim)
