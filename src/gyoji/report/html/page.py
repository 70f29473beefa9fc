"""The page: what its templates are filled with.

Text that anybody may have written stays text: templates escape every value, and `_shown` makes it printable
before. Only what is made here is markup: our style and scripts, and the games as JSON.
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
    Node,
    Part,
    Score,
    Share,
    Table,
    Tree,
    Value,
    count,
)
from gyoji.core.text import legible_json, printable
from gyoji.report.html.games import game_values, moment, record_files
from gyoji.report.html.plots import Scale, mapped, plotted
from gyoji.tables.event import player_lines
from gyoji.tables.general import Account, tables
from gyoji.tables.pairs import game_sides

STYLE = "page.css"
VIEWER = ("keys.js", "board.js", "boardtext.js", "viewer.js", "curves.js")
"""The scripts of a game on a board, in this order, wherever one is shown."""

SCRIPTS = (*VIEWER, "list.js")
TEMPLATES = ("page.html", "parts.html", "tables.html", "charts.html", "viewer.html", "games.html")
"""The files beside this module, and in `templates`, that `page` is given the texts of."""

MOST_TEXT = 1000
"""Characters of a line of text that are shown."""

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
"""Tables that have places of their own; the others stand side by side, in their order."""


def page(account: Account, assets: Mapping[str, str]) -> str:
    """The whole page. assets: the texts of STYLE, SCRIPTS and TEMPLATES by name."""
    told = parts_of(account)
    results = list(reversed(account.digest.newest))
    script = "\n".join(assets[name] for name in SCRIPTS) if told["by_name"]["games"] else ""
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
    """The values for the template of tables and charts; by_name: all of them, `_LARGE` ones too."""
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
    """The reader of the templates, which decides how values get into them."""
    made = Environment(
        loader=DictLoader({name: text for name, text in assets.items() if name.endswith(".html")}),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["br"] = Markup("<br>")
    made.filters |= {
        "digest": _digest,
        "exact": _Exact,
        "moment": moment,
        "rows": _rows,
        "places": _places,
        "estimate": _estimate,
        "by_side": _by_side,
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
    """Text for scripts, which need it as it is: escaped, but not made printable."""


def _shown(value: Any) -> Any:
    """A value as templates print it."""
    if isinstance(value, str) and not isinstance(value, Markup | _Exact):
        return printable(value, MOST_TEXT)
    return value


def _digest(text: str) -> str:
    """How a content security policy names a script or style that it allows."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def game_json(value: Any) -> Markup:
    """A value for scripts to read, in an element of its own: nothing in it can end the element."""
    text = legible_json(value, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def _facts(account: Account, parameters: Sequence[Part]) -> list[tuple[str, str]]:
    """The numbers that come first. parameters: the tables of what is tuned."""
    setup, digest = account.setup, account.digest
    left = "" if account.remaining is None else f", {account.remaining} to come"
    tuned = sum(len(list(each.rows())) for each in parameters if isinstance(each, Table))
    players = len({*digest.players, *digest.places.players})
    facts = [
        (str(digest.played), f"games played{left}"),
        (str(tuned), "parameter" if tuned == 1 else "parameters") if tuned else (str(players), "players"),
        (setup.game, f"{setup.kind}{f', {setup.place}' if setup.place else ''}"),
    ]
    if digest.played:
        facts.append((digest.first[:10], f"first game; the newest began {moment(digest.last)}"))
    if account.voids:
        facts.append(
            (
                str(account.voids),
                "void: games that failed through no fault of a player, and were played again",
            )
        )
    return facts


def _rows(table: Table) -> Iterator[list[tuple[str, Value, Column, bool]]]:
    """The cells of each row: text, value, column, and whether it is the heading of the row."""
    first = next((index for index, column in enumerate(table.columns) if column.kind.is_text), -1)
    values = zip(*(column.values for column in table.columns), strict=True)
    for texts, row in zip(table.rows(), values, strict=True):
        yield [
            (text, value, column, index == first)
            for index, (text, value, column) in enumerate(zip(texts, row, table.columns, strict=True))
        ]


def _places(tree: Tree) -> Iterator[list[tuple[Node | None, int]]]:
    """The rows of a tree: the places that begin in each, first round first, and how many rows each takes."""
    levels = tree.levels
    for row in range(len(levels[0])):
        yield [(level[row >> n], 1 << n) for n, level in enumerate(levels) if row % (1 << n) == 0]


def _estimate(row: list[tuple[str, Value, Column, bool]]) -> Estimate:
    return next(value for _, value, _, _ in row if isinstance(value, Estimate))


def _by_side(score: Score) -> str:
    return " ".join(f"{count(own)}:{count(other)}" for own, other in score.sides)


def _scale(ratings: list[Part]) -> Scale | None:
    """The scale of all estimates, None if there are none."""
    found = [
        value
        for table in ratings
        if isinstance(table, Table)
        for column in table.columns
        for value in column.values
        if isinstance(value, Estimate)
    ]
    if not found:
        return None
    return Scale(
        min(each.value - each.error for each in found), max(each.value + each.error for each in found)
    )
