"""Monitoring of an engine during a game: the time, memory and disk that it uses, and its stderr."""

# Theory of operation
#
# Time. A look (one measurement) reads how much CPU time the engine has used, and how long its threads and
# this one waited for a processor. It costs about 0.1 ms, far more than a fast move, so most requests have
# none:
#
#     begin:  look, if the last answer was slow or little time is left for this one; else nothing
#     await:  after WORTH a look, then one every PERIOD until the answer comes
#     end:    nothing to report if the answer came within WORTH; else a last look, and a `Timing`
#
# * A look while an answer is awaited also detects a machine that stood still: its alarm rings `GAP` or more
#   too late. (While the machine is suspended, the monotonic clock stands still too.) An engine that used CPU
#   meanwhile, or that holds more than half of the memory and so may have caused swapping, is not excused.
# * `Timing.unread` is the delay of gyoji itself: from the earliest time at which the loop can have seen the
#   answer until it was read.
#
# Memory and disk. No event reports their use, so they are sampled every SAMPLE_PERIOD while the engine
# thinks, and when it has answered. The pause after a sample grows with its CPU cost, so that sampling takes
# at most a fiftieth of a processor. Memory is that of all processes, with shared memory and files in memory.
# Disk is the files in the working folder, in the engine's own folder for the game and in its lasting folder,
# and deleted files that are still open.

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from gyoji.core.ports import Channel, Process, Shortage
from gyoji.core.record import Timing
from gyoji.core.spec import Player
from gyoji.core.text import format_size, quote_end
from gyoji.play.loop import NEVER, Alarm, Loop
from gyoji.store.filesystem import tree_size

WORTH: Final = 10_000_000
"""The ns that a request must take for its timing to be recorded."""

PERIOD = 200_000_000
"""The ns between two measurements while an answer is awaited."""

GAP = 250_000_000
"""The delay of an alarm, in ns, from which the machine counts as having stood still. On a busy machine,
alarms of gyoji are delayed by less.
"""

_SHORT: Final = 10 * WORTH  # ns: if an answer has less time, the machine is measured before the request too
_STALE = 1_000_000_000  # ns after which a reading is too old to be the look before a question


class Host(NamedTuple):
    """A reading of the machine. Both numbers are ns and only grow.

    Attributes:
        at: Monotonic time of the reading.
        delay: Time that this thread was runnable without a processor; 0 if the kernel does not count it.
    """

    at: int
    delay: int


def read_host() -> Host:
    """Return the time, and how long this thread has waited for a processor so far. Takes about 5 us."""
    delay = 0
    with suppress(OSError, ValueError, IndexError):
        delay = int(_read("/proc/thread-self/schedstat").split()[1])
    return Host(time.monotonic_ns(), delay)


def total_memory() -> int:
    """Return the memory of the machine in bytes."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _read(path: str) -> bytes:
    """Return the beginning of a file in /proc. A file object would take three times as long."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, _CHUNK)
    finally:
        os.close(descriptor)


class _Look(NamedTuple):
    """One measurement: the machine, the engine's CPU time, and the waiting times of its threads."""

    host: Host
    cpu: int
    delays: Mapping[int, int]


