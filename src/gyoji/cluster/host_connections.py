"""The port (interface) of connections to hosts, which may join and leave during a run.

`gyoji.cluster.dask_hosts` implements it for dask workers, `bench.agent_processes` for agents on this machine.
"""

from typing import Protocol

from gyoji.play.loop import Loop


class HostListener(Protocol):
    """Receives the events of hosts. It is called in the thread of the event loop, while the loop waits."""

    def joined(self, host: str) -> None:
        """Handle a new host. It sends `Facts` when it is ready to play."""

    def heard(self, host: str, line: bytes) -> None:
        """Handle a line from a host. Lines arrive in order, each once."""

    def left(self, host: str, why: str) -> None:
        """Handle the loss of a host, and of the games in progress there. A host of the same name may join
        later.
        """

    def told(self, text: str) -> None:
        """Show a line to the organiser."""


class HostConnections(Protocol):
    """Connections to the agents of hosts, the processes there that play games."""

    def open(self, loop: Loop, listener: HostListener) -> None:
        """Begin to connect hosts. Raises ConfigError if that cannot succeed, as for a wrong address."""

    def send(self, host: str, line: bytes) -> None:
        """Send a line, with its line end, to a host. Nothing happens if the host has left.

        Lines arrive in order, each once.
        """

    def restart(self, host: str) -> None:
        """End the agent of a host and its games, and start a new agent. The host leaves, and may join
        again.
        """

    def drop(self, host: str) -> None:
        """End the agent of a host and its games, and do not use the host any more."""

    def close(self) -> None:
        """End all agents. The listener gets no more events. A second call does nothing."""
