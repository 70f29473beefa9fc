"""`gyoji match`: two commands play each other; a playoff of one matchup that no control file describes."""

import re
import shlex
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from gyoji.cli.compose import compose
from gyoji.cli.exits import complain
from gyoji.cli.running import run_event
from gyoji.config.competition import read_competition
from gyoji.config.document import Document
from gyoji.core.faults import ConfigError
from gyoji.core.setup import CompetitionSetup, is_identifier
from gyoji.scheduler.run import RunOptions
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles

NAME = "match"
"""The code of the competition, and the stem of its files."""

_USUAL = {"go": {"board_size": 9, "komi": 7.5}}
"""Settings without which a game cannot be played, for whoever does not say."""


def play_match(
    commands: tuple[str, str],
    *,
    play: Mapping[str, Any],
    extra: Sequence[str],
    keep: Path | None,
    options: RunOptions,
    quiet: bool,
) -> ExitStatus:
    """The whole command.

    play   `games` and `protocol`, and settings of the game; None: not given.
    extra  further settings of the game as KEY=VALUE.
    """
    settings = {key: value for key, value in play.items() if value is not None}
    settings |= dict(_setting(text) for text in extra)
    games, protocol = settings.pop("games"), settings.pop("protocol")
    setup = match_setup(commands, games=games, protocol=protocol, keeps=keep is not None, settings=settings)
    if options.transcripts and keep is None:
        raise ConfigError("transcripts are kept in a folder: give one with --keep")
    with _folder(keep) as folder:
        event = compose(setup, source="gyoji match", control_file=Path(folder, NAME))

        def report() -> Iterable[str]:
            return "\n".join(event.layout.report_lines(event.competition)).strip().split("\n")

        return run_event(event, options, quiet=quiet, closing=report)


def match_setup(
    commands: tuple[str, str], *, games: int, protocol: str, keeps: bool, settings: dict[str, Any]
) -> CompetitionSetup:
    """What a control file for this match would say. Raises ConfigError.

    keeps: whether records are kept. settings: those of a playoff's top level that are given.
    """
    codes = player_codes(commands)
    plain = {
        "competition": "playoff",
        "description": " against ".join(commands),
        "record_games": keeps,
        **_USUAL.get(settings["game"], {}),
        **settings,
        "players": {
            code: {"command": command, "protocol": protocol}
            for code, command in zip(codes, commands, strict=True)
        },
        "matchups": [{"players": list(codes), "alternating": True, "number_of_games": games}],
    }
    document = Document(name="gyoji match", path=Path.cwd() / NAME, plain=plain, lines={}, forms={})
    setup = read_competition(document)
    for warning in setup.warnings:
        complain(warning)
    return replace(setup, control_file="")


def player_codes(commands: tuple[str, str]) -> tuple[str, str]:
    """Short names for two commands: of their programs, numbered when they are the same.

    >>> player_codes(("gnugo --mode gtp", "/opt/michi/gtp"))
    ('gnugo', 'gtp')
    >>> player_codes(("gnugo --level 1", "gnugo --level 5"))
    ('gnugo-1', 'gnugo-2')
    """
    first, second = (_program(command) for command in commands)
    return (f"{first}-1", f"{second}-2") if first == second else (first, second)


def _program(command: str) -> str:
    try:
        word = next(iter(shlex.split(command)), "")
    except ValueError:  # said of the command later, where it can be said well
        word = command
    name = re.sub(r"[^A-Za-z0-9._+-]+", "-", Path(word).name).strip("-")
    return name if is_identifier(name) else "player"


def _setting(text: str) -> tuple[str, Any]:
    """A setting from KEY=VALUE; the value as in TOML, or else a string."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise ConfigError(f"--set: expected KEY=VALUE, got {text!r}")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value


def _folder(keep: Path | None) -> AbstractContextManager[Any]:
    """Where the files go: the folder that is to keep them, or one that is gone afterwards."""
    if keep is None:
        return tempfile.TemporaryDirectory(prefix="gyoji-match-")
    try:
        keep.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{keep}: the folder cannot be made: {error.strerror}") from None
    if CompetitionFiles(keep / NAME).database.exists():
        raise ConfigError(f"{keep}: there is another match in this folder: choose a new one")
    return nullcontext(keep)
