"""`gyoji match`: two commands play each other; a playoff of one matchup that no control file describes.

Its players are called after their programs, and by what differs in their commands.
"""

import os
import re
import secrets
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path, PurePath
from typing import Any

from msgspec.structs import replace

from gyoji.cli.exits import complain
from gyoji.cli.plain import Every
from gyoji.cli.running import run_event
from gyoji.config.competition import read_competition
from gyoji.config.document import Document
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.setup import DEFAULT_GAME, CompetitionSetup, is_identifier
from gyoji.core.text import quote
from gyoji.play.workspace import claim, scratch_folder
from gyoji.report.text import text_lines
from gyoji.scheduler.event import Event, totals_part, versus_part
from gyoji.scheduler.run import RunOptions
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles
from gyoji.store.filesystem import remove_tree
from gyoji.tables.digest import Beside
from gyoji.tables.remarks import remarks

NAME = "match"
"""The code of the competition, and the stem of its files."""


def play_match(
    commands: tuple[str, str],
    *,
    play: Mapping[str, Any],
    extra: Sequence[str],
    keep: Path | None,
    options: RunOptions,
    quiet: bool,
    every: Every | None = None,
    names: Sequence[str] = (),
) -> ExitStatus:
    """The whole command.

    play   `games`, and settings of a playoff's top level; None: not given.
    extra  further such settings as KEY=VALUE.
    names  of the players, from the first on; those that are not given come from the commands.
    every  as in `run_event`.
    """
    settings = given_settings(play, extra)
    if options.transcripts and keep is None:
        raise ConfigError("transcripts are kept in a folder: give one with --keep")
    with match_folder(keep) as folder:
        setup = match_setup(commands, settings, names=names, keeps=keep is not None, folder=folder)
        _make(folder)
        event = Event(setup, source="gyoji match", control_file=folder / NAME)

        def report(beside: Beside) -> Iterable[str]:
            text = "\n".join(text_lines(event.tables().report())).strip()
            told = remarks(event.comparison, event.failures, engines=event.competition.engines)
            return chain(text.split("\n"), totals_part(event, beside), versus_part(event, beside), told)

        return run_event(event, options, quiet=quiet, every=every, closing=report)


def given_settings(play: Mapping[str, Any], extra: Sequence[str]) -> dict[str, Any]:
    """The settings that a command line gives, the game among them; see `play_match`. Raises ConfigError."""
    settings = {"game": DEFAULT_GAME} | {key: value for key, value in play.items() if value is not None}
    return settings | dict(_setting(text) for text in extra)


def match_setup(
    commands: tuple[str, str],
    settings: Mapping[str, Any],
    *,
    keeps: bool,
    folder: Path,
    names: Sequence[str] = (),
) -> CompetitionSetup:
    """The setup that a control file in `folder` for this match would give. Raises ConfigError.

    settings: `games`, how many, and those of a playoff's top level. keeps: whether records are kept.
    names: as in `play_match`.
    """
    codes = player_codes(commands, names)
    top = {key: value for key, value in settings.items() if key != "games"}
    plain = {
        "competition": "playoff",
        "description": " against ".join(commands),
        "record_games": keeps,
        **_usual(top),
        **top,
        "players": {code: {"command": command} for code, command in zip(codes, commands, strict=True)},
        "matchups": [{"players": list(codes), "alternating": True, "number_of_games": settings["games"]}],
    }
    path = (folder / NAME).absolute()
    setup = read_competition(
        Document(name="gyoji match", path=path, base=Path.cwd(), plain=plain, lines={}, forms={})
    )
    for warning in setup.warnings:
        complain(warning)
    return replace(setup, control_file="")


