"""Remote players whose engines play the moves of a script, all in one process: for `bench.remote_players`."""

import asyncio
import re
import time
from abc import abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from random import Random

from gyoji.core.links import read_link
from gyoji.play.remote_talk import Opening
from gyoji.remote.event_server import EventServer
from gyoji.remote.owner import Owner
from gyoji.remote.sessions import Engines, LocalEngine

_LETTERS = "ABCDEFGHJKLMNOPQRST"
_MOVES = {
    "b": [f"{_LETTERS[place % 4]}{place // 4 + 1}" for place in range(70)],
    "w": [f"{_LETTERS[18 - place % 4]}{place // 4 + 1}" for place in range(70)],
}
"""The moves of each side, which fills its own edge of the board and captures nothing. Then it passes."""


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
    """All remote players, which play their moves in order.

    Attributes:
        protocol: The setting of the players' tables.
        served: Options of `gyoji serve`.
        invited: What the server says of a player: its name, and with what it connects.
        playing: Number of players in a game.
        moves: Number of moves so far.
    """

    protocol: str
    served: tuple[str, ...] = ()
    invited: re.Pattern[str]

    def __init__(self, think: float, delays: Delays) -> None:
        self._think, self.delays = think, delays
        self._random = Random(1)
        self.playing = self.moves = 0

    def thinking(self) -> float:
        """Return how many seconds the next move takes."""
        self.moves += 1
        return self._random.uniform(0.5, 1.5) * self._think

    @abstractmethod
    async def play(self, name: str, secret: str, port: int) -> None:
        """Play as one player until cancelled.

        Args:
            port: That of clients of CGOS.
        """


class CgosClients(Clients):
    """Clients of CGOS. A move has arrived when the opponent is told of it."""

    protocol, served = "cgos", ("--cgos", "0")
    invited = re.compile(r"user name (\S+), password (\S+)")

    def __init__(self, think: float, delays: Delays) -> None:
        super().__init__(think, delays)
        self._sent: dict[tuple[str, str], float] = {}  # by player and move

    async def play(self, name: str, secret: str, port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"e1 bench\n{name}\n{secret}\n".encode())
        opponent, made = "", 0
        with suppress(ConnectionError):
            while line := (await reader.readline()).decode():
                now = time.monotonic()
                word, *rest = line.split()
                if word == "setup":
                    opponent = next(each for each in map(_name, rest[4:6]) if each != name)
                    made, self.playing = 0, self.playing + 1
                elif word == "play" and (sent := self._sent.pop((opponent, rest[1].lower()), 0.0)):
                    self.delays.on_the_way(sent, now)
                elif word == "genmove":
                    await asyncio.sleep(self.thinking())
                    moves = _MOVES[rest[0]]
                    move = moves[made].lower() if made < len(moves) else "pass"
                    made += 1
                    self._sent[name, move] = time.monotonic()
                    writer.write(f"{move}\n".encode())
                elif word == "gameover":
                    self.playing -= 1
                    writer.write(b"ready\n")
                    if "pass" not in line and not re.match(r"\S+ \S+ [BW]\+[\d.]+$", line.strip()):
                        self.delays.errors.append(f"{name}: {line.strip()}")
                elif word == "Error:":
                    self.delays.errors.append(f"{name}: {line.strip()}")


def _name(told: str) -> str:
    """Return a player's name, without its rating."""
    return told.partition("(")[0]


class JoinedClients(Clients):
    """Owners' ends of `gyoji join`, with GTP. A move has arrived when the opponent is asked for its own."""

    protocol = "gtp"
    invited = re.compile(r"(\S+) joins \S+ by: gyoji join (\S+)")
    _NEWS = re.compile(r"connected$|the event is not running|game \S+: (\S+ - \S+|.* [BW]\+[\d.]+)$")

    def __init__(self, think: float, delays: Delays) -> None:
        super().__init__(think, delays)
        self.sent: dict[str, float] = {}  # by game: when its last move was sent

    async def play(self, name: str, secret: str, port: int) -> None:
        server = EventServer(read_link(secret), self._heard)
        await ScriptedOwner(server, ScriptedEngines(self)).play()

    def _heard(self, line: str) -> None:
        """Note a line of an owner's end that tells of anything but its connection and its games."""
        if not self._NEWS.match(line):
            self.delays.errors.append(line)


class ScriptedOwner(Owner):
    """An owner's end that tells its engines the id of their game."""

    def __init__(self, server: EventServer, engines: "ScriptedEngines") -> None:
        super().__init__(server, engines)
        self._scripted = engines

    def _begin(self, game: str) -> None:
        self._scripted.game = game
        super()._begin(game)


class ScriptedEngines(Engines):
    """Starts engines that are no programs.

    Attributes:
        game: The id of the game that is played.
    """

    def __init__(self, clients: JoinedClients) -> None:
        self._clients, self.game = clients, ""

    def start(self, opening: Opening) -> LocalEngine:
        return ScriptedEngine(self._clients, self.game)

    def close(self) -> None:
        pass


class ScriptedEngine(LocalEngine):
    """An engine that plays the moves of its side by GTP."""

    _COMMANDS = (
        "protocol_version\nname\nversion\nlist_commands\nboardsize\nclear_board\nkomi\nplay\ngenmove\nquit"
    )

    def __init__(self, clients: JoinedClients, game: str) -> None:
        self._clients, self._game = clients, game
        self._rest, self._made = "", 0
        self._thinking: asyncio.TimerHandle | None = None
        self.is_dismissed = self._is_over = False
        self.heard = lambda _: None
        clients.playing += 1

    def listen(self, *, wanted: bool) -> None:
        pass

    def write(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data.decode()).split("\n")
        self._answer([line.split() for line in lines if line])

    def _answer(self, commands: Sequence[Sequence[str]]) -> None:
        for command, *words in commands:
            if command == "genmove":
                if sent := self._clients.sent.pop(self._game, 0.0):
                    self._clients.delays.on_the_way(sent, time.monotonic())
                loop = asyncio.get_running_loop()
                self._thinking = loop.call_later(self._clients.thinking(), self._move, words[0])
            else:
                text = {"protocol_version": "2", "list_commands": self._COMMANDS}.get(command, "")
                self.heard(f"= {text}\n\n".encode())

    def _move(self, colour: str) -> None:
        moves = _MOVES[colour]
        move = moves[self._made] if self._made < len(moves) else "pass"
        self._made += 1
        self._clients.sent[self._game] = time.monotonic()
        self.heard(f"= {move}\n\n".encode())

    def close_input(self) -> None:
        self.is_dismissed = True
        self.heard(b"")

    def status(self) -> str:
        return "exit 0"

    def kill(self) -> None:
        if not self._is_over:
            self._is_over = True
            self._clients.playing -= 1
            if self._thinking is not None:
                self._thinking.cancel()
