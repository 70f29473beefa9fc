"""An owner in an event: the connection to its server, and a session for each game in progress.

A session has the engines of the game, and their messages to and from the event.
"""

# Theory of operation
#
#                 cut: again, at once and then slower
#                        .---------------.
#                        v               |
#     play() --> connecting --> connected --> left: interrupt(), leave(), or enough games
#                        |          |
#                        |          | the event is not running
#                        '----------'--> for `patience` seconds without a break: the engines are ended
#
# There is one asyncio loop. Engines are file descriptors in it (`sessions`), and the connection is a task.
# The loss of a connection has no effect on an engine: its output is kept (`Outbox`). Its clock runs, so the
# first attempt to connect again follows soon (FIRST_PAUSE), further ones after longer pauses (at most
# LONGEST_PAUSE). The server pings every few seconds; a connection without any data for SILENCE seconds is
# closed, even if TCP keeps it open.
#
# An event that was killed tells nobody that its games are over. Engines would wait, or ponder, until the next
# run. So they are ended when the event has been gone for longer than the player's clock would have run
# (`patience_for`). If the game goes on after all, the seat is told that its engine has ended.
#
# A game has a session from the moment at which it is told of to its end. Its number of games is kept by
# `ready`: the event issues no further game when those in progress and those that count make enough. A void
# game does not count, so after it the owner may be ready again.
#
# The executors end all engines when this process ends. A new process has no engine of the game in progress,
# and cannot go on with it: the event decides that game (`gyoji.play.remote_session`).

import asyncio
import secrets
from collections.abc import Mapping
from functools import partial
from typing import Any

from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.text import format_duration
from gyoji.play.remote_talk import FINAL, Talk
from gyoji.remote.event_server import FIRST_PAUSE, LONGEST_PAUSE, EventServer
from gyoji.remote.sessions import Engines, Session
from gyoji.remote.websocket import Closed, WebSocket

SILENCE = 12.0
"""Seconds without data from the server, pings included, after which the connection is made again."""

PATIENCE = 600.0
"""Seconds without a running event after which the engines of its games are ended at the earliest."""

MOST_UNSENT = 1 << 22
"""Number of unsent bytes above which the connection counts as lost."""

_GOODBYE = 0.4
"""Seconds that engines have between TERM and KILL, and a little more."""


def patience_for(clock: TimeControl) -> float:
    """Return how many seconds an engine is kept alive while the event is not running or cannot be reached.

    Args:
        clock: The engine's clock.
    """
    return max(PATIENCE, (clock.main + clock.periods * clock.period + clock.move) / 1e9)


