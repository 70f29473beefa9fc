"""The events of a run as JSON lines, for programs that watch it through its control socket.

The answer to the command `watch` has the state of the run. Each event after it is a line of its own:

    {"event": "started", "game": <GameSpec>, "at": ISO 8601}
    {"event": "live", "live": <Live>}            moves of games in progress, if a watcher wants them
    {"event": "seat", "news": <SeatNews>}        events at the seats of a human player
    {"event": "remote", "news": <RemoteNews>}    messages to remote players, for watchers that connect them
    {"event": "finished", "result": <GameResult>}
    {"event": "void", "void": <VoidGame>, "attempt": n}
    {"event": "warning", "text": ...}
    {"event": "steered", "what": ..., "paused": true or false}   a command changed the run
    {"event": "ready", "players": [...]}         human and remote players who are ready, whenever that changes
    {"event": "awaited", "games": [<Awaited>]}   games that wait for such players, whenever that changes
    {"event": "hosts", "hosts": [<Host>]}        hosts of a cluster, every few seconds
    {"event": "reloaded", "remaining": n}        the control file was read again; null if endless
    {"event": "stopping", "reason": ...}
    {"event": "ended", "status": exit status, "reason": ...}

Without watchers no line is made. A watcher that does not read is disconnected. It can connect again, and read
what it missed from the store.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from time import monotonic
from typing import Any, Protocol

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.ports import Competition
from gyoji.core.record import GameResult, VoidGame
from gyoji.play.live_updates import Live
from gyoji.play.order import Order
from gyoji.play.remote_seats import RemoteNews
from gyoji.play.seats import SeatNews
from gyoji.scheduler.attendance import Awaited
from gyoji.scheduler.events import Listener
from gyoji.scheduler.issued_games import IssuedGame
from gyoji.scheduler.pool import Pool, host_values
from gyoji.scheduler.reload import Fresh
from gyoji.scheduler.status import RunEnd

HOSTS_SECONDS = 2.0
"""Seconds between two events about the hosts of a cluster."""


class Watcher(Protocol):
    """A program that gets the events of a run, connected to its control socket."""

    def write(self, data: bytes) -> None:
        """Send JSON lines without waiting. A program that does not read them is disconnected."""


class Feed(Listener):
    """Sends the events of one run to any number of watchers."""

    def __init__(self, pool: Pool, playing: Callable[[], Sequence[IssuedGame]]) -> None:
        self._pool, self._playing = pool, playing
        self._ready: list[str] = []
        self._awaited: tuple[Sequence[Awaited], float] = (), 0.0  # and when they were reported
        self._watchers: dict[Watcher, bool] = {}  # and whether they want moves
        self._connectors = set[Watcher]()  # those that connect remote players
        self._is_telling_hosts = False

    def join(self, watcher: Watcher, *, moves: bool, remote: bool = False) -> Mapping[str, Any]:
        """Send a program every event from now on. Return the present state of the run as a JSON-ready object.

        Args:
            watcher: The program. It may join again to change `moves`.
            moves: Whether it also wants the moves of games in progress.
            remote: Whether it connects remote players, and gets messages to them.
        """
        is_told = self._watchers.get(watcher, False)
        self._watchers[watcher] = moves
        if remote:
            self._connectors.add(watcher)
        if moves and not is_told:
            self._pool.tell_moves(True)  # all of them again, for everybody
        elif is_told and not moves:
            self._rest()
        hosts = host_values(self._pool.hosts)
        self.tell_of_hosts()
        games, told = self._awaited
        since = monotonic() - told
        awaited = [
            each if each.seconds is None else replace(each, seconds=max(each.seconds - since, 0.0))
            for each in games
        ]
        return {
            "ready": self._ready,
            "hosts": hosts,
            "awaited": wire.encode(awaited),
            "playing": [{"game": wire.encode(game.spec), "at": game.started} for game in self._playing()],
        }

    def leave(self, watcher: Watcher) -> None:
        """Send a program no more events. Do nothing if it gets none."""
        self._connectors.discard(watcher)
        if self._watchers.pop(watcher, False):
            self._rest()

    def tell_of_hosts(self) -> None:
        """Send the state of a cluster's machines every `HOSTS_SECONDS` from now on, while a program
        watches.
        """
        if not self._is_telling_hosts and self._watchers and self._pool.hosts:
            self._is_telling_hosts = True
            self._pool.loop.call_later(HOSTS_SECONDS, self._tell_hosts)

    def _tell_hosts(self) -> None:
        self._is_telling_hosts = False
        self._tell("hosts", hosts=host_values(self._pool.hosts))
        self.tell_of_hosts()

    def _rest(self) -> None:
        """Have workers stop reporting moves if no program wants them any more."""
        if not any(self._watchers.values()):
            self._pool.tell_moves(False)

    def live(self, live: Live) -> None:
        """Send the newest moves of a game in progress to the programs that want moves."""
        self._write(
            {"event": "live", "live": live}, [each for each, moves in self._watchers.items() if moves]
        )

    def seat(self, news: SeatNews) -> None:
        """Send what happened in a game at the seat of a human player, such as a question to answer."""
        self._tell("seat", news=news)

    def remote(self, news: RemoteNews) -> None:
        """Send messages for the owner of a remote player to the programs that connect remote players."""
        self._write({"event": "remote", "news": news}, list(self._connectors))

    def _tell(self, event: str, **values: object) -> None:
        if self._watchers:
            self._write({"event": event, **values}, list(self._watchers))

    def _write(self, event: Mapping[str, object], watchers: Iterable[Watcher]) -> None:
        data = wire.dump_line(event)  # made once, however many watch
        for watcher in watchers:
            watcher.write(data)

    # The events of a run, as `Listener` defines them

    def started(self, order: Order) -> None:
        games = {game.id: game.started for game in self._playing()} if self._watchers else {}
        self._tell("started", game=order.spec, at=games.get(order.spec.id, ""))

    def finished(self, result: GameResult) -> None:
        self._tell("finished", result=result)

    def voided(self, void: VoidGame, attempt: int) -> None:
        self._tell("void", void=void, attempt=attempt)

    def warning(self, text: str) -> None:
        self._tell("warning", text=text)

    def steered(self, what: str, *, paused: bool) -> None:
        self._tell("steered", what=what, paused=paused)

    def reloaded(self, fresh: Fresh, competition: Competition, *, remaining: int | None) -> None:
        self._tell("reloaded", remaining=remaining)

    def appeared(self, player: str, *, is_there: bool) -> None:
        self._ready = sorted({*self._ready, player} if is_there else {*self._ready} - {player})
        self._tell("ready", players=self._ready)

    @property
    def has_watchers(self) -> bool:
        """Whether any program watches the run."""
        return bool(self._watchers)

    def awaited(self, games: Sequence[Awaited]) -> None:
        self._awaited = games, monotonic()
        self._tell("awaited", games=games)

    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None:
        self._tell("stopping", reason=reason)

    def ended(self, end: RunEnd) -> None:
        self._tell("ended", status=int(end.status), reason=end.reason)
