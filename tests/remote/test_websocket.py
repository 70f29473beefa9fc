"""What keeps a connection to an event open, and what ends it."""

import asyncio

import pytest

from gyoji.remote import websocket
from gyoji.remote.websocket import Closed, WebSocket

PING, TEXT = b"\x89\x00", b"\x81\x05hello"


class Writer:
    """Keeps what is written."""

    def __init__(self):
        self.written = []

    def is_closing(self):
        return False

    def write(self, data):
        self.written.append(data)


def test_each_ping_is_a_sign_of_life_and_answered(monkeypatch):
    waited = []
    timeout = asyncio.timeout
    monkeypatch.setattr(websocket.asyncio, "timeout", lambda most: waited.append(most) or timeout(most))

    async def receive():
        reader, writer = asyncio.StreamReader(), Writer()
        reader.feed_data(3 * PING + TEXT)
        return await WebSocket(reader, writer).receive(60), writer.written

    message, written = asyncio.run(receive())
    assert message == b"hello"
    assert len(written) == 3
    assert waited == 4 * [60]  # the time begins anew with each frame


def test_a_server_that_is_silent_for_too_long_has_gone():
    async def receive():
        await WebSocket(asyncio.StreamReader(), Writer()).receive(0.01)

    with pytest.raises(Closed, match=r"nothing came for 0\.01 s"):
        asyncio.run(receive())
