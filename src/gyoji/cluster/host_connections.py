"""The port of connections to hosts, which come and go.

`gyoji.cluster.agent_processes` connects them by processes such as ssh.
"""

from typing import Protocol

from gyoji.play.loop import Loop


class HostListener(Protocol):
    """Gets the events of hosts, in the thread of the loop, while the loop waits."""

    def joined(self, host: str) -> None:
        """Handle a new host, whose agent is being started. It sends `Facts` when it is ready."""

    def heard(self, host: str, line: bytes) -> None:
        """Handle a line of a host. Lines come in order, each once."""

    def left(self, host: str, why: str) -> None:
        """Handle the loss of a host with its games. A host of the same name may join later."""

    def told(self, text: str) -> None:
        """Show the organiser a line."""


class HostConnections(Protocol):
    """Connections to the agents of hosts."""

    def open(self, loop: Loop, listener: HostListener) -> None:
        """Begin to look for hosts. Raises ConfigError."""

    def send(self, host: str, line: bytes) -> None:
        """Send a line, with its end, to a host, in order, each line once. A host that is gone gets
        nothing.
        """

    def restart(self, host: str) -> None:
        """End the agent of a host with its games, and start another: the host leaves, and may join."""

    def drop(self, host: str) -> None:
        """End the agent of a host, and use the host no more."""

    def close(self) -> None:
        """End all agents. The listener gets no more events. A second call does nothing."""
