"""The event loop of workers and the scheduler: one thread and one epoll, with alarms and signals."""

# Theory of operation
#
# `run` waits in epoll for descriptors until the next alarm, then calls the source of each ready descriptor,
# then rings the alarms that are due. Nothing interrupts a source, so no state needs a lock.
#
#     clock -> poll until the next alarm -> clock -> ready sources -> due alarms -> is_done()? -> again
#
# * All descriptors of a batch get one time stamp, taken right after epoll returns and before anything is
#   parsed. So no engine is charged for the parsing of another engine's answer.
# * `since` is the earliest time at which the events of a batch can have occurred: now if the loop was
#   waiting, else the time when it became busy. `gyoji.play.monitor` counts the difference as gyoji's delay.
# * A descriptor that is added during a batch is served from the next batch on (`_new`). An event of the
#   current batch may belong to a closed file that had the same number.
# * An exception in a source or alarm goes to its owner's `failed` function: a bug ends one game, not the
#   worker.
# * Alarms: each move sets and clears one, and hardly any rings. So clearing only changes `when`, and the heap
#   keeps one entry for each alarm, at the earliest time to which it was ever set. When that time comes, the
#   entry is moved to the alarm's present time. Retired alarms are removed once they are half of the heap.
# * Signals are written to a pipe by Python's wakeup descriptor and handled like any other event.
#
# Why not asyncio: it costs three times as much per round trip, as reader threads do (ADR 1).

import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Final, TypeAlias

Source: TypeAlias = Callable[[int], object]
"""A function that handles a ready descriptor. It gets the time stamp in monotonic ns."""

Failed: TypeAlias = Callable[[], None]
"""A function that handles an exception of a source or an alarm. It is called in the except block."""

Action: TypeAlias = Callable[[], object]

NEVER: Final = 1 << 63
"""A time in ns that never comes."""

_AT_ONCE: Final = 50_000  # ns: a shorter poll counts as not having waited
_SECOND: Final = 1_000_000_000
_LONG: Final = 1 << 62  # ns: poll without a limit if the next alarm is farther away

READ: Final = select.EPOLLIN
WRITE: Final = select.EPOLLOUT


