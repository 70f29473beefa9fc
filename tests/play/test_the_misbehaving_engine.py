"""Each behaviour of the misbehaving engine does what its description says, as its pipes show."""

import os
import select
import signal
import subprocess
import sys
from contextlib import suppress

import pytest
from bench.misbehaving import engine as program

from gyoji.core.outcome import Ending

pytestmark = pytest.mark.process

SETUP = b"name\nboardsize 9\nclear_board\nkomi 7.5\n"
ASK, NEWS = b"genmove b\n", b"play w J9\n"


class Engine:
    """A misbehaving engine and our ends of its pipes."""

    def __init__(self, name, *words):
        command = [
            sys.executable,
            "-I",
            "-S",
            program.__file__,
            "--do",
            name,
            "--at",
            "0",
            "--life",
            "20",
            *words,
        ]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
            start_new_session=True,
        )  # fmt: skip

    def tell(self, data):
        self.process.stdin.write(data)

    def hear(self, wanted=b"\n\n", count=1, limit=1 << 20):
        """Return its output up to `wanted` for the `count`th time, its end, or more than `limit` bytes."""
        heard = b""
        while heard.count(wanted) < count and len(heard) <= limit:
            if not select.select([self.process.stdout], [], [], 10)[0]:
                raise AssertionError(f"nothing after {heard!r}")
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                return heard + b"<end>"
            heard += more
        return heard

    def is_quiet(self, seconds=0.05):
        return not select.select([self.process.stdout], [], [], seconds)[0]

    def start(self):
        self.tell(SETUP)
        self.hear(count=4)
        return self

    def ask(self):
        self.tell(ASK)
        return self

    def status(self):
        return self.process.wait(10)

    def close(self):
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


@pytest.fixture
def misbehaving():
    started = []

    def start(name, *words):
        started.append(Engine(name, *words))
        return started[-1]

    yield start
    for each in started:
        each.close()


