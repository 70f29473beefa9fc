"""The loop: each ready descriptor is handled once, and alarms ring exactly when they should."""

import os
import socket
import time

import pytest

from gyoji.play.loop import NEVER, READ, WRITE, Alarm, Loop

MS = 1_000_000


@pytest.fixture
def loop():
    loop = Loop()
    yield loop
    loop.close()


def test_sources_that_are_ready_together_have_one_time_stamp(loop):
    pipes = [os.pipe() for _ in range(3)]
    stamps = []

    def source(descriptor):
        return lambda now: (os.read(descriptor, 9), stamps.append(now))

    for reader, writer in pipes:
        loop.watch(reader, source(reader))
        os.write(writer, b"x")
    loop.run(lambda: stamps)
    assert len(stamps) == 3
    assert len(set(stamps)) == 1
    for pair in pipes:
        for descriptor in pair:
            loop.forget(descriptor)
            os.close(descriptor)


def test_an_alarm_rings_once_and_not_before_its_time(loop):
    rings = []
    alarm = Alarm(loop, rings.append)
    when = time.monotonic_ns() + 5 * MS
    alarm.set(when)
    loop.run(lambda: rings)
    assert rings[0] >= when
    assert not loop.bookings
    assert alarm.when == NEVER


def test_an_alarm_moved_forward_back_and_forth_rings_at_its_last_time(loop):
    rings = []
    alarm, fence = Alarm(loop, rings.append), Alarm(loop, lambda now: rings.append(-1))
    now = time.monotonic_ns()
    alarm.set(now + 50 * MS)
    alarm.set(now + 1 * MS)
    alarm.set(now + 20 * MS)
    fence.set(now + 10 * MS)
    loop.run(lambda: len(rings) >= 2)
    assert rings[0] == -1
    assert rings[1] >= now + 20 * MS


def test_a_cleared_alarm_does_not_ring(loop):
    rings = []
    alarm, fence = Alarm(loop, rings.append), Alarm(loop, lambda now: rings.append(-1))
    now = time.monotonic_ns()
    alarm.set(now + 1 * MS)
    alarm.clear()
    fence.set(now + 3 * MS)
    loop.run(lambda: rings)
    assert rings == [-1]


def test_an_alarm_set_for_every_move_books_one_place(loop):
    alarm = Alarm(loop, lambda now: None)
    for move in range(1000):
        alarm.set(time.monotonic_ns() + 1000 * MS + move)
    assert len(loop.bookings) == 1


def test_what_a_source_raises_costs_its_owner_and_not_the_loop(loop):
    failures = []
    reader, writer = os.pipe()

    def source(now):
        os.read(reader, 1)
        raise RuntimeError("a bug")

    loop.watch(reader, source, lambda: failures.append("source"))
    alarm = Alarm(loop, lambda now: 1 // 0, lambda: failures.append("alarm"))
    os.write(writer, b"x")
    alarm.set(time.monotonic_ns())
    loop.run(lambda: len(failures) == 2)
    assert sorted(failures) == ["alarm", "source"]
    loop.forget(reader)
    os.close(reader)
    os.close(writer)


def test_retired_alarms_leave_the_heap_and_do_not_ring(loop):
    rings = []
    now = time.monotonic_ns()
    for _ in range(100):
        alarm = Alarm(loop, rings.append)
        alarm.set(now)
        alarm.retire()
    assert len(loop.bookings) <= 2
    fence = Alarm(loop, lambda now: rings.append(-1))
    fence.set(now)
    loop.run(lambda: rings)
    assert rings == [-1]


def test_what_is_ready_is_told_to_nobody_who_was_given_its_number_in_the_same_batch(loop):
    told = []
    first, second = os.pipe(), os.pipe()

    def swap(_now):
        """Whoever comes first closes the other's file, whose number a new and silent one is given."""
        mine, other = (first, second) if not told else (second, first)
        told.append("first")
        loop.forget(mine[0])
        loop.forget(other[0])
        os.dup2(silent[0], other[0])
        loop.watch(other[0], lambda now: told.append("a stranger"))

    silent = os.pipe()
    for reader, writer in (first, second):
        os.write(writer, b"x")
        loop.watch(reader, swap)
    loop.wait(1)
    loop.wait(0)
    assert told == ["first"]
    for pair in (first, second, silent):
        for descriptor in pair:
            loop.forget(descriptor)
            os.close(descriptor)


def test_what_takes_a_number_over_is_heard_from_the_next_batch_on(loop):
    heard = []
    reader, writer = os.pipe()

    def begin_anew(_now):
        loop.forget(reader)
        loop.watch(reader, lambda now: heard.append("anew"))

    loop.watch(reader, begin_anew)
    os.write(writer, b"x")
    loop.run(lambda: heard)
    assert heard == ["anew"]
    loop.forget(reader)
    os.close(reader)
    os.close(writer)


def test_a_source_is_called_for_what_it_is_watched_for(loop):
    calls = []
    near, far = socket.socketpair()
    loop.watch(near.fileno(), calls.append)
    loop.wait(0)
    assert calls == []
    loop.watch_for(near.fileno(), READ | WRITE)
    loop.wait(1)
    assert len(calls) == 1
    loop.watch_for(near.fileno(), READ)
    loop.wait(0)
    assert len(calls) == 1
    loop.forget(near.fileno())
    near.close()
    far.close()


def test_a_wait_ends_after_its_time_or_with_the_first_thing_that_happens(loop):
    rung = []
    began = time.monotonic_ns()
    loop.wait(0.02)
    assert time.monotonic_ns() - began >= 20 * MS
    loop.call_later(0.01, lambda: rung.append("first"))
    loop.call_later(600, lambda: rung.append("last"))
    loop.wait()
    assert rung == ["first"]


def test_a_loop_that_is_closed_twice_closes_nothing_of_others():
    loop = Loop()
    loop.close()
    reader, writer = os.pipe2(os.O_NONBLOCK)
    loop.close()
    with pytest.raises(BlockingIOError):
        os.read(reader, 1)
    os.close(reader)
    os.close(writer)
