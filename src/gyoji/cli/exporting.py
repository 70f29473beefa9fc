"""`gyoji export`: the stored games and results in the forms of other programs.

Whatever has a game after the other is written as it is read: memory never holds all of a million games.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from textwrap import fill
from typing import TypeAlias

import click
from msgspec import Struct

import gyoji
from gyoji.cli.exits import complain, say
from gyoji.cli.reporting import write_pieces, write_text
from gyoji.cli.standing import fold
from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord
from gyoji.core.spec import GameSpec
from gyoji.core.text import counted, legible, printable, quote
from gyoji.pairing.cross import crosses_of
from gyoji.pairing.field import FieldSettings
from gyoji.pairing.rounds import RoundsEvent
from gyoji.pairing.swiss import Swiss
from gyoji.pairing.trf import write_trf
from gyoji.play.game_files import write_records
from gyoji.play.order import Files
from gyoji.report.documents import csv_row, pgn
from gyoji.report.text import table_lines
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus
from gyoji.store.store import Store
from gyoji.tables.one_game import all_values, void_values
from gyoji.tables.pairs import game_sides
from gyoji.tables.standings import full_cross_table
from gyoji.tuning.event import TuningEvent
from gyoji.tuning.observations import OTHER


def export_results(path: Path, form: str, output: Path | None) -> ExitStatus:
    """`gyoji export --to`: all results, in one of `FORMS`."""
    return _write((legible(piece).encode() for piece in FORMS[form](Event.open(path, complain))), output)


def _write(pieces: Iterable[bytes], output: Path | None) -> ExitStatus:
    """To standard output as they come, or into the file `output`, which appears when all are there."""
    if output is not None:
        write_pieces(output, pieces)
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
    written = 0
    with event.read() as store:
        for each in _ids(event, store, game):
            if troubles := write_records(files, *store.record(each)):
                raise ConfigError(troubles[0])
            written += 1
    say(f"{counted(written, 'game')} written to {files.records}")
    return ExitStatus.COMPLETE


def _ids(event: Event, store: Store, game: str | None) -> Iterator[str]:
    """The ids of all stored games, or of the only one that is wanted. Raises ConfigError."""
    if game is None:
        yield from (result.id for result in store.results())
    elif store.has(game):
        yield game
    else:
        raise ConfigError(f"{event.source}: there is no stored game {quote(game)}")


def export_samples(path: Path, form: str, output: Path | None) -> ExitStatus:
    """`gyoji export --samples`: those of every stored game, in order of completion. Raises ConfigError."""
    event = Event.open(path, complain)
    if (samples := GAMES.find(event.setup.game).samples) is None:
        raise ConfigError(f"{event.source}: games of {event.setup.game} have no samples")
    if (sampler := samples().get(form)) is None:
        raise ConfigError(f"--samples: got {quote(form)}, expected {' or '.join(samples())}")
    return _write(_pieces(event, sampler), output)


# Games one after the other, with their moves


Piece: TypeAlias = Callable[[GameSpec, GameRecord], bytes]
"""Makes the part of one game. Raises ValueError for a game that has none."""


class _Collection(Struct, frozen=True):
    """A form of several games. piece: how each is written; last: what follows the games of an event."""

    piece: Callable[[Event], Piece]
    last: Callable[[Store], Iterator[bytes]] = lambda _store: iter(())


def export_games(path: Path, form: str, game: str | None, output: Path | None) -> ExitStatus:
    """`gyoji export --to sgf`, `pgn` and `jsonl`: games with their moves, in order of completion.

    game: the id of the only one. Raises ConfigError.
    """
    event, collection = Event.open(path, complain), COLLECTIONS[form]
    last = collection.last if game is None else None
    return _write(_pieces(event, collection.piece(event), game, last), output)


def _pieces(
    event: Event,
    piece: Piece,
    game: str | None = None,
    last: Callable[[Store], Iterator[bytes]] | None = None,
) -> Iterator[bytes]:
    """The parts of all stored games, or of the only one that is wanted, and what follows them."""
    with event.read() as store:
        for each in _ids(event, store, game):
            try:
                yield piece(*store.record(each))
            except ValueError as error:
                raise ConfigError(f"{event.source}: {error}") from None
        if last is not None:
            yield from last(store)


def _sgf(event: Event) -> Piece:
    """Games as those of a collection of SGF. Raises ConfigError for a game that SGF does not know."""
    kind = GAMES.find(event.setup.game)
    write = None
    if "sgf" in kind.record_formats:
        write = kind.record_format("sgf").write
    if write is None:
        forms = ", ".join(kind.record_formats) or "none"
        raise ConfigError(
            f"{event.source}: games of {kind.name} have no SGF; their record formats are: {forms}; "
            "write these by --to records, or take --to pgn or jsonl"
        )
    return write


def _pgn(event: Event) -> Piece:
    """Games in PGN with their moves as a comment, since they are no moves of chess."""
    setup, sides = event.setup, game_sides(event.setup.game)

    def write(_: GameSpec, record: GameRecord) -> bytes:
        text = pgn(record.result, event=setup.code, site=setup.place, sides=sides, comment=_movetext(record))
        return legible(text).encode()

    return write


def _movetext(record: GameRecord) -> str:
    """The moves, numbered from 1; those that were made at once have a slash between them."""
    turns = (" / ".join(played.move for played in turn) for turn in record.turns)
    return fill(" ".join(f"{number}. {moves}" for number, moves in enumerate(turns, 1)), 78)


def _json(event: Event) -> Piece:
    """A line for each game, with all that is stored of it."""
    words = GAMES.find(event.setup.game).result_words

    def write(spec: GameSpec, record: GameRecord) -> bytes:
        return f"{wire.dumps(all_values(spec, record, words))}\n".encode()

    return write


def _voids(store: Store) -> Iterator[bytes]:
    """A line for each attempt to play a game that came to nothing."""
    for attempt, void in store.voids():
        yield f"{wire.dumps(void_values(void, attempt))}\n".encode()


COLLECTIONS = {"jsonl": _Collection(_json, _voids), "pgn": _Collection(_pgn), "sgf": _Collection(_sgf)}
"""Forms in which games are exported with their moves, all in one file."""


# Results


def _bayeselo(event: Event) -> Iterator[str]:
    """Every result that was not taken back as a game in PGN, in order of completion. Reads as it is asked."""
    setup = event.setup
    sides = game_sides(setup.game)
    with event.read() as store:
        for result, played_by in store.played():
            if played_by.purged:
                continue
            try:
                yield pgn(result, event=setup.code, site=setup.place, sides=sides)
            except ValueError as error:
                raise ConfigError(f"{event.source}: {error}") from None


def _crosstable(event: Event) -> Iterator[str]:
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


def _trf(event: Event) -> Iterator[str]:
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
    "bayeselo": _bayeselo,
    "candidates": _candidates,
    "crosstable": _crosstable,
    "trf": _trf,
}
"""Forms in which results can be exported: each gives the lines of an event."""
