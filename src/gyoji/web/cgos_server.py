"""The listening side of CGOS: connections of its clients, their logins, and limits on what they may send.

`cgos_front` decides who may log in and what a client is told.
"""

# Theory of operation
#
#     connect --> stranger ---- login is right ----> player ----> closed
#                    |                                 |
#                    |  LOGIN_SECONDS are over,        |  quit, end of file, a second login of the player,
#                    |  "Error: ...", too many         |  a line of more than MOST_LINE bytes, more than
#                    |  strangers (the oldest goes)    |  UNASKED lines without a question, nothing read
#                    v                                 v
#                  closed                            closed
#
# A client can do nothing but send lines. Those before its login go to `Login`, those after it to the front,
# one by one. Bytes without a line end are kept up to the limit of a line, and dropped at the end of the
# connection. So a half line is no answer, and a client that sends nonsense loses its connection at most. Its
# game goes on, and its clock too; it may come back.
#
# What a client does not read is kept by us, up to MOST_UNREAD bytes. The kernel closes a connection whose
# other end acknowledges nothing (TCP_USER_TIMEOUT, `listen`). A client behind a cut line is not noticed
# before that, nor does it matter: when it connects again, its new login takes the place of the old one.

import asyncio
import contextlib
import socket
import struct
from typing import Protocol, cast

from gyoji.core.lines import LineReader
from gyoji.protocols.cgos.session import GREETING, Login

LOGIN_SECONDS = 30.0
"""Seconds that a client has to log in."""

MOST_STRANGERS = 1000
"""Most connections that are not logged in. After a cut all clients connect again at once."""

MOST_LINE = 1 << 18
"""Longest line of a player, in bytes. An evaluation of all moves of a large board takes some 100 kB."""

MOST_UNREAD = 1 << 20
"""Most bytes that a client may leave unread."""

UNASKED = 100
"""Most lines of a client since it was last asked something."""

_RTT = struct.Struct("=68xI")
"""The field tcpi_rtt of Linux' tcp_info, in us."""


class Desk(Protocol):
    """The port to the part that knows players and games, which `CgosFront` implements."""

    def admit(self, client: "CgosClient", player: str, secret: str) -> str:
        """Log a client in as a player. Return the reason if the client is refused, else ""."""

    def heard(self, client: "CgosClient", line: str) -> bool:
        """Handle a line of a client that is logged in. Return False if no line was expected of the client."""

    def gone(self, client: "CgosClient") -> None:
        """Handle the end of the connection of a client that was logged in."""


class CgosClient(asyncio.Protocol):
    """The connection of one client.

    Attributes:
        player: Name of the player as whom it is logged in; "" before.
    """

    def __init__(self, server: "CgosServer", desk: Desk) -> None:
        self._server, self._desk = server, desk
        self._login = Login()
        self._lines = LineReader()
        self._unasked = 0
        self._limit: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport | None = None
        self.player = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        loop = asyncio.get_running_loop()
        self._limit = loop.call_later(self._server.login_seconds, self.refuse, "nobody has logged in")
        self._server.arrived(self)
        self.send(GREETING)

    def data_received(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            if self._transport is None:
                return
            self._take(line.decode("utf-8", "replace"), len(line))
        if self._lines.size > self._most_line:
            self.refuse("that line is too long")

    @property
    def _most_line(self) -> int:
        return MOST_LINE if self.player else MOST_LINE >> 8

    def _take(self, line: str, size: int) -> None:
        if size > self._most_line:
            self.refuse("that line is too long")
        elif line.strip() == "quit":
            self.close()
        elif not self.player:
            self._take_login(line)
        elif self._desk.heard(self, line):
            self._unasked = 0
        else:
            self._unasked += 1
            if self._unasked > UNASKED:
                self.refuse("too many lines that were not asked for")

    def _take_login(self, line: str) -> None:
        said = self._login.take(line)
        if said.login is None:
            self.send(said.line)
            if said.line.startswith("Error:"):
                self.close()
            return
        player, secret = said.login
        if reason := self._desk.admit(self, player, secret):
            self.refuse(reason)

    def admitted(self, player: str) -> None:
        """Record that the client has logged in as `player`."""
        self.player = player
        self._server.knows(self)
        if self._limit is not None:
            self._limit.cancel()

    def send(self, *lines: str) -> None:
        """Send lines. A client that leaves too much unread is disconnected."""
        if self._transport is None or not lines:
            return
        self._transport.write("".join([f"{line}\n" for line in lines]).encode())
        if self._transport.get_write_buffer_size() > MOST_UNREAD:
            self._transport.abort()

    def refuse(self, reason: str) -> None:
        """Send an error, and close the connection."""
        self.send(f"Error: {reason}")
        self.close()

    def close(self) -> None:
        """Close the connection when all has been sent."""
        if self._transport is not None:
            self._transport.close()
            self.connection_lost(None)

    def round_trip(self) -> float:
        """Return the kernel's estimate of the round trip to the client, in seconds; 0.0 if there is none."""
        if self._transport is None:
            return 0.0
        connection: socket.socket = self._transport.get_extra_info("socket")
        with contextlib.suppress(OSError, struct.error):
            told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RTT.size)
            (microseconds,) = _RTT.unpack(told)
            return float(microseconds) / 1e6
        return 0.0

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is None:
            return
        self._transport = None
        if self._limit is not None:
            self._limit.cancel()
        self._server.left(self)
        if self.player:
            self._desk.gone(self)


class CgosServer:
    """Accepts clients of CGOS at one port."""

    def __init__(self, desk: Desk, *, login_seconds: float = LOGIN_SECONDS) -> None:
        self._desk = desk
        self.login_seconds = login_seconds
        self._all: dict[CgosClient, None] = {}
        self._strangers: dict[CgosClient, None] = {}  # the oldest first
        self._server: asyncio.Server | None = None

    async def begin(self, listener: socket.socket) -> None:
        """Accept clients at an open listening socket."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: CgosClient(self, self._desk), sock=listener)

    def arrived(self, client: CgosClient) -> None:
        """Add a connection. If MOST_STRANGERS others are not logged in, first close the oldest of them."""
        self._all[client] = None
        if len(self._strangers) >= MOST_STRANGERS:
            next(iter(self._strangers)).refuse("too many connections")
        self._strangers[client] = None

    def knows(self, client: CgosClient) -> None:
        """Count a client as logged in."""
        self._strangers.pop(client, None)

    def left(self, client: CgosClient) -> None:
        """Forget a connection that has ended."""
        self._all.pop(client, None)
        self._strangers.pop(client, None)

    def close(self) -> None:
        """Close all connections without giving a reason, so that clients connect again by themselves."""
        if self._server is not None:
            self._server.close()
        for client in list(self._all):
            client.close()
