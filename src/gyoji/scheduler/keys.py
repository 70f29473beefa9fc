"""Ctrl-X, read from the terminal itself: it works whatever stdin and stdout are.

While we are in the foreground, the terminal is switched so that it hands over single keys, without echo, and
keeps Ctrl-X to us (IEXTEN off: some systems give it a meaning). In the background it is left alone: reading
or switching it would stop us. The foreground is a matter of process groups, not of process ids, so it does
not matter who started us.
"""

import os
import signal
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from gyoji.play.loop import Loop

TERMINAL = "/dev/tty"
CTRL_X = b"\x18"
_LFLAGS = 3  # index into what tcgetattr returns


class Keys:
    """The controlling terminal, if there is one. on_stop: called for each read that brings a Ctrl-X."""

    def __init__(self, loop: Loop, on_stop: Callable[[], Any]) -> None:
        self._loop = loop
        self._on_stop = on_stop
        self._saved: list[Any] | None = None
        self._terminal = -1
        with suppress(OSError):
            self._terminal = os.open(TERMINAL, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)

    @property
    def exist(self) -> bool:
        return self._terminal >= 0

    def update(self) -> None:
        """Take the terminal if we are in the foreground now; let it alone if we are not any more."""
        if self._terminal < 0:
            return
        if self._is_foreground():
            self._take()
        elif self._saved is not None:
            self._loop.forget(self._terminal)
            self._saved = None  # the shell has set the terminal to its own liking

    def _is_foreground(self) -> bool:
        try:
            return os.tcgetpgrp(self._terminal) == os.getpgrp()
        except OSError:  # the terminal is gone
            return False

    def _take(self) -> None:
        if self._saved is not None:
            return
        with suppress(termios.error, OSError), _unstoppable():
            self._saved = termios.tcgetattr(self._terminal)
            ours = termios.tcgetattr(self._terminal)
            ours[_LFLAGS] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
            ours[6][termios.VMIN], ours[6][termios.VTIME] = 1, 0
            termios.tcsetattr(self._terminal, termios.TCSADRAIN, ours)
            self._loop.watch(self._terminal, self._read)

    def restore(self) -> None:
        """Leave the terminal as we found it."""
        if self._saved is None:
            return
        self._loop.forget(self._terminal)
        if self._is_foreground():
            with suppress(termios.error, OSError), _unstoppable():
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._saved)
        self._saved = None

    def _read(self, _now: int) -> None:
        self.update()
        if self._saved is None:
            return
        try:
            keys = os.read(self._terminal, 256)
        except BlockingIOError:
            return
        except OSError:
            keys = b""
        if not keys:  # hung up
            self._loop.forget(self._terminal)
        elif CTRL_X in keys:
            self._on_stop()

    def suspend(self) -> None:
        """Ctrl-Z: stop as anybody would, with the terminal in order; go on when told to."""
        self.restore()
        previous = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, previous)
        self.update()

    def close(self) -> None:
        if self._terminal >= 0:
            self.restore()
            os.close(self._terminal)
            self._terminal = -1


@contextmanager
def listening(loop: Loop, on_stop: Callable[[], Any]) -> Iterator[Keys]:
    """The keys of the terminal until the block ends, through suspensions; restored whatever happens."""
    keys = Keys(loop, on_stop)
    actions = {signal.SIGTSTP: keys.suspend, signal.SIGCONT: keys.update} if keys.exist else {}
    try:
        with loop.catching(actions):
            keys.update()
            yield keys
    finally:
        keys.close()


@contextmanager
def _unstoppable() -> Iterator[None]:
    """We may have been put into the background just now: then switching the terminal would stop us."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTTOU])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