def members(group):
    """Return the living processes of a process group."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as stat:
                state, _, pgrp = stat.read().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(pgrp) == group and state != "Z":
            found.append(int(name))
    return found


def test_without_a_misbehaviour_it_plays_legal_moves_then_passes_and_quits(misbehaving):
    engine = misbehaving("well", "--moves", "5").start()
    engine.tell((ASK + NEWS) * 4 + b"known_command genmove\nknown_command undo\nundo\nquit\n")
    answers = engine.hear(count=12).split(b"\n\n")
    assert answers[:8:2] == [b"= A1", b"= B1", b"= C1", b"= pass"]
    assert answers[8:] == [b"= true", b"= false", b"? unknown command", b"=", b""]
    assert engine.status() == 0


def test_it_misbehaves_from_the_given_number_of_moves_on(misbehaving):
    engine = misbehaving("garbage", "--at", "3").start()
    engine.tell(ASK + NEWS + ASK + NEWS)
    assert b"zz99" not in engine.hear(count=4)
    engine.tell(ASK + NEWS + ASK)
    assert engine.hear(count=3).count(b"zz99") == 2


@pytest.mark.parametrize(
    ("name", "status"), [("die", 1), ("segv", -signal.SIGSEGV), ("last-word", 0), ("orphan", 0)]
)
def test_it_exits_at_a_question(misbehaving, name, status):
    engine = misbehaving(name).start().ask()
    assert engine.status() == status
    if name == "last-word":
        assert engine.hear(b"<") == b"= A1\n\n<end>"
    if name == "orphan":
        assert members(engine.process.pid), "the child that holds the pipes"
        assert engine.is_quiet()


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("illegal", b"= J9\n\n"),
        ("garbage", b"= zz99 gibberish\n\n"),
        ("none", b"= \n\n"),
        ("twice", b"= A1\n\n= B1\n\n"),
        ("noise", b"= \x00\x01A1\n\n"),
        ("late", b"= A1\n\n"),
        ("early", b"= A1\n\n= B1\n\n"),
        ("daemon", b"= A1\n\n"),
    ],
)
def test_it_answers_and_lives_on(misbehaving, name, answer):
    engine = misbehaving(name, "--seconds", "0.01", "--life", "3").start()
    engine.tell(NEWS)
    engine.hear()
    assert engine.ask().hear(count=answer.count(b"\n\n")) == answer
    engine.tell(b"quit\n")
    assert engine.status() == 0


def test_noise_is_in_its_comments_and_on_stderr_too(misbehaving):
    engine = misbehaving("noise").start().ask()
    engine.tell(b"gomill-explain_last_move\n")
    assert b"\xff" in engine.hear(count=2)
    assert b"\xff" in os.read(engine.process.stderr.fileno(), 100)


def test_it_floods_stderr_before_it_answers(misbehaving):
    engine = misbehaving("stderr", "--mib", "4").start().ask()
    out, err = engine.process.stdout, engine.process.stderr
    size = 0
    while (ready := select.select([out, err], [], [], 10)[0]) != [out]:
        assert ready
        size += len(os.read(err.fileno(), 1 << 20))
    assert size == 4 << 20
    assert engine.hear() == b"= A1\n\n"


@pytest.mark.parametrize(("name", "said"), [("silent", b""), ("partial", b"= A1"), ("babble", b"usage:")])
def test_it_never_ends_its_answer(misbehaving, name, said):
    engine = misbehaving(name).start().ask()
    assert not said or engine.hear(said).startswith(said)
    assert engine.is_quiet() or name == "babble"
    assert engine.process.poll() is None


@pytest.mark.parametrize(("name", "lines"), [("flood", True), ("drip", True), ("endless", False)])
def test_it_writes_for_ever(misbehaving, name, lines):
    engine = misbehaving(name, "--seconds", "0").start().ask()
    heard = engine.hear(b"\n\n", limit=1 << 15)
    assert len(heard) > 1 << 15
    assert (heard.count(b"\n") > 1000) is lines


def test_deaf_reads_no_more(misbehaving):
    engine = misbehaving("deaf").start().ask()
    assert engine.hear() == b"= A1\n\n"
    os.set_blocking(engine.process.stdin.fileno(), False)
    while engine.process.stdin.write(b"#" * 65536):  # None when the pipe is full
        pass
    assert engine.process.poll() is None


def test_mute_closes_its_output_and_lives_on(misbehaving):
    engine = misbehaving("mute").start().ask()
    assert engine.hear() == b"<end>"
    assert engine.process.poll() is None


def test_stubborn_ignores_quit_and_the_end_of_input_and_term(misbehaving):
    engine = misbehaving("stubborn").start()
    assert engine.ask().hear() == b"= A1\n\n"
    engine.tell(b"quit\n")
    assert engine.hear() == b"=\n\n"
    engine.process.stdin.close()
    engine.process.terminate()
    assert engine.is_quiet()
    assert engine.process.poll() is None


def test_it_is_not_ready_or_late_or_gone_at_the_first_question(misbehaving):
    never, slow, gone = (
        misbehaving("never-ready"),
        misbehaving("slow-ready", "--seconds", "0.05"),
        misbehaving("vanish"),
    )
    for engine in (never, slow, gone):
        engine.tell(b"protocol_version\n")
    assert slow.is_quiet(0.02)
    assert slow.hear() == b"= 2\n\n"
    assert gone.hear() == b"<end>"
    assert never.is_quiet()


def test_bad_end_is_killed_at_quit(misbehaving):
    engine = misbehaving("bad-end").start()
    engine.tell(b"quit\n")
    assert engine.status() == -signal.SIGKILL


def test_the_daemon_is_in_no_session_of_its_parent_and_ends_by_itself(misbehaving):
    engine = misbehaving("daemon", "--life", "1").start().ask()
    engine.hear()
    engine.tell(b"quit\n")
    assert engine.status() == 0
    assert members(engine.process.pid) == []
    assert engine.hear() == b"=\n\n"
    assert engine.hear() == b"<end>", "the pipe is closed when the last process that holds it has ended"


def test_every_process_ends_after_its_life(misbehaving):
    engine = misbehaving("deaf", "--life", "1")
    assert engine.status() == -signal.SIGALRM


def test_the_verdicts_are_endings_that_a_fault_can_have():
    assert len(program.BEHAVIOURS) == 26
    for each in program.BEHAVIOURS.values():
        assert all(Ending(value).is_forfeit for value in each.clocked + each.unclocked)


@pytest.mark.parametrize(
    "words", [["--do", "gluttony"], ["--at", "x"], ["--at"], ["--up", "1"], ["--protocol", "morse"]]
)
def test_a_wrong_command_line_is_refused_with_one_line(words):
    done = subprocess.run(
        [sys.executable, "-S", program.__file__, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("misbehaving: ")
    assert done.stderr.count("\n") == 1
