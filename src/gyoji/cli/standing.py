"""`gyoji show`: a competition as it stands, and the text of its report."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from gyoji.cli.control import running
from gyoji.cli.exits import say
from gyoji.cli.files import open_event, write_text
from gyoji.cli.screen import void_line
from gyoji.cli.totals import event_totals, totals_lines, totals_part
from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult, is_waiting
from gyoji.core.text import legible_json, quote
from gyoji.report.text import text_lines
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus
from gyoji.store.store import Store
from gyoji.tables.remarks import remark_values, remarks
from gyoji.tables.timings import timing_blocks, timing_values


@dataclass(slots=True)
class Endings:
    """How the games of each pairing ended. Counted as the results go by."""

    by_pairing: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    waiting: list[str] = field(default_factory=list)  # the ids of games that wait for the judge

    def add(self, result: GameResult) -> None:
        if is_waiting(result):
            self.waiting.append(result.id)
        self.by_pairing[result.pairing][result.outcome.ending.value] += 1


def show_file(path: Path, *, as_json: bool) -> ExitStatus:
    """`gyoji show`: the short report, or all of it as JSON."""
    event = open_event(path)
    endings = Endings()
    voids = fold(event, endings)
    if as_json:
        now = {"running": running(event.files), "secret_seed": event.setup.is_seed_secret}
        say(legible_json({**event_values(event, endings), **now}, indent=2))
        return ExitStatus.COMPLETE
    if voids:
        click.echo(void_line(voids))
    for line in list(text_lines(event.tables().screen())) or ["no results yet"]:
        say(line)
    for line in (*totals_part(event), *remarks(event.comparison, event.failures)):
        say(line)
    if endings.waiting:
        click.echo(f"waiting for the judge: {' '.join(endings.waiting)}")
    return ExitStatus.COMPLETE


def event_values(event: Event, endings: Endings) -> dict[str, Any]:
    """All that there is to say of an event whose games are counted, JSON-ready."""
    engines = event.competition.engines
    return {
        **event.tables().values(endings.by_pairing),
        "void_games": event.failures.count,
        "waiting_for_judge": endings.waiting,
        **event_totals(event),
        **remark_values(event.comparison, event.failures, engines=engines, suspended=event.suspended),
    }


def show_seed(path: Path) -> ExitStatus:
    """`gyoji show --seed`: what makes another event play the same games, given as its `seed`."""
    event = open_event(path)
    if event.setup.draws_seed and not event.files.database.exists():
        raise ConfigError(f"{path}: there is no seed yet: the first run draws it")
    click.echo(event.setup.seed)
    return ExitStatus.COMPLETE


def write_report(event: Event) -> None:
    """The report file as the competition stands now; readers never see half of it."""
    write_text(event.files.report, "".join(f"{line}\n" for line in report_lines(event)))


def report_lines(event: Event) -> list[str]:
    """The whole report as text, of all that has been counted.

    That of a control file of gomill's has gomill's layout, which says nothing of containment: the run does,
    as do the report's other forms.
    """
    lines = [*text_lines(event.tables().report()), *totals_lines(event)]
    is_gomill = event.setup.names_games  # as only its control files do
    told = remarks(event.comparison, event.failures, engines=None if is_gomill else event.competition.engines)
    return [*lines, *told[bool(lines) and not lines[-1] :]]


def fold(event: Event, endings: Endings | None = None) -> int:
    """Count the stored games, and how they ended where somebody wants to know; how many were void.

    Raises ConfigError if there is nothing stored, or it is of another competition.
    """
    with event.read() as store:
        event.count(store, *(() if endings is None else (endings,)))
    return event.failures.count


def show_timing(path: Path, game: str, *, as_json: bool) -> ExitStatus:
    """The whole command. Raises ConfigError for a game that is not stored."""
    event = open_event(path)
    with Store.read(event.files.database, competition=event.setup.code) as store:
        try:
            _, record = store.record(game)
        except KeyError:
            raise ConfigError(f"{event.source}: there is no finished game {quote(game)}") from None
    if as_json:
        say(legible_json({"game": game, "moves": timing_values(record)}, indent=2))
        return ExitStatus.COMPLETE
    for line in text_lines(timing_blocks(record)):
        say(line)
    return ExitStatus.COMPLETE
