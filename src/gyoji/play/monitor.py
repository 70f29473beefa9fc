"""The monitoring of an engine beside its conversation: its time, its memory and disk, its stderr.

Time: how that of a question was spent, by the engine, by us, by the host. A look costs some 0.1 ms of our
time. So only questions that take long are looked at: at once, if the engine's last answer took `WORTH` or
more or if there is little time for this one, and else when it has taken so long. While an answer is awaited
there is another look every `PERIOD`: it is late if the machine stood still.

Memory and disk can neither be told in advance nor be waited for. They are sampled while the engine thinks
and when it has answered, and the samples take no more than a small part of a processor. Memory is that of all
its processes, what they share and files that are memory included. Disk is the files in its working folder,
in the place that is its own for the game, and in its lasting folder, and those without a name that it has
open.
"""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from gyoji.core.ports import Channel, Process, Shortage
from gyoji.core.record import Timing
from gyoji.core.spec import Player
from gyoji.core.text import format_size, quote_end
from gyoji.play.loop import NEVER, Alarm, Loop
from gyoji.store.filesystem import tree_size

WORTH = 10_000_000
"""ns that a question takes at least, for what became of them to be of interest."""

PERIOD = 200_000_000
"""ns between two looks while an answer is awaited."""

GAP = 250_000_000
"""ns for which nothing runs at least, for a host to be said to stand still: a busy one lets us wait too."""

_SHORT = 10 * WORTH  # ns for an answer: so little that every look at it counts
_STALE = 1_000_000_000  # ns after which a look says too little of what comes next
_MOST_STOLEN = 0.9  # of the time of all our processors; with more taken from us, nothing of ours runs
_TICK = 10_000_000  # ns by which the counts of processors are off
_STEAL = 7  # of the figures of a line of /proc/stat, from 0; those behind it are in others: see proc_stat(5)
_AT_ONCE = 1_000_000


class Host(NamedTuple):
    """The machine as this process finds it, by the kernel's own counts, which only grow. ns.

    What a kernel does not tell stays 0.

    at         when, by the monotonic clock.
    delay      how long this thread, ready to run, has waited for a processor.
    suspended  how long the machine has been suspended.
    stolen     what other virtual machines have taken of the processors that we may use, on the average.
    ran        what these processors did otherwise, being idle included, on the average.
    """

    at: int
    delay: int
    suspended: int
    stolen: int
    ran: int = 0


def read_host() -> Host:
    """A reading, now. It costs some 20 us, on a machine with many processors more."""
    return Host(time.monotonic_ns(), _own_delay(), _suspended(), *_processors())


def _suspended() -> int:
    """One clock counts while the machine is suspended, the other does not."""
    for _ in range(3):
        before = time.monotonic_ns()
        all_time = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        if time.monotonic_ns() - before < _AT_ONCE:  # nobody came between
            break
    return all_time - before


def total_memory() -> int:
    """Bytes of memory that the machine has."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _own_delay() -> int:
    with suppress(OSError, ValueError, IndexError):
        return int(_read("/proc/thread-self/schedstat").split()[1])
    return 0


def _processors() -> tuple[int, int]:
    """(stolen, ran) of a reading."""
    ours = {b"cpu%d" % number for number in os.sched_getaffinity(0)}
    stolen = ran = 0
    with suppress(OSError, ValueError, IndexError):
        for line in _read("/proc/stat").partition(b"\nintr")[0].splitlines():
            name, *figures = line.split()
            if name in ours:
                stolen += int(figures[_STEAL])
                ran += sum(map(int, figures[:_STEAL]))
            elif not name.startswith(b"cpu"):
                break
    tick = 10**9 // os.sysconf("SC_CLK_TCK")
    return stolen * tick // max(len(ours), 1), ran * tick // max(len(ours), 1)


def _read(path: str) -> bytes:
    """The beginning of a file of /proc, in which our figures are: a file object takes three times as long."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, _CHUNK)
    finally:
        os.close(descriptor)


def _recent_host(loop: Loop) -> Host:
    """A reading that is young enough to be the look before a question."""
    if not isinstance(host := loop.reading, Host) or time.monotonic_ns() - host.at > _STALE:
        loop.reading = host = read_host()
    return host


class _Look(NamedTuple):
    """A reading of the host and of the engine at one moment."""

    host: Host
    cpu: int
    delays: Mapping[int, int]


