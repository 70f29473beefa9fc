"""Chat beside a game, among its human players or its spectators, if the organiser allows it.

The routes are:

    /api/v1/seat/chat                               GET, POST: lines of the players
    /api/v1/competitions/NAME/games/ID/chat         GET, POST: lines of the spectators
"""

# Two rooms for each game, which never mix unless the organiser wants it:
#
#   players      the people who play the game. Lines go out on the topics of their seats, which need a secret
#   spectators   whoever watches. Lines go out on the topic "NAME/ID chat", which pages of seats do not read.
#                With "open", the seats of the game get these lines too
#
# No engine can read or write a line: contained engines have no network, and while an engine that may use the
# network plays anywhere on this server (`WatchedCompetition.is_overheard`), the spectators' room is closed.
# Lines are kept in memory, of the last MOST_ROOMS games, until the server ends. They are in no record.

import time
from collections import OrderedDict, deque
from collections.abc import Collection
from typing import Any, Literal, TypeAlias

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gyoji.core import wire
from gyoji.core.spec import GameSpec, people_of
from gyoji.core.text import printable
from gyoji.web.hub import Hub
from gyoji.web.request_helpers import body, json_answer, opened
from gyoji.web.seat_links import Seat, SeatLinks
from gyoji.web.watched import WatchedCompetition

Room: TypeAlias = Literal["players", "spectators", "open"]
ROOMS: tuple[Room, ...] = ("players", "spectators", "open")
"""The values of `gyoji serve --chat`. "open" is like "spectators", but players get the lines, too."""
CHAT = " chat"
"""Suffix of a game's topic for the lines of its spectators."""

MOST_TEXT, MOST_NAME = 300, 30
"""Longest line and longest name of a spectator, in characters."""
MOST_LINES, MOST_ROOMS = 100, 300
"""Number of lines that are kept of each room, and number of rooms whose lines are kept."""

PAUSE, BURST = 2.0, 5
"""A writer may send BURST lines at once, and one line every PAUSE seconds in the long run."""


