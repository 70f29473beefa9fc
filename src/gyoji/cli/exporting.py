"""`gyoji export`: stored games and results in the formats of other programs."""

# Each game is written as soon as it is read, so that memory never holds a million of them. A file appears
# when it is complete: if a game cannot be written, the file that was there before stays.

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import fill
from typing import TypeAlias

import click

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
from gyoji.pairing.competitors import FieldSettings
from gyoji.pairing.rounds import Rounds
from gyoji.pairing.swiss import Swiss
from gyoji.pairing.trf import write_trf
from gyoji.play.game_files import write_records
from gyoji.play.order import Files
from gyoji.report.csv import csv_row
from gyoji.report.pgn import pgn
from gyoji.report.text import table_lines
from gyoji.results.cross import crosses_of
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus
from gyoji.store.store import Store
from gyoji.tables.one_game import all_facts, void_facts
from gyoji.tables.pair_tables import game_sides
from gyoji.tables.standings_tables import full_cross_table
from gyoji.tuning.event import TuningEvent
from gyoji.tuning.observations import OTHER


def export_file(
    path: Path, form: str | None, *, samples: str | None, game: str | None, output: Path | None
) -> ExitStatus:
    """Carry out `gyoji export`.

    Args:
        form: Name of a format of `_GAMES`, `_FILES` or `_RESULTS`; None for training samples.
        samples: The format of training samples; None if `form` is given.
        game: The id of the only game to export; None for all.
        output: The file to write; None for standard output. For a format that writes several files, their
            folder or the beginning of their names: see `_told` and `_records`.

    Raises:
        ConfigError: The competition has nothing in this form.
    """
    if (form is None) == (samples is None):
        raise click.UsageError("give one of --to and --samples")
    one_game = (*_GAMES, *_FILES)
    if game is not None and form not in one_game:
        raise click.UsageError(f"--game goes with --to {', '.join(one_game[:-1])} and {one_game[-1]}")
    event = Event.open(path, complain)
    if form is None:
        pieces = _games(event, _sampler(event, str(samples)))
    elif form in _FILES:
        _FILES[form](event, game, output)
        return ExitStatus.COMPLETE
    elif form in _GAMES:
        pieces = _games(event, _GAMES[form](event), game, has_voids=form == "jsonl" and game is None)
    else:
        pieces = (legible(piece).encode() for piece in _RESULTS[form](event))
    if output is not None:
        write_pieces(output, pieces)
    else:
        for piece in pieces:
            click.echo(piece, nl=False)
    return ExitStatus.COMPLETE


def _ids(event: Event, store: Store, game: str | None) -> Iterator[str]:
    """Yield the ids of all stored games, or only `game`. Raise ConfigError if `game` is not stored."""
    if game is None:
        yield from (result.id for result in store.results())
    elif store.has(game):
        yield game
    else:
        raise ConfigError(f"{event.source}: there is no stored game {quote(game)}")


# A file for each game


def _told(event: Event, game: str | None, output: Path | None) -> None:
    """Write everything that each seat was told in a game, one file per seat.

    Args:
        game: The id of the only game; None for all.
        output: Beginning of the file names. The number of the seat follows. If `game` is None, the game's id
            and a dot come before the number, and `output` may also be a folder.

    Raises:
        ConfigError: The game does not keep what seats were told, `output` is None, or no such game is stored.
    """
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


def _records(event: Event, game: str | None, folder: Path | None) -> None:
    """Write the record files of games, with the newest rulings.

    Args:
        game: The id of the only game; None for all.
        folder: The folder to write to; None for the folder of the competition's record files.

    Raises:
        ConfigError: The game has no record format, no such game is stored, or a file cannot be written.
    """
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


_FILES: dict[str, Callable[[Event, str | None, Path | None], None]] = {"records": _records, "told": _told}
"""Formats with a file per game, or per seat."""


# Games with their moves, one after the other

Piece: TypeAlias = Callable[[GameSpec, GameRecord], bytes]
"""A function that returns the text of one game in a format. It raises ValueError for a game that cannot be
written in the format.
"""


