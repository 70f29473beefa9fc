"""`gyoji contain`: an engine as another manager starts it, with our containment around it."""

import os
import select
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.executors import _proc

GYOJI = (sys.executable, "-m", "gyoji", "contain")
READY = "echo ready; "


@pytest.fixture
def contained(tmp_path):
    """Start `gyoji contain` in a working folder of its own, and end it after the test."""
    began = []
    for name in ("work", "tmp"):
        (tmp_path / name).mkdir()

    def start(*words):
        process = subprocess.Popen(
            [*GYOJI, *words],
            cwd=tmp_path / "work",
            env={**os.environ, "TMPDIR": str(tmp_path / "tmp"), "GYOJI_BENCH_TOKEN": "secret"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        began.append(process)
        return process

    yield start
    for process in began:
        process.kill()
        process.communicate()


def test_the_engine_has_the_pipes_of_its_manager_and_the_manager_its_status(contained):
    script = (
        "readlink /proc/self/fd/0 /proc/self/fd/1; echo $GYOJI_BENCH_TOKEN; cat; echo problem >&2; exit 7"
    )
    process = contained("--", "sh", "-c", script)
    pipes = [f"pipe:[{os.fstat(each.fileno()).st_ino}]" for each in (process.stdin, process.stdout)]
    out, err = process.communicate("a line\n")
    assert (out.splitlines(), err, process.returncode) == ([*pipes, "", "a line"], "problem\n", 7)


def test_it_reads_and_changes_what_it_is_given_and_nothing_else(contained, tmp_path):
    given, closed = tmp_path / "given", tmp_path / "closed"
    for each in (given, closed):
        each.mkdir()
        (each / "file").write_text(each.name)
    script = f"echo new > file && cat file; cat {given}/file; echo x > {given}/file; cat {closed}/file"
    process = contained("--sandbox", "strict", "--writable", str(given), "sh", "-c", script)
    out, err = process.communicate()
    assert (out, (given / "file").read_text()) == ("new\ngiven", "x\n")
    assert "closed/file" in err
    assert os.listdir(tmp_path / "work") == []


def test_signals_are_passed_on(contained):
    process = contained("sh", "-c", f"trap 'echo term; exit 3' TERM; {READY} while read line; do :; done")
    assert process.stdout.readline() == "ready\n"
    family = _proc.descendants(process.pid)
    (engine,) = [each for each in family if b"/sh\0-c" in _proc.read(f"/proc/{each}/cmdline")]
    process.send_signal(signal.SIGTSTP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)
    while _proc.stat_fields(engine)[0] != b"T":
        os.sched_yield()
    process.send_signal(signal.SIGCONT)
    process.send_signal(signal.SIGTERM)
    assert (process.wait(), process.stdout.read()) == (3, "term\n")


def test_an_engine_that_a_signal_ends_has_the_status_that_shells_give(contained):
    process = contained("sh", "-c", f"{READY} read line")
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGUSR1)
    assert process.wait() == 128 + signal.SIGUSR1


def test_nothing_is_left_of_it_when_its_manager_kills_it(contained, tmp_path):
    script = f"setsid sh -c 'trap \"\" HUP TERM; {READY} while :; do sleep 100; done' & cat"
    process = contained("--memory", "1GB", "--", "sh", "-c", script)
    assert process.stdout.readline() == "ready\n"
    (launcher,) = _proc.children_of(process.pid)
    ends = os.pidfd_open(launcher)
    (folder,) = (tmp_path / "tmp").iterdir()
    assert folder.name.startswith("gyoji-work-")
    os.killpg(process.pid, signal.SIGKILL)
    assert process.stdout.read() == ""  # nobody has the other end: the engine and its daemon are gone
    assert select.select([ends], [], [], 30)[0]
    os.close(ends)
    assert os.listdir(tmp_path / "tmp") == []


def test_an_engine_that_takes_too_much_memory_is_ended_and_that_is_said(contained):
    script = "x = bytearray(600 << 20); input()"
    process = contained("--memory", "300MB", "--", sys.executable, "-c", script)
    assert process.wait() == 128 + signal.SIGKILL
    assert "300MB allowed" in process.stderr.read()


def test_a_machine_that_cannot_keep_the_promise_starts_nothing(contained):
    process = contained("--", *GYOJI, "--", "echo", "started")  # there are no namespaces in a sandbox
    out, err = process.communicate()
    assert (out, process.returncode) == ("", 125)
    assert err.startswith("gyoji: guarded cannot be had on this machine: ")
    assert err.endswith("docs/how-to/trouble.md what to do about it\n")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--", "gyoji-no-such-engine"], 127, "gyoji: no program 'gyoji-no-such-engine' on PATH"),
        (["./no-such-engine", "--memory"], 127, "there is no such file"),
        (["/etc/passwd"], 126, "gyoji: '/etc/passwd' is not executable: chmod +x it"),
        (["--memory", "much", "true"], 2, "gyoji: Invalid value for --memory: 'much' is not a size"),
        (["--sandbx", "strict", "--", "true"], 2, "No such option '--sandbx'. Did you mean '--sandbox'?"),
        (["--sandbox", "off", "true"], 2, "gyoji: Invalid value for '--sandbox'"),
        (["--readable", "/no/such/file", "true"], 2, "'/no/such/file' does not exist"),
        ([], 2, "Missing argument"),
    ],
)
def test_what_cannot_be_started_is_named_with_the_status_that_shells_give(words, status, said):
    result = CliRunner().invoke(app, ["contain", *words])
    assert result.exit_code == status
    assert said in result.stderr
    assert result.stdout == ""
