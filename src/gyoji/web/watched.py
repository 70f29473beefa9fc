"""One competition that the server shows: its stored games, and the state of its run while there is one."""

# Theory of operation
#
# There are two sources. They cannot contradict each other, because results come only from the store:
#
#     store   results. An event of the feed about a finished game only means "there is more to read". So
# nothing
#             is lost whenever the run or this server ends
#     feed    JSON lines from the run's control socket: games in progress, people who are ready, hosts
#
# The state follows the run's socket:
#
#             socket appears                  "playing": ... (its first line)
#     no run ----------------> connected -----------------------------------> run is not None
#       ^                                                                         |
#       '----------------------- socket closes (_end_of_run) --------------------'
#
# The hub calls `follow` again when it has ended, and whenever a file of the competition has changed. It
# returns at once if there is no run.
#
# Counting. `changed` is called when the store may have changed. After SETTLE seconds one task counts new
# results until there are none. With `anew`, all results are counted from the start: the control file has
# changed, or a skipped game has been played after all.
#
# Moves. A run sends moves only when asked to (`_want`), since that costs it time for every move. They are
# wanted while a page watches (topics of `Broadcast`), and for LEASE seconds after a request for a game
# (`look`), so that scripts that poll get moves as well. `look` waits until the run has reported each game
# once (`_unreported` is empty), at most ANSWER seconds.
#
# News of a game in progress are collected for TICK seconds, then made once for each of three kinds of topics:
# `NAME/ID`, `NAME/ID with thoughts`, and `NAME/boards`, which has frames but no texts.
#
# Thoughts. An engine that may use the network could read here what its opponent thinks. While such an engine
# plays in any competition of this server (`is_overheard`), only the organiser and seated people get thoughts.

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from gyoji.core import wire
from gyoji.core.faults import ConfigError, GyojiError
from gyoji.core.plugins import GAMES
from gyoji.core.spec import GameSpec, awaited_of
from gyoji.play.live_updates import Live
from gyoji.scheduler.control_client import short_address
from gyoji.web.broadcast import Broadcast
from gyoji.web.live import LiveGame, without_thoughts
from gyoji.web.results_cache import ResultsCache
from gyoji.web.schedule import issued, seconds_left

_LOG = logging.getLogger(__name__)

TICK = 0.1
"""Seconds between two messages about games in progress."""

SETTLE = 0.3
"""Seconds between the first news of a result and the counting of results, in which more news may come."""

LEASE = 10.0
"""Seconds for which a run sends moves after a request for a game."""

ANSWER = 0.5
"""Seconds to wait for a run to report the games in progress."""

PATIENCE = 0.5
"""Seconds that a request for a summary waits for results to be counted."""

# 64 MiB: the first line has all games in progress, with their specs and openings.
LINE_LIMIT = 1 << 26

THOUGHTS = " with thoughts"
"""Suffix of a game's topic for readers who may see engines' messages and evaluations."""


class RunHosts:
    """The hosts (machines of a cluster) in the newest report of a run. Most runs have none."""

    def __init__(self) -> None:
        self._told: Sequence[Mapping[str, Any]] = ()
        self._at = 0.0

    def take(self, told: Sequence[Mapping[str, Any]]) -> bool:
        """Replace the hosts by a new report of the run. Return whether the report differs from the last one.

        The field `silent`, the time since a host's last message, does not count as a difference.
        """
        before, self._told, self._at = self._told, told, time.monotonic()
        # The time since a host's last message changes in every report.
        return [{**host, "silent": 0} for host in before] != [{**host, "silent": 0} for host in told]

    def values(self) -> list[dict[str, Any]]:
        """Return the hosts, JSON-ready. `silent` is the number of seconds since the host's last message to
        the run.
        """
        since = time.monotonic() - self._at
        return [{**host, "silent": round(host["silent"] + since, 1)} for host in self._told]


