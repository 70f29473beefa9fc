"""The listening socket of the server, and the connections that it accepts."""

# Theory of operation
#
# Anybody can open connections, of which a server has a limited number, and uvicorn accepts all of them. Here
# each connection is in one of two states:
#
#                          whole request
#       connect --> waiting ------------> answered --> (next request) --> waiting
#                      |    <------------    |
#                      |     answer sent     |  event streams stay here
#                      v                     v
#               SILENT_SECONDS:        the other end takes nothing for UNREAD_SECONDS:
#               closed                 the kernel closes it (TCP_USER_TIMEOUT)
#
# The head of a request must be whole within SILENT_SECONDS, however slowly its bytes come (Slowloris). Within
# a body the limit is the longest pause: an upload of 256 MiB may take minutes.
#
# There are as many places as descriptors allow. When all are taken, a new connection replaces
#
# 1. the one that has waited longest for its request, or, if none waits,
# 2. the oldest one of the address that has most connections.
#
# A browser opens its event stream again by itself, so it soon has a place again. An address with a thousand
# streams only replaces its own.
#
# The loop must not starve while thousands connect: asyncio takes _AT_ONCE connections from the queue in one
# turn, and the kernel keeps _QUEUE more. Connections that are being opened or closed need descriptors beside
# the places: _OTHER_DESCRIPTORS.
#
# `_Room` keeps both orders as dictionaries, which are in order of insertion: the oldest is their first key.

import asyncio
import errno
import os
import resource
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import ClassVar

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from gyoji.core.faults import ConfigError
from gyoji.play.remote_talk import MOST_MESSAGE

PING_SECONDS = 5.0
"""Seconds between two pings of a WebSocket. One that does not answer within this time is closed."""

UNREAD_SECONDS = 20
"""Seconds after which a connection is closed whose other end reads nothing: unread bytes cost memory."""
SILENT_SECONDS = 10
"""Seconds that a connection may wait for a request."""
_MOST_CONNECTIONS = 10_000
"""Largest number of open connections. Each takes some 30 kB."""
_AT_ONCE = 50
"""Largest number of connections that are accepted in one turn of the loop."""
_QUEUE = 1000
"""Number of connections that the kernel keeps until they are accepted."""

_OTHER_DESCRIPTORS = 50 + 2 * _AT_ONCE
"""Descriptors for stores, control sockets, and connections on their way in or out."""

_REMEDIES: Mapping[int, str] = {
    errno.EADDRINUSE: "; take another by --port, or --port 0 for any that is free",
    errno.EACCES: "; take a port from 1024 by --port",
    errno.EADDRNOTAVAIL: "; --bind takes an address of this machine",
}


def listen(bind: str, port: int, unread: float = UNREAD_SECONDS) -> socket.socket:
    """Open the server's listening socket.

    Args:
        port: 0 for any free port.
        unread: A connection is closed if its other end does not read what was sent within so many seconds.

    Raises:
        ConfigError: The address or port cannot be used. The message says what to do.
    """
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    try:
        listener = socket.create_server((bind, port), family=family)
    except OSError as error:
        number = error.errno or 0
        told = os.strerror(number) if number > 0 else error.strerror  # below 0: the address is no address
        remedy = _REMEDIES.get(number, "")
        raise ConfigError(f"serve: cannot listen on {bind}, port {port}: {told}{remedy}") from None
    # Connections inherit it. asyncio sets it only for sockets whose protocol number is that of TCP, and this
    # one has 0: the second of two small messages would wait 40 ms for the acknowledgement of the first.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * unread))
    return listener