def _usual(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The game's own defaults for a match; none with a preset, or if there is no such game."""
    if "preset" in settings or settings["game"] not in GAMES.names:
        return {}
    return GAMES.find(settings["game"]).match_defaults


def _setting(text: str) -> tuple[str, Any]:
    """A setting from KEY=VALUE; the value as in TOML, or else a string."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise ConfigError(f"--set: expected KEY=VALUE, got {text!r}")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except RecursionError:
        raise ConfigError(f"--set: {key}: too many nested tables and lists") from None
    except ValueError:
        return key, value


@contextmanager
def match_folder(keep: Path | None) -> Iterator[Path]:
    """Where the files go: the folder that is to keep them, or one that is gone afterwards."""
    if keep is not None:
        yield keep
        return
    folder = scratch_folder(secrets.token_hex(8), "match")
    descriptor = claim(folder)
    try:
        yield folder
    finally:
        remove_tree(folder)
        os.close(descriptor)


def _make(folder: Path) -> None:
    """Make the folder of a match, unless there is one that is free."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder}: the folder cannot be made: {error.strerror}") from None
    if CompetitionFiles(folder / NAME).database.exists():
        raise ConfigError(f"{folder}: this folder has another match: choose a new folder")


LONGEST = 40
"""Characters of a name that is made of a command."""

_INTERPRETER = re.compile(r"(python|perl|lua|ruby)[0-9.]*|node|java|mono|wine|sh|bash")


def player_codes(commands: tuple[str, str], names: Sequence[str] = ()) -> tuple[str, str]:
    """The codes of two commands; names: those that the user gives, from the first on. Raises ConfigError.

    >>> player_codes(("gnugo --mode gtp", "/opt/michi/gtp"))
    ('gnugo', 'gtp')
    >>> player_codes(("gnugo --level 1", "gnugo --level 10"))
    ('gnugo-level-1', 'gnugo-level-10')
    >>> player_codes(("python first.py", "python3 -u second.py"))
    ('first.py', 'second.py')
    >>> player_codes(("old/engine", "new/engine"))
    ('engine-old', 'engine-new')
    """
    for name in names:
        if not is_identifier(name):
            raise ConfigError(
                f"--name: expected letters, digits and - ! $ % & * + . : ; < = > ? ^ _ ~, got {quote(name)}"
            )
    if len(names) > len(commands):
        raise ConfigError(f"--name: {len(names)} names for two players")
    first, second = (*names, *_codes(commands)[len(names) :])
    if first == second:
        raise ConfigError(f"--name: both players would be called {quote(first)}: give each another name")
    return first, second


def program_code(command: str) -> str:
    """The code of one command.

    >>> program_code("gnugo --mode gtp"), program_code("python3 -u /opt/mine.py")
    ('gnugo', 'mine.py')
    """
    return _code(_program(_words(command)))


def _codes(commands: tuple[str, str]) -> tuple[str, str]:
    words = [_words(command) for command in commands]
    programs = [_program(each) for each in words]
    first, second = map(_code, programs)
    if first != second:
        return first, second
    ours, theirs = (_code(f"{first}-{difference}") for difference in _differences(*words))
    if ours != theirs and max(len(ours), len(theirs)) <= LONGEST:
        return ours, theirs
    return f"{first}-1", f"{second}-2"


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # said of the command later, where it can be said well
        return [command]


def _program(words: Sequence[str]) -> str:
    """The file that plays: the program, or what an interpreter is given."""
    for word in words:
        name = PurePath(word).name
        if not word.startswith("-") and not _INTERPRETER.fullmatch(name):
            return name
    return PurePath(words[0]).name if words else ""


def _differences(first: Sequence[str], second: Sequence[str]) -> tuple[str, str]:
    """The arguments that only one command has, for each; if there are none, parts of the program's path."""
    by_arguments = _beyond(first[1:], second[1:]), _beyond(second[1:], first[1:])
    if any(by_arguments):
        return by_arguments
    return _beyond(first[:1], second[:1]), _beyond(second[:1], first[:1])


def _beyond(words: Sequence[str], others: Sequence[str]) -> str:
    """The words that are not among the others; of a path its own parts, of a value its option too."""
    known = {part for other in others for part in PurePath(other).parts} | {"/"}
    parts: list[str] = []
    for at, word in enumerate(words):
        if word in others:
            continue
        if at and words[at - 1].startswith("-") and words[at - 1] in others and not word.startswith("-"):
            parts.append(words[at - 1].lstrip("-"))
        parts += [part for part in PurePath(word.lstrip("-")).parts if part not in known]
    return "-".join(parts)


def _code(text: str) -> str:
    code = re.sub(r"[^A-Za-z0-9._+=-]+", "-", text).strip("-")
    return code if is_identifier(code) else "player"
