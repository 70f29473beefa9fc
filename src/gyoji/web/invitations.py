"""The page on which the organiser sees the links of a competition's players, and revokes them.

/c/NAME/invitations                     the page
/api/v1/competitions/NAME/invitations   GET: the links; POST: revoke the link of a player
"""

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gyoji.web.answers import body, counted, doing, json_answer
from gyoji.web.hub import Hub
from gyoji.web.organiser import Page
from gyoji.web.run_control import RunControl
from gyoji.web.seat_links import Seat, SeatLinks


class Invitations:
    """Request handlers for the links of human players."""

    def __init__(self, hub: Hub, seats: SeatLinks, run_control: RunControl, page: Page) -> None:
        self._hub, self._seat_links, self._run_control, self._page = hub, seats, run_control, page

    def routes(self) -> list[Route]:
        api = "/api/v1/competitions/{name}/invitations"
        return [
            Route("/c/{name}/invitations", self.page),
            Route(api, self.all, methods=["GET"]),
            Route(api, self.take_back, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        return self._page("invitations.html", await counted(self._hub, request))

    async def all(self, request: Request) -> Response:
        self._run_control.check(request)
        watched = await counted(self._hub, request)
        links = await doing(lambda: self._seat_links.links(watched))
        told = [
            {
                "player": player,
                "link": link,
                "here": watched.broadcast.has_readers(Seat(watched, player).topic),
                "ready": player in watched.ready,
            }
            for player, link in links.items()
        ]
        return json_answer({"invitations": told})

    # The run hears that the player is away, and open streams of the seat end: whoever has the old link is out
    # at once.
    async def take_back(self, request: Request) -> Response:
        self._run_control.check(request)
        watched, told = await counted(self._hub, request), await body(request)
        player = told.get("player")
        if player not in await doing(lambda: self._seat_links.links(watched)):
            raise HTTPException(404, "there is no person of that name")
        seat = Seat(watched, str(player))
        try:
            await asyncio.to_thread(self._seat_links.take_back, seat)
        except OSError as error:
            raise HTTPException(409, f"it cannot be taken back: {error.strerror}") from None
        watched.command(do="away", player=seat.player)
        watched.broadcast.end(seat.topic)
        return await self.all(request)
