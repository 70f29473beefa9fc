"""The only loop: one thread, one epoll, any number of sources and alarms.

Measured, this costs a third of what asyncio or reader threads cost per round trip, and nothing
else runs between a question and its answer. All descriptors that are ready together carry one time stamp,
taken right after epoll returns and before anything is parsed.
"""

import select
import time
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Final, TypeAlias

Source: TypeAlias = Callable[[int], None]
"""Called with the time stamp (monotonic ns) when its descriptor is ready."""

Failed: TypeAlias = Callable[[], None]
"""Called in the except block when a source or an alarm has raised: a bug costs its owner, not the loop."""

NEVER: Final = 1 << 63
"""A time in ns that does not come."""

_AT_ONCE = 50_000  # ns: who waits no longer has not waited

READ: Final = select.EPOLLIN
WRITE: Final = select.EPOLLOUT


class Alarm:
    """Rings once at `when` (monotonic ns). Setting and clearing are cheap; most alarms never ring.

    The heap holds one entry for an alarm, at the earliest time it was ever set to; when that comes, the entry
    moves on to where the alarm stands then.
    """

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
        """Never to be set again: hold on to nobody, and leave the heap before long."""
        self.when = NEVER
        self._ring, self._failed = _nothing, None
        self.is_retired = True
        self._loop.forget_alarm()

    def _book(self, when: int) -> None:
        self._booked = when
        heappush(self._loop.bookings, (when, next(self._loop.ticket), self))

    def come_up(self, booked: int, now: int) -> None:
        """The time of a booking has come: ring, or move the booking."""
        if booked != self._booked:
            return
        self._booked = NEVER
        if self.when <= now:
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
    """The action of a retired alarm: none."""


class Loop:
    """Sources and alarms, and the wait for them."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._sources: dict[int, tuple[Source, Failed | None]] = {}
        self.bookings: list[tuple[int, int, Alarm]] = []
        self.ticket = count()
        self._retired = 0
        self.since = 0  # what is ready now was not before: see `run`

    def watch(
        self, descriptor: int, source: Source, failed: Failed | None = None, *, mask: int = READ
    ) -> None:
        """Call `source` whenever `descriptor` is ready for `mask`, or hung up."""
        self._epoll.register(descriptor, mask)
        self._sources[descriptor] = (source, failed)

    def forget(self, descriptor: int) -> None:
        """Watch a descriptor no more; call before it is closed. Unknown ones are ignored."""
        if self._sources.pop(descriptor, None) is not None:
            self._epoll.unregister(descriptor)

    def forget_alarm(self) -> None:
        """An alarm has been retired; once half of the heap has been, it is made anew without them."""
        self._retired += 1
        if self._retired > len(self.bookings) // 2:
            self.bookings[:] = [entry for entry in self.bookings if not entry[2].is_retired]
            heapify(self.bookings)
            self._retired = 0

    def run(self, is_done: Callable[[], object]) -> None:
        """See to whatever happens until `is_done()`, which is asked after each batch of it.

        `since` is when what came can have come: while we waited, and so just now, or since we became busy.
        """
        bookings, sources, poll, clock = self.bookings, self._sources, self._epoll.poll, time.monotonic_ns
        now = clock()
        while not is_done():
            began = clock()
            ready = poll(-1.0 if not bookings else max(0.0, (bookings[0][0] - began) / 1e9))
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
            while bookings and bookings[0][0] <= now:
                booked, _, alarm = heappop(bookings)
                alarm.come_up(booked, now)

    def close(self) -> None:
        self._epoll.close()
