"""The feed of a run: what happens in it, as JSON lines, to programs that watch it through its control socket.

A watcher is first told how things stand, then each event as a line of its own:

    {"event": "started", "game": <GameSpec>, "at": ISO 8601}
    {"event": "live", "live": <Live>}       of games in progress, while some watcher wants moves
    {"event": "seat", "game": id, "news": <SeatNews>}   what happens at the seats of a person in a game
    {"event": "finished", "result": <GameResult>}
    {"event": "void", "void": <VoidGame>, "attempt": n}
    {"event": "warning", "text": ...}
    {"event": "steered", "what": ..., "paused": true or false}
    {"event": "ready", "players": [...]}    the persons who want to play, when that has changed
    {"event": "awaited", "games": [<Awaited>]}   games that could begin but for persons, when these are others
    {"event": "hosts", "hosts": [<Host>]}   the machines of a cluster, every few seconds
    {"event": "reloaded", "remaining": n}   the control file was read again; n games are left, null: endless
    {"event": "stopping", "reason": ...}
    {"event": "ended", "status": exit status, "reason": ...}

While nobody watches, nothing of this is made. A watcher that does not read loses its connection: what it
missed stands in the store.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from gyoji.core import wire
from gyoji.core.ports import Competition
from gyoji.core.record import GameResult, VoidGame
from gyoji.play.order import Order
from gyoji.scheduler.attendance import Awaited
from gyoji.scheduler.events import Listener
from gyoji.scheduler.games import IssuedGame
from gyoji.scheduler.pool import Host, host_values
from gyoji.scheduler.reload import Fresh
from gyoji.scheduler.status import RunEnd

HOSTS_SECONDS = 2.0
"""Between two words about the machines of a cluster."""


class Watcher(Protocol):
    """A connection that lines are written to."""

    def write(self, data: bytes) -> None:
        """Send this, or keep it until there is room; never waits, and never fails."""


class Feed(Listener):
    """Tells the events of one run to any number of watchers, in the run's thread.

    tell_moves: called with True to have all games told move by move, from their starts; False: no more.
    awaits: gives the games that could begin but for persons.   hosts: gives the machines of a cluster.
    call_later: calls once after so many seconds.
    """

    awaits: Callable[[], Sequence[Awaited]] = staticmethod(tuple)
    hosts: Callable[[], Sequence[Host]] = staticmethod(tuple)
    call_later: Callable[[float, Callable[[], object]], object]

    def __init__(
        self, playing: Callable[[], Sequence[IssuedGame]], tell_moves: Callable[[bool], object]
    ) -> None:
        self._playing = playing
        self._tell_moves = tell_moves
        self._ready: list[str] = []
        self._watchers: dict[Watcher, bool] = {}  # and whether they want moves
        self._is_telling_hosts = False

    def join(self, watcher: Watcher, *, moves: bool) -> Mapping[str, Any]:
        """Tell this watcher everything from now on; moves: of games in progress too. How things stand,
        JSON-ready. Who watches already may say anew whether it wants moves."""
        is_told = self._watchers.get(watcher, False)
        self._watchers[watcher] = moves
        if moves and not is_told:
            self._tell_moves(True)  # all of them again, for everybody
        elif is_told and not moves:
            self._rest()
        hosts = host_values(self.hosts())
        self.tell_of_hosts()
        return {
            "ready": self._ready,
            "hosts": hosts,
            "awaited": wire.encode(self.awaits()),
            "playing": [{"game": wire.encode(game.spec), "at": game.started} for game in self._playing()],
        }

    def leave(self, watcher: Watcher) -> None:
        """Tell it nothing more; who does not watch is ignored."""
        if self._watchers.pop(watcher, False):
            self._rest()

    def tell_of_hosts(self) -> None:
        """Tell of the machines of a cluster, now and then from now on, while there are any."""
        if not self._is_telling_hosts and self._watchers and self.hosts():
            self._is_telling_hosts = True
            self.call_later(HOSTS_SECONDS, self._tell_hosts)

    def _tell_hosts(self) -> None:
        self._is_telling_hosts = False
        self._tell("hosts", hosts=host_values(self.hosts()))
        self.tell_of_hosts()

    def _rest(self) -> None:
        """Have no moves told once nobody wants them."""
        if not any(self._watchers.values()):
            self._tell_moves(False)

    def live(self, text: str) -> None:
        """News of a game in progress: the JSON of a `Live`."""
        data = f'{{"event":"live","live":{text}}}\n'.encode()
        for watcher in [each for each, moves in self._watchers.items() if moves]:
            watcher.write(data)

    def seat(self, game_id: str, text: str) -> None:
        """News of the seats of a person in a game: the JSON of `SeatNews`."""
        data = f'{{"event":"seat","game":{wire.dumps(game_id)},"news":{text}}}\n'.encode()
        for watcher in list(self._watchers):
            watcher.write(data)

    def _tell(self, event: str, **values: object) -> None:
        if self._watchers:
            data = f"{wire.dumps({'event': event, **values})}\n".encode()
            for watcher in list(self._watchers):
                watcher.write(data)

    # What a run tells its listeners

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
        """Whether anybody is told anything."""
        return bool(self._watchers)

    def awaited(self, games: Sequence[Awaited]) -> None:
        """Other games than before could begin but for persons."""
        self._tell("awaited", games=games)

    def stopping(self, reason: str, waiting: tuple[str, ...]) -> None:
        self._tell("stopping", reason=reason)

    def ended(self, end: RunEnd) -> None:
        self._tell("ended", status=int(end.status), reason=end.reason)
