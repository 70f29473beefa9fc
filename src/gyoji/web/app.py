"""The server: which address gives what.

    /  /wall                             all competitions; a board for each game in progress
    /c/NAME                              one: tables, charts, what is being played
    /c/NAME/games  /c/NAME/wall          its games to look for; a board for each game in progress
    /c/NAME/games/ID                     one game; `?move=57` the position after so many turns

    /status.json                         what runs, how far it is, what needs a person
    /metrics                             the same and more, for Prometheus
    /api/v1/competitions/NAME            one of these
    /api/v1/competitions/NAME/tables     its tables, as `gyoji report --format json` has them
    /api/v1/competitions/NAME/games      its games, the newest first: before, most, player, ending, text
    /api/v1/competitions/NAME/games/ID   one game, for the viewer
    /api/v1/competitions/NAME/games/ID/try   moves from a position of it: turn=57&play=D4&play=E5
    /api/v1/competitions/NAME/games/ID/line  what the engine of a seat expected at a turn: turn=57&seat=0
    /api/v1/competitions/NAME/boards     of games in progress, without words; all, or game=ID&game=ID
    /api/v1/competitions/NAME/schedule   what is played, and what comes next
    /api/v1/competitions/NAME/records/ID.SUFFIX   its record, in a format of its game
    /api/v1/events                       the journal; watch=NAME/boards or NAME/ID adds games in progress

    /draw/GAME                           an opening is drawn: see `gyoji.web.drawing`

    /c/NAME/judge                        the judge's table; /api/v1/competitions/NAME/judge[/ID] for scripts
    /api/v1/competitions/NAME/control    for the organiser: start, pause, resume, stop, reload, parallel
    /c/NAME/invitations                  for the organiser: the links of persons, see `gyoji.web.invitations`
    /new                                 a form for a new game: see `gyoji.web.beginning`
    /play                                a person's seat; the fragment of the address is the secret of it
    /api/v1/seat  seat/say  seat/ready   the same for scripts: the secret is sent as `Authorization: Seat ...`

Nothing else here changes anything.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from gyoji.core import wire
from gyoji.core.outcome import Ending
from gyoji.core.spec import persons_of
from gyoji.protocols.page import Answer
from gyoji.store.search import Search
from gyoji.web import pages, schedule, values
from gyoji.web.answers import body, counted, doing, followed_of, json_answer, number, opened, reading
from gyoji.web.beginning import Beginning
from gyoji.web.broadcast import encode
from gyoji.web.drawing import Drawings, drawable
from gyoji.web.following import THOUGHTS, Followed
from gyoji.web.guard import Guard
from gyoji.web.hosting import Hosting
from gyoji.web.hub import Hub
from gyoji.web.invitations import Invitations
from gyoji.web.live import without_thoughts
from gyoji.web.metrics import MEDIA_TYPE, metrics
from gyoji.web.organiser import Organiser
from gyoji.web.seats import MOST_TEXT, Seats
from gyoji.web.steering import Steering

MOST_GAMES = 200
"""Games of one page of a list, at most."""

_TYPES = {".js": "text/javascript", ".css": "text/css"}


def application(
    paths: Sequence[Path],
    hosts: Sequence[str],
    tell: Callable[[str], object] = lambda _: None,
    *,
    games: Path,
    most_open: int = 0,
) -> Starlette:
    """The server of these control files and folders. hosts: the names by which it may be called. tell: called
    with the link of each person who plays, of which nobody else is to know; `app.state.address` begins it.
    games: the folder of games that are begun on the page; most_open: see `Hosting`.
    """
    hub = Hub([*paths, *([games] if games.is_dir() else [])])
    site = _Site(hub, games, most_open)
    told = set[str]()

    def opened(followed: Followed) -> None:
        followed.begun = site.hosting.is_here(followed)
        if followed.begun:
            return  # whoever began the game has the links of its persons
        for player, link in site.seats.links(followed).items():
            if link not in told:
                told.add(link)
                tell(f"{player} plays in {followed.name} here: {app.state.address}/play#{link}")

    hub.opened = opened

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await hub.begin()
        yield
        await hub.close()

    folder = next((path if path.is_dir() else path.parent for path in paths), Path())
    drawings = Drawings(hub, site.steering, folder)
    app = Starlette(routes=[*site.routes(), *drawings.routes()], lifespan=lifespan)
    app.state.hub = hub
    app.state.token = site.steering.token
    app.add_middleware(Guard, hosts=tuple(hosts))
    return app


class _Site:
    """The answers to all requests."""

    def __init__(self, hub: Hub, games: Path, most_open: int) -> None:
        self._hub = hub
        self.seats = Seats(hub)
        self.steering = Steering()
        self._organiser = Organiser(hub, self.steering, self._page)
        self.hosting = Hosting(hub, self.seats, self.steering, games, most_open=most_open)
        self._parts: dict[str, tuple[int, str]] = {}  # of each competition: version, tables

    def routes(self) -> list[Route]:
        """All addresses."""
        return [
            Route("/", self.home),
            Route("/wall", self.whole_wall),
            Route("/c/{name}", self.competition),
            Route("/c/{name}/parts", self.parts),
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
            Route("/api/v1/competitions/{name}/games/{id}/try", self.try_moves),
            Route("/api/v1/competitions/{name}/games/{id}/line", self.line),
            Route("/api/v1/competitions/{name}/schedule", self.schedule),
            Route("/api/v1/competitions/{name}/records/{file}", self.record),
            Route("/api/v1/competitions/{name}/boards", self.boards),
            Route("/api/v1/events", self.events),
            Route("/play", self.play),
            Route("/api/v1/seat", self.seat),
            Route("/api/v1/seat/echo", self.echo),
            Route("/api/v1/seat/say", self.say, methods=["POST"]),
            Route("/api/v1/seat/ready", self.ready, methods=["POST"]),
            Route("/metrics", self.metrics),
            *self._organiser.routes(),
            *Invitations(self._hub, self.seats, self.steering, self._page).routes(),
            *Beginning(self.hosting, self.seats, self._hub).routes(),
        ]

    def _followed(self, request: Request) -> Followed:
        return followed_of(self._hub, request)

    async def _opened(self, request: Request) -> Followed:
        return await opened(self._hub, request)

    async def _counted(self, request: Request) -> Followed:
        return await counted(self._hub, request)

    # Pages

    async def home(self, _: Request) -> Response:
        told = [each.summary() for each in self._hub.competitions.values()]
        shown = {"competitions": told, "drawable": drawable(), "last": self._hub.broadcast.last}
        return HTMLResponse(pages.render("home.html", **shown))

    async def competition(self, request: Request) -> Response:
        followed = self._followed(request)
        return self._page("competition.html", followed, parts="", has_people=_has_people(followed))

    def _page(self, template: str, followed: Followed, **values: Any) -> Response:
        told = {"told": followed.summary(), "last": self._hub.broadcast.last, **values}
        return HTMLResponse(pages.render(template, **told))

    async def parts(self, request: Request) -> Response:
        followed = await self._counted(request)
        kept = self._parts.get(followed.name)
        if kept is None or kept[0] != followed.version:
            version = followed.version
            kept = version, await asyncio.to_thread(pages.parts, followed)
            self._parts[followed.name] = kept
        return HTMLResponse(kept[1])

    async def game_list(self, request: Request) -> Response:
        followed = await self._opened(request)
        assert followed.event is not None
        players = sorted(followed.event.setup.players)
        found = (ending for ending, _ in followed.digest.endings) if followed.is_counted else Ending
        endings = sorted({ending.value for ending in found} - {Ending.SET_ASIDE.value})
        return self._page("games.html", followed, players=players, endings=endings)

    async def wall(self, request: Request) -> Response:
        return self._page("wall.html", self._followed(request))

    async def whole_wall(self, _: Request) -> Response:
        names = list(self._hub.competitions)
        told = {"told": None, "competitions": names, "last": self._hub.broadcast.last}
        return HTMLResponse(pages.render("wall.html", **told))

    async def game_page(self, request: Request) -> Response:
        followed = await self._opened(request)
        game = request.path_params["id"]
        if game not in followed.playing and not await asyncio.to_thread(values.has_game, followed, game):
            raise HTTPException(404, "there is no such game, or it has not begun")
        return self._page("game.html", followed, id=game)

    async def static(self, request: Request) -> Response:
        name = request.path_params["file"]
        data = pages.assets().get(name)
        if data is None:
            raise HTTPException(404)
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(data, media_type=_TYPES[Path(name).suffix], headers=headers)

    # The interface for programs

    async def status(self, _: Request) -> Response:
        told = [{**each.summary(), "hosts": each.hosts.values()} for each in self._hub.competitions.values()]
        return json_answer({"version": 1, "journal": self._hub.broadcast.last, "competitions": told})

    async def metrics(self, _: Request) -> Response:
        return Response(metrics(self._hub), media_type=MEDIA_TYPE)

    async def summary(self, request: Request) -> Response:
        followed = await self._opened(request)
        await followed.soon()
        return json_answer(followed.summary())

    async def hosts(self, request: Request) -> Response:
        followed = await self._opened(request)
        return json_answer({"hosts": followed.hosts.values()})

    async def tables(self, request: Request) -> Response:
        followed = await self._counted(request)
        return json_answer(await asyncio.to_thread(values.table_list, followed))

    async def games(self, request: Request) -> Response:
        followed, asked = await self._opened(request), request.query_params
        search = Search(asked.get("player", ""), asked.get("ending", ""), asked.get("text", ""))
        before, most = number(asked.get("before")), number(asked.get("most")) or 50
        found = await reading(lambda: followed.page(search, before=before, most=min(most, MOST_GAMES)))
        game = followed.event.setup.game if followed.event else ""
        return json_answer({"games": [values.listed_game(game, number, result) for number, result in found]})

    async def game(self, request: Request) -> Response:
        followed, game = await self._opened(request), request.path_params["id"]
        if game in followed.playing:
            await followed.look()
        if (playing := followed.playing.get(game)) is not None:
            is_whole = self._may_know(request, followed)
            return json_answer(playing.values() if is_whole else without_thoughts(playing.values()))
        return json_answer(await reading(lambda: values.stored_game(followed, game)))

    async def try_moves(self, request: Request) -> Response:
        followed, game = await self._opened(request), request.path_params["id"]
        turn, moves = number(request.query_params.get("turn")), request.query_params.getlist("play")
        return json_answer(await doing(lambda: values.tried_moves(followed, game, turn or 0, moves)))

    async def line(self, request: Request) -> Response:
        followed, game = await self._opened(request), request.path_params["id"]
        turn, seat = (number(request.query_params.get(name)) or 0 for name in ("turn", "seat"))
        if game in followed.playing and not self._may_know(request, followed):
            raise HTTPException(403, "what engines think is told when the game is over")
        return json_answer(await doing(lambda: values.expected_moves(followed, game, turn, seat)))

    def _may_know(self, request: Request, followed: Followed) -> bool:
        """Whether who asks may know what engines think in games that go on."""
        if not followed.is_overheard():
            return True
        return self.steering.is_organiser(request) or self.seats.is_seated(request, followed)

    async def schedule(self, request: Request) -> Response:
        followed = await self._counted(request)
        games = await followed.coming()
        playing, told = list(followed.playing.values()), followed.summary()
        left = told["seconds_left"]
        pace = left / told["remaining"] if left is not None else None
        return json_answer(
            {
                "seconds_left": left,
                "playing": [values.listed_live(each) for each in playing],
                "coming": schedule.coming(games, followed.playing, pace),
            }
        )

    async def boards(self, request: Request) -> Response:
        followed = await self._opened(request)
        await followed.look()
        meant = set(request.query_params.getlist("game")) or set(followed.playing)
        playing = [game for name, game in followed.playing.items() if name in meant]
        return json_answer([values.board_of(game.values()) for game in playing])

    async def record(self, request: Request) -> Response:
        followed = await self._opened(request)
        data = await reading(lambda: values.record_file(followed, request.path_params["file"]))
        name = request.path_params["file"]
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="application/octet-stream", headers=headers)

    # Persons

    async def play(self, _: Request) -> Response:
        return HTMLResponse(pages.render("play.html", last=self._hub.broadcast.last))

    async def seat(self, request: Request) -> Response:
        seat = self.seats.of(request)
        again = await asyncio.to_thread(self.hosting.is_ours, seat.followed)
        return json_answer({**self.seats.standing(seat), "ticket": self.seats.ticket(seat), "again": again})

    async def echo(self, _: Request) -> Response:
        return json_answer({})  # a page measures how long that takes

    async def ready(self, request: Request) -> Response:
        seat, told = self.seats.of(request), await body(request)
        is_ready = told.get("ready") is True
        if not seat.followed.command(do="ready" if is_ready else "away", player=seat.player):
            raise HTTPException(409, "the competition is not running at the moment")
        return json_answer({"ok": True})

    async def say(self, request: Request) -> Response:
        seat, told = self.seats.of(request), await body(request)
        again = told.get("again") is True
        if (playing := seat.playing) is None:
            raise HTTPException(409, "you play no game at the moment")
        said = {} if again else _said(told)
        seat.followed.command(do="say", game=playing.spec.id, player=seat.player, again=again, **said)
        return json_answer({"ok": True})

    async def events(self, request: Request) -> Response:
        asked = request.query_params
        watched = [each for each in asked.getlist("watch") if "/seat " not in each and THOUGHTS not in each]
        seat = self.seats.listened(asked.get("seat", ""))
        is_organiser = self.steering.is_listening(asked.get("organiser", ""))
        own = seat and f"{seat.followed.name}/"
        watched = [
            f"{each}{THOUGHTS}"
            if (is_organiser or (own and each.startswith(own))) and not each.endswith("/boards")
            else each
            for each in watched
        ]
        if seat is not None:
            watched.append(seat.topic)
        after = request.headers.get("last-event-id") or request.query_params.get("after", "")
        return StreamingResponse(
            self._stream(watched, after),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def _stream(self, watched: Sequence[str], after: str) -> AsyncIterator[bytes]:
        """The events that a reader gets, until it leaves or is dropped."""
        broadcast = self._hub.broadcast
        reader = broadcast.read(watched, after)
        followed = [each for each in self._hub.competitions.values() if _is_meant(each, watched)]
        try:
            yield encode("hello", "{}", "" if after else broadcast.last)
            for each in followed:
                each.watch_changed()
            async for data in reader.messages():
                yield data
        finally:
            broadcast.leave(reader)
            for each in followed:
                each.watch_changed()


def _said(told: Mapping[str, Any]) -> dict[str, object]:
    """The words of a person at one of its seats, as a run takes it. Answers 400 for what is no answer."""
    try:
        answer = wire.decode(Answer, told.get("answer"))
    except ValueError as error:
        raise HTTPException(400, f"answer: {error}") from None
    if type(seat := told.get("seat")) is not int:
        raise HTTPException(400, "seat: expected its number")
    if len(text := wire.dumps(answer)) > MOST_TEXT:
        raise HTTPException(400, f"answer: expected at most {MOST_TEXT} characters, got {len(text)}")
    return {"seat": seat, "text": text}


def _has_people(followed: Followed) -> bool:
    players = followed.event.setup.players.values() if followed.event else ()
    return bool(persons_of(players))


def _is_meant(followed: Followed, watched: Sequence[str]) -> bool:
    return any(topic.startswith(f"{followed.name}/") for topic in watched)
