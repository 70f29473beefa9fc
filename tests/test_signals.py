"""The tests themselves may be started in the background, where a shell has signals ignored."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

NUMBERS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
ASK = "import signal; print([signal.getsignal(n) in (signal.SIG_IGN, None) for n in (1, 2, 3)])"
INNER = f"""
import subprocess, sys

def test_a_program_is_started_with_the_usual_signals():
    told = subprocess.run([sys.executable, "-c", {ASK!r}], capture_output=True, text=True).stdout
    assert told == "[False, False, False]\\n"
"""


def ignore_all():
    for number in NUMBERS:
        signal.signal(number, signal.SIG_IGN)


@pytest.mark.process
def test_what_tests_start_in_the_background_has_the_usual_signals(tmp_path):
    (tmp_path / "test_inner.py").write_text(INNER)
    (tmp_path / "conftest.py").write_text((Path(__file__).parent / "conftest.py").read_text())
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path],
        preexec_fn=ignore_all,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout


SEES_FILES = """
import os, subprocess, sys

def test_a_program_has_all_three_standard_files():
    assert subprocess.run([sys.executable, "-c", "import sys; sys.stdin.read()"]).returncode == 0
    assert all(os.fstat(number) for number in (0, 1, 2))
"""


@pytest.mark.process
def test_tests_that_are_started_without_stdin_have_an_empty_one(tmp_path):
    (tmp_path / "test_inner.py").write_text(SEES_FILES)
    (tmp_path / "conftest.py").write_text((Path(__file__).parent / "conftest.py").read_text())
    words = f"exec {sys.executable} -m pytest -q -p no:cacheprovider {tmp_path} <&-"
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout
