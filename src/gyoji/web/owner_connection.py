"""The WebSocket of one owner: bounds on what may wait in both directions, and the round trip on it."""

# Theory of operation
#
# What an owner sends is read at BYTES_A_SECOND after a burst, so TCP holds back the rest.
#
#     send() --> queue --> write() --> uvicorn, which holds write() up while the kernel takes nothing
#                  |
#                  | MOST_UNREAD bytes: the queue is dropped, and the connection cut at once
#
# Nothing is lost by a cut: both ends of a session keep what was not acknowledged. A close frame would wait
# behind what the owner does not read, so such a connection ends without one.

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from gyoji.core import wire
from gyoji.play.remote_talk import NONSENSE

BURST = 1 << 21
"""Number of bytes that an owner may send at once."""

BYTES_A_SECOND = 1 << 19
"""Number of bytes that an owner may send in each second after that."""

MOST_UNREAD = 1 << 22
"""Largest number of bytes sent to an owner that it has not read yet."""

TRIPS = 20
"""Number of round trips that `OwnerConnection.measure` measures, before an event."""

MEASURING_SECONDS = 30.0
"""Seconds that the measurement of round trips may take."""

_CLOSING = 2.0
"""Seconds for a close frame to be sent."""

Hear = Callable[[Mapping[str, Any]], object]
"""A function that handles a message. It raises ValueError, TypeError or KeyError for an invalid message."""


class OwnerConnection:
    """The WebSocket of one owner.

    Attributes:
        instance: The random id of the owner's process; "" for a connection that only measures round trips.
        link: The link of the owner's player, as "competition/secret".
        is_ready: Whether games of the owner's player may begin.
    """

    def __init__(self, websocket: WebSocket, instance: str, link: str = "") -> None:
        self._websocket, self.instance, self.link = websocket, instance, link
        self._queue = asyncio.Queue[str | None]()
        self._unread = 0
        self._end = 1000, ""
        self.is_ready = self._is_cut = False
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self._left, self._since = float(BURST), time.monotonic()

    def send(self, **message: object) -> None:
        """Add a message to the queue. Cut the connection of an owner that leaves too much unread."""
        if self._is_cut:
            return
        text = wire.dumps(message)
        self._unread += len(text)
        if self._unread <= MOST_UNREAD:
            self._queue.put_nowait(text)
            return
        self._is_cut, self._queue = True, asyncio.Queue[str | None]()
        for task in self._tasks:
            task.cancel()

    def close(self, code: int, reason: str) -> None:
        """Close the connection after the messages in the queue."""
        self._end = code, reason
        self._queue.put_nowait(None)

    async def serve(self, hear: Hear) -> None:
        """Send the messages in the queue, and call `hear` with each message of the owner, until the
        connection ends.
        """
        writing, reading = (
            asyncio.create_task(self._write()),
            asyncio.create_task(self._read_all(hear)),
        )
        self._tasks = writing, reading
        try:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            writing.cancel()
            reading.cancel()
        await asyncio.wait(self._tasks)
        if not reading.cancelled():
            reading.result()  # raises a failure of ours

    async def _write(self) -> None:
        """Send the messages in the queue until the connection is closed."""
        with suppress(RuntimeError, WebSocketDisconnect, OSError):  # the owner has closed it
            while (text := await self._queue.get()) is not None:
                await self._websocket.send_text(text)
                self._unread -= len(text)
            await self._websocket.close(*self._end)

    async def _read_all(self, hear: Hear) -> None:
        """Call `hear` with each message of the owner. A message that makes no sense ends the connection."""
        try:
            while True:
                hear(await self.read())
        except WebSocketDisconnect:
            pass
        except (ValueError, TypeError, OverflowError, RecursionError, KeyError):
            self.close(NONSENSE, "sends what is no message of gyoji join")
            await asyncio.sleep(_CLOSING)

    async def read(self) -> Mapping[str, Any]:
        """Return the next message. Wait if the owner sends more than BYTES_A_SECOND, after a burst of BURST.

        Raises:
            WebSocketDisconnect: The connection has ended.
            ValueError: A message is not an object.
        """
        text = await self._websocket.receive_text()
        now = time.monotonic()
        self._left = min(BURST, self._left + (now - self._since) * BYTES_A_SECOND) - len(text)
        self._since = now
        if self._left < 0:
            await asyncio.sleep(-self._left / BYTES_A_SECOND)
        message = json.loads(text)
        if not isinstance(message, dict):
            raise ValueError("no object")
        return message

    async def measure(self) -> None:
        """Measure round trips, tell the owner the time of each in ns, and close the connection."""
        trips, began = list[int](), 0

        def hear(message: Mapping[str, Any]) -> None:
            if message["echo"] != len(trips):
                raise ValueError("no answer to the last message")
            trips.append(time.monotonic_ns() - began)
            ask()

        def ask() -> None:
            nonlocal began
            began = time.monotonic_ns()
            if len(trips) < TRIPS:
                self.send(echo=len(trips))
            else:
                self.send(trips=trips)
                self.close(1000, "")

        ask()
        with suppress(TimeoutError):
            async with asyncio.timeout(MEASURING_SECONDS):
                await self.serve(hear)
