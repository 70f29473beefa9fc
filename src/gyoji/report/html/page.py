"""The HTML report: the template engine, and the values for the templates.

Texts are not trusted: `_shown` makes every value of a template printable, and then it is escaped. Only the
style, the scripts and games as JSON, which this package makes, are inserted as they are.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from gyoji.core.tables import (
    Column,
    Estimate,
    Gauge,
    Map,
    Part,
    Score,
    Share,
    Table,
    Value,
    count,
)
from gyoji.core.text import legible_json, printable
from gyoji.report.html.games import game_values, moment, record_files
from gyoji.report.html.plots import Scale, mapped, plotted
from gyoji.report.html.scripts import bundle
from gyoji.tables.event_tables import player_lines
from gyoji.tables.pair_tables import game_sides
from gyoji.tables.report_tables import Account, tables

STYLE = "page.css"
SCRIPTS = (
    "bars.js",
    "beside.js",
    "board.js",
    "boardtext.js",
    "clocks.js",
    "curves.js",
    "dom.js",
    "frames.js",
    "keys.js",
    "list.js",
    "look.js",
    "moves.js",
    "panels.js",
    "shapes.js",
    "sound.js",
    "state.js",
    "talk.js",
    "viewer.js",
)
"""JavaScript modules of the viewer: see `gyoji.report.html.scripts`."""

ENTRY = "list.js"
"""The module that imports all others, directly or indirectly."""

TEMPLATES = ("page.html", "parts.html", "tables.html", "charts.html", "viewer.html", "games.html")
"""The files in `templates` that `page` uses."""

MOST_TEXT = 1000
"""Largest number of characters of a text on the page. The rest of a longer text is cut off."""

_CONTENTS = {
    "parameters": "Parameters",
    "estimate": "Estimate",
    "check": "Check match",
    "standings": "Standings",
    "bracket": "Bracket",
    "cross": "Everybody against everybody",
    "ratings": "Ratings",
    "pairs": "Two against each other",
    "games": "Games to replay",
    "sides": "Sides",
    "endings": "Endings",
    "thinking": "Time",
}
_LARGE = ("parameters", "estimate", "check", "standings", "bracket", "cross", "ratings", "pairs", "games")
"""Tables that have their own section of the page. The others are side by side in one section."""


def page(account: Account, assets: Mapping[str, str]) -> str:
    """Return the HTML page of a competition.

    Args:
        account: The tables, charts and games of the report.
        assets: The texts of the files STYLE, SCRIPTS and TEMPLATES, by name.
    """
    told = parts_of(account)
    # Newest first, as in the table of games: the numbers of the JSON blocks must agree with its rows.
    results = list(reversed(account.digest.newest))
    script = bundle(ENTRY, assets) if told["by_name"]["games"] else ""
    return (
        environment(assets)
        .get_template("page.html")
        .render(
            **told,
            setup=account.setup,
            facts=_facts(account, told["by_name"]["parameters"]),
            results=results,
            played=account.digest.played,
            games=(
                game_json({**game_values(spec, record), "files": record_files(spec, record)})
                for spec, record in account.games
            ),
            players=player_lines(account.engines),
            text=account.text,
            style=Markup(assets[STYLE]),
            script=Markup(script),
        )
    )


def parts_of(account: Account) -> dict[str, Any]:
    """Return the values for the template `parts.html`, which has all tables and charts."""
    by_name: dict[str, list[Part]] = {}
    for table in tables(account):
        by_name.setdefault(table.name, []).append(table)
    for name in _CONTENTS:
        by_name.setdefault(name, [])
    contents = [(name, title) for name, title in _CONTENTS.items() if by_name[name]]
    gauges = [each for each in account.charts if isinstance(each, Gauge)]
    if gauges:
        contents.insert(0, ("test", gauges[0].title))
    if len(gauges) < len(account.charts):
        contents.append(("progress", "Charts"))
    return {
        "contents": contents,
        "by_name": by_name,
        "others": [(name, made) for name, made in by_name.items() if made and name not in _LARGE],
        "sides": game_sides(account.setup.game),
        "scale": _scale(by_name["ratings"]),
        "charts": account.charts,
    }


def environment(assets: Mapping[str, str]) -> Environment:
    """Return the template engine, with the filters and tests that templates use.

    Args:
        assets: Texts of files by name. Those that end in .html are templates.
    """
    made = Environment(
        loader=DictLoader({name: text for name, text in assets.items() if name.endswith(".html")}),
        autoescape=True,
        finalize=_shown,
        # A misspelled name in a template is an error and not an empty text.
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["br"] = Markup("<br>")
    made.filters |= {
        # The hash of a script or style for the Content-Security-Policy of the page
        "digest": lambda text: f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}",
        "exact": _Exact,
        "moment": moment,
        "rows": _rows,
        "estimate": lambda row: next(value for _, value, _, _ in row if isinstance(value, Estimate)),
        "by_side": lambda score: " ".join(f"{count(own)}:{count(other)}" for own, other in score.sides),
        "plotted": plotted,
        "mapped": mapped,
    }
    made.tests |= {
        "gauge": lambda value: isinstance(value, Gauge),
        "map": lambda value: isinstance(value, Map),
        "share": lambda value: isinstance(value, Share),
        "score": lambda value: isinstance(value, Score),
    }
    return made


class _Exact(str):
    """Text for scripts on the page. It is escaped, but not made printable: scripts get it unchanged."""


def _shown(value: Any) -> Any:
    """Return a value as a template shows it: a text is made printable and cut off at MOST_TEXT."""
    if isinstance(value, str) and not isinstance(value, Markup | _Exact):
        return printable(value, MOST_TEXT)
    return value


def game_json(value: Any) -> Markup:
    """Return the JSON of a value for a script element, without "</script>", which would end the element."""
    # JSON allows escapes of <, > and & in strings.
    text = legible_json(value, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def _facts(account: Account, parameters: Sequence[Part]) -> list[tuple[str, str]]:
    """Return the facts at the top of the page, each as (number or word, its description).

    Args:
        account: The values of the report.
        parameters: The tables of a tuner's parameters; empty for other formats.
    """
    setup, digest = account.setup, account.digest
    left = "" if account.remaining is None else f", {account.remaining} to come"
    tuned = sum(len(list(each.rows())) for each in parameters if isinstance(each, Table))
    players = len({*digest.players, *digest.rankings.players})
    facts = [
        (str(digest.played), f"games played{left}"),
        (str(tuned), "parameter" if tuned == 1 else "parameters") if tuned else (str(players), "players"),
        (setup.game, f"{setup.kind}{f', {setup.place}' if setup.place else ''}"),
    ]
    if digest.played:
        facts.append((digest.first[:10], f"first game; the newest began {moment(digest.last)}"))
    if account.failures and account.failures.count:
        void = "void: games that failed through no fault of a player, and were played again"
        facts.append((str(account.failures.count), void))
    return facts


def _rows(table: Table) -> Iterator[list[tuple[str, Value, Column, bool]]]:
    """Yield the rows of a table. A cell is (text, value, column, whether it is the heading of its row)."""
    columns = table.shown
    first = next((index for index, column in enumerate(columns) if column.kind.is_text), -1)
    # Templates show a share with a bar and a score in a colour, for which they need the values.
    values = zip(*(column.values for column in columns), strict=True)
    for texts, row in zip(table.rows(), values, strict=True):
        yield [
            (text, value, column, index == first)
            for index, (text, value, column) in enumerate(zip(texts, row, columns, strict=True))
        ]


def _scale(ratings: list[Part]) -> Scale | None:
    """Return one scale that contains the intervals of all ratings; None without ratings."""
    found = [
        value
        for table in ratings
        if isinstance(table, Table)
        for column in table.columns
        for value in column.values
        if isinstance(value, Estimate)
    ]
    bounds = [each.value + sign * each.error for each in found for sign in (-1, 1)]
    return Scale(min(bounds), max(bounds)) if bounds else None
