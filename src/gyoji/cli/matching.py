"""`gyoji match`: commands play each other in a competition that no control file describes.

Two play a playoff of one matchup, or a sequential test; more play everybody against everybody, or a gauntlet.
`gyoji.cli.naming` says what the players are called.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from gyoji.cli.exits import complain
from gyoji.cli.naming import player_codes
from gyoji.cli.plain import Every
from gyoji.cli.running import run_event
from gyoji.config.competition import read_competition
from gyoji.config.document import Document, suggest
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.setup import DEFAULT_GAME, CompetitionSetup
from gyoji.core.text import parse_whole, quote
from gyoji.executors.scratch import claim, scratch_folder
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

GAMES_OF_TWO = 2
"""How many games each two players play where nobody says it."""


class Lineup(NamedTuple):
    """The players of a match.

    commands  of each.
    names     from the first on; those that are not given come from the commands.
    own       settings of single players: see `match_setup`.
    """

    commands: Sequence[str]
    names: Sequence[str] = ()
    own: Sequence[tuple[str, str]] = ()


def play_match(
    lineup: Lineup,
    *,
    play: Mapping[str, Any],
    extra: Sequence[str],
    keep: Path | None,
    options: RunOptions,
    quiet: bool,
    every: Every | None = None,
) -> ExitStatus:
    """The whole command.

    play   `games`, `format`, `sprt` and settings of the top level of a control file; None: not given.
    extra  further such settings as KEY=VALUE.
    every  as in `run_event`.
    """
    settings = given_settings(play, extra)
    if options.transcripts and keep is None:
        raise ConfigError("transcripts are kept in a folder: give one with --keep")
    with match_folder(keep) as folder:
        commands, names, own = lineup
        setup = match_setup(commands, settings, names=names, own=own, keeps=keep is not None, folder=folder)
        _make(folder)
        event = Event(setup, source="gyoji match", control_file=folder / NAME)

        def report(beside: Beside) -> Iterable[str]:
            text = "\n".join(text_lines(event.tables().report())).strip()
            told = remarks(event.comparison, event.failures, engines=event.competition.engines)
            return chain(text.split("\n"), totals_part(event, beside), versus_part(event, beside), told)

        return run_event(event, options, quiet=quiet, every=every, closing=report, tells_elo=True)


def given_settings(play: Mapping[str, Any], extra: Sequence[str]) -> dict[str, Any]:
    """The settings that a command line gives, the game among them; see `play_match`. Raises ConfigError."""
    settings = {"game": DEFAULT_GAME} | {key: value for key, value in play.items() if value is not None}
    return settings | dict(_setting("--set", text) for text in extra)


def match_setup(
    commands: Sequence[str],
    settings: Mapping[str, Any],
    *,
    keeps: bool,
    folder: Path,
    names: Sequence[str] = (),
    own: Sequence[tuple[str, str]] = (),
) -> CompetitionSetup:
    """The setup that a control file in `folder` for this match would give. Raises ConfigError.

    settings: as `play` of `play_match`. keeps: whether records are kept. names: as in `Lineup`.
    own: settings of single players: the player's name or number, from 1, and KEY=VALUE.
    """
    if len(commands) < 2:
        raise ConfigError("a match is between two players or more: give a COMMAND for each")
    codes = player_codes(commands, names)
    top = {key: value for key, value in settings.items() if key not in _OF_THE_MATCH}
    players = {code: {"command": command} for code, command in zip(codes, commands, strict=True)}
    for who, text in own:
        _lay(players[_player(who, codes)], *_setting("--for", text))
    plain = {
        "description": " against ".join(commands) if len(commands) == 2 else ", ".join(commands),
        "record_games": keeps,
        **_competition(codes, settings),
        **_usual(top),
        **top,
        "players": players,
    }
    path = (folder / NAME).absolute()
    setup = read_competition(
        Document(name="gyoji match", path=path, base=Path.cwd(), plain=plain, lines={}, forms={})
    )
    for warning in setup.warnings:
        complain(warning)
    return replace(setup, control_file="")


_OF_THE_MATCH = ("games", "format", "sprt")
"""Settings that are of the match, and no keys of a control file."""


def _competition(codes: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the format that the match has. Raises ConfigError."""
    test, kind, games = (settings.get(key) for key in ("sprt", "format", "games"))
    if test is not None:
        if len(codes) != 2 or kind is not None:
            raise ConfigError("--sprt: is a test of two players, the first against the second")
        if games is not None and games % 2:
            raise ConfigError(
                f"--games: expected an even number with --sprt, for pairs of games; got {games}"
            )
        limit = {} if games is None else {"rounds": games}
        return {"competition": "sprt", "competitors": list(codes), **limit, **_hypotheses(test)}
    games = GAMES_OF_TWO if games is None else games
    if kind == "gauntlet":
        first, *others = codes
        return {"competition": kind, "champions": [first], "challengers": others, "rounds": games}
    if kind is not None or len(codes) > 2:
        return {"competition": "allplayall", "competitors": list(codes), "rounds": games}
    matchup = {"players": list(codes), "number_of_games": games}
    return {"competition": "playoff", "alternating": True, "matchups": [matchup]}


