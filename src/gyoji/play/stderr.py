"""An engine's stderr: read so that it never blocks. The end of it is kept."""

import os
from collections.abc import Callable

from gyoji.core.text import quote_end
from gyoji.play.loop import Loop

_CHUNK = 1 << 16
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
