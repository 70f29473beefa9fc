"""The web application: its routes, and the request handlers for spectators and players.

    /  /wall                             all competitions; a board for each game in progress
    /c/NAME                              one competition: tables, charts, games in progress
    /c/NAME/games  /c/NAME/wall          a searchable list of its games; a board for each game in progress
    /c/NAME/games/ID                     one game; `?move=57` shows the position after 57 turns

    /status.json                         the state of each competition: runs, progress, rulings that are due
    /api/v1/competitions/NAME            the state of one competition
    /api/v1/competitions/NAME/hosts      the machines that its run plays on
    /api/v1/competitions/NAME/tables     its tables, as in `gyoji report --format json`
    /api/v1/competitions/NAME/games      its games, newest first; query: before, most, player, ending, text
    /api/v1/competitions/NAME/games/ID   one game, for the viewer
    /api/v1/competitions/NAME/games/ID/try   moves from a position of it: turn=57&play=D4&play=E5
    /api/v1/competitions/NAME/games/ID/line  the moves that an engine expected at a turn: turn=57&seat=0
    /api/v1/competitions/NAME/games/ID/last  its last position, for a small board
    /api/v1/competitions/NAME/leaders    the leading players
    /api/v1/competitions/NAME/post/FORM  standings to be pasted: FORM is markdown or bbcode
    /api/v1/competitions/NAME/boards     games in progress, without texts; all, or game=ID&game=ID
    /api/v1/competitions/NAME/schedule   the games in progress, and the next ones
    /api/v1/competitions/NAME/records/ID.SUFFIX   the record of a game, in one of its game's formats
    /api/v1/events                       event stream; watch=NAME/boards or NAME/ID adds games in progress

    /draw/GAME                           the editor of openings: see `gyoji.web.drawing`

    /c/NAME/judge                        the judge's table; /api/v1/competitions/NAME/judge[/ID] for scripts
    /api/v1/competitions/NAME/control    for the organiser: start, pause, resume, stop, reload, parallel
    /c/NAME/invitations                  for the organiser: links for players, see `gyoji.web.seat_links`
    /new                                 a form for a new game: see `gyoji.web.hosting`
    /api/v1/qr                           the QR code of a link
    /play                                a human player's seat; the fragment of the address is its secret
    /join                                what to do with the link of a remote player
    /api/v1/remote  remote/connect       for `gyoji join`: see `gyoji.web.remote_players`
    /api/v1/seat  seat/say  seat/ready   a seat for scripts, by the header `Authorization: Seat NAME/SECRET`

Only POST and PUT change anything. Left out are routes that only scripts of the pages use, and the routes of
chat, analysis and uploads.
"""

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.spec import awaited_of
from gyoji.store.search import Search
from gyoji.web import pages, qr_codes, schedule, values
from gyoji.web.analysing import ANALYSIS, Analyses
from gyoji.web.broadcast import encode
from gyoji.web.cgos_front import CgosFront, is_of_cgos
from gyoji.web.chat import CHAT, Chat
from gyoji.web.drawing import Drawings, drawable
from gyoji.web.guard import Guard
from gyoji.web.hosting import Hosting
from gyoji.web.hub import Hub
from gyoji.web.live import without_thoughts
from gyoji.web.organiser import Organiser
from gyoji.web.presence import Presence
from gyoji.web.remote_players import RemotePlayers
from gyoji.web.request_helpers import body, counted, doing, json_answer, number, opened, reading, watched_of
from gyoji.web.run_control import RunControl
from gyoji.web.seat_links import MOST_TEXT, SeatLinks
from gyoji.web.variations import expected_line, variation
from gyoji.web.watched import THOUGHTS, WatchedCompetition

MOST_GAMES = 200
"""Largest number of games in one answer of a list."""
_WITHOUT_THOUGHTS = ("/boards", CHAT, ANALYSIS)
"""Suffixes of the topics that never have thoughts of engines."""

# Given here because the system's table of types may be incomplete, and browsers refuse scripts of other
# types.
_TYPES = {".js": "text/javascript", ".css": "text/css"}


