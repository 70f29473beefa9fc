"""The secret links of human players. Whoever has a player's link can play as that player."""

# A link is an HMAC of the player's name under the competition's secret. So it is the same after a restart of
# the server, nothing of it has to be stored, and nobody can guess it. Only the number of revoked links of
# each player is stored, in a file beside the control file: that number goes into the HMAC.
#
# The link is in the fragment of an address, which browsers do not send: it is in no log and no Referer.
# Scripts send it in a header. A browser cannot send a header for an event stream, whose address is sent: so a
# seat gets a ticket for that address, with which one can only listen, and only until the server ends.

import hmac
import secrets
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request

from gyoji.core.spec import people_of
from gyoji.scheduler.player_links import player_links
from gyoji.web.hub import Hub
from gyoji.web.live import LiveGame
from gyoji.web.watched import WatchedCompetition

MOST_TEXT = 4000
"""Longest answer of a person, in characters. It has room for the points of all stones of a large board."""


class Seat(NamedTuple):
    """A human player of one competition. The holder of a valid secret link may act as this player.

    Attributes:
        watched: The competition.
        player: The player's name.
    """

    watched: WatchedCompetition
    player: str

    @property
    def topic(self) -> str:
        """The topic of the events that this player gets about the player's games."""
        return f"{self.watched.name}/seat {self.player}"

    @property
    def others(self) -> list[str]:
        """The other players of the competition."""
        return (
            [each for each in self.watched.event.setup.players if each != self.player]
            if self.watched.event
            else []
        )

    @property
    def playing(self) -> LiveGame | None:
        """The game that the player plays now; None between games."""
        playing = self.watched.playing.values()
        return next((game for game in playing if self.player in people_of(game.spec.players)), None)


class SeatLinks:
    """The links of all human players of a server."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._key = secrets.token_bytes(32)
        self._tickets: dict[str, tuple[Seat, str]] = {}  # by ticket: the seat, and its link

    def links(self, watched: WatchedCompetition) -> dict[str, str]:
        """Return each human player's link, as "competition/secret" without the server's address.

        Return {} while there is no store, because the store has the competition's secret.

        Raises:
            ConfigError: The file of revoked links cannot be read.
        """
        if watched.event is None or not watched.secret:
            return {}
        return player_links(watched.event, watched.name, watched.secret, kind="seat")

    async def of(self, request: Request) -> Seat:
        """Return the player whose link is in the header of a request.

        Wait until the competition has been read. A server that has just been started knows no links yet, and
        would refuse a person whose page has waited for it.

        Raises:
            HTTPException: There is no valid link (403).
        """
        kind, _, told = request.headers.get("authorization", "").partition(" ")
        name, _, _ = told.rpartition("/")
        watched = self._hub.competitions.get(name)
        if kind == "Seat" and watched is not None:
            await self._hub.until_read(watched)
            for player, link in self.links(watched).items():
                if hmac.compare_digest(link.encode(), told.encode()):
                    return Seat(watched, player)
        raise HTTPException(403, "this link is not good, or its competition has not begun")

    async def is_seated(self, request: Request, watched: WatchedCompetition) -> bool:
        """Return whether a request's header has a valid link of any player of this competition."""
        try:
            return (await self.of(request)).watched is watched
        except HTTPException:
            return False

    def ticket(self, seat: Seat) -> str:
        """Return a player's ticket: a second secret, for the address of an event stream.

        Its holder can only listen. It stays the same while the player's link is valid.
        """
        link = self.links(seat.watched)[seat.player]
        ticket = hmac.new(self._key, link.encode(), "sha256").hexdigest()
        self._tickets[ticket] = seat, link
        return ticket

    def listened(self, ticket: str) -> Seat | None:
        """Return the player with this ticket; None if there is none or the player's link was revoked.

        Raises:
            ConfigError: The file of revoked links cannot be read.
        """
        seat, link = self._tickets.get(ticket, (None, ""))
        return seat if seat and self.links(seat.watched).get(seat.player) == link else None

    def standing(self, seat: Seat) -> Mapping[str, Any]:
        """Return the state of a competition for one of its human players, as a JSON-ready object."""
        watched = seat.watched
        awaited, until = watched.awaited.get(seat.player, ("", None))
        playing = seat.playing
        return {
            "competition": watched.name,
            "title": playing.title if playing else watched.title if watched.begun else "",
            "player": seat.player,
            "game": playing.spec.id if playing else "",
            "began": playing.started if playing else "",
            "running": watched.run is not None,
            "failure": watched.failure,
            "ready": seat.player in watched.ready,
            "awaited": awaited,
            "seconds": None if until is None else round(max(until - time.monotonic(), 0), 1),
            "remaining": watched.summary()["remaining"],
        }
