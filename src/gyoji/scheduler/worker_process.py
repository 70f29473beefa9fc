"""A worker process, which plays one game at a time, from its start to its end.

`gyoji.play.worker_messages` defines the messages to it and from it. Nothing here blocks.
"""

import os
import signal
import socket
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from mmap import mmap

from gyoji.play.connection import JsonConnection
from gyoji.play.loop import Loop
from gyoji.play.order import BOARD_SIZE, Order
from gyoji.play.worker_messages import Abandon, ToWorker
from gyoji.scheduler.pool import Abandoned, OrderFuture, WorkerDied


class WorkerProcess:
    """A worker process and the connection to it.

    Attributes:
        mark: Value of `GYOJI_RUN` in its environment, which everything that it starts inherits.
        cores: Processors for the worker and its engines; empty means all.
        future: Gets the report of the game that the worker plays; None while it is idle.
        is_leaving: Whether it was told to end.
        missed: Number of periodic checks by the pool since the worker's last message or order.
    """

    def __init__(
        self,
        loop: Loop,
        command: Sequence[str],
        environ: Mapping[str, str],
        *,
        mark: str,
        cores: frozenset[int],
        on_line: "Callable[[WorkerProcess, bytes], object]",
        on_hang_up: "Callable[[WorkerProcess], object]",
    ) -> None:
        self.mark = mark
        self.cores = cores
        self.future: OrderFuture | None = None
        self.is_leaving = False
        self._is_abandoned = False
        self._trouble = ""
        self.missed = 0
        ours, theirs = socket.socketpair()
        board = -1
        try:
            board = os.memfd_create("gyoji-to-move")
            os.ftruncate(board, BOARD_SIZE)
            self._to_move = mmap(board, BOARD_SIZE)
            self._process = subprocess.Popen(
                [*command, f"{theirs.fileno()}:{board}", *map(str, sorted(cores))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=environ,
                pass_fds=(theirs.fileno(), board),
                process_group=0,  # what the terminal sends to its foreground does not reach it
            )
            self.pidfd = self._open_pidfd()
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
            if board >= 0:
                os.close(board)
        self.pid = self._process.pid
        self._on_line, self._on_hang_up = on_line, on_hang_up
        self._connection = JsonConnection(loop, ours, on_line=self._hear, on_end=self._end)

    def _open_pidfd(self) -> int:
        """Return a descriptor that is ready when the process ends.

        If there is none, kill the process and raise OSError.
        """
        try:
            return os.pidfd_open(self._process.pid)
        except OSError:
            self._process.kill()
            self._process.wait()
            raise

    def _hear(self, line: bytes) -> None:
        self.missed = 0
        self._on_line(self, line)

    def _end(self, why: str) -> None:
        if why:
            self.kill(why)
        self._on_hang_up(self)

    @property
    def has_hung_up(self) -> bool:
        """Whether the worker has closed its end of the connection."""
        return self._connection.has_ended

    @property
    def order(self) -> Order | None:
        """The order of the game that the worker plays; None while it is idle."""
        return None if self.future is None else self.future.order

    def play(self, future: OrderFuture) -> None:
        """Send an idle worker its next order."""
        self.future = future
        self.missed = 0
        self._connection.send(future.order)

    def send(self, message: ToWorker) -> None:
        """Send a message, unless the worker was told to end."""
        if not self.is_leaving:
            self._connection.send(message)

    def abandon(self) -> None:
        """End the game and then the worker. A report that the worker has already sent still counts."""
        self._is_abandoned = True
        if not self._connection.unsent:  # else it has no whole order, and plays no game
            self.send(Abandon())
        self.leave()

    def read_all(self) -> None:
        """Read everything that the worker has sent."""
        self._connection.read_all()

    def leave(self) -> None:
        """Close the worker's input, upon which it ends its engines and exits."""
        self.is_leaving = True
        self._connection.close_output()

    def kill(self, trouble: str) -> None:
        """Kill the process.

        Args:
            trouble: The reason, for the message about the worker's game. Only that of the first call is used.
        """
        self._trouble = self._trouble or trouble
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def is_gone(self) -> bool:
        return self._process.poll() is not None

    def close(self) -> WorkerDied | Abandoned:
        """Release connection and descriptors of a process that has ended.

        Returns:
            The exception with which its game, if it had one, fails.
        """
        self._connection.close()
        os.close(self.pidfd)
        to_move = [seat for seat, flag in enumerate(self._to_move[:]) if flag]
        self._to_move.close()
        if self._is_abandoned:
            return Abandoned("the game was abandoned")
        code = self._process.returncode
        end = f"ended with exit status {code}" if code >= 0 else f"was killed by signal {-code}"
        trouble = f"{self._trouble} and was killed" if self._trouble else end
        return WorkerDied(f"the worker process {self.pid} {trouble}", to_move)
