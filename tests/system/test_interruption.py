"""Signals before a run sees to them itself: one line and status 3, no traceback, nothing left."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gyoji.cli.interruption import STOPPED
from gyoji.scheduler.status import ExitStatus

pytestmark = pytest.mark.process

ENGINE = Path(__file__).parents[1] / "play" / "small_engine.py"
CONTROL = """\
competition = "playoff"
board_size = 9
komi = 7
{settings}
[players.one]
command = '''{python} -I -S {engine} {words}'''
cwd = "private"

[[matchups]]
player_1 = "one"
player_2 = "one"
number_of_games = 2
"""
WORDS = {
    signal.SIGINT: "interrupted",
    signal.SIGTERM: "asked to end (SIGTERM)",
    signal.SIGHUP: "the terminal has gone (SIGHUP)",
}

SIGNALLED = """
import os, sys

_, module, number, *sys.argv[1:] = sys.argv

class Signal:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            os.kill(os.getpid(), int(number))

sys.meta_path.insert(0, Signal())
from gyoji.cli import main
main()
"""


def write(gyoji, words="", settings=""):
    (gyoji.folder / "event.toml").write_text(
        CONTROL.format(python=sys.executable, engine=ENGINE, words=words, settings=settings)
    )


def run_signalled(gyoji, module, number, **options):
    """Return the end of a run that gets a signal while it imports a module."""
    words = [sys.executable, "-c", SIGNALLED, module, str(int(number)), "run", "event.toml"]
    done = subprocess.run(
        words, cwd=gyoji.folder, env=gyoji.environ, capture_output=True, text=True, check=False, **options
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("number", WORDS, ids=lambda number: number.name)
@pytest.mark.parametrize("module", ["click", "gyoji.cli.app", "gyoji.scheduler.run"])
def test_a_signal_during_imports_ends_the_command_in_one_line(gyoji, module, number):
    write(gyoji)
    assert run_signalled(gyoji, module, number) == (3, f"gyoji: {WORDS[number]}\n")
    assert os.listdir(gyoji.folder) == ["event.toml"]


def test_a_signal_that_is_ignored_stays_ignored(gyoji):
    write(gyoji, settings="no_such_setting = 1")

    def ignore():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    status, told = run_signalled(gyoji, "click", signal.SIGHUP, preexec_fn=ignore)
    assert status == 2
    assert "no_such_setting" in told


@pytest.mark.parametrize("number", WORDS, ids=lambda number: number.name)
def test_a_signal_before_the_first_game_ends_the_command_in_one_line_and_all_that_it_started(gyoji, number):
    deed = f"os.kill(os.getppid(), {int(number)}); import time; time.sleep(30)"
    write(gyoji, f'--on name "{deed}"', settings='sandbox = "off"')
    status, _, told = gyoji("run", "event.toml")
    assert (status, told) == (3, f"gyoji: {WORDS[number]}\n")
    assert gyoji.left() == {}


def test_the_status_is_that_of_all_that_was_stopped():
    assert STOPPED == ExitStatus.STOPPED
