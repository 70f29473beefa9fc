"""Connections to hosts by processes of this machine, such as ssh: each runs the agent of one host.

The run writes to the standard input of that process and reads its standard output. Authentication and
encryption are those of the program, and no port is opened.
"""

# A process lives through this:
#
#   _start --> [silent] --first line--> joined --> [in use] --end of output, restart--> left
#                 |                                                                       |
#                 +--- end of output: the host cannot be reached, which is told once ---->+
#                                                                                         |
#   _start again  <------------------------- AGAIN_SECONDS later -------------------------+
#
# So a host may be switched on, reached again or mended at any time during a run. The agent at the other end
# ends with its input: however the run ends, no agent stays behind.

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from time import monotonic

from gyoji.cluster.host_connections import HostListener
from gyoji.cluster.piped_process import PipedProcess
from gyoji.play.loop import Loop

AGENT = (sys.executable, "-P", "-m", "gyoji.cluster.agent")
"""The command of an agent. Hosts have Python and gyoji at the same paths as this machine."""

AGAIN_SECONDS = 10.0
"""Seconds after which a host that was lost, or not reached, is tried again."""

END_SECONDS = 5.0
"""Seconds that agents have to end their games when the run is over."""


class ProcessHosts:
    """Connects hosts by processes that run agents there: it implements `HostConnections`."""

    def __init__(self, commands: Mapping[str, Sequence[str]], again_seconds: float = AGAIN_SECONDS) -> None:
        """Prepare the processes, which `open` starts.

        Args:
            commands: By name of a host: the command that runs its agent.
            again_seconds: See `AGAIN_SECONDS`.
        """
        self._commands = dict(commands)
        self._again_seconds = again_seconds
        self._agents: dict[str, PipedProcess] = {}
        self._told: dict[str, str] = {}  # why a host could not be reached, as the organiser was told

    def open(self, loop: Loop, listener: HostListener) -> None:
        self._loop, self._listener = loop, listener
        for name in self._commands:
            self._start(name)

    def send(self, host: str, line: bytes) -> None:
        if host in self._agents:
            self._agents[host].connection.write(line)

    def restart(self, host: str) -> None:
        self._end(host, "its agent is started anew")

    def drop(self, host: str) -> None:
        self._commands.pop(host, None)
        self._end(host, "it is not used any more")

    def close(self) -> None:
        self._commands.clear()
        for agent in self._agents.values():
            agent.connection.close()  # first all of them: they end at the same time
        give_up = monotonic() + END_SECONDS
        for agent in self._agents.values():
            agent.end(max(give_up - monotonic(), 0.0))
        self._agents.clear()

    def _start(self, name: str) -> None:
        if name not in self._commands:
            return
        on_line, on_end = partial(self._on_line, name), partial(self._end, name)
        try:
            agent = PipedProcess(self._loop, self._commands[name], on_line=on_line, on_end=on_end)
        except OSError as error:
            self._miss(name, f"{error.strerror}")
        else:
            self._agents[name] = agent

    def _on_line(self, name: str, line: bytes) -> None:
        agent = self._agents[name]
        if not agent.has_joined:
            agent.has_joined = True
            self._told.pop(name, None)
            self._listener.joined(name)
        self._listener.heard(name, line)

    def _end(self, name: str, why: str) -> None:
        """End the process of a host, and start another one later unless the host was dropped."""
        if (agent := self._agents.pop(name, None)) is None:
            return
        said = agent.end()
        why = why or said or "its agent has ended"
        if agent.has_joined:
            self._listener.left(name, why)
            self._start_later(name)
        else:
            self._miss(name, why)

    def _miss(self, name: str, why: str) -> None:
        """Tell the organiser, once for each reason, that a host cannot be reached, and try it again later."""
        if self._told.get(name) != why:
            self._told[name] = why
            self._listener.told(f"host {name}: {why}; it is tried again every {self._again_seconds:.0f}s")
        self._start_later(name)

    def _start_later(self, name: str) -> None:
        self._loop.call_later(self._again_seconds, partial(self._start, name))
