"""A control file as plain values, where each came from, and the mistakes found in it."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias

from gyoji.core.faults import ConfigError
from gyoji.core.text import quote

KeyPath: TypeAlias = tuple[str | int, ...]
"""Where a value stands: keys, and positions in lists from 0."""

_LISTED = 40
"""How many known words a message lists at most."""

_BARE = re.compile(r"[A-Za-z0-9_\-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a control file says, unchecked.

    name      the file as the user called it, for messages.
    path      the file, absolute.
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
    warnings: tuple[str, ...] = ()

    @property
    def directory(self) -> Path:
        return self.path.parent


class Problems:
    """The mistakes of one document, collected to be shown together."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._found: dict[str, int] = {}

    def add(self, path: KeyPath, message: str) -> None:
        """`message` is about the value at `path`: what is wrong, in a few words."""
        line = self._line(path)
        place = self._document.name if line is None else f"{self._document.name}:{line}"
        where = f"{format_path(path)}: " if path else ""
        self._found.setdefault(f"{place}: {where}{message}", line or 0)

    def add_error(self, path: KeyPath, error: ValueError, places: Mapping[str, KeyPath]) -> None:
        """A ValueError about the table at `path`.

        Each line of it is reported at the key that it names, if it names one of `places`: first of all as
        "key: problem".
        """
        for text in str(error).splitlines():
            head, colon, rest = text.partition(": ")
            if colon and head in places:
                self.add(places[head], rest)
                continue
            named = [places[word] for word in re.findall(r"[a-z_0-9]+", text) if word in places]
            self.add(named[0] if named else path, text)

    def check(self) -> None:
        """Raises ConfigError with all of them, one a line, in the order of the file."""
        if self._found:
            raise ConfigError("\n".join(sorted(self._found, key=self._found.__getitem__)))

    def _line(self, path: KeyPath) -> int | None:
        """The line of the value, or else of the closest table around it."""
        for end in range(len(path), 0, -1):
            if path[:end] in self._document.lines:
                return self._document.lines[path[:end]]
        return None


def format_path(path: KeyPath) -> str:
    """A key path as messages write it.

    >>> format_path(("players", "a.b", "command", 0))
    'players."a.b".command.0'
    """
    parts = (str(part) for part in path)
    return ".".join(part if _BARE.fullmatch(part) else json.dumps(part, ensure_ascii=False) for part in parts)


def suggest(word: str, known: Iterable[str]) -> str:
    """What to say after "no ... <word>": the nearest known word, or all that there are.

    >>> suggest("komy", ["komi", "board_size"])
    '; did you mean komi?'
    >>> suggest("size", ["komi", "board_size"])
    '; did you mean board_size?'
    >>> suggest("zzz", ["komi", "board_size"])
    '; there are: board_size, komi'
    """
    words = sorted(known)
    near = get_close_matches(word.lower(), words, n=1, cutoff=0.7)
    near = near or [each for each in words if word.lower() in each.split("_")]
    if near:
        return f"; did you mean {' or '.join(near)}?"
    rest = ", ..." if len(words) > _LISTED else ""
    return f"; there are: {', '.join(words[:_LISTED])}{rest}" if words else ""


def shown(value: Any) -> str:
    """A value of a control file as a message shows it."""
    if isinstance(value, str):
        return quote(value)
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = type(value).__name__
    return text if len(text) <= 80 else text[:80] + "…"
