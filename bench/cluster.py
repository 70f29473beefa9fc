"""``python -m bench.cluster [--games N] [--slots N] [--hosts N] [--seconds A-B] [--dask]``: a simulated
cluster.

Hosts speak the agents' lines over real pipes or a real dask scheduler, but their games are waiting times
of A to B seconds, drawn at random. What remains is the work of the run: issue, receive, store, count.
Print

* the share of slots that were busy, from the moment all had a game until the last game was issued;
* CPU per game of the run's thread, beside that of a run on this machine with as many games per second;
* memory of the run after a tenth, half and all of the games;
* with --dask, CPU per game of dask's client (a thread of our process) and of its scheduler.
"""

# With dask every game passes six processes and threads. A machine with other work slows it long before a
# processor is full: the second field of /proc/PID/schedstat is the time for which a process was ready and
# waited.

import argparse
import heapq
import json
import os
import random
import resource
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

import gyoji
from bench.agent_processes import ProcessHosts
from gyoji.cli.exits import complain
from gyoji.cluster.agent_messages import Ended, Facts
from gyoji.cluster.cluster_pool import ClusterPool
from gyoji.cluster.dask_hosts import DaskHosts
from gyoji.cluster.host_connections import HostConnections, HostListener
from gyoji.core import wire
from gyoji.core.lines import LineReader
from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec
from gyoji.play.loop import Loop
from gyoji.play.order import Order, SentReport
from gyoji.play.worker_messages import Alive, read_to_worker
from gyoji.scheduler.event import Event
from gyoji.scheduler.events import Listener
from gyoji.scheduler.pool import Pool
from gyoji.scheduler.run import RunOptions, run
from gyoji.scheduler.slots import SlotPool
from gyoji.store.store import Store

AIMS = {"busy": 0.95, "factor": 2.0}
ALIVE_SECONDS = 5.0
WORKERS = 20
"""Number of workers of the run on this machine."""

_RESULT = (
    '{"id":"%s","pairing":"%s","players":["%s","%s"],'
    '"outcome":{"points":[1.0,0.0],"ending":"score","margin":2.5},"turns":74,'
    '"engines":[{"name":"instant","status":"exit 0"},{"name":"instant","status":"exit 0"}],'
    '"started":"2026-11-21T14:51:49+0000","wall_ns":%d,"digest":"%016x"}'
)
_REST = msgspec.Raw('{"turns":[[[0,"D4",5]],[[1,"E5",7]]]}')


class _Player(msgspec.Struct):
    code: str


class _Spec(msgspec.Struct):
    id: str
    pairing: str
    players: list[_Player]
    seed: int = 0


class _Order(msgspec.Struct):
    spec: _Spec


class _Message(msgspec.Struct):
    type: str
    ticket: int = 0
    order: _Order | None = None


_read = msgspec.json.Decoder(_Message).decode


def answer(line: bytes, seconds: float = 0.0) -> bytes | None:
    """Return a host's line for the end of the game that `line` orders, or None if `line` orders no game."""
    message = _read(line)
    if message.order is None:
        return None
    report = report_of(message.order.spec, seconds)
    return wire.dump_line(Ended(ticket=message.ticket, report=report))


def report_of(spec: _Spec | GameSpec, seconds: float = 0.0) -> SentReport:
    """Return the report of a game that took `seconds`."""
    codes = [player.code for player in spec.players]
    result = _RESULT % (spec.id, spec.pairing, *codes, int(seconds * 1e9), spec.seed % 2**64)
    return SentReport(result=msgspec.Raw(result), rest=_REST)


def ready(slots: int) -> bytes:
    """Return the first line of a host."""
    return wire.dump_line(Facts(version=gyoji.__version__, slots=slots, threads=slots))


class InstantHosts:
    """The port `HostConnections` with one host in this process, which answers at once."""

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._said: list[bytes] = []

    def open(self, loop: Loop, listener: HostListener) -> None:
        self._loop, self._listener = loop, listener
        listener.joined("instant")
        self._say(ready(self._slots))

    def _say(self, line: bytes) -> None:
        if not self._said:
            self._loop.call_later(0, self._be_heard)
        self._said.append(line)

    def _be_heard(self) -> None:
        said, self._said = self._said, []
        for line in said:
            self._listener.heard("instant", line)

    def send(self, _host: str, line: bytes) -> None:
        if said := answer(line):
            self._say(said)

    def restart(self, _host: str) -> None:
        raise NotImplementedError

    drop = restart

    def close(self) -> None:
        pass


