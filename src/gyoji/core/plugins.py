"""Finds extensions: games, protocols, formats, executors and commands, ours like anybody's.

A distribution registers an object under one of five groups of entry points, by its name in control files::

    [project.entry-points."gyoji.games"]
    othello = "gyoji_othello:GAME"

The names of all that are installed are known from the metadata of their distributions; an object is imported
when somebody names it. Whatever is wrong with a distribution is a ConfigError for whoever names its object.
"""

from __future__ import annotations

import typing
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Generic, TypeVar

from gyoji.core.executor import Executor
from gyoji.core.faults import ConfigError
from gyoji.core.format import Format
from gyoji.core.game import AnyGame, Game
from gyoji.core.protocol import AnyProtocol, Protocol
from gyoji.core.text import printable, quote

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Named(typing.Protocol):
    """An object that knows its name."""

    @property
    def name(self) -> str | None: ...


T = TypeVar("T", bound=Named)


class Registry(Generic[T]):
    """All objects of one kind that are installed, by name.

    group: of entry points. word: what one of them is called in messages.
    """

    def __init__(self, group: str, word: str, kind: type[T]) -> None:
        self.group = group
        self._word = word
        self._kind = kind
        self._entries: dict[str, list[EntryPoint]] = {}
        self._loaded: dict[str, T] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Sorted. Imports none of them."""
        return tuple(sorted(self._found()))

    def find(self, name: str) -> T:
        """The object of that name. Raises ConfigError naming what there is, or what is wrong with it."""
        if (loaded := self._loaded.get(name)) is not None:
            return loaded
        entries = self._found().get(name)
        if entries is None:
            raise ConfigError(self._unknown(name))
        made = self._loaded[name] = self._load(entries)
        return made

    def _found(self) -> dict[str, list[EntryPoint]]:
        """The entry points by name, read once; several of one name are an error of whoever names it."""
        if not self._entries:
            for entry in (each for each in _installed() if each.group == self.group):
                twins = self._entries.setdefault(entry.name, [])
                if all(_where(entry) != _where(twin) for twin in twins):
                    twins.append(entry)
        return self._entries

    def _unknown(self, name: str) -> str:
        known = self.names
        if not known:
            return (
                f"no {self._word} {quote(name)}: nothing is registered under {self.group}; gyoji runs from a "
                "folder that is not installed, or was before it changed: pip install it"
            )
        near = get_close_matches(name.lower(), known, n=1, cutoff=0.7)
        hint = f"did you mean {near[0]}? " if near else ""
        return f"no {self._word} {quote(name)}; {hint}there are: {', '.join(known)}"

    def _load(self, entries: list[EntryPoint]) -> T:
        called = f"{self._word} {quote(entries[0].name)}"
        if len(entries) > 1:
            raise ConfigError(
                f"{called}: {len(entries)} distributions register it, expected one: "
                f"{' and '.join(sorted(map(_where, entries)))}; uninstall all but one"
            )
        (entry,) = entries
        where = f"{called}, {_where(entry)}"
        try:
            made = entry.load()
        except (Exception, SystemExit) as error:
            problem = printable(f"{type(error).__name__}: {error}", 200)
            raise ConfigError(f"{where}: cannot be imported: {problem}; mend or uninstall it") from error
        if not isinstance(made, self._kind):
            kind = f"a {self._kind.__module__}.{self._kind.__name__}"
            got = printable(type(made).__name__)
            raise ConfigError(f"{where}: got an object of type {got}, expected {kind}; mend or uninstall it")
        if made.name != entry.name:
            raise ConfigError(
                f"{where}: its object is named {quote(str(made.name))}, expected the name of its entry "
                "point; mend or uninstall it"
            )
        return made


@cache
def _installed() -> tuple[EntryPoint, ...]:
    """The entry points of all groups that registries are made of."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - 15 ms that some commands do without

    found = entry_points()
    groups = ("gyoji.games", "gyoji.protocols", "gyoji.formats", "gyoji.executors", "gyoji.commands")
    return tuple(entry for group in groups for entry in found.select(group=group))


def _where(entry: EntryPoint) -> str:
    """The object that an entry point names, and the distribution that it stands in."""
    if entry.dist is None:
        return entry.value
    return f"{entry.value} of {entry.dist.name} {entry.dist.version}"


GAMES: Registry[AnyGame] = Registry("gyoji.games", "game", Game)
PROTOCOLS: Registry[AnyProtocol] = Registry("gyoji.protocols", "protocol", Protocol)
FORMATS = Registry("gyoji.formats", "competition", Format)
EXECUTORS = Registry("gyoji.executors", "executor", Executor)
