"""``python -m bench.serving [--games 64] [--rate 20] [--watchers 50] [--seconds 20]``: the server watched.

Games are played back over the feed (`bench.playback`), since two processors cannot play 64 of them at 20
moves a second beside everything else; half of the watchers read the wall (all boards), the others a game
each. Printed:

* CPU of the server, in per cent of a processor, with the watchers and with none;
* of the watchers, how many messages and bytes a second each got, and most of them in any one second. What is
  sent at once is a message, however many events it has;
* seconds until a watcher that does not read has lost its connection;
* in a tab of headless Chromium that shows the wall: ms of script, style and layout of an update, and the
  longest task; and seconds until a tab with an empty cache shows the board of a game, and KB fetched
  (`bench.tab`). Only where playwright and Chromium are there.

``--history N`` instead: a competition of N stored games is served. Printed are seconds from the start of the
server until it listens, and until each of some pages is there, one asked for after the other, and the CPU
time of the server by then.
"""

import argparse
import json
import os
import select
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench.playback import finished
from bench.tab import measure_first_board, measure_tab
from gyoji.scheduler.event import Event
from gyoji.store.game_texts import Finished
from gyoji.store.store import Store

AIMS = {"server_cpu": 25.0, "messages": 10, "update_ms": 10.0, "longest_task_ms": 50.0, "open_s": 1.0}
AIMS |= {"first_board_s": 0.5, "first_board_kb": 100.0}

CONTROL = """\
competition = "playoff"
game = "go"
board_size = {size}
komi = 7.5
skip_player_checks = true
[players.one]
command = "/bin/true"
[players.two]
command = "/bin/true"
[[matchups]]
players = ["one", "two"]
number_of_games = 1000000
alternating = true
"""


@dataclass(slots=True)
class Watcher:
    """A connection that reads events, and when it got how much. A wall is one of all boards."""

    connection: socket.socket
    wall: bool
    sizes: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    rest: bytes = b""
    has_begun: bool = False  # the head of the answer is read

    def read(self) -> bool:
        """Take what is there; whether it goes on. Chunks of HTTP are messages of the server."""
        data = self.connection.recv(1 << 20)
        now, self.rest = time.monotonic(), self.rest + data
        if not self.has_begun:
            _, end, rest = self.rest.partition(b"\r\n\r\n")
            if not end:
                return bool(data)
            self.has_begun, self.rest = True, rest
        while b"\r\n" in self.rest:
            head, _, body = self.rest.partition(b"\r\n")
            size = int(head, 16)
            if len(body) < size + 2:
                break
            self.rest = body[size + 2 :]
            self.times.append(now)
            self.sizes.append(size)
        return bool(data)

    def most_in_a_second(self) -> int:
        most, window = 0, deque[float]()
        for moment in self.times:
            window.append(moment)
            while window[0] <= moment - 1:
                window.popleft()
            most = max(most, len(window))
        return most


def subscribe(place: str, topic: str, *, room: int = 0) -> socket.socket:
    """Return a connection that has asked for the events of a topic.

    room: Bytes of its receive buffer; 0 for the default.
    """
    host, port = place.split(":")
    connection = socket.socket()
    if room:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    connection.connect((host, int(port)))
    request = f"GET /api/v1/events?watch={quote(topic)} HTTP/1.1\r\nHost: {place}\r\n\r\n"
    connection.sendall(request.encode())
    return connection


def ask(place: str, path: str) -> bytes:
    """Return the answer to a request. Raises OSError for any but a good one."""
    connection = HTTPConnection(place, timeout=600)
    connection.request("GET", path)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    if answer.status != 200:
        raise OSError(f"{path}: {answer.status}")
    return data


