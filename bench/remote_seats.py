"""``python -m bench.remote_seats [--seats N] [--games N] [--turns N]``: many remote players on one server.

Connect the owners of N players, all in this process, by WebSockets to `gyoji serve`, and play as many games
at once as wanted, remote player against remote player. Their engines speak GTP, play the next free point, and
resign after some turns. Print

* CPU and memory of the server, of the run and of its workers;
* the delay of a move: from the answer of one owner to the question to the other one, p50 and p99. It has
  the server, the run, a worker and its referee in it, twice the way through the server;
* the same of a bare relay of TCP between the same two sockets.
"""

import argparse
import asyncio
import json
import secrets
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from bench.remote_players import Delays, usage
from gyoji.core import wire
from gyoji.core.links import read_link
from gyoji.executors._proc import descendants
from gyoji.play.remote_talk import Hello, Inbox, Outbox, Talk
from gyoji.remote.websocket import Closed, Refused, WebSocket

GYOJI = (sys.executable, "-m", "gyoji")
COMMANDS = "protocol_version\nname\nversion\nlist_commands\nboardsize\nclear_board\nkomi\nplay\ngenmove\nquit"
SIZE = 19


class Engine:
    """Speaks GTP: each command has one answer, at once."""

    def __init__(self, turns: int) -> None:
        self._left, self._taken, self._rest = turns, set[str](), ""

    def hear(self, text: str) -> tuple[str, bool]:
        """Return (its answers, whether it has made a move)."""
        *lines, self._rest = (self._rest + text).split("\n")
        answers, has_moved = [], False
        for line in filter(None, lines):
            command, *words = line.split()
            answer = {"protocol_version": "2", "list_commands": COMMANDS}.get(command, "")
            if command == "play":
                self._taken.add(words[1].upper())
            elif command == "genmove":
                answer, has_moved = self._move(), True
            answers.append(f"= {answer}\n\n")
        return "".join(answers), has_moved

    def _move(self) -> str:
        self._left -= 1
        if self._left < 0:
            return "resign"
        points = (f"{'ABCDEFGHJKLMNOPQRST'[x]}{y + 1}" for y in range(0, SIZE, 2) for x in range(0, SIZE, 2))
        move = next(point for point in points if point not in self._taken)
        self._taken.add(move)
        return move


class Figures:
    """What all owners have measured.

    Attributes:
        moved: By game, when its last move was sent.
        delays: From a move to the next question.
    """

    def __init__(self) -> None:
        self.moved: dict[str, float] = {}
        self.delays = Delays(since=0.0)
        self.finished = 0


class Owner:
    """One owner's end, for one game after another."""

    def __init__(self, link: str, turns: int, figures: Figures) -> None:
        self._link, self._turns, self._figures = read_link(link), turns, figures
        self._ends: dict[str, tuple[Outbox, Inbox, Engine]] = {}

    async def connect(self) -> None:
        headers = {"Authorization": f"Remote {self._link.secret}", "X-Gyoji-Instance": secrets.token_hex(8)}
        while True:
            try:
                self._socket = await WebSocket.open(self._link, "/api/v1/remote/connect", headers, None)
                break
            except Refused:  # the server has not seen the database yet, which the links are made from
                await asyncio.sleep(0.2)
        self._socket.send(b'{"ready":true}')

    async def play(self) -> None:
        with suppress(Closed):
            while True:
                self._hear(json.loads(await self._socket.receive()))

    def _hear(self, message: dict[str, object]) -> None:
        if "playing" in message:
            for game in set(message["playing"]) - self._ends.keys():
                self._greet(game)
        elif "talk" in message:
            for each in message["talk"]:
                self._obey(str(message["game"]), wire.decode(Talk, each))
        elif "finished" in message:
            self._ends.pop(str(message["finished"]), None)
            self._figures.finished += 1

    def _greet(self, game: str) -> None:
        self._ends[game] = Outbox(), Inbox(), Engine(self._turns)
        self._say(game, Talk(hello=Hello()))

    def _obey(self, game: str, talk: Talk) -> None:
        if talk.call:
            self._greet(game)
        if game not in self._ends:
            return
        outbox, inbox, engine = self._ends[game]
        if talk.ack >= 0:
            outbox.acked(talk.ack)
        is_new = bool(talk.n) and inbox.take(talk.n)
        if talk.p:
            self._say(game, Talk(p=talk.p, ack=inbox.got))
        if is_new and talk.text:
            if (before := self._figures.moved.pop(game, None)) is not None and "genmove" in talk.text:
                self._figures.delays.on_the_way(before, time.monotonic())
            answer, has_moved = engine.hear(talk.text)
            if answer:
                self._say(game, outbox.put(Talk(text=answer)))
            if has_moved:
                self._figures.moved[game] = time.monotonic()
        elif is_new and talk.close:
            self._say(game, outbox.put(Talk(end="exited (exit 0)")))

    def _say(self, game: str, talk: Talk) -> None:
        self._socket.send(wire.dumps({"game": game, "talk": talk}).encode())


