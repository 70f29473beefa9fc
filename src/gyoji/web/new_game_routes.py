"""The routes of games that are begun on the page.

/new                        the form
/api/v1/newgame             GET: its questions; POST: the answers
/api/v1/newgame/position    a position before the first move: drawn, typed or from a file
/api/v1/seat/again          the game is played again, or the rest of it; for holders of a seat's link
"""

from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gyoji.core.faults import ConfigError
from gyoji.web import new_game, pages
from gyoji.web.answers import body, doing, json_answer
from gyoji.web.hosting import Hosting
from gyoji.web.hub import Hub
from gyoji.web.seat_links import SeatLinks


class NewGameRoutes:
    """Request handlers for games that are begun on the page."""

    def __init__(self, hosting: Hosting, seats: SeatLinks, hub: Hub) -> None:
        self._hosting, self._seat_links, self._hub = hosting, seats, hub

    def routes(self) -> list[Route]:
        return [
            Route("/new", self.page),
            Route("/api/v1/newgame", self.form, methods=["GET"]),
            Route("/api/v1/newgame", self.begin, methods=["POST"]),
            Route("/api/v1/newgame/position", self.position, methods=["POST"]),
            Route("/api/v1/seat/again", self.again, methods=["POST"]),
        ]

    async def page(self, _: Request) -> Response:
        return HTMLResponse(pages.render("newgame.html", last=self._hub.broadcast.last))

    async def form(self, request: Request) -> Response:
        self._hosting.check(request)
        return json_answer(await self._hosting.form())

    async def position(self, request: Request) -> Response:
        self._hosting.check(request)
        told = await body(request)
        return json_answer(await doing(partial(new_game.position, told)))

    async def begin(self, request: Request) -> Response:
        is_organiser = self._hosting.check(request)
        told = await body(request)
        try:
            return json_answer(await self._hosting.begin(told, is_organiser=is_organiser))
        except ConfigError as error:
            raise HTTPException(409, str(error)) from None

    async def again(self, request: Request) -> Response:
        seat = self._seat_links.of(request)
        await body(request)
        try:
            await self._hosting.again(seat.watched)
        except ConfigError as error:
            raise HTTPException(409, str(error)) from None
        return json_answer({"ok": True})
