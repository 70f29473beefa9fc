"""`gyoji export`: stored results in the forms of other programs."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from gyoji.cli.exits import say
from gyoji.cli.files import open_event, write_bytes, write_text
from gyoji.cli.standing import fold
from gyoji.core.faults import ConfigError
from gyoji.core.game import Sampler
from gyoji.core.plugins import GAMES
from gyoji.core.text import quote
from gyoji.pairing.cross import crosses_of
from gyoji.report.bayeselo import pgn
from gyoji.report.text import table_lines
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus
from gyoji.store.store import Store
from gyoji.tables.pairs import game_sides
from gyoji.tables.standings import full_cross_table


def export_file(path: Path, form: str, output: Path | None) -> ExitStatus:
    """The whole command: to standard output, or in one step into the file `output`. form: one of `FORMS`."""
    pieces = FORMS[form](open_event(path))
    if output is not None:
        write_text(output, "".join(pieces))
        return ExitStatus.COMPLETE
    for piece in pieces:
        say(piece, nl=False)
    return ExitStatus.COMPLETE


def export_told(path: Path, game: str | None, output: Path | None) -> ExitStatus:
    """Write what each agent was told, a file each, in the form of the official manager's `-D`.

    output: the beginning of the files' names; 0 to 3 follow, after the game's id where all games are
    written. game: the id of the only one. Raises ConfigError.
    """
    event = open_event(path)
    kind = GAMES.find(event.setup.game)
    if kind.told is None:
        raise ConfigError(f"{event.source}: {kind.name} does not keep what each seat was told")
    told_of = kind.told()
    if output is None:
        raise ConfigError("--to told writes files: say with -o PATH what their names begin with")
    with Store.read(event.files.database, competition=event.setup.code) as store:
        ids = [result.id for result in store.results()]
        if game is not None and game not in ids:
            raise ConfigError(f"{event.source}: there is no stored game {quote(game)}")
        for each in ids if game is None else [game]:
            start = str(output) if game is not None else f"{output}{os.sep if output.is_dir() else ''}{each}."
            for seat, told in enumerate(told_of(*store.record(each))):
                write_text(Path(f"{start}{seat}"), told.decode())
    return ExitStatus.COMPLETE


def export_samples(path: Path, form: str, output: Path | None) -> ExitStatus:
    """The training samples of every stored game, in order of completion. Raises ConfigError."""
    event = open_event(path)
    if (samples := GAMES.find(event.setup.game).samples) is None:
        raise ConfigError(f"{event.source}: games of {event.setup.game} have no samples")
    if (sampler := samples().get(form)) is None:
        raise ConfigError(f"--samples: got {quote(form)}, expected {' or '.join(samples())}")
    pieces = _samples(event, sampler)
    if output is not None:
        write_bytes(output, b"".join(pieces))
        return ExitStatus.COMPLETE
    for piece in pieces:
        click.echo(piece, nl=False)
    return ExitStatus.COMPLETE


def _samples(event: Event, samples_of: Sampler) -> Iterator[bytes]:
    with Store.read(event.files.database, competition=event.setup.code) as store:
        for result in store.results():
            try:
                yield samples_of(*store.record(result.id))
            except ValueError as error:
                raise ConfigError(f"{event.source}: {error}") from None


def _games(event: Event) -> Iterator[str]:
    """Every result as a game in PGN, in order of completion. Reads as it is asked."""
    setup = event.setup
    sides = game_sides(setup.game)
    with Store.read(event.files.database, competition=setup.code) as store:
        for result in store.results():
            yield pgn(result, event=setup.code, site=setup.place, sides=sides)


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


FORMS: dict[str, Callable[[Event], Iterator[str]]] = {"bayeselo": _games, "crosstable": _tables}
"""Forms in which results can be exported: each gives the lines of an event."""
