"""Read entry points from dist-info folders without importing importlib.metadata.

`importlib.metadata` takes 15 ms to import because it parses e-mail headers and archives. It is only used
if `sys.path` has an archive or an importer with a finder of its own.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import reduce
from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import Distribution


class Entry(NamedTuple):
    """An entry point.

    Attributes:
        origin: The distribution, or the folder of its metadata.
    """

    group: str
    name: str
    value: str
    origin: Distribution | str

    def load(self) -> Any:
        """Import and return the object. Raises whatever the import raises, and AttributeError for a missing
        object.
        """
        module, _, names = self.value.partition("[")[0].partition(":")
        return reduce(getattr, filter(None, names.strip().split(".")), import_module(module.strip()))

    def where(self) -> str:
        """The name of the object and of its distribution."""
        from importlib.metadata import Distribution  # noqa: PLC0415 - for messages

        found = Distribution.at(self.origin) if isinstance(self.origin, str) else self.origin
        return f"{self.value} of {found.name} {found.version}"


def entry_points(groups: Collection[str]) -> Iterator[Entry]:
    """Yield the entry points of these groups. The first distribution of a name on `sys.path` counts."""
    if _are_others_asked():
        yield from _asked(groups)
        return
    seen = set[str]()
    for folder in _folders():
        for name in _names(folder):
            stem, _, suffix = name.rpartition(".")
            if suffix.lower() not in ("dist-info", "egg-info"):
                continue
            called = re.sub(r"[-_.]+", "-", stem.partition("-")[0]).lower()
            if called not in seen:
                seen.add(called)
                yield from _read(os.path.join(folder, name), groups)


def _are_others_asked() -> bool:
    """Return whether `sys.path` may have distributions that are not folders in it."""
    finders = any(each is not PathFinder and hasattr(each, "find_distributions") for each in sys.meta_path)
    return finders or any(each.endswith(".egg") or os.path.isfile(each) for each in _folders())


def _folders() -> Iterator[str]:
    return (each or "." for each in sys.path if isinstance(each, str))


def _asked(groups: Collection[str]) -> Iterator[Entry]:
    from importlib.metadata import entry_points as ask  # noqa: PLC0415 - see above

    for group in groups:
        for each in ask(group=group):
            assert each.dist is not None
            yield Entry(group, each.name, each.value, each.dist)


def _names(folder: str) -> Iterable[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return ()


def _read(origin: str, groups: Collection[str]) -> Iterator[Entry]:
    """Yield the entry points in a distribution's `entry_points.txt`, if it exists."""
    try:
        with open(os.path.join(origin, "entry_points.txt"), encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
        return
    group = ""
    for line in filter(None, map(str.strip, lines)):
        if line.startswith("[") and line.endswith("]"):
            group = line.strip("[]")
        elif group in groups and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield Entry(group, name.strip(), value.strip(), origin)
