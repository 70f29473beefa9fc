"""`gyoji init`: asks what a first competition is to be, and writes a control file with comments."""

import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import click

from gyoji.cli.exits import complain, say
from gyoji.cli.naming import player_codes
from gyoji.config.competition import read_competition
from gyoji.config.document import Document, suggest
from gyoji.config.programs import find_program, installed, needs_network
from gyoji.config.toml_file import read_toml
from gyoji.config.written import toml
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.forms import Form
from gyoji.core.game import AnyGame
from gyoji.core.plugins import GAMES
from gyoji.core.setup import DEFAULT_GAME
from gyoji.core.text import parse_whole, quote
from gyoji.scheduler.status import ExitStatus

T = TypeVar("T")

CLOCK = "1m"
"""Where the game has no usual one."""

_COMMENT_AT = 34
"""The column of comments behind settings."""


class Kind(NamedTuple):
    """A format that can be chosen.

    about   what it is, in a few words.
    key     the setting with a number that is asked for, and what it counts.   usual: that number.
    more    further lines, each a setting with its comment.
    """

    about: str
    key: str
    counts: str
    usual: int
    more: tuple[str, ...] = ()


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "playoff": Kind("two players, so many games", "number_of_games", "games; colours alternate", 10),
        "sprt": Kind(
            "is the first of two stronger? plays until that is clear",
            "rounds",
            "games at most",
            1000,
            ("elo0 = 0 # H0: the first player is no stronger", "elo1 = 20 # H1: it is 20 Elo stronger"),
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
    }
)
_OF_TWO = ("playoff", "sprt")


class Answers(NamedTuple):
    """The competition as the command line gives it; None and () for what is asked."""

    game: str | None = None
    commands: Sequence[str] = ()
    names: Sequence[str] = ()
    kind: str | None = None
    number: int | None = None
    clock: str | None = None


class _Choice(NamedTuple):
    """A program in the list."""

    title: str
    command: str
    protocol: str


def write_first(path: Path, given: Answers, *, asks: bool) -> ExitStatus:
    """The whole command. asks: whether what is not given is asked for; else it is as usual.

    Raises ConfigError, and writes nothing, if the file exists or what is given is wrong.
    """
    if path.suffix.lower() != ".toml":
        raise ConfigError(f"{path}: a control file's name ends in .toml: gyoji init {path.stem}.toml")
    if path.exists():
        raise ConfigError(f"{path}: is there already, and is not overwritten: name another file")
    try:
        text = _Questions(given, asks=asks).text(path)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        raise ConfigError(
            "gyoji init asks questions, and standard input has no answer: give --yes, or options as answers"
        ) from None
    setup = read_competition(read_toml(str(path), path.absolute(), text))
    _write(path, text)
    for warning in setup.warnings:
        complain(warning)
    file = shlex.quote(str(path))
    say(f"\n{path} is written. Next:\n  gyoji check --quick {file}\n  gyoji run {file}\n  gyoji show {file}")
    return ExitStatus.COMPLETE


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from None


class _Questions:
    """Answers, from the command line or from a person, and the text they make."""

    def __init__(self, given: Answers, *, asks: bool) -> None:
        self._given, self._asks = given, asks

    def text(self, path: Path) -> str:
        """The control file. Raises ConfigError, and click.Abort if there is nobody to ask."""
        name, game = self._game()
        players = self._players(game, path)
        kind = self._kind(len(players))
        number = self._number(kind)
        clock = self._clock(game)
        codes = player_codes([each.command for each in players], self._given.names)
        lines = [
            f"# {_title(game)}: {', '.join(codes)}. Written by `gyoji init`.",
            f"#   gyoji check {path.name}       starts each player, and tests it",
            f"#   gyoji run {path.name}         plays; type it again to continue",
            f"#   gyoji show {path.name}        shows the standings",
            "",
            _line("competition", kind, KINDS[kind].about),
            *_format_lines(kind, number, codes),
            "",
            _line("game", name),
            *_game_lines(game),
            _line("clock", clock, 'time of each player in a game; others: "5m + 3x10s", "8+0.08", "40/300"'),
            "",
            *(
                line
                for code, player in zip(codes, players, strict=True)
                for line in _player_lines(code, player)
            ),
            *_HINTS,
        ]
        if kind == "playoff":
            lines += ["", "[[matchups]]", toml({"players": list(codes)}).strip()]
        return "\n".join(lines) + "\n"

    def _ask(self, given: T | None, question: str, usual: T, read: Callable[[str], T]) -> T:
        """The given value, or an answer. read: raises click.UsageError to have the question asked again."""
        if given is not None:
            return given
        if not self._asks:
            return usual
        answer: T = click.prompt(question, default=usual, value_proc=lambda text: read(str(text)))
        return answer

    def _game(self) -> tuple[str, AnyGame]:
        names = GAMES.names
        known = [DEFAULT_GAME, *(each for each in names if each != DEFAULT_GAME)]

        def read(text: str) -> str:
            if text.strip() not in names:
                raise click.UsageError(f"no game {quote(text)}{suggest(text, names)}")
            return text.strip()

        name = self._ask(self._given.game, f"Game ({', '.join(known)})", DEFAULT_GAME, read)
        return name, GAMES.find(name)

    def _players(self, game: AnyGame, path: Path) -> list[_Choice]:
        """Two or more."""
        choices = _choices(game)
        if self._given.commands:
            players = [_Choice("", command, "") for command in self._given.commands]
        elif self._asks:
            players = _asked_players(_title(game), choices, path)
        else:
            players = choices[:2]
        if len(players) < 2:
            raise ConfigError(
                f"a competition has two players or more, got {len(players)}: give each with --player COMMAND"
            )
        return players

    def _kind(self, players: int) -> str:
        kinds = [kind for kind in KINDS if players == 2 or kind not in _OF_TWO]
        if self._given.kind is not None and self._given.kind not in kinds:
            raise ConfigError(f"--format: {self._given.kind} is for two players, and there are {players}")
        if self._given.kind is None and self._asks:
            say("\nFormats:")
            for kind in kinds:
                say(f"  {kind:<12}{KINDS[kind].about}")

        def read(text: str) -> str:
            if text.strip() not in kinds:
                raise click.UsageError(f"no format {quote(text)}{suggest(text, kinds)}")
            return text.strip()

        return self._ask(self._given.kind, "Format", kinds[0], read)

    def _number(self, kind: str) -> int:
        def read(text: str) -> int:
            if not (number := parse_whole(text.strip())):
                raise click.UsageError(f"expected a whole number from 1, got {quote(text)}")
            return number

        counts = KINDS[kind].counts.partition(";")[0]
        return self._ask(self._given.number, f"How many {counts}", KINDS[kind].usual, read)

    def _clock(self, game: AnyGame) -> str:
        def read(text: str) -> str:
            try:
                return TimeControl.parse(text).describe()
            except ValueError as error:
                raise click.UsageError(str(error)) from None

        usual = game.defaults.get("clock")
        return self._ask(self._given.clock, "Clock", usual if isinstance(usual, str) else CLOCK, read)


