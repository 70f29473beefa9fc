"""A control file as raw values with their lines (`Document`), and the mistakes found in it (`Problems`)."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct, field

from gyoji.core.faults import ConfigError
from gyoji.core.text import quote

KeyPath: TypeAlias = tuple[str | int, ...]
"""The place of a value in a control file: keys, and indices of lists from 0."""
_LISTED = 12
"""Largest number of known words that a message lists."""
_NEAREST = 3
"""Number of known words that a message lists if there are more than `_LISTED`."""

_BARE = re.compile(r"[A-Za-z0-9_\-]+")


class Document(Struct, frozen=True, kw_only=True):
    """The contents of a control file before they are checked.

    Attributes:
        name: The name of the file as the user gave it, for messages.
        path: The absolute path of the file. Results are in its folder.
        raw: The settings: strings, numbers, booleans, lists, dicts, None. The setting of a tuner's candidates
            may be a function (`MakeTable`). Any other value is a mistake.
        lines: The line (from 1) of each key path, as far as it is known.
        forms: The name in messages of a table in a setting, such as "Player(...)", by setting. The name is "a
            table" if the setting is missing here.
        base: The folder from which relative paths are taken; None for the folder of the file.
        inherits_cwd: Whether players run in the working directory of gyoji, as in gomill, and not in the
            folder of the file.
        names_games: Whether engines are sent the ids of their games, as in gomill.
        warnings: Warnings, complete lines.
    """

    name: str
    path: Path
    raw: Mapping[str, Any]
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    forms: Mapping[str, str] = field(default_factory=dict)
    base: Path | None = None
    inherits_cwd: bool = False
    names_games: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def directory(self) -> Path:
        return self.path.parent

    def resolve(self, path: str) -> str:
        """Return the absolute path of a path, which may begin with "~" or be relative to the control file's
        folder.
        """
        return os.path.abspath((self.base or self.directory) / os.path.expanduser(path))


class Origin(NamedTuple):
    """The origin of values that are not in the control file.

    Attributes:
        name: The preset or game that gives the values, as messages show it.
        key: The setting of the control file that names this preset or game.
    """

    name: str
    key: str


class Problems:
    """The mistakes and warnings of one document, which are collected to be shown together.

    Attributes:
        document: The document.
        origins: The origin of each value that is not in the file (see `gyoji.config.competition.lay`).
        moved: The real path in the file of each setting that is read as if it were at the top level.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._found: dict[str, int] = {}
        self._doubts: dict[str, int] = {}
        self._wrong: set[KeyPath] = set()  # the paths of mistakes, and of the tables around them
        self.origins: Mapping[KeyPath, Origin] = {}
        self.moved: Mapping[str, KeyPath] = {}

    # A value at the top level is read for each table that inherits it, but its mistake is shown only once.
    def add(self, path: KeyPath, message: str) -> None:
        """Report a mistake in the value at `path`."""
        text, line = self._placed(path, message)
        self._found.setdefault(text, line)
        self._wrong.update(path[:end] for end in range(len(path) + 1))

    def has(self, path: KeyPath) -> bool:
        """Return whether a mistake has been reported about the value at `path`, or about a value in that
        value.
        """
        return path in self._wrong

    def add_error(self, path: KeyPath, error: ValueError, places: Mapping[str, KeyPath]) -> None:
        """Report each line of a ValueError about the table at `path`.

        A line such as "key: problem" is reported at the place of that key. Any other line is reported at the
        first key that it contains, or else at `path`.

        Args:
            path: The place of the table.
            error: The error.
            places: The place of each key.
        """
        for text in str(error).splitlines():
            head, colon, rest = text.partition(": ")
            if colon and head in places:
                place, message = places[head], rest
            else:
                named = [places[word] for word in re.findall(r"[a-z_0-9]+", text) if word in places]
                place, message = (named[0] if named else path), text
            self.add(place, message)

    def doubt(self, path: KeyPath, message: str) -> None:
        """Report a warning about the value at `path`, which may be a mistake."""
        text, line = self._placed(path, message)
        self._doubts.setdefault(text, line)

    @property
    def doubts(self) -> tuple[str, ...]:
        """The warnings as complete lines, in the order of the file."""
        return tuple(sorted(self._doubts, key=self._doubts.__getitem__))

    def check(self) -> None:
        """Raise ConfigError with all mistakes, one in each line, in the order of the file, if there are
        any.
        """
        if self._found:
            raise ConfigError("\n".join(sorted(self._found, key=self._found.__getitem__)))

    def _placed(self, path: KeyPath, message: str) -> tuple[str, int]:
        """Return a message with its place before it, and the line of the place; 0 if the line is unknown."""
        if path and path[0] not in self.document.raw:
            path = (*self.moved.get(str(path[0]), path[:1]), *path[1:])
        line, origin = self._source(path)
        place = f"{self.document.name}:{line}" if line else self.document.name
        where = f"{format_path(path)}: " if path else ""
        return f"{place}: {where}{message}" + (f" (from {origin.name})" if origin else ""), line

    def _source(self, path: KeyPath) -> tuple[int, Origin | None]:
        """Return the line from which a value comes, and its origin if it is not a value of the file.

        For a value of the file, the line may be that of the innermost table around the value, and the origin
        is None.

        For a value of a preset or a game, the line is that of the setting that names the preset or game.

        If nothing is known, the result is 0 and None.
        """
        lines = self.document.lines
        for end in range(len(path), 0, -1):
            if path[:end] in lines:
                return lines[path[:end]], None
            if origin := self.origins.get(path[:end]):
                return lines.get((origin.key,), 0), origin
        return 0, None


