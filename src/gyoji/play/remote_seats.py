"""The seats of remote players in a worker. Their engines run on the owners' computers, which connect to the
event.
"""

# Theory of operation
#
# A remote engine has a channel like any other engine, and the codec, the deadlines and the referee do not
# differ. Only the way of the bytes is longer (the front is the web server, `gyoji serve`):
#
#     worker:  Referee <-> codec <-> Link <-> socket pair <-> session
#     out:     session -- RemoteNews --> scheduler -> front (web server) -> `gyoji join` -> engine
#     in:      session <- RemoteWords -- scheduler <- front (web server) <- `gyoji join` <- engine
#
# `RemoteSeats` is the engine starter of the executor "remote". A player has one session per game
# (`gyoji.play.remote_session`), with one channel for each of its seats.

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec

from gyoji.core.spec import Player
from gyoji.core.text import printable
from gyoji.core.wire import Value
from gyoji.play.loop import Loop
from gyoji.play.remote_session import RemoteChannel, RemoteSession
from gyoji.play.remote_talk import Talk, encode, read_talk


class RemoteNews(Value, frozen=True, kw_only=True, tag="remote"):
    """Messages from the seats of a remote player to the owner's computer (`gyoji.play.remote_talk`)."""

    game: str
    player: str
    talk: tuple[msgspec.Raw, ...]


class RemoteWords(Value, frozen=True, kw_only=True, tag="remote"):
    """A message from the computer of a remote player's owner to the player's seats in a game."""

    game: str
    player: str
    talk: msgspec.Raw


class RemoteSeats:
    """The engine starter of a worker's remote players.

    Messages for a player's owner are passed to `tell`.
    """

    def __init__(self, loop: Loop, tell: Callable[[RemoteNews], object]) -> None:
        self._loop, self._tell = loop, tell
        self._game = ""
        self._sessions: dict[str, RemoteSession] = {}  # by player

    pids: frozenset[int] = frozenset()

    def prepare(self, game: str) -> None:
        """Prepare for the next game, given its id."""
        self.end()
        self._game = game

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> RemoteChannel:
        """Create the channel of a remote player's seat. Implements `EngineStarter.start`."""
        session = self._sessions.get(player.code)
        if session is None:
            session = self._sessions[player.code] = RemoteSession(
                self._loop, partial(self._send, player.code)
            )
            session.call()
        return session.start(player, environ)

    def hear(self, words: RemoteWords) -> None:
        """Handle a message from an owner's computer."""
        session = self._sessions.get(words.player)
        if session is None or words.game != self._game:
            return
        try:
            talk = read_talk(words.talk)
        except ValueError as error:
            session.finish(f"its owner's computer makes no sense: {printable(str(error), 80)}")
            return
        session.hear(talk)

    def _send(self, player: str, talk: Sequence[Talk]) -> None:
        self._tell(
            RemoteNews(
                game=self._game, player=player, talk=tuple([msgspec.Raw(encode(each)) for each in talk])
            )
        )

    def end(self) -> None:
        """End the sessions of the game that is over."""
        for session in self._sessions.values():
            session.retire()
        self._sessions.clear()

    def close(self) -> None:
        self.end()
