"""Signals outside a run: Ctrl-C, SIGTERM and SIGHUP end the command with one line and status 3."""

# A run handles these signals itself once it has begun. Until then, and in all other commands, a signal raises
# KeyboardInterrupt, so that engines are ended and folders removed on the way out.
#
# In the middle of an import an exception can be lost, or come out as another one. There the process ends at
# once; engines that were started by then die with it. A second signal ends the process at once, too.

import os
import signal
from contextlib import suppress
from types import FrameType

_WORDS = {
    signal.SIGINT: "interrupted",
    signal.SIGTERM: "asked to end (SIGTERM)",
    signal.SIGHUP: "the terminal has gone (SIGHUP)",
}
STOPPED = 3
"""`ExitStatus.STOPPED`. Importing it would take longer than all of this module."""


def stop_in_one_line() -> None:
    """Make SIGINT, SIGTERM and SIGHUP stop the command with one line, unless they are ignored already.

    A second signal ends the process at once.
    """
    _install(_stop)


def stop_silently() -> None:
    """Make SIGINT, SIGTERM and SIGHUP end the process at once, without a line. Called when the command is
    done.
    """
    _install(_end)


def say(words: object) -> None:
    """Write one line to stderr, if that is still there."""
    with suppress(OSError):
        os.write(2, f"gyoji: {words}\n".encode())


def _install(handler: "signal._HANDLER") -> None:
    for number in _WORDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    words = _WORDS[signal.Signals(number)]
    stop_silently()  # a second signal ends the process at once
    if not _is_importing(frame):
        raise KeyboardInterrupt(words)
    say(words)
    os._exit(STOPPED)


def _end(_number: int, _frame: FrameType | None) -> None:
    os._exit(STOPPED)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
