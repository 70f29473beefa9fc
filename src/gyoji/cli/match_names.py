"""What `gyoji match` calls its two players: after their programs, and by what differs in their commands."""

import re
import shlex
from collections.abc import Sequence
from pathlib import PurePath

from gyoji.core.faults import ConfigError
from gyoji.core.setup import is_identifier
from gyoji.core.text import quote

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
    """What each command has that the other lacks: arguments, or if they are the same the program's folder."""
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
