"""Extensions: protocols, formats and executors as objects; how they and games are found, ours like anybody's.

A distribution registers an object under one of four groups of entry points, by its name in control files::

    [project.entry-points."gyoji.games"]
    othello = "gyoji_othello:GAME"

The names of all that are installed are known from the metadata of their distributions; an object is imported
when somebody names it. Whatever is wrong with a distribution is a ConfigError for whoever names its object.
`gyoji.core.game` has the object of a game.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct, field

from gyoji.core.faults import ConfigError
from gyoji.core.game import AnyGame, Game, OptionsKind, make_options
from gyoji.core.installed import Entry, entry_points
from gyoji.core.messages import Scored
from gyoji.core.ports import AnyRules, Codec, Competition, EngineStarter
from gyoji.core.probe import Findings, Probe
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Tables
from gyoji.core.text import printable, quote

OptionsT = TypeVar("OptionsT", bound=OptionsKind)


class CommandCheck(typing.Protocol):
    """Refuses commands that the protocol does not allow."""

    def __call__(self, words: Sequence[str], options: Mapping[str, object], /) -> None:
        """Raise ValueError for such a command; options: the player's, as plain values."""


class Protocol(Struct, Generic[OptionsT], frozen=True, kw_only=True):
    """A protocol.

    name        as players name it; that of its entry point.
    options     a frozen dataclass: the protocol's settings of a player.
    codec       our half of a new conversation with one engine.
    games       the names of the games that can be played in it, beside those whose `defaults` name it; None:
                any.
    private_folder  whether its engines have a working folder for each game, unless told another.
    check_command   raises ValueError for a command that is not allowed; None: all are.
    read_score  what an engine means by its words about the score; None: they are no more than words.
    executable  which file of a package is the program, by their names, with warnings; ValueError if none is.
                None: there are no packages.
    adapter     the module of a program that speaks the protocol and is started in place of an engine, whose
                command follows its own; "" where engines speak it themselves.
    probe       the conformance probe of `gyoji check`; of rules, or of None: any that the engine can play by.
    trial       a short one of the check before a competition.
    greeting    whether a program speaks the protocol, found by a question that each such program answers at
                once; for programs that were taken for another protocol's.
    title       the protocol's name in messages; "": `name`.
    """

    name: str
    options: type[OptionsT]
    codec: Callable[[OptionsT], Codec]
    games: tuple[str, ...] | None = None
    private_folder: bool = False
    check_command: CommandCheck | None = None
    read_score: Callable[[str], Scored] | None = None
    executable: Callable[[Sequence[str]], tuple[str, Sequence[str]]] | None = None
    adapter: str = ""
    probe: Callable[[AnyRules | None], Probe[Findings]] | None = None
    trial: Callable[[AnyRules], Probe[Findings]] | None = None
    greeting: Callable[[], Probe[bool]] | None = None
    title: str = ""

    def make_codec(self, options: Mapping[str, object]) -> Codec:
        """The codec for options as a player has them. Raises TypeError and ValueError."""
        return self.codec(make_options(self.options, options))


AnyProtocol: TypeAlias = Protocol[OptionsKind]
"""A protocol whose options only the protocol itself knows."""


_NONE: Mapping[str, object] = MappingProxyType({})


CompetitionT = TypeVar("CompetitionT", bound=Competition)


class Format(Struct, Generic[CompetitionT], frozen=True, kw_only=True):
    """A format of competition.

    name         as control files name it; that of its entry point.
    settings     a frozen dataclass that says with its types what a control file has to tell
                 (`gyoji.core.setup`).
    competition  the competition that a setup describes, before its first game; `setup.settings` is an
                 instance of `settings`.
    tables       what such a competition shows, which has its setup and engines as attributes then; None: its
                 players and how many points they have.
    ctl_names    further names that Python control files of the format can use.
    ctl_defaults settings that are others in Python control files unless these say so: gomill's rules.
    """

    name: str
    settings: type
    competition: Callable[[CompetitionSetup], CompetitionT]
    tables: Callable[[CompetitionT], Tables] | None = None
    ctl_names: Mapping[str, object] = field(default_factory=lambda: _NONE)
    ctl_defaults: Mapping[str, object] = field(default_factory=lambda: _NONE)