class Evidence:
    """The evidence of one question to an engine: `begin`, `await_answer` and `end`, in this order.

    timing: of the last question, once it is known; None until then, and for an answer that came fast.
    It is not the last word while the answer is awaited.
    """

    def __init__(self, loop: Loop, process: Process, failed: Callable[[], None]) -> None:
        self._loop = loop
        self._process = process
        self._alarm = Alarm(loop, self._look_again, failed)
        self._first: _Look | None = None  # of this question
        self._last = (_recent_host(loop), 0)  # the host, and what the engine had used, at the last look
        self.timing: Timing | None = None
        self._asked = 0
        self._due = 0  # when the next look is to be
        self._stalled = 0
        self._was_slow = self._is_awaited = False
        self._is_idle = True  # nothing was looked at for the last question, nor need be for the next
        self._stale_at = self._last[0].at + _STALE

    def begin(self, patience: int) -> None:
        """A question is about to be written, to which there will be an answer in `patience` ns."""
        if self._is_idle and patience >= _SHORT:  # as with all that answer fast
            return
        self._stalled, self.timing, self._first = 0, None, None
        self._is_idle = not self._was_slow and patience >= _SHORT and self._asked <= self._stale_at
        if not self._is_idle:
            self._first = self._look()

    def await_answer(self, now: int) -> None:
        """The question has been written."""
        self._asked, self._is_awaited = now, True
        self._due = now + (WORTH if self._first is None else PERIOD)
        self._alarm.set(self._due)

    def end(self, now: int) -> Timing | None:
        """The answer came at `now`: what became of the time, if that is of interest."""
        self.rest()
        if self._is_idle and now < self._asked + WORTH and now <= self._stale_at:
            return None
        self._is_idle = False
        self.timing, self._was_slow = None, now - self._asked >= WORTH
        return self.account(now) if self._was_slow else None

    def account(self, now: int) -> Timing:
        """How the time from the question to its answer was spent, or until `now` if there is none."""
        self._is_idle = False
        if self.timing is None or self._is_awaited:
            wall, before = now - self._asked, self._last
            look = self._look()
            self._note_stall(now, before, look.host, look.cpu)
            unread = min(wall, now - self._loop.since + look.host.delay - before[0].delay)
            timing = Timing(-1, -1, wall, unread, stalled=self._stalled)
            if (first := self._first) is not None and not isinstance(self._process, NoProcess):
                cpu, delayed = look.cpu - first.cpu, longest_delay(first.delays, look.delays)
                timing = timing._replace(cpu=max(cpu, 0), delayed=delayed and min(delayed, wall))
            self.timing = timing
            if self._is_awaited:
                self._look_later(now)
        return self.timing

    def rest(self) -> None:
        """Look no more until the next question."""
        self._alarm.when, self._is_awaited = NEVER, False

    def retire(self) -> None:
        self._alarm.retire()

    def _look(self) -> _Look:
        look = _Look(read_host(), self._process.tree_ns(), self._process.delays())
        self._note(look.host, look.cpu)
        return look

    def _note(self, host: Host, cpu: int) -> None:
        self._last, self._stale_at = (host, cpu), host.at + _STALE

    def _look_again(self, now: int) -> None:
        """The answer is still awaited."""
        before = self._last
        if self._first is None:
            self._first = self._look()
        else:
            self._note(read_host(), self._process.tree_ns())
        self._note_stall(now, before, *self._last)
        self._look_later(now)

    def _look_later(self, now: int) -> None:
        self._due = now + PERIOD
        self._alarm.set(self._due)

    def _note_stall(self, now: int, before: tuple[Host, int], host: Host, cpu: int) -> None:
        """Find out whether the machine has stood still since the look before.

        An engine that ran meanwhile, or that has most of the memory, is no victim of it.
        """
        since, cpu_before = before
        gap = max(now - self._due, host.suspended - since.suspended)
        if gap < GAP:
            gap = _stolen(since, host)
        if gap and 2 * (cpu - cpu_before) < gap and self._process.memory(half := total_memory() // 2) < half:
            self._stalled += gap


def _stolen(since: Host, now: Host) -> int:
    """ns between two readings if other virtual machines had nearly all of our processors meanwhile, else 0.

    A processor that was away for long says so late: then more was stolen than there was time, and what our
    processors did meanwhile tells that they were there.
    """
    length = now.at - since.at
    most = _MOST_STOLEN * length
    is_stolen = now.stolen - since.stolen >= most and now.ran - since.ran <= length - most + _TICK
    return length if is_stolen and length >= PERIOD // 2 else 0


def longest_delay(before: Mapping[int, int], now: Mapping[int, int]) -> int | None:
    """Of the thread that has waited longest for a processor between two looks; None if nobody tells."""
    return max((ns - before.get(thread, 0) for thread, ns in now.items()), default=None)


SAMPLE_PERIOD = 50_000_000
"""ns between two looks at what an engine that thinks uses."""

_CHUNK = 1 << 16
_SAMPLES_APART = 10_000_000  # ns at least between two of them, however fast it answers
_PART = 50  # of the time, one in so many is for them


class Limits:
    """The limits of one engine. Only for those that have any."""

    def __init__(self, player: Player, process: Process) -> None:
        self._process = process
        self._memory = player.budgets.memory
        self._disk = player.budgets.disk
        place, others = process.place, (player.cwd, player.folder)
        outside = [each for each in others if each and not (place and each.startswith(f"{place}/work"))]
        self._folders = list(dict.fromkeys(filter(None, (place, *outside))))
        self._next_memory = 0
        self._next_disk = 0

    def excess(self, now: int, *, at_once: bool = False) -> str:
        """The resource that it uses too much of, with figure and limit; "" if none, or if just looked at.

        at_once: however short the last look is ago.
        """
        excess = ""
        if self._memory and (at_once or now >= self._next_memory):
            began, used = time.thread_time_ns(), self._process.memory(self._memory)
            shortage = self._process.shortage()
            self._next_memory = now + _pause_after(time.thread_time_ns() - began)
            if used > self._memory:
                excess = f"used {format_size(used)} of memory, {format_size(self._memory)} allowed"
            elif shortage is not None and shortage.own:  # it is less again, without a process that was ended
                excess = shortage.text
        if self._disk and not excess and (at_once or now >= self._next_disk):
            began, used = time.thread_time_ns(), self._used_disk()
            self._next_disk = now + _pause_after(time.thread_time_ns() - began)
            if used > self._disk:
                excess = f"has {format_size(used)} of files, {format_size(self._disk)} allowed"
        return excess

    def _used_disk(self) -> int:
        used = self._process.unlinked()
        for folder in self._folders:
            used += tree_size(folder, self._disk - used)
        return used


def _pause_after(cost: int) -> int:
    """ns until the next look, after one that took so much CPU time.

    Not the time that passed: on a machine with much to do, that would leave an engine unseen for long.
    """
    return max(_SAMPLES_APART, cost * _PART)


class NoProcess:
    """The process of a link whose channel has none at its other end: nothing to measure or stop.

    It has ended when the other end has hung up, or is waited for no longer.
    """

    pid = -1
    pidfd = -1
    stderr = -1
    containment = ""
    place = ""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._is_left = False

    def cpu_ns(self, *, user_only: bool = False) -> int:
        return 0

    def tree_ns(self, *, user_only: bool = False) -> int:
        """CPU time of our own process, where a function runs: the machine does not stand still meanwhile."""
        return time.process_time_ns()

    def offspring(self) -> tuple[bool, int]:
        return False, 0

    def delays(self) -> Mapping[int, int]:
        return {}

    def memory(self, most: int = 0) -> int:
        return 0

    def lost(self) -> str:
        return ""

    def shortage(self) -> Shortage | None:
        return None

    def unlinked(self) -> int:
        return 0

    def suspend(self) -> None:
        """Nobody can."""

    def resume(self) -> None:
        """It was never suspended."""

    def terminate(self) -> None:
        self._is_left = True

    def kill(self) -> None:
        self._is_left = True

    def reap(self) -> tuple[str, int] | None:
        """("hung up", 0) if the other end has, ("left", 0) if it need not, else None. Drops what it says."""
        try:
            if not os.read(self._channel.stdout, _CHUNK):
                return "hung up", 0
        except BlockingIOError:
            pass
        except OSError:
            return "hung up", 0
        return ("left", 0) if self._is_left else None


_KEPT = 1 << 14


class StderrTail:
    """The errors of one engine. descriptor: -1 if they are not ours to read."""

    def __init__(self, loop: Loop, descriptor: int, failed: Callable[[], None]) -> None:
        self._loop = loop
        self._descriptor = descriptor
        self._end = b""
        self._size = 0
        if descriptor >= 0:
            loop.watch(descriptor, self.read, failed)

    def read(self, _now: int = 0) -> None:
        """Take what is there."""
        if self._descriptor < 0:
            return
        try:
            data = os.read(self._descriptor, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._loop.forget(self._descriptor)
        self._size += len(data)
        self._end = (self._end + data)[-_KEPT:]

    def last(self) -> tuple[int, list[str]]:
        """(bytes that were written, the last lines of them)."""
        return self._size, self._end.decode("utf-8", "replace").splitlines()

    def last_words(self) -> str:
        """The last line, for the end of a message; "" if there is none."""
        self.read()
        lines = [line for line in self.last()[1] if line.strip()]
        return f"; its last words: {quote_end(lines[-1].strip())}" if lines else ""

    def clear(self) -> None:
        """Begin another game: forget what was written."""
        self._end, self._size = b"", 0

    def close(self) -> None:
        """Take the rest, and watch no more. The descriptor is not ours to close."""
        self.read()
        self._loop.forget(self._descriptor)
