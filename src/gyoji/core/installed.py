"""Read entry points from dist-info folders without importing importlib.metadata.

`importlib.metadata` takes 15 ms to import because it parses e-mail headers and archives, and `gyoji --help`
takes 70 ms in all. Distributions inside archives are not found.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import reduce
from importlib import import_module
from typing import Any, NamedTuple


class Entry(NamedTuple):
    """An entry point: a name in a group, under which an installed distribution provides an object.

    Attributes:
        value: Import path of the object, as in "package.module:NAME".
        origin: The folder of the distribution's metadata.
    """

    group: str
    name: str
    value: str
    origin: str

    def load(self) -> Any:
        """Import and return the object that the entry point names.

        Raises:
            AttributeError: The module has no such object.
            Exception: Any exception of the import.
        """
        module, _, names = self.value.partition("[")[0].partition(":")
        return reduce(getattr, filter(None, names.strip().split(".")), import_module(module.strip()))

    def where(self) -> str:
        """Return the object's import path and the name and version of its distribution, for messages."""
        from importlib.metadata import Distribution  # noqa: PLC0415 - for messages

        found = Distribution.at(self.origin)
        return f"{self.value} of {found.name} {found.version}"


def entry_points(groups: Collection[str]) -> Iterator[Entry]:
    """Yield the entry points of the given groups. If a distribution is on `sys.path` twice, the first one
    counts.
    """
    seen = set[str]()
    for folder in [each or "." for each in sys.path]:
        names = list[str]()
        with suppress(OSError):  # no such folder, or none of ours
            names = os.listdir(folder)
        for name in names:
            stem, _, suffix = name.rpartition(".")
            if suffix.lower() not in ("dist-info", "egg-info"):
                continue
            called = re.sub(r"[-_.]+", "-", stem.partition("-")[0]).lower()
            if called not in seen:
                seen.add(called)
                yield from _read(os.path.join(folder, name), groups)


def _read(origin: str, groups: Collection[str]) -> Iterator[Entry]:
    """Yield those entry points of one distribution that are in the given groups. There are none without an
    `entry_points.txt`.

    Args:
        origin: The folder of the distribution's metadata.
    """
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
