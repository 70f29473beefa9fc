"""`gyoji join`: connects the owner of an engine to an event, and plays until the owner leaves or the event
ends.
"""

# Theory of operation
#
#     ask the event (HTTP) --> check the engine here, with its settings --> connected <--> cut: again, at once
#                                                                             |            and then slower
#                                                      Ctrl-C: after the game |
#                                                      Ctrl-C: at once        v
#                                                                            left
#
# There is one asyncio loop. Engines are file descriptors in it (`sessions`), and the connection is a task.
# The loss of a connection has no effect on an engine: its output is kept (`Outbox`). Its clock runs, so the
# first attempt to connect again follows soon (FIRST_PAUSE), further ones after longer pauses (at most
# LONGEST_PAUSE). The server pings every few seconds; a connection without any data for SILENCE seconds is
# closed, even if TCP keeps it open.
#
# The executors end all engines when this process ends. A new process has no engine of the game in progress,
# and cannot go on with it: the event decides that game (`gyoji.play.remote_seats`).

import asyncio
import json
import secrets
import signal
import ssl
import time
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any

import click

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.links import JoinLink
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.play.context import WorkerContext
from gyoji.play.remote_talk import Talk, encode
from gyoji.remote.owner_check import Wishes, check_engine
from gyoji.remote.sessions import Engines, Session
from gyoji.remote.websocket import Closed, Refused, WebSocket

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds between two attempts to connect."""

SILENCE = 12.0
"""Seconds without data from the server, pings included, after which the connection is made again."""

ECHOES = 20
"""Number of round trips that are measured before an event."""

MOST_UNSENT = 1 << 22
"""Number of unsent bytes above which the connection counts as lost."""

REPLACED, TAKEN, NONSENSE = 4000, 4409, 4400
"""Codes with which the server closes a connection: `gyoji.web.remote_players`."""

_GOODBYE = 0.4
"""Seconds that engines have between TERM and KILL, and a little more."""

_TIMEOUT = 20  # seconds for one HTTP request


def join_event(link: JoinLink, wishes: Wishes) -> int:
    """Carry out `gyoji join`. Return its exit status.

    Raises:
        ConfigError: The link, the certificate or the engine is wrong.
    """
    trust = _trust(link, wishes.ca)
    told = _ask(link, trust)
    _say(f"{told['player']} in {told['title'] or told['competition']}, at {link.authority}")
    if not wishes.echo:
        player, found = check_engine(wire.decode(GameSpec, told["spec"]), wishes)
        _say(found)
        if not wishes.only_checks:
            with closing(WorkerContext()) as context:
                return asyncio.run(Owner(link, trust, Engines(player, context), wishes.games).play())
    return asyncio.run(_measure(link, trust))


def _say(line: str) -> None:
    with suppress(OSError):  # the terminal is gone: the game goes on
        click.echo(f"{time.strftime('%H:%M:%S')} {printable(line, 400)}", err=True)


def _trust(link: JoinLink, ca: Path | None) -> ssl.SSLContext | None:
    """Return the TLS context that checks the server's certificate; None without TLS."""
    if not link.is_encrypted:
        return None
    try:
        return ssl.create_default_context(cafile=ca and str(ca))
    except OSError as error:
        raise ConfigError(f"join: --ca {ca}: {error}") from None


def _headers(link: JoinLink) -> dict[str, str]:
    return {"Authorization": f"Remote {link.secret}"}


def _ask(link: JoinLink, trust: ssl.SSLContext | None) -> Mapping[str, Any]:
    """Ask the server for the player, its competition, and a game to check the engine with.

    Try again until the server can be reached. Raises ConfigError if it refuses.
    """
    pause, told = FIRST_PAUSE, ""
    while True:
        try:
            status, text = _get(link, trust)
            break
        except ssl.SSLCertVerificationError as error:
            raise _untrusted(link, error) from None
        except (OSError, HTTPException) as error:
            if str(error) != told:
                told = str(error)
                _say(f"{link.authority} cannot be reached ({error}); trying again")
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
    if status == 403:
        raise ConfigError("join: this link is not good, or its event is not served there: ask the organiser")
    if status == 409:
        raise ConfigError(f"join: {printable(text.decode('utf-8', 'replace'), 200)}")
    try:
        answer = json.loads(text)
        wire.decode(GameSpec, answer["spec"])
    except (ValueError, KeyError, TypeError):
        why = f"its answer (status {status}) is not that of `gyoji serve`, or of another version"
        raise ConfigError(f"join: {link.authority}: {why}") from None
    return dict(answer)