AnyFormat: TypeAlias = Format[Competition]
"""A format whose competitions only the format itself knows."""


class Executor(Struct, frozen=True, kw_only=True):
    """A way to start engines.

    name   as control files name it; that of its entry point.
    open   what starts the engines of one worker, which closes it at its end.
    has_processes  whether there is a process that settings of a player can be about.
    has_protocol   whether its channels carry the player's protocol; if not, they bring their own codec.
    """

    name: str
    open: Callable[[], EngineStarter]
    has_processes: bool = True
    has_protocol: bool = True


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
        self._entries: dict[str, list[Entry]] = {}
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

    def _found(self) -> dict[str, list[Entry]]:
        """The entry points by name, read once; several of one name are an error of whoever names it."""
        if not self._entries:
            for entry in (each for each in _installed() if each.group == self.group):
                twins = self._entries.setdefault(entry.name, [])
                if all(entry.where() != twin.where() for twin in twins):
                    twins.append(entry)
        return self._entries

    def _unknown(self, name: str) -> str:
        known = self.names
        if not known:
            return (
                f"no {self._word} {quote(name)}: nothing is registered under {self.group}; gyoji runs from a "
                "folder that is not installed, or was before it changed: pip install it"
            )
        from difflib import get_close_matches  # noqa: PLC0415 - for messages

        near = get_close_matches(name.lower(), known, n=1, cutoff=0.7)
        hint = f"did you mean {near[0]}? " if near else ""
        return f"no {self._word} {quote(name)}; {hint}there are: {', '.join(known)}"

    def _load(self, entries: list[Entry]) -> T:
        called = f"{self._word} {quote(entries[0].name)}"
        if len(entries) > 1:
            raise ConfigError(
                f"{called}: {len(entries)} distributions register it, expected one: "
                f"{' and '.join(sorted(map(Entry.where, entries)))}; uninstall all but one"
            )
        (entry,) = entries
        try:
            made = entry.load()
        except (Exception, SystemExit) as error:
            problem = printable(f"{type(error).__name__}: {error}", 200)
            raise ConfigError(
                f"{called}, {entry.where()}: cannot be imported: {problem}; mend or uninstall it"
            ) from error
        if problem := self._wrong_with(made, entry.name):
            raise ConfigError(f"{called}, {entry.where()}: {problem}; mend or uninstall it")
        checked: T = made
        return checked

    def _wrong_with(self, made: object, name: str) -> str:
        """Why an object cannot be the one of that name; "" if it can."""
        if not isinstance(made, self._kind):
            kind = f"a {self._kind.__module__}.{self._kind.__name__}"
            return f"got an object of type {printable(type(made).__name__)}, expected {kind}"
        if made.name != name:
            return f"its object is named {quote(str(made.name))}, expected the name of its entry point"
        return ""


@cache
def _installed() -> tuple[Entry, ...]:
    """The entry points of all groups that registries are made of."""
    groups = ("gyoji.games", "gyoji.protocols", "gyoji.formats", "gyoji.executors", "gyoji.commands")
    return tuple(entry_points(groups))


GAMES: Registry[AnyGame] = Registry("gyoji.games", "game", Game)
PROTOCOLS: Registry[AnyProtocol] = Registry("gyoji.protocols", "protocol", Protocol)
FORMATS: Registry[AnyFormat] = Registry("gyoji.formats", "competition", Format)
EXECUTORS = Registry("gyoji.executors", "executor", Executor)


def check_plays(protocol: str, game: str) -> None:
    """Raise ConfigError if games of that name cannot be played in that protocol."""
    if not _plays(protocol, game):
        games = " and ".join(PROTOCOLS.find(protocol).games or ())
        others = ", ".join(name for name in PROTOCOLS.names if _plays(name, game))
        cannot = f"protocol {protocol} cannot play {game}; it plays {games}"
        raise ConfigError(f"{cannot}; for {game} there are: {others}")


def _plays(protocol: str, game: str) -> bool:
    """Whether a game can be played in a protocol: one of the two says so, or the protocol says nothing."""
    games = PROTOCOLS.find(protocol).games
    return games is None or game in games or protocol == GAMES.find(game).defaults.get("protocol")
