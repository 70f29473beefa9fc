"""The players that connect by CGOS: their logins, and the events of runs that are passed on to them."""

import asyncio
import hmac
import socket
from collections.abc import Callable, Collection, Mapping
from typing import Any

from gyoji.core import wire
from gyoji.core.outcome import Outcome
from gyoji.core.spec import GameSpec
from gyoji.play.remote_talk import Talk
from gyoji.protocols.cgos import NAME
from gyoji.protocols.cgos.session import plain
from gyoji.web.cgos_player import SETUP_SECONDS, CgosPlayer
from gyoji.web.cgos_server import CgosClient, CgosServer
from gyoji.web.hub import Hub
from gyoji.web.watched import Connector, WatchedCompetition

KEEP_ALIVE_SECONDS = 60.0
"""Seconds between two lines to a client that waits, as on CGOS' own server."""


class CgosFront(Connector):
    """All players of a server that connect by CGOS.

    It implements `Desk` for the clients of `CgosServer`, and `Connector` for the events of runs.
    """

    def __init__(
        self,
        hub: Hub,
        links: Callable[[WatchedCompetition], Mapping[str, str]],
        tell: Callable[[str], object],
        *,
        setup_seconds: float = SETUP_SECONDS,
    ) -> None:
        """Begin without any client.

        Args:
            links: Returns the link of each remote player by name. A link ends with the player's secret, which
                is the password for CGOS.
            tell: Called with a line for the organiser about each player, which has the player's password.
        """
        self._hub, self._links, self._tell = hub, links, tell
        self._setup_seconds = setup_seconds
        self._server = CgosServer(self)
        self._told = set[str]()
        self._players: dict[tuple[str, str], CgosPlayer] = {}
        self._clients: dict[CgosClient, tuple[CgosPlayer, str]] = {}  # and the link it has logged in by

    async def begin(self, listener: socket.socket) -> None:
        """Accept clients at an open listening socket."""
        await self._server.begin(listener)
        self._keep_alive()

    def close(self) -> None:
        """End all connections."""
        self._server.close()

    def connected(self, watched: WatchedCompetition) -> Collection[str]:
        """Return the players of a competition whose clients are connected."""
        return {
            player.name
            for (competition, _), player in self._players.items()
            if competition == watched.name and player.client is not None
        }

    def opened(self, watched: WatchedCompetition) -> None:
        """Tell the organiser the passwords of a competition's players who connect by CGOS, each once."""
        for player, link in self._links(watched).items():
            if link not in self._told and is_of_cgos(watched, player):
                self._told.add(link)
                secret = link.rpartition("/")[2]
                self._tell(f"{player} plays in {watched.name} by CGOS: user name {player}, password {secret}")

    # The desk

    def admit(self, client: CgosClient, player: str, secret: str) -> str:
        """Log a client in as the player with this name and secret, in any competition (see `Desk.admit`)."""
        known = False
        for watched in self._hub.competitions.values():
            link = self._links(watched).get(player) if is_of_cgos(watched, player) else None
            known = known or link is not None
            if link and hmac.compare_digest(link.rpartition("/")[2].encode(), secret.encode()):
                client.admitted(player)
                seat = self._player(watched, player)
                self._clients[client] = seat, link
                seat.connected(client)
                return ""
        return "Sorry, password doesn't match" if known else f"there is no player {plain(player)}".rstrip()

    def heard(self, client: CgosClient, line: str) -> bool:
        """Pass a line of a client to its player (`Desk.heard`). Return False if no line was expected."""
        return self._clients[client][0].heard(line)

    def gone(self, client: CgosClient) -> None:
        """Forget a client whose connection has ended (`Desk.gone`).

        Its player is away now, unless another client has logged in as the player since.
        """
        player, _ = self._clients.pop(client)
        if player.client is client:
            player.left()

    def _keep_alive(self) -> None:
        """Send a line to every client that waits for a game, now and every KEEP_ALIVE_SECONDS."""
        for player, _ in self._clients.values():
            player.keep_alive()
        asyncio.get_running_loop().call_later(KEEP_ALIVE_SECONDS, self._keep_alive)

    def _player(self, watched: WatchedCompetition, name: str) -> CgosPlayer:
        key = watched.name, name
        if key not in self._players:
            self._players[key] = CgosPlayer(watched, name, self._setup_seconds)
        return self._players[key]

    # Competitions (`Connector`)

    def on_links(self, watched: WatchedCompetition) -> None:
        """Disconnect the clients whose passwords were taken back. Tell the organiser the new passwords."""
        links = self._links(watched)
        for client, (player, link) in list(self._clients.items()):
            if player.watched is watched and links.get(player.name) != link:
                client.refuse("the organiser has taken this password back: ask for the new one")
        self.opened(watched)

    def on_run(self, watched: WatchedCompetition) -> None:
        """Tell players which games are played, when the connection to a run begins or ends.

        Without a connection no game counts as being played. When the connection comes back, a game that is
        still in progress begins anew for its players.
        """
        for player in self._of(watched):
            player.run_changed(watched.playing if watched.run is not None else ())

    def on_started(self, watched: WatchedCompetition, spec: GameSpec) -> None:
        """Tell the CGOS players of a game that the game has begun, or is being played already."""
        for each in spec.players:
            if each.protocol == NAME:
                self._player(watched, each.code).begins(spec)

    def on_ended(
        self,
        watched: WatchedCompetition,
        game: str,
        players: tuple[str, ...],
        result: Mapping[str, Any] | None,
        reason: str = "",
    ) -> None:
        """Tell the CGOS players of a game that the game has ended."""
        outcome = wire.decode(Outcome, result["outcome"]) if result else None
        for player in self._of(watched):
            if player.is_in(game):
                player.ends(outcome)

    def on_talk(self, watched: WatchedCompetition, news: Mapping[str, Any]) -> None:
        """Pass messages of a seat to the seat's player, if the player is in the game."""
        player = self._players.get((watched.name, news["player"]))
        if player is not None and player.is_in(news["game"]):
            player.take(wire.decode(tuple[Talk, ...], news["talk"]))

    def _of(self, watched: WatchedCompetition) -> list[CgosPlayer]:
        return [player for (name, _), player in self._players.items() if name == watched.name]


def is_of_cgos(watched: WatchedCompetition, name: str) -> bool:
    """Return whether a player of a competition connects by CGOS."""
    player = None if watched.event is None else watched.event.setup.players.get(name)
    return player is not None and player.protocol == NAME
