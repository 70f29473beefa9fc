"""What can wake a run, in one place: descriptors, each with what to do when it is readable; and signals.

Signals become calls from the run's own loop: nothing is ever done in the middle of something else, and a
signal that reaches this process alone works like one from the terminal.
"""

import os
import selectors
import signal
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any


class Wakers:
    """One selector, an event that any thread may set, and signals. At its end, signals are as they were."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self.on(self._event, lambda: os.eventfd_read(self._event))
        self._actions: dict[int, Callable[[], Any]] = {}
        self._previous: dict[int, Any] = {}
        self._pipe: tuple[int, int, int] | None = None  # reader, writer, wakeup descriptor before us

    def __enter__(self) -> "Wakers":
        return self

    def on(self, file: Any, action: Callable[[], Any]) -> None:
        """Call `action` whenever `file` (a descriptor, or what has one) is readable or at its end."""
        self._selector.register(file, selectors.EVENT_READ, action)

    def off(self, file: Any) -> None:
        """Forget `file`, which may have been forgotten already."""
        if file in self._selector.get_map():
            self._selector.unregister(file)

    def catch(self, number: signal.Signals, action: Callable[[], Any]) -> None:
        """Call `action` when this signal has arrived.

        A signal that this process was told to ignore (by `nohup`, say) stays ignored. Outside the main
        thread, where Python knows no signals, this does nothing.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        if signal.getsignal(number) is signal.SIG_IGN:
            return
        if self._pipe is None:
            reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
            self._pipe = reader, writer, signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
            self.on(reader, self._read_signals)
        self._actions[number] = action
        self._previous[number] = signal.signal(number, _note)

    def _read_signals(self) -> None:
        assert self._pipe is not None
        for number in os.read(self._pipe[0], 512):
            if action := self._actions.get(number):
                action()

    def wake(self) -> None:
        """Have `wait` return. From any thread."""
        os.eventfd_write(self._event, 1)

    def wait(self) -> None:
        """Sleep until something is readable, and do what is to be done about it."""
        for key, _ in self._selector.select():
            if key.fd in self._selector.get_map():  # an action may have forgotten others
                key.data()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        if self._pipe is not None:
            reader, writer, before = self._pipe
            signal.set_wakeup_fd(before)
            os.close(reader)
            os.close(writer)
        self._selector.close()
        os.close(self._event)


def _note(_number: int, _frame: object) -> None:
    """A Python handler is needed so that the number is written to the pipe."""