def time_of_day() -> str:
    """Return the present time in ISO 8601 to the second, with the offset from UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


class Alarm:
    """An alarm that rings once at `when`, in monotonic ns. Setting and clearing it are cheap."""

    __slots__ = ("_booked", "_failed", "_loop", "_ring", "is_retired", "when")

    def __init__(self, loop: "Loop", ring: Source, failed: Failed | None = None) -> None:
        self._loop = loop
        self._ring = ring
        self._failed = failed
        self._booked = NEVER
        self.when = NEVER
        self.is_retired = False

    def set(self, when: int) -> None:
        self.when = when
        if when < self._booked:
            self._book(when)

    def clear(self) -> None:
        self.when = NEVER

    def retire(self) -> None:
        """Clear the alarm for good, and release its functions."""
        self.when = NEVER
        self._ring, self._failed = _nothing, None
        self.is_retired = True
        self._loop.forget_alarm()

    def _book(self, when: int) -> None:
        self._booked = when
        self._loop.book(when, self)

    def come_up(self, booked: int, now: int) -> None:
        """Handle one of this alarm's entries in the loop's heap.

        If the alarm is due, it rings. If it has been set to a later time, it gets an entry for that time.

        Args:
            booked: Time of the entry, in monotonic ns. An entry that has been replaced is ignored.
        """
        if booked != self._booked:
            return
        self._booked = NEVER
        if self.when <= booked:
            self.when = NEVER
            try:
                self._ring(now)
            except Exception:
                if self._failed is None:
                    raise
                self._failed()
        elif self.when != NEVER:
            self._book(self.when)


def _nothing(_now: int) -> None:
    pass


class Loop:
    """An event loop. Call `close` at the end."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._sources: dict[int, tuple[Source, Failed | None]] = {}
        self._new: dict[int, tuple[Source, Failed | None]] = {}  # watched from the next batch on
        self.bookings: list[tuple[int, int, Alarm]] = []
        self._ticket = count()
        self._due = NEVER  # time of the first heap entry
        self._retired = 0
        self.since = 0  # what is ready was not ready before this time
        self._caught: dict[int, Action] = {}
        self._woken, self._waking = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.watch(self._woken, self._on_signals)

    def watch(
        self, descriptor: int, source: Source, failed: Failed | None = None, *, mask: int = READ
    ) -> None:
        """Call `source` whenever `descriptor` is ready for `mask` or hung up, starting with the next batch.

        Args:
            source: Called with the monotonic time in ns.
            failed: Called if `source` raises an exception; None lets the exception propagate out of `run`.
            mask: epoll events, such as `EPOLLIN`.
        """
        self._epoll.register(descriptor, mask)
        self._new[descriptor] = (source, failed)

    def watch_for(self, descriptor: int, mask: int) -> None:
        """Change the epoll events for which a watched descriptor's source is called.

        Args:
            mask: epoll events, such as `EPOLLIN`.
        """
        self._epoll.modify(descriptor, mask)

    def forget(self, descriptor: int) -> None:
        """Stop watching a descriptor. Must be called before it is closed. Unknown descriptors are ignored."""
        if self._sources.pop(descriptor, None) or self._new.pop(descriptor, None):
            self._epoll.unregister(descriptor)

    def forget_alarm(self) -> None:
        """Note that an alarm was retired. If retired alarms are more than half of the heap, remove their
        entries.
        """
        self._retired += 1
        if self._retired > len(self.bookings) // 2:
            self.bookings[:] = [entry for entry in self.bookings if not entry[2].is_retired]
            heapify(self.bookings)
            self._due = self.bookings[0][0] if self.bookings else NEVER
            self._retired = 0

    def book(self, when: int, alarm: Alarm) -> None:
        """Add an entry for an alarm to the loop's heap."""
        heappush(self.bookings, (when, next(self._ticket), alarm))
        self._due = self.bookings[0][0]

    def _come_up(self, now: int) -> None:
        """Ring the alarms that are due at `now`, in monotonic ns."""
        bookings = self.bookings
        while bookings and bookings[0][0] <= now:
            booked, _, alarm = heappop(bookings)
            alarm.come_up(booked, now)
        self._due = bookings[0][0] if bookings else NEVER

    def run(self, is_done: Callable[[], object]) -> None:
        """Handle events until `is_done()`, which is called after each batch, returns true."""
        sources, new, poll, clock = self._sources, self._new, self._epoll.poll, time.monotonic_ns
        now = clock()
        while not is_done():
            if new:
                sources.update(new)
                new.clear()
            began = clock()
            left = self._due - began
            ready = poll(left / _SECOND if left > 0 else 0.0) if left < _LONG else poll()
            woke, now = now, clock()
            self.since = woke if now - began < _AT_ONCE else now
            for descriptor, _ in ready:
                if (entry := sources.get(descriptor)) is not None:
                    try:
                        entry[0](now)
                    except Exception:
                        if entry[1] is None:
                            raise
                        entry[1]()
            if self._due <= now:
                self._come_up(now)

    def wait(self, seconds: float | None = None) -> None:
        """Handle one batch of events, waiting at most `seconds` for it; None waits without a limit."""
        limit = None if seconds is None else self.call_later(seconds, lambda: None)
        self.run(iter((False, True)).__next__)
        if limit is not None:
            limit.retire()

    def call_later(self, seconds: float, action: Action) -> Alarm:
        """Call `action` once after `seconds`. Return the alarm."""
        alarm = Alarm(self, lambda _now: action())
        alarm.set(time.monotonic_ns() + round(seconds * _SECOND))
        return alarm

    @contextmanager
    def catching(self, actions: Mapping[signal.Signals, Action]) -> Iterator[None]:
        """Handle signals with the given actions until the block ends, then restore the previous handlers.

        A signal that this process ignores, for example because of `nohup`, stays ignored. Outside the main
        thread, where Python has no signals, this does nothing.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = self._caught
        heard = [number for number in actions if signal.getsignal(number) is not signal.SIG_IGN]
        self._caught = before | {number: actions[number] for number in heard}
        reader = signal.set_wakeup_fd(self._waking, warn_on_full_buffer=False)
        handlers = {number: signal.signal(number, _note) for number in heard}
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, signal.SIG_DFL if handler is None else handler)
            self._caught = before
            signal.set_wakeup_fd(reader)

    def _on_signals(self, _now: int) -> None:
        for number in os.read(self._woken, 4096):
            if action := self._caught.get(number):
                action()

    @property
    def is_closed(self) -> bool:
        return self._epoll.closed

    def close(self) -> None:
        """Close all descriptors of the loop. May be called twice."""
        if self._waking >= 0:
            os.close(self._woken)
            os.close(self._waking)
            self._woken = self._waking = -1
        self._epoll.close()


def _note(_number: int, _frame: object) -> None:
    """Do nothing. Python writes a signal to the wakeup pipe only if it has a Python handler."""
