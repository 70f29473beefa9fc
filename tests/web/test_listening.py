"""A connection that nobody reads is closed by the server's machine, and costs no memory for long."""

import re
import socket
from contextlib import closing, suppress
from select import POLLERR, POLLHUP, poll

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
