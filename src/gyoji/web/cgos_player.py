"""A player that connects by CGOS: the messages between the player's client and its seat in a run."""

# Theory of operation
#
# A `CgosPlayer` stands for one player of one competition, whether its client is connected or not. Its seat in
# a worker (`gyoji.play.remote_seats`) talks to us through the run's control socket, the client in CGOS:
#
#     seat    {"n": 3, "text": "play w E5 58000\ngenmove b 59000\n"}  -> GameTalk -> client
#     client  c3                                                      -> {"n": 2, "text": "c3\n"} -> seat
#
# To the run we are the owner's end of a session. The seat keeps the codec's log, which is never acknowledged
# here: whatever happens to us, a new server gets all of it again, and tells the client its game so far. What
# a client says is kept here until the seat has acknowledged it.
#
# A player is ready for a game when its client is connected, and has said "ready" after its last game:
#
#              login               started               finished
#     away ----------> waiting ---------------> playing ----------> over
#                         ^                                           |  "ready", or a new login
#                         '-------------------------------------------'
#
# The end of a connection makes a waiting player away, and changes nothing for one that plays: its clock runs,
# and it may come back. A game that begins gives the client SETUP_SECONDS to set up its board before the clock
# runs, as CGOS' own server does.
#
# Round trips. The seat measures how long its nonces take. It wants to know the network's share, so a nonce
# goes back after the time that the kernel measured as the client's round trip (tcpi_rtt). Nothing that a
# client sends can make that longer.

import asyncio
import zlib
from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from gyoji.core.outcome import Outcome
from gyoji.core.spec import GameSpec
from gyoji.play.remote_talk import ENCODING, MOST_TEXT, Hello, Inbox, Outbox, Talk
from gyoji.protocols.cgos.codec import READY
from gyoji.protocols.cgos.session import GameTalk, game_over, plain
from gyoji.web.cgos_server import CgosClient
from gyoji.web.watched import WatchedCompetition

SETUP_SECONDS = 3.0
"""Seconds between `setup` and the first `genmove`, as on CGOS' own server."""

_HELLO = Hello(session="*")
"""The greeting of a seat: it continues any session of the seat, and asks for all messages again."""


