"""Default names of players: the program of a command, and what differs in commands of one program."""

import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from gyoji.core.faults import ConfigError
from gyoji.core.setup import is_identifier
from gyoji.core.text import quote

LONGEST = 40
"""Characters of a name that is made of a command."""

# An interpreter says nothing about the player: its script does.
_INTERPRETER = re.compile(r"(python|perl|lua|ruby)[0-9.]*|node|java|mono|wine|sh|bash")


def player_codes(commands: Sequence[str], names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names of players for their commands. Raise ConfigError for a bad or repeated name.

    Args:
        names: Names that the user gives, from the first player on.

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
    """Return the name for one command.

    >>> program_code("gnugo --mode gtp"), program_code("python3 -u /opt/mine.py")
    ('gnugo', 'mine.py')
    """
    return _code(_program(command_words(command)))


def _codes(commands: Sequence[str]) -> list[str]:
    """Return a name for each command: its program's, with the differences if several have that."""
    words = [command_words(command) for command in commands]
    codes = [_code(_program(each)) for each in words]
    found = list(codes)
    for code in dict.fromkeys(codes):
        same = [number for number, each in enumerate(codes) if each == code]
        if len(same) > 1:
            for number, own in zip(same, _told_apart(code, [words[each] for each in same]), strict=True):
                found[number] = own
    return found


def _told_apart(code: str, commands: Sequence[Sequence[str]]) -> list[str]:
    """Name commands of one program by their differences, and by numbers where these are equal."""
    codes = [_code(f"{code}-{difference}") for difference in _differences(commands)]
    if max(map(len, codes)) > LONGEST:
        codes = [code] * len(codes)
    return [
        f"{each}-{codes[: number + 1].count(each)}" if codes.count(each) > 1 else each
        for number, each in enumerate(codes)
    ]


def command_words(command: str) -> list[str]:
    """Split a command as a shell does. One that cannot be split is one word: the config layer explains it."""
    try:
        return shlex.split(command)
    except ValueError:
        return [command]


def _program(words: Sequence[str]) -> str:
    """Return the file that plays: the program, or the script of an interpreter."""
    for word in words:
        name = PurePath(word).name
        if not word.startswith("-") and not _INTERPRETER.fullmatch(name):
            return name
    return PurePath(words[0]).name if words else ""


def _differences(commands: Sequence[Sequence[str]]) -> list[str]:
    """Return the arguments that not all commands have, or else parts of the program's path."""
    by_arguments = _beyond_common([words[1:] for words in commands])
    return by_arguments if any(by_arguments) else _beyond_common([words[:1] for words in commands])


def _beyond_common(commands: Sequence[Sequence[str]]) -> list[str]:
    """Return the words of each command that are not in all of them."""
    common = set.intersection(*map(set, commands))
    parts = set.intersection(
        *({part for word in words for part in PurePath(word).parts} for words in commands)
    )
    return [_beyond(words, common, parts | {"/"}) for words in commands]


def _beyond(words: Sequence[str], common: Iterable[str], known: Iterable[str]) -> str:
    """Join the words that are not common. A path is cut to its own parts; a value keeps its option."""
    parts: list[str] = []
    for at, word in enumerate(words):
        if word in common:
            continue
        if at and words[at - 1].startswith("-") and words[at - 1] in common and not word.startswith("-"):
            parts.append(words[at - 1].lstrip("-"))
        parts += [part for part in PurePath(word.lstrip("-")).parts if part not in known]
    return "-".join(parts)


def _code(text: str) -> str:
    code = re.sub(r"[^A-Za-z0-9._+=-]+", "-", text).strip("-")
    return code if is_identifier(code) else "player"
