"""``python -m bench.playback CONTROL_FILE --games N --rate R``: plays games back over the feed of a run.

It stands at the control socket of the competition, where watchers expect a run. The games are random,
legal and prepared; the feed reports each at most ten times a second while a watcher wants moves. A
finished game is stored and replaced by another one. No rules are applied here, so one processor plays back
more games than two could play. It ends when its standard input does.
"""

import argparse
import asyncio
import os
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gyoji.core import wire
from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.plugins import GAMES
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played
from gyoji.core.spec import GameSpec
from gyoji.play.live_updates import Live
from gyoji.play.loop import time_of_day
from gyoji.scheduler.event import Event
from gyoji.store.store import Store

PERIOD = 0.1
KINDS = 8
"""Number of different games. Each is played back many times, under different ids."""


def random_game(spec: GameSpec, turns: int, chance: random.Random) -> tuple[tuple[Played, ...], ...]:
    """Return the turns of a game in which every legal move is equally likely."""
    rules: Any = GAMES.find(spec.game).make_rules(wire.frozen(spec.options), spec.seed)
    position, made = rules.start(), []
    points = [f"{letter}{row}" for letter in "ABCDEFGHJKLMNOPQRST" for row in range(1, 20)]
    while len(made) < turns:
        chance.shuffle(points)
        for name in points:
            seat = len(made) % 2
            with suppress(Exception):
                move = rules.parse(name)
                position = rules.play(position, ((seat, move),))
                made.append((Played(seat, name, chance.randrange(10**8)),))
                break
    return tuple(made)


@dataclass(slots=True)
class Playing:
    """A game in progress. `told` is the number of its turns that watchers know."""

    spec: GameSpec
    turns: Sequence[tuple[Played, ...]]
    at: str
    count: int = 0
    told: int = 0


class Playback:
    """Plays back `games` games at once, each at `rate` turns a second."""

    def __init__(self, event: Event, games: int, rate: float, turns: int) -> None:
        self._event, self._rate = event, rate
        chance = random.Random(15)
        spec = event.competition.next_game()
        self._kinds = [random_game(spec, turns, chance) for _ in range(KINDS)]
        self._watchers: dict[asyncio.StreamWriter, bool] = {}
        self._playing: dict[str, Playing] = {}
        self._games, self._next, self.moves, self._debt = games, spec, 0, 0.0

    def _specs(self) -> Iterator[GameSpec]:
        while self._next is not None:
            yield self._next
            self._next = self._event.competition.next_game()

    async def play(self) -> None:
        """Play back until standard input ends."""
        path, specs = self._event.files.socket, self._specs()
        path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(self._serve, path)
        loop = asyncio.get_running_loop()
        ended = loop.run_in_executor(None, sys.stdin.read)
        setup, database = self._event.setup, self._event.files.database
        with Store.open(database, setup.code, create=True) as store:
            for number in range(self._games):
                game = self._start(next(specs), number)
                game.count = game.told = number * len(game.turns) // self._games  # not all end at once
            due = loop.time()
            while not ended.done():
                self._turn(store, specs)
                due += PERIOD
                await asyncio.sleep(max(0, due - loop.time()))
        server.close()
        path.unlink(missing_ok=True)

    def _start(self, spec: GameSpec, number: int) -> Playing:
        game = self._playing[spec.id] = Playing(spec, self._kinds[number % KINDS], time_of_day())
        self._tell({"event": "started", "game": spec, "at": game.at})
        return game

    def _turn(self, store: Store, specs: Iterator[GameSpec]) -> None:
        """Advance all games by one period."""
        self._debt += self._rate * PERIOD
        played, self._debt = int(self._debt), self._debt % 1
        for game in list(self._playing.values()):
            game.count = min(game.count + played, len(game.turns))
            self.moves += played
            self._tell_moves(game)
            if game.count == len(game.turns):
                del self._playing[game.spec.id]
                record = finished(game.spec, game.turns, game.at)
                store.append(game.spec, record)
                self._tell({"event": "finished", "result": record.result})
                self._start(next(specs), len(self._playing))

    def _tell_moves(self, game: Playing) -> None:
        if any(self._watchers.values()):
            left = (10**9 * (len(game.turns) - game.count),) * 2
            fresh = tuple(game.turns[game.told : game.count])
            acting = (game.count % 2,)
            live = Live(id=game.spec.id, first=game.told, turns=fresh, left=left, acting=acting)
            game.told = game.count
            self._tell({"event": "live", "live": live}, moves=True)

    def _tell(self, told: dict[str, Any], *, moves: bool = False) -> None:
        data = wire.dumps(told).encode() + b"\n"
        for watcher, wants in self._watchers.items():
            if wants or not moves:
                watcher.write(data)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            async for line in reader:
                command = wire.loads(dict, line)
                if command["do"] == "watch":
                    self._watchers[writer] = command["moves"]
                    for game in self._playing.values():
                        game.told = 0
                playing = [{"game": game.spec, "at": game.at} for game in self._playing.values()]
                standing = {"pid": os.getpid(), "parallel": self._games, "paused": False, "ready": []}
                writer.write(wire.dumps({"ok": True, **standing, "playing": playing}).encode() + b"\n")
        self._watchers.pop(writer, None)


def finished(
    spec: GameSpec, turns: Sequence[tuple[Played, ...]], at: str, count: int | None = None
) -> GameRecord:
    """Return the record of a game. `count` is the number of turns if `turns` is empty."""
    result = GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=spec.codes,
        outcome=Outcome(points=won_by(spec.seed % 2, 2), ending=Ending.SCORE, margin=0.5),
        turns=len(turns) if count is None else count,
        engines=(EngineReport(name="playback", cpu_ns=1933204, think_ns=231425, status="exit 0"),) * 2,
        started=at or time_of_day(),
        wall_ns=107_961_053,
        digest=f"{spec.seed & (1 << 64) - 1:016x}",
    )
    return GameRecord(result=result, turns=tuple(turns))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.playback", description=__doc__.splitlines()[0])
    parser.add_argument("control_file", type=Path)
    parser.add_argument("--games", type=int, default=64, help="at once (64)")
    parser.add_argument("--rate", type=float, default=20, help="turns a second, of each (20)")
    parser.add_argument("--turns", type=int, default=200, help="of a game (200)")
    options = parser.parse_args()
    event = Event.open(options.control_file)
    asyncio.run(Playback(event, options.games, options.rate, options.turns).play())


if __name__ == "__main__":
    main()
