"""The HTML pages, made from templates. jinja2 escapes all values, since engines and people write some of
them.
"""

import gzip
from functools import cache
from hashlib import sha256
from importlib.resources import files as resources
from typing import Any

from jinja2 import Environment

from gyoji import web
from gyoji.report.html.page import SCRIPTS, STYLE, environment, game_json, parts_of
from gyoji.report.html.scripts import modules
from gyoji.scheduler.reports import account_of, charted, page_assets
from gyoji.tables.event_tables import player_lines
from gyoji.web.watched import WatchedCompetition


@cache
def assets() -> dict[str, bytes]:
    """Return the contents of the scripts and style sheets that pages load, by file name."""
    shared = page_assets()
    return {**_files("static"), **{name: shared[name].encode() for name in (*SCRIPTS, STYLE)}}


def _files(folder: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in resources(web).joinpath(folder).iterdir()}


@cache
def packed(name: str) -> bytes:
    """Return the content of a script or style sheet, compressed by gzip."""
    return gzip.compress(assets()[name], 6, mtime=0)


def prepare() -> None:
    """Compile the templates and compress the assets, so that the first page does not wait for it."""
    made = _environment()
    for name in made.list_templates():
        made.get_template(name)
    for name in assets():
        packed(name)


@cache
def version() -> str:
    """Return a hash of all scripts and style sheets. It is in their URLs, so that browsers may keep them."""
    named = (name.encode() + data for name, data in sorted(assets().items()))
    return sha256(b"".join(named)).hexdigest()[:12]


# Templates are read once: a server runs for weeks, and its package does not change.
@cache
def _environment() -> Environment:
    own = {f"web/{name}": data.decode() for name, data in _files("templates").items()}
    made = environment({**page_assets(), **own})
    scripts = {name: data.decode() for name, data in assets().items()}
    made.filters["json"] = game_json
    made.globals |= {"assets": version(), "modules": cache(lambda entry: modules(entry, scripts))}
    return made


def render(name: str, **values: Any) -> str:
    """Return a page: the template `name`, filled with `values`."""
    return _environment().get_template(f"web/{name}").render(**values)


def parts(watched: WatchedCompetition) -> str:
    """Return the tables and charts of a competition as HTML. Call it in a thread: ratings take a while."""
    event = watched.event
    if event is None:
        return ""
    account = charted(event, account_of(event, watched.digest))
    told = parts_of(account)
    told["by_name"]["games"] = []  # the list of games is a page of its own
    return (
        _environment()
        .get_template("parts.html")
        .render(**told, players=player_lines(event.competition.engines))
    )
