"""What can wake a run, in one place: descriptors, each with what to do when it is readable; alarms; signals.

All of it happens inside `wait`, in the one thread that calls it, one thing after the other: nothing is ever
done in the middle of something else, and a signal that reaches this process alone works like one from the
terminal.
"""

import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeAlias

Action: TypeAlias = Callable[[], Any]


class Wakers:
    """One `epoll`, alarms, and signals while somebody catches them. `close` it at the end."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._watched: dict[int, Action] = {}
        self._writers: dict[int, Action] = {}  # of the watched: what to do when there is room
        self._alarms: list[tuple[float, int, Action]] = []  # a heap: when, as monotonic seconds
        self._numbers = count()  # alarms for the same moment ring in the order in which they were set
        self._caught: dict[int, Action] = {}
        self._signals, self._signalled = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.on(self._signals, self._read_signals)

    def close(self) -> None:
        self._epoll.close()
        os.close(self._signals)
        os.close(self._signalled)

    @property
    def is_closed(self) -> bool:
        return self._epoll.closed

    def on(self, file: Any, action: Action) -> None:
        """Call `action` whenever `file` (a descriptor, or what has one) is readable or at its end."""
        descriptor = _descriptor(file)
        self._epoll.register(descriptor, select.EPOLLIN)
        self._watched[descriptor] = action

    def off(self, file: Any) -> None:
        """Forget `file`, which may have been forgotten already, but is not closed yet."""
        descriptor = _descriptor(file)
        self._writers.pop(descriptor, None)
        if self._watched.pop(descriptor, None):
            self._epoll.unregister(descriptor)

    def on_room(self, file: Any, action: Action | None) -> None:
        """Call `action` too whenever `file`, which is watched, can be written to; None: no longer."""
        descriptor = _descriptor(file)
        if action is not None:
            self._writers[descriptor] = action
        elif self._writers.pop(descriptor, None) is None:
            return
        if descriptor in self._watched:
            self._epoll.modify(descriptor, select.EPOLLIN | (select.EPOLLOUT if action else 0))

    def alarm(self, seconds: float, action: Action) -> None:
        """Call `action` once, in so many seconds."""
        heappush(self._alarms, (time.monotonic() + seconds, next(self._numbers), action))

    @contextmanager
    def catching(self, actions: Mapping[signal.Signals, Action]) -> Iterator[None]:
        """Have these signals call their actions until the block ends; then they are as they were.

        A signal that this process was told to ignore (by `nohup`, say) stays ignored. Outside the main
        thread, where Python knows no signals, this does nothing.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        heard = [number for number in actions if signal.getsignal(number) is not signal.SIG_IGN]
        self._caught |= {number: actions[number] for number in heard}
        reader = signal.set_wakeup_fd(self._signalled, warn_on_full_buffer=False)
        handlers = {number: signal.signal(number, _note) for number in heard}
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, signal.SIG_DFL if handler is None else handler)
                del self._caught[number]
            signal.set_wakeup_fd(reader)

    def _read_signals(self) -> None:
        for number in os.read(self._signals, 512):
            if action := self._caught.get(number):
                action()

    def wait(self, seconds: float | None = None) -> None:
        """Sleep until something is to be done, or so long, and do it."""
        if self._alarms:
            left = max(self._alarms[0][0] - time.monotonic(), 0)
            seconds = left if seconds is None else min(left, seconds)
        ready = []
        for descriptor, events in self._epoll.poll(seconds):
            if events & select.EPOLLOUT:
                ready.append((self._writers, descriptor, self._writers.get(descriptor)))
            if events & ~select.EPOLLOUT:
                ready.append((self._watched, descriptor, self._watched.get(descriptor)))
        for owners, descriptor, action in ready:
            # an action may have closed others, and opened new ones under the same numbers
            if action is not None and owners.get(descriptor) is action:
                action()
        while self._alarms and self._alarms[0][0] <= time.monotonic():
            heappop(self._alarms)[2]()


def _descriptor(file: Any) -> int:
    return file if isinstance(file, int) else int(file.fileno())


def _note(_number: int, _frame: object) -> None:
    """A Python handler is needed so that the number is written to the pipe."""
