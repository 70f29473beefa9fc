"""Default names of players in `gyoji match`: the program of the command, and the arguments in which commands
of the same program differ.
"""

import re
import shlex
from collections.abc import Sequence
from pathlib import PurePath

from gyoji.core.faults import ConfigError
from gyoji.core.setup import is_identifier
from gyoji.core.text import quote

LONGEST = 40
"""Largest number of characters of a default name."""

# An interpreter says nothing about the player: its script does.
_INTERPRETER = re.compile(r"(python|perl|lua|ruby)[0-9.]*|node|java|mono|wine|sh|bash")


def player_codes(commands: Sequence[str], names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names of players for their commands, in the same order.

    Args:
        names: Names that the user gives to the first players. The other names are made from the commands.

    Raises:
        ConfigError: A given name has wrong characters, two players would have the same name, or there are
            more names than commands.

    >>> player_codes(("gnugo --mode gtp", "/opt/michi/gtp"))
    ('gnugo', 'gtp')
    >>> player_codes(("gnugo --level 1", "gnugo --level 10", "michi"))
    ('gnugo-level-1', 'gnugo-level-10', 'michi')
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
        raise ConfigError(f"--name: {len(names)} names for {len(commands)} players")
    codes = (*names, *_codes(commands)[len(names) :])
    for code in codes:
        if codes.count(code) > 1:
            raise ConfigError(f"--name: two players would be called {quote(code)}: give each another name")
    return codes


def program_code(command: str) -> str:
    """Return the name of a player for one command.

    >>> program_code("gnugo --mode gtp"), program_code("python3 -u /opt/mine.py")
    ('gnugo', 'mine.py')
    """
    return _code(_program(command_words(command)))


# An option belongs to its value ("--level 1"), and a path has parts.
_PART = re.compile(r"-\S+ +[^-\s/]\S*|[^\s/]+")


def _codes(commands: Sequence[str]) -> list[str]:
    """Return a name for each command: its program and, if several have the same, the arguments that differ.

    Names that are still equal get numbers.
    """
    programs = [program_code(command) for command in commands]
    parts = [_PART.findall(command) for command in commands]
    codes = []
    for program, own in zip(programs, parts, strict=True):
        same = [each for other, each in zip(programs, parts, strict=True) if other == program]
        common = set.intersection(*map(set, same))
        code = _code("-".join([program, *(part.lstrip("-") for part in own if part not in common)]))
        codes.append(code if len(code) <= LONGEST else program)
    return [
        f"{code}-{codes[: number + 1].count(code)}" if codes.count(code) > 1 else code
        for number, code in enumerate(codes)
    ]


def command_words(command: str) -> list[str]:
    """Split a command as a shell does.

    A command that cannot be split is returned as one word. The error is reported when the settings are read.
    """
    try:
        return shlex.split(command)
    except ValueError:
        return [command]


def _program(words: Sequence[str]) -> str:
    """Return the name of the file that plays: the program, or the script that an interpreter runs."""
    for word in words:
        name = PurePath(word).name
        if not word.startswith("-") and not _INTERPRETER.fullmatch(name):
            return name
    return PurePath(words[0]).name if words else ""


def _code(text: str) -> str:
    code = re.sub(r"[^A-Za-z0-9._+=-]+", "-", text).strip("-")
    return code if is_identifier(code) else "player"
