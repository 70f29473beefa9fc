"""``python -m bench.far_network --port N [options] -- COMMAND``: a command that reaches us over a bad line.

COMMAND runs in a network namespace of its own, where 127.0.0.1:N leads through a relay to 127.0.0.1:N of
the namespace from which the script was started (of another new one, with ``--server COMMAND``). The relay
adds what a long line does to a connection:

    delay      every byte arrives --delay ms later, in each direction (40: a round trip of 80 ms)
    pause      as after a lost packet, all bytes of one direction wait for 200 to 1200 ms; with each piece of
               data, by chance (--pauses, 0.01)
    cut        now and then (--cuts, mean seconds between two) the line is dead for 5 s. Every other cut
               resets the connections and refuses new ones until it ends; the others only hold all bytes back

The network of the two namespaces has no route but the relay. It needs root: util-linux (`unshare`,
`nsenter`) makes the namespaces. At the end the script prints how many bytes, pauses and cuts there were, and
exits with the status of COMMAND. The seed decides the chances, but not what they meet.

    python -m bench.far_network --port 8437 --server "gyoji serve cup.toml" -- gyoji join LINK -- ./engine
"""

# Theory of operation
#
# A socket belongs to the namespace in which it was made, whichever process uses it. So one relay process
# makes its listening sockets in the far namespace, returns to the near one, and makes its connections to the
# server there. Neither namespace has anything but its loopback, which is what a server without TLS accepts.
#
# Each direction of a connection is a `Line`: a queue of (time of release, bytes). The time is that of arrival
# and the delay, but never before that of the piece ahead, and never before the end of a pause or a cut: TCP
# delivers in order, so what is behind a lost packet waits with it. The queue holds 1 MB at most, then the
# relay stops reading, as a full window would.

import argparse
import asyncio
import ctypes
import json
import os
import shlex
import signal
import socket
import struct
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random

PAUSE = (0.2, 1.2)
"""Shortest and longest pause, in seconds: about one to three retransmission timeouts of Linux."""
CUT = 5.0
"""Duration of a cut in seconds."""
_PIECE = 1 << 14
_FULL = 1 << 20
_CLONE_NEWNET = 0x40000000


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather:
    """What the line does to connections.

    Attributes:
        delay: Seconds in each direction.
        pauses: Probability of a pause, for each piece of data.
        cuts: Mean seconds between two cuts; 0 for no cuts.
    """

    delay: float = 0.04
    pauses: float = 0.01
    cuts: float = 0.0
    seed: int = 1