def simulate(slots: int, shortest: float, longest: float) -> None:
    """Run as the agent of a simulated host: each game ends after a random time."""
    ends: list[tuple[float, bytes]] = []
    lines, alive = LineReader(), time.monotonic()
    os.write(1, ready(slots))
    while True:
        now = time.monotonic()
        said = []
        while ends and ends[0][0] <= now:
            said.append(heapq.heappop(ends)[1])
        if now >= alive:
            said.append(wire.dump_line(Alive()))
            alive = now + ALIVE_SECONDS
        if said:
            os.write(1, b"".join(said))
        until = min(alive, ends[0][0] if ends else alive)
        if not select.select([0], [], [], max(until - now, 0))[0]:
            continue
        if not (data := os.read(0, 1 << 18)):
            return
        for line in lines.feed(data):
            seconds = random.uniform(shortest, longest)
            if at_its_end := answer(line, seconds):
                heapq.heappush(ends, (time.monotonic() + seconds, at_its_end))


def work(shortest: float, longest: float, descriptor: int) -> None:
    """Run as a simulated worker of this machine: each game ends after a random time."""
    lines = LineReader()
    with socket.socket(fileno=descriptor) as connection:
        while data := connection.recv(1 << 16):
            for line in lines.feed(data):
                if isinstance(order := read_to_worker(line), Order):
                    time.sleep(random.uniform(shortest, longest))
                    connection.sendall(wire.dump_line(report_of(order.spec)))


