"""The connections of remote players, whose engines run on their owners' computers."""

# Theory of operation
#
# `gyoji join` opens one WebSocket for a player. This server checks the player's link, and forwards the
# messages between seat and owner (`gyoji.play.remote_talk`) without storing them. After a loss of the
# connection, or a restart of this server, both ends tell how much they have received, and send the rest.
#
#     owner -> {"game": ID, "talk": {...}}      for the seat in that game
#     owner -> {"ready": true}                  the engine works: games may begin; false: no new ones
#     here  -> {"echo": N}                      on a connection without an instance: returned at once
#     here  -> {"trips": [NS, ...]}             how long that took each time
#     here  -> {"game": ID, "talk": [...]}      of the seat
#     here  -> {"playing": [ID, ...]}           all games in progress: the owner says hello in each
#     here  -> {"running": bool}, {"started": ..., "players": [...]}, {"finished": ..., "text": ...}
#
# One link, one connection. Each process of `gyoji join` has a number (`instance`). A second connection
# of the same process replaces the first, which has been cut. One of another process is refused while the
# first is there: else an owner who starts a second one by mistake would lose the game in progress. That the
# other end of a connection has gone is noticed by the server's pings (`listening.PING_SECONDS`).
#
# The run is told of a player who is there (`ready`), and of one who has gone (`away`): games of who is not
# there wait, and others begin. If this server ends, the run takes all of its players for gone.
#
# A link that is taken back ends its connection at once: whoever holds it is told why, and nothing that comes
# from it is heard any more. A game in progress goes on with its clock, as after any loss of a connection.

import hmac
import logging
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from gyoji.core import wire
from gyoji.core.describe import describe_result
from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec
from gyoji.play.remote_talk import MOST_MESSAGE, REPLACED, REVOKED, TAKEN, UNREAD, Talk, encode
from gyoji.scheduler.player_links import player_links
from gyoji.web import pages
from gyoji.web.cgos_front import is_of_cgos
from gyoji.web.hub import Hub
from gyoji.web.owner_connection import OwnerConnection
from gyoji.web.request_helpers import json_answer
from gyoji.web.watched import Connector, WatchedCompetition

_LOG = logging.getLogger(__name__)


class _Key(NamedTuple):
    competition: str
    player: str


