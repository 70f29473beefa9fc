"""The contents of a report, read from the store, and the forms it can have beside plain text."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files as resources
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from gyoji.cli.gathering import gathered_values
from gyoji.cli.standing import Endings, report_lines
from gyoji.core.faults import ConfigError
from gyoji.core.record import GameRecord
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Table
from gyoji.core.text import legible_json
from gyoji.pairing.tally import crosses_of
from gyoji.report import csv_text, html, markdown
from gyoji.scheduler.event import Event
from gyoji.stats.ratings import Ratings, rate
from gyoji.store.store import Store
from gyoji.tables.digest import Digest, candidate_charts
from gyoji.tables.general import MOST_PLAYERS, Account, tables
from gyoji.tables.remarks import remark_values


@dataclass(frozen=True, slots=True)
class StoredGames:
    """Games of an event by their ids, read from its store each time somebody goes through them."""

    event: Event
    ids: Sequence[str]

    def __iter__(self) -> Iterator[tuple[GameSpec, GameRecord]]:
        with Store.read(self.event.files.database, competition=self.event.setup.code) as store:
            yield from map(store.record, self.ids)


class Told(NamedTuple):
    """The contents of a report. values: those of `gyoji show --json`; table: the only one wanted, or None."""

    account: Account
    values: Mapping[str, Any]
    table: str | None

    def tables(self) -> list[Table]:
        """The tables. Raises ConfigError if the one that is wanted would be empty."""
        found = [each for each in tables(self.account) if self.table in (None, each.name)]
        if self.table and not found:
            raise ConfigError(f"{self.account.setup.code}: no game of it makes a table {self.table}")
        return found


def report_text(event: Event, form: str, *, most: int | None, table: str | None) -> str:
    """The report in one of the `FORMS`. most: of the newest games; table: the name of the only one wanted.

    Raises ConfigError for a table that would be empty, and as `tell`.
    """
    account, values = tell(event, most)
    return "".join(f"{line}\n" for line in FORMS[form](Told(account, values, table)))


def tell(event: Event, most: int | None) -> tuple[Account, dict[str, Any]]:
    """Count the stored games; what there is to tell, and the values that `gyoji show --json` has.

    Raises ConfigError if there is nothing stored, or it is of another competition.
    """
    digest, endings, competition = Digest(most, event.setup.players), Endings(), event.competition
    with event.read() as store:
        event.count(store, digest, endings)
    voids = event.failures.count
    crosses, shown = crosses_of(competition), event.tables()
    account = Account(
        setup=event.setup,
        digest=digest,
        crosses=crosses,
        engines=competition.engines,
        ratings=_ratings(digest) if crosses else None,
        remaining=competition.remaining(),
        voids=voids,
        own=shown.tables(),
        text=report_lines(event),
        charts=(*shown.charts(), *candidate_charts(digest.progress)),
        comparison=event.comparison,
        failures=event.failures,
        games=StoredGames(event, [result.id for result in digest.newest]),
    )
    values = shown.values(endings.by_pairing)
    values |= {"void_games": voids, "waiting_for_judge": endings.waiting, **gathered_values(event)}
    values |= remark_values(
        event.comparison, event.failures, engines=competition.engines, suspended=event.suspended
    )
    return account, values


def _ratings(digest: Digest) -> Ratings | None:
    """The ratings of all who have played, unless there are too many of them, or nobody has."""
    players = digest.ledger.meetings().players
    return rate(digest.ledger) if 0 < len(players) <= MOST_PLAYERS else None


def _markdown(told: Told) -> Iterable[str]:
    if told.table is None:
        return markdown.markdown_lines(told.account.setup, told.tables())
    return _parted(map(markdown.table_lines, told.tables()))


def _csv(told: Told) -> Iterable[str]:
    if told.table is None:
        return csv_text.csv_lines(told.tables())
    return _parted(map(csv_text.table_lines, told.tables()))


def _json(told: Told) -> Iterable[str]:
    tables = [
        {"name": table.name, "title": table.title, "columns": table.headings, "rows": list(table.rows())}
        for table in told.tables()
    ]
    values = told.values if told.table is None else {}
    return [legible_json({**values, "tables": tables}, indent=2)]


def _html(told: Told) -> Iterable[str]:
    # The templates' engine is imported only for pages.
    from gyoji.report.html.page import SCRIPTS, STYLE, TEMPLATES, page  # noqa: PLC0415

    beside = resources(html)
    paths = {
        **{name: name for name in (STYLE, *SCRIPTS)},
        **{name: f"templates/{name}" for name in TEMPLATES},
    }
    assets = {name: beside.joinpath(path).read_text(encoding="utf-8") for name, path in paths.items()}
    return [page(told.account, assets)]


def _parted(tables: Iterable[Iterable[str]]) -> Iterator[str]:
    """The lines of tables, a blank one between two."""
    for number, lines in enumerate(tables):
        yield from chain([""] if number else [], lines)


FORMS: Mapping[str, Callable[[Told], Iterable[str]]] = MappingProxyType(
    {"markdown": _markdown, "csv": _csv, "json": _json, "html": _html}
)
"""How a report is written, by what the user calls it."""