class Chat:
    """The lines of all games of a server, and the request handlers for them."""

    def __init__(self, hub: Hub, seats: SeatLinks, allowed: Collection[str]) -> None:
        """Create the handlers, without lines yet.

        Args:
            allowed: The kinds of chat that the organiser allows: names of `ROOMS`.
        """
        self._hub, self._seat_links = hub, seats
        self._allowed = frozenset(allowed)
        self._lines: OrderedDict[tuple[str, str, str], deque[dict[str, Any]]] = OrderedDict()
        self._credit: OrderedDict[str, float] = (
            OrderedDict()
        )  # by writer: time from which it may send BURST lines

    def routes(self) -> list[Route]:
        game = "/api/v1/competitions/{name}/games/{id}/chat"
        return [
            Route("/api/v1/seat/chat", self.read_seat, methods=["GET"]),
            Route("/api/v1/seat/chat", self.write_seat, methods=["POST"]),
            Route(game, self.read_game, methods=["GET"]),
            Route(game, self.write_game, methods=["POST"]),
        ]

    @property
    def has_spectators(self) -> bool:
        """Whether the organiser allows spectators to write."""
        return bool(self._allowed & {"spectators", "open"})

    def is_open_to(self, watched: WatchedCompetition) -> bool:
        """Return whether spectators of a competition may write and read now: the organiser allows it, and no
        engine that plays now can reach this server.
        """
        return self.has_spectators and not watched.is_overheard()

    def takes(self, topic: str) -> bool:
        """Return False for a chat topic that spectators may not read now, True for all other topics."""
        if not topic.endswith(CHAT):
            return True
        watched = self._hub.competitions.get(topic.partition("/")[0])
        return watched is not None and self.is_open_to(watched)

    # The people of a game

    def room_of(self, seat: Seat) -> list[str]:
        """Return the human players of a person's game, the person included; [] if they may not chat or are
        alone.
        """
        playing = seat.playing
        people = people_of(playing.spec.players) if playing else []
        return people if "players" in self._allowed and len(people) > 1 else []

    async def read_seat(self, request: Request) -> Response:
        seat = await self._seat_links.of(request)
        game = seat.playing.spec.id if seat.playing else ""
        lines = self._kept(seat.watched, game, "players") if self.room_of(seat) else []
        if "open" in self._allowed and game and self.is_open_to(seat.watched):
            lines += self._kept(seat.watched, game, "spectators")
            lines.sort(key=lambda each: float(each["when"]))
        return json_answer({"with": self.room_of(seat), "lines": lines})

    async def write_seat(self, request: Request) -> Response:
        seat, told = await self._seat_links.of(request), await body(request)
        if not (people := self.room_of(seat)) or seat.playing is None:
            raise HTTPException(403, "there is no chat in this game")
        line = self._line(seat.player, told, f"seat {seat.watched.name} {seat.player}", "players")
        self._keep(seat.watched, seat.playing.spec.id, line)
        for person in people:
            self._send(seat.watched, Seat(seat.watched, person).topic, seat.playing.spec.id, line)
        return json_answer({"ok": True})

    # Spectators

    async def read_game(self, request: Request) -> Response:
        watched, game = await self._room(request)
        return json_answer({"lines": self._kept(watched, game, "spectators")})

    async def write_game(self, request: Request) -> Response:
        watched, game = await self._room(request)
        told = await body(request)
        name = printable(" ".join(str(told.get("name", "")).split()), MOST_NAME)
        if not name:
            raise HTTPException(400, "name: expected your name")
        writer = request.client.host if request.client else ""
        line = self._line(name, told, writer, "spectators")
        self._keep(watched, game, line)
        self._send(watched, f"{watched.name}/{game}{CHAT}", game, line)
        if "open" in self._allowed and (playing := watched.playing.get(game)) is not None:
            self._send_to_seats(watched, playing.spec, line)
        return json_answer({"ok": True})

    async def _room(self, request: Request) -> tuple[WatchedCompetition, str]:
        """Return the competition and game id of a request from a spectator.

        Raises:
            HTTPException: Spectators may not chat (403), or the game is not in progress and has no lines
                (404).
        """
        watched, game = await opened(self._hub, request), request.path_params["id"]
        if not self.has_spectators:
            raise HTTPException(403, "the organiser has not allowed spectators to write")
        if not self.is_open_to(watched):
            raise HTTPException(403, "spectators cannot write while an engine with network access plays here")
        if game not in watched.playing and (watched.name, game, "spectators") not in self._lines:
            raise HTTPException(404, "there is no such game in progress")
        return watched, game

    def _send_to_seats(self, watched: WatchedCompetition, spec: GameSpec, line: dict[str, Any]) -> None:
        for person in people_of(spec.players):
            self._send(watched, Seat(watched, person).topic, spec.id, line)

    # Lines

    def _line(self, who: str, told: dict[str, object], writer: str, room: str) -> dict[str, Any]:
        """Check a new line of the chat, and return it as a JSON-ready object.

        Args:
            who: Name of the writer, which the others see.
            told: The body of the request, with the `text`.
            writer: Identity of the writer, for the limit on how fast one may write.
            room: "players" or "spectators".

        Raises:
            HTTPException: There is no text or too much (400), or the writer is too fast (429).
        """
        text = printable(" ".join(str(told.get("text", "")).split()), MOST_TEXT + 1)
        if not text or len(text) > MOST_TEXT:
            raise HTTPException(400, f"text: expected 1 to {MOST_TEXT} characters")
        now = time.monotonic()
        due = max(self._credit.get(writer, 0.0), now) + PAUSE
        if due > now + BURST * PAUSE:
            raise HTTPException(429, "that was too fast: wait a moment")
        self._credit[writer] = due
        self._credit.move_to_end(writer)
        while len(self._credit) > MOST_ROOMS:
            self._credit.popitem(last=False)
        return {"who": who, "text": text, "when": round(time.time(), 3), "room": room}

    def _kept(self, watched: WatchedCompetition, game: str, room: str) -> list[dict[str, Any]]:
        return list(self._lines.get((watched.name, game, room), ()))

    def _keep(self, watched: WatchedCompetition, game: str, line: dict[str, Any]) -> None:
        key = watched.name, game, line["room"]
        self._lines.setdefault(key, deque(maxlen=MOST_LINES)).append(line)
        self._lines.move_to_end(key)
        while len(self._lines) > MOST_ROOMS:
            self._lines.popitem(last=False)

    def _send(self, watched: WatchedCompetition, topic: str, game: str, line: dict[str, Any]) -> None:
        watched.broadcast.send(topic, "chat", wire.dumps({"game": game, **line}))