def _get(link: JoinLink, trust: ssl.SSLContext | None) -> tuple[int, bytes]:
    """Ask the server about this player. Return status and body. Raises OSError and HTTPException."""
    made = (
        HTTPSConnection(link.host, link.port, timeout=_TIMEOUT, context=trust)
        if trust
        else HTTPConnection(link.host, link.port, timeout=_TIMEOUT)
    )
    try:
        made.request("GET", f"{link.path}/api/v1/remote", headers=_headers(link))
        answer = made.getresponse()
        return answer.status, answer.read(1 << 24)
    finally:
        made.close()


def _untrusted(link: JoinLink, error: ssl.SSLCertVerificationError) -> ConfigError:
    why = f"its certificate is not to be trusted ({error.verify_message}); --ca FILE names one that is"
    return ConfigError(f"join: {link.authority}: {why}")


async def _measure(link: JoinLink, trust: ssl.SSLContext | None) -> int:
    """Measure round trips and print them."""
    connection = await _connect(link, trust, "")  # does not replace a connection of the player
    trips = []
    for number in range(ECHOES):
        began = time.monotonic()
        connection.send(encode({"echo": number}))
        while json.loads(await asyncio.wait_for(connection.receive(), _TIMEOUT)).get("echo") != number:
            pass
        trips.append((time.monotonic() - began) * 1000)
    await connection.close()
    trips.sort()
    middle, last = trips[len(trips) // 2], trips[-1]
    _say(f"{ECHOES} round trips: median {middle:.1f} ms, longest {last:.1f} ms")
    return 0


async def _connect(link: JoinLink, trust: ssl.SSLContext | None, instance: str) -> WebSocket:
    """Connect to the event. Raises OSError, or ConfigError if another attempt would be useless.

    Args:
        instance: A random id of this process; "" to measure round trips only.
    """
    headers = {**_headers(link), "X-Gyoji-Instance": instance}
    try:
        opening = WebSocket.open(link, f"{link.path}/api/v1/remote/connect", headers, trust)
        return await asyncio.wait_for(opening, _TIMEOUT)
    except Refused as refused:
        if refused.status == 403:
            raise ConfigError("join: this link is not good any more: ask the organiser") from None
        raise ConnectionError(str(refused)) from None
    except TimeoutError:
        raise ConnectionError("no answer") from None
    except ssl.SSLCertVerificationError as error:
        raise _untrusted(link, error) from None


class Owner:
    """The connection to the event, and the sessions of all games in progress."""

    def __init__(
        self, link: JoinLink, trust: ssl.SSLContext | None, engines: Engines, games: int | None
    ) -> None:
        self._link, self._trust, self._engines, self._games = link, trust, engines, games
        self._sessions: dict[str, Session] = {}  # by game
        self._instance = secrets.token_hex(16)
        self._connection: WebSocket | None = None
        self._begun: set[str] = set()  # all games that were ever in progress
        self._finished = 0
        self._is_leaving, self._is_running = False, True
        self._left = asyncio.Event()

    async def play(self) -> int:
        """Connect and play until the owner leaves. Return the exit status."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupted)
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._left.set)
        playing = asyncio.create_task(self._stay_connected())
        leaving = asyncio.create_task(self._left.wait())
        try:
            await asyncio.wait({playing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if playing.done():
                playing.result()  # raises what ended it
        finally:
            self._left.set()
            for session in self._sessions.values():
                session.give_up()
            self._engines.close()
            if self._connection is not None:
                await self._connection.close()
            playing.cancel()
            leaving.cancel()
            await asyncio.wait({playing, leaving}, timeout=1)
            await asyncio.sleep(_GOODBYE)
        _say(f"left after {self._finished} game{'' if self._finished == 1 else 's'}")
        return 0

    def _interrupted(self) -> None:
        if self._is_leaving or not self._sessions or not self._is_running:
            self._left.set()
            return
        self._leave_soon()
        _say("leaving after the game in progress; again to leave at once, and lose it")

    def _leave_soon(self) -> None:
        self._is_leaving = True
        self._send(ready=False)

    def _leave_if_idle(self) -> None:
        if self._is_leaving and not self._sessions:
            self._left.set()

    def _count(self, games: Iterable[str]) -> None:
        """Count games that have begun. A game that is played again under its id counts once."""
        self._begun.update(games)
        if self._games is not None and len(self._begun) >= self._games and not self._is_leaving:
            self._leave_soon()  # not at the end of the last game: the event might issue another one before

    async def _stay_connected(self) -> None:
        """Connect, again after each loss, and handle all messages. Raises ConfigError if another attempt is
        useless.
        """
        pause, was_told = FIRST_PAUSE, False
        while not self._left.is_set():
            try:
                self._connection = await _connect(self._link, self._trust, self._instance)
                was_told, pause = False, FIRST_PAUSE
                _say("connected")
                self._suspend()
                self._send(ready=not self._is_leaving)
                await self._listen(self._connection)
            except Closed as closed:
                if self._left.is_set():
                    return
                if closed.code in (TAKEN, NONSENSE):
                    raise ConfigError(f"join: {closed.reason or 'refused'}") from None
                _say(f"the connection is lost ({closed}); trying again")
                was_told = True
            except OSError as error:
                if not was_told:
                    _say(f"{self._link.authority} cannot be reached ({error}); trying again")
                was_told = True
            finally:
                if self._connection is not None:
                    self._connection.abort()
                self._connection = None
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _listen(self, connection: WebSocket) -> None:
        """Handle the messages of a connection until it ends. Raises Closed."""
        while True:
            try:
                message = await asyncio.wait_for(connection.receive(), SILENCE)
            except TimeoutError:
                raise Closed(1006, f"nothing came for {SILENCE:g} s") from None
            self._hear(wire.loads(dict, message))

    def _hear(self, message: Mapping[str, Any]) -> None:
        if "talk" in message:
            game = str(message["game"])
            for each in message["talk"]:
                self._on_talk(game, wire.decode(Talk, each))
        elif "playing" in message:
            self._greet([str(each) for each in message["playing"]])
        elif "started" in message:
            game = str(message["started"])
            _say(f"game {game}: {' - '.join(message['players'])}")
            self._count([game])
            self._begin(game)
        elif "finished" in message:
            self._on_finished(str(message["finished"]), message["text"])
        elif "running" in message:
            self._is_running = message["running"] is True
            if not self._is_running:  # a server that was started again has perhaps not found the run yet
                self._suspend()
                _say("the event is not running: waiting for it")

    def _on_finished(self, game: str, text: str) -> None:
        self._finished += 1
        _say(f"game {game}: {text}")
        self._count([game])
        self._end(game)

    def _suspend(self) -> None:
        for session in self._sessions.values():
            session.suspend()

    def _greet(self, games: list[str]) -> None:
        """Send the first message of each game in progress, and end the sessions of all other games."""
        self._count(games)
        for game in games:
            self._begin(game)
            self._talk(game, self._sessions[game].hello)
        for game in self._sessions.keys() - games:
            self._end(game)
        self._leave_if_idle()

    def _begin(self, game: str) -> None:
        """Begin the session of a game, unless there is one. Its engines are started when its seat asks."""
        if game not in self._sessions:
            self._sessions[game] = Session(self._engines, partial(self._talk, game), _say)

    def _on_talk(self, game: str, talk: Talk) -> None:
        session = self._sessions.get(game)
        if session is None:
            return
        try:
            session.hear(talk)
        except ValueError as error:
            raise Closed(1002, f"the event makes no sense: {error}") from None

    def _end(self, game: str) -> None:
        """End the session of a game, if there is one. Leave if it was the last game to play."""
        if game in self._sessions:
            self._sessions.pop(game).end()
        self._leave_if_idle()

    def _talk(self, game: str, talk: Talk) -> None:
        self._send(game=game, talk=talk)

    def _send(self, **message: object) -> None:
        """Send a message if there is a connection. Sessions send lost messages again."""
        if self._connection is not None:
            if self._connection.unsent > MOST_UNSENT:
                self._connection.abort()
            else:
                self._connection.send(wire.dumps(message).encode())
