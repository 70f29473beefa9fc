"""When a link reads the meter of a CPU clock, and whom it blames for the end of an engine."""

import os
from time import monotonic_ns

import pytest
from one_move import OneMove

from gyoji.core.clocks import Meter
from gyoji.core.faults import FaultKind
from gyoji.core.messages import AskMove
from gyoji.core.ports import Shortage
from gyoji.core.spec import Player
from gyoji.play import link as link_module
from gyoji.play.link import Link
from gyoji.play.loop import Loop

MS = 1_000_000


class BusyEngine:
    """An engine that is done with its answer before our write of the question returns."""

    pid = -1

    def __init__(self):
        self.player = Player(code="busy", command=("busy",))
        self.input, self.stdin = os.pipe()
        self.stdout, self.output = os.pipe()
        self.pidfd = os.eventfd(0)
        self.stderr = -1
        self.used = 700 * MS

    def tree_ns(self, *, user_only=False):
        return self.used

    def delays(self):
        return {}

    def shortage(self):
        return None

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
        (Shortage(False, "no memory"), None, "player busy: exited (signal 9): no memory"),
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
