"""``python -m bench.remote_players [--seats 300] [--games 100] [--seconds 60]``: many engines elsewhere.

So many players connect to `gyoji serve`, and so many games are played at once by `gyoji run`; Go on 19x19,
moves of a script, each after --think seconds on average. One process has all connections, so one clock says
how long a move is on its way, from the moment at which a player sends it until its opponent has it. Printed:

* delay of a move, p50, p99 and the longest; the same for a bare relay, a process that forwards each line to
  the opponent and does nothing else, at the same pace;
* of the server, the run and all workers together: CPU in per cent of a processor, and memory (PSS) in MB;
* messages that say that something went wrong, of which there should be none.

The players are clients of CGOS, which need no program beside this one. Run it with both processors free: the
players alone take some of one.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

from gyoji.executors._proc import descendants

GYOJI = str(Path(sys.executable).with_name("gyoji"))
SETTLED = 15.0
"""Seconds that games are played before delays count."""

_LETTERS = "ABCDEFGHJKLMNOPQRST"
_MOVES = {
    "b": [f"{_LETTERS[place % 4]}{place // 4 + 1}" for place in range(70)],
    "w": [f"{_LETTERS[18 - place % 4]}{place // 4 + 1}" for place in range(70)],
}
"""The moves of each side, which fills its own edge of the board and captures nothing. Then it passes."""

EVENT = """competition = "swiss"
rounds = 9
board_size = 19
komi = 7
ruleset = "chinese-ogs"
dead_stones = "alive"
clock = "20m"

[players]
"""


class Delays:
    """What one process measures of moves on their way.

    Attributes:
        seconds: Delays, of moves that were sent after `since`.
        errors: Lines that no client should be told.
    """

    def __init__(self, since: float = float("inf")) -> None:
        self.since = since
        self.seconds: list[float] = []
        self.errors: list[str] = []

    def on_the_way(self, sent: float, arrived: float) -> None:
        """Note a move that was sent and has arrived."""
        if sent >= self.since:
            self.seconds.append(arrived - sent)

    def summary(self) -> str:
        """Return p50, p99 and the longest, in words."""
        if not self.seconds:
            return "no moves"
        ordered = sorted(self.seconds)
        p50, p99 = (1000 * ordered[int(part * (len(ordered) - 1))] for part in (0.5, 0.99))
        return (
            f"{len(ordered)} moves, p50 {p50:.2f} ms, p99 {p99:.2f} ms, longest {1000 * ordered[-1]:.1f} ms"
        )


class Clients:
    """All clients of CGOS, which play their moves in order.

    Attributes:
        playing: Number of clients in a game.
    """

    def __init__(self, port: int, think: float, delays: Delays) -> None:
        self._port, self._think, self._delays = port, think, delays
        self._random = Random(1)
        self._sent: dict[tuple[str, str], float] = {}  # by player and move
        self.playing = 0

    async def play(self, name: str, password: str) -> None:
        """Play as one player until cancelled."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(f"e1 bench\n{name}\n{password}\n".encode())
        opponent, made = "", 0
        with suppress(ConnectionError):
            while line := (await reader.readline()).decode():
                now = time.monotonic()
                word, *rest = line.split()
                if word == "setup":
                    opponent = next(each for each in map(_name, rest[4:6]) if each != name)
                    made, self.playing = 0, self.playing + 1
                elif word == "play" and (sent := self._sent.pop((opponent, rest[1].lower()), 0.0)):
                    self._delays.on_the_way(sent, now)
                elif word == "genmove":
                    await asyncio.sleep(self._random.uniform(0.5, 1.5) * self._think)
                    moves = _MOVES[rest[0]]
                    move = moves[made].lower() if made < len(moves) else "pass"
                    made += 1
                    self._sent[name, move] = time.monotonic()
                    writer.write(f"{move}\n".encode())
                elif word == "gameover":
                    self.playing -= 1
                    writer.write(b"ready\n")
                    if "pass" not in line and not re.match(r"\S+ \S+ [BW]\+[\d.]+$", line.strip()):
                        self._delays.errors.append(f"{name}: {line.strip()}")
                elif word == "Error:":
                    self._delays.errors.append(f"{name}: {line.strip()}")


def _name(told: str) -> str:
    """Return a player's name, without its rating."""
    return told.partition("(")[0]


