"""`gyoji match`: a competition between engines that are given as commands, without a control file.

Two engines play a playoff of one matchup, or a sequential test; more play all against all, or a gauntlet.
`gyoji.cli.naming` makes the names of players.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from gyoji.cli.display import Every
from gyoji.cli.exits import complain
from gyoji.cli.naming import player_codes
from gyoji.cli.running import run_event
from gyoji.config.competition import read_competition
from gyoji.config.document import Document, suggest
from gyoji.core.faults import ConfigError
from gyoji.core.game import default_options
from gyoji.core.outcome import Ending
from gyoji.core.plugins import GAMES
from gyoji.core.setup import DEFAULT_GAME, CompetitionSetup
from gyoji.core.text import parse_whole, quote
from gyoji.executors.scratch import claim, scratch_folder
from gyoji.pairing.game_maker import PAIR
from gyoji.report.text import text_lines
from gyoji.scheduler.event import Event, text_part, totals_part
from gyoji.scheduler.run import RunOptions
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles
from gyoji.store.filesystem import remove_tree
from gyoji.tables.digest import ResultsDigest
from gyoji.tables.head_to_head import head_to_head_table
from gyoji.tables.notes import remarks

NAME = "match"
"""The code of the competition, and the stem of its files."""

GAMES_OF_TWO = 2
"""Default number of games of each two players."""


def play_match(
    commands: Sequence[str],
    options: RunOptions,
    *,
    names: Sequence[str] = (),
    own: Sequence[tuple[str, str]] = (),
    extra: Sequence[str] = (),
    keep: Path | None = None,
    quiet: bool = False,
    every: Every | None = None,
    **play: Any,
) -> ExitStatus:
    """Play a match, and print its report.

    Args:
        commands: The commands of the players.
        names: Names of the first players. Names of the other players are made from their commands.
        own: Settings of single players: (the player's name or number from 1, KEY=VALUE).
        extra: Settings of the top level of a control file, as KEY=VALUE.
        keep: The folder for records and logs; None keeps nothing.
        every: The interval at which the state is printed; None for the default of `run_event`.
        play: The options `games`, `format`, `sprt`, and settings of the top level of a control file, by name;
            None for one that is not given.

    Raises:
        ConfigError: A setting is wrong, there are fewer than two players, or `keep` has another match.
    """
    settings = given_settings(play, extra, commands)
    if options.transcripts and keep is None:
        raise ConfigError("transcripts are kept in a folder: give one with --keep")
    with match_folder(keep) as folder:
        setup = match_setup(commands, settings, names=names, own=own, keeps=keep is not None, folder=folder)
        _make(folder)
        event = Event(setup, source="gyoji match", control_file=folder / NAME)

        def report(digest: ResultsDigest) -> Iterable[str]:
            text = "\n".join(text_lines(event.tables().report())).strip()
            told = remarks(event.comparison, event.failures, engines=event.competition.engines)
            pairs = text_part(head_to_head_table(digest.head_to_head, event.setup.players))
            return chain(text.split("\n"), totals_part(event, digest), pairs, _ended(digest), told)

        return run_event(event, options, quiet=quiet, every=every, closing=report, tells_elo=True)


def _ended(digest: ResultsDigest) -> Iterator[str]:
    """Yield a blank line, and a line with the number of games by ending. Yield nothing without games."""
    counts: Counter[Ending] = Counter()
    for (ending, _), number in digest.endings.items():
        counts[ending] += number
    if counts:
        yield ""
        yield f"ended by: {', '.join(f'{each.value} {counts[each]}' for each in Ending.in_order(counts))}"


def given_settings(
    play: Mapping[str, Any], extra: Sequence[str], commands: Sequence[str] = ()
) -> dict[str, Any]:
    """Convert the options of the command line to settings of a control file.

    Args:
        play: Settings by their names; None for one that is not given.
        extra: Further settings, as KEY=VALUE.
        commands: The commands of the players. If no game is given, it is the one that their programs play.

    Raises:
        ConfigError: Options contradict each other, or one of `extra` is not KEY=VALUE.
    """
    settings = {key: value for key, value in play.items() if value is not None}
    settings = {"game": settings.get("game") or _game_of(commands)} | settings
    deciders = [name for name in ("umpire", "relay") if name in settings]
    for name in deciders:
        if len(deciders) > 1 or play.get("game") not in (None, name):
            other = f"--game says {quote(play['game'])}" if len(deciders) == 1 else "--relay is given too"
            raise ConfigError(f"--{deciders[0]}: has the game {deciders[0]}, and {other}")
        settings = {**settings, "game": name, name: {"command": settings[name]}}
    for text in extra:
        _lay("--set", settings, *_setting("--set", text))
    return settings


def _game_of(commands: Sequence[str]) -> str:
    """Return the game that all these programs are known to play (stockfish: chess), else `DEFAULT_GAME`."""
    names = {command.split(" ")[0].rpartition("/")[2] for command in commands}
    for game in (DEFAULT_GAME, *(name for name in GAMES.names if name != DEFAULT_GAME)):
        load = GAMES.find(game).form
        if names and load is not None and names <= {program.command[0] for program in load().programs}:
            return game
    return DEFAULT_GAME


# A match is read by the config layer like a control file, so that its settings mean the same and have the
# same messages.
def match_setup(
    commands: Sequence[str],
    settings: Mapping[str, Any],
    *,
    keeps: bool,
    folder: Path,
    names: Sequence[str] = (),
    own: Sequence[tuple[str, str]] = (),
) -> CompetitionSetup:
    """Return the setup that a control file in `folder` for this match would give.

    Args:
        commands: The commands of the players.
        settings: `games`, `format`, `sprt`, and settings of the top level of a control file.
        keeps: Whether records are kept.
        names: Names of the first players. Names of the other players are made from their commands.
        own: Settings of single players: (the player's name or number from 1, KEY=VALUE).

    Raises:
        ConfigError: A setting is wrong, or there are fewer than two players.
    """
    if len(commands) < 2:
        raise ConfigError("a match is between two players or more: give a COMMAND for each")
    codes = player_codes(commands, names)
    top = {key: value for key, value in settings.items() if key not in _OF_THE_MATCH}
    has_defaults = "preset" not in top and top["game"] in GAMES.names  # a preset replaces them
    usual = GAMES.find(top["game"]).match_defaults if has_defaults else {}
    full = [_full_command(command, str(settings.get("game", ""))) for command in commands]
    players = {code: {"command": command} for code, command in zip(codes, full, strict=True)}
    for who, text in own:
        _lay("--for", players[_player(who, codes)], *_setting("--for", text))
    plain = {
        "description": " against ".join(commands) if len(commands) == 2 else ", ".join(commands),
        "record_games": keeps,
        **_competition(codes, settings),
        **usual,
        **top,
        "players": players,
    }
    path = (folder / NAME).absolute()
    setup = read_competition(Document(name="gyoji match", path=path, base=Path.cwd(), raw=plain))
    for warning in setup.warnings:
        complain(warning)
    return replace(setup, control_file="")


def _full_command(command: str, game: str) -> str:
    """Complete a command that is only the name or path of a known program of the game.

    Some programs speak their protocol only with arguments: GNU Chess UCI with --uci, GNU Go GTP with
    --mode gtp. These arguments are added. Any other command is returned unchanged.
    """
    load = GAMES.find(game).form if game in GAMES.names else None
    for program in load().programs if load is not None else ():
        name, *words = program.command
        if words and command.rpartition("/")[2] == name:
            return f"{command} {' '.join(words)}"
    return command


_OF_THE_MATCH = ("games", "format", "sprt")
"""Settings of the match that are no keys of a control file."""


def count_sides(settings: Mapping[str, Any]) -> int:
    """Return the number of sides of the match's game; 2 if its settings are incomplete or wrong."""
    name = settings.get("game", "")
    if name not in GAMES.names or GAMES.find(name).seats == PAIR:
        return PAIR
    game = GAMES.find(name)
    own = settings.get(game.decider, {})  # the table of a game that a program decides
    options = {key: own.get(key, settings.get(key)) for key in default_options(game.options)}
    options = {key: value for key, value in options.items() if value is not None}
    try:
        return len(set(game.make_rules(options, 0).teams))
    except (TypeError, ValueError):  # the config layer says what is wrong
        return PAIR


def _competition(codes: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of the format that --format, --games and --sprt ask for.

    Args:
        codes: The names of the players.
        settings: The settings of the match.

    Raises:
        ConfigError: One of the three does not fit the number of players or of sides.
    """
    test, kind, games = (settings.get(key) for key in ("sprt", "format", "games"))
    if test is not None:
        if len(codes) != 2 or kind is not None:
            raise ConfigError("--sprt: is a test of two players, the first against the second")
        if games is not None and games % 2 and count_sides(settings) == PAIR:
            raise ConfigError(
                f"--games: expected an even number with --sprt, for pairs of games; got {games}"
            )
        limit = {} if games is None else {"rounds": games}
        try:
            values = [float(number) for number in test.split(",")]
        except ValueError:
            values = []
        if not 2 <= len(values) <= len(_NUMBERS_OF_TEST):
            raise ConfigError(
                f"--sprt: expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA such as 0,10, got {quote(test)}; "
                "its model is a setting: --set model=logistic"
            )
        return {
            "competition": "sprt",
            "competitors": list(codes),
            **limit,
            **dict(zip(_NUMBERS_OF_TEST, values, strict=False)),
        }
    sides = count_sides(settings)
    if kind == "tables" or (kind is None and sides > PAIR):
        games = sides if games is None else games
        if games % sides:
            raise ConfigError(
                f"--games: expected a multiple of {sides}, as players change seats at a table of {sides}; "
                f"got {games}"
            )
        return {"competition": "tables", "competitors": list(codes), "tables": games // sides}
    games = GAMES_OF_TWO if games is None else games
    if kind == "gauntlet":
        first, *others = codes
        return {"competition": kind, "champions": [first], "challengers": others, "rounds": games}
    if kind is not None or len(codes) > 2:
        return {"competition": "allplayall", "competitors": list(codes), "rounds": games}
    matchup = {"players": list(codes), "number_of_games": games}
    return {"competition": "playoff", "alternating": True, "matchups": [matchup]}


_NUMBERS_OF_TEST = ("elo0", "elo1", "alpha", "beta")


def _player(who: str, codes: Sequence[str]) -> str:
    """Return the name of the player that an option `--for` is about.

    Args:
        who: The player as typed: the name, or the number from 1.
        codes: The names of all players.

    Raises:
        ConfigError: There is no such player.
    """
    if who in codes:
        return who
    if number := parse_whole(who, most=len(codes)):
        return codes[number - 1]
    raise ConfigError(
        f"--for: there is no player {quote(who)}{suggest(who, codes)}, or a number from 1 to {len(codes)}"
    )


def _lay(option: str, table: dict[str, Any], key: str, value: Any) -> None:
    """Set one setting in a table. The key "info.level" sets `level` in the inner table `info`.

    Args:
        option: The option of the command line that gives the setting, for the error message.
        table: The table that is changed.

    Raises:
        ConfigError: The key is given as a value and as a table.
    """
    *tables, last = key.split(".")
    for name in tables:
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            raise ConfigError(f"{option}: {key}: {name} is given as a value and as a table")
    table[last] = value


# `--set clock=2` means "2": control files take a clock as a text.
def _setting(option: str, text: str) -> tuple[str, Any]:
    """Parse the text KEY=VALUE of an option of the command line. Return (key, value).

    The value is parsed as TOML. It stays text if it is not TOML. A number for the key "clock" stays text too.

    Raises:
        ConfigError: The text is not of this form, or has too many nested tables.
    """
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
    """Yield the folder of a match: `keep`, or for None a new folder that is removed at the end."""
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
    """Make the folder of a match. Raise ConfigError if that fails, or it has another match."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder}: the folder cannot be made: {error.strerror}") from None
    if CompetitionFiles(folder / NAME).database.exists():
        raise ConfigError(f"{folder}: this folder has another match: choose a new folder")