class RemotePlayers(Connector):
    """The connections of the owners of all remote players. It implements `Connector` for all competitions."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._owners: dict[_Key, OwnerConnection] = {}

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/join", self.page),
            Route("/api/v1/remote", self.told),
            WebSocketRoute("/api/v1/remote/connect", self.connect),
        ]

    async def page(self, _: Request) -> Response:
        """Return the page that a browser shows for the link of a remote player."""
        return HTMLResponse(pages.render("join.html", last=self._hub.broadcast.last))

    def links(self, watched: WatchedCompetition) -> dict[str, str]:
        """Return the link of each remote player, as "competition/secret". Return {} while there is no store.

        Raises:
            ConfigError: The file of revoked links cannot be read.
        """
        if watched.event is None or not watched.secret:
            return {}
        return player_links(watched.event, watched.name, watched.secret, kind="remote")

    def connected(self, watched: WatchedCompetition) -> Collection[str]:
        """Return the remote players of a competition whose owners are connected."""
        return {key.player for key in self._owners if key.competition == watched.name}

    def _find(self, authorization: str) -> tuple[WatchedCompetition, str] | None:
        """Return (competition, player) of the link in the header Authorization; None if the link is
        invalid.
        """
        watched, told = self._named(authorization)
        if watched is None:
            return None
        found = None
        for player, link in self.links(watched).items():
            if hmac.compare_digest(link.encode(), told.encode()):
                found = watched, player
        return found

    def _named(self, authorization: str) -> tuple[WatchedCompetition | None, str]:
        """Read the header Authorization of a remote player: return (competition, link).

        The competition is None if the header has no link, or the link names no competition of this server.
        """
        kind, _, link = authorization.partition(" ")
        return (self._hub.competitions.get(link.rpartition("/")[0]) if kind == "Remote" else None), link

    def _is_unread(self, authorization: str) -> bool:
        """Return whether a link is of a competition that the server has not read yet."""
        watched, _ = self._named(authorization)
        return watched is not None and not self._hub.was_read(watched)

    async def told(self, request: Request) -> Response:
        """Answer an owner's request with the competition, the player, and a game to check the engine with, as
        JSON.
        """
        found = self._find(request.headers.get("authorization", ""))
        if found is None and self._is_unread(request.headers.get("authorization", "")):
            return Response("the competition is being read: try again", 503)
        if found is None or found[0].event is None:
            return Response("this link is not good, or its competition is not served here", 403)
        watched, player = found
        if is_of_cgos(watched, player):
            why = "its password is what follows the last / of this link. `gyoji join` is for other protocols"
            return Response(f"{player} connects by a client of CGOS, as user {player}: {why}", 409)
        return json_answer(
            {
                "competition": watched.name,
                "title": watched.title,
                "player": player,
                "running": watched.run is not None,
                "spec": _trial(watched, player),
            }
        )

    async def connect(self, websocket: WebSocket) -> None:
        """Serve one connection of an owner until it ends."""
        authorization = websocket.headers.get("authorization", "")
        found, trouble = None, "the competition is being read" if self._is_unread(authorization) else ""
        try:
            found = self._find(authorization)
        except ConfigError as error:
            trouble = "the links of the competition cannot be read"
            _LOG.warning("%s", error)
        if found is None and trouble:
            await websocket.accept()
            await websocket.close(UNREAD, trouble)
            return
        if found is None or is_of_cgos(*found):
            await websocket.close()  # before it is accepted: status 403
            return
        watched, player = found
        key = _Key(watched.name, player)
        link = authorization.partition(" ")[2]
        owner = OwnerConnection(websocket, websocket.headers.get("x-gyoji-instance", ""), link)
        await websocket.accept()
        if not owner.instance:
            await owner.measure()
            return
        before = self._owners.get(key)
        if before is not None and before.instance != owner.instance:
            await websocket.close(TAKEN, "another `gyoji join` is connected with this link")
            return
        if before is not None:
            before.close(REPLACED, "replaced by a newer connection")
            self._tell_gone(watched, player)
            owner.is_ready = before.is_ready
        self._owners[key] = owner
        try:
            self._tell_state(watched, player, owner)
            self._note(watched, player)
            await owner.serve(lambda message: self._on_message(watched, player, owner, message))
        finally:
            self._forget(watched, player, owner)

    def _forget(self, watched: WatchedCompetition, player: str, owner: OwnerConnection) -> None:
        """Forget a connection that has ended, unless another one took its place before."""
        key = _Key(watched.name, player)
        if self._owners.get(key) is owner:
            del self._owners[key]
            if owner.is_ready:
                watched.command(do="away", player=player, remote=True)
            self._tell_gone(watched, player)
            self._note(watched, player)

    def on_links(self, watched: WatchedCompetition) -> None:
        """End the connections with links that are not valid any more, because the organiser revoked them.

        A link is the secret with which the owner of one remote player connects. This method is called by
        `WatchedCompetition.links_changed` when links may have been revoked.

        Raises:
            ConfigError: The file of revoked links cannot be read.
        """
        links = self.links(watched)
        for player, owner in self._of(watched):
            if links.get(player, "") != owner.link:
                owner.close(REVOKED, "the organiser has taken this link back: ask for the new one")
                self._forget(watched, player, owner)

    def _on_message(
        self, watched: WatchedCompetition, player: str, owner: OwnerConnection, message: Mapping[str, Any]
    ) -> None:
        if self._owners.get(_Key(watched.name, player)) is not owner:
            return  # it was replaced, or its link taken back
        if "talk" in message:
            talk, game = wire.decode(Talk, message["talk"]), str(message["game"])
            if talk.gone or len(encode(talk)) > MOST_MESSAGE:
                raise ValueError("no message of an owner")
            if game in watched.playing and player in watched.playing[game].spec.codes:
                watched.command(do="remote", player=player, game=game, talk=talk)
        elif "ready" in message:
            was_ready, owner.is_ready = owner.is_ready, message["ready"] is True
            if was_ready != owner.is_ready:
                self._presence(watched, player, owner)

    def _tell_gone(self, watched: WatchedCompetition, player: str) -> None:
        """Tell the player's seats that the connection is lost."""
        for game in self._playing(watched, player):
            watched.command(do="remote", player=player, game=game, talk=Talk(gone=True))

    def _presence(self, watched: WatchedCompetition, player: str, owner: OwnerConnection) -> None:
        watched.command(do="ready" if owner.is_ready else "away", player=player, remote=True)
        self._note(watched, player)

    def _tell_state(self, watched: WatchedCompetition, player: str, owner: OwnerConnection) -> None:
        """Tell an owner whether there is a run and, if there is, which games are in progress."""
        owner.send(running=watched.run is not None)
        if watched.run is not None:  # without it there may be a run that this server does not know yet
            owner.send(playing=self._playing(watched, player))

    def _note(self, watched: WatchedCompetition, player: str) -> None:
        told = {"competition": watched.name, "player": player}
        self._hub.broadcast.record("owner", wire.dumps(told))

    @staticmethod
    def _playing(watched: WatchedCompetition, player: str) -> list[str]:
        return [game for game, live in watched.playing.items() if player in live.spec.codes]

    # What a run tells

    def _of(self, watched: WatchedCompetition) -> list[tuple[str, OwnerConnection]]:
        return [(key.player, owner) for key, owner in self._owners.items() if key.competition == watched.name]

    def on_run(self, watched: WatchedCompetition) -> None:
        """Tell the owners that the run has begun or ended, and tell the run which owners are ready."""
        for player, owner in self._of(watched):
            self._tell_state(watched, player, owner)
            if watched.run is not None and owner.is_ready:
                self._presence(watched, player, owner)

    def on_started(self, watched: WatchedCompetition, spec: GameSpec) -> None:
        """Tell the owners of a game's players that the game has begun."""
        for player, owner in self._of(watched):
            if player in spec.codes:
                owner.send(started=spec.id, players=spec.codes)

    def on_ended(
        self,
        watched: WatchedCompetition,
        game: str,
        players: tuple[str, ...],
        result: Mapping[str, Any] | None,
        reason: str = "",
    ) -> None:
        """Tell the owners of a game's players the result, or why there is none."""
        owners = [owner for player, owner in self._of(watched) if player in players]
        if owners:
            text = describe_result(wire.decode(GameResult, result)) if result else f"no result: {reason}"
            for owner in owners:
                owner.send(finished=game, text=text, counts=result is not None)

    def on_talk(self, watched: WatchedCompetition, news: Mapping[str, Any]) -> None:
        """Forward messages of a player's seats to its owner."""
        owner = self._owners.get(_Key(watched.name, news["player"]))
        if owner is not None:
            owner.send(game=news["game"], talk=news["talk"])


def _trial(watched: WatchedCompetition, player: str) -> Any:
    """Return a game with which the player's owner can check the engine, JSON-ready."""
    assert watched.event is not None
    for spec in watched.event.competition.checks():
        if spec.players[0].code == player:
            return wire.encode(spec)
    raise ConfigError(f"{player} plays no game in {watched.name}")