_NUMBERS_OF_TEST = ("elo0", "elo1", "alpha", "beta")
_WORDS_OF_TEST = ("model", "observations")


def _hypotheses(text: str) -> dict[str, Any]:
    """The settings of a sequential test, from "0,5" or "elo0=0 elo1=5 alpha=0.05". Raises ConfigError."""
    known = (*_NUMBERS_OF_TEST, *_WORDS_OF_TEST)
    found: dict[str, Any] = {}
    for number, item in enumerate(filter(None, re.split(r"[\s,]+", text))):
        key, equals, value = item.partition("=")
        if not equals and number < len(_NUMBERS_OF_TEST):
            key, value = _NUMBERS_OF_TEST[number], item
        if key not in known or not value:
            raise ConfigError(f"--sprt: got {quote(item)}, expected KEY=VALUE{suggest(key, known)}")
        try:
            found[key] = float(value) if key in _NUMBERS_OF_TEST else value
        except ValueError:
            raise ConfigError(f"--sprt: {key}: expected a number, got {quote(value)}") from None
    if missing := [key for key in _NUMBERS_OF_TEST[:2] if key not in found]:
        raise ConfigError(f"--sprt: {missing[0]} is missing: write --sprt ELO0,ELO1, such as --sprt 0,10")
    return found


def _player(who: str, codes: Sequence[str]) -> str:
    """The code of a player that --for names, or counts from 1. Raises ConfigError."""
    if who in codes:
        return who
    if number := parse_whole(who, most=len(codes)):
        return codes[number - 1]
    raise ConfigError(
        f"--for: there is no player {quote(who)}{suggest(who, codes)}, or a number from 1 to {len(codes)}"
    )


def _lay(table: dict[str, Any], key: str, value: Any) -> None:
    """Set a key of a player, or a key in a table of its: "info.level". Raises ConfigError."""
    *tables, last = key.split(".")
    for name in tables:
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            raise ConfigError(f"--for: {key}: {name} is given as a value and as a table")
    table[last] = value


def _usual(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The game's own defaults for a match; none with a preset, or if there is no such game."""
    if "preset" in settings or settings["game"] not in GAMES.names:
        return {}
    return GAMES.find(settings["game"]).match_defaults


def _setting(option: str, text: str) -> tuple[str, Any]:
    """A setting from KEY=VALUE; the value as in TOML, or else a string, as the number of a clock is."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise ConfigError(f"{option}: expected KEY=VALUE, got {text!r}")
    import tomllib  # noqa: PLC0415 - most matches have no such setting

    try:
        plain = tomllib.loads(f"value = {value}")["value"]
    except RecursionError:
        raise ConfigError(f"{option}: {key}: too many nested tables and lists") from None
    except ValueError:
        return key, value
    return key, value if key == "clock" and isinstance(plain, int | float) else plain


@contextmanager
def match_folder(keep: Path | None) -> Iterator[Path]:
    """Where the files go: the folder that is to keep them, or one that is gone afterwards."""
    if keep is not None:
        yield keep
        return
    folder = scratch_folder(os.urandom(8).hex(), "match")
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
