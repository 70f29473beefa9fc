"""Ctrl-X, Ctrl-C and Ctrl-Z on a real terminal, under a shell that controls jobs."""

import os
import pty
import select
import signal
import sys
import termios
import time
from pathlib import Path

import pytest
from fakes import marked_processes

pytestmark = pytest.mark.process
SECONDS = 60

JOB = """
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/.."]
from fakes import WORKER, Games, Diary, make_setup
from gyoji.scheduler import run as module
from gyoji.scheduler.slots import SlotPool
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store
files = CompetitionFiles(Path(sys.argv[2]) / "event.toml")
events = open(int(sys.argv[3]), "w", closefd=False)
diary = Diary(lambda name: print(*diary.events[-1], file=events, flush=True))
with Store.open(files.database, "event", create=True) as store, SlotPool(2, command=WORKER) as pool:
    print("mark", pool.mark, file=events, flush=True)
    options = module.RunOptions(parallel=2)
    games = Games(9, dict.fromkeys(range(9), "silent"))
    end = module.run(make_setup(), games, store, files, pool, options=options, listener=diary)
sys.exit(end.status)
"""

SHELL = """
import os, signal, subprocess, sys, termios
events, is_foreground = int(sys.argv[1]), sys.argv[2] == "foreground"
def tell(*words):
    is_as_before = termios.tcgetattr(0) == before
    os.write(events, (" ".join(map(str, words)) + f" {is_as_before}\\n").encode())
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
before = termios.tcgetattr(0)
job = subprocess.Popen(sys.argv[3:], pass_fds=[events], process_group=0, restore_signals=True,
                       preexec_fn=lambda: signal.signal(signal.SIGTTOU, signal.SIG_DFL))
if is_foreground:
    os.tcsetpgrp(0, job.pid)
while True:
    _, status = os.waitpid(job.pid, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        break
    tell("stopped by", os.WSTOPSIG(status))
    os.kill(-job.pid, signal.SIGCONT)
os.tcsetpgrp(0, os.getpgrp())
tell("ended with", os.waitstatus_to_exitcode(status))
"""


class Terminal:
    """A terminal with a shell in it that runs a job; what both tell comes line by line."""

    def __init__(self, folder, *, place="foreground", wrapper=()):
        reader, writer = os.pipe()
        os.set_inheritable(writer, True)
        job = [sys.executable, "-c", JOB, str(Path(__file__).parent), str(folder), str(writer)]
        words = [sys.executable, "-c", SHELL, str(writer), place, *wrapper, *job]
        self.pid, self.screen = pty.fork()
        if not self.pid:
            os.execv(words[0], words)
        os.close(writer)
        self.events = reader
        self._rest = b""

    def line(self):
        """Return the next line, within SECONDS."""
        while b"\n" not in self._rest:
            assert select.select([self.events], [], [], SECONDS)[0], f"nothing after {self._rest!r}"
            chunk = os.read(self.events, 4096)
            assert chunk, self.output()
            self._rest += chunk
        line, self._rest = self._rest.split(b"\n", 1)
        return line.decode()

    def expect(self, *starts):
        """Check the beginnings of the next lines. Return the last line."""
        for start in starts:
            line = self.line()
            assert line.startswith(start), line
        return line

    def output(self):
        return os.read(self.screen, 1 << 16).decode() if select.select([self.screen], [], [], 0)[0] else ""

    def type(self, keys):
        os.write(self.screen, keys)

    @property
    def is_ours(self):
        """Whether the terminal hands over single keys, unechoed."""
        return not termios.tcgetattr(self.screen)[3] & (termios.ICANON | termios.ECHO | termios.IEXTEN)

    def wait_until_ours(self):
        give_up = time.monotonic() + SECONDS
        while not self.is_ours:
            assert time.monotonic() < give_up
            time.sleep(0.005)

    def close(self):
        """Wait for the end of it all; after a failed test that has to be brought about."""
        give_up = time.monotonic() + SECONDS
        while not os.waitpid(self.pid, os.WNOHANG)[0]:
            if time.monotonic() > give_up:
                for job in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split():
                    os.kill(int(job), signal.SIGKILL)
                give_up += SECONDS
            time.sleep(0.005)
        os.close(self.screen)
        os.close(self.events)


@pytest.fixture
def opened(tmp_path):
    terminals = []

    def opened(**settings):
        terminals.append(Terminal(tmp_path, **settings))
        terminals[-1].mark = terminals[-1].expect("mark").split()[1]
        terminals[-1].expect("began", "started", "started")
        return terminals[-1]

    yield opened
    for terminal in terminals:
        terminal.close()
        assert marked_processes(terminal.mark) == []


@pytest.mark.parametrize("wrapper", [(), ("/bin/sh", "-c", '"$@"; exit $?', "sh")])
def test_ctrl_x_stops_and_once_more_ends_whoever_leads_the_process_group(opened, wrapper):
    terminal = opened(wrapper=wrapper)
    assert terminal.is_ours
    terminal.type(b"ab\x18")
    terminal.expect("stopping terminal request ('g0', 'g1')")
    terminal.type(b"\x18")
    terminal.expect("stopping terminal request, twice", "ended", "ended with 3 True")


def test_ctrl_c_ends_the_run(opened):
    terminal = opened()
    terminal.type(b"\x03")
    terminal.expect("stopping interrupted ()", "ended", "ended with 3 True")


def test_ctrl_z_suspends_with_the_terminal_in_order(opened):
    terminal = opened()
    terminal.type(b"\x1a")
    terminal.expect("stopped by 20 True")
    terminal.wait_until_ours()
    terminal.type(b"\x18")
    terminal.expect("stopping terminal request")
    terminal.type(b"\x03")
    terminal.expect("stopping interrupted", "ended", "ended with 3 True")


def test_in_the_background_the_terminal_is_left_alone(opened):
    terminal = opened(place="background")
    assert not terminal.is_ours
    terminal.type(b"\x18\n")
    give_up = time.monotonic() + SECONDS
    while len(workers := marked_processes(terminal.mark)) != 2:
        assert time.monotonic() < give_up
        time.sleep(0.005)
    parent = int(Path(f"/proc/{workers[0]}/stat").read_text().rsplit(")", 1)[1].split()[1])
    os.kill(parent, 15)
    terminal.expect("stopping asked to end (SIGTERM)", "ended", "ended with 3 True")
