"""The files and folders that a control file names, and from which engines they are hidden.

An engine does not see paths named for the competition or for another player: openings with hidden
treasures, the network of an opponent. It sees the paths that its own table names, also if another names
them too.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from os.path import commonpath, dirname, exists
from typing import Any

from gyoji.config.document import Document

_MOST_SINGLE = 100
"""The most paths that are hidden one by one.

If there are more, whole folders below the control file's are.
"""


def named_paths(document: Document, raw: Any) -> frozenset[str]:
    """Return the absolute paths that raw values name, except folders that contain the control file.

    Only paths that exist are found.
    """
    folder = str(document.directory)
    found = {document.resolve(word) for text in _texts(raw) for word in _words(text)}
    return frozenset(path for path in found if commonpath((folder, path)) != path and exists(path))


def not_for(document: Document, table: Mapping[str, Any], named: frozenset[str]) -> tuple[str, ...]:
    """Return the paths of files to hide from a player: named in the control file, but not in its own table.

    Args:
        table: The player's table.
        named: The paths that the whole control file names.
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


# Whether a word is a path shows only on disk, so every word that could be one is returned, and tested later.
def _words(text: str) -> Iterator[str]:
    """Yield the possible paths in a text: the text, and words of a command, also after "=" in an option."""
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
