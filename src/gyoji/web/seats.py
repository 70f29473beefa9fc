"""Persons at their seats: who holds the link of a player sits where that player sits.

A link is a secret, made from that of the competition, so it is the same whenever the server is started, and
nobody can guess it. It stands in the fragment of an address, which browsers do not send; scripts send it in a
header. Whoever may listen to a seat gets a ticket for that, which is good for this process alone.
"""

import hmac
import json
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.spec import persons_of
from gyoji.web.following import Followed
from gyoji.web.hub import Hub
from gyoji.web.live import LiveGame

MOST_TEXT = 4000
"""Characters of an answer, at most: the points of all stones of a large board."""


class Seat(NamedTuple):
    """A person's place in a competition."""

    followed: Followed
    player: str

    @property
    def topic(self) -> str:
        """The topic of what is said to the person."""
        return f"{self.followed.name}/seat {self.player}"

    @property
    def playing(self) -> LiveGame | None:
        """The game that the person plays now."""
        playing = self.followed.playing.values()
        return next((game for game in playing if self.player in persons_of(game.spec.players)), None)


def seat_secret(secret: int, player: str, taken_back: int = 0) -> str:
    """The secret of a player's seat in a competition with this secret, after so many have been taken back."""
    seat = f"seat {player} {taken_back}" if taken_back else f"seat {player}"
    return hmac.new(str(secret).encode(), seat.encode(), "sha256").hexdigest()[:40]


def _taken_back(path: Path) -> dict[str, int]:
    """How often the link of each player has been taken back. Raises ConfigError."""
    try:
        return wire.loads(dict[str, int], path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}; put it right, or delete it") from None


class Seats:
    """The seats of all competitions of a server."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._key = secrets.token_bytes(32)
        self._tickets: dict[str, tuple[Seat, str]] = {}  # the seat, and the link that leads there

    def links(self, followed: Followed) -> dict[str, str]:
        """The fragment of each person's link, by player; none before the competition has a secret.

        Raises ConfigError where nobody knows which have been taken back.
        """
        event = followed.event
        if event is None or not followed.secret:
            return {}
        people = persons_of(event.setup.players.values())
        taken_back = _taken_back(event.files.seats) if people else {}
        secrets_of = {code: seat_secret(followed.secret, code, taken_back.get(code, 0)) for code in people}
        return {code: f"{followed.name}/{secret}" for code, secret in secrets_of.items()}

    def take_back(self, seat: Seat) -> None:
        """Have the link of a seat lead nowhere, and another one there. Raises OSError."""
        assert seat.followed.event is not None
        path = seat.followed.event.files.seats
        taken_back = _taken_back(path)
        new = path.with_name(f".{path.name}.new")
        new.write_text(json.dumps({**taken_back, seat.player: taken_back.get(seat.player, 0) + 1}))
        new.replace(path)

    def of(self, request: Request) -> Seat:
        """The seat whose secret the request brings. Raises HTTPException."""
        kind, _, told = request.headers.get("authorization", "").partition(" ")
        name, _, _ = told.rpartition("/")
        followed = self._hub.competitions.get(name)
        if kind == "Seat" and followed is not None:
            for player, link in self._known(followed).items():
                if hmac.compare_digest(link.encode(), told.encode()):
                    return Seat(followed, player)
        raise HTTPException(403, "this link is not good, or its competition has not begun")

    def is_seated(self, request: Request, followed: Followed) -> bool:
        """Whether a request has the secret of a seat in a competition."""
        try:
            return self.of(request).followed is followed
        except HTTPException:
            return False

    def _known(self, followed: Followed) -> Mapping[str, str]:
        try:
            return self.links(followed)
        except ConfigError as error:
            raise HTTPException(503, str(error)) from None

    def ticket(self, seat: Seat) -> str:
        """The ticket to listen to the seat: the same while this process lives and its link is good."""
        link = self._known(seat.followed)[seat.player]
        ticket = hmac.new(self._key, link.encode(), "sha256").hexdigest()
        self._tickets[ticket] = seat, link
        return ticket

    def listened(self, ticket: str) -> Seat | None:
        """The seat of a ticket, None if its link has been taken back."""
        seat, link = self._tickets.get(ticket, (None, ""))
        return seat if seat and self._known(seat.followed).get(seat.player) == link else None

    def standing(self, seat: Seat) -> Mapping[str, Any]:
        """How things stand for the person, JSON-ready."""
        followed = seat.followed
        awaited, until = followed.awaited.get(seat.player, ("", None))
        playing = seat.playing
        return {
            "competition": followed.name,
            "player": seat.player,
            "game": playing.spec.id if playing else "",
            "began": playing.started if playing else "",
            "running": followed.run is not None,
            "failure": followed.failure,
            "ready": seat.player in followed.ready,
            "awaited": awaited,
            "seconds": None if until is None else round(max(until - time.monotonic(), 0), 1),
            "remaining": followed.summary()["remaining"],
        }
