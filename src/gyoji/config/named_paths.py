"""Finds the paths in a control file, and those of them that are hidden from a player's engine.

An engine can see the files that its own table names. It cannot see those that only other parts of the control
file name, such as openings with hidden treasures, or the neural network of an opponent.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from os.path import commonpath, dirname, exists
from typing import Any

from gyoji.config.document import Document

_MOST_SINGLE = 100
"""Largest number of paths that are hidden individually. If there are more, whole subfolders are hidden."""


def named_paths(document: Document, raw: Any) -> frozenset[str]:
    """Return the absolute paths of existing files and folders that are named in raw values.

    Folders that contain the control file are left out.
    """
    folder = str(document.directory)
    found = {document.resolve(word) for text in _texts(raw) for word in _words(text)}
    return frozenset(path for path in found if commonpath((folder, path)) != path and exists(path))


def not_for(document: Document, table: Mapping[str, Any], named: frozenset[str]) -> tuple[str, ...]:
    """Return the paths to hide from a player: those that the control file names, but not the player's own
    table.

    If there are more than `_MOST_SINGLE` of them, files in a subfolder of the control file's folder are
    replaced by the subfolder.

    Args:
        document: The control file.
        table: The player's table.
        named: All paths that the control file names.
    """
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


# A word is a path if it exists on disk, which is tested later. So all words that could be paths are returned.
def _words(text: str) -> Iterator[str]:
    """Yield the possible paths in a text: the whole text and, if it is a command, its words and options'
    values.
    """
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