def application(
    paths: Sequence[Path],
    hosts: Sequence[str],
    tell: Callable[[str], object] = lambda _: None,
    *,
    games: Path,
    most_open: int = 0,
    chat: Collection[str] = (),
    analysis: bool = False,
    cgos: socket.socket | None = None,
) -> Starlette:
    """Create the web application that serves some control files and folders.

    Args:
        paths: The control files, and folders of control files.
        hosts: Names under which browsers may call the server.
        tell: Called with a line for each human or remote player, which has the player's secret link or
            password. Players of games begun on the page get no line. The links begin with
            `app.state.address`, which has to be set before the server starts.
        games: Folder of games that are begun on the page.
        most_open: Largest number of games begun on the page that may be in progress at once. The organiser
            may begin more. 0: only the organiser may begin games.
        chat: Who may write to whom beside a game: names of `gyoji.web.chat.ROOMS`.
        analysis: Whether anybody may have a finished game analysed, and not only the organiser.
        cgos: Open listening socket for clients of CGOS; None for none.
    """
    hub = Hub([*paths, *([games] if games.is_dir() else [])])
    site = _Site(hub, games, most_open, chat, analysis=analysis)
    told = set[str]()
    front = CgosFront(hub, site.remote.links, tell) if cgos is not None else None

    def opened(watched: WatchedCompetition) -> None:
        watched.connectors = (site.remote, *([front] if front is not None else []))
        watched.begun = site.hosting.is_here(watched)
        if front is not None:
            front.opened(watched)
        if watched.begun:
            return  # the page on which the game was begun has shown its links
        for player, link in site.seat_links.links(watched).items():
            if link not in told:
                told.add(link)
                tell(f"{player} plays in {watched.name} here: {app.state.address}/play#{link}")
        for player, link in site.remote.links(watched).items():
            if link not in told and not is_of_cgos(watched, player):
                told.add(link)
                tell(
                    f"{player} joins {watched.name} by: gyoji join {app.state.address}/join#{link} -- ENGINE"
                )

    hub.opened = opened

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await hub.begin()
        if front is not None and cgos is not None:
            await hub.wait_until_read()  # it knows no players before
            await front.begin(cgos)
        preparing = asyncio.create_task(asyncio.to_thread(pages.prepare))
        yield
        if front is not None:
            front.close()
        await preparing
        await site.analyses.close()
        await hub.close()

    folder = next((path if path.is_dir() else path.parent for path in paths), Path())
    drawings = Drawings(hub, site.run_control, folder)
    app = Starlette(
        routes=[*site.routes(), *drawings.routes()],
        lifespan=lifespan,
        exception_handlers={ConfigError: _refused},
    )
    app.state.hub = hub
    app.state.token = site.run_control.token
    app.add_middleware(Guard, hosts=tuple(hosts))
    app.add_middleware(
        GZipMiddleware, minimum_size=2000, compresslevel=5
    )  # event streams are left as they are
    return app


def _refused(_: Request, error: Exception) -> Response:
    """Return the response to a request whose handler raised ConfigError: status 409 with the reason."""
    return PlainTextResponse(str(error), 409)


