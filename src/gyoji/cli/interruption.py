"""Ctrl-C, SIGTERM and SIGHUP while nobody else sees to them: one line, status 3, no traceback.

A run sees to them itself once it has begun. Until then, and in all other commands, they raise
KeyboardInterrupt with what there is to say, so that engines are ended and folders removed on the way out. In
the middle of an import an exception can be lost, or come out as another one: there they end the process at
once. What has been started by then dies with us.
"""

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
"""`ExitStatus.STOPPED`, which takes longer to import than all of this."""


def stop_in_one_line() -> None:
    """From now on these signals stop the command. One that we were told to ignore stays ignored."""
    _install(_stop)


def stop_silently() -> None:
    """From now on they end the process at once: it is at its end already."""
    _install(_end)


def say(words: object) -> None:
    """The one line, on stderr, if that is still there."""
    with suppress(OSError):
        os.write(2, f"gyoji: {words}\n".encode())


def _install(handler: "signal._HANDLER") -> None:
    for number in _WORDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    words = _WORDS[signal.Signals(number)]
    stop_silently()  # whoever cannot wait for the end
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
