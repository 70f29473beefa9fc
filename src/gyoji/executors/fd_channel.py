"""Channels over open descriptors, to human players and to programs that are already running.

gyoji has started no process for such a player, so nothing is measured, limited or suspended.
"""

import os
import socket
import stat
from contextlib import suppress

from gyoji.core.spec import Player


class FdChannel:
    """A channel to a player over two descriptors, or over one socket. It closes them at the end."""

    process = None

    def __init__(self, player: Player, stdin: int, stdout: int) -> None:
        self.player = player
        self.stdin = os.dup(stdout) if stdin == stdout else stdin  # a loop can watch a descriptor once
        self.stdout = stdout
        for descriptor in (self.stdin, self.stdout):
            os.set_inheritable(descriptor, False)
            os.set_blocking(descriptor, False)

    def close_stdin(self) -> None:
        """Close the player's input. A socket is shut down for writing, but can still be read."""
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
