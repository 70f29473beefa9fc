"""The page: what its templates are filled with.

Text that anybody may have written stays text: templates escape every value, and `_shown` makes it printable
before. Only what is made here is markup: our style and scripts, and the games as JSON.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from math import ceil, floor, log10
from typing import Any, NamedTuple

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from gyoji.core.tables import (
    Chart,
    Column,
    Estimate,
    Line,
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
from gyoji.report.html.games import game_values, moment
from gyoji.tables.event import player_lines
from gyoji.tables.general import Account, tables
from gyoji.tables.pairs import game_sides

STYLE, SCRIPTS = "page.css", ("board.js", "viewer.js", "list.js")
TEMPLATES = ("page.html", "parts.html", "tables.html", "charts.html", "viewer.html", "games.html")
"""The files beside this module, and in `templates`, that `page` is given the texts of."""

MOST_TEXT = 1000
"""Characters of a line of text that are shown."""

_CONTENTS = {
    "parameters": "Parameters",
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
_LARGE = ("parameters", "standings", "bracket", "cross", "ratings", "pairs", "games")
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
            facts=_facts(account),
            results=results,
            played=account.digest.played,
            games=(game_json(game_values(spec, record)) for spec, record in account.games),
            players=player_lines(account.engines),
            text=account.text,
            style=Markup(assets[STYLE]),
            script=Markup(script),
        )
    )


def parts_of(account: Account) -> dict[str, Any]:
    """What the template of tables and charts is filled with; by_name: all of them, `_LARGE` ones too."""
    by_name: dict[str, list[Part]] = {}
    for table in tables(account):
        by_name.setdefault(table.name, []).append(table)
    for name in _CONTENTS:
        by_name.setdefault(name, [])
    contents = [(name, title) for name, title in _CONTENTS.items() if by_name[name]]
    if account.charts:
        contents.append(("progress", "Progress"))
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
    }
    made.tests |= {
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


def _facts(account: Account) -> list[tuple[str, str]]:
    """The numbers that come first."""
    setup, digest = account.setup, account.digest
    left = "" if account.remaining is None else f", {account.remaining} to come"
    facts = [
        (str(digest.played), f"games played{left}"),
        (str(len({*digest.players, *digest.places.players})), "players"),
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


# Where things stand in plots, in percent of their width and height; `templates/charts.html` draws them

MOST_POINTS = 600
"""The most points of a line that are all drawn; of a longer one the lowest and highest of each stretch."""

_NOTHING = 1e-9
"""Numbers that differ by a smaller part of themselves are one."""


class Scale:
    """Numbers from low to high as percent of a length, with ticks at round numbers."""

    def __init__(self, low: float, high: float) -> None:
        if high - low < _NOTHING * max(abs(low), abs(high), 1):
            low, high = low - 1, high + 1
        self.low, self.high = low, high

    def percent(self, value: float) -> float:
        """Where a number stands, 0 at the low end, rounded to hundredths."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def downwards(self, value: float) -> float:
        """The same from the high end."""
        return round(100 - self.percent(value), 2)

    def bounded(self, value: float) -> float:
        """The number, or the end of the scale that is next to it."""
        return min(max(value, self.low), self.high)

    def ticks(self, most: int = 6) -> list[float]:
        """Round numbers in the scale: multiples of 1, 2 or 5 times a power of ten.

        >>> Scale(-130, 240).ticks(), Scale(0, 1).ticks()
        ([-100.0, 0.0, 100.0, 200.0], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
        """
        rough = (self.high - self.low) / most
        power = 10.0 ** floor(log10(rough))
        step = next(power * each for each in (1, 2, 5, 10) if power * each >= rough * (1 - 1e-9))
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [round(number * step, 10) for number in range(first, last + 1)]


class Plot(NamedTuple):
    """A chart on its scales. paths: of its lines, as SVG has them."""

    across: Scale
    up: Scale
    paths: tuple[str, ...]


def plotted(chart: Chart) -> Plot | None:
    """None of a chart without points."""
    points = [point for line in chart.lines for point in line.points]
    if not points:
        return None
    across = Scale(min(x for x, _ in points), max(x for x, _ in points))
    heights = [y for _, y in points] + [y for _, y in chart.limits]
    up = Scale(min(heights), max(heights))
    return Plot(across, up, tuple(_path(line, across, up) for line in chart.lines))


def _path(line: Line, across: Scale, up: Scale) -> str:
    return "M" + "L".join(f"{across.percent(x)} {up.downwards(y)}" for x, y in thinned(line.points))


def thinned(points: Sequence[tuple[float, float]], most: int = MOST_POINTS) -> list[tuple[float, float]]:
    """The points, or of many the lowest and the highest of each of `most` / 2 stretches, in their order.

    >>> thinned([(0, 0), (1, 5), (2, 1), (3, 0), (4, 9), (5, 2)], most=4)
    [(0, 0), (1, 5), (3, 0), (4, 9), (5, 2)]
    """
    if len(points) <= most:
        return list(points)
    size = ceil(len(points) / (most // 2))
    kept: list[tuple[float, float]] = [points[0]]
    for start in range(0, len(points), size):
        stretch = points[start : start + size]
        ends = {min(stretch, key=lambda point: point[1]), max(stretch, key=lambda point: point[1])}
        kept += sorted(ends - {kept[-1]})
    return kept if kept[-1] == points[-1] else [*kept, points[-1]]


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