def _games(
    event: Event, piece: Piece, game: str | None = None, *, has_voids: bool = False
) -> Iterator[bytes]:
    """Yield the text of each game in order of completion.

    Args:
        piece: Returns the text of one game.
        game: The id of the only game; None for all.
        has_voids: Whether void games follow, as JSON.
    """
    with event.read() as store:
        for each in _ids(event, store, game):
            try:
                yield piece(*store.record(each))
            except ValueError as error:
                raise ConfigError(f"{event.source}: {error}") from None
        for void, attempt in store.voids() if has_voids else ():
            yield f"{wire.dumps(void_facts(void, attempt))}\n".encode()


def _sampler(event: Event, form: str) -> Piece:
    if (samples := GAMES.find(event.setup.game).samples) is None:
        raise ConfigError(f"{event.source}: games of {event.setup.game} have no samples")
    if (sampler := samples().get(form)) is None:
        raise ConfigError(f"--samples: got {quote(form)}, expected {' or '.join(samples())}")
    return sampler


def _sgf(event: Event) -> Piece:
    """Return the function that writes one game as SGF. Raise ConfigError if the game has no SGF."""
    kind = GAMES.find(event.setup.game)
    if "sgf" not in kind.record_formats or (write := kind.record_format("sgf").write) is None:
        forms = ", ".join(kind.record_formats) or "none"
        raise ConfigError(
            f"{event.source}: games of {kind.name} have no SGF; their record formats are: {forms}; "
            "write these by --to records, or take --to pgn or jsonl"
        )
    return write


def _pgn(event: Event) -> Piece:
    """Return the function that writes one game as PGN.

    It writes the game's own PGN record, or, for a game without PGN records, the result with the moves as a
    comment, because PGN has notation only for moves of chess.
    """
    setup, kind = event.setup, GAMES.find(event.setup.game)
    if "pgn" in kind.record_formats and (own := kind.record_format("pgn").write) is not None:
        return own
    sides = game_sides(setup.game)

    def write(_: GameSpec, record: GameRecord) -> bytes:
        turns = (" / ".join(played.move for played in turn) for turn in record.turns)
        moves = fill(" ".join(f"{number}. {turn}" for number, turn in enumerate(turns, 1)), 78)
        text = pgn(record.result, event=setup.code, site=setup.place, sides=sides, comment=moves)
        return legible(text).encode()

    return write


def _json(event: Event) -> Piece:
    words = GAMES.find(event.setup.game).result_words
    return lambda spec, record: f"{wire.dumps(all_facts(spec, record, words))}\n".encode()


_GAMES: dict[str, Callable[[Event], Piece]] = {"jsonl": _json, "sgf": _sgf, "pgn": _pgn}
"""Formats with all games in one file."""


# Results


def _bayeselo(event: Event) -> Iterator[str]:
    """Yield each result as PGN without moves, for BayesElo. Invalidated games (`gyoji purge`) are left
    out.
    """
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
    """Yield the lines of all cross tables of the competition, with their headings."""
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
    """Yield the report of a Swiss tournament after its finished rounds, in FIDE's format (TRF)."""
    competition = event.competition
    if not isinstance(competition, Rounds) or not isinstance(competition.system, Swiss):
        raise ConfigError(
            f'{event.source}: --to trf: expected competition = "swiss", got {quote(event.setup.kind)}'
        )
    fold(event)
    setup = event.setup
    lines = (
        ("012", setup.description or setup.code),
        ("022", setup.place),
        ("062", str(len(competition.system.players))),
        ("092", "Individual: Swiss-System"),
        ("182", f"gyoji {gyoji.__version__}"),
    )
    report = competition.system.report(
        competition.played,
        ratings=setup.settings_as(FieldSettings).ratings,
        lines=[(code, printable(text)) for code, text in lines if text],
    )
    yield write_trf(report)


def _candidates(event: Event) -> Iterator[str]:
    """Yield the games of a tuner's candidates as CSV: the values of the parameters, and the score."""
    fold(event)
    if not isinstance(event.competition, TuningEvent):
        raise ConfigError(f"{event.source}: {event.setup.kind} has no candidates: expected a tuner")
    codes = [each.code for each in event.competition.tuner.parameters]
    others = [f"{OTHER}{code}" for code in codes] if event.competition.observations.pairs else []
    yield f"{csv_row([*codes, *others, 'score'])}\n"
    for game in event.competition.games():
        yield f"{csv_row(map(str, game))}\n"


_RESULTS: dict[str, Callable[[Event], Iterator[str]]] = {
    "bayeselo": _bayeselo,
    "candidates": _candidates,
    "crosstable": _crosstable,
    "trf": _trf,
}
"""Formats of results alone."""