class Relayed:
    """Pairs of players over a bare relay, at the same pace."""

    def __init__(self, port: int, think: float, delays: Delays) -> None:
        self._port, self._think, self._delays = port, think, delays
        self._random = Random(1)
        self._sent: dict[str, float] = {}

    async def play(self, pair: int, seat: int) -> None:
        """Play as one side of a pair: answer each move with one of our own, until cancelled."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(f"{pair}\n".encode())
        number = seat
        is_to_move = seat == 0
        while True:
            if is_to_move:
                await asyncio.sleep(self._random.uniform(0.5, 1.5) * self._think)
                self._sent[f"{pair}.{number}"] = time.monotonic()
                writer.write(f"{pair}.{number}\n".encode())
                number += 2
            line = (await reader.readline()).decode().strip()
            self._delays.on_the_way(self._sent.pop(line), time.monotonic())
            is_to_move = True


_RELAY = """
import asyncio
waiting = {}
async def forward(reader, writer):
    pair = await reader.readline()
    if pair in waiting:
        (other_reader, other), end = waiting.pop(pair)
        end.set_result((reader, writer))
    else:
        end = asyncio.get_running_loop().create_future()
        waiting[pair] = ((reader, writer), end)
        other_reader, other = await end
    while line := await reader.readline():
        other.write(line)
async def main():
    server = await asyncio.start_server(forward, "127.0.0.1", 0, backlog=1000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


def usage(pids: Sequence[int]) -> tuple[float, float]:
    """Return (CPU seconds so far, memory in MB) of some processes. Shared pages count in proportion."""
    ticks = memory = 0
    for pid in pids:
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            memory += int(re.search(r"^Pss:\s+(\d+)", rollup, re.MULTILINE)[1])  # type: ignore[index]
    return ticks / os.sysconf("SC_CLK_TCK"), memory / 1024


async def relayed(options: argparse.Namespace, delays: Delays) -> None:
    """Measure the bare relay."""
    with subprocess.Popen([sys.executable, "-c", _RELAY], stdout=subprocess.PIPE, text=True) as relay:
        assert relay.stdout is not None
        relays = Relayed(int(relay.stdout.readline()), options.think, delays)
        sides = [(pair, seat) for pair in range(options.games) for seat in (0, 1)]
        tasks = [asyncio.create_task(relays.play(*each)) for each in sides]
        await measured(delays, options.seconds / 2, settled=3)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        relay.kill()


async def measured(delays: Delays, seconds: float, *, settled: float = SETTLED) -> None:
    """Let moves settle, and then count them for a while."""
    await asyncio.sleep(settled)
    delays.since = time.monotonic()
    await asyncio.sleep(seconds)
    delays.since = float("inf")


@asynccontextmanager
async def serving(file: Path, seats: int) -> AsyncIterator[tuple[int, int, dict[str, str]]]:
    """Run `gyoji serve`. Yield its pid, the port for clients of CGOS, and the passwords."""
    words = [GYOJI, "serve", "--port", "0", "--cgos", "0", str(file)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        passwords: dict[str, str] = {}
        port = 0
        while len(passwords) < seats:
            line = await asyncio.to_thread(server.stdout.readline)
            if not line:
                raise SystemExit("bench.remote_players: gyoji serve has ended")
            if found := re.search(r"connect to \S+, port (\d+)", line):
                port = int(found[1])
            if found := re.search(r"user name (\S+), password (\S+)", line):
                passwords[found[1]] = found[2]
        try:
            yield server.pid, port, passwords
        finally:
            server.kill()


async def played(options: argparse.Namespace, folder: Path, delays: Delays) -> None:
    """Measure gyoji."""
    names = [f"p{number:03}" for number in range(options.seats)]
    file = folder / "many.toml"
    players = "".join(f'{name} = {{ remote = true, protocol = "cgos" }}\n' for name in names)
    file.write_text(EVENT + players, encoding="utf-8")
    run = subprocess.Popen([GYOJI, "run", "-j", str(options.games), "--quiet", str(file)])
    try:
        async with serving(file, options.seats) as (server, port, passwords):
            clients = Clients(port, options.think, delays)
            tasks = [asyncio.create_task(clients.play(*each)) for each in passwords.items()]
            while clients.playing < 2 * options.games:
                await asyncio.sleep(0.1)
            parts = {"server": [server], "run": [run.pid], "workers": descendants(run.pid)}
            parts["players"] = [os.getpid()]
            began, before = time.monotonic(), {name: usage(pids) for name, pids in parts.items()}
            await measured(delays, options.seconds)
            took = time.monotonic() - began
            below = len(parts["workers"])
            print(f"{options.seats} players, {clients.playing // 2} games, {below} processes below the run")
            for name, pids in parts.items():
                cpu, memory = usage(pids)
                print(f"  {name}: {100 * (cpu - before[name][0]) / took:.1f} % CPU, {memory:.0f} MB")
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        run.terminate()
        run.wait()


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.remote_players", description="Many engines elsewhere.")
    parser.add_argument("--seats", type=int, default=300)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=2.0, help="mean seconds for a move")
    options = parser.parse_args()
    bare, delays = Delays(), Delays()
    asyncio.run(relayed(options, bare))
    print(f"bare relay: {bare.summary()}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(played(options, Path(folder), delays))
    print(f"gyoji:      {delays.summary()}")
    for error in delays.errors:
        print(error)
    return int(bool(delays.errors))


if __name__ == "__main__":
    sys.exit(main())