def _form(game: AnyGame) -> Form | None:
    return None if game.form is None else game.form()


def _title(game: AnyGame) -> str:
    form = _form(game)
    return form.title if form else game.name


def _choices(game: AnyGame) -> list[_Choice]:
    """The programs of the game that this machine has, each at each of its strengths."""
    form = _form(game)
    return [
        _Choice(
            f"{each.name}, {strength.name}" if len(each.strengths) > 1 else each.name,
            shlex.join((*each.command, *strength.words)),
            each.protocol,
        )
        for each in (installed(form) if form else ())
        for strength in each.strengths
    ]


def _asked_players(title: str, choices: Sequence[_Choice], path: Path) -> list[_Choice]:
    """The players that a person names, one after the other, until nothing is answered."""
    if choices:
        say(f"\nPrograms on this machine that play {title}:")
        width = max(len(each.title) for each in choices)
        for number, each in enumerate(choices, 1):
            say(f"  {number:>2}  {each.title:<{width}}  {each.command}")
    say("Name each player by its number, or by a command of your own. Enter alone ends the list.")
    base = Document(name="", path=path.absolute(), plain={}, lines={}, forms={})

    def read(text: str) -> _Choice | None:
        if not text.strip():
            return None
        if number := parse_whole(text.strip(), most=len(choices)):
            return choices[number - 1]
        return _own_program(text, base)

    players: list[_Choice] = []
    while True:
        is_needed = len(players) < 2
        usual = str(len(players) + 1) if is_needed and len(players) < len(choices) else ""
        question = f"Player {len(players) + 1}"
        found = click.prompt(question, default=usual, show_default=bool(usual), value_proc=read)
        if found is not None:
            players.append(found)
        elif is_needed:
            say("A competition has two players or more.")
        else:
            return players


def _own_program(text: str, base: Document) -> _Choice:
    """A command that somebody has typed. Raises click.UsageError if it starts nothing."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise click.UsageError(f"{str(error).lower()} in {quote(text)}") from None
    program = find_program(words[0], base, None)
    if not os.path.isfile(program):
        raise click.UsageError(f"there is no number and no program {quote(words[0])}")
    return _Choice("", text.strip(), "")


def _line(key: str, value: Any, comment: str = "") -> str:
    setting = toml({key: value}).strip()
    return f"{setting:<{_COMMENT_AT}}# {comment}" if comment else setting


def _format_lines(kind: str, number: int, codes: Sequence[str]) -> list[str]:
    """The settings of the format, but for the table of a matchup, which comes last."""
    about = KINDS[kind]
    lines = [_line(about.key, number, about.counts)]
    for each in about.more:
        setting, _, comment = each.partition(" # ")
        lines.append(f"{setting:<{_COMMENT_AT}}# {comment}")
    if kind == "playoff":
        lines.append(_line("alternating", True, "colours"))
    if kind == "sprt":
        lines.append(_line("competitors", list(codes), "the player under test, and its opponent"))
    if kind == "gauntlet":
        lines.append(_line("champions", [codes[0]], "each of them plays each of the others"))
    return lines


def _game_lines(game: AnyGame) -> list[str]:
    """The settings of the game that it asks people for, else those that a match of it has."""
    form = _form(game)
    if form is None:
        return [_line(key, value) for key, value in game.match_defaults.items()]
    lines = []
    for each in form.fields:
        if each.value is not None:
            known = [str(value) for value, _ in each.choices if value is not None]
            lines.append(
                _line(each.key, each.value, f"{each.label}{': ' if known else ''}{', '.join(known)}")
            )
    return lines


def _player_lines(code: str, player: _Choice) -> list[str]:
    table: dict[str, Any] = {"command": player.command}
    if player.protocol:
        table["protocol"] = player.protocol
    if needs_network(shlex.split(player.command)[0]):
        table["network"] = True
    return [*toml({"players": {code: table}}).strip().splitlines(), ""]


_HINTS = (
    "# More settings of a player, below its command:",
    '#   clock = "30s"                 a clock of its own, for time odds',
    '#   max_memory = "1GB"            it loses a game in which it needs more',
    '#   environ = { THREADS = "2" }   variables of its environment',
    "#   network = true                for ssh and the like: engines have no network otherwise",
)