def answer(
    app: Starlette,
    listener: socket.socket,
    ending: Callable[[], object],
    *,
    most: int = 0,
    silent: float = SILENT_SECONDS,
    certificate: tuple[Path, Path] | None = None,
) -> None:
    """Serve requests until a signal ends the process.

    Args:
        ending: Called when the server is to end. It must end all event streams, for which uvicorn would wait.
        most: Largest number of connections at once; 0 for as many as descriptors allow.
        silent: Seconds that a client has to send a request.
        certificate: Files of the certificate and its key; None to serve without encryption.

    Raises:
        ConfigError: The certificate cannot be used.
    """
    room = _Room(most or _most_connections(), silent)

    class Connection(_Connection):
        pass

    class Socket(_Socket):
        pass

    Connection.room = Socket.room = room

    # A request that lost its connection before its body was complete
    app.add_exception_handler(ClientDisconnect, lambda _request, _error: Response(status_code=400))
    config = uvicorn.Config(
        app,
        http=Connection,
        ws=Socket,
        ws_max_size=MOST_MESSAGE,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,
        ssl_certfile=certificate and str(certificate[0]),
        ssl_keyfile=certificate and str(certificate[1]),
        log_level="warning",
        access_log=False,
        backlog=_AT_ONCE,
        timeout_graceful_shutdown=1,
    )
    try:
        config.load()
    except OSError as error:  # of ssl, too
        raise ConfigError(f"serve: --cert, --key: cannot be used: {error.strerror or error}") from None
    _Server(config, ending).run(sockets=[listener])


def _most_connections() -> int:
    """Raise the process's limit on open files, and return how many connections fit below it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return max(1, min(_MOST_CONNECTIONS, hard - _OTHER_DESCRIPTORS))


class _Room:
    """The open connections of a server, oldest first, at most a given number.

    Attributes:
        silent: Seconds that a client has to send a request.
        waiting: The connections that have not sent a whole request.
    """

    def __init__(self, most: int, silent: float) -> None:
        self.silent = silent
        self.waiting: dict[_Connection | _Socket, None] = {}
        self._most = most
        self._all: dict[_Connection | _Socket, None] = {}

    def add(self, connection: "_Connection | _Socket") -> None:
        """Add a connection. If there are too many, first close another one.

        The one closed is the one that has waited longest for a request. If none waits, it is the oldest
        connection of the address that has most connections.
        """
        if len(self._all) >= self._most:
            closed = next(iter(self.waiting), None)
            if closed is None:  # a rare case, which takes a look at all connections
                ((crowded, _),) = Counter(each.address for each in self._all).most_common(1)
                closed = next(each for each in self._all if each.address == crowded)
            closed.abort()
        self._all[connection] = None

    def remove(self, connection: "_Connection | _Socket") -> None:
        self._all.pop(connection, None)
        self.waiting.pop(connection, None)


class _Connection(H11Protocol):
    """A connection that is closed if its request does not come in time."""

    room: ClassVar[_Room]
    _limit: asyncio.TimerHandle | None = None
    has_become_socket = False

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.room.add(self)
        self._wait()

    # The head of a request has one limit, which no byte renews. Each part of a body begins a new one.
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.has_become_socket:
            return
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            self._stop_waiting()
            self._wait()
        elif state is not h11.IDLE:
            self._stop_waiting()
        elif self._limit is None:  # the first bytes of the next request
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self.room.remove(self)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.has_become_socket = True
        self._stop_waiting()
        self.room.remove(self)  # the WebSocket takes the place
        super().handle_websocket_upgrade(event)

    def abort(self) -> None:
        """Close the connection at once, and discard unsent data."""
        self.room.remove(self)
        self.transport.abort()

    def _wait(self) -> None:
        self.room.waiting[self] = None
        self._limit = self.loop.call_later(self.room.silent, self.abort)

    def _stop_waiting(self) -> None:
        self.room.waiting.pop(self, None)
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None


class _Socket(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket, which still counts as one of the connections."""

    room: ClassVar[_Room]

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.room.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.room.remove(self)
        super().connection_lost(exc)

    def abort(self) -> None:
        """Close the connection at once."""
        self.room.remove(self)
        self.transport.abort()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ending: Callable[[], object]) -> None:
        super().__init__(config)
        self._ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_QUEUE)

    async def shutdown(self, sockets: Iterable[socket.socket] | None = None) -> None:
        self._ending()
        await super().shutdown(None if sockets is None else list(sockets))