class TimeAccounting:
    """Measures how the time of one request was spent. Call `begin`, `await_answer` and `end` in this order.

    Attributes:
        timing: Timing of the last request; None if it is unknown or the answer was fast. It may still change
            while the answer is awaited.
    """

    def __init__(self, loop: Loop, process: Process, failed: Callable[[], None]) -> None:
        self._loop = loop
        self._process = process
        self._alarm = Alarm(loop, self._look_again, failed)
        self._first: _Look | None = None  # the look before this question
        self._last = (read_host(), 0)  # machine and CPU time of the engine at the last look
        self.timing: Timing | None = None
        self._asked = 0
        self._due = 0  # time of the next look
        self._stalled = 0
        self._was_slow = False
        self._is_idle = True  # the last question had no look, and the next needs none
        self._stale_at = self._last[0].at + _STALE

    def begin(self, patience: int) -> None:
        """Prepare for a request that is about to be written, with a deadline in `patience` ns."""
        if self._is_idle and patience >= _SHORT:  # the common case: fast answers
            return
        self._stalled, self.timing, self._first = 0, None, None
        self._is_idle = not self._was_slow and patience >= _SHORT and self._asked <= self._stale_at
        if not self._is_idle:
            self._first = self._look()

    def await_answer(self, now: int) -> None:
        """Note that the request was written at `now`, and schedule the measurements until it is answered."""
        self._asked = now
        self._due = due = now + (WORTH if self._first is None else PERIOD)
        self._alarm.set(due)

    def end(self, now: int) -> Timing | None:
        """Handle an answer that arrived at `now`. Return how its time was spent; None if it was fast."""
        self._alarm.when = NEVER
        if self._is_idle and now < self._asked + WORTH and now <= self._stale_at:
            return None
        self._is_idle = False
        self.timing, self._was_slow = None, now - self._asked >= WORTH
        return self.account(now) if self._was_slow else None

    def account(self, now: int) -> Timing:
        """Return how the time from the request to its answer, or until `now`, was spent."""
        self._is_idle = False
        is_awaited = self._alarm.when != NEVER
        if self.timing is None or is_awaited:
            wall, before = now - self._asked, self._last
            look = self._look()
            self._note_stall(now, before[1], look.cpu)
            unread = min(wall, now - self._loop.since + look.host.delay - before[0].delay)
            timing = Timing(-1, -1, wall, unread, stalled=self._stalled)
            if (first := self._first) is not None and not isinstance(self._process, NoProcess):
                cpu, delayed = look.cpu - first.cpu, longest_delay(first.delays, look.delays)
                timing = timing._replace(cpu=max(cpu, 0), delayed=delayed and min(delayed, wall))
            self.timing = timing
            if is_awaited:
                self._look_later(now)
        return self.timing

    def rest(self) -> None:
        """Stop measuring until the next request."""
        self._alarm.when = NEVER

    def retire(self) -> None:
        self._alarm.retire()

    def _look(self) -> _Look:
        look = _Look(read_host(), self._process.tree_ns(), self._process.delays())
        self._note(look.host, look.cpu)
        return look

    def _note(self, host: Host, cpu: int) -> None:
        self._last, self._stale_at = (host, cpu), host.at + _STALE

    def _look_again(self, now: int) -> None:
        """Measure while the answer is awaited, and schedule the next measurement."""
        before = self._last
        if self._first is None:
            self._first = self._look()
        else:
            self._note(read_host(), self._process.tree_ns())
        self._note_stall(now, before[1], self._last[1])
        self._look_later(now)

    def _look_later(self, now: int) -> None:
        self._due = now + PERIOD
        self._alarm.set(self._due)

    def _note_stall(self, now: int, before: int, cpu: int) -> None:
        """Add the delay of this measurement to the time for which the machine has stood still.

        The delay does not count if it is short. It does not count either if the engine may have caused it:
        the engine ran for half of it, or holds half of the machine's memory.

        Args:
            before: CPU time of the engine at the last measurement, in ns.
            cpu: CPU time of the engine now, in ns.
        """
        gap = now - self._due
        has_run = 2 * (cpu - before) >= gap
        if gap >= GAP and not has_run and self._process.memory(half := total_memory() // 2) < half:
            self._stalled += gap


def longest_delay(before: Mapping[int, int], now: Mapping[int, int]) -> int | None:
    """Return the longest time in ns that one thread waited for a processor between two readings.

    The result is None if no thread is known.

    Args:
        before: Total waiting time in ns of each thread at the first reading, by thread id.
        now: Total waiting times at the second reading.
    """
    return max((ns - before.get(thread, 0) for thread, ns in now.items()), default=None)


SAMPLE_PERIOD = 50_000_000
"""The ns between two samples of the memory and disk of a thinking engine."""

_CHUNK = 1 << 16
_SAMPLES_APART = 10_000_000  # least ns between two samples
_PART = 50  # samples take at most this part of the time (1 in 50)


class Limits:
    """The memory and disk limits of one engine, with samples of its use."""

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
        """Return a description of the exceeded limit, or "" if none is exceeded or the last sample is recent.

        Args:
            at_once: Whether to sample even if the last sample is recent.
        """
        excess = ""
        if self._memory and (at_once or now >= self._next_memory):
            began, used = time.thread_time_ns(), self._process.memory(self._memory)
            shortage = self._process.shortage()
            self._next_memory = now + _pause_after(time.thread_time_ns() - began)
            if used > self._memory:
                excess = f"used {format_size(used)} of memory, {format_size(self._memory)} allowed"
            elif shortage is not None and shortage.own:  # a process was killed, so less is used now
                excess = shortage.text
        if self._disk and not excess and (at_once or now >= self._next_disk):
            began, used = time.thread_time_ns(), self._process.unlinked()
            for folder in self._folders:
                used += tree_size(folder, self._disk - used)
            self._next_disk = now + _pause_after(time.thread_time_ns() - began)
            if used > self._disk:
                excess = f"has {format_size(used)} of files, {format_size(self._disk)} allowed"
        return excess


def _pause_after(cost: int) -> int:
    """Return the ns until the next sample, given that the last one took `cost` ns of CPU time.

    CPU time is used because wall time would make the pauses too long on a busy machine.
    """
    return max(_SAMPLES_APART, cost * _PART)


class NoProcess:
    """A stand-in for the process of a channel without one. It cannot be measured or stopped.

    It counts as ended when the other end has hung up, or when gyoji stops waiting for it.
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
        """Return the CPU time in ns of gyoji's own process, because a player that is a function runs in it.

        As long as it grows, the machine does not stand still.
        """
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
        """Do nothing: there is no process."""

    def resume(self) -> None:
        """Do nothing: there is no process."""

    def terminate(self) -> None:
        self._is_left = True

    def kill(self) -> None:
        self._is_left = True

    def reap(self) -> tuple[str, int] | None:
        """Return how the conversation ended, and 0 ns of CPU time. Return None while the conversation lasts.

        The text is "hung up" if the other end closed the connection, and "left" if gyoji stopped waiting.
        Output is read and dropped.
        """
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
    """The last part of an engine's stderr.

    Args:
        descriptor: Descriptor of stderr; -1 if gyoji does not read it.
        failed: Called in the except block if reading raises an exception.
    """

    def __init__(self, loop: Loop, descriptor: int, failed: Callable[[], None]) -> None:
        self._loop = loop
        self._descriptor = descriptor
        self._end = b""
        self._size = 0
        if descriptor >= 0:
            loop.watch(descriptor, self.read, failed)

    def read(self, _now: int = 0) -> None:
        """Read available stderr output without blocking."""
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
        """Return the number of bytes that the engine wrote to stderr, and the last lines."""
        return self._size, self._end.decode("utf-8", "replace").splitlines()

    def last_words(self) -> str:
        """Return the last line of stderr as a suffix for messages, or "" if there is none."""
        self.read()
        lines = [line for line in self.last()[1] if line.strip()]
        return f"; its last words: {quote_end(lines[-1].strip())}" if lines else ""

    def clear(self) -> None:
        """Drop the output so far, before the next game."""
        self._end, self._size = b"", 0

    def close(self) -> None:
        """Read the rest of the output and stop watching. The descriptor stays open."""
        self.read()
        self._loop.forget(self._descriptor)
