"""The files and folders that a control file names, and whom they are not for.

What is named for the competition or for another player is out of an engine's sight: openings with hidden
treasures, the net of an opponent. What its own table names it sees, also if another names it too.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from os.path import commonpath, dirname, exists
from typing import Any

from gyoji.config.document import Document

_MOST_SINGLE = 100
"""Paths that are hidden one by one. Of more, folders below the control file's are hidden with all in them."""


def named_paths(document: Document, plain: Any) -> frozenset[str]:
    """Absolute paths that values of a control file name, but for folders with the control file in them.

    plain: a value of the file, such as a table, with all that is in it. Only paths that exist are found.
    """
    folder = str(document.directory)
    found = {document.resolve(word) for text in _texts(plain) for word in _words(text)}
    return frozenset(path for path in found if commonpath((folder, path)) != path and exists(path))


def not_for(document: Document, table: Mapping[str, Any], named: frozenset[str]) -> tuple[str, ...]:
    """Paths that are named, but not by the table of a player. named: by all of the control file."""
    own = named_paths(document, table)
    others = set(named - own)
    if len(others) > _MOST_SINGLE:
        folder = str(document.directory)
        others = {dirname(path) if dirname(path).startswith(f"{folder}/") else path for path in others} - own
    return tuple(sorted(others))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, Sequence):
        for each in value:
            yield from _texts(each)


def _words(text: str) -> Iterator[str]:
    """What may be a path in a text: the text itself, or a word of a command, also after "=" in an option."""
    if "\0" in text or not text:
        return
    yield text
    try:
        words = shlex.split(text)
    except ValueError:
        return
    for word in words if len(words) > 1 else ():
        value = word.partition("=")[2] if word.startswith("-") else word
        if "/" in value or "." in value:
            yield value