class Relay:
    """Forwards TCP connections between two addresses, with the weather of a bad line.

    Attributes:
        counts: Number of connections, bytes, pauses, resets, and cuts of both kinds so far.
    """

    def __init__(self, weather: Weather) -> None:
        self._weather = weather
        self._random = Random(weather.seed)
        self._dead_until = 0.0  # in the loop's time
        self._refuses = False  # whether the running cut refuses new connections
        self._open = set[asyncio.StreamWriter]()
        self.counts = Counter[str]()

    async def connect(self, port: int, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        """Forward one connection, which was accepted, to `port` of 127.0.0.1."""
        if self._refuses:
            _reset(back)
            return
        self.counts["connections"] += 1
        try:
            far, out = await asyncio.open_connection("127.0.0.1", port, limit=_PIECE)
        except OSError:
            _reset(back)
            return
        ends = {back, out}
        self._open |= ends
        try:
            await asyncio.gather(self._forward(near, out), self._forward(far, back))
        except asyncio.CancelledError:  # the relay ends; streams would complain of a cancelled task
            pass
        finally:
            self._open -= ends
            for end in ends:
                end.close()

    async def _forward(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        line = Line(target)
        sender = asyncio.create_task(line.send(self))
        try:
            while data := await source.read(_PIECE):
                self.counts["bytes"] += len(data)
                await line.put(data, self._release(line.last))
        except ConnectionError:
            _reset(target)
        finally:
            await line.put(b"", self._release(line.last))
            await sender

    def _release(self, last: float) -> float:
        """Return the time at which a piece of data that arrives now leaves the line."""
        now = asyncio.get_running_loop().time()
        release = max(now + self._weather.delay, last, self._dead_until)
        if self._random.random() < self._weather.pauses:
            self.counts["pauses"] += 1
            release += self._random.uniform(*PAUSE)
        return release

    def held_until(self) -> float:
        """Return the time at which the running cut ends; a past one if there is none."""
        return self._dead_until

    async def cut_now_and_then(self) -> None:
        """Cut the line for `CUT` seconds again and again. Every other cut resets all connections."""
        while self._weather.cuts:
            await asyncio.sleep(self._random.expovariate(1 / self._weather.cuts))
            self._dead_until = asyncio.get_running_loop().time() + CUT
            self._refuses = self.counts["cuts"] % 2 == 0
            self.counts["cuts"] += 1
            if self._refuses:
                self.counts["resets"] += len(self._open) // 2
                for end in list(self._open):
                    _reset(end)
            await asyncio.sleep(CUT)
            self._refuses = False


@dataclass(slots=True)
class Line:
    """One direction of a connection: data with the times at which they leave it."""

    target: asyncio.StreamWriter
    last: float = 0.0
    _queue: deque[tuple[float, bytes]] = field(default_factory=deque)
    _size: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def put(self, data: bytes, release: float) -> None:
        """Add data; b"" closes the target. Wait while the line is full."""
        self.last = release
        self._queue.append((release, data))
        self._size += len(data)
        self._changed.set()
        while self._size > _FULL and not self.target.is_closing():
            await asyncio.sleep(0.01)

    async def send(self, relay: Relay) -> None:
        """Write the data at their times until b"" has come."""
        clock = asyncio.get_running_loop().time
        while True:
            while not self._queue:
                self._changed.clear()
                await self._changed.wait()
            release, data = self._queue.popleft()
            while (wait := max(release, relay.held_until()) - clock()) > 0:
                await asyncio.sleep(wait)
            self._size -= len(data)
            if not data:
                break
            with suppress(ConnectionError):
                self.target.write(data)
                await self.target.drain()
        with suppress(OSError):
            if self.target.can_write_eof():
                self.target.write_eof()


def _reset(end: asyncio.StreamWriter) -> None:
    """Close a connection at once, so that its peer reads a reset."""
    connection = end.get_extra_info("socket")
    with suppress(OSError):  # it is closed already
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    end.transport.abort()


async def _serve(relay: Relay, ports: Sequence[int], far: int, near: int) -> None:
    """Relay the ports of the far namespace until TERM or INT. Print the counts.

    Args:
        far: Process id that is in the namespace of the clients.
        near: Process id that is in that of the server.
    """
    _enter(far)
    servers = [
        await asyncio.start_server(partial(relay.connect, port), "127.0.0.1", port, limit=_PIECE)
        for port in ports
    ]
    _enter(near)
    print("ready", flush=True)
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    cutting = asyncio.create_task(relay.cut_now_and_then())
    await ended.wait()
    cutting.cancel()
    for server in servers:
        server.close()
    print(json.dumps(relay.counts), flush=True)


def _enter(pid: int) -> None:
    """Move this thread into the network namespace of a process. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    try:
        if libc.setns(descriptor, _CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"setns: {os.strerror(ctypes.get_errno())}")
    finally:
        os.close(descriptor)


class FarNetwork:
    """Two network namespaces and the relay between them.

    Attributes:
        near: Words to put before a command that is to run where the server is.
        far: Words to put before a command that is to run at the other end.
    """

    def __init__(self, near: int, far: int, relay: "subprocess.Popen[str]") -> None:
        self.near = ("nsenter", f"--net=/proc/{near}/ns/net", "--")
        self.far = ("nsenter", f"--net=/proc/{far}/ns/net", "--")
        self._relay = relay

    def end(self) -> dict[str, int]:
        """End the relay. Return how many connections, bytes, pauses, cuts and resets there were."""
        self._relay.terminate()
        words, _ = self._relay.communicate(timeout=30)
        counts: dict[str, int] = json.loads(words)
        return counts


@contextmanager
def far_network(ports: Sequence[int], weather: Weather, *, own_near: bool = True) -> Iterator[FarNetwork]:
    """Make the namespaces and their relay while the block runs.

    Args:
        ports: The TCP ports of the near namespace's 127.0.0.1 that the far one reaches.
        own_near: Whether the near end gets a new namespace too; else it is that of this process.
    """
    holders = [_namespace() for _ in range(2 if own_near else 1)]
    try:
        far = holders[0].pid
        near = holders[1].pid if own_near else os.getpid()
        relay = subprocess.Popen(
            [sys.executable, "-m", "bench.far_network", "--relay", f"{far},{near}",
             *[word for port in ports for word in ("--port", str(port))],
             "--delay", str(1000 * weather.delay), "--pauses", str(weather.pauses),
             "--cuts", str(weather.cuts), "--seed", str(weather.seed)],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert relay.stdout is not None
            if relay.stdout.readline() != "ready\n":
                raise SystemExit("bench.far_network: the relay did not start, for the reason above")
            yield FarNetwork(near, far, relay)
        finally:
            relay.kill()
            relay.wait()
    finally:
        for holder in holders:
            holder.kill()
            holder.wait()


def _namespace() -> "subprocess.Popen[str]":
    """Start a process that holds a new network namespace, with its loopback up."""
    hold = "ip link set lo up && echo up && exec sleep infinity"
    holder = subprocess.Popen(
        ["unshare", "--net", "sh", "-c", hold], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    if holder.stdout.readline() != "up\n":
        raise SystemExit("bench.far_network: no network namespace: it needs root, util-linux and iproute2")
    return holder


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.far_network", description="Run a command over a bad line.")
    parser.add_argument("--port", type=int, action="append", required=True)
    parser.add_argument("--delay", type=float, default=40, help="ms, in each direction")
    parser.add_argument("--pauses", type=float, default=0.01, help="probability for each piece of data")
    parser.add_argument("--cuts", type=float, default=0, help="mean seconds between two; 0 for none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", default="", help="command to run at the near end")
    parser.add_argument("--relay", default="", help=argparse.SUPPRESS)
    parser.add_argument("command", nargs="*")
    chosen = parser.parse_args()
    weather = Weather(
        delay=chosen.delay / 1000, pauses=chosen.pauses, cuts=chosen.cuts, seed=chosen.seed
    )  # fmt: skip
    if chosen.relay:
        far, near = map(int, chosen.relay.split(","))
        asyncio.run(_serve(Relay(weather), chosen.port, far, near))
        return 0
    with far_network(chosen.port, weather, own_near=bool(chosen.server)) as network:
        server = subprocess.Popen([*network.near, *shlex.split(chosen.server)]) if chosen.server else None
        try:
            status = subprocess.call([*network.far, *chosen.command])
        finally:
            if server is not None:
                server.terminate()
                server.wait()
        print(json.dumps(network.end()), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
