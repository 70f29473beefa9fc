"""The page: what is on it, in which order, and what a stranger is told about each part of it."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice

from gyoji.core.progress import Chart
from gyoji.report.account import Account
from gyoji.report.crosstable import rows
from gyoji.report.html.games import game_values, games_table
from gyoji.report.html.markup import element, inline, json_block, moment, paragraph
from gyoji.report.html.plots import Scale, chart_plot, error_bar, tick_names
from gyoji.report.html.tables import cross_table, sheet_table
from gyoji.report.html.viewer import filter_markup, viewer_markup
from gyoji.report.matchup import game_sides
from gyoji.report.parts import player_lines
from gyoji.report.sheet import Sheet
from gyoji.report.sheets import cross_sheets, sheets
from gyoji.stats.ratings import Ratings

STYLE, SCRIPTS = "page.css", ("board.js", "viewer.js", "list.js")
"""The files beside this module that `page_lines` is given the texts of."""


def page_lines(account: Account, assets: Mapping[str, str]) -> Iterator[str]:
    """The whole page, piece by piece. assets: the texts of STYLE and SCRIPTS by name."""
    made = sheets(account)
    has_games = any(sheet.name == "games" for sheet in made)
    script = "\n".join(assets[name] for name in SCRIPTS) if has_games else ""
    yield from _head(account, assets[STYLE], script)
    yield from _facts(account)
    yield from _contents(made, account.charts)
    yield "<main>"
    yield from _section(_standings(account, made), is_large=True)
    yield from _section(_ratings(account.ratings, made), is_large=True)
    yield from _section(_charts(account.charts), is_large=True)
    yield from _section(_games(account, made), is_large=True)
    for name in (
        "totals",
        "sides",
        "endings",
        "losses",
        "thinking",
        "pace",
        "containment",
        "apart",
        "changed",
        "aside",
        "voids",
    ):
        yield from _section(_tables(name, made))
    yield from _section(_rest(account), is_large=True)
    yield f"</main>\n<script>{script}</script>\n</body>\n</html>"


def _section(content: Iterator[str], *, is_large: bool = False) -> Iterator[str]:
    """A part of the page, nothing if there is nothing in it; large ones have the whole width."""
    first = next(content, None)
    if first is not None:
        yield '<section class="large">' if is_large else "<section>"
        yield first
        yield from content
        yield "</section>"


def _head(account: Account, style: str, script: str) -> Iterator[str]:
    """Nothing may be loaded, and no script runs but ours: even a mistake in escaping would do no harm."""
    allowed = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    title = inline(account.setup.code)
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
    yield f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<h1>{title}</h1>"
    if account.setup.description:
        yield f"<p>{paragraph(account.setup.description)}</p>"


def _digest(text: str) -> str:
    """How a content security policy names a script or style that it allows."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _facts(account: Account) -> Iterator[str]:
    """The numbers that come first."""
    setup, digest = account.setup, account.digest
    left = "" if account.remaining is None else f", {account.remaining} to come"
    facts = [
        (str(digest.played), f"games played{left}"),
        (str(len(digest.players)), "players"),
        (setup.game, f"{setup.kind}{f', {setup.place}' if setup.place else ''}"),
    ]
    if digest.played:
        facts.append((digest.first[:10], f"first game; the newest began {moment(digest.last)}"))
    if account.voids:
        facts.append((str(account.voids), "void: games that no player spoiled, played again"))
    items = (f"<li><b>{inline(big)}</b><small>{inline(small)}</small></li>" for big, small in facts)
    yield f'<ul class="facts">{"".join(items)}</ul>'


def _contents(made: Sequence[Sheet], charts: Sequence[Chart]) -> Iterator[str]:
    """Links to the parts that there are."""
    titles = {sheet.name: title for sheet in reversed(made) if (title := _TITLES.get(sheet.name))}
    links = [f'<a href="#part-{name}">{title}</a>' for name, title in _TITLES.items() if name in titles]
    if charts:
        links.append('<a href="#part-progress">Progress</a>')
    yield f"<nav>{''.join(links)}</nav>"


_TITLES = {
    "standings": "Standings",
    "cross": "Everybody against everybody",
    "ratings": "Ratings",
    "games": "Games to replay",
    "sides": "Sides",
    "endings": "Endings",
    "thinking": "Time",
}


def _tables(name: str, made: Sequence[Sheet]) -> Iterator[str]:
    """The sheets of a name as they are."""
    for number, sheet in enumerate(each for each in made if each.name == name):
        yield from _heading(sheet, name if number == 0 else "")
        yield from sheet_table(sheet)


def _heading(sheet: Sheet, anchor: str) -> Iterator[str]:
    yield element("h2", inline(sheet.title), id=f"part-{anchor}" if anchor else None)
    if sheet.note:
        yield f"<p>{inline(sheet.note)}</p>"


def _standings(account: Account, made: Sequence[Sheet]) -> Iterator[str]:
    """The standings, and the cross tables in colours."""
    yield from _tables("standings", made)
    names = game_sides(account.setup.game)
    for number, (heading, cross) in enumerate(account.crosses.items()):
        for sheet in cross_sheets(heading, cross):
            yield from _heading(sheet, "" if number else "cross")
            yield from cross_table(sheet, rows(cross), names)


def _ratings(ratings: Ratings | None, made: Sequence[Sheet]) -> Iterator[str]:
    """The ratings, each with its bar on a scale that all of them have in common."""
    if ratings is None:
        return
    scale = Scale(
        min(place.elo - place.error for place in ratings.places),
        max(place.elo + place.error for place in ratings.places),
    )
    places = iter(ratings.places)
    for number, sheet in enumerate(each for each in made if each.name == "ratings"):
        yield from _heading(sheet, "" if number else "ratings")
        bars = [error_bar(scale, place.elo, place.error) for place in islice(places, len(list(sheet.rows())))]
        yield from sheet_table(sheet, plotted=[*bars, tick_names(scale)])


def _charts(charts: Sequence[Chart]) -> Iterator[str]:
    """How it went."""
    for number, chart in enumerate(charts):
        yield element("h2", inline(chart.title), id=None if number else "part-progress")
        if chart.note:
            yield f"<p>{inline(chart.note)}</p>"
        yield from chart_plot(chart)


def _games(account: Account, made: Sequence[Sheet]) -> Iterator[str]:
    """The viewer, the list, and the games themselves for the scripts."""
    for sheet in made:
        if sheet.name == "games":
            results = list(reversed(account.digest.newest))
            yield from _heading(sheet, "games")
            if len(results) < account.digest.played:
                yield f"<p>Of {account.digest.played} games the newest {len(results)} are in this page.</p>"
            yield viewer_markup()
            yield filter_markup(results)
            yield from games_table(sheet, results)
            for number, (spec, record) in enumerate(account.games):
                yield json_block(game_values(spec, record), f"game{len(results) - 1 - number}")


def _rest(account: Account) -> Iterator[str]:
    """What players said of themselves, and the report as text."""
    lines = list(player_lines(account.engines))
    if lines:
        yield "<h2>What the players say they are</h2>"
        yield f"<ul>{''.join(f'<li>{inline(line)}</li>' for line in lines)}</ul>"
    if account.text:
        text = "\n".join(inline(line) for line in account.text)
        yield f"<details><summary>The report as text</summary><pre>{text}</pre></details>"
    yield "<p><small>Made by gyoji.</small></p>"
