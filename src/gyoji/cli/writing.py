"""`gyoji init`: write a first control file with a comment behind each setting."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from gyoji.cli.exits import complain, say
from gyoji.cli.naming import command_words, player_codes
from gyoji.config.competition import read_competition
from gyoji.config.programs import installed, needs_network
from gyoji.config.toml_file import read_toml
from gyoji.config.toml_writer import toml
from gyoji.core.faults import ConfigError
from gyoji.core.game import AnyGame
from gyoji.core.plugins import GAMES
from gyoji.core.setup import DEFAULT_GAME
from gyoji.scheduler.status import ExitStatus

CLOCK = "1m"
"""The clock of games that have no default of their own."""

_COMMENT_AT = 34
"""The column of comments behind settings."""


class Kind(NamedTuple):
    """A format of competitions that `gyoji init` can write.

    Attributes:
        about: The format in a few words, for a comment.
        key: The setting that gets the number of `--games`.
        counts: What the number counts, such as "games", for a comment.
        default: The number if `--games` is not given.
        more: Further settings: (key, value, comment).
    """

    about: str
    key: str
    counts: str
    default: int
    more: tuple[tuple[str, Any, str], ...] = ()


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "playoff": Kind(
            "two players, so many games", "number_of_games", "games", 10, (("alternating", True, "colours"),)
        ),
        "sprt": Kind(
            "is the first of two stronger? plays until that is clear",
            "rounds",
            "games at most",
            1000,
            (("elo0", 0, "H0: the first player is no stronger"), ("elo1", 20, "H1: it is 20 Elo stronger")),
        ),
        "allplayall": Kind("everybody plays everybody", "rounds", "games of each pair; colours alternate", 4),
        "gauntlet": Kind("the first player plays each of the others", "rounds", "games of each pair", 10),
        "swiss": Kind(
            "rounds, in which players with like scores meet",
            "rounds",
            "rounds; in each, two games of each pair",
            4,
        ),
        "knockout": Kind("who loses a match is out", "games_per_match", "games of a match", 2),
        "tables": Kind("players at tables, who change seats on one seed", "tables", "tables in all", 10),
        "elimination": Kind("the best of each table go on", "rounds", "seeds of each table", 1),
    }
)
_OF_TWO = ("playoff", "sprt")


class Wishes(NamedTuple):
    """The options of `gyoji init`. None and () stand for the defaults."""

    game: str | None = None
    commands: Sequence[str] = ()
    names: Sequence[str] = ()
    kind: str | None = None
    number: int | None = None
    clock: str | None = None


def write_first(path: Path, wishes: Wishes) -> ExitStatus:
    """Write a control file, and print commands to try next.

    Raises:
        ConfigError: The file exists, its name does not end in .toml, it cannot be written, or an
            option does not fit.
    """
    if path.suffix.lower() != ".toml":
        raise ConfigError(f"{path}: a control file's name ends in .toml: gyoji init {path.stem}.toml")
    if path.exists():
        raise ConfigError(f"{path}: is there already, and is not overwritten: name another file")
    text = "".join(f"{line}\n" for line in _lines(path.name, wishes))
    setup = read_competition(read_toml(str(path), path.absolute(), text))
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from None
    for warning in setup.warnings:
        complain(warning)
    file_name = shlex.quote(str(path))
    say(f"\n{path} is written. Next:")
    for command in ("check --quick", "run", "show"):
        say(f"  gyoji {command} {file_name}")
    return ExitStatus.COMPLETE


# The file is checked by the config layer before it is written: an option that does not fit leaves no file.
def _lines(file_name: str, wishes: Wishes) -> Iterator[str]:
    """Yield the lines of the control file.

    Args:
        file_name: The name of the file, for the commands in its comments.
    """
    name = wishes.game or DEFAULT_GAME
    game = GAMES.find(name)
    title = name if game.form is None else game.form().title
    found = _programs(game)
    players = [{"command": command} for command in wishes.commands] or found[:2]
    if len(players) < 2:
        raise ConfigError(
            f"a competition has two players or more, got {len(players)}: give each with --player COMMAND"
        )
    kind = wishes.kind or ("playoff" if len(players) == 2 else "allplayall")
    if kind in _OF_TWO and len(players) != 2:
        raise ConfigError(f"--format: {kind} is for two players, and there are {len(players)}")
    codes = player_codes([each["command"] for each in players], wishes.names)
    yield f"# {title}: {', '.join(codes)}. Written by `gyoji init`."
    yield f"#   gyoji check {file_name}       starts each player, and tests it"
    yield f"#   gyoji run {file_name}         plays; type it again to continue"
    yield f"#   gyoji show {file_name}        shows the standings"
    yield ""
    yield _line("competition", kind, KINDS[kind].about)
    yield _line(KINDS[kind].key, wishes.number or KINDS[kind].default, KINDS[kind].counts)
    yield from (_line(*setting) for setting in KINDS[kind].more)
    if kind == "sprt":
        yield _line("competitors", list(codes), "the player under test, and its opponent")
    if kind == "gauntlet":
        yield _line("champions", [codes[0]], "each of them plays each of the others")
    yield ""
    yield _line("game", name)
    yield from _game_lines(game)
    default = game.defaults.get("clock")
    clock = wishes.clock or (default if isinstance(default, str) else CLOCK)
    yield _line("clock", clock, 'time of each player in a game; others: "5m + 3x10s", "8+0.08", "40/300"')
    yield ""
    for code, player in zip(codes, players, strict=True):
        is_remote = any(map(needs_network, command_words(player["command"])[:1]))
        table = {**player, "network": True} if is_remote else player
        yield from (*toml({"players": {code: table}}).strip().splitlines(), "")
    if others := [each["command"] for each in found if each not in players]:
        yield f"# Other programs on this machine that play {title}; each is the command of a player:"
        yield from (*(f"#   {command}" for command in others), "#")
    yield from _HINTS
    if kind == "playoff":  # the table of a matchup comes last: no setting of the top level can follow it
        yield from ("", "[[matchups]]", toml({"players": list(codes)}).strip())


def _programs(game: AnyGame) -> list[dict[str, str]]:
    """Return the settings of a player for each strength of each known program of the game that is installed
    on this machine.
    """
    return [
        {"command": shlex.join((*each.command, *strength.words))}
        | ({"protocol": each.protocol} if each.protocol else {})
        for each, _ in (installed(game.form()) if game.form is not None else ())
        for strength in each.strengths
    ]


def _line(key: str, value: Any, comment: str = "") -> str:
    setting = toml({key: value}).strip()
    return f"{setting:<{_COMMENT_AT}}# {comment}" if comment else setting


def _game_lines(game: AnyGame) -> Iterator[str]:
    """Yield lines with the settings of the game: those of its form (`AnyGame.form`), or its defaults for a
    match.
    """
    if game.form is None:
        yield from (_line(key, value) for key, value in game.match_defaults.items())
        return
    for each in game.form().fields:
        if each.value is not None:
            known = [str(value) for value, _ in each.choices if value is not None]
            yield _line(each.key, each.value, f"{each.label}{': ' if known else ''}{', '.join(known)}")


_HINTS = (
    "# More settings of a player, below its command:",
    '#   clock = "30s"                 a clock of its own, for time odds',
    '#   max_memory = "1GB"            it loses a game in which it needs more',
    '#   environ = { THREADS = "2" }   variables of its environment',
    "#   network = true                for ssh and the like: engines have no network otherwise",
)
