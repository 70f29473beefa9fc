"""`gyoji report` and `gyoji export`: the stored results as text, and in the forms of other programs.

A text and a page go beside the control file, where people look for them; all else to standard output.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click

import gyoji
from gyoji.cli.exits import complain, say
from gyoji.cli.standing import fold, write_bytes, write_report, write_text
from gyoji.core.faults import ConfigError
from gyoji.core.game import Sampler
from gyoji.core.plugins import GAMES
from gyoji.core.text import legible, printable, quote
from gyoji.pairing.cross import crosses_of
from gyoji.pairing.field import FieldSettings
from gyoji.pairing.rounds import RoundsEvent
from gyoji.pairing.swiss import Swiss
from gyoji.pairing.trf import write_trf
from gyoji.play.game_files import write_records
from gyoji.play.order import Files
from gyoji.report.documents import csv_row, pgn
from gyoji.report.text import table_lines
from gyoji.scheduler.event import Event, report_lines
from gyoji.scheduler.status import ExitStatus
from gyoji.store.store import Store
from gyoji.tables.digest import Beside
from gyoji.tables.pairs import game_sides
from gyoji.tables.standings import full_cross_table
from gyoji.tuning.event import TuningEvent
from gyoji.tuning.observations import OTHER

STDOUT = Path("-")


def report_file(path: Path, *, form: str, output: Path | None, games: str, table: str | None) -> ExitStatus:
    """`gyoji report`. games: how many of the newest are told in full, as typed; table: the only one wanted.

    Raises ConfigError, also for one table in a form that has all of them.
    """
    if table is not None and form in ("text", "html"):
        raise ConfigError(f"--table: {form} has all tables; for one take --format markdown, csv or json")
    most, event = _number(games), Event.open(path, complain)
    if form == "text":
        beside = Beside(event.setup.players)
        fold(event, beside)
        if output is None:
            write_report(event, beside)
            return ExitStatus.COMPLETE
        text = "".join(f"{line}\n" for line in report_lines(event, beside))
    else:
        # Games may be running on the other cores, and a few hundred equations are solved as soon by one.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from gyoji.scheduler.reports import report_text  # noqa: PLC0415

        text = report_text(event, form, most=most, table=table)
    place = output or (event.files.page if form == "html" else STDOUT)
    if place == STDOUT:
        say(text, nl=False)
    else:
        write_text(place, text)
    return ExitStatus.COMPLETE


def _number(games: str) -> int | None:
    """How many games: a number from 0, or None for "all". Raises ConfigError."""
    if games == "all":
        return None
    if not (games.isascii() and games.isdecimal()):
        raise ConfigError(f"--games: expected a number such as 200, or all, got {quote(games)}")
    return int(games)


def export_file(path: Path, form: str, output: Path | None) -> ExitStatus:
    """`gyoji export --to`: all results, in one of `FORMS`."""
    return _write((legible(piece).encode() for piece in FORMS[form](Event.open(path, complain))), output)


def _write(pieces: Iterable[bytes], output: Path | None) -> ExitStatus:
    """To standard output as they come, or in one step into the file `output`."""
    if output is not None:
        write_bytes(output, b"".join(pieces))
        return ExitStatus.COMPLETE
    for piece in pieces:
        click.echo(piece, nl=False)
    return ExitStatus.COMPLETE


def export_told(path: Path, game: str | None, output: Path | None) -> ExitStatus:
    """`gyoji export --to told`: what each seat was told, a file each, as its game writes that.

    output: the beginning of the files' names; the seat follows, after the game's id where all games are
    written. game: the id of the only one. Raises ConfigError.
    """
    event = Event.open(path, complain)
    kind = GAMES.find(event.setup.game)
    if kind.told is None:
        raise ConfigError(f"{event.source}: {kind.name} does not keep what each seat was told")
    told_of = kind.told()
    if output is None:
        raise ConfigError("--to told writes files: say with -o PATH what their names begin with")
    with event.read() as store:
        for each in _ids(event, store, game):
            start = str(output) if game is not None else f"{output}{os.sep if output.is_dir() else ''}{each}."
            for seat, told in enumerate(told_of(*store.record(each))):
                write_text(Path(f"{start}{seat}"), told.decode())
    return ExitStatus.COMPLETE


def export_records(path: Path, game: str | None, folder: Path | None) -> ExitStatus:
    """`gyoji export --to records`: the files of each stored game, as a run writes them, by its newest ruling.

    game: the id of the only one. folder: None for that of the competition. Raises ConfigError.
    """
    event = Event.open(path, complain)
    formats = event.setup.record_formats or GAMES.find(event.setup.game).records
    if not formats:
        raise ConfigError(f"{event.source}: games of {event.setup.game} have no record format")
    files = Files(records=str(folder or event.files.games), formats=formats)
    with event.read() as store:
        ids = _ids(event, store, game)
        for each in ids:
            if troubles := write_records(files, *store.record(each)):
                raise ConfigError(troubles[0])
    say(f"{len(ids)} game{'s' * (len(ids) != 1)} written to {files.records}")
    return ExitStatus.COMPLETE


def _ids(event: Event, store: Store, game: str | None) -> list[str]:
    """The ids of all stored games, or of the only one that is wanted. Raises ConfigError."""
    if game is None:
        return [result.id for result in store.results()]
    if not store.has(game):
        raise ConfigError(f"{event.source}: there is no stored game {quote(game)}")
    return [game]


def export_samples(path: Path, form: str, output: Path | None) -> ExitStatus:
    """`gyoji export --samples`: those of every stored game, in order of completion. Raises ConfigError."""
    event = Event.open(path, complain)
    if (samples := GAMES.find(event.setup.game).samples) is None:
        raise ConfigError(f"{event.source}: games of {event.setup.game} have no samples")
    if (sampler := samples().get(form)) is None:
        raise ConfigError(f"--samples: got {quote(form)}, expected {' or '.join(samples())}")
    return _write(_samples(event, sampler), output)


def _samples(event: Event, samples_of: Sampler) -> Iterator[bytes]:
    with event.read() as store:
        for result in store.results():
            try:
                yield samples_of(*store.record(result.id))
            except ValueError as error:
                raise ConfigError(f"{event.source}: {error}") from None


def _games(event: Event) -> Iterator[str]:
    """Every result as a game in PGN, in order of completion. Reads as it is asked."""
    setup = event.setup
    sides = game_sides(setup.game)
    with event.read() as store:
        for result in store.results():
            try:
                yield pgn(result, event=setup.code, site=setup.place, sides=sides)
            except ValueError as error:
                raise ConfigError(f"{event.source}: {error}") from None


def _tables(event: Event) -> Iterator[str]:
    """The cross tables, with their headings if they have some."""
    fold(event)
    names = game_sides(event.setup.game)
    for number, (heading, cross) in enumerate(crosses_of(event.competition).items()):
        if number:
            yield "\n"
        if heading:
            yield f"{heading}\n"
        table = full_cross_table(cross, names)
        yield from (f"{line}\n" for line in (() if table.is_empty else table_lines(table)))


def _tournament(event: Event) -> Iterator[str]:
    """The tournament report of a Swiss tournament, after the rounds that are over. Raises ConfigError."""
    competition = event.competition
    if not isinstance(competition, RoundsEvent) or not isinstance(competition.system, Swiss):
        raise ConfigError(
            f'{event.source}: --to trf: expected competition = "swiss", got {quote(event.setup.kind)}'
        )
    fold(event)
    setup = event.setup
    told = (
        ("012", setup.description or setup.code),
        ("022", setup.place),
        ("062", str(len(competition.system.players))),
        ("092", "Individual: Swiss-System"),
        ("182", f"gyoji {gyoji.__version__}"),
    )
    report = competition.system.report(
        competition.rounds.played,
        ratings=setup.settings_as(FieldSettings).ratings,
        lines=[(code, printable(text)) for code, text in told if text],
    )
    yield write_trf(report)


def _candidates(event: Event) -> Iterator[str]:
    """The games of a tuner's candidates as CSV, which another tuner can learn from."""
    fold(event)
    if not isinstance(event.competition, TuningEvent):
        raise ConfigError(f"{event.source}: {event.setup.kind} has no candidates: expected a tuner")
    codes = [each.code for each in event.competition.tuner.parameters]
    others = [f"{OTHER}{code}" for code in codes] if event.competition.observations.pairs else []
    yield f"{csv_row([*codes, *others, 'score'])}\n"
    for game in event.competition.stored():
        yield f"{csv_row([*map(str, (*game.values, *game.other)), str(game.score)])}\n"


FORMS: dict[str, Callable[[Event], Iterator[str]]] = {
    "bayeselo": _games,
    "candidates": _candidates,
    "crosstable": _tables,
    "trf": _tournament,
}
"""Forms in which results can be exported: each gives the lines of an event."""
