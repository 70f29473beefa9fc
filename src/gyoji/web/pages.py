"""The pages, made from templates. Everything in them that anybody may have written is escaped."""

from functools import cache
from hashlib import sha256
from importlib.resources import files as resources
from typing import Any

from jinja2 import Environment

from gyoji import web
from gyoji.report.html.page import STYLE, VIEWER, environment, parts_of
from gyoji.scheduler.reports import account_of, charted, page_assets
from gyoji.tables.event import player_lines
from gyoji.web.following import Followed

_PAGES = (
    "shell.html",
    "home.html",
    "competition.html",
    "games.html",
    "wall.html",
    "game.html",
    "path.html",
    "viewer_scripts.html",
    "play.html",
    "judge.html",
    "draw.html",
    "invitations.html",
    "newgame.html",
)
_SCRIPTS = (
    "feed.js",
    "live.js",
    "home.js",
    "competition.js",
    "gamelist.js",
    "wall.js",
    "painter.js",
    "game.js",
    "trying.js",
    "line.js",
    "play.js",
    "seat.js",
    "plans.js",
    "turn.js",
    "wording.js",
    "judge.js",
    "upload.js",
    "operator.js",
    "draw.js",
    "again.js",
    "invitations.js",
    "newgame.js",
    "position.js",
    "web.css",
)


@cache
def assets() -> dict[str, bytes]:
    """The files that browsers load besides pages, by name."""
    beside, shared = resources(web).joinpath("static"), page_assets()
    own = {name: beside.joinpath(name).read_bytes() for name in _SCRIPTS}
    return {**own, **{name: shared[name].encode() for name in (*VIEWER, STYLE)}}


@cache
def version() -> str:
    """A name for what browsers load, so that they keep it until it changes."""
    made = sha256()
    for name, data in sorted(assets().items()):
        made.update(name.encode() + data)
    return made.hexdigest()[:12]


@cache
def _environment() -> Environment:
    beside = resources(web).joinpath("templates")
    own = {f"web/{name}": beside.joinpath(name).read_text(encoding="utf-8") for name in _PAGES}
    made = environment({**page_assets(), **own})
    made.globals |= {"assets": version(), "viewer_scripts": VIEWER[1:]}
    return made


def render(name: str, **values: Any) -> str:
    """A page, by the name of its template."""
    return _environment().get_template(f"web/{name}").render(**values)


def parts(followed: Followed) -> str:
    """The tables and charts of a competition. Call it in a thread: ratings may take a while."""
    event = followed.event
    if event is None:
        return ""
    account = charted(event, account_of(event, followed.digest))
    told = parts_of(account)
    told["by_name"]["games"] = []  # they have a page of their own
    return (
        _environment()
        .get_template("parts.html")
        .render(**told, players=player_lines(event.competition.engines))
    )
