"""Connections of JSON lines: whole messages both ways, room for what a peer does not read yet, one end."""

import json
import os
import socket
from io import FileIO

import pytest

from gyoji.play.connection import JsonConnection
from gyoji.play.loop import Loop

LARGE = {"text": "x" * (1 << 20)}  # more than a socket or a pipe holds


class Peer:
    """A connection, what it has told its owner, and the other end of it."""

    def __init__(self, loop, kind):
        self.loop, self.heard, self.ends = loop, [], []
        if kind == "socket":
            ours, theirs = socket.socketpair()
            self.reads = self.writes = theirs.detach()
            ends = (ours,)
        else:
            reading, self.writes = os.pipe()
            self.reads, writing = os.pipe()
            ends = FileIO(reading, "r"), FileIO(writing, "w")
        self.connection = JsonConnection(
            loop, *ends, on_line=self.on_line, on_end=self.ends.append, most=1 << 22
        )

    def on_line(self, line):
        self.heard.append(json.loads(line))
        if self.heard[-1] == "close":
            self.connection.close()

    def say(self, data):
        os.write(self.writes, data)
        self.loop.wait(1)

    def gone(self):
        for descriptor in {self.reads, self.writes}:
            os.close(descriptor)
        self.loop.wait(1)


@pytest.fixture
def loop():
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture(params=["socket", "pipes"])
def peer(loop, request):
    peer = Peer(loop, request.param)
    yield peer
    peer.connection.close()


def test_messages_arrive_whole_however_they_are_cut(peer):
    peer.say(b'{"a":')
    assert peer.heard == []
    peer.say(b'1}\n"b"\n[')
    assert peer.heard == [{"a": 1}, "b"]
    peer.say(b"]\n")
    assert peer.heard[2:] == [[]]
    peer.gone()


def test_a_value_is_sent_as_one_line(peer):
    peer.connection.send({"a": 1})
    peer.connection.write(b"2\n")
    assert os.read(peer.reads, 100) == b'{"a":1}\n2\n'
    peer.gone()


def test_what_there_is_no_room_for_is_sent_when_there_is(peer):
    peer.connection.send(LARGE)
    peer.connection.send("last")
    assert peer.connection.unsent > 0
    received = b""
    while not received.endswith(b'"last"\n'):
        received += os.read(peer.reads, 1 << 16)
        peer.loop.wait(0)
    assert peer.connection.unsent == 0
    assert json.loads(received.partition(b"\n")[0]) == LARGE
    peer.gone()


def test_the_end_is_told_once_after_everything_that_was_sent(peer):
    os.write(peer.writes, b"1\n2\n3")
    peer.gone()
    peer.connection.read_all()
    assert peer.heard == [1, 2]
    assert peer.ends == [""]
    assert peer.connection.has_ended


def test_what_is_sent_to_a_peer_that_is_gone_is_dropped(peer):
    peer.connection.send(LARGE)
    peer.gone()
    peer.connection.send(LARGE)
    peer.loop.wait(0)
    assert peer.connection.unsent == 0
    assert peer.ends == [""]


def test_a_line_that_is_too_long_ends_the_connection(peer):
    for _ in range(65):
        peer.say(b"x" * (1 << 16))
    assert peer.heard == []
    assert peer.ends == ["sends a line of more than 4194304 bytes"]
    peer.gone()


def test_nothing_is_told_after_close(peer):
    peer.say(b'"close"\n"more"\n')
    peer.connection.send("nothing")
    peer.connection.close()
    assert (peer.heard, peer.ends) == (["close"], [])
    assert os.read(peer.reads, 10) == b""


def test_the_output_can_be_closed_alone(peer):
    peer.connection.close_output()
    peer.connection.send("nothing")
    assert os.read(peer.reads, 10) == b""
    peer.say(b"1\n")
    assert peer.heard == [1]
    peer.gone()


def test_what_was_sent_is_still_written_when_the_peer_says_nothing_more(loop):
    peer = Peer(loop, "socket")
    with socket.socket(fileno=peer.reads) as end:
        peer.connection.send(LARGE)
        end.shutdown(socket.SHUT_WR)
        received = b""
        while not received.endswith(b"\n"):
            received += end.recv(1 << 16)
            loop.wait(0)
    assert json.loads(received) == LARGE
    assert peer.ends == [""]
    peer.connection.close()
