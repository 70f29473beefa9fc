"""An engine that is no process has no pidfd: its end is found all the same."""

import os

import pytest
from one_move import OneMove

from gyoji.core.clocks import Meter
from gyoji.core.messages import AskMove, Broken, Moved
from gyoji.core.spec import Player
from gyoji.play.link import Link
from gyoji.play.loop import Loop


class Person:
    """An engine that is two pipes. looks: how often one has to look for its end."""

    pidfd = stderr = pid = -1
    containment = "off"
    looks = 3

    def __init__(self):
        self.player = Player(code="person", command=("",))
        self.input, self.stdin = os.pipe()
        self.stdout, self.output = os.pipe()
        self.told = []

    def say(self, data):
        os.write(self.output, data)

    def tree_ns(self, *, user_only=False):
        return 0

    def delays(self):
        return {}

    def shortage(self):
        return None

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
