"""Players at the other end of descriptors that somebody else has opened: persons, programs that run already.

There is no process of ours: nothing of them is measured, limited or suspended.
"""

import os
import socket
import stat
from collections.abc import Mapping
from contextlib import suppress

from gyoji.core.faults import Breakdown
from gyoji.core.spec import Player


class HeldChannel:
    """The conversation over two descriptors, or over one socket; it has them from now on, and closes them."""

    process = None

    def __init__(self, player: Player, stdin: int, stdout: int) -> None:
        self.player = player
        self.stdin = os.dup(stdout) if stdin == stdout else stdin  # a loop can watch a descriptor once
        self.stdout = stdout
        for descriptor in (self.stdin, self.stdout):
            os.set_inheritable(descriptor, False)
            os.set_blocking(descriptor, False)

    def close_stdin(self) -> None:
        """Close its input; a socket is shut down for it, since its other descriptor stays open."""
        if self.stdin < 0:
            return
        stdin, self.stdin = self.stdin, -1
        if not stat.S_ISSOCK(os.fstat(stdin).st_mode):
            os.close(stdin)
            return
        with socket.socket(fileno=stdin) as end, suppress(OSError):  # the other end may have gone already
            end.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self.close_stdin()
        if self.stdout >= 0:
            os.close(self.stdout)
            self.stdout = -1


class HeldExecutor:
    """Makes the channels of players whose descriptors were given, by their codes: (stdin, stdout).

    Each is good for one start: who is to play again has to stay (`Player.restart`).
    """

    def __init__(self, descriptors: Mapping[str, tuple[int, int]]) -> None:
        self._waiting = dict(descriptors)

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> HeldChannel:
        """The channel of a player; nobody reads its variables, nor is in its place."""
        if player.code not in self._waiting:
            raise Breakdown(f"player {player.code}: nobody is connected to play as it, or not any more")
        return HeldChannel(player, *self._waiting.pop(player.code))

    @property
    def pids(self) -> frozenset[int]:
        return frozenset()

    def close(self) -> None:
        """Close the descriptors of players that were never started."""
        for pair in self._waiting.values():
            for descriptor in set(pair):
                os.close(descriptor)
        self._waiting.clear()