class Connector:
    """The interface to the connections of remote players. This default does nothing.

    `RemotePlayers` implements it for `gyoji join`, `CgosFront` for clients of CGOS.
    """

    def connected(self, watched: "WatchedCompetition") -> Collection[str]:
        """Return the names of a competition's remote players who are connected by this connector."""
        return ()

    def on_run(self, watched: "WatchedCompetition") -> None:
        """Handle the beginning or the end of a run."""

    def on_started(self, watched: "WatchedCompetition", spec: GameSpec) -> None:
        """Handle a game that begins, or that is in progress when the server connects to the run."""

    def on_ended(
        self,
        watched: "WatchedCompetition",
        game: str,
        players: tuple[str, ...],
        result: Mapping[str, Any] | None,
        reason: str = "",
    ) -> None:
        """Handle the end of a game, with its result, or with the reason why it is void."""

    def on_links(self, watched: "WatchedCompetition") -> None:
        """End the connections of players whose links were revoked.

        Raises ConfigError if the file of revoked links cannot be read.
        """

    def on_talk(self, watched: "WatchedCompetition", news: Mapping[str, Any]) -> None:
        """Handle messages of the seats of a remote player."""


class WatchedCompetition(ResultsCache):
    """A competition that the server shows: its stored games, and its run while there is one.

    Attributes:
        name: The competition's name in the addresses of its pages.
        trouble: Why the competition cannot be shown; "" if it can.
        playing: The games in progress, by id.
        run: The run's pid, number of games at once, and whether it is paused; None while there is no run.
        ready: Names of the human and remote players who are ready to play.
        hosts: The machines that the run plays on.
        awaited: For each missing human or remote player, by name: (id of the game that waits, time at which
            the game is decided without play). The time is in seconds of the monotonic clock; None for never.
        version: Number of times that the results have changed.
        failure: Why the last run that the page started failed; "" if it did not.
        begun: Whether the competition was begun on the page.
        connectors: Objects that connect remote players, and hear of the events of runs.
        is_overheard: Function that returns whether any engine that plays now can reach this server.
    """

    def __init__(self, name: str, path: Path, broadcast: Broadcast) -> None:
        super().__init__(path)
        self.name = name
        self.broadcast = broadcast
        self.trouble = ""
        self.failure = ""
        self.begun = False
        self.is_overheard: Callable[[], bool] = lambda: False
        self.connectors: Sequence[Connector] = ()
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
        self._wanted = False  # whether the run was told last to send moves
        self._send: Callable[[bytes], None] | None = None
        self._lease: asyncio.TimerHandle | None = None
        self._unreported: set[str] = set()  # ids of games in progress that the run has not reported yet
        self._is_reported = asyncio.Event()  # the run has reported all games in progress
        self._coming: tuple[int, Sequence[GameSpec]] | None = None  # (version, the next games then)
        self._pace: tuple[float, int] | None = (
            None  # (time, number of stored games) when the run was first seen
        )

    # What is stored

    async def open(self) -> None:
        """Read the control file and the number of stored games. An error is put into `trouble`."""
        try:
            await asyncio.to_thread(self.read_setup)
            self.trouble = ""
        except (GyojiError, OSError) as error:
            self.trouble = str(error)

    async def count(self) -> None:
        """Count the stored games that are new. An error is put into `trouble`."""
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
                self.broadcast.record("standings", wire.dumps(self.summary()))

    def changed(self, *, anew: bool = False, settle: float = SETTLE) -> None:
        """Have the stored games counted soon, because some may be new.

        Args:
            anew: Whether games that were counted before may have changed too.
            settle: Seconds to wait for further changes first.
        """
        self._is_anew = self._is_anew or anew
        if self._counting is None or self._counting.done():
            self._counting = asyncio.create_task(self._count_soon(settle))

    async def soon(self) -> None:
        """Wait until the stored games are counted for the first time, but at most `PATIENCE` seconds."""
        if not self.is_counted:
            await self.settled()

    async def settled(self) -> None:
        """Wait until stored games that are new have been counted, but at most `PATIENCE` seconds."""
        if self._counting is not None:
            await asyncio.wait({self._counting}, timeout=PATIENCE)

    async def _count_soon(self, settle: float) -> None:
        await asyncio.sleep(settle)
        try:
            while True:
                stored = self.stored
                await self.count()
                if self.trouble or (not self._is_anew and self.stored == stored):
                    return
        except Exception as error:  # noqa: BLE001 - a failure with one competition must not affect the others
            _LOG.exception("%s cannot be counted", self.path)
            self.trouble = f"it cannot be counted: {error!r}"

    async def coming(self) -> Sequence[GameSpec]:
        """Return the next games of the competition, those in progress included.

        Empty if future results decide which games are next, or before the control file is read.
        """
        async with self._lock:
            if self.event is None:
                return ()
            if self._coming is None or self._coming[0] != self.version:
                self._coming = self.version, await asyncio.to_thread(issued, self.event.competition)
            return self._coming[1]

    # What is being played

    @property
    def title(self) -> str:
        """The name to show to people: the players of a game that was begun on the page, else `name`."""
        description = self.event.setup.description if self.event else ""
        return description if self.begun and description else self.name

    @property
    def hides(self) -> bool:
        """Whether spectators see the moves of a game only when it is over."""
        if self.event is None:
            return True
        chosen = self.event.setup.spectators
        return chosen == "delayed" if chosen else GAMES.find(self.event.setup.game).hides

    @property
    def has_network(self) -> bool:
        """Whether a run goes on with an engine that may use the network."""
        players = self.event.setup.players.values() if self.event else ()
        return self.run is not None and any(each.containment.network for each in players)

    async def follow(self) -> bool:
        """Listen to the competition's run until the connection ends. Return whether there was a run."""
        if self.event is None:
            return False
        try:
            with short_address(self.event.files.socket) as address:
                reader, writer = await asyncio.open_unix_connection(address, limit=LINE_LIMIT)
        except OSError:
            return False
        try:
            self._send = writer.write
            self._want()
            async for line in reader:
                self._on_line(line)
        except (ConnectionError, ValueError):
            pass
        finally:
            self._send = None
            writer.close()
            self._end_of_run()
        return True

    def _want(self) -> None:
        """Tell the run whether to report moves, which is needed only while there are watchers."""
        self._wanted = self.has_watchers
        if not self._wanted:
            self._is_reported.clear()
        self.command(do="watch", moves=self._wanted, remote=True)

    @property
    def has_watchers(self) -> bool:
        """Whether a page or script wants to see the moves of games in progress."""
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
        """Tell the run to begin or stop reporting moves, if the first watcher came or the last one left."""
        if self.has_watchers != self._wanted:
            self._want()

    async def look(self) -> None:
        """Have the run report moves for the next `LEASE` (10) seconds.

        Wait until it has reported the games in progress, at most `ANSWER` (0.5) seconds. Do nothing without
        a game in progress.
        """
        if self.run is None or not self.playing:
            return
        if self._lease is not None:
            self._lease.cancel()
        self._lease = asyncio.get_running_loop().call_later(LEASE, self._end_lease)
        self.watch_changed()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._is_reported.wait(), ANSWER)

    def _end_lease(self) -> None:
        self._lease = None
        self.watch_changed()

    def links_changed(self) -> None:
        """Let the connectors end the connections of remote players whose secret links were revoked.

        To be called when the organiser has revoked a link, or the file of revoked links has changed. If this
        file cannot be read, log a warning.
        """
        try:
            for each in self.connectors:
                each.on_links(self)
        except ConfigError as error:  # of the file; links that were good before are good until it is mended
            _LOG.warning("%s", error)

    def _on_line(self, line: bytes) -> None:
        """Handle one line that the run sends, an event or an answer in JSON."""
        told = wire.loads(dict, line)
        match told.get("event"):
            case None:
                self._on_state(told)
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
                # The type of the message is no news to a browser.
                news = {name: value for name, value in told["news"].items() if name != "type"}
                self.broadcast.send(f"{self.name}/seat {news['player']}", "seat", wire.dumps(news))
            case "remote":
                for each in self.connectors:
                    each.on_talk(self, told["news"])
            case "live":
                self._on_live(wire.decode(Live, told["live"]))
            case "started":
                self._start(wire.decode(GameSpec, told["game"]), told["at"])
            case "finished":
                result = told["result"]
                for each in self.connectors:
                    each.on_ended(self, result["id"], tuple(result["players"]), result)
                self._leave(result["id"])
                self.broadcast.record(
                    "finished", wire.dumps({"competition": self.name, "game": result["id"]})
                )
                # A skipped game that was played after all: it has been counted as skipped
                self.changed(anew=self.event is not None and result["id"] in self.event.failures.skipped)
            case "void":
                void = told["void"]
                for each in self.connectors:
                    each.on_ended(self, void["id"], tuple(void["players"]), None, void["reason"])
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
        """Set `awaited` from the run's list of games that wait for human or remote players."""
        now = time.monotonic()
        self.awaited = {
            player: (each["id"], None if each["seconds"] is None else now + each["seconds"])
            for each in games
            for player in each["players"]
        }

    def command(self, **command: object) -> bool:
        """Send a command to the run. Return False if there is no run."""
        if self._send is None:
            return False
        self._send(wire.dumps(command).encode() + b"\n")
        return True

    def _note(self, event: str, **values: object) -> None:
        self.broadcast.record(event, wire.dumps({"competition": self.name, **values}))

    def _on_state(self, told: Mapping[str, Any]) -> None:
        """Handle the state of the run, which it sends whenever this server asks it for events or changes what
        it asks for. Answers to other commands are ignored.
        """
        if "playing" not in told:  # the answer to another command
            return
        is_new = self.run is None
        self._unreported = set()
        if self._wanted:
            self._unreported = {each["game"]["id"] for each in told["playing"]}
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
            for each in self.connectors:
                each.on_run(self)
            self.changed()

    def _start(self, spec: GameSpec, at: str) -> None:
        self.playing[spec.id] = LiveGame(spec, at, hidden=self.hides)
        self._note("started", game=spec.id, players=spec.codes, at=at)
        for each in self.connectors:
            each.on_started(self, spec)

    def _on_live(self, live: Live) -> None:
        if (game := self.playing.get(live.id)) is not None:
            first = game.take(live)
            self._unreported.discard(live.id)
            if not self._unreported:
                self._is_reported.set()
            self._changed[live.id] = min(first, self._changed.get(live.id, first))
            if self._tick is None:
                self._tick = asyncio.get_running_loop().call_later(TICK, self._send_news)

    def _send_news(self) -> None:
        """Send the new moves of games in progress to their readers. Each message is made once for all
        readers.
        """
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
                self.broadcast.send(topic, "move", wire.dumps(news))
        if boards:
            self.broadcast.send(f"{self.name}/boards", "boards", wire.dumps(boards))

    def _leave(self, game: str) -> None:
        self.playing.pop(game, None)
        self._changed.pop(game, None)

    def run_ended(self, failure: str) -> None:
        """Handle the end of a run that the page started.

        Args:
            failure: Why it failed; "" if it did not.
        """
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
            for each in self.connectors:
                each.on_run(self)
            self.changed()

    # The state of the competition

    def summary(self) -> dict[str, Any]:
        """Return the state of the competition, JSON-ready: progress, run, and the people for whom games
        wait.
        """
        event = self.event
        remaining = event.competition.remaining() if event is not None and self.is_counted else None
        return {
            "competition": self.name,
            "title": self.title,
            "game": event.setup.game if event else "",
            "format": event.setup.kind if event else "",
            "description": event.setup.description if event else "",
            "begun": self.begun,
            "finished": self.stored,
            "counting": event is not None and not self.is_counted,
            "remaining": remaining,
            "running": self.run is not None,
            "parallel": self.run["parallel"] if self.run else None,
            "paused": bool(self.run and self.run["paused"]),
            "playing": list(self.playing),
            "seconds_left": self._seconds_left(remaining),
            "void": event.failures.count if event else 0,
            "skipped": [game for game in event.failures.skipped if game not in self.playing] if event else [],
            "needs_ruling": list(self.endings.waiting),
            "awaited": {player: game for player, (game, _) in self.awaited.items()},
            "there": self._there(),
            "suspended": dict(event.suspended) if event else {},
            "trouble": self.trouble,
            "failure": self.failure,
            "version": self.version,
        }

    def _there(self) -> dict[str, bool]:
        """Return, by name, whether each human or remote player is there: ready to play, or connected."""
        there = self.ready.union(*(each.connected(self) for each in self.connectors))
        players = awaited_of(self.event.setup.players.values()) if self.event is not None else []
        return {player: player in there for player in players}

    def _seconds_left(self, remaining: int | None) -> int | None:
        """Estimate the seconds until the run is over, from its pace so far; None if too few games are over.

        Args:
            remaining: Number of games still to be played.
        """
        if self.run is None or self._pace is None or not remaining:
            return None
        began, stored = self._pace
        played = self.stored - stored
        seconds = time.monotonic() - began
        return seconds_left(seconds, played, remaining, parallel=self.run["parallel"])

    async def close(self) -> None:
        """Cancel the task that counts stored games."""
        if self._counting is not None:
            await ended(self._counting)


async def ended(task: asyncio.Task[None]) -> None:
    """Cancel a task, and wait until it has ended."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
