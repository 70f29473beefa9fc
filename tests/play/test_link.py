"""A link: when it reads a CPU clock, which fault it reports, and players without a process."""

import os
import socket
from time import monotonic_ns

import pytest

from gyoji.core.clocks import Meter
from gyoji.core.faults import FaultKind
from gyoji.core.messages import AskMove, Broken, Moved
from gyoji.core.ports import Shortage
from gyoji.core.spec import Budgets, Player
from gyoji.executors.fd_channel import FdChannel
from gyoji.play import link as link_module
from gyoji.play.link import Link
from gyoji.play.loop import Loop
from gyoji.play.monitor import WORTH
from gyoji.referee.seat_state import Closing


class OneMove:
    def send(self, request):
        return b"move?\n"

    def receive(self, data):
        return (Moved(data),)

    def finish(self):
        return ()


MS = 1_000_000


class PipeEngine:
    """An engine that is two pipes, of which we have all ends: channel and process."""

    pid = pidfd = stderr = -1
    containment = ""
    used = 0

    @property
    def process(self):
        return self

    def __init__(self):
        self.player = Player(code="engine", command=("engine",))
        self.input, self.stdin = os.pipe()
        self.stdout, self.output = os.pipe()

    def tree_ns(self, *, user_only=False):
        return self.used

    def delays(self):
        return {}

    def lost(self):
        return ""

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

    def on_failure(self, reason, trace, *, by_death=False):
        self.failure, self.is_by_death = reason, by_death


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
    link = Link(loop, table, 0, channel=engine, codec=OneMove(), meter=meter)
    for _ in range(3):
        link.send(AskMove(None, (), "", None), 10**9)
        asked = len(table.used)
        loop.run(lambda before=asked: len(table.used) > before)
    first = 5 * MS if meter is Meter.CPU else 705 * MS  # a user clock runs from the start of the process
    assert table.used == [first, 5 * MS, 5 * MS]
    loop.close()
    engine.close()


def test_an_answer_that_is_read_in_the_same_batch_of_events_as_the_question_was_asked_in_took_no_time():
    engine, table, loop = QuickEngine(), Listening(), Loop()
    link = Link(loop, table, 0, channel=engine, codec=OneMove(), meter=Meter.WALL)
    link.send(AskMove(None, (), "", None), 10**9)  # whose time starts with the process
    before = monotonic_ns()
    link.send(AskMove(None, (), "", None), 10**9)
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
    link = Link(loop, table, 0, channel=engine, codec=OneMove(), meter=Meter.WALL)
    link._on_exit(monotonic_ns())
    if kind is None:
        assert table.failure == told
        assert table.used == []
    else:
        assert (table.reply.kind, table.reply.detail) == (kind, told)
    loop.close()
    engine.close()


@pytest.mark.parametrize("found", [None, Shortage(True, "used 90MB")])
def test_an_engine_that_ended_with_a_process_of_ours_has_lost_nothing_unless_it_used_up_memory(found):
    engine, table, loop = KilledEngine(found), Listening(), Loop()
    engine.lost = lambda: "its cell was killed"
    link = Link(loop, table, 0, channel=engine, codec=OneMove(), meter=Meter.WALL)
    link._on_exit(monotonic_ns())
    if found is None:
        assert (table.failure, table.is_by_death) == (
            "player engine: exited (signal 9): its cell was killed",
            True,
        )
        assert table.used == []
    else:
        assert table.reply.kind is FaultKind.LIMIT
    loop.close()
    engine.close()


class Table:
    def __init__(self):
        self.replies, self.closed = [], []

    def on_reply(self, seat, reply, used):
        self.replies.append(reply)

    def on_closed(self, seat):
        self.closed.append(seat)

    def on_failure(self, reason, trace, *, by_death=False):
        raise AssertionError(reason)


@pytest.fixture
def loop():
    loop = Loop()
    yield loop
    loop.close()


class Chatty(OneMove):
    """A codec of engines that say moves, and remarks in lines that begin with #."""

    def receive(self, data):
        moves = [line for line in data.splitlines() if not line.startswith(b"#")]
        return tuple(map(Moved, moves))


SECOND = 10**9
LINE = b"#" * 99 + b"\n"
BUDGETS = Budgets(reply=1000, rate=500, line=200)
FLOOD = "sent more than 1000 bytes for one answer, and 500 a second"
TALK = [
    # lines of 100 bytes that have come, so many seconds after the question; "move" is an answer
    ("as much as an answer may have", [(10, 0)], ""),
    ("too much at once", [(11, 0)], FLOOD),
    ("a little all the time", [(10, 1), (5, 2), (5, 3), (5, 4)], ""),
    ("much after long silence", [(110, 20)], ""),
    ("too much all the time", [(10, 1), (10, 2), (1, 2)], FLOOD),
    ("the rest of a remark, a move, another remark", [(9, 0), ("move", 0), (9, 0)], ""),
    ("too much after a move", [("move", 0), (11, 0)], FLOOD),
]