class _Site:
    """Request handlers for spectators and players, and the objects that all handlers share."""

    def __init__(
        self, hub: Hub, games: Path, most_open: int, chat: Collection[str], *, analysis: bool
    ) -> None:
        self._hub = hub
        self.seat_links = SeatLinks(hub)
        self.run_control = RunControl()
        self.remote = RemotePlayers(hub)
        self._organiser = Organiser(hub, self.seat_links, self.remote, self.run_control, self._page)
        self._chat = Chat(hub, self.seat_links, chat)
        self._presence = Presence(hub)
        self.analyses = Analyses(hub, self.run_control, for_everybody=analysis)
        self.hosting = Hosting(hub, self.seat_links, self.run_control, games, most_open=most_open)
        # By competition: the version of its results, and their tables as HTML
        self._parts: dict[str, tuple[int, str]] = {}

    def routes(self) -> list[BaseRoute]:
        """Return all routes of the server, except those of the editor of openings."""
        return [
            Route("/", self.home),
            Route("/wall", self.whole_wall),
            Route("/c/{name}", self.competition),
            Route("/c/{name}/parts", self.parts),
            Route("/c/{name}/leaders", self.leaders_part),
            Route("/c/{name}/games", self.game_list),
            Route("/c/{name}/wall", self.wall),
            Route("/c/{name}/games/{id}", self.game_page),
            Route("/static/{version}/{file}", self.static),
            Route("/status.json", self.status),
            Route("/api/v1/competitions/{name}", self.summary),
            Route("/api/v1/competitions/{name}/hosts", self.hosts),
            Route("/api/v1/competitions/{name}/tables", self.tables),
            Route("/api/v1/competitions/{name}/games", self.games),
            Route("/api/v1/competitions/{name}/games/{id}", self.game),
            Route("/api/v1/competitions/{name}/games/{id}/last", self.last_board),
            Route("/api/v1/competitions/{name}/games/{id}/try", self.try_moves),
            Route("/api/v1/competitions/{name}/games/{id}/line", self.line),
            Route("/api/v1/competitions/{name}/schedule", self.schedule),
            Route("/api/v1/competitions/{name}/leaders", self.leaders),
            Route("/api/v1/competitions/{name}/post/{form}", self.post),
            Route("/api/v1/competitions/{name}/records/{file}", self.record),
            Route("/api/v1/competitions/{name}/boards", self.boards),
            Route("/api/v1/events", self.events),
            Route("/play", self.play),
            Route("/api/v1/seat", self.seat),
            Route("/api/v1/seat/echo", self.echo),
            Route("/api/v1/seat/say", self.say, methods=["POST"]),
            Route("/api/v1/seat/ready", self.ready, methods=["POST"]),
            Route("/metrics", self.removed),
            Route("/api/v1/qr", qr_codes.draw, methods=["POST"]),
            *self._chat.routes(),
            *self.analyses.routes(),
            *self._organiser.routes(),
            *self.hosting.routes(),
            *self.remote.routes(),
        ]

    # Pages

    async def home(self, _: Request) -> Response:
        told = [each.summary() for each in self._hub.competitions.values()]
        names, last = list(self._hub.competitions), self._hub.broadcast.last
        shown = {"competitions": told, "names": names, "drawable": drawable(), "last": last}
        return HTMLResponse(pages.render("home.html", **shown))

    async def competition(self, request: Request) -> Response:
        watched = watched_of(self._hub, request)
        players = watched.event.setup.players.values() if watched.event else ()
        return self._page("competition.html", watched, parts="", has_people=bool(awaited_of(players)))

    def _page(self, template: str, watched: WatchedCompetition, **values: Any) -> Response:
        told = {"told": watched.summary(), "last": self._hub.broadcast.last, **values}
        return HTMLResponse(pages.render(template, **told))

    async def parts(self, request: Request) -> Response:
        watched = await counted(self._hub, request)
        kept = self._parts.get(watched.name)
        if kept is None or kept[0] != watched.version:
            version = watched.version
            kept = version, await asyncio.to_thread(pages.parts, watched)
            self._parts[watched.name] = kept
        return HTMLResponse(kept[1])

    async def game_list(self, request: Request) -> Response:
        watched = await opened(self._hub, request)
        assert watched.event is not None
        players = sorted(watched.event.setup.players)
        found = (ending for ending, _ in watched.digest.endings) if watched.is_counted else Ending
        endings = sorted({ending.value for ending in found} - {Ending.SKIPPED.value})
        return self._page("games.html", watched, players=players, endings=endings)

    async def wall(self, request: Request) -> Response:
        return self._page("wall.html", watched_of(self._hub, request))

    async def whole_wall(self, _: Request) -> Response:
        names = list(self._hub.competitions)
        told = {"told": None, "competitions": names, "last": self._hub.broadcast.last}
        return HTMLResponse(pages.render("wall.html", **told))

    async def game_page(self, request: Request) -> Response:
        watched = await opened(self._hub, request)
        game = request.path_params["id"]
        title = await reading(lambda: values.title_of(watched, game))
        # The page has the game with it, so that its board is there before anything was asked for. Whoever
        # reads this page has shown no right yet.
        first = await self._game(watched, game, is_whole=False)
        return self._page("game.html", watched, id=game, title=title, first=first)

    async def static(self, request: Request) -> Response:
        name = request.path_params["file"]
        data = pages.assets().get(name)
        if data is None:
            raise HTTPException(404)
        headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            data = pages.packed(name)
            headers["Content-Encoding"] = "gzip"
        return Response(data, media_type=_TYPES[Path(name).suffix], headers=headers)

    # The interface for programs

    async def status(self, _: Request) -> Response:
        told = [{**each.summary(), "hosts": each.hosts.values()} for each in self._hub.competitions.values()]
        return json_answer({"version": 1, "journal": self._hub.broadcast.last, "competitions": told})

    async def removed(self, _: Request) -> Response:
        raise HTTPException(410, "removed: use /status.json instead")

    async def summary(self, request: Request) -> Response:
        watched = await opened(self._hub, request)
        await watched.soon()
        return json_answer(watched.summary())

    async def hosts(self, request: Request) -> Response:
        watched = await opened(self._hub, request)
        return json_answer({"hosts": watched.hosts.values()})

    async def tables(self, request: Request) -> Response:
        watched = await counted(self._hub, request)
        return json_answer(await asyncio.to_thread(values.table_records, watched))

    async def games(self, request: Request) -> Response:
        watched, asked = await opened(self._hub, request), request.query_params
        search = Search(asked.get("player", ""), asked.get("ending", ""), asked.get("text", ""))
        before, most = number(asked.get("before")), number(asked.get("most")) or 50
        found = await reading(lambda: watched.page(search, before=before, most=min(most, MOST_GAMES)))
        game = watched.event.setup.game if watched.event else ""
        return json_answer({"games": [values.listed_game(game, number, result) for number, result in found]})

    async def game(self, request: Request) -> Response:
        watched, game = await opened(self._hub, request), request.path_params["id"]
        return json_answer(await self._game(watched, game, is_whole=await self._may_know(request, watched)))

    async def _game(self, watched: WatchedCompetition, game: str, *, is_whole: bool) -> Mapping[str, Any]:
        """Return a game, JSON-ready.

        Args:
            is_whole: Whether a game in progress is returned with engines' messages and evaluations.
        """
        if game in watched.playing:
            await watched.look()
        if (playing := watched.playing.get(game)) is not None:
            told = playing.values() if is_whole else without_thoughts(playing.values())
            people = {
                "presence": self._presence.of(watched, playing),
                "chat": self._chat.is_open_to(watched),
            }
            return {**told, **people}
        return await reading(lambda: values.stored_game(watched, game))

    async def try_moves(self, request: Request) -> Response:
        watched, game = await opened(self._hub, request), request.path_params["id"]
        turn, moves = number(request.query_params.get("turn")), request.query_params.getlist("play")
        return json_answer(await doing(lambda: variation(*values.known(watched, game), turn or 0, moves)))

    async def line(self, request: Request) -> Response:
        watched, game = await opened(self._hub, request), request.path_params["id"]
        turn, seat = (number(request.query_params.get(name)) or 0 for name in ("turn", "seat"))
        if game in watched.playing and not await self._may_know(request, watched):
            raise HTTPException(403, "what engines think is told when the game is over")
        return json_answer(await doing(lambda: expected_line(*values.known(watched, game), turn, seat)))

    async def _may_know(self, request: Request, watched: WatchedCompetition) -> bool:
        """Return whether the sender of a request may see what engines think in games in progress."""
        if not watched.is_overheard():
            return True
        return self.run_control.is_organiser(request) or await self.seat_links.is_seated(request, watched)

    async def schedule(self, request: Request) -> Response:
        watched = await counted(self._hub, request)
        games = await watched.coming()
        playing, told = list(watched.playing.values()), watched.summary()
        left = told["seconds_left"]
        pace = left / told["remaining"] if left is not None else None
        return json_answer(
            {
                "seconds_left": left,
                "playing": [values.listed_live(each) for each in playing],
                "coming": schedule.coming(games, [each.spec for each in playing], pace),
            }
        )

    async def leaders(self, request: Request) -> Response:
        watched = await counted(self._hub, request)
        ranked, _ = await asyncio.to_thread(values.leaders, watched)
        return json_answer({"leaders": ranked})

    async def leaders_part(self, request: Request) -> Response:
        watched = await counted(self._hub, request)
        ranked, bracket = await asyncio.to_thread(values.leaders, watched)
        told = {"leaders": ranked, "bracket": bracket, "title": watched.title}
        return HTMLResponse(pages.render("leaders.html", **told))

    async def post(self, request: Request) -> Response:
        watched, form = await counted(self._hub, request), request.path_params["form"]
        if form not in ("markdown", "bbcode"):
            raise HTTPException(404, "expected markdown or bbcode")
        return PlainTextResponse(await asyncio.to_thread(values.post, watched, form))

    async def last_board(self, request: Request) -> Response:
        watched, game = await opened(self._hub, request), request.path_params["id"]
        return json_answer(await reading(lambda: values.last_board(watched, game)))

    async def boards(self, request: Request) -> Response:
        watched = await opened(self._hub, request)
        await watched.look()
        meant = set(request.query_params.getlist("game")) or set(watched.playing)
        playing = [game for name, game in watched.playing.items() if name in meant]
        return json_answer([values.board_of(game.values()) for game in playing])

    async def record(self, request: Request) -> Response:
        watched = await opened(self._hub, request)
        data = await reading(lambda: values.record_file(watched, request.path_params["file"]))
        name = request.path_params["file"]
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="application/octet-stream", headers=headers)

    # Persons

    async def play(self, _: Request) -> Response:
        return HTMLResponse(pages.render("play.html", last=self._hub.broadcast.last))

    async def seat(self, request: Request) -> Response:
        seat = await self.seat_links.of(request)
        watched = seat.watched
        if watched.run is None:  # the last result is counted a moment after the end of its run
            await watched.settled()
        told = {
            **self.seat_links.standing(seat),
            "ticket": self.seat_links.ticket(seat),
            "again": await asyncio.to_thread(self.hosting.is_ours, watched),
            "others": seat.others,
            "starting": seat.others if self.hosting.is_starting(watched) else [],
            "last": "" if seat.playing else await reading(lambda: values.last_game(watched, seat.player)),
        }
        return json_answer(told)

    # The page measures how long this takes: that network delay is credited to the person's clock.
    # Its answer is short and comes when the page is idle, so it tells the server's time better than others.
    async def echo(self, _: Request) -> Response:
        return json_answer({"at": round(1000 * time.monotonic())})

    async def ready(self, request: Request) -> Response:
        seat, told = await self.seat_links.of(request), await body(request)
        is_ready = told.get("ready") is True
        if not seat.watched.command(do="ready" if is_ready else "away", player=seat.player):
            raise HTTPException(409, "the competition is not running at the moment")
        return json_answer({"ok": True})

    async def say(self, request: Request) -> Response:
        seat, told = await self.seat_links.of(request), await body(request)
        again = told.get("again") is True
        playing = seat.playing
        if playing is None:
            raise HTTPException(409, "you play no game at the moment")
        # An answer that waited for a connection must not count in a later game
        if any(
            told.get(name, now) != now
            for name, now in (("game", playing.spec.id), ("began", playing.started))
        ):
            raise HTTPException(409, "that game is over")
        said = {} if again else _said(told)
        seat.watched.command(do="say", game=playing.spec.id, player=seat.player, again=again, **said)
        return json_answer({"ok": True})

    # A request cannot name topics that need a secret. Those of seats and thoughts are added here, for
    # requests with the right ticket.
    async def events(self, request: Request) -> Response:
        asked = request.query_params
        topics = [each for each in asked.getlist("watch") if "/seat " not in each and THOUGHTS not in each]
        topics = [each for each in topics if self._chat.takes(each)]
        seat = self.seat_links.listened(asked.get("seat", ""))
        is_organiser = self.run_control.is_ticket(asked.get("organiser", ""))
        own = seat and f"{seat.watched.name}/"
        topics = [
            f"{each}{THOUGHTS}"
            if (is_organiser or (own and each.startswith(own))) and not each.endswith(_WITHOUT_THOUGHTS)
            else each
            for each in topics
        ]
        if seat is not None:
            topics.append(seat.topic)
        after = request.headers.get("last-event-id") or request.query_params.get("after", "")
        return StreamingResponse(
            self._stream(topics, after),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def _stream(self, topics: Sequence[str], after: str) -> AsyncIterator[bytes]:
        """Yield the events for one browser until it closes the connection or the server drops it.

        Args:
            topics: Names of the topics that the browser wants, besides the journal (the events for all
                readers).
            after: Number of the last event that the browser has had; "" for a new reader.
        """
        broadcast = self._hub.broadcast
        reader = broadcast.read(topics, after)
        names = {topic.partition("/")[0] for topic in topics}
        watched = [each for each in self._hub.competitions.values() if each.name in names]
        try:
            yield encode("hello", "{}", "" if after else broadcast.last)
            self._presence.changed(topics)
            for each in watched:
                each.watch_changed()
            async for data in reader.messages():
                yield data
        finally:
            broadcast.leave(reader)
            self._presence.changed(topics)
            for each in watched:
                each.watch_changed()


def _said(told: Mapping[str, Any]) -> dict[str, object]:
    """Return a person's answer, from the body of a request, as the arguments of the command `say` to a run.

    Only its form is checked here. The run checks what it means.

    Raises:
        HTTPException: The answer is no object or too long, or the seat is no number (400).
    """
    if type(answer := told.get("answer")) is not dict:
        raise HTTPException(400, "answer: expected an object")
    if type(seat := told.get("seat")) is not int:
        raise HTTPException(400, "seat: expected its number")
    if (size := len(wire.dumps(answer))) > MOST_TEXT:
        raise HTTPException(400, f"answer: expected at most {MOST_TEXT} characters, got {size}")
    return {"seat": seat, "answer": answer}
