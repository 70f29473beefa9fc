"""Commands about a competition as it stands (show, reset), and as it is being played (stop, control)."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from gyoji.cli.exits import complain, say
from gyoji.cli.files import open_event, write_text
from gyoji.cli.gathering import gathered_lines, gathered_part, gathered_values
from gyoji.cli.screen import void_line
from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.ruling import is_waiting
from gyoji.core.text import legible_json, quote
from gyoji.report.text import text_lines
from gyoji.scheduler.control import ANSWER_SECONDS, send_command
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles, reset
from gyoji.store.store import Store
from gyoji.tables.remarks import remark_values, remarks
from gyoji.tables.timings import timing_blocks, timing_values

RELOAD_SECONDS = 600.0
"""How long a run may take to count all its games anew."""


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
        engines = event.competition.engines
        values |= remark_values(event.comparison, event.failures, engines=engines, suspended=event.suspended)
        say(legible_json(values, indent=2))
        return ExitStatus.COMPLETE
    if voids:
        click.echo(void_line(voids))
    for line in list(text_lines(event.tables().screen())) or ["no results yet"]:
        say(line)
    for line in (*gathered_part(event), *remarks(event.comparison, event.failures)):
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
    told = remarks(event.comparison, event.failures, engines=None if is_gomill else event.competition.engines)
    return [*lines, *told[bool(lines) and not lines[-1] :]]


def reset_file(path: Path) -> ExitStatus:
    """`gyoji reset`: everything but the control file goes."""
    event = open_event(path)
    reset(event.files)
    return ExitStatus.COMPLETE


def fold(event: Event, endings: Endings | None = None) -> int:
    """Count the stored games, and how they ended where somebody wants to know; how many were void.

    Raises ConfigError if there is nothing stored, or it is of another competition.
    """
    with event.read() as store:
        event.count(store, *(() if endings is None else (endings,)))
    return event.failures.count


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
    """The status of the run in progress, None if there is none or it does not answer."""
    try:
        answer = send_command(files, {"do": "status"})
    except ConfigError:
        return None
    return {key: value for key, value in answer.items() if key != "ok"}


def control_file(
    path: Path, *, parallel: int | None, pause: bool, resume: bool, reload: bool, status: bool
) -> ExitStatus:
    """The whole command: everything that is asked for, in an order that makes sense."""
    if not (parallel or pause or resume or reload or status):
        raise click.UsageError("say what to do: --parallel, --pause, --resume, --reload or --status")
    if pause and resume:
        raise click.UsageError("--pause and --resume contradict each other")
    if not path.exists():
        raise ConfigError(f"{path}: there is no such control file")
    files = CompetitionFiles(path)
    answer = _ask(files, {"do": "pause" if pause else "status"})
    if reload:
        from gyoji.cli.checking import check_newcomers  # noqa: PLC0415 - nothing else here starts engines

        if not check_newcomers(open_event(path), answer["players"]):
            complain(f"{path}: not read again: the competition goes on as it was")
            return ExitStatus.HALTED
        answer = _ask(files, {"do": "reload"}, RELOAD_SECONDS)
    if parallel:
        answer = _ask(files, {"do": "parallel", "games": parallel})
    if resume:
        answer = _ask(files, {"do": "resume"})
    click.echo(legible_json(answer, indent=2) if status else state_line(answer))
    return ExitStatus.COMPLETE


def _ask(files: CompetitionFiles, command: Mapping[str, Any], seconds: float = ANSWER_SECONDS) -> Any:
    """Send a command to the run; its answer. Raises ConfigError if it refuses or does not answer."""
    answer = send_command(files, command, seconds=seconds)
    if not answer.pop("ok"):
        raise ConfigError(answer["error"])
    return answer


def state_line(status: Mapping[str, Any]) -> str:
    """How a run is, in one line.

    >>> state = {"stopping": None, "paused": False, "parallel": 2, "games": [], "remaining": 7}
    >>> state_line(state)
    '2 at once, 7 to be started'
    >>> state_line(state | {"paused": True, "games": [{"id": "0_1"}], "remaining": None})
    'paused, 2 at once, in progress: 0_1'
    """
    parts = [f"stopping: {status['stopping']}"] if status["stopping"] else []
    parts += ["paused"] if status["paused"] else []
    parts.append(f"{status['parallel']} at once")
    parts += [f"{status['remaining']} to be started"] if status["remaining"] is not None else []
    parts += [f"in progress: {' '.join(game['id'] for game in status['games'])}"] if status["games"] else []
    return ", ".join(parts)


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
