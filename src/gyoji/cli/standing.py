"""A competition as it stands: opened, counted, shown by `gyoji show`, taken away by `gyoji reset`."""

from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from gyoji.cli.control import running
from gyoji.cli.exits import complain, say
from gyoji.cli.screen import void_line
from gyoji.core import wire
from gyoji.core.faults import Breakdown, ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.text import legible, legible_json, quote
from gyoji.pairing.games import known_names
from gyoji.report.text import text_lines
from gyoji.scheduler.event import Endings, Event, comparable, event_values, report_lines, totals_part
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import reset
from gyoji.store.filesystem import write_file
from gyoji.tables.remarks import remarks
from gyoji.tables.timings import timing_blocks, timing_values
from gyoji.tables.totals import Plans, plans_blocks, plans_values


def open_event(path: Path) -> Event:
    """The event of a control file; what may be a mistake in it is said on stderr. Raises ConfigError."""
    return Event.open(path, complain)


def write_text(path: Path, text: str) -> None:
    """Put `text` into a file, in one step. Raises Breakdown if it cannot be written."""
    write_bytes(path, legible(text).encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Put `content` into a file, in one step. Raises Breakdown if it cannot be written."""
    try:
        write_file(path, content)
    except OSError as error:
        raise Breakdown(f"{path} cannot be written: {error.strerror}") from None


def fold(event: Event, *others: Any) -> int:
    """Count the stored games, here and in `others`; how many were void.

    Raises ConfigError if there is nothing stored, or it is of another competition.
    """
    with event.read() as store:
        event.count(store, *others)
    return event.failures.count


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


def show_timing(path: Path, game: str, *, as_json: bool) -> ExitStatus:
    """The whole command. Raises ConfigError for a game that is not stored."""
    event = open_event(path)
    with event.read() as store:
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


def reset_file(path: Path) -> ExitStatus:
    """`gyoji reset`: everything but the control file goes."""
    event = open_event(path)
    reset(event.files)
    return ExitStatus.COMPLETE


def show_plans(path: Path, *, as_json: bool) -> ExitStatus:
    """`gyoji show --plans`: what became of every plan, and what was gathered on each field.

    Raises ConfigError for a game that does not account for its moves.
    """
    plans = _plans(open_event(path))
    if as_json:
        say(legible_json(plans_values(plans), indent=2))
        return ExitStatus.COMPLETE
    for line in list(text_lines(plans_blocks(plans))) or ["no results yet"]:
        say(line)
    return ExitStatus.COMPLETE


def _plans(event: Event) -> Plans:
    """All stored games counted."""
    game = GAMES.find(event.setup.game)
    if game.counts is None:
        raise ConfigError(f"{event.source}: games of {game.name} have no plans to be counted")
    counts = game.counts()
    plans = Plans(game)
    with event.read() as store:
        for result in comparable(store, event.comparison):
            spec, record = store.record(result.id)
            plans.add(
                replace(result, players=known_names(result.players, event.setup.players)),
                counts.moves(spec, record),
                field=wire.dumps(spec.options.get("opening")) if spec.options.get("opening") else spec.id,
                description=counts.describe(spec.options, spec.seed),
            )
    return plans
