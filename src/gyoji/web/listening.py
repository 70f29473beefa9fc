"""The socket of a server, and what answers at it until it is told to end.

Connections are the one thing that anybody can take from a server without asking. A connection is in one of
two states::

    waiting    for a request, or for the rest of one: closed after `SILENT_SECONDS`
    answered   a request is whole, and its answer is under way; event streams stay so

A request's head must be whole in that time, however its bytes come; for a body it is the longest pause. When
there are as many connections as descriptors allow, a new one takes the place of the one that has waited
longest, or if all are answered, of the oldest one of the address that has most: browsers open their event
streams again by themselves. So whoever opens a thousand connections keeps nobody out.
"""

import asyncio
import errno
import os
import resource
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from uvicorn.protocols.http.h11_impl import H11Protocol

from gyoji.core.faults import ConfigError

UNREAD_SECONDS = 20
"""A connection whose other end takes nothing for so long is closed: what waits for it is memory."""

SILENT_SECONDS = 10
"""A connection that owes a request for so long is closed."""

_MOST_CONNECTIONS = 10_000
"""At some 30 kB each."""

_AT_ONCE = 50
"""Connections that are taken from the queue in one turn of the loop, before any of them is heard of."""

_QUEUE = 1000
"""Connections that the kernel keeps until their turn has come."""

_OTHER_DESCRIPTORS = 50 + 2 * _AT_ONCE
"""Descriptors kept for stores and control sockets, and for connections that have come but not yet gone."""

_REMEDIES: Mapping[int, str] = MappingProxyType(
    {
        errno.EADDRINUSE: "; take another by --port, or --port 0 for any that is free",
        errno.EACCES: "; take a port from 1024 by --port",
        errno.EADDRNOTAVAIL: "; --bind takes an address of this machine",
    }
)


def listen(bind: str, port: int, unread: float = UNREAD_SECONDS) -> socket.socket:
    """A socket that listens; port 0: any free one. unread: see `UNREAD_SECONDS`. Raises ConfigError."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    try:
        listener = socket.create_server((bind, port), family=family)
    except OSError as error:
        number = error.errno or 0
        told = os.strerror(number) if number > 0 else error.strerror  # below 0: the address is no address
        remedy = _REMEDIES.get(number, "")
        raise ConfigError(f"serve: cannot listen on {bind}, port {port}: {told}{remedy}") from None
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * unread))
    return listener


def answer(
    app: Starlette,
    listener: socket.socket,
    ending: Callable[[], object],
    *,
    most: int = 0,
    silent: float = SILENT_SECONDS,
) -> None:
    """Answer until a signal says to end. ending: called then, to end what would never end by itself.

    most: connections at a time, 0 for as many as descriptors allow. silent: see `SILENT_SECONDS`.
    """

    class Connection(_Connection):
        room = _Room(most or _most_connections(), silent)

    app.add_exception_handler(ClientDisconnect, _nobody_there)
    config = uvicorn.Config(
        app,
        http=Connection,
        log_level="warning",
        access_log=False,
        backlog=_AT_ONCE,
        timeout_graceful_shutdown=1,
    )
    _Server(config, ending).run(sockets=[listener])


def _nobody_there(_request: Request, _error: Exception) -> Response:
    """The answer to a request whose body will not come: its connection is closed."""
    return Response(status_code=400)


def _most_connections() -> int:
    """Connections for which there are descriptors, once this process may have as many as it can get."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return max(1, min(_MOST_CONNECTIONS, hard - _OTHER_DESCRIPTORS))


class _Room:
    """The connections of a server, oldest first. waiting: those that owe a request."""

    def __init__(self, most: int, silent: float) -> None:
        self.silent = silent
        self.waiting: dict[_Connection, None] = {}
        self._most = most
        self._all: dict[_Connection, None] = {}

    def add(self, connection: "_Connection") -> None:
        if len(self._all) >= self._most:
            self._longest().abort()
        self._all[connection] = None

    def remove(self, connection: "_Connection") -> None:
        self._all.pop(connection, None)
        self.waiting.pop(connection, None)

    def _longest(self) -> "_Connection":
        """The connection that has to go for another. It looks at all of them only if none is waiting."""
        if self.waiting:
            return next(iter(self.waiting))
        ((crowded, _),) = Counter(each.address for each in self._all).most_common(1)
        return next(each for each in self._all if each.address == crowded)


class _Connection(H11Protocol):
    """One connection, with a limit to how long it may owe a request."""

    room: ClassVar[_Room]
    _limit: asyncio.TimerHandle | None = None

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.room.add(self)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
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

    def abort(self) -> None:
        """Close it at once. Its descriptor is free when the loop comes round."""
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
