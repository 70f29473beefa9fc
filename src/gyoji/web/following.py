"""One competition that is followed: what is stored of it, and what its run tells while there is one.

Results are a fold over the store, as everywhere; what the feed of the run says of finished games only tells
that there is more to read. So nothing is lost when the run or this process ends, whenever that is.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from gyoji.core import wire
from gyoji.core.faults import GyojiError
from gyoji.core.plugins import GAMES
from gyoji.core.spec import GameSpec
from gyoji.play.telling import Live
from gyoji.scheduler.asking import short_address
from gyoji.scheduler.event import Event
from gyoji.web.broadcast import Broadcast
from gyoji.web.counts import Counts
from gyoji.web.hosts import RunHosts
from gyoji.web.live import LiveGame, without_thoughts
from gyoji.web.schedule import issued

_LOG = logging.getLogger(__name__)

TICK = 0.1
"""Seconds between two messages to a reader about games in progress."""

SETTLE = 0.3
"""Seconds that results are gathered for before tables change."""

LEASE = 10.0
"""Seconds for which a run goes on telling moves after somebody has asked for a game once."""

ANSWER = 0.5
"""Seconds in which a run tells what was played before somebody asked."""

PATIENCE = 0.5
"""Seconds in which who asks for a summary waits for results that are being counted."""

LINE_LIMIT = 1 << 26

THOUGHTS = " with thoughts"
"""The end of the topic of a game for those who may know what engines think while it goes on."""


class Followed(Counts):
    """A competition under the name that its pages have.

    trouble  why nothing can be shown of it, "" if there is no reason.
    playing  the games in progress, by id.   run: what its run says of itself, None while there is none.
    ready    the persons who want to play.   hosts: the machines that the run plays on.
    awaited  by person, the id of the game that could begin but for it, and when it is ruled on, by monotonic
             seconds; None: never.
    version  grows whenever results have been counted.
    failure  why the last run that was begun here came to nothing, "" if it did not.
    begun    whether it is a game that was begun on the page.
    is_overheard: whether an engine that plays now may be among those who ask this server.
    """

    def __init__(self, name: str, path: Path, broadcast: Broadcast) -> None:
        super().__init__(path)
        self.name = name
        self.broadcast = broadcast
        self.trouble = ""
        self.failure = ""
        self.begun = False
        self.is_overheard: Callable[[], bool] = lambda: False
        self.playing: dict[str, LiveGame] = {}
        self.run: dict[str, Any] | None = None
        self.version = 0
        self.ready: set[str] = set()
        self.hosts = RunHosts()
        self.awaited: dict[str, tuple[str, float | None]] = {}
        self._is_anew = True  # everything is to be counted again
        self._lock = asyncio.Lock()
        self._changed: dict[str, int] = {}  # ids of games in progress: the first turn that is news
        self._tick: asyncio.TimerHandle | None = None
        self._counting: asyncio.Task[None] | None = None
        self._wanted = False  # as the run was told last
        self._send: Callable[[bytes], None] | None = None
        self._lease: asyncio.TimerHandle | None = None
        self._untold: set[str] = set()  # games in progress of which nothing has been told yet
        self._is_told = asyncio.Event()  # of games in progress, as far as they have come
        self._coming: tuple[int, Sequence[GameSpec]] | None = None  # at a version
        self._pace: tuple[float, int] | None = None  # when the run was first seen, and how much was stored

    # What is stored

    async def open(self) -> None:
        """Read its control file, and how much is stored; nothing is counted."""
        try:
            await asyncio.to_thread(self.read_setup)
            self.trouble = ""
        except (GyojiError, OSError) as error:
            self.trouble = str(error)

    async def count(self) -> None:
        """Count what is stored and has not been counted."""
        async with self._lock:
            before, is_anew = (self.stored, self.version), self._is_anew
            self._is_anew = False
            try:
                await asyncio.to_thread(self.count_stored, anew=is_anew)
                self.trouble = ""
            except (GyojiError, OSError) as error:
                self.trouble = str(error)
                self._is_anew = True
            if before[0] != self.stored or before[1] == 0 or is_anew:
                self.version += 1
                self.broadcast.note("standings", wire.dumps(self.summary()))

    def changed(self, *, anew: bool = False, settle: float = SETTLE) -> None:
        """Something has been stored; anew: what has been counted may be different now. settle: seconds to
        wait for more."""
        self._is_anew = self._is_anew or anew
        if self._counting is None or self._counting.done():
            self._counting = asyncio.create_task(self._count_soon(settle))

    async def soon(self) -> None:
        """Wait until it is counted, but not for long."""
        if not self.is_counted and self._counting is not None:
            await asyncio.wait({self._counting}, timeout=PATIENCE)

    async def _count_soon(self, settle: float) -> None:
        await asyncio.sleep(settle)
        try:
            while True:
                stored = self.stored
                await self.count()
                if self.trouble or (not self._is_anew and self.stored == stored):
                    return
        except Exception as error:  # noqa: BLE001 - no other competition is to suffer from it
            _LOG.exception("%s cannot be counted", self.path)
            self.trouble = f"it cannot be counted: {error!r}"

    async def coming(self) -> Sequence[GameSpec]:
        """The games that come next; those that go on already may be among them."""
        async with self._lock:
            if self.event is None:
                return ()
            if self._coming is None or self._coming[0] != self.version:
                self._coming = self.version, await asyncio.to_thread(issued, self.event.competition)
            return self._coming[1]

    # What is being played

    @property
    def hides(self) -> bool:
        """Whether moves are kept back from spectators until the game is over."""
        return self.event is None or is_delayed(self.event)

    @property
    def has_network(self) -> bool:
        """Whether a run of it is going on, with an engine that may use the network."""
        players = self.event.setup.players.values() if self.event else ()
        return self.run is not None and any(each.containment.network for each in players)

    async def follow(self) -> None:
        """Be told by the run for as long as it goes on. Returns when there is none, or it has ended."""
        if self.event is None:
            return
        try:
            with short_address(self.event.files.socket) as address:
                reader, writer = await asyncio.open_unix_connection(address, limit=LINE_LIMIT)
        except OSError:
            return
        try:
            self._send = writer.write
            self._want()
            async for line in reader:
                self._hear(line)
        except (ConnectionError, ValueError):
            pass
        finally:
            self._send = None
            writer.close()
            self._end_of_run()

    def _want(self) -> None:
        """Tell the run whether anybody watches games in progress."""
        self._wanted = self.is_watched
        if not self._wanted:
            self._is_told.clear()
        if self._send is not None:
            self._send(wire.dumps({"do": "watch", "moves": self._wanted}).encode() + b"\n")

    @property
    def is_watched(self) -> bool:
        """Whether anybody watches games in progress."""
        return (
            self._lease is not None
            or self.broadcast.has_readers(f"{self.name}/boards")
            or any(map(self.broadcast.has_readers, self._topics(self.playing)))
        )

    def _topics(self, games: Iterable[str]) -> Iterator[str]:
        for game in games:
            yield f"{self.name}/{game}"
            yield f"{self.name}/{game}{THOUGHTS}"

    def watch_changed(self) -> None:
        """Somebody has begun or ended watching."""
        if self.is_watched != self._wanted:
            self._want()

    async def look(self) -> None:
        """Have games in progress told as far as they have come, and for a while longer."""
        if self.run is None or not self.playing:
            return
        if self._lease is not None:
            self._lease.cancel()
        self._lease = asyncio.get_running_loop().call_later(LEASE, self._end_lease)
        self.watch_changed()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._is_told.wait(), ANSWER)

    def _end_lease(self) -> None:
        self._lease = None
        self.watch_changed()

    def _hear(self, line: bytes) -> None:
        """A line of the feed."""
        told = wire.loads(dict, line)
        match told.get("event"):
            case None:
                self._stand(told)
            case "ready":
                self.ready = set(told["players"])
                self._note("ready", players=told["players"])
            case "awaited":
                self._await(told["games"])
                self._note("awaited", games=told["games"])
            case "hosts":
                if self.hosts.take(told["hosts"]):
                    self._note("hosts")
            case "seat":
                self._seat_news(told["game"], told["news"])
            case "live":
                self._live(wire.decode(Live, told["live"]))
            case "started":
                self._start(wire.decode(GameSpec, told["game"]), told["at"])
            case "finished":
                result = told["result"]
                self._leave(result["id"])
                self.broadcast.note("finished", wire.dumps({"competition": self.name, "game": result["id"]}))
                # One that was set aside has been counted as that
                self.changed(anew=self.event is not None and result["id"] in self.event.failures.set_aside)
            case "void":
                self._leave(told["void"]["id"])
                self._note("void", game=told["void"]["id"], reason=told["void"]["reason"])
                self.changed(anew=True)
            case "reloaded":
                self.changed(anew=True)
                self._note("reloaded")
            case "steered":
                if self.run is not None:
                    self.run = {**self.run, "paused": told["paused"]}
                self._note("steered", what=told["what"], paused=told["paused"])
            case "ended" | "stopping" | "warning" as event:
                self._note(event, text=told.get("reason") or told.get("text") or "")

    def _await(self, games: Sequence[Mapping[str, Any]]) -> None:
        """These games could begin but for persons."""
        now = time.monotonic()
        self.awaited = {
            player: (each["id"], None if each["seconds"] is None else now + each["seconds"])
            for each in games
            for player in each["players"]
        }

    def _seat_news(self, game: str, news: Mapping[str, Any]) -> None:
        """The events at the seats of a person."""
        topic = f"{self.name}/seat {news['player']}"
        self.broadcast.tell(topic, "seat", wire.dumps({"game": game, **news}))

    def command(self, **command: object) -> bool:
        """Send the run a command; whether there is one."""
        if self._send is None:
            return False
        self._send(wire.dumps(command).encode() + b"\n")
        return True

    def _note(self, event: str, **values: object) -> None:
        self.broadcast.note(event, wire.dumps({"competition": self.name, **values}))

    def _stand(self, told: Mapping[str, Any]) -> None:
        """How things stand: the answer to `_want`."""
        if "playing" not in told:  # the answer to another command
            return
        is_new = self.run is None
        self._untold = set()
        if self._wanted:
            self._untold = {each["game"]["id"] for each in told["playing"]}
        self.run = {"pid": told["pid"], "parallel": told["parallel"], "paused": told["paused"]}
        self.ready = set(told["ready"])
        self.hosts.take(told.get("hosts", ()))
        self._await(told.get("awaited", ()))
        there = {each["game"]["id"]: each for each in told["playing"]}
        for game in [game for game in self.playing if game not in there]:
            self._leave(game)
        for game, each in there.items():
            if game not in self.playing:
                self._start(wire.decode(GameSpec, each["game"]), each["at"])
        if is_new:
            self._pace = time.monotonic(), self.stored
            self._note("running", playing=list(there))
            self.changed()

    def _start(self, spec: GameSpec, at: str) -> None:
        self.playing[spec.id] = LiveGame(spec, at, hidden=self.hides)
        self._note("started", game=spec.id, players=spec.codes, at=at)

    def _live(self, live: Live) -> None:
        if (game := self.playing.get(live.id)) is not None:
            first = game.take(live)
            self._untold.discard(live.id)
            if not self._untold:
                self._is_told.set()
            self._changed[live.id] = min(first, self._changed.get(live.id, first))
            if self._tick is None:
                self._tick = asyncio.get_running_loop().call_later(TICK, self._tell)

    def _tell(self) -> None:
        """Tell what is new in games in progress: each once, however many read it."""
        self._tick = None
        changed, self._changed = self._changed, {}
        boards = []
        is_wall_read = self.broadcast.has_readers(f"{self.name}/boards")
        for name, first in changed.items():
            if (game := self.playing.get(name)) is None:
                continue
            if is_wall_read:
                boards.append({"competition": self.name, **game.brief(first)})
            for topic in filter(self.broadcast.has_readers, self._topics([name])):
                is_whole = topic.endswith(THOUGHTS) or not self.is_overheard()
                news = game.news(first) if is_whole else without_thoughts(game.news(first))
                self.broadcast.tell(topic, "move", wire.dumps(news))
        if boards:
            self.broadcast.tell(f"{self.name}/boards", "boards", wire.dumps(boards))

    def _leave(self, game: str) -> None:
        self.playing.pop(game, None)
        self._changed.pop(game, None)

    def run_ended(self, failure: str) -> None:
        """A run that was begun here has ended; failure: why it came to nothing, "" if it did not."""
        self.failure = failure
        if failure:
            self._note("failed", text=failure)

    def _end_of_run(self) -> None:
        if self.run is not None:
            self.run = None
            self.playing.clear()
            self.ready.clear()
            self.hosts.take(())
            self.awaited = {}
            self._changed.clear()
            self._note("stopped")
            self.changed()

    # What there is to say of it

    def summary(self) -> dict[str, Any]:
        """The first view of a spectator, JSON-ready, small."""
        event = self.event
        remaining = event.competition.remaining() if event is not None and self.is_counted else None
        return {
            "competition": self.name,
            "game": event.setup.game if event else "",
            "format": event.setup.kind if event else "",
            "description": event.setup.description if event else "",
            "begun": self.begun,
            "finished": self.stored,
            "counting": event is not None and not self.is_counted,
            "remaining": remaining,
            "running": self.run is not None,
            "paused": bool(self.run and self.run["paused"]),
            "playing": list(self.playing),
            "seconds_left": self._seconds_left(remaining),
            "void": event.failures.count if event else 0,
            "set_aside": [game for game in event.failures.set_aside if game not in self.playing]
            if event
            else [],
            "needs_ruling": list(self.endings.waiting),
            "awaited": {player: game for player, (game, _) in self.awaited.items()},
            "suspended": dict(event.suspended) if event else {},
            "trouble": self.trouble,
            "failure": self.failure,
            "version": self.version,
        }

    def _seconds_left(self, remaining: int | None) -> int | None:
        """How long a run that goes on still takes, by its pace since we follow it; None if nobody knows."""
        if self.run is None or self._pace is None or not remaining:
            return None
        began, stored = self._pace
        played = self.stored - stored
        return round((time.monotonic() - began) / played * remaining) if played > 0 else None

    async def close(self) -> None:
        """Follow no more."""
        if self._counting is not None:
            self._counting.cancel()
            with suppress(asyncio.CancelledError):
                await self._counting


def is_delayed(event: Event) -> bool:
    """Whether spectators see the moves of a game only when it is over."""
    chosen = event.setup.spectators
    return chosen == "delayed" if chosen else GAMES.find(event.setup.game).hides