@contextmanager
def server_of(path: Path) -> Iterator[tuple[int, str]]:
    """Serve a control file in another process. Yield its process id and its address, "host:port"."""
    command = [sys.executable, "-m", "gyoji", "serve", str(path), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.pid, process.stdout.readline().strip().removeprefix("http://").rstrip("/")
        finally:
            process.terminate()


@contextmanager
def playback_of(path: Path, options: argparse.Namespace) -> Iterator[int]:
    """Play games back in another process until the block is left. Yield its process id."""
    words = ["--games", str(options.games), "--rate", str(options.rate), "--turns", str(options.turns)]
    command = [sys.executable, "-m", "bench.playback", str(path), *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin
        try:
            yield process.pid
        finally:
            process.stdin.close()


def watch(watchers: list[Watcher], seconds: float) -> None:
    """Read what comes for all of them."""
    with selectors.DefaultSelector() as selector:
        for each in watchers:
            selector.register(each.connection, selectors.EVENT_READ, each)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                if not key.data.read():
                    selector.unregister(key.fileobj)


def playing(place: str, name: str, games: int) -> list[str]:
    """Return the games in progress, once they are all there."""
    for _ in range(600):
        with suppress(OSError):
            found = json.loads(ask(place, f"/api/v1/competitions/{name}"))["playing"]
            if len(found) >= games:
                return list(found)
        time.sleep(0.05)
    raise SystemExit("the games do not begin")


def measure_server(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    path = folder / "event.toml"
    path.write_text(CONTROL.format(size=options.size))
    with playback_of(path, options), server_of(path) as (server, place):
        games = playing(place, "event", options.games)
        wall = f"http://{place}/c/event/wall"
        board = f"http://{place}/c/event/games/{games[0]}"
        if options.only_tab:
            return measure_first_board(board) | measure_tab(wall, options.seconds, options.view)
        alone = share(server, options.seconds / 4, time.sleep)
        topics = [
            "event/boards" if number % 2 == 0 else f"event/{games[number % len(games)]}"
            for number in range(options.watchers)
        ]
        lazy = subscribe(place, "event/boards", room=4096), time.monotonic()
        watchers = [Watcher(subscribe(place, topic), topic == "event/boards") for topic in topics]
        watch(watchers, 2)
        for each in watchers:
            each.times, each.sizes = [], []
        watched = share(server, options.seconds, lambda seconds: watch(watchers, seconds))
        figures = {
            "server_cpu_alone": alone,
            "server_cpu": watched,
            "messages": max(each.most_in_a_second() for each in watchers),
            "messages_mean": sum(len(each.times) for each in watchers) / len(watchers) / options.seconds,
            "kb_of_wall": mean_kb([each for each in watchers if each.wall], options.seconds),
            "kb_of_game": mean_kb([each for each in watchers if not each.wall], options.seconds),
            "server_mb": resident_mb(server),
        }
        for each in watchers:
            each.connection.close()
        figures["unread_s"] = patience(lazy)
        if options.tab:
            figures |= measure_first_board(board) | measure_tab(wall, options.seconds, options.view)
    return figures


def patience(lazy: tuple[socket.socket, float]) -> float:
    """Return the seconds from the moment until the connection, of which nothing is read, was given up."""
    connection, since = lazy
    watch = select.poll()
    watch.register(connection, select.POLLERR | select.POLLHUP | select.POLLRDHUP)
    watch.poll(120_000)
    connection.close()
    return time.monotonic() - since


def measure_opening(folder: Path, games: int) -> dict[str, Any]:
    """Seconds until pages of a competition with so many games are there."""
    path = folder / "event.toml"
    path.write_text(CONTROL.format(size=9))
    fill(Event.open(path), games)
    began, figures = time.monotonic(), {}
    with server_of(path) as (server, place):
        figures["listening_s"] = time.monotonic() - began
        for name, address in _PAGES.items():
            ask(place, address)
            figures |= {f"{name}_s": time.monotonic() - began, f"{name}_cpu_s": cpu_of(server)}
    return figures


_PAGES = {
    "open": "/c/event",
    "newest": "/api/v1/competitions/event/games",
    "search": "/api/v1/competitions/event/games?text=nowhere",
    "tables": "/c/event/parts",
}


def fill(event: Event, games: int) -> None:
    """Store so many finished games."""
    with Store.open(event.files.database, event.setup.code, create=True) as store:
        for _ in range(0, games, 1000):
            specs = [event.competition.next_game() for _ in range(1000)]
            store.append_many([Finished.of(spec, finished(spec, (), "", 74)) for spec in specs])


def share(process: int, seconds: float, work: Any) -> float:
    """Return the CPU of a process while something is done, in per cent of a processor."""
    began, spent = time.monotonic(), cpu_of(process)
    work(seconds)
    return 100 * (cpu_of(process) - spent) / (time.monotonic() - began)


def cpu_of(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(process: int) -> float:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def mean_kb(watchers: list[Watcher], seconds: float) -> float:
    return sum(sum(each.sizes) for each in watchers) / max(len(watchers), 1) / seconds / 1000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.serving", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=64, help="at once (64)")
    parser.add_argument("--rate", type=float, default=20, help="turns a second of each (20)")
    parser.add_argument("--turns", type=int, default=200, help="of a game (200)")
    parser.add_argument("--size", type=int, default=19, help="of the board (19)")
    parser.add_argument("--watchers", type=int, default=50, help="who reads (50)")
    parser.add_argument("--seconds", type=float, default=20, help="of the measurement (20)")
    parser.add_argument("--no-tab", dest="tab", action="store_false", help="without a browser")
    parser.add_argument("--only-tab", action="store_true", help="nothing but the browser")
    parser.add_argument("--view", default="1600x1200", help="size of the tab (1600x1200)")
    parser.add_argument("--history", type=int, default=0, help="stored games of a competition that is opened")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gyoji-serving-") as folder:
        if options.history:
            figures = measure_opening(Path(folder), options.history)
        else:
            figures = measure_server(Path(folder), options)
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    for name, figure in figures.items():
        print(f"{name}: {figure:.2f}" + (f" (aim: {AIMS[name]:g})" if name in AIMS else ""))


if __name__ == "__main__":
    main()
