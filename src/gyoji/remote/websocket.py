"""A client of WebSocket (RFC 6455) on asyncio streams: text messages both ways, over TLS or plain TCP.

The standard library has none. gyoji needs only what is here: a connection to a server, text messages, and
answers to pings.
"""

import asyncio
import base64
import hashlib
import os
import ssl
from collections.abc import Mapping
from contextlib import suppress

from gyoji.core.links import JoinLink

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, section 1.3
_TEXT, _CLOSE, _PONG = 0x1, 0x8, 0xA  # opcodes: section 5.2
_LAST, _MASKED = 0x80, 0x80
MOST = 1 << 22
"""Longest message in bytes."""

_HEAD_LINES = 100


class Refused(Exception):
    """The server did not answer with HTTP status 101, "switching protocols".

    Attributes:
        status: The HTTP status; 0 if the answer is not HTTP.
    """

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Closed(Exception):
    """The connection has ended.

    Attributes:
        code: The status code of the server's close frame; 1005 if the frame has none. 1006 without a close
            frame, and 1002 if the server breaks the protocol.
        reason: The reason, as the close frame or this client gives it; "" if there is none.
    """

    def __init__(self, code: int = 1006, reason: str = "") -> None:
        super().__init__(reason or f"the connection has ended ({code})")
        self.code, self.reason = code, reason


class WebSocket:
    """The client's end of an open WebSocket connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(
        cls, link: JoinLink, path: str, headers: Mapping[str, str], context: ssl.SSLContext | None
    ) -> "WebSocket":
        """Connect to a server and return the open connection. Raises OSError or Refused.

        Args:
            path: The path and query to request.
            headers: Further headers of the request.
            context: The TLS context that checks the server's certificate; None for a connection without TLS.
        """
        reader, writer = await asyncio.open_connection(link.host, link.port, ssl=context, limit=1 << 16)
        try:
            key = base64.b64encode(os.urandom(16))
            told = {
                "Host": link.authority,
                "Upgrade": "websocket",
                "Connection": "Upgrade",
                "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": key.decode(),
                **headers,
            }
            lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items()), "", ""]
            writer.write("\r\n".join(lines).encode())
            await _check(reader, key)
        except BaseException:
            writer.close()
            raise
        return cls(reader, writer)

    async def receive(self, silence: float) -> bytes:
        """Wait for the next message and return it. Answer pings meanwhile. Raises Closed.

        Args:
            silence: Seconds after which the connection counts as lost if no whole frame comes, not even a
                ping.
        """
        whole = b""
        try:
            while True:
                async with asyncio.timeout(silence):
                    first, data = await self._frame(MOST - len(whole))
                match first & 0x0F:
                    case 0x1 | 0x0:  # _TEXT, _CONTINUED
                        whole += data
                        if first & _LAST:
                            return whole
                    case 0x9:
                        self._write(_PONG, data)
                    case 0x8:
                        self._write(_CLOSE, data[:2])
                        code = int.from_bytes(data[:2]) if len(data) >= 2 else 1005
                        raise Closed(code, data[2:].decode("utf-8", "replace"))
        except TimeoutError:
            raise Closed(1006, f"nothing came for {silence:g} s") from None
        except (OSError, EOFError, ssl.SSLError):
            raise Closed from None

    async def _frame(self, most: int) -> tuple[int, bytes]:
        """Return the first byte of the next frame and its payload, of up to `most` bytes."""
        first, second = await self._reader.readexactly(2)
        size = second & 0x7F
        if size > 125:
            size = int.from_bytes(await self._reader.readexactly(2 if size == 126 else 8))
        if second & _MASKED or size > most:
            raise Closed(1002, "the server breaks the protocol")
        return first, await self._reader.readexactly(size)

    def send(self, message: bytes) -> None:
        """Send a text message, now or as soon as the connection takes it."""
        self._write(_TEXT, message)

    @property
    def unsent(self) -> int:
        """Number of bytes that have not been sent yet."""
        return self._writer.transport.get_write_buffer_size()

    def _write(self, opcode: int, data: bytes) -> None:
        if self._writer.is_closing():
            return
        size = len(data)
        if size < 126:
            head = bytes((_LAST | opcode, _MASKED | size))
        elif size < 1 << 16:
            head = bytes((_LAST | opcode, _MASKED | 126)) + size.to_bytes(2)
        else:
            head = bytes((_LAST | opcode, _MASKED | 127)) + size.to_bytes(8)
        mask = os.urandom(4)
        pad = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(data) ^ int.from_bytes(pad)).to_bytes(size)
        self._writer.write(head + mask + masked)

    async def close(self, code: int = 1000) -> None:
        """Send a close frame, and close the connection."""
        self._write(_CLOSE, code.to_bytes(2))
        with suppress(OSError, TimeoutError):
            await asyncio.wait_for(self._writer.drain(), 1)
        self._writer.close()
        with suppress(OSError, TimeoutError):
            await asyncio.wait_for(self._writer.wait_closed(), 1)

    def abort(self) -> None:
        """Close the connection at once."""
        self._writer.transport.abort()


async def _check(reader: asyncio.StreamReader, key: bytes) -> None:
    """Read the head of the server's answer, and check that it accepts the connection.

    Args:
        key: The `Sec-WebSocket-Key` of the request.

    Raises:
        Refused: The server answered with another status than 101, with another key, or not in HTTP.
        OSError: The server closed the connection.
    """
    try:
        lines = [(await reader.readline()).strip() for _ in range(1)]
        while lines[-1] and len(lines) < _HEAD_LINES:
            lines.append((await reader.readline()).strip())
    except ValueError:
        raise Refused(0, "the server's answer is no HTTP") from None
    if not lines[0]:
        raise ConnectionResetError("the server has closed the connection")
    words = lines[0].split(None, 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/") or not words[1].isdigit():
        raise Refused(0, "the server's answer is no HTTP")
    status = int(words[1])
    accept = base64.b64encode(hashlib.sha1(key + _MAGIC, usedforsecurity=False).digest())
    fields = (line.partition(b":") for line in lines[1:])
    answers = {name.strip().lower(): value.strip() for name, _, value in fields}
    if status != 101 or answers.get(b"sec-websocket-accept") != accept:
        raise Refused(status, f"the server answers {lines[0].decode('ascii', 'replace')}")
