"""A control file as plain values, where each came from, and the mistakes found in it."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from gyoji.core.faults import ConfigError
from gyoji.core.text import quote

KeyPath: TypeAlias = tuple[str | int, ...]
"""Where a value stands: keys, and positions in lists from 0."""

_LISTED = 12
"""How many known words a message lists at most."""
_NEAREST = 3
"""How many it names if there are more."""

_BARE = re.compile(r"[A-Za-z0-9_\-]+")


class Document(Struct, frozen=True, kw_only=True):
    """The contents of a control file, unchecked.

    name      the file as the user called it, for messages.
    path      the file, absolute; its results are beside it, named after it.
    base      the folder that relative paths start from; None for the file's own.
    inherits_cwd  whether players run where gyoji runs, as gomill's do, and not in that folder.
    names_games   whether engines are told the ids of their games, as by gomill.
    plain     its settings: strings, numbers, booleans, lists, dicts, None; anything else is a mistake.
    lines     the line (from 1) of each key path, as far as it is known.
    forms     what a table is called in this kind of file, by setting; "a table" where nothing is said.
    warnings  complete lines.
    """

    name: str
    path: Path
    plain: Mapping[str, Any]
    lines: Mapping[KeyPath, int]
    forms: Mapping[str, str]
    base: Path | None = None
    inherits_cwd: bool = False
    names_games: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def directory(self) -> Path:
        return self.path.parent

    def resolve(self, path: str) -> str:
        """An absolute path: "~" is a home, anything relative starts from the control file's folder."""
        return os.path.abspath((self.base or self.directory) / os.path.expanduser(path))


class Origin(NamedTuple):
    """The source of values that the file does not give itself, and the setting that names it."""

    name: str
    key: str


class Problems:
    """The mistakes of one document, collected to be shown together, and what may be one.

    origins: of each value that is not the file's own (`gyoji.config.competition`).
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._found: dict[str, int] = {}
        self._doubts: dict[str, int] = {}
        self.origins: Mapping[KeyPath, Origin] = {}

    def add(self, path: KeyPath, message: str) -> None:
        """`message` is about the value at `path`: what is wrong, in a few words."""
        text, line = self._placed(path, message)
        self._found.setdefault(text, line)

    def add_error(
        self, path: KeyPath, error: ValueError, places: Mapping[str, KeyPath], context: str = ""
    ) -> None:
        """A ValueError about the table at `path`.

        Each line of it is reported at the key that it names, if it names one of `places`: first of all as
        "key: problem". context: to be said too of a value that is the file's own.
        """
        for text in str(error).splitlines():
            head, colon, rest = text.partition(": ")
            if colon and head in places:
                place, message = places[head], rest
            else:
                named = [places[word] for word in re.findall(r"[a-z_0-9]+", text) if word in places]
                place, message = (named[0] if named else path), text
            self.add(place, message if place in self.origins else message + context)

    def doubt(self, path: KeyPath, message: str) -> None:
        """`message` is about a value that may be a mistake, but stops nothing."""
        text, line = self._placed(path, message)
        self._doubts.setdefault(text, line)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Complete lines, in the order of the file."""
        return tuple(sorted(self._doubts, key=self._doubts.__getitem__))

    def check(self) -> None:
        """Raises ConfigError with all of them, one a line, in the order of the file."""
        if self._found:
            raise ConfigError("\n".join(sorted(self._found, key=self._found.__getitem__)))

    def gifts(self, places: Mapping[str, KeyPath]) -> str:
        """The settings among these that the file does not give itself, as the end of a message."""
        given: dict[Origin, list[str]] = {}
        for key, place in places.items():
            if place in self.origins:
                given.setdefault(self.origins[place], []).append(key)
        return "".join(f"; {origin.name} gives {', '.join(keys)}" for origin, keys in given.items())

    def _placed(self, path: KeyPath, message: str) -> tuple[str, int]:
        """A message with its place in front, and the line of that (0: none is known)."""
        line, origin = self._source(path)
        place = f"{self._document.name}:{line}" if line else self._document.name
        where = f"{format_path(path)}: " if path else ""
        return f"{place}: {where}{message}" + (f" (from {origin.name})" if origin else ""), line

    def _source(self, path: KeyPath) -> tuple[int, Origin | None]:
        """The line of the value, or of the closest table around it; and what gave it, if not the file."""
        lines = self._document.lines
        for end in range(len(path), 0, -1):
            if path[:end] in lines:
                return lines[path[:end]], None
            if origin := self.origins.get(path[:end]):
                return lines.get((origin.key,), 0), origin
        return 0, None


def format_path(path: KeyPath) -> str:
    """A key path as messages write it.

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
"""Words of other programs, each with those of ours that say the same: the first that is known there."""

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
"""Words of other programs for what is no setting of ours, each with where it is said."""


def suggest(word: str, known: Iterable[str]) -> str:
    """The end of a message "no ... <word>": the nearest known words, or else a list of all.

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
    """A value of a control file as a message shows it."""
    if isinstance(value, str):
        return quote(value)
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):  # Python writes no more than 4,300 digits
        text = "a number of thousands of digits" if isinstance(value, int) else type(value).__name__
    return text if len(text) <= 80 else text[:80] + "…"
