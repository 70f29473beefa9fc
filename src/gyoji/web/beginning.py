"""The addresses of games that are begun on the page.

/new                        the form
/api/v1/newgame             what it asks; the answers are sent there
/api/v1/newgame/position    a position before the first move, drawn, typed or from a file
/api/v1/seat/again          who sits in such a game has it played again, or what is left of it
"""

from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gyoji.core.faults import ConfigError
from gyoji.web import newgame, pages
from gyoji.web.answers import body, doing, json_answer
from gyoji.web.hosting import Hosting
from gyoji.web.hub import Hub
from gyoji.web.seats import Seats


class Beginning:
    """The answers to these requests."""

    def __init__(self, hosting: Hosting, seats: Seats, hub: Hub) -> None:
        self._hosting, self._seats, self._hub = hosting, seats, hub

    def routes(self) -> list[Route]:
        """All addresses."""
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
        return json_answer(await doing(partial(newgame.position, told)))

    async def begin(self, request: Request) -> Response:
        is_organiser = self._hosting.check(request)
        told = await body(request)
        try:
            return json_answer(await self._hosting.begin(told, is_organiser=is_organiser))
        except ConfigError as error:
            raise HTTPException(409, str(error)) from None

    async def again(self, request: Request) -> Response:
        seat = self._seats.of(request)
        await body(request)
        try:
            await self._hosting.again(seat.followed)
        except ConfigError as error:
            raise HTTPException(409, str(error)) from None
        return json_answer({"ok": True})
