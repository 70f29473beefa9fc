"""`gyoji replay`: replay recorded games, in any record format, and check them by the rules."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TypeAlias

import click

from gyoji.cli.exits import complain, say
from gyoji.core.faults import ConfigError
from gyoji.core.game import RecordFormat
from gyoji.core.plugins import GAMES
from gyoji.core.replay import Replay, Wanted
from gyoji.core.text import counted
from gyoji.scheduler.status import ExitStatus

Formats: TypeAlias = Mapping[str, Mapping[str, RecordFormat]]
"""Readable record formats by suffix, then by game. Formats that recognise their own files come first."""

MOST_NOTES = 5
"""Largest number of notes below a list of games. The most frequent notes are shown."""

_SIZE = re.compile(r"([0-9]{1,3})(?:x([0-9]{1,3}))?")


class Unreadable(ConfigError):
    """A file is not a record that gyoji can read."""


def parse_size(text: str) -> tuple[int, int]:
    """Parse columns and rows, "15" or "20x15". Raise ConfigError for other texts."""
    if (match := _SIZE.fullmatch(text.strip().lower())) is None:
        raise ConfigError(f"--size: expected a number such as 15, or two such as 20x15, got {text!r}")
    return int(match[1]), int(match[2] or match[1])


def replay_paths(paths: Sequence[Path], wanted: Wanted) -> ExitStatus:
    """Carry out `gyoji replay`: print one file in full, or one line for each game of folders and several
    files.

    Args:
        wanted: The options of the command.

    Returns:
        USAGE if one of several files cannot be read; else HALTED if a move of any game is illegal; else
        COMPLETE.

    Raises:
        Unreadable: The only file cannot be read.
        ConfigError: An option does not fit a game.
    """
    formats = _formats()
    if len(paths) == 1 and not paths[0].is_dir():
        return _show(paths[0], formats, wanted)
    files = [file for path in paths for file in (_records_in(path, formats) if path.is_dir() else [path])]
    if not files:
        raise ConfigError(f"no {', '.join(sorted(formats))} in {', '.join(map(str, paths))}")
    return _list(files, formats, wanted)


def _show(path: Path, formats: Formats, wanted: Wanted) -> ExitStatus:
    replays = _replays(path, formats, wanted)
    for number, replay in enumerate(replays, 1):
        if number > 1:
            click.echo()
        say(f"{path}: game {number} of {len(replays)}" if len(replays) > 1 else f"{path}")
        for line in _lines(replay):
            say(line)
    illegal = sum(bool(replay.refusals) for replay in replays)
    if len(replays) > 1:
        click.echo(f"\n{len(replays)} games, {illegal or 'none'} of them illegal")
    return ExitStatus.HALTED if illegal else ExitStatus.COMPLETE


def _list(files: Sequence[Path], formats: Formats, wanted: Wanted) -> ExitStatus:
    games = illegal = differing = unread = 0
    notes: Counter[str] = Counter()
    for path in files:
        try:
            replays = _replays(path, formats, wanted)
        except Unreadable as error:
            complain(str(error))
            unread += 1
            continue
        for number, replay in enumerate(replays, 1):
            where = f"{path}: game {number}" if len(replays) > 1 else f"{path}"
            say(f"{where}: {_line(replay)}")
            games += 1
            illegal += bool(replay.refusals)
            differing += replay.differs and not replay.refusals
            notes.update(replay.notes)
    for note, count in notes.most_common(MOST_NOTES):
        say(f"note: {note} ({_how_many(count, 'game')})")
    click.echo(
        f"{_how_many(games, 'game')}: {illegal or 'none'} illegal, {differing or 'none'} with another result;"
        f" {_how_many(unread, 'file')} not read"
    )
    if unread:
        return ExitStatus.USAGE
    return ExitStatus.HALTED if illegal else ExitStatus.COMPLETE


def _how_many(count: int, what: str) -> str:
    return counted(count, what) if count else f"no {what}s"


def _replays(path: Path, formats: Formats, wanted: Wanted) -> list[Replay]:
    """Replay the games of a file.

    Raises:
        Unreadable: The file cannot be read as a record.
        ConfigError: An option does not fit the game. The message names the file.
    """
    if (fitting := formats.get(path.suffix.lower())) is None:
        there_are = ", ".join(sorted(formats))
        raise Unreadable(f"{path}: no record that can be replayed has this name; there are: {there_are}")
    try:
        replays = _judged(fitting, path.read_bytes(), wanted)
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise Unreadable(f"{path}: {error}") from None
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
    return replays


# Several games share a suffix: .sgf is Go's and gomoku's, and one file may hold games of both.
def _judged(formats: Mapping[str, RecordFormat], data: bytes, wanted: Wanted) -> list[Replay]:
    """Replay the games of a file. Each is read by the first format that recognises it.

    Raises:
        ValueError: No format recognises a game, or its record is wrong.
        ConfigError: An option does not fit the game.
    """
    found: list[Replay | None] = []
    for form in formats.values():
        if form.replay is None or (form.is_ours is not None and not form.is_ours(data)):
            continue
        found = [one or other for one, other in zip_longest(found, form.replay(data, wanted))]
        replays = [replay for replay in found if replay is not None]
        if len(replays) == len(found):
            return replays
    where = f"game {found.index(None) + 1}: " if len(found) > 1 else ""
    raise ValueError(f"{where}its game is none of those with such records: {', '.join(formats)}")


def _records_in(folder: Path, formats: Formats) -> list[Path]:
    """Return the record files in a folder and its subfolders, sorted by path."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in formats and path.is_file())


def _formats() -> Formats:
    """Return the readable formats of all games."""
    found: dict[str, dict[str, RecordFormat]] = {}
    for game in map(GAMES.find, GAMES.names):
        for form in (load() for load in game.record_formats.values()):
            if form.replay is not None:
                found.setdefault(form.suffix, {})[game.name] = form
    return {
        suffix: dict(sorted(forms.items(), key=lambda item: item[1].is_ours is None))
        for suffix, forms in found.items()
    }


def _line(replay: Replay) -> str:
    """Return one line about a game: its first illegal move, or its result."""
    if replay.refusals:
        return f"illegal: {replay.refusals[0]}"
    return replay.verdict or "every move is legal"


def _lines(replay: Replay) -> Iterable[str]:
    width = max(len(label) for label, _ in replay.facts)
    yield from (f"  {label:{width}}  {text}" for label, text in replay.facts)
    yield from (f"note: {note}" for note in replay.notes)
    yield from (f"illegal: {refusal}" for refusal in replay.refusals)
    if replay.forfeit:
        yield f"lost by its last move: {replay.forfeit}"
    elif not replay.refusals:
        yield "every move is legal"
    if replay.diagram:
        yield replay.diagram
    if replay.verdict:
        yield replay.verdict