class Owner:
    """The connection to the event, and the sessions of all games in progress."""

    def __init__(
        self,
        server: EventServer,
        engines: Engines,
        games: int | None = None,
        *,
        patience: float = PATIENCE,
    ) -> None:
        """Begin without a connection.

        Args:
            games: Number of games after which to leave; None for no limit.
            patience: Seconds after which engines are ended if the event is not running or cannot be reached.
        """
        self._patience = patience
        self._server, self._engines, self._games = server, engines, games
        self._tell = server.tell
        self._sessions: dict[str, Session] = {}  # by game
        self._instance = secrets.token_hex(16)
        self._connection: WebSocket | None = None
        self._counted: set[str] = set()  # games with a result
        self._is_leaving, self._is_running = False, True
        self._was_ready: bool | None = None  # as the event was told on this connection
        self._gone: asyncio.TimerHandle | None = None
        self._left = asyncio.Event()

    async def play(self) -> int:
        """Connect to the event and play until the owner leaves.

        Returns:
            Number of games that ended with a result. A game that ended while the connection was cut counts
            as one of them.

        Raises:
            ConfigError: The event refuses this owner.
        """
        playing = asyncio.create_task(self._stay_connected())
        leaving = asyncio.create_task(self._left.wait())
        try:
            await asyncio.wait({playing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if playing.done():
                playing.result()  # raises what ended it
        finally:
            self._left.set()
            self._is_back()
            for session in self._sessions.values():
                session.give_up("was ended by its owner")
            self._engines.close()
            if self._connection is not None:
                await self._connection.close()
            playing.cancel()
            leaving.cancel()
            await asyncio.wait({playing, leaving}, timeout=1)
            await asyncio.sleep(_GOODBYE)
        return len(self._counted)

    def leave(self) -> None:
        """Leave at once. A game in progress is lost."""
        self._left.set()

    def interrupt(self) -> None:
        """Leave after the game in progress.

        Leave at once if no game is in progress, if the event is not running, or at the second call.
        """
        if self._is_leaving or not self._sessions or not self._is_running:
            self._left.set()
            return
        self._is_leaving = True
        self._tell("leaving after the game in progress; again to leave at once, and lose it")
        self._look()

    def _look(self) -> None:
        """Tell the event whether another game may begin, if that has changed.

        If none may begin and no game is in progress, leave the event.
        """
        taken = len(self._counted | self._sessions.keys())
        is_ready = not self._is_leaving and (self._games is None or taken < self._games)
        if is_ready != self._was_ready:
            self._was_ready = is_ready
            self._send(ready=is_ready)
        if not (is_ready or self._sessions):
            self._left.set()

    # The connection

    async def _stay_connected(self) -> None:
        """Connect to the event, and handle its messages. Connect again whenever the connection is lost.

        Raises ConfigError if another attempt is useless.
        """
        pause, was_told = FIRST_PAUSE, False
        while not self._left.is_set():
            try:
                self._connection = await self._server.connect(self._instance)
                was_told, pause = False, FIRST_PAUSE
                self._tell("connected")
                self._suspend()
                self._was_ready = None
                self._look()
                await self._listen(self._connection)
            except Closed as closed:
                if self._left.is_set():
                    return
                if closed.code in FINAL:
                    raise ConfigError(f"join: {closed.reason or 'refused'}") from None
                self._tell(f"the connection is lost ({closed}); trying again")
                was_told = True
            except OSError as error:
                if not was_told:
                    self._tell(f"{self._server.link.authority} cannot be reached ({error}); trying again")
                was_told = True
            finally:
                if self._connection is not None:
                    self._connection.abort()
                self._connection = None
                self._is_missed()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _listen(self, connection: WebSocket) -> None:
        """Handle the messages of a connection until it ends. Raises Closed."""
        while True:
            self._hear(wire.loads(dict, await connection.receive(SILENCE)))

    def _send(self, **message: object) -> None:
        """Send a message to the event, as a JSON object.

        Without a connection the message is lost. If more than `MOST_UNSENT` bytes are waiting to be sent, the
        message is lost, too, and the connection is aborted. Sessions repeat lost messages that have the key
        `talk`, and no others.
        """
        if self._connection is not None:
            if self._connection.unsent > MOST_UNSENT:
                self._connection.abort()
            else:
                self._connection.send(wire.dumps(message).encode())

    # The event

    def _hear(self, message: Mapping[str, Any]) -> None:
        if "talk" in message:
            for each in message["talk"]:
                self._on_talk(str(message["game"]), wire.decode(Talk, each))
        elif "playing" in message:
            self._greet([str(each) for each in message["playing"]])
        elif "started" in message:
            game = str(message["started"])
            self._tell(f"game {game}: {' - '.join(message['players'])}")
            self._begin(game)
            self._look()
        elif "finished" in message:
            game = str(message["finished"])
            self._tell(f"game {game}: {message['text']}")
            self._end(game, counts=message.get("counts") is True)
            self._look()
        elif "running" in message:
            self._on_running(is_running=message["running"] is True)

    def _on_running(self, *, is_running: bool) -> None:
        self._is_running = is_running
        if is_running:
            self._is_back()
            return
        self._suspend()  # a server that was started again has perhaps not found the run yet
        self._tell("the event is not running: waiting for it")
        self._is_missed()

    def _suspend(self) -> None:
        for session in self._sessions.values():
            session.suspend()

    def _is_missed(self) -> None:
        """Begin the wait for an event that is not running or cannot be reached. All engines are ended after
        it.

        Do nothing if the wait has begun already.
        """
        if self._gone is None and not self._left.is_set():
            self._gone = asyncio.get_running_loop().call_later(self._patience, self._end_engines)

    def _is_back(self) -> None:
        if self._gone is not None:
            self._gone.cancel()
            self._gone = None

    def _end_engines(self) -> None:
        """End all engines, because the event was not reachable for too long. Go on trying to reach it."""
        why = f"the event was gone for {format_duration(int(self._patience * 10**9))}"
        for game, session in self._sessions.items():
            if session.give_up(f"was ended at its owner's: {why}"):
                self._tell(f"game {game}: the engine is ended: {why}")
        self._engines.close()

    # Games

    def _greet(self, games: list[str]) -> None:
        """Bring the sessions up to date with the event on a new connection.

        Each game in progress gets a session, which sends its first message. The sessions of all other games
        end, and their games count as games with a result.

        Args:
            games: Ids of the player's games in progress, as the event has sent them.
        """
        for game in games:
            self._begin(game)
            self._talk(game, self._sessions[game].hello)
        for game in self._sessions.keys() - games:
            self._end(game, counts=True)  # it ended during a cut: nobody says how
        self._look()

    def _begin(self, game: str) -> None:
        """Begin the session of a game, unless there is one. The engine is started when the event asks for
        it.
        """
        if game not in self._sessions:
            self._sessions[game] = Session(self._engines, partial(self._talk, game), self._tell)

    def _on_talk(self, game: str, talk: Talk) -> None:
        session = self._sessions.get(game)
        if session is None:
            return
        try:
            session.hear(talk)
        except ValueError as error:
            raise Closed(1002, f"the event makes no sense: {error}") from None

    def _end(self, game: str, *, counts: bool) -> None:
        """End the session of a game, if there is one.

        Args:
            counts: Whether the game counts as one of the games after which the owner leaves. It does so
                without a session too.
        """
        if counts:
            self._counted.add(game)
        if game in self._sessions:
            self._sessions.pop(game).end()

    def _talk(self, game: str, talk: Talk) -> None:
        self._send(game=game, talk=talk)
