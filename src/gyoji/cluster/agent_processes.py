"""Hosts that are agent processes of this machine, connected by pipes. Tests and benchmarks use them.

Each agent is started when the pool is opened, and again after it has ended, `MOST_STARTS` times at most.
"""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from io import FileIO
from typing import cast

from gyoji.cluster.host_connections import HostListener
from gyoji.play.connection import JsonConnection
from gyoji.play.loop import Loop

AGENT = (sys.executable, "-P", "-m", "gyoji.cluster.agent")
MOST_STARTS = 5


class ProcessHosts:
    """The port `HostConnections`."""

    def __init__(self, commands: Mapping[str, Sequence[str]]) -> None:
        """Prepare one host for each name, with the command of its agent."""
        self._commands = dict(commands)
        self._agents: dict[str, tuple[subprocess.Popen[bytes], JsonConnection]] = {}
        self._starts = dict.fromkeys(commands, 0)

    def open(self, loop: Loop, listener: HostListener) -> None:
        self._loop, self._listener = loop, listener
        for name in self._commands:
            self._start(name)

    def send(self, host: str, line: bytes) -> None:
        if host in self._agents:
            self._agents[host][1].write(line)

    def restart(self, host: str) -> None:
        self._end(host, "was started anew")
        self._start(host)

    def drop(self, host: str) -> None:
        self._commands.pop(host, None)
        self._end(host, "is not used any more")

    def close(self) -> None:
        for process, connection in self._agents.values():
            connection.close()  # the agent ends at the end of its input
            process.wait()
        self._agents.clear()

    def pids(self) -> dict[str, int]:
        """Return the pids of the agents by host."""
        return {name: process.pid for name, (process, _) in self._agents.items()}

    def _start(self, name: str) -> None:
        if self._starts[name] < MOST_STARTS:
            self._starts[name] += 1
            pipe = subprocess.PIPE
            process = subprocess.Popen(
                self._commands[name], stdin=pipe, stdout=pipe, process_group=0, bufsize=0
            )
            connection = JsonConnection(
                self._loop,
                cast(FileIO, process.stdout),
                cast(FileIO, process.stdin),
                on_line=partial(self._listener.heard, name),
                on_end=partial(self._on_end, name),
            )
            self._agents[name] = process, connection
            self._listener.joined(name)

    def _end(self, name: str, why: str) -> None:
        if name in self._agents:
            process, connection = self._agents.pop(name)
            process.kill()
            connection.close()
            process.wait()
            self._listener.left(name, why)

    def _on_end(self, name: str, why: str) -> None:
        self._end(name, why or "its agent has ended")
        if name in self._commands:
            self._start(name)
