"""One worker process as the pool sees it: started, told to play, listened to, told to leave, gone.

JSON lines over a socket pair, as `gyoji.play.worker` describes them. Nothing here blocks.
"""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from mmap import mmap

from gyoji.core import wire
from gyoji.core.spec import GameSpec
from gyoji.play.order import BOARD_SIZE
from gyoji.play.order_lines import ABANDON, TELL, Instruction, OrderWriter
from gyoji.play.seats import Words
from gyoji.scheduler.pool import Abandoned, OrderFuture, WorkerDied

READ_SIZE = 1 << 18
MESSAGE_LIMIT = 1 << 28
"""Bytes of one message. A report holds the moves of a game with all comments; more than this is no report."""

_ABANDON = f"{ABANDON}\n".encode()


class Worker:
    """One process and our end of its socket.

    cores       the processors that it and its engines may run on; none: all.
    orders      writes its orders.
    future      the game it plays, None while it is idle.
    is_leaving  whether it has been told to go.
    heard_at    when it last said something, or was given its game; monotonic seconds.
    is_watched  whether somebody sees to it that it goes on saying something.
    awaits_room whether somebody waits for room to `send_on`.
    """

    def __init__(
        self,
        command: Sequence[str],
        environ: Mapping[str, str],
        mark: str,
        cores: frozenset[int],
        *,
        orders: OrderWriter,
    ) -> None:
        self._orders = orders
        self.mark = mark
        self.cores = cores
        self.future: OrderFuture | None = None
        self.is_leaving = False
        self.has_hung_up = False
        self._is_abandoned = False
        self._trouble = ""
        self._buffer = bytearray()
        self._unsent = memoryview(b"")
        self.heard_at = 0.0
        self.is_watched = False
        self.awaits_room = False
        self.socket, theirs = socket.socketpair()
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
            self.socket.close()
            raise
        finally:
            theirs.close()
            if board >= 0:
                os.close(board)
        self.socket.setblocking(False)
        self.pid = self._process.pid

    def _open_pidfd(self) -> int:
        """A descriptor that tells of the end of the process, which is ended if there can be none."""
        try:
            return os.pidfd_open(self._process.pid)
        except OSError:
            self._process.kill()
            self._process.wait()
            raise

    def prepare(self, specs: Sequence[GameSpec]) -> None:
        """Have the worker load what games like these need."""
        self._send(f"{wire.dumps(Instruction(prepare=tuple(specs)))}\n".encode())

    def play(self, future: OrderFuture) -> None:
        """Have the worker, which is idle, play a game."""
        self.future = future
        self.heard_at = time.monotonic()
        self._send(f"{self._orders.line(future.order)}\n".encode())

    def abandon(self) -> None:
        """End the game it plays, and have it leave; a report that is on its way still counts."""
        self._is_abandoned = True
        if not self.has_unsent:  # else it has no whole order, and plays no game
            self._send(_ABANDON)
        self.leave()

    def tell(self, wanted: bool) -> None:
        """Have the worker tell of its games move by move from now on, or no more."""
        if not self.is_leaving:
            self._send(f"{TELL[wanted]}\n".encode())

    def say(self, words: Words) -> None:
        """Pass on words of a person in its game."""
        self._send(f"{wire.dumps(Instruction(say=words))}\n".encode())

    @property
    def has_unsent(self) -> bool:
        """Whether it has not taken all it was told yet: `send_on` when there is room."""
        return bool(self._unsent)

    def send_on(self) -> None:
        """Pass on as much as the worker takes now of what it has not got."""
        self._send(b"")

    def _send(self, message: bytes) -> None:
        waiting = memoryview(bytes(self._unsent) + message) if message else self._unsent
        try:
            taken = self.socket.send(waiting)
        except BlockingIOError:
            taken = 0
        except OSError:  # it is dead: its pidfd says so
            taken = len(waiting)
        self._unsent = waiting[taken:]

    def read(self) -> list[str]:
        """The messages that are complete now."""
        is_complete = False
        self.heard_at = time.monotonic()
        try:
            while chunk := self.socket.recv(READ_SIZE):
                self._buffer += chunk
                is_complete |= b"\n" in chunk
                if len(self._buffer) > MESSAGE_LIMIT:
                    self.kill("reports more than any game can have")
                    return []
            self.has_hung_up = True
        except BlockingIOError:
            pass
        except OSError:
            self.has_hung_up = True
        if not is_complete:
            return []
        *lines, rest = bytes(self._buffer).split(b"\n")
        self._buffer = bytearray(rest)
        return [line.decode("utf-8", "backslashreplace") for line in lines]

    def leave(self) -> None:
        """End of file to it: it ends its engines and exits."""
        self.is_leaving = True
        self._unsent = memoryview(b"")
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def kill(self, trouble: str) -> None:
        """End it at once; trouble: what is wrong with it, for whoever waits for its game."""
        self._trouble = self._trouble or trouble
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def is_gone(self) -> bool:
        return self._process.poll() is not None

    def close(self) -> WorkerDied | Abandoned:
        """Give back what we hold of it, once it is gone. What to say to whoever waits for its game."""
        self.socket.close()
        os.close(self.pidfd)
        to_move = [seat for seat, flag in enumerate(self._to_move[:]) if flag]
        self._to_move.close()
        if self._is_abandoned:
            return Abandoned("the game was abandoned")
        code = self._process.returncode
        end = f"ended with exit status {code}" if code >= 0 else f"was killed by signal {-code}"
        trouble = f"{self._trouble} and was killed" if self._trouble else end
        return WorkerDied(f"the worker process {self.pid} {trouble}", to_move)
