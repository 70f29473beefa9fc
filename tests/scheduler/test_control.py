"""The control socket answers whoever asks, and lives through whatever is said to it."""

import json
import os
import select
import socket
import sys
import threading

import pytest

from fake_pool import FakePool
from gyoji.core.faults import ConfigError
from gyoji.core.spec import Player
from gyoji.play.context import WorkerContext
from gyoji.play.loop import Loop
from gyoji.scheduler import control
from gyoji.scheduler.control import CONNECTIONS, ControlServer
from gyoji.scheduler.control_client import send_command
from gyoji.scheduler.feed import Feed
from gyoji.store.files import CompetitionFiles


class Service:
    """A server in a thread of its own, which answers what it was asked."""

    def __init__(self, files):
        self.loop = Loop()
        self.asked = []
        self.server = ControlServer(files.socket, self.loop, self.answer, Feed(FakePool(), tuple))
        self.is_open = True
        self.end, self.ender = socket.socketpair()
        self.loop.watch(self.end.fileno(), lambda _now: None)
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def answer(self, command):
        self.asked.append(command)
        return {"ok": True, "heard": command}

    def serve(self):
        while self.is_open:
            self.loop.wait()

    def close(self):
        self.is_open = False
        self.ender.close()
        self.thread.join()
        self.end.close()
        self.server.close()
        self.loop.close()


@pytest.fixture
def serve():
    services = []

    def serve(files):
        services.append(Service(files))
        return services[-1]

    yield serve
    for service in services:
        service.close()


def connect(files):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(5)
    with control.short_address(files.socket) as address:
        connection.connect(address)
    return connection


def test_a_command_is_answered(files, serve):
    service = serve(files)
    assert send_command(files, {"do": "status"}) == {"ok": True, "heard": {"do": "status"}}
    assert service.asked == [{"do": "status"}]


def test_a_message_of_a_remote_player_may_be_long(files, serve):
    service = serve(files)
    text = "a" * 300_000  # more than a socket takes at once
    assert send_command(files, {"talk": text})["ok"]
    assert service.asked == [{"talk": text}]


def test_a_folder_may_be_deep_and_a_name_long(tmp_path, serve):
    folder = tmp_path
    for _ in range(12):
        folder /= "a folder with a long name, ö"
        folder.mkdir()
    for stem in ("event", "event" * 40):
        files = CompetitionFiles(folder / f"{stem}.toml")
        serve(files)
        assert send_command(files, {})["ok"]


def test_a_socket_that_was_left_behind_is_replaced(files, serve):
    left = socket.socket(socket.AF_UNIX)
    with control.short_address(files.socket) as address:
        left.bind(address)
    left.close()
    with pytest.raises(ConfigError, match="is not running"):
        send_command(files, {"do": "stop"})
    serve(files)
    assert send_command(files, {"do": "stop"})["ok"]


def test_nothing_is_left_of_a_server_that_was_closed(files, serve):
    service = serve(files)
    service.close()
    assert not os.path.lexists(files.socket)
    with pytest.raises(ConfigError, match="is not running"):
        send_command(files, {})
    service.close = lambda: None


@pytest.mark.parametrize("line", [b"hello", b"[]", b"3", b"\xff\xfe", b'{"do":'])
def test_what_is_no_command_is_answered_too(files, serve, line):
    service = serve(files)
    with connect(files) as connection:
        connection.sendall(line + b"\n")
        answer = json.loads(connection.recv(4096))
        assert not answer["ok"]
        assert "no JSON object" in answer["error"]
        connection.sendall(b'{"do":"x"}\n')
        assert json.loads(connection.recv(4096))["ok"]
    assert service.asked == [{"do": "x"}]


def test_commands_may_come_in_any_pieces(files, serve):
    serve(files)
    with connect(files) as connection, connection.makefile("rb") as answers:
        for byte in b'{"n":1}\n{"n":2}\n':
            connection.sendall(bytes([byte]))
        assert [json.loads(answers.readline())["heard"] for _ in range(2)] == [{"n": 1}, {"n": 2}]


def test_who_says_too_much_or_leaves_is_parted_from(files, serve):
    serve(files)
    with connect(files) as endless, pytest.raises((BrokenPipeError, ConnectionResetError)):
        endless.sendall(b"x" * (1 << 26))
    with connect(files) as hasty:
        hasty.sendall(b'{"n":1}\n' * 50)
    assert send_command(files, {"n": 2})["ok"]


def test_many_who_say_nothing_make_room(files, serve):
    serve(files)
    silent = [connect(files) for _ in range(CONNECTIONS + 8)]
    assert send_command(files, {"n": 2})["ok"]
    for connection in silent:
        connection.close()


def test_a_run_that_does_not_answer_is_not_waited_for(files):
    deaf = socket.socket(socket.AF_UNIX)
    with control.short_address(files.socket) as address:
        deaf.bind(address)
    deaf.listen()
    with pytest.raises(ConfigError, match="does not answer"):
        send_command(files, {}, seconds=0.05)
    deaf.close()


@pytest.mark.parametrize("mask", [0, 0o022, 0o077, 0o777])
def test_only_the_user_can_connect_whatever_the_umask(files, serve, mask):
    before = os.umask(mask)
    try:
        serve(files)
    finally:
        os.umask(before)
    assert files.socket.stat().st_mode & 0o777 == 0o600
    assert send_command(files, {"do": "status"})["ok"]


@pytest.mark.parametrize(
    ("user", "may"), [(os.geteuid(), True), (0, True), (os.geteuid() + 1, False), (65534, False)]
)
def test_a_run_obeys_its_user_and_root(user, may):
    assert control.may_command(user) is may


def test_who_is_somebody_else_is_not_heard(files, serve, monkeypatch):
    service = serve(files)
    monkeypatch.setattr(control, "_other_end", lambda connection: (os.getpid(), os.geteuid() + 1))
    with pytest.raises(ConfigError):
        send_command(files, {"do": "stop"})
    monkeypatch.undo()
    assert send_command(files, {"do": "status"})["ok"]
    assert service.asked == [{"do": "status"}]


@pytest.mark.process
def test_an_engine_is_not_heard(files, serve, tmp_path):
    service = serve(files)
    code = f"import socket; s = socket.socket(socket.AF_UNIX); s.connect({str(files.socket)!r});"
    code += """s.sendall(b'{"do": "stop"}\\n'); print("heard", s.recv(100))"""
    context = WorkerContext()
    player = Player(code="a", command=(os.path.realpath(sys.executable), "-c", code), cwd="")
    engine, leave = context.start(player, {})
    assert select.select([engine.pidfd], [], [], 20)[0]
    assert engine.reap()[0] != "unknown"
    assert b"ok" not in os.read(engine.stdout, 1000)
    engine.close()
    leave()
    context.close()
    assert send_command(files, {"do": "status"})["ok"]
    assert service.asked == [{"do": "status"}]


def test_the_kernel_says_who_connects():
    one, other = socket.socketpair()
    with one, other:
        assert control._other_end(one)[1] == os.geteuid()


def test_a_file_in_the_socket_s_place_stays_and_a_link_goes(files, serve):
    files.socket.write_text("mine")
    with pytest.raises(OSError, match="in use"):
        serve(files)
    assert files.socket.read_text() == "mine"
    kept = files.socket.rename(files.folder / "kept")
    files.socket.symlink_to(kept)
    serve(files)
    assert kept.read_text() == "mine"
    assert send_command(files, {"do": "status"})["ok"]
