"""Connections of CGOS clients: logins, and what a client gets that sends nonsense, too much, or nothing."""

import asyncio
import contextlib

import pytest
from served import awaited

from gyoji.web import cgos_server
from gyoji.web.cgos_server import CgosServer
from gyoji.web.listening import listen

LOGIN = b"e1 test\nnomo\nsecret\n"


class Desk:
    """Lets in whoever says "secret", and asks for the moves that are due."""

    def __init__(self):
        self.heard_lines, self.lost = [], []
        self.clients = []
        self.due = 0

    def admit(self, client, player, secret):
        if secret != "secret":
            return "Sorry, password doesn't match"
        client.admitted(player)
        self.clients.append(client)
        return ""

    def heard(self, client, line):
        self.heard_lines.append(line)
        self.due -= 1
        return self.due >= 0

    def gone(self, client):
        self.lost.append(client.player)


class Served:
    """A server, its desk, and connections to it."""

    def __init__(self, port):
        self.port = port
        self.desk = Desk()
        self.writers = []

    async def connect(self, data=b""):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writers.append(writer)
        writer.write(data)
        return reader, writer

    async def close(self):
        for writer in self.writers:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def said(self, data):
        """Return all that a client reads that sends `data` and waits for the end of its connection."""
        reader, _ = await self.connect(data)
        with contextlib.suppress(ConnectionError):
            return (await asyncio.wait_for(reader.read(), 10)).decode().splitlines()
        return []

    async def player(self):
        reader, writer = await self.connect(LOGIN)
        for _ in range(3):
            await reader.readline()
        while not self.desk.clients:
            await asyncio.sleep(0)
        return reader, writer


def served(act, **settings):
    """Run `act` with a server."""

    async def run():
        listener = listen("127.0.0.1", 0)
        place = Served(listener.getsockname()[1])
        server = CgosServer(place.desk, **settings)
        await server.begin(listener)
        try:
            await asyncio.wait_for(act(place), 20)
        finally:
            server.close()
            await place.close()

    awaited(run())


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"hello\n", "Error: invalid response: expected e1 and the name of the client"),
        (b"GET / HTTP/1.1\r\n\r\n", "Error: invalid response: expected e1 and the name of the client"),
        (b"\xff\x00\xfe\n", "Error: invalid response: expected e1 and the name of the client"),
        (b"e1 test\nnomo\nwrong\n", "Error: Sorry, password doesn't match"),
        (b"e1 test\nnomo\nold new\n", "Error: passwords are not changed here"),
        (5000 * b"x", "Error: that line is too long"),
        (b"quit\n", "protocol genmove_analyze"),
    ],
)  # fmt: skip
def test_a_wrong_login_costs_the_connection_after_one_line(data, error):
    async def act(place):
        assert (await place.said(data))[-1].startswith(error)

    served(act)


def test_a_login_may_come_in_pieces_and_with_line_ends_of_tcl():
    async def act(place):
        reader, writer = await place.connect()
        for line in (b"e1 te", b"st\r\n", b"nomo\r", b"\nsecret\r\n"):
            writer.write(line)
            await writer.drain()
        while not place.desk.clients:
            await asyncio.sleep(0.001)
        assert place.desk.clients[0].player == "nomo"
        assert await reader.readline() == b"protocol genmove_analyze\n"

    served(act)


def test_who_does_not_log_in_is_sent_away():
    async def act(place):
        assert await place.said(b"e1 test\n") == [
            "protocol genmove_analyze", "username", "Error: nobody has logged in"
        ]  # fmt: skip

    served(act, login_seconds=0.1)


def test_the_oldest_stranger_goes_when_there_are_too_many_and_no_player_does(monkeypatch):
    monkeypatch.setattr(cgos_server, "MOST_STRANGERS", 2)

    async def act(place):
        player, _ = await place.player()
        first, *others = [await place.connect() for _ in range(3)]
        assert (await first[0].read()).endswith(b"Error: too many connections\n")
        place.desk.clients[0].send("info you are still here")
        assert await player.readline() == b"info you are still here\n"
        assert [await reader.readline() for reader, _ in others] == 2 * [b"protocol genmove_analyze\n"]

    served(act)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (200 * b"d4\n", b"Error: too many lines that were not asked for\n"),
        (300_000 * b"x", b"Error: that line is too long\n"),
        (300_000 * b"x" + b"\n", b"Error: that line is too long\n"),
    ],
)
def test_a_flood_of_a_player_costs_its_connection(data, error):
    async def act(place):
        reader, writer = await place.player()
        writer.write(data)
        assert await reader.readline() == error
        assert place.desk.lost == ["nomo"]
        assert len(place.desk.heard_lines) <= cgos_server.UNASKED + 1

    served(act)


def test_answers_that_are_asked_for_are_no_flood():
    async def act(place):
        _, writer = await place.player()
        place.desk.due = 500
        writer.write(500 * b"d4\n")
        while len(place.desk.heard_lines) < 500:
            await asyncio.sleep(0.001)
        assert place.desk.lost == []

    served(act)


def test_a_line_without_its_end_is_no_answer():
    async def act(place):
        _, writer = await place.player()
        writer.write(b"d4")
        writer.close()
        while not place.desk.lost:
            await asyncio.sleep(0.001)
        assert place.desk.heard_lines == []

    served(act)


def test_a_client_that_reads_nothing_is_cut():
    async def act(place):
        await place.player()
        for _ in range(2000):
            place.desk.clients[0].send("info " + 10_000 * "x")
        while not place.desk.lost:
            await asyncio.sleep(0.001)

    served(act)


def test_the_round_trip_is_that_of_the_kernel():
    async def act(place):
        await place.player()
        assert 0 < place.desk.clients[0].round_trip() < 1

    served(act)
