"""Reports of a competition as markdown, BBCode, CSV, JSON and HTML."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files as resources
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameRecord
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Part, records_by_name
from gyoji.core.text import legible_json
from gyoji.report import html
from gyoji.report.bbcode import bbcode_lines, bbcode_table
from gyoji.report.csv import csv_lines, csv_table
from gyoji.report.markdown import markdown_lines, markdown_table
from gyoji.results.cross import crosses_of
from gyoji.results.standings import order_of
from gyoji.scheduler.event import Endings, Event, event_values, report_lines
from gyoji.tables.digest import ReportDigest, candidate_charts
from gyoji.tables.report_tables import MOST_PLAYERS, Account, tables

if TYPE_CHECKING:
    from gyoji.stats.placed_ratings import PlacedRatings
    from gyoji.stats.ratings import Ratings


_DOCUMENTS: Mapping[
    str,
    tuple[Callable[[CompetitionSetup, Iterable[Part]], Iterator[str]], Callable[[Part], Iterator[str]]],
] = MappingProxyType({"markdown": (markdown_lines, markdown_table), "bbcode": (bbcode_lines, bbcode_table)})
"""For each form of document: the function that makes all tables, and the one that makes one table."""


class StoredGames(Struct, frozen=True):
    """Some stored games. Each iteration reads them from the database.

    Attributes:
        ids: Ids of the games.
    """

    event: Event
    ids: Sequence[str]

    def __iter__(self) -> Iterator[tuple[GameSpec, GameRecord]]:
        with self.event.read() as store:
            yield from map(store.record, self.ids)


def report_text(event: Event, form: str, *, most: int | None, table: str | None) -> str:
    """Return the report of a competition's stored games.

    Args:
        form: "markdown", "bbcode", "csv", "json" or "html".
        most: Number of the newest games to list; None lists all.
        table: Name of the only table to return; None returns the whole report.

    Raises:
        ConfigError: The table would be empty, nothing is stored, or the database is another competition's.
    """
    digest, endings = ReportDigest(most, event.setup.players), Endings(counts=form == "json" and not table)
    with event.read() as store:
        event.count(store, digest, endings)
    account = account_of(event, digest, table)
    if form == "html":
        return _page(event, account)
    found = [each for each in tables(account) if table in (None, each.name)]
    if table and not found:
        raise ConfigError(f"{event.setup.code}: no game of it makes a table {table}")
    if form == "json":
        values = {} if table else event_values(event, endings, digest)
        return legible_json({**values, "tables": records_by_name(found)}, indent=2) + "\n"
    if form == "csv":
        lines = _parted(csv_table, found) if table else csv_lines(found)
    else:
        document, one = _DOCUMENTS[form]
        lines = _parted(one, found) if table else document(event.setup, found)
    return "".join(f"{line}\n" for line in lines)


def post_text(event: Event, digest: ReportDigest, form: str) -> str:
    """Return standings, bracket and cross table as a text to be pasted into a forum or a document.

    Args:
        form: "markdown" or "bbcode".
    """
    found = tables(account_of(event, digest))
    wanted = [each for each in found if each.name in ("standings", "bracket", "cross")]
    return "".join(f"{line}\n" for line in _DOCUMENTS[form][0](event.setup, wanted))


def account_of(event: Event, digest: ReportDigest, table: str | None = None) -> Account:
    """Collect the values from which the tables of a report are made.

    Args:
        digest: Sums over the results.
        table: Name of the only table that is wanted; None for all.
    """
    competition, crosses = event.competition, crosses_of(event.competition)
    return Account(
        setup=event.setup,
        digest=digest,
        crosses=crosses,
        engines=competition.engines,
        ratings=_ratings(digest, competition) if crosses and table in (None, "ratings") else None,
        placed=_placed(digest, competition) if table in (None, "ratings") else None,
        remaining=competition.remaining(),
        own=event.tables().tables(),
        comparison=event.comparison,
        failures=event.failures,
        games=StoredGames(event, [result.id for result in digest.newest]),
    )


def _ratings(digest: ReportDigest, competition: object) -> "Ratings | None":
    """Return the ratings of all players that have played. None if none have, or more than `MOST_PLAYERS`.

    Players with equal ratings are in the order of the standings.
    """
    if not 0 < len(digest.ledger.meetings().players) <= MOST_PLAYERS:
        return None
    from gyoji.stats.ratings import rate  # noqa: PLC0415 - numpy, which a server's start does without

    return rate(digest.ledger, order=order_of(competition))


def _placed(digest: ReportDigest, competition: object) -> "PlacedRatings | None":
    """Return the ratings from games of more than two sides; None if too few games, or too many players."""
    # One unit says nothing of how much chance there is.
    if not 0 < len(digest.placings.players) <= MOST_PLAYERS or digest.placings.units < 2:
        return None
    from gyoji.stats.placed_ratings import rate_placings  # noqa: PLC0415 - numpy

    return rate_placings(digest.placings, order=order_of(competition))


def _page(event: Event, account: Account) -> str:
    # The templates' engine is imported only for pages.
    from gyoji.report.html.page import page  # noqa: PLC0415

    return (
        page(replace(charted(event, account), text=report_lines(event, account.digest)), page_assets()) + "\n"
    )


def charted(event: Event, account: Account) -> Account:
    """Return the values of a report with its charts added."""
    return replace(account, charts=(*event.tables().charts(), *candidate_charts(account.digest.progress)))


def page_assets() -> dict[str, str]:
    """Return the contents of the files from which HTML pages are made, by name: style, scripts, templates."""
    from gyoji.report.html.page import SCRIPTS, STYLE, TEMPLATES  # noqa: PLC0415

    paths = {
        **{name: name for name in (STYLE, *SCRIPTS)},
        **{name: f"templates/{name}" for name in TEMPLATES},
    }
    beside = resources(html)
    return {name: beside.joinpath(path).read_text(encoding="utf-8") for name, path in paths.items()}


def _parted(lines_of: Callable[[Part], Iterable[str]], tables: Sequence[Part]) -> Iterator[str]:
    """Yield the lines of all tables, with a blank line between two tables.

    Args:
        lines_of: Returns the lines of one table.
    """
    for number, table in enumerate(tables):
        yield from chain([""] if number else [], lines_of(table))
