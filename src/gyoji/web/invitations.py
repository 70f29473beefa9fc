"""The links of a competition's persons, for its organiser: all of them, and those that are taken back.

/c/NAME/invitations                     the page
/api/v1/competitions/NAME/invitations   the links; one is taken back by its player's name
"""

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gyoji.web.answers import body, counted, doing, json_answer
from gyoji.web.hub import Hub
from gyoji.web.organiser import Page
from gyoji.web.seats import Seat, Seats
from gyoji.web.steering import Steering


class Invitations:
    """The answers to these requests."""

    def __init__(self, hub: Hub, seats: Seats, steering: Steering, page: Page) -> None:
        self._hub, self._seats, self._steering, self._page = hub, seats, steering, page

    def routes(self) -> list[Route]:
        """The addresses."""
        api = "/api/v1/competitions/{name}/invitations"
        return [
            Route("/c/{name}/invitations", self.page),
            Route(api, self.all, methods=["GET"]),
            Route(api, self.take_back, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        return self._page("invitations.html", await counted(self._hub, request))

    async def all(self, request: Request) -> Response:
        self._steering.check(request)
        followed = await counted(self._hub, request)
        links = await doing(lambda: self._seats.links(followed))
        told = [
            {
                "player": player,
                "link": link,
                "here": followed.broadcast.has_readers(Seat(followed, player).topic),
                "ready": player in followed.ready,
            }
            for player, link in links.items()
        ]
        return json_answer({"invitations": told})

    async def take_back(self, request: Request) -> Response:
        self._steering.check(request)
        followed, told = await counted(self._hub, request), await body(request)
        player = told.get("player")
        if player not in await doing(lambda: self._seats.links(followed)):
            raise HTTPException(404, "there is no person of that name")
        seat = Seat(followed, str(player))
        try:
            await asyncio.to_thread(self._seats.take_back, seat)
        except OSError as error:
            raise HTTPException(409, f"it cannot be taken back: {error.strerror}") from None
        followed.command(do="away", player=seat.player)
        followed.broadcast.end(seat.topic)
        return await self.all(request)
