"""Hosts that are agent processes of this machine, connected by pipes. Tests and benchmarks use them.

Each agent is started when the pool is opened, and again after it has ended, `MOST_STARTS` times at most.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import partial

from gyoji.cluster.host_connections import HostListener
from gyoji.cluster.piped_process import PipedProcess
from gyoji.play.loop import Loop

AGENT = (sys.executable, "-P", "-m", "gyoji.cluster.agent")
MOST_STARTS = 5


class ProcessHosts:
    """Connects agents that are processes of this machine: it implements `HostConnections`."""

    def __init__(self, commands: Mapping[str, Sequence[str]]) -> None:
        """Prepare the processes, which `open` starts.

        Args:
            commands: By name of a host: the command of its agent.
        """
        self._commands = dict(commands)
        self._agents: dict[str, PipedProcess] = {}
        self._starts = dict.fromkeys(commands, 0)

    def open(self, loop: Loop, listener: HostListener) -> None:
        self._loop, self._listener = loop, listener
        for name in self._commands:
            self._start(name)

    def send(self, host: str, line: bytes) -> None:
        if host in self._agents:
            self._agents[host].connection.write(line)

    def restart(self, host: str) -> None:
        self._end(host, "was started anew")
        self._start(host)

    def drop(self, host: str) -> None:
        self._commands.pop(host, None)
        self._end(host, "is not used any more")

    def close(self) -> None:
        for agent in self._agents.values():
            agent.end(kill=False)  # the agent ends at the end of its input
        self._agents.clear()

    def pids(self) -> dict[str, int]:
        """Return the pids of the agents by host."""
        return {name: agent.pid for name, agent in self._agents.items()}

    def _start(self, name: str) -> None:
        if self._starts[name] < MOST_STARTS:
            self._starts[name] += 1
            heard = partial(self._listener.heard, name)
            self._agents[name] = PipedProcess(
                self._loop, self._commands[name], on_line=heard, on_end=partial(self._on_end, name)
            )
            self._listener.joined(name)

    def _end(self, name: str, why: str) -> None:
        if name in self._agents:
            self._agents.pop(name).end()
            self._listener.left(name, why)

    def _on_end(self, name: str, why: str) -> None:
        self._end(name, why or "its agent has ended")
        if name in self._commands:
            self._start(name)
