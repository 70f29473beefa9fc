"""The organiser's requests to the server, with the token in hand: control of a run, and the judge's table."""

import asyncio
from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gyoji.core.faults import ConfigError
from gyoji.web import judging, uploading
from gyoji.web.answers import body, counted, doing, json_answer, opened, reading
from gyoji.web.following import Followed
from gyoji.web.hub import Hub
from gyoji.web.steering import Steering

Page = Callable[[str, Followed], Response]
"""Makes a page of a competition from the name of its template."""


class Organiser:
    """The answers to the organiser."""

    def __init__(self, hub: Hub, steering: Steering, page: Page) -> None:
        self._hub = hub
        self._steering = steering
        self._page = page
        self._claims = judging.Claims()
        self._uploading = asyncio.Lock()

    def routes(self) -> list[Route]:
        """The addresses."""
        api = "/api/v1/competitions/{name}"
        return [
            Route("/api/v1/ticket", self.ticket),
            Route(f"{api}/control", self.control, methods=["POST"]),
            Route("/c/{name}/judge", self.judge_page),
            Route(f"{api}/judge", self.waiting),
            Route(f"{api}/judge/{{id}}", self.judge, methods=["POST"]),
            Route(f"{api}/judge/{{id}}/ask", self.ask, methods=["POST"]),
            Route(f"{api}/engines", self.upload_form),
            Route(f"{api}/engines", self.upload, methods=["POST"]),
        ]

    async def ticket(self, request: Request) -> Response:
        self._steering.check(request)
        return json_answer({"ticket": self._steering.ticket})

    async def control(self, request: Request) -> Response:
        self._steering.check(request)
        followed, told = await opened(self._hub, request), await body(request)
        return json_answer(await doing(lambda: self._steering.obey(followed, told)))

    async def judge_page(self, request: Request) -> Response:
        return self._page("judge.html", await counted(self._hub, request))

    async def waiting(self, request: Request) -> Response:
        followed = await counted(self._hub, request)
        return json_answer({"games": await reading(lambda: judging.waiting(followed))})

    async def judge(self, request: Request) -> Response:
        self._steering.check(request)
        followed, told = await counted(self._hub, request), await body(request)
        game = request.path_params["id"]
        heard = await doing(
            lambda: judging.hear(
                followed, game, told, lambda *asked: self._claims.of(followed, game, asked[2].code)
            )
        )
        if heard["accepted"]:
            followed.changed(anew=True)
        return json_answer(heard)

    async def ask(self, request: Request) -> Response:
        self._steering.check(request)
        followed, told = await counted(self._hub, request), await body(request)
        game, player = request.path_params["id"], str(told.get("player", ""))
        claim = await doing(lambda: self._claims.of(followed, game, player))
        return json_answer(claim._asdict())

    async def upload_form(self, request: Request) -> Response:
        return json_answer(uploading.form(await counted(self._hub, request)))

    async def upload(self, request: Request) -> Response:
        """An engine that is to join; its check takes a while, and one is made at a time."""
        self._steering.check(request)
        followed = await counted(self._hub, request)
        if request.headers.get("content-type") != "application/octet-stream":
            raise HTTPException(415, "expected application/octet-stream")
        if self._uploading.locked():
            raise HTTPException(409, "another engine is being checked: wait a moment")
        async with self._uploading:
            try:
                return json_answer(await uploading.add(followed, request))
            except ConfigError as error:
                raise HTTPException(409, str(error)) from None