class Watch(Listener):
    """Records when games start and end. `places` is the number of slots."""

    def __init__(self, places: int, games: int) -> None:
        self._places, self._games = places, games
        self._playing = self._started = 0
        self._full = self._last = 0.0
        self._spans: list[tuple[float, float]] = []
        self.memory: list[int] = []

    def started(self, order: Any) -> None:
        self._playing += 1
        self._started += 1
        if not self._full and self._playing >= self._places:
            self._full = time.monotonic()
        if self._started == self._games:
            self._last = time.monotonic()

    def finished(self, result: GameResult) -> None:
        self._playing -= 1
        now = time.monotonic()
        self._spans.append((now - result.wall_ns / 1e9, now))
        if len(self._spans) in (self._games // 10, self._games // 2, self._games):
            self.memory.append(_resident())

    @property
    def busy(self) -> float | None:
        """Share of the slots that had a game, in [0, 1], or None if they never were all busy at once."""
        if not self._full or self._last <= self._full:
            return None
        spent = [max(0.0, min(end, self._last) - max(begin, self._full)) for begin, end in self._spans]
        return sum(spent) / (self._last - self._full) / self._places


def _resident() -> int:
    """Return the resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() >> 20


_EVENT = """\
competition = "playoff"
number_of_games = {games}
board_size = 9
komi = 7.5
record_games = false
skip_player_checks = true
[players.a]
command = "/bin/true"
[players.b]
command = "/bin/true"
[[matchups]]
players = ["a", "b"]
alternating = true
"""


def play(make: Callable[[], Pool], games: int, places: int, *, parallel: int | None = None) -> dict[str, Any]:
    """Run a competition of `games` games in the pool that `make` returns, and return its costs."""
    watch = Watch(places, games)
    with tempfile.TemporaryDirectory(prefix="gyoji-cluster-") as folder:
        path = Path(folder, "event.toml")
        path.write_text(_EVENT.format(games=games))
        event = Event.open(path, complain)
        with Store.open(event.files.database, event.setup.code, create=True) as store, make() as pool:
            while pool.slots < min(places, games):
                pool.loop.wait()
            began, spent, all_spent = time.monotonic(), time.thread_time(), time.process_time()
            options = RunOptions(parallel=parallel)
            end = run(
                event.setup, event.competition, store, event.files, pool, options=options, listener=watch
            )
            wall, cpu = time.monotonic() - began, time.thread_time() - spent
            beside = time.process_time() - all_spent - cpu
    return {
        "games": end.finished,
        "wall_s": wall,
        "busy": watch.busy,
        "cpu_us": cpu / games * 1e6,
        "beside_us": beside / games * 1e6,
        "memory_mb": watch.memory,
    }


def here(games: int, slots: int, seconds: str) -> dict[str, Any]:
    """Run the same competition on this machine with a few workers, at as many games per second."""
    times = [f"{float(each) * WORKERS / slots:g}" for each in seconds.split("-")]
    command = (sys.executable, "-m", "bench.cluster", "--work", *times)
    return play(lambda: SlotPool(WORKERS, command=command), games, WORKERS, parallel=WORKERS)


@contextmanager
def dask_cluster(
    hosts: int, slots: int, seconds: str
) -> Iterator[tuple[HostConnections, subprocess.Popen[bytes]]]:
    """Start a dask scheduler and workers with simulated agents. There are no keys, because there are no
    engines.
    """
    with tempfile.TemporaryDirectory(prefix="gyoji-cluster-") as folder:
        file = Path(folder, "scheduler.json")
        started: list[subprocess.Popen[bytes]] = []

        def start(*words: str | Path) -> None:
            with Path(folder, "log").open("a") as log:
                command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
                started.append(subprocess.Popen(command, stdout=log, stderr=log))

        start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file, "--no-show")
        try:
            while not (file.exists() and file.stat().st_size):
                select.select([], [], [], 0.05)
            preload = Path(folder, "preload.py")
            words = ("-m", "bench.cluster", "--simulate", str(slots // hosts), seconds)
            preload.write_text(
                "import sys\nimport gyoji.cluster.actor as actor\n"
                f"actor.AGENT = (sys.executable, *{words!r}, '--')\n"
            )
            for number in range(hosts):
                threads = ("--nthreads", str(slots // hosts), "--no-nanny", "--memory-limit", "0")
                where = ("--local-directory", Path(folder, f"w{number}"), "--preload", preload)
                start("worker", "--scheduler-file", file, "--name", f"host{number}", *threads, *where)
            yield DaskHosts(json.loads(file.read_text())["address"]), started[0]
        finally:
            for process in started:
                process.kill()
                process.wait()


def _cpu_of(pid: int) -> float:
    """Return the seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(games: int, slots: int, hosts: int, seconds: str, *, dask: bool) -> dict[str, Any]:
    figures: dict[str, Any] = {"slots": slots, "hosts": hosts, "seconds": seconds, "dask": dask}
    if dask:
        with dask_cluster(hosts, slots, seconds) as (connection, scheduler):
            before = _cpu_of(scheduler.pid)
            figures["cluster"] = play(lambda: ClusterPool(connection), games, slots)
            figures["dask_us"] = (_cpu_of(scheduler.pid) - before) / games * 1e6
    else:
        command = (sys.executable, "-m", "bench.cluster", "--simulate", str(slots // hosts), seconds)
        commands = {f"host{number}": command for number in range(hosts)}
        figures["cluster"] = play(lambda: ClusterPool(ProcessHosts(commands)), games, slots)
    figures["here"] = here(min(games, 2000), slots, seconds)
    figures["factor"] = figures["cluster"]["cpu_us"] / figures["here"]["cpu_us"]
    return figures


def show(figures: dict[str, Any]) -> str:
    cluster, busy = figures["cluster"], figures["cluster"]["busy"]
    how = "dask" if figures["dask"] else "pipes"
    lines = [
        f"{cluster['games']} games of {figures['seconds']} s on {figures['slots']} places "
        f"of {figures['hosts']} hosts, by {how}: {cluster['wall_s']:.0f} s",
        f"  busy: {'not all at once' if busy is None else f'{busy:.1%}'} (aim: {AIMS['busy']:.0%})",
        f"  CPU a game: {cluster['cpu_us']:.0f} us, on this machine {figures['here']['cpu_us']:.0f} us: "
        f"{figures['factor']:.2f} times (aim: {AIMS['factor']:g})",
        f"  memory, MB, after a tenth, half, all: {' '.join(map(str, cluster['memory_mb']))}",
    ]
    if "dask_us" in figures:
        client, scheduler = cluster["beside_us"], figures["dask_us"]
        lines.append(
            f"  dask's own: {client:.0f} us a game in our process, {scheduler:.0f} us in its scheduler"
        )
    return "\n".join(lines)


def main(words: Sequence[str]) -> None:
    if words[:1] == ["--simulate"]:
        shortest, longest = map(float, words[2].split("-"))
        with suppress(BrokenPipeError):
            simulate(int(words[1]), shortest, longest)
        return
    if words[:1] == ["--work"]:
        work(float(words[1]), float(words[2]), int(words[3].partition(":")[0]))
        return
    parser = argparse.ArgumentParser(prog="python -m bench.cluster", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=6000, help="how many (6000)")
    parser.add_argument("--slots", type=int, default=1000, help="places, of all hosts (1000)")
    parser.add_argument("--hosts", type=int, default=20, help="how many (20)")
    parser.add_argument("--seconds", default="1-60", metavar="A-B", help="that a game takes (1-60)")
    parser.add_argument("--dask", action="store_true", help="over a real dask scheduler and workers")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(words)
    if options.slots % options.hosts:  # else it would wait for places that no host has
        parser.error(f"--slots: expected a multiple of --hosts {options.hosts}, got {options.slots}")
    figures = measure(options.games, options.slots, options.hosts, options.seconds, dask=options.dask)
    print(json.dumps(figures, indent=2) if options.json else show(figures))


if __name__ == "__main__":
    main(sys.argv[1:])
