"""``python -m bench.remote_players [--by join|cgos] [--seats 300] [--games 100]``: many engines elsewhere.

So many players connect to `gyoji serve`, by the messages of `gyoji join` or as clients of CGOS, and so many
games are played at once by `gyoji run`; Go on 19x19, moves of a script, each after --think seconds on
average. One process has all connections, so one clock says how long a move is on its way, from the moment at
which a player sends it until its opponent has it. Printed:

* delay of a move, p50, p99 and the longest; the same for a bare relay, a process that forwards each line to
  the opponent and does nothing else, at the same pace;
* of the server, the run and all workers together: CPU in per cent of a processor, memory (PSS) in MB, and CPU
  for each move;
* messages that say that something went wrong, of which there should be none.

Run it with both processors free: the players alone take some of one. It needs util-linux (`setpriv`), by
which the server and the run end however this process ends.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from types import MappingProxyType

from bench.remote_clients import CgosClients, Clients, Delays, JoinedClients
from gyoji.executors._proc import descendants

GYOJI = ("setpriv", "--pdeathsig", "KILL", "--", str(Path(sys.executable).with_name("gyoji")))
CLIENTS: Mapping[str, type[Clients]] = MappingProxyType({"join": JoinedClients, "cgos": CgosClients})
SETTLED = 15.0
"""Seconds that games are played before delays count."""

EVENT = """competition = "swiss"
rounds = 9
board_size = 19
komi = 7
ruleset = "chinese-ogs"
dead_stones = "alive"
clock = "20m"

[players]
"""


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
async def serving(file: Path, clients: Clients, seats: int) -> AsyncIterator[tuple[int, int, dict[str, str]]]:
    """Run `gyoji serve`. Yield its pid, the port for clients of CGOS, and the secret of each player."""
    words = [*GYOJI, "serve", "--port", "0", *clients.served, str(file)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        secrets: dict[str, str] = {}
        port = 0
        while len(secrets) < seats:
            line = await asyncio.to_thread(server.stdout.readline)
            if not line:
                raise SystemExit("bench.remote_players: gyoji serve has ended")
            if found := re.search(r"connect to \S+, port (\d+)", line):
                port = int(found[1])
            if found := clients.invited.search(line):
                secrets[found[1]] = found[2]
        try:
            yield server.pid, port, secrets
        finally:
            server.kill()


async def played(options: argparse.Namespace, folder: Path, delays: Delays) -> None:
    """Measure gyoji."""
    clients = CLIENTS[options.by](options.think, delays)
    names = [f"p{number:03}" for number in range(options.seats)]
    file = folder / "many.toml"
    players = "".join(f'{name} = {{ remote = true, protocol = "{clients.protocol}" }}\n' for name in names)
    file.write_text(EVENT + players, encoding="utf-8")
    run = subprocess.Popen([*GYOJI, "run", "-j", str(options.games), "--quiet", str(file)])
    try:
        async with serving(file, clients, options.seats) as (server, port, secrets):
            tasks = [asyncio.create_task(clients.play(*each, port)) for each in secrets.items()]
            while clients.playing < 2 * options.games:
                await asyncio.sleep(0.1)
                for task in tasks:
                    if task.done():
                        task.result()  # raises what ended it
            await _measured_parts(options, clients, server, run.pid)
            run.terminate()  # before the players, or games would be lost by those who leave
            run.wait()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        run.terminate()
        run.wait()


async def _measured_parts(options: argparse.Namespace, clients: Clients, server: int, run: int) -> None:
    """Measure for a while, and print what each part of gyoji needs."""
    parts = {"server": [server], "run": [run], "workers": descendants(run), "players": [os.getpid()]}
    began, before = time.monotonic(), {name: usage(pids) for name, pids in parts.items()}
    moves = clients.moves
    await measured(clients.delays, options.seconds)
    took, moves = time.monotonic() - began, clients.moves - moves
    print(
        f"{options.seats} players by {options.by}, {clients.playing // 2} games,"
        f" {len(parts['workers'])} processes below the run, {moves / took:.1f} moves a second"
    )
    for name, pids in parts.items():
        spent, memory = usage(pids)
        spent -= before[name][0]
        each = 1e6 * spent / moves
        print(f"  {name}: {100 * spent / took:.1f} % CPU, {memory:.0f} MB, {each:.0f} us of CPU a move")


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.remote_players", description="Many engines elsewhere.")
    parser.add_argument("--by", choices=CLIENTS, default="join", help="how players connect (join)")
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
