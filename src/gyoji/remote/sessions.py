"""The engines of a remote player on its owner's computer, and their messages to and from the event."""

# A session is the owner's end of the conversation of `gyoji.play.remote_talk` in one game. It continues after
# any loss of the connection. The engine speaks its protocol with the codec of the event; its lines are only
# forwarded here.
#
#     open --> running -- close "quit", end of file --> ends by itself, or is killed with its game
#                |  '---- close "kill" ------------------> killed
#                |  '---- close "keep" ------------------> parked: the next game's open takes it
#                '------- its output ends ---------------> told to the event, and killed
#
# The end of the game kills its engines, and so does the call of another seat (the game is played again,
# because its host was lost).
#
#     suspended -- session (the seat's answer to hello) --> resumed: first the kept messages, then new ones
#         ^------- new connection, or no run -----------------'
#
# While suspended, output of the engine is only kept. A message sent between hello and the answer would reach
# the seat before those that are kept, whose numbers are lower.

import asyncio
import os
from collections.abc import Callable

from gyoji.core.faults import GyojiError
from gyoji.core.ports import Channel
from gyoji.core.spec import Player
from gyoji.play.connection import write_some
from gyoji.play.context import GAME_VARIABLES, WorkerContext
from gyoji.play.remote_talk import ENCODING, MOST_TEXT, Hello, Inbox, Opening, Outbox, Talk
from gyoji.play.workspace import Cleanup

_REAPING = 0.05
"""Seconds to wait for an engine's exit status after the end of its output."""

_CLOSING = 0.2
"""Seconds between TERM and KILL."""


class LocalEngine:
    """A running engine on this machine.

    Attributes:
        heard: Called with its output, and with b"" at the end of its output.
        is_dismissed: Whether its input has been closed.
    """

    def __init__(self, channel: Channel, cleanup: Cleanup) -> None:
        self._loop = asyncio.get_running_loop()
        self._channel, self._cleanup = channel, cleanup
        self._unsent = bytearray()
        self._is_read = self._is_gone = self.is_dismissed = False
        self.heard: Callable[[bytes], object] = lambda _: None

    def listen(self, *, wanted: bool) -> None:
        """Begin or stop reading the engine's output."""
        if wanted and not self._is_read and not self._is_gone:
            self._loop.add_reader(self._channel.stdout, self._read)
        elif self._is_read and not wanted:
            self._loop.remove_reader(self._channel.stdout)
        self._is_read = wanted and not self._is_gone

    def _read(self) -> None:
        try:
            data = os.read(self._channel.stdout, MOST_TEXT)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.listen(wanted=False)
        self.heard(data)

    def write(self, data: bytes) -> None:
        """Write to the engine's input, now or as soon as the engine reads.

        Data for an engine whose input is closed or that has been killed is dropped.
        """
        if self._channel.stdin < 0 or self._is_gone:
            return
        has_waited = bool(self._unsent)
        self._unsent += data
        if not has_waited:
            self._flush()

    def _flush(self) -> None:
        write_some(self._channel.stdin, self._unsent)
        if self._unsent:
            self._loop.add_writer(self._channel.stdin, self._flush)
        else:
            self._loop.remove_writer(self._channel.stdin)

    def close_input(self) -> None:
        """Close the engine's input."""
        self.is_dismissed = True
        if self._channel.stdin >= 0 and not self._is_gone:
            self._loop.remove_writer(self._channel.stdin)
            self._channel.close_stdin()

    def status(self) -> str:
        """Return how the engine ended, such as "exit 0"; "" while it runs."""
        process = self._channel.process
        end = process.reap() if process is not None else ("gone", 0)
        return end[0] if end else ""

    def kill(self) -> None:
        """End the engine and all processes that it has started: TERM now, KILL after `_CLOSING` seconds.

        Afterwards the folders made for the engine are removed.
        """
        if self._is_gone:
            return
        self.listen(wanted=False)
        self.close_input()
        self._is_gone = True
        process = self._channel.process
        assert process is not None
        process.resume()
        process.terminate()
        self._loop.call_later(_CLOSING, self._bury)

    def _bury(self) -> None:
        """Kill the remaining processes, and wait for their end without blocking."""
        process = self._channel.process
        assert process is not None
        process.kill()
        if process.reap() is None:
            self._loop.add_reader(process.pidfd, self._buried)
        else:
            self._buried()

    def _buried(self) -> None:
        process = self._channel.process
        assert process is not None
        if process.reap() is None:
            return
        self._loop.remove_reader(process.pidfd)
        self._channel.close()
        self._cleanup()


