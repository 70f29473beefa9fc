"""A link: when it reads the meter of a CPU clock, whom it blames, and an engine that is no process."""

import os
from time import monotonic_ns

import pytest

from gyoji.core.clocks import Meter
from gyoji.core.faults import FaultKind
from gyoji.core.messages import AskMove, Broken, Moved
from gyoji.core.ports import Shortage
from gyoji.core.spec import Player
from gyoji.play import link as link_module
from gyoji.play.link import Link
from gyoji.play.loop import Loop


class OneMove:
    def send(self, request):
        return b"move?\n"

    def receive(self, data):
        return (Moved(data),)

    def finish(self):
        return ()


MS = 1_000_000


class PipeEngine:
    """An engine that is two pipes, of which we have all ends."""

    pid = pidfd = stderr = -1
    used = 0

    def __init__(self):
        self.player = Player(code="engine", command=("engine",))
        self.input, self.stdin = os.pipe()
        self.stdout, self.output = os.pipe()

    def tree_ns(self, *, user_only=False):
        return self.used

    def delays(self):
        return {}

    def shortage(self):
        return None


class BusyEngine(PipeEngine):
    """An engine that is done with its answer before our write of the question returns."""

    def __init__(self):
        super().__init__()
        self.pidfd = os.eventfd(0)
        self.used = 700 * MS

    def reap(self):
        return "signal 9", 0

    def close(self):
        for descriptor in (self.input, self.stdin, self.stdout, self.output, self.pidfd):
            os.close(descriptor)


class QuickEngine(BusyEngine):
    """An engine that answers at once."""

    def say(self):
        os.write(self.output, b"D4\n")


class Listening:
    def __init__(self):
        self.used = []

    def on_reply(self, seat, reply, used):
        self.used.append(used)
        self.reply = reply

    def on_failure(self, reason, trace):
        self.failure = reason


@pytest.mark.parametrize("meter", [Meter.CPU, Meter.USER])
def test_what_an_engine_uses_while_its_question_is_written_is_charged(monkeypatch, meter):
    engine, table, loop = BusyEngine(), Listening(), Loop()
    write = os.write

    def answer_at_once(descriptor, data):
        if descriptor == engine.stdin:
            engine.used += 5 * MS
            write(engine.output, b"D4\n")
        return write(descriptor, data)

    monkeypatch.setattr(link_module.os, "write", answer_at_once)
    link = Link(loop, table, 0, engine=engine, codec=OneMove(), meter=meter)
    for _ in range(3):
        link.say(AskMove(None, (), "", None), 10**9)
        asked = len(table.used)
        loop.run(lambda before=asked: len(table.used) > before)
    first = 5 * MS if meter is Meter.CPU else 705 * MS  # a user clock runs from the start of the process
    assert table.used == [first, 5 * MS, 5 * MS]
    loop.close()
    engine.close()


def test_an_answer_that_is_read_in_the_same_batch_of_events_as_the_question_was_asked_in_took_no_time():
    engine, table, loop = QuickEngine(), Listening(), Loop()
    link = Link(loop, table, 0, engine=engine, codec=OneMove(), meter=Meter.WALL)
    link.say(AskMove(None, (), "", None), 10**9)  # whose time starts with the process
    before = monotonic_ns()
    link.say(AskMove(None, (), "", None), 10**9)
    engine.say()
    link._on_output(before)
    assert table.used == [0]
    loop.close()
    engine.close()


class KilledEngine(BusyEngine):
    """An engine that the system has ended. found: what is known of its memory."""

    def __init__(self, found):
        super().__init__()
        self.shortage = lambda: found
        os.eventfd_write(self.pidfd, 1)
        os.close(self.output)
        self.output = os.dup(self.input)


@pytest.mark.parametrize(
    ("found", "kind", "told"),
    [
        (None, FaultKind.EXIT, "exited (signal 9)"),
        (Shortage(True, "used 90MB"), FaultKind.LIMIT, "used 90MB; exited (signal 9)"),
        (Shortage(False, "no memory"), None, "player engine: exited (signal 9): no memory"),
    ],
)
def test_the_end_of_an_engine_is_its_own_doing_unless_there_is_evidence_of_another(found, kind, told):
    engine, table, loop = KilledEngine(found), Listening(), Loop()
    link = Link(loop, table, 0, engine=engine, codec=OneMove(), meter=Meter.WALL)
    link._on_exit(monotonic_ns())
    if kind is None:
        assert table.failure == told
        assert table.used == []
    else:
        assert (table.reply.kind, table.reply.detail) == (kind, told)
    loop.close()
    engine.close()


class Person(PipeEngine):
    """An engine that is no process. looks: how often one has to look for its end."""

    containment = "off"
    looks = 3

    def __init__(self):
        super().__init__()
        self.told = []

    def say(self, data):
        os.write(self.output, data)

    def terminate(self):
        self.told.append("terminate")

    def kill(self):
        self.told.append("kill")

    def reap(self):
        self.looks -= 1
        return ("left", 0) if self.looks <= 0 else None

    def close_stdin(self):
        os.close(self.stdin)
        self.stdin = -1

    def close(self):
        for descriptor in (self.input, self.stdout, self.output):
            os.close(descriptor)


class Table:
    def __init__(self):
        self.replies, self.closed = [], []

    def on_reply(self, seat, reply, used):
        self.replies.append(reply)

    def on_closed(self, seat):
        self.closed.append(seat)

    def on_failure(self, reason, trace):
        raise AssertionError(reason)


@pytest.fixture
def loop():
    loop = Loop()
    yield loop
    loop.close()


def sit_down(loop, person, table):
    link = Link(loop, table, 1, engine=person, codec=OneMove(), meter=Meter.WALL)
    link.say(AskMove(None, (), "", None), 60 * 10**9)
    return link


@pytest.mark.parametrize("kindly", [True, False])
def test_an_engine_without_a_process_plays_and_is_dismissed(loop, kindly):
    person, table = Person(), Table()
    link = sit_down(loop, person, table)
    person.say(b"D4\n")
    loop.run(lambda: table.replies)
    assert table.replies == [Moved(b"D4\n")]
    link.dismiss(kindly=kindly)
    assert not table.closed
    loop.run(lambda: table.closed)
    assert (table.closed, link.closing.status) == ([1], "left")
    assert person.told == ([] if kindly else ["terminate"])
    assert not any(entry[2].when <= 1 << 62 for entry in loop.bookings)


def test_an_engine_without_a_process_that_hangs_up_is_found_out(loop):
    person, table = Person(), Table()
    link = sit_down(loop, person, table)
    os.close(person.output)
    person.output = os.dup(person.stdout)  # for `close`
    loop.run(lambda: table.replies)
    (reply,) = table.replies
    assert isinstance(reply, Broken)
    assert reply.detail == "closed its output"
    link.dismiss(kindly=False)
    loop.run(lambda: table.closed)


def test_an_engine_without_a_process_that_does_not_leave_is_told_more_firmly(loop):
    person, table = Person(), Table()
    person.looks = 10_000
    person.kill = lambda: setattr(person, "looks", 1)
    sit_down(loop, person, table).dismiss(kindly=False)
    loop.run(lambda: table.closed)
    assert person.told == ["terminate"]
