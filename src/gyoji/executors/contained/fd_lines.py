"""Lines of JSON over a Unix socket, with file descriptors beside them (SCM_RIGHTS)."""

import json
import os
import socket
import struct
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gyoji.core.lines import LineReader

_READ = 1 << 13
_MOST_DESCRIPTORS = 4
_DESCRIPTOR = struct.Struct("i")

# Like `json.loads`, but without encoding detection and blank skipping, because gyoji writes both ends.
_decode = json.JSONDecoder().raw_decode


def receive(connection: socket.socket) -> tuple[bytes, list[int]]:
    """Read bytes and the descriptors that came with them, which are close-on-exec.

    `socket.recv_fds` of Python 3.11 ignores its flags, so a program started at the same time would inherit
    the descriptors.
    """
    room = socket.CMSG_SPACE(_MOST_DESCRIPTORS * _DESCRIPTOR.size)
    data, messages, _, _ = connection.recvmsg(_READ, room, socket.MSG_CMSG_CLOEXEC)
    return data, [
        number
        for level, kind, packed in messages
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS)
        for (number,) in _DESCRIPTOR.iter_unpack(packed)
    ]


def close_all(descriptors: Iterable[int]) -> None:
    for each in descriptors:
        os.close(each)


class FdLines:
    """Reads JSON messages from a socket, each with the descriptors that came with it."""

    def __init__(
        self,
        connection: socket.socket,
        decode: Callable[[bytes], Any] = lambda line: _decode(line.decode())[0],
        most: int | None = None,
    ) -> None:
        """Create a reader with an empty buffer.

        Args:
            decode: Parses a line.
            most: Maximum length of a line in bytes. Longer lines are cut. None trusts the peer and cuts
                nothing.
        """
        self._connection, self._parse = connection, decode
        self._reader = LineReader(most)
        self._lines: list[bytes] = []
        self._descriptors: list[int] = []

    def next(self) -> tuple[Any, list[int]] | None:
        """Wait for the next message. Return its value and the descriptors that came with it, or None at end
        of file.
        """
        while not self._lines:
            data, descriptors = receive(self._connection)
            self._descriptors += descriptors
            if not data:
                return None
            self._lines += self._reader.feed(data)
        message = self._parse(self._lines.pop(0))
        descriptors, self._descriptors = self._descriptors, []
        return message, descriptors

    def close(self) -> None:
        """Close the descriptors of messages that were not taken."""
        close_all(self._descriptors)
        self._descriptors.clear()

    @property
    def has_next(self) -> bool:
        """Whether a further message was read together with the last one. Polling does not show it."""
        return bool(self._lines)


def send(connection: socket.socket, message: Mapping[str, Any]) -> None:
    """Send a message without descriptors."""
    connection.sendall((json.dumps(message) + "\n").encode())
