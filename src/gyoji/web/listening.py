"""The socket of a server, and what answers at it until it is told to end."""

import errno
import os
import socket
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import uvicorn
from starlette.applications import Starlette

from gyoji.core.faults import ConfigError

UNREAD_SECONDS = 20
"""A connection whose other end takes nothing for so long is closed: what waits for it is memory."""

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


def answer(app: Starlette, listener: socket.socket, ending: Callable[[], object]) -> None:
    """Answer until a signal says to end. ending: called then, to end what would never end by itself."""
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1)
    _Server(config, ending).run(sockets=[listener])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ending: Callable[[], object]) -> None:
        super().__init__(config)
        self._ending = ending

    async def shutdown(self, sockets: Iterable[socket.socket] | None = None) -> None:
        self._ending()
        await super().shutdown(None if sockets is None else list(sockets))
