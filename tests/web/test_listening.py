"""Connections that are silent or not read are closed, and however many there are, they keep nobody out."""

import re
import socket
import subprocess
import sys
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from select import POLLERR, POLLHUP, POLLIN, poll

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install -e '.[dev]'")
from gyoji.core.faults import ConfigError
from gyoji.web.listening import listen

LONG_MS = 30_000


def test_who_takes_nothing_for_a_while_loses_the_connection():
    with closing(listen("127.0.0.1", 0, unread=0.3)) as listener:
        lazy = socket.create_connection(listener.getsockname())
        connection, _ = listener.accept()
        with closing(lazy), closing(connection):
            connection.setblocking(False)
            with suppress(BlockingIOError):
                while True:
                    connection.send(bytes(1 << 16))
            watch = poll()
            watch.register(connection, POLLERR | POLLHUP)
            assert watch.poll(LONG_MS)
            with pytest.raises(TimeoutError):
                connection.send(b"more")


def test_a_port_that_is_taken_is_told_of_in_one_line():
    with (
        closing(listen("127.0.0.1", 0)) as listener,
        pytest.raises(ConfigError) as caught,
    ):
        listen("127.0.0.1", listener.getsockname()[1])
    port = re.search(r"port (\d+)", str(caught.value))[1]
    assert str(caught.value) == (
        f"serve: cannot listen on 127.0.0.1, port {port}: Address already in use; take another by --port, or "
        "--port 0 for any that is free"
    )


def test_an_address_of_another_machine_is_told_with_what_to_do():
    with pytest.raises(
        ConfigError, match=r"Cannot assign requested address; --bind takes an address of this"
    ):
        listen("192.0.2.1", 0)


SERVER = """
import asyncio, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[3]), int(sys.argv[3])))
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route
from gyoji.web.listening import answer, listen

async def plain(request):
    return PlainTextResponse(str(len(await request.body())))

async def stream(request):
    async def events():
        yield b"begins\\n"
        await asyncio.Event().wait()
    return StreamingResponse(events())

listener = listen("127.0.0.1", 0)
print(listener.getsockname()[1], flush=True)
routes = [Route("/", plain, methods=["GET", "POST"]), Route("/stream", stream)]
answer(Starlette(routes=routes), listener, lambda: None, most=int(sys.argv[1]), silent=float(sys.argv[2]))
"""


@contextmanager
def answering(*, most=0, silent=600.0, descriptors=4000):
    """Yield the port of a server in a process of its own, which may have so many descriptors."""
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(most), str(silent), str(descriptors)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield int(server.stdout.readline())
    finally:
        server.terminate()
        _, errors = server.communicate(timeout=30)
    assert b"Traceback" not in errors


def is_closed(connection):
    """Whether the other end closes a connection that nothing is read from."""
    watch = poll()
    watch.register(connection, POLLIN | POLLERR | POLLHUP)
    if not watch.poll(LONG_MS):
        return False
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def answered(port):
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as client:
        client.request("GET", "/")
        return client.getresponse().read()


def streaming(port):
    """Return a connection with an event stream that has begun."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
    text = b""
    while b"begins" not in text:
        text += connection.recv(4096)
    return connection


@pytest.mark.process
@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Half:",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HT",
    ],
    ids=["no byte", "half a head", "half a body", "half of a second request"],
)
def test_who_owes_a_request_for_too_long_loses_the_connection(words):
    with answering(silent=0.3) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(words)
        text = b""
        with suppress(ConnectionResetError):
            while data := connection.recv(4096):
                text += data
        assert text.count(b"HTTP/1.1 200") == words.count(b"\r\n\r\nGET")


@pytest.mark.process
def test_an_event_stream_is_not_taken_for_silence():
    with answering(silent=0.2) as port, closing(streaming(port)) as stream:
        with socket.create_connection(("127.0.0.1", port)) as silent:
            assert is_closed(silent)
        stream.settimeout(0.0)
        with pytest.raises(BlockingIOError):
            stream.recv(1)


@pytest.mark.process
def test_a_thousand_silent_connections_keep_nobody_out():
    with answering(descriptors=256) as port, ExitStack() as stack:
        stream = stack.enter_context(closing(streaming(port)))
        for number in range(1000):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            if number % 100 == 99:
                assert answered(port) == b"0"
        stream.settimeout(0.0)
        with pytest.raises(BlockingIOError):  # who is answered does not go for those who are silent
            stream.recv(1)


@pytest.mark.process
def test_a_thousand_event_streams_keep_nobody_out():
    with answering(descriptors=256) as port, ExitStack() as stack:
        streams = [stack.enter_context(closing(streaming(port))) for _ in range(1000)]
        assert answered(port) == b"0"
        assert is_closed(streams[0])
        streams[-1].settimeout(0.0)
        with pytest.raises(BlockingIOError):
            streams[-1].recv(1)


def test_a_small_message_does_not_wait_for_the_acknowledgement_of_another():
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
