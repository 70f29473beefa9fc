"""`gyoji match`: two commands play each other; a playoff of one matchup that no control file describes."""

import os
import secrets
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from gyoji.cli.exits import complain
from gyoji.cli.gathering import gathered_part
from gyoji.cli.match_names import player_codes
from gyoji.cli.running import run_event
from gyoji.config.competition import read_competition
from gyoji.config.document import Document
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.setup import CompetitionSetup
from gyoji.report.text import text_lines
from gyoji.runner.workspace import claim, scratch_folder
from gyoji.scheduler.event import Event
from gyoji.scheduler.run import RunOptions
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles
from gyoji.store.trees import remove_tree
from gyoji.tables.apart import apart_part
from gyoji.tables.aside import aside_part
from gyoji.tables.contained import contained_part

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
    names: Sequence[str] = (),
) -> ExitStatus:
    """The whole command.

    play   `games`, and settings of a playoff's top level; None: not given.
    extra  further such settings as KEY=VALUE.
    names  of the players, from the first on; those that are not given come from the commands.
    """
    settings = {key: value for key, value in play.items() if value is not None}
    settings |= dict(_setting(text) for text in extra)
    if options.transcripts and keep is None:
        raise ConfigError("transcripts are kept in a folder: give one with --keep")
    with _folder(keep) as folder:
        setup = match_setup(commands, settings, names=names, keeps=keep is not None, folder=Path(folder))
        _make(folder)
        event = Event.of(setup, source="gyoji match", control_file=Path(folder, NAME))

        def report() -> Iterable[str]:
            text = "\n".join(text_lines(event.tables().report())).strip()
            contained = contained_part(event.competition.engines)
            parts = (
                gathered_part(event),
                contained,
                apart_part(event.comparison),
                aside_part(event.failures),
            )
            return chain(text.split("\n"), *parts)

        return run_event(event, options, quiet=quiet, closing=report)


def match_setup(
    commands: tuple[str, str],
    settings: Mapping[str, Any],
    *,
    keeps: bool,
    folder: Path,
    names: Sequence[str] = (),
) -> CompetitionSetup:
    """What a control file in `folder` for this match would say. Raises ConfigError.

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
    path = Path(folder, NAME).absolute()
    setup = read_competition(
        Document(name="gyoji match", path=path, base=Path.cwd(), plain=plain, lines={}, forms={})
    )
    for warning in setup.warnings:
        complain(warning)
    return replace(setup, control_file="")


def _usual(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the game needs to be played, for whoever does not say; nothing where a preset says it."""
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
        raise ConfigError(f"--set: {key}: too many tables and lists stand in one another") from None
    except ValueError:
        return key, value


@contextmanager
def _passing_folder() -> Iterator[Path]:
    folder = scratch_folder(secrets.token_hex(8), "match")
    descriptor = claim(folder)
    try:
        yield folder
    finally:
        remove_tree(folder)
        os.close(descriptor)


def _folder(keep: Path | None) -> AbstractContextManager[Any]:
    """Where the files go: the folder that is to keep them, or one that is gone afterwards."""
    return _passing_folder() if keep is None else nullcontext(keep)


def _make(folder: str | Path) -> None:
    """Make the folder of a match, unless there is one that is free."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder}: the folder cannot be made: {error.strerror}") from None
    if CompetitionFiles(Path(folder, NAME)).database.exists():
        raise ConfigError(f"{folder}: there is another match in this folder: choose a new one")
