"""Processes of this machine to which gyoji speaks over pipes."""

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import FileIO
from typing import cast

from gyoji.core.text import printable
from gyoji.play.connection import JsonConnection
from gyoji.play.loop import Loop

_MOST_SAID = 500
_CHUNK = 1 << 16


class PipedProcess:
    """A process to which we speak JSON lines over pipes.

    Attributes:
        connection: Our ends of the pipes to its standard input and output.
        has_joined: Whether it has sent a line; for the owner to set.
    """

    def __init__(
        self,
        loop: Loop,
        command: Sequence[str],
        environ: Mapping[str, str] | None = None,
        *,
        on_line: Callable[[bytes], object],
        on_end: Callable[[str], object],
    ) -> None:
        """Start the process.

        Args:
            environ: Its environment; None for ours.
            on_line: Called with each line that it sends.
            on_end: Called once when it sends nothing more, with the reason if there is one, else "".
        """
        self._loop = loop
        pipe = subprocess.PIPE
        # In a session of its own it has no terminal: Ctrl-C does not reach it, and ssh asks for no password
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True, env=environ
        )
        self.has_joined = False
        self._errors = cast(FileIO, self.process.stderr)
        self._said = b""
        os.set_blocking(self._errors.fileno(), False)
        loop.watch(self._errors.fileno(), lambda _now: self._read_errors())
        output, input_ = cast(FileIO, self.process.stdout), cast(FileIO, self.process.stdin)
        self.connection = JsonConnection(loop, output, input_, on_line=on_line, on_end=on_end)

    def _read_errors(self) -> None:
        with suppress(BlockingIOError):
            found = os.read(self._errors.fileno(), _CHUNK)
            self._said = (self._said + found)[-_MOST_SAID:]
            if not found:
                self._loop.forget(self._errors.fileno())

    def end(self, seconds: float = 0.0) -> str:
        """End the connection and the process. Return what it printed last on standard error.

        Args:
            seconds: Time that it has to end by itself before it is killed.
        """
        self.connection.close()
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._read_errors()
        self._loop.forget(self._errors.fileno())
        self._errors.close()
        return printable(" ".join(self._said.decode("utf-8", "backslashreplace").split()))
