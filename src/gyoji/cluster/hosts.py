"""The port of connections: hosts that come and go, lines to them and from them.

`gyoji.cluster.processes` has agents of this machine, `gyoji.cluster.dasked` those that dask starts on others.
"""

from collections.abc import Sequence
from typing import Protocol

from gyoji.play.loop import Loop


class Ears(Protocol):
    """Told what hosts do, in the thread of the loop, while somebody waits in it."""

    def joined(self, host: str) -> None:
        """There is a host of this name: an agent is started there, which will say that it is ready."""

    def heard(self, host: str, lines: Sequence[bytes]) -> None:
        """A host has said this; in order, each line once."""

    def left(self, host: str, why: str) -> None:
        """A host is gone, with all that was played there. One of this name may come again."""

    def told(self, text: str) -> None:
        """Something that whoever runs the competition should know, one line."""


class Hosts(Protocol):
    """Connections to hosts."""

    def open(self, loop: Loop, ears: Ears) -> None:
        """Begin to look for hosts, and to tell of them. Raises ConfigError."""

    def send(self, host: str, line: bytes) -> None:
        """Tell a host; in order, each line once. One that is gone is told nothing."""

    def restart(self, host: str) -> None:
        """End the agent of a host, with all that it plays, and have a new one: it leaves, and may join."""

    def drop(self, host: str) -> None:
        """End the agent of a host, which is used no more."""

    def close(self) -> None:
        """End all agents; nothing is told any more. A second time does nothing."""