async def bare_relay(rounds: int) -> Delays:
    """Return the delays from a write at one end to its arrival at the other, through a relay of TCP."""

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", end.sockets[0].getsockname()[1])
        del there
        with suppress(asyncio.CancelledError):  # at the end
            while data := await reader.read(1 << 16):
                back.write(data)
        writer.close()
        back.close()

    arrived = asyncio.Queue[float]()

    async def arrive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError):  # at the end
            while await reader.read(1 << 16):
                arrived.put_nowait(time.monotonic())
        writer.close()

    end = await asyncio.start_server(arrive, "127.0.0.1", 0)
    relay = await asyncio.start_server(forward, "127.0.0.1", 0)
    _, writer = await asyncio.open_connection("127.0.0.1", relay.sockets[0].getsockname()[1])
    found = Delays(since=0.0)
    for _ in range(rounds):
        began = time.monotonic()
        writer.write(b"x" * 200)
        found.on_the_way(began, await arrived.get())
    writer.close()
    return found


async def measure(seats: int, games: int, turns: int, folder: Path) -> None:
    path = folder / "many.toml"
    lines = [f'competition = "playoff"\ngame = "go"\nboard_size = {SIZE}\nkomi = 7.5\nclock = "10m"']
    lines += [f"[players.x{number}]\nremote = true" for number in range(seats)]
    for first in range(0, 2 * games, 2):
        lines += [f'[[matchups]]\nplayers = ["x{first}", "x{first + 1}"]\nnumber_of_games = 1']
    lines += [
        f'[[matchups]]\nplayers = ["x{each}", "x{each + 1}"]\nnumber_of_games = 1'
        for each in range(2 * games, seats - 1)
    ]
    path.write_text("\n".join(lines) + "\n")
    server = subprocess.Popen([*GYOJI, "serve", path, "--port", "0"], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = server.stdout.readline().strip().rstrip("/")
    links = subprocess.run(
        [*GYOJI, "invite", path, "--at", address], capture_output=True, text=True, check=True
    )
    figures = Figures()
    owners = [Owner(line.split(": ", 1)[1], turns, figures) for line in links.stdout.splitlines()]
    for owner in owners:
        await owner.connect()
    idle = usage([server.pid])
    playing = [asyncio.create_task(owner.play()) for owner in owners]
    run = subprocess.Popen([*GYOJI, "run", "-q", "-j", str(games), path], stdout=subprocess.DEVNULL)
    most = 0
    began, before = time.monotonic(), idle[0]
    try:
        while figures.finished < 2 * games and run.poll() is None:
            await asyncio.sleep(0.5)
            most = max(most, len(figures.moved))
        seconds = time.monotonic() - began
        spent, memory = usage([server.pid])
        run_spent, run_memory = usage([run.pid])
        workers, _ = usage(descendants(run.pid))
    finally:
        run.terminate()
        run.wait()
        server.terminate()
        server.wait()
        for each in playing:
            each.cancel()
    print(
        f"{len(owners)} owners connected; {games} games at once,"
        f" {figures.finished // 2} played, in {seconds:.0f} s"
    )
    print(f"server: {spent - before:.1f} s CPU, {memory:.0f} MB ({idle[1]:.0f} MB while all were idle)")
    print(f"run: {run_spent:.1f} s CPU, {run_memory:.0f} MB; workers: {workers:.1f} s CPU")
    moves = len(figures.delays.seconds)
    print(
        f"server and run: {1e6 * (spent - before) / moves:.0f} and"
        f" {1e6 * run_spent / moves:.0f} us of CPU a move"
    )
    print(f"from a move to the next question: {figures.delays.summary()}")
    print(f"a bare relay: {(await bare_relay(2000)).summary()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, default=300)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--turns", type=int, default=40, help="moves of each engine in a game")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(wanted.seats, wanted.games, wanted.turns, Path(folder)))


if __name__ == "__main__":
    main()
