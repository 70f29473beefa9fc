"""Request handlers for the organiser: control of runs, ruling on games, links of players, uploads."""

import asyncio
from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gyoji.store.taken_back import take_back
from gyoji.web import judging, uploading
from gyoji.web.hub import Hub
from gyoji.web.remote_players import RemotePlayers
from gyoji.web.request_helpers import body, counted, doing, json_answer, opened, reading
from gyoji.web.run_control import RunControl
from gyoji.web.seat_links import Seat, SeatLinks
from gyoji.web.watched import WatchedCompetition

Page = Callable[[str, WatchedCompetition], Response]
"""A function that makes a page from the name of a template and a competition."""


class Organiser:
    """Request handlers that need the organiser's token, and the pages that call them."""

    def __init__(
        self, hub: Hub, seats: SeatLinks, remote: RemotePlayers, run_control: RunControl, page: Page
    ) -> None:
        self._hub, self._run_control, self._page = hub, run_control, page
        self._seat_links, self._remote = seats, remote
        self._opinions = judging.EngineOpinions()
        self._uploading = asyncio.Lock()

    def routes(self) -> list[Route]:
        api = "/api/v1/competitions/{name}"
        return [
            Route("/api/v1/ticket", self.ticket),
            Route(f"{api}/control", self.control, methods=["POST"]),
            Route("/c/{name}/judge", self.judge_page),
            Route(f"{api}/judge", self.waiting),
            Route(f"{api}/judge/{{id}}", self.judge, methods=["POST"]),
            Route(f"{api}/judge/{{id}}/ask", self.ask, methods=["POST"]),
            Route("/c/{name}/invitations", self.invitations_page),
            Route(f"{api}/invitations", self.invitations, methods=["GET"]),
            Route(f"{api}/invitations", self.take_back, methods=["POST"]),
            Route(f"{api}/engines", self.upload_form),
            Route(f"{api}/engines", self.upload, methods=["POST"]),
        ]

    async def ticket(self, request: Request) -> Response:
        self._run_control.check(request)
        return json_answer({"ticket": self._run_control.ticket})

    async def control(self, request: Request) -> Response:
        self._run_control.check(request)
        watched, told = await opened(self._hub, request), await body(request)
        await doing(lambda: self._run_control.obey(watched, told))
        return json_answer({"ok": True})

    async def judge_page(self, request: Request) -> Response:
        return self._page("judge.html", await counted(self._hub, request))

    async def waiting(self, request: Request) -> Response:
        watched = await counted(self._hub, request)
        return json_answer({"games": await reading(lambda: judging.waiting(watched))})

    async def judge(self, request: Request) -> Response:
        self._run_control.check(request)
        watched, told = await counted(self._hub, request), await body(request)
        game = request.path_params["id"]
        heard = await doing(
            lambda: judging.hear(
                watched, game, told, lambda *asked: self._opinions.of(watched, game, asked[2].code)
            )
        )
        if heard["accepted"]:
            watched.changed(anew=True)
        return json_answer(heard)

    async def ask(self, request: Request) -> Response:
        self._run_control.check(request)
        watched, told = await counted(self._hub, request), await body(request)
        game, player = request.path_params["id"], str(told.get("player", ""))
        opinion = await doing(lambda: self._opinions.of(watched, game, player))
        return json_answer(opinion._asdict())

    async def invitations_page(self, request: Request) -> Response:
        return self._page("invitations.html", await counted(self._hub, request))

    async def invitations(self, request: Request) -> Response:
        self._run_control.check(request)
        watched = await counted(self._hub, request)
        people, remote = await doing(lambda: self._links(watched))
        owners = set[str]().union(*(each.connected(watched) for each in watched.connectors))
        told = [
            {
                "player": player,
                "link": link,
                "remote": player in remote,
                "here": player in owners or watched.broadcast.has_readers(Seat(watched, player).topic),
                "ready": player in watched.ready,
            }
            for player, link in (people | remote).items()
        ]
        return json_answer({"invitations": told})

    def _links(self, watched: WatchedCompetition) -> tuple[dict[str, str], dict[str, str]]:
        """Return the links of (human players, remote players), each by the player's name."""
        return self._seat_links.links(watched), self._remote.links(watched)

    # The run is told that the player is away, and open event streams of the seat end, so that the old link is
    # of no use at once.
    async def take_back(self, request: Request) -> Response:
        """Revoke the link of a player, and answer with the new links of all players."""
        self._run_control.check(request)
        watched, told = await counted(self._hub, request), await body(request)
        player = str(told.get("player"))
        people, remote = await doing(lambda: self._links(watched))
        if watched.event is None or player not in people | remote:
            raise HTTPException(404, "there is no human or remote player of that name")
        try:
            await asyncio.to_thread(take_back, watched.event.files.seats, player)
        except OSError as error:
            raise HTTPException(409, f"it cannot be taken back: {error.strerror}") from None
        if player in people:
            watched.command(do="away", player=player)
            watched.broadcast.end(Seat(watched, player).topic)
        watched.links_changed()
        return await self.invitations(request)

    async def upload_form(self, request: Request) -> Response:
        return json_answer(uploading.form(await counted(self._hub, request)))

    # One at a time: each check starts an engine, and two uploads could write the same control file.
    async def upload(self, request: Request) -> Response:
        """Add an uploaded engine to a competition. Refuse the upload while another one is being checked."""
        self._run_control.check(request)
        watched = await counted(self._hub, request)
        if request.headers.get("content-type") != "application/octet-stream":
            raise HTTPException(415, "expected application/octet-stream")
        if self._uploading.locked():
            raise HTTPException(409, "another engine is being checked: wait a moment")
        async with self._uploading:
            return json_answer(await uploading.add(watched, request))