def format_path(path: KeyPath) -> str:
    """Return a key path as messages show it.

    >>> format_path(("players", "a.b", "command", 0))
    'players."a.b".command.0'
    """
    parts = (str(part) for part in path)
    return ".".join(part if _BARE.fullmatch(part) else json.dumps(part, ensure_ascii=False) for part in parts)


_CALLED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "competition_type": ("competition",),
        **dict.fromkeys(("tc", "time", "timecontrol", "time_control", "st"), ("clock",)),
        **dict.fromkeys(("games", "rounds"), ("number_of_games", "rounds")),
        **dict.fromkeys(("cmd", "engine", "executable", "path", "program"), ("command", "players")),
        "engines": ("players",),
        **dict.fromkeys(("dir", "workdir", "workingdir"), ("cwd",)),
        "proto": ("protocol",),
        **dict.fromkeys(("book", "opening_file", "openings_file"), ("openings",)),
    }
)
"""Names of settings in other programs, with those of gyoji for the same. `suggest` uses the first that is
known.
"""

_SAID = MappingProxyType(
    {
        **dict.fromkeys(
            ("concurrency", "jobs", "parallel", "threads"),
            "; how many games are played at once is said to the run: gyoji run -j N FILE",
        ),
        **dict.fromkeys(
            ("arg", "args", "arguments", "options"), "; what a program is started with is part of its command"
        ),
    }
)
"""Names of settings in other programs that are not settings of control files, with the end of a message."""


def suggest(word: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown word.

    It names a known word with the same meaning or a similar spelling. Without such a word, it says which
    option or setting of gyoji does the same, if the unknown word is a setting of another program. Otherwise
    it lists the known words, or only the most similar ones if there are many. It is "" if no word is known.

    >>> suggest("komy", ["komi", "board_size"])
    '; did you mean komi?'
    >>> suggest("size", ["komi", "board_size"])
    '; did you mean board_size?'
    >>> suggest("zzz", ["komi", "board_size"])
    '; there are: board_size, komi'
    >>> suggest("tc", ["clock", "komi"])
    '; did you mean clock?'
    >>> suggest("paralel", ["clock", "komi"])
    '; how many games are played at once is said to the run: gyoji run -j N FILE'
    """
    words = sorted(known)
    for ours in _CALLED.get(word.lower(), ()):
        if ours in words:
            return f"; did you mean {ours}?"
    from difflib import get_close_matches  # noqa: PLC0415 - for messages

    near = get_close_matches(word.lower(), words, n=1, cutoff=0.7)
    near = near or [each for each in words if word.lower() in each.split("_")]
    if near:
        return f"; did you mean {' or '.join(near)}?"
    for said in get_close_matches(word.lower(), _SAID, n=1, cutoff=0.85):
        return _SAID[said]
    if word and len(words) > _LISTED:
        nearest = get_close_matches(word.lower(), words, n=_NEAREST, cutoff=0)
        return f"; there are {len(words)}, the nearest: {', '.join(nearest)}"
    rest = ", ..." if len(words) > _LISTED else ""
    return f"; there are: {', '.join(words[:_LISTED])}{rest}" if words else ""


def shown(value: Any) -> str:
    """Return a raw value of a control file as messages show it."""
    if isinstance(value, str):
        return quote(value)
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):  # Python does not write numbers of more than 4,300 digits
        text = "a number of thousands of digits" if isinstance(value, int) else type(value).__name__
    return text if len(text) <= 80 else text[:80] + "…"
