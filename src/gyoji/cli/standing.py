"""Commands about a competition as it stands in its store: show, reset, the report of a run; and stop."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from gyoji.cli.compose import Event, open_event
from gyoji.cli.exits import complain, say
from gyoji.cli.files import write_text
from gyoji.cli.gathering import gathered_lines, gathered_part, gathered_values
from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.ruling import is_waiting
from gyoji.core.text import legible_json
from gyoji.report.text import text_lines
from gyoji.scheduler.control import send_command
from gyoji.scheduler.counting import Counted, count
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles
from gyoji.store.resetting import reset
from gyoji.store.store import Store
from gyoji.tables.apart import apart_part, apart_values
from gyoji.tables.aside import aside_part, aside_values
from gyoji.tables.contained import contained_part, contained_values


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
        values = event.tables().values(endings.by_pairing)
        values |= {"void_games": voids, "running": running(event.files)}
        values |= {"secret_seed": event.setup.is_seed_secret}
        values |= {"waiting_for_judge": endings.waiting, **gathered_values(event)}
        values |= contained_values(event.competition.engines)
        values |= apart_values(event.comparison) | aside_values(event.failures, event.suspended)
        say(legible_json(values, indent=2))
        return ExitStatus.COMPLETE
    if voids:
        click.echo(void_line(voids))
    for line in list(text_lines(event.tables().screen())) or ["no results yet"]:
        say(line)
    for line in (*gathered_part(event), *apart_part(event.comparison), *aside_part(event.failures)):
        say(line)
    if endings.waiting:
        click.echo(f"waiting for the judge: {' '.join(endings.waiting)}")
    return ExitStatus.COMPLETE


def show_seed(path: Path) -> ExitStatus:
    """`gyoji show --seed`: what makes another event play the same games, given as its `seed`."""
    event = open_event(path)
    if event.setup.draws_seed and not event.files.database.exists():
        raise ConfigError(f"{path}: no seed has been drawn yet: that is done when the first run begins")
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
    lines = [*text_lines(event.tables().report()), *gathered_lines(event)]
    is_gomill = event.setup.names_games  # as only its control files do
    parts = (
        [] if is_gomill else contained_part(event.competition.engines),
        apart_part(event.comparison),
        aside_part(event.failures),
    )
    for part in parts:
        lines += part[bool(lines) and not lines[-1] :]
    return lines


def reset_file(path: Path) -> ExitStatus:
    """`gyoji reset`: everything but the control file goes."""
    event = open_event(path)
    reset(event.files)
    return ExitStatus.COMPLETE


def fold(event: Event, endings: Endings | None = None) -> int:
    """Count the stored games, and how they ended where somebody wants to know; how many were void.

    Raises ConfigError if there is nothing stored, or it is of another competition.
    """
    with Store.read(event.files.database, competition=event.setup.code) as store:
        others = () if endings is None else (endings,)
        note(event, count(store, event.comparison, event.competition, *others))
    return event.failures.count


def note(event: Event, counted: Counted) -> None:
    """Keep with an event what came of counting its games."""
    event.failures, event.suspended = counted.failures, counted.suspensions.all()


def stop_file(path: Path) -> ExitStatus:
    """`gyoji stop`: the control file is not read, only looked for."""
    if not path.exists():
        raise ConfigError(f"{path}: there is no such control file")
    files = CompetitionFiles(path)
    try:
        answer = send_command(files, {"do": "stop"})
    except ConfigError as error:
        complain(str(error))
        return ExitStatus.COMPLETE
    waiting = answer.get("games", [])
    click.echo("stopping" + (f"; in progress: {' '.join(game['id'] for game in waiting)}" if waiting else ""))
    return ExitStatus.COMPLETE


def running(files: CompetitionFiles) -> dict[str, Any] | None:
    """What a run that goes on says of itself, None if none does or it does not answer."""
    try:
        answer = send_command(files, {"do": "status"})
    except ConfigError:
        return None
    return {key: value for key, value in answer.items() if key != "ok"}


def void_line(number: int) -> str:
    """What screens and reports say of void games."""
    return f"{number} void {'game' if number == 1 else 'games'}; see the log file."