class CgosPlayer:
    """A player that connects by CGOS, in one competition.

    Attributes:
        watched: The competition.
        client: The connection of the player's client; None while there is none.
    """

    def __init__(self, watched: WatchedCompetition, name: str, setup_seconds: float) -> None:
        self.watched, self.name = watched, name
        self._setup_seconds = setup_seconds
        self.client: CgosClient | None = None
        self._is_over = False  # a game has ended, and the client has not said "ready" since
        self._game: _Game | None = None

    # The client

    def connected(self, client: CgosClient) -> None:
        """Use a new connection of the player, and close the earlier one.

        If a game is in progress, the client is told the game from its start. Otherwise it is told to wait for
        a game.
        """
        if self.client is not None:
            self.client.send("info another login is being attempted using this user name")
            self.client.close()
        self.client, self._is_over = client, False
        if self._game is None:
            client.send(f"info {plain(self.watched.name)}: you are {self.name}; wait for your game")
            self._say("ready")
        elif not self._game.has_session:
            self._hello()
        else:
            self._tell(*self._game.talk.again(self._now))
            self._prepare()

    def left(self) -> None:
        """Handle the end of the connection. Between games, tell the run that the player is away."""
        self.client = None
        if self._game is None:
            self._say("away")

    def heard(self, line: str) -> bool:
        """Handle a line of the client: an answer to the game's question, or "ready" after a game.

        Return False for any other line, which is ignored.
        """
        game = self._game
        if game is not None and game.talk.is_asked and line.strip():
            game.talk.answer(line, self._now)
            self._send(game.put(line.strip()))
            return True
        if self._is_over and line.strip() == READY:
            self._is_over = False
            self._say("ready")
            return True
        return False

    def keep_alive(self) -> None:
        """Send a line to a client that waits for a game, so that no router drops the idle connection."""
        if self.client is not None and self._game is None:
            self.client.send("info wait for your game")

    def _tell(self, *lines: str) -> None:
        if self.client is not None:
            self.client.send(*lines)

    # The run

    def begins(self, spec: GameSpec) -> None:
        """Begin a game of this player, which the run plays now. Do nothing if the player is in it already."""
        if self._game is not None and self._game.id == spec.id:
            return
        self._game = _Game(spec, self.name)
        if self.client is not None:
            self._say("away")
            self._tell(f"info game {plain(spec.id)} of {plain(self.watched.name)}")

    def run_changed(self, playing: Collection[str]) -> None:
        """Handle the beginning or end of the connection to the run.

        Args:
            playing: Ids of the games that are played now. The player's game is over if it is not among them.
        """
        if self._game is not None and self._game.id not in playing:
            self.ends(None)
        elif self._game is not None and not self._game.has_session:
            self._hello()
        elif self._game is None and self.client is not None and not self._is_over:
            self._say("ready")

    def is_in(self, game_id: str) -> bool:
        """Return whether the player is in this game."""
        return self._game is not None and self._game.id == game_id

    def ends(self, outcome: Outcome | None) -> None:
        """End the player's game, and tell the client so.

        Args:
            outcome: The outcome of the game; None if it has no result.
        """
        game, self._game = self._game, None
        if game is None:
            return
        game.close()
        if self.client is None:
            return
        if game.is_told:
            self._is_over = True
            self._tell(game_over(outcome, datetime.now(UTC).strftime("%Y-%m-%d")))
        else:
            self._say("ready")

    def take(self, messages: Sequence[Talk]) -> None:
        """Handle messages of the player's seat in the game in progress."""
        for message in messages:
            if self._game is not None:
                self._take(self._game, message)

    def _take(self, game: "_Game", message: Talk) -> None:
        if message.call:
            self._called(game)
            return
        if message.p:
            delay = self.client.round_trip() if self.client is not None else 0.0
            asyncio.get_running_loop().call_later(delay, self._send, Talk(p=message.p))
        if message.session:
            game.begin_session(message.got)
            for each in game.outbox:
                self._send(each)
        if not game.has_session:  # meant for a server before this one: all of it comes again
            return
        if message.ack >= 0:
            game.outbox.acked(message.ack)
        if message.n and game.inbox.take(message.n):
            game.channel = message.c
            for line in game.lines(message.text):
                self._tell(*game.talk.take(line, self._now))
            self._prepare()

    def _prepare(self) -> None:
        """Tell the seat "ready" at the end of the setup time, which begins when the client knows how the game
        begins.

        The clock runs only after "ready". This happens once in a game.
        """
        game = self._game
        if game is not None and game.talk.has_begun and self.client is not None:
            game.is_told = True
            if not game.is_prepared:
                game.is_prepared = True
                loop = asyncio.get_running_loop()
                game.timer = loop.call_later(self._setup_seconds, self._prepared, game)

    def _prepared(self, game: "_Game") -> None:
        if game is self._game:
            self._send(game.put(READY))

    def _called(self, game: "_Game") -> None:
        """Greet the seat that a worker has opened for the game.

        If the game had a seat before, it is being played again. It then begins anew for the client, too.
        """
        if game.has_session:
            game.close()
            self._game = _Game(game.spec, self.name)
        self._hello()

    def _hello(self) -> None:
        if self.client is not None:
            self._send(Talk(hello=_HELLO))

    def _send(self, message: Talk) -> None:
        if self._game is not None:
            self.watched.command(do="remote", player=self.name, game=self._game.id, talk=message)

    def _say(self, what: str) -> None:
        self.watched.command(do=what, player=self.name, remote=True)

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()


class _Game:
    """A game of one player, and the server's end of the session with the player's seat.

    Attributes:
        has_session: Whether the seat has answered the greeting.
        channel: Number of the seat's channel (`Talk.c`), which messages to the seat repeat.
        is_told: Whether the client has been told how the game begins.
        is_prepared: Whether the client has been given time to set up its board.
    """

    def __init__(self, spec: GameSpec, player: str) -> None:
        black, white = (each.code for each in spec.players)
        self.spec, self.id = spec, spec.id
        self.talk = GameTalk(zlib.crc32(spec.id.encode()), black, white, "b" if player == black else "w")
        self.has_session, self.channel = False, 0
        self.inbox, self.outbox = Inbox(), Outbox()
        self.is_told = self.is_prepared = False
        self.timer: asyncio.TimerHandle | None = None
        self._rest = ""

    def begin_session(self, got: int) -> None:
        """Handle the seat's answer to the greeting.

        Args:
            got: Number of messages that the seat has had. If this server has just been started, an earlier
                server sent them: "ready", and then answers to questions.
        """
        if not self.has_session and got:
            self.is_prepared = True
            self.talk.answered_before(got - 1)
            self.outbox = Outbox(got)
        self.outbox.acked(got)
        self.has_session = True

    def put(self, line: str) -> Talk:
        """Return the message with a line for the seat. A line that is too long is cut to its first word."""
        text = f"{line}\n".encode().decode(ENCODING)
        if len(text) > MOST_TEXT:
            text = text.partition(" ")[0][: MOST_TEXT - 1] + "\n"
        return self.outbox.put(Talk(c=self.channel, text=text))

    def lines(self, text: str) -> list[str]:
        """Return the codec's lines that `text` completes. The beginning of a further line is kept."""
        *lines, self._rest = (self._rest + text).split("\n")
        return lines

    def close(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
