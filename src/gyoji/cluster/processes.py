"""Hosts that are processes of this machine, each with an agent that is talked to over pipes.

Each is started when the pool is opened, and again when it has gone, at most `MOST_STARTS` times.
"""

import os
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial

from gyoji.cluster.hosts import Ears
from gyoji.play.loop import WRITE, Loop

AGENT = (sys.executable, "-P", "-m", "gyoji.cluster.agent")
MOST_STARTS = 5
_CHUNK = 1 << 18


class _Agent:
    """A process and our ends of its pipes."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0, bufsize=0
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin.fileno(), self.process.stdout.fileno()
        for descriptor in (self.stdin, self.stdout):
            os.set_blocking(descriptor, False)
        self.heard = b""
        self.unsent: deque[bytes] = deque()

    def close(self) -> None:
        """Have it end: its input is at its end."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process.wait()


class ProcessHosts:
    """The port `Hosts`. commands: of the agent of each host, by name."""

    def __init__(self, commands: Mapping[str, Sequence[str]]) -> None:
        self._commands = dict(commands)
        self._agents: dict[str, _Agent] = {}
        self._starts = dict.fromkeys(commands, 0)

    def open(self, loop: Loop, ears: Ears) -> None:
        self._loop, self._ears = loop, ears
        for name in self._commands:
            self._start(name)

    def send(self, host: str, line: bytes) -> None:
        if (agent := self._agents.get(host)) is not None:
            agent.unsent.append(line + b"\n")
            self._send_on(agent)

    def restart(self, host: str) -> None:
        self._end(host, "was started anew")
        self._start(host)

    def drop(self, host: str) -> None:
        self._commands.pop(host, None)
        self._end(host, "is not used any more")

    def close(self) -> None:
        for agent in self._agents.values():
            self._forget(agent)
            agent.close()
        self._agents.clear()

    def pids(self) -> dict[str, int]:
        """The agents that there are now, by host."""
        return {name: agent.process.pid for name, agent in self._agents.items()}

    def _start(self, name: str) -> None:
        if self._starts[name] < MOST_STARTS:
            self._starts[name] += 1
            agent = self._agents[name] = _Agent(self._commands[name])
            self._loop.watch(agent.stdout, partial(self._on_ready, name, agent))
            self._loop.watch(agent.stdin, partial(self._on_room, agent), mask=0)
            self._ears.joined(name)

    def _forget(self, agent: _Agent) -> None:
        self._loop.forget(agent.stdout)
        self._loop.forget(agent.stdin)

    def _end(self, name: str, why: str) -> None:
        if (agent := self._agents.pop(name, None)) is not None:
            self._forget(agent)
            agent.process.kill()
            agent.close()
            self._ears.left(name, why)

    def _on_ready(self, name: str, agent: _Agent, _now: int) -> None:
        try:
            data = os.read(agent.stdout, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._end(name, "its agent has ended")
            if name in self._commands:
                self._start(name)
            return
        *lines, agent.heard = (agent.heard + data).split(b"\n")
        if lines:
            self._ears.heard(name, lines)

    def _on_room(self, agent: _Agent, _now: int) -> None:
        self._send_on(agent)

    def _send_on(self, agent: _Agent) -> None:
        with suppress(BrokenPipeError):  # its output says so
            while agent.unsent:
                try:
                    taken = os.write(agent.stdin, agent.unsent[0])
                except BlockingIOError:
                    break
                line = agent.unsent.popleft()
                if taken < len(line):
                    agent.unsent.appendleft(line[taken:])
        self._loop.watch_for(agent.stdin, WRITE if agent.unsent else 0)
