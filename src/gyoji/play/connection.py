"""A connection in the event loop that carries JSON messages, one a line, both ways."""

# Theory of operation
#
# Processes of gyoji exchange JSON lines over streams: the scheduler and a worker (one socket), the control
# socket and its clients (one socket each), a run and the agent of a host (two pipes). The owner creates a
# connection from one or two descriptors. From then on the connection reads, writes and closes them.
#
#                  on_line(line) for each line
#     READING  ------------------------------------>  owner
#        |
#        | end of file, error, or a line over `most`:  on_end(why), once
#        v
#      ENDED   (nothing is read any more; what was sent is still written: the peer may have shut down its
#        |      own direction only)
#        |
#        | close(), by the owner; from READING too, and then on_end is not called
#        v
#     CLOSED   (descriptors given back; send() does nothing)
#
# Reading: one chunk per wake-up. epoll is level-triggered, so the rest of a long message, or of a peer that
# never stops, comes with the next round of the loop, after the other sources. `read_all` reads what a process
# sent before it ended.
#
# Writing never blocks. send() writes what the kernel takes and keeps the rest; the loop says when there is
# room. The descriptor is watched for writing only while something is kept: a socket with room is always
# ready, and would spin the loop. The owner decides by `unsent` what happens to a peer that reads too slowly;
# the control socket disconnects it. A failed write drops all unsent bytes. The end of the peer is detected by
# reading, so that its last messages are still received.
#
# on_line may close the connection; lines of the same chunk that follow are dropped then.
#
# Not here: the launcher of contained engines and its cells pass descriptors along with their lines, and wait
# for answers (`gyoji.executors.contained.launcher`). Programs that send one command and wait for its answer
# use a blocking socket (`gyoji.scheduler.control_client`).

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from typing import TypeAlias

from gyoji.core import wire
from gyoji.core.lines import LineReader
from gyoji.play.loop import READ, WRITE, Loop

End: TypeAlias = socket.socket | FileIO

# The most bytes of one read. For a buffer of 128 KiB or more malloc would map memory anew for each message.
_CHUNK = 1 << 16


def write_some(descriptor: int, unsent: bytearray) -> None:
    """Write as many bytes as the peer accepts without blocking, and remove them from `unsent`.

    A failed write removes all of them: the end of the peer is detected by reading.
    """
    try:
        del unsent[: os.write(descriptor, unsent)]
    except BlockingIOError:
        pass
    except OSError:
        unsent.clear()


class JsonConnection:
    """A connection to another process that carries JSON messages, one a line, both ways.

    Attributes:
        has_ended: Whether the peer has closed its output, or reading has failed.
        is_closed: Whether `close` was called.
    """

    def __init__(
        self,
        loop: Loop,
        reading: End,
        writing: End | None = None,
        *,
        on_line: Callable[[bytes], object],
        on_end: Callable[[str], object],
        most: int = 1 << 28,
    ) -> None:
        """Take ownership of the descriptors of a connection and start reading.

        Args:
            writing: None if `reading` is a socket, which is used in both directions.
            on_line: Called with each line, without its line feed.
            on_end: Called once: with "" at end of file or if reading failed, else with the reason for ending.
            most: Maximum number of bytes of a line; a longer line ends the connection.
        """
        self._loop, self._reading, self._writing = loop, reading, writing or reading
        self._on_line, self._on_end, self._most = on_line, on_end, most
        self._lines = LineReader()
        self._unsent = bytearray()
        self._watched: dict[int, int] = {}  # by descriptor, what the loop watches it for
        self.has_ended = False
        self.is_closed = False
        for end in (self._reading, self._writing):
            os.set_blocking(end.fileno(), False)
        self._input, self._output = self._reading.fileno(), self._writing.fileno()
        self._watch()

    @property
    def unsent(self) -> int:
        """Number of bytes that the peer has not accepted yet."""
        return len(self._unsent)

    def send(self, message: object) -> None:
        """Send a value as JSON, after everything sent before."""
        self.write(wire.dump_line(message))

    def write(self, line: bytes) -> None:
        """Send a complete line of JSON, given as bytes."""
        if self._output < 0:
            return
        has_waited = bool(self._unsent)
        self._unsent += line
        if not has_waited:
            self._flush()

    def _flush(self) -> None:
        write_some(self._output, self._unsent)
        self._watch()

    def _watch(self) -> None:
        """Watch the input until it ends, and the output while there are unsent bytes."""
        wanted = {} if self.has_ended else {self._input: READ}
        if self._unsent:
            wanted[self._output] = wanted.get(self._output, 0) | WRITE
        if wanted == self._watched:
            return
        for descriptor in self._watched.keys() - wanted.keys():
            self._loop.forget(descriptor)
        for descriptor, mask in wanted.items():
            if descriptor in self._watched:
                self._loop.watch_for(descriptor, mask)
            else:
                self._loop.watch(descriptor, self._on_ready, mask=mask)
        self._watched = wanted

    def _on_ready(self, _now: int) -> None:
        if self._unsent:
            self._flush()
        self._read()

    def read_all(self) -> None:
        """Read everything that the peer has already sent, without waiting for more."""
        while self._read():
            pass

    def _read(self) -> bool:
        """Read one chunk and handle its lines. Return whether there may be more to read."""
        if self.has_ended or self.is_closed:
            return False
        try:
            data = os.read(self._input, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:  # a peer that was killed resets the connection
            data = b""
        if not data:
            self._end("")
            return False
        for line in self._lines.feed(data):
            self._on_line(line)
            if self.is_closed:
                return False
        if self._lines.size > self._most:
            self._end(f"sends a line of more than {self._most} bytes")
            return False
        return True

    def _end(self, why: str) -> None:
        self.has_ended = True
        self._watch()
        self._on_end(why)

    def close_output(self) -> None:
        """Close the output, so that the peer reads end of file. Unsent bytes are dropped."""
        self._unsent.clear()
        self._watch()
        self._output = -1
        if isinstance(self._writing, socket.socket):
            with suppress(OSError):  # the peer is gone
                self._writing.shutdown(socket.SHUT_WR)
        else:
            self._writing.close()

    def close(self) -> None:
        """Close the connection in both directions. May be called twice."""
        if not self.is_closed:
            self.is_closed = True
            self._output = -1
            for descriptor in self._watched:
                self._loop.forget(descriptor)
            self._reading.close()
            self._writing.close()
