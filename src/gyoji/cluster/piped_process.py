"""Child processes with which gyoji exchanges JSON lines over pipes."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from io import FileIO
from typing import cast

from gyoji.play.connection import JsonConnection
from gyoji.play.loop import Loop


class PipedProcess:
    """A child process, connected by pipes to its standard input and output.

    Attributes:
        pid: Its process id.
        connection: The connection over the pipes.
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
        """Start the process, in a process group of its own, so that signals of the terminal do not reach it.

        Args:
            loop: The event loop that reads the process's output.
            command: The command.
            environ: Environment of the process; None for the environment of this process.
            on_line: Called with each line that the process sends.
            on_end: Called once when the process's output ends: with the reason if there is one, else with "".
        """
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, env=environ, bufsize=0, process_group=0
        )
        self.pid = self._process.pid
        reading, writing = cast(FileIO, self._process.stdout), cast(FileIO, self._process.stdin)
        self.connection = JsonConnection(loop, reading, writing, on_line=on_line, on_end=on_end)

    def end(self, *, kill: bool = True) -> None:
        """Close the connection and wait for the end of the process.

        Args:
            kill: Whether to kill the process; if not, it has to end by itself.
        """
        if kill:
            self._process.kill()
        self.connection.close()
        self._process.wait()