@pytest.mark.parametrize(("talk", "fault"), [each[1:] for each in TALK], ids=[each[0] for each in TALK])
def test_an_engine_may_say_so_much_for_an_answer_and_so_much_a_second_besides(loop, person, talk, fault):
    table = Table()
    person.channel.player = Player(code="person", command=("",), budgets=BUDGETS)
    link = Link(loop, table, 1, channel=person.channel, codec=Chatty(), meter=Meter.WALL)
    link.send(AskMove(None, (), "", None), 60 * SECOND)
    asked = link.asked
    for what, seconds in talk:
        person.socket.sendall(b"D4\n" if what == "move" else LINE * what)
        link._on_output(asked + seconds * SECOND)
    assert [reply.detail for reply in table.replies if isinstance(reply, Broken)] == (
        [fault] if fault else []
    )


class Person:
    """Somebody at the other end of a socket."""

    def __init__(self):
        ours, self.socket = socket.socketpair()
        descriptor = ours.detach()
        self.channel = FdChannel(Player(code="person", command=("",)), descriptor, descriptor)
        self.socket.settimeout(60)

    def leave(self):
        self.socket.close()


@pytest.fixture
def person():
    person = Person()
    yield person
    person.leave()
    person.channel.close()


def sit_down(loop, person, table):
    link = Link(loop, table, 1, channel=person.channel, codec=OneMove(), meter=Meter.WALL)
    link.send(AskMove(None, (), "", None), 60 * 10**9)
    return link


def test_who_has_no_process_plays_and_is_waited_for_when_dismissed_kindly(loop, person):
    table = Table()
    link = sit_down(loop, person, table)
    assert person.socket.recv(100) == b"move?\n"
    person.socket.sendall(b"D4\n")
    loop.run(lambda: table.replies)
    assert table.replies == [Moved(b"D4\n")]
    link.dismiss(kindly=True)
    assert person.socket.recv(100) == b""
    person.socket.sendall(b"thank you\n")
    assert not table.closed
    person.leave()
    loop.run(lambda: table.closed)
    assert link.closing == Closing("hung up", None, "")
    assert table.replies == [Moved(b"D4\n")]
    assert person.channel.stdout == person.channel.stdin == -1
    assert not any(entry[2].when <= 1 << 62 for entry in loop.bookings)


@pytest.mark.parametrize("kindly", [True, False])
def test_who_has_no_process_and_does_not_hang_up_is_left(loop, person, kindly):
    table = Table()
    link = sit_down(loop, person, table)
    link.dismiss(kindly=kindly)
    loop.run(lambda: table.closed)
    assert (table.closed, link.closing) == ([1], Closing("left", None, ""))
    assert person.socket.recv(100) == b"move?\n"
    assert person.socket.recv(100) == b""


def hang_up(person):
    person.socket.recv(100)
    person.socket.close()


def hang_up_on_a_question(person):
    """What a socket's other end has not read makes an error of the end of file."""
    person.socket.close()


@pytest.mark.parametrize("leaves", [hang_up, hang_up_on_a_question])
def test_to_hang_up_is_the_fault_of_who_has_no_process(loop, person, leaves):
    table = Table()
    link = sit_down(loop, person, table)
    leaves(person)
    loop.run(lambda: table.replies)
    assert table.replies == [Broken(FaultKind.EXIT, "closed its output")]
    link.send(AskMove(None, (), "", None), 60 * 10**9)
    link.dismiss(kindly=False)
    loop.run(lambda: table.closed)
    assert link.closing.status == "hung up"


def test_who_hung_up_is_found_out_when_the_next_question_is_put(loop, person):
    table = Table()
    link = Link(loop, table, 1, channel=person.channel, codec=OneMove(), meter=Meter.WALL)
    person.leave()
    link.send(AskMove(None, (), "", None), 60 * 10**9)
    loop.run(lambda: table.replies)
    (reply,) = table.replies
    assert (reply.kind, reply.detail[:10]) == (FaultKind.EXIT, "closed its")


def test_a_slow_answer_of_who_has_no_process_says_nothing_of_its_processor_time(loop, person):
    table = Table()
    link = sit_down(loop, person, table)
    loop.call_later(2 * WORTH / 1e9, lambda: person.socket.sendall(b"D4\n"))
    loop.run(lambda: table.replies)
    timing = link.account()
    assert timing.wall >= 2 * WORTH
    assert (timing.cpu, timing.delayed) == (None, None)