class Engines:
    """Starts the owner's engine, and keeps running engines for further games.

    Attributes:
        player: The player, with the command and containment of the engine.
    """

    def __init__(self, player: Player, context: WorkerContext) -> None:
        self.player, self._context = player, context
        self._parked: list[LocalEngine] = []

    def start(self, opening: Opening) -> LocalEngine:
        """Return a kept or newly started engine for a game. Raises GyojiError or OSError.

        Args:
            opening: The event's request to start an engine. It says whether a kept engine may be used.
        """
        while opening.restart == "off" and self._parked:
            engine = self._parked.pop()
            if not engine.status():
                return engine
            engine.kill()  # it has ended since its last game
        for each in self._parked:
            each.kill()
        self._parked.clear()
        environ = {name: value for name, value in opening.environ.items() if name in GAME_VARIABLES}
        return LocalEngine(*self._context.start(self.player, environ))

    def park(self, engine: LocalEngine) -> None:
        """Keep a running engine for the next game, without reading its output."""
        engine.listen(wanted=False)
        self._parked.append(engine)

    def close(self) -> None:
        """End the engines that are kept."""
        for each in self._parked:
            each.kill()
        self._parked.clear()


class Session:
    """The engines of the remote player's seats in one game."""

    def __init__(
        self, engines: Engines, send: Callable[[Talk], object], tell: Callable[[str], object]
    ) -> None:
        self._engines, self._send, self._tell = engines, send, tell
        self._name = ""
        self._outbox, self._inbox = Outbox(), Inbox()
        self._is_resumed = False
        self._running: dict[int, LocalEngine] = {}

    @property
    def hello(self) -> Talk:
        """Return the first message of this session on a new connection."""
        return Talk(hello=Hello(session=self._name, got=self._inbox.got))

    def suspend(self) -> None:
        """Hold back new messages until a new connection is open and the seat has answered `hello` on it."""
        self._is_resumed = False

    def hear(self, talk: Talk) -> None:
        """Handle a message of the event. Raises ValueError if it makes no sense."""
        if talk.call and talk.call != self._name:
            self._anew("")
            self._send(self.hello)
        if talk.session:
            self._resume(talk)
        if talk.ack >= 0:
            self._outbox.acked(talk.ack)
            self._listen()
        is_new = bool(talk.n) and self._inbox.take(talk.n)
        if talk.p or talk.n:
            self._send(Talk(p=talk.p, ack=self._inbox.got))  # before work that takes time
        if is_new:
            self._obey(talk)

    def _resume(self, talk: Talk) -> None:
        if talk.session != self._name:
            self._anew(talk.session)
        self._outbox.acked(max(talk.got, 0))
        for each in self._outbox:
            self._send(each)
        self._is_resumed = True
        self._listen()

    def _anew(self, name: str) -> None:
        """Kill the engines, and begin a new conversation with the seat, because the game is played again.

        Args:
            name: Name of the new session; "" if it is not known yet.
        """
        self.end()
        self._name, self._outbox, self._inbox = name, Outbox(), Inbox()
        self._is_resumed = False

    def _obey(self, talk: Talk) -> None:
        engine = self._running.get(talk.c)
        if talk.open is not None:
            self._open(talk.c, talk.open)
        elif engine is not None and talk.text:
            engine.write(talk.text.encode(ENCODING))
        elif engine is not None and talk.close == "quit":
            engine.close_input()
        elif engine is not None and talk.close:
            del self._running[talk.c]
            if talk.close == "keep":
                self._engines.park(engine)
            else:
                engine.kill()

    def _open(self, number: int, opening: Opening) -> None:
        try:
            engine = self._engines.start(opening)
        except (GyojiError, OSError) as error:
            self._tell(f"the engine cannot be started: {error}")
            self._put(Talk(c=number, end="it cannot be started at its owner's"))
            return
        self._running[number] = engine
        engine.heard = lambda data: self._heard(number, engine, data)
        engine.listen(wanted=not self._outbox.is_full)

    def _heard(self, number: int, engine: LocalEngine, data: bytes) -> None:
        if data:
            self._put(Talk(c=number, text=data.decode(ENCODING)))
            self._listen()
        else:
            asyncio.get_running_loop().call_later(_REAPING, self._ended, number, engine)

    def _ended(self, number: int, engine: LocalEngine) -> None:
        if self._running.get(number) is engine:
            status = engine.status()
            end = f"exited ({status})" if status else "closed its output"
            if not engine.is_dismissed and status != "exit 0":  # an engine may quit with status 0
                self._tell(f"the engine {end}")
            del self._running[number]
            engine.kill()
            self._put(Talk(c=number, end=end))

    def _put(self, talk: Talk) -> None:
        numbered = self._outbox.put(talk)
        if self._is_resumed:
            self._send(numbered)

    def _listen(self) -> None:
        for engine in self._running.values():
            engine.listen(wanted=not self._outbox.is_full)

    def end(self) -> None:
        """End all engines of this game."""
        for engine in self._running.values():
            engine.kill()
        self._running.clear()

    def give_up(self, why: str) -> bool:
        """End the engines, and tell the event why they have ended. Return whether there were any."""
        numbers = list(self._running)
        for number in numbers:
            self._put(Talk(c=number, end=why))
        self.end()
        return bool(numbers)
