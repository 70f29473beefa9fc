"""Extensions: protocols, formats and executors as frozen objects, and the registries that find them by name.

A distribution registers an object as an entry point in one of four groups, under its name in control files::

    [project.entry-points."gyoji.games"]
    othello = "gyoji_othello:GAME"

The names come from the metadata of installed distributions, and an object is imported when it is used. If it
cannot be used, `find` raises ConfigError. `gyoji.core.game` defines the object of a game.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct, field

from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.game import AnyGame, Game, OptionsKind, make_options
from gyoji.core.installed import Entry, entry_points
from gyoji.core.messages import Scored
from gyoji.core.ports import AnyRules, Codec, Competition, EngineStarter
from gyoji.core.probe import Findings, Probe
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Tables
from gyoji.core.text import printable, quote

if typing.TYPE_CHECKING:
    from gyoji.core.analysis import AnalysisTask, Told

OptionsT = TypeVar("OptionsT", bound=OptionsKind)


CommandCheck: TypeAlias = Callable[[Sequence[str], Mapping[str, object]], None]
"""Checks a player's command and options against the protocol. Raises ValueError."""


class Protocol(Struct, Generic[OptionsT], frozen=True, kw_only=True):
    """A protocol as an extension.

    Attributes:
        name: Name in players' settings, and of the entry point.
        options: A frozen dataclass of the protocol's settings for a player.
        codec: Makes the codec of a new conversation with one engine.
        games: Names of the games that the protocol can play, besides games that have it as their default;
            None for all.
        private_folder: Whether engines get a new working folder for each game by default.
        check_command: Raises ValueError for commands that are not allowed; None allows all.
        read_score: Parses an engine's statement of the score; None if the protocol has no such statements.
        executable: Returns the program among the file names of an engine package, with warnings, and raises
            ValueError if there is none. None if the protocol has no packages.
        adapter: Returns, for a player's options, the module of an adapter program and the program's
            arguments; () if this engine needs no adapter. The engine's command is appended to the arguments.
            The adapter starts the engine and speaks the protocol in its place. `adapter` is None if no engine
            needs one.
        probe: Makes the conformance probe of `gyoji check` for the given rules; None instead of rules stands
            for all games that the engine can play.
        trial: Makes the short probe that precedes a competition.
        greeting: Makes a probe of one quick question that shows whether a program speaks the protocol. It
            helps to diagnose players whose protocol is set wrongly.
        analysis: Makes the probe that analyses a finished game (`gyoji.core.analysis`). The probe returns why
            the engine cannot analyse it, or "". None if the protocol has no analysis.
        objections: Returns why the protocol cannot play a game of these rules and this time control. A
            competition with such a game is refused when it is opened. None if it can play all.
        title: Name in messages; "" for `name`.
    """

    name: str
    options: type[OptionsT]
    codec: Callable[[OptionsT], Codec]
    games: tuple[str, ...] | None = None
    private_folder: bool = False
    check_command: CommandCheck | None = None
    read_score: Callable[[str], Scored] | None = None
    executable: Callable[[Sequence[str]], tuple[str, Sequence[str]]] | None = None
    adapter: Callable[[Mapping[str, object]], Sequence[str]] | None = None
    probe: Callable[[AnyRules | None], Probe[Findings]] | None = None
    trial: Callable[[AnyRules], Probe[Findings]] | None = None
    greeting: Callable[[], Probe[bool]] | None = None
    analysis: Callable[[OptionsT, AnalysisTask, Told], Probe[str]] | None = None
    objections: Callable[[object, TimeControl], Sequence[str]] | None = None
    title: str = ""

    def analyse(self, task: AnalysisTask, told: Told) -> Probe[str]:
        """Return the probe that analyses a game. Raises ValueError if the protocol has no analysis.

        Args:
            told: Called with the analysis of each position as soon as it is complete.
        """
        if self.analysis is None:
            raise ValueError(f"{self.title or self.name} has no analysis")
        return self.analysis(
            make_options(self.options, {**task.player.options, **task.player.found}), task, told
        )

    def make_codec(self, options: Mapping[str, object]) -> Codec:
        """Return the codec for a player's options.

        Raises:
            TypeError: The protocol has no such option.
            ValueError: An option has an invalid value.
        """
        return self.codec(make_options(self.options, options))


AnyProtocol: TypeAlias = Protocol[OptionsKind]
"""A protocol whose type of options is unknown to the caller."""


_NONE: Mapping[str, object] = MappingProxyType({})


CompetitionT = TypeVar("CompetitionT", bound=Competition)


class Format(Struct, Generic[CompetitionT], frozen=True, kw_only=True):
    """A format of competition as an extension.

    Attributes:
        name: Name in control files, and of the entry point.
        settings: A frozen dataclass whose fields are the format's settings in a control file
            (`gyoji.core.setup`).
        competition: Makes the competition of a setup, before its first game. `setup.settings` is an instance
            of `settings`.
        tables: Makes the report sections of a competition. If it is None, reports show the players and their
            points.
        ctl_names: Aliases of the format in Python control files.
        ctl_defaults: Defaults that apply in Python control files, which follow gomill, instead of gyoji's.
    """

    name: str
    settings: type
    competition: Callable[[CompetitionSetup], CompetitionT]
    tables: Callable[[CompetitionT], Tables] | None = None
    ctl_names: Mapping[str, object] = field(default_factory=lambda: _NONE)
    ctl_defaults: Mapping[str, object] = field(default_factory=lambda: _NONE)


AnyFormat: TypeAlias = Format[Competition]
"""A format whose type of competition is unknown to the caller."""


class Executor(Struct, frozen=True, kw_only=True):
    """A way to start engines, as an extension.

    Attributes:
        name: Name in control files, and of the entry point.
        open: Makes the engine starter of one worker. The worker closes the starter before it exits.
        has_processes: Whether engines are processes, so that settings about processes apply.
        has_protocol: Whether engines speak the protocol of their player. If not, each channel has its own
            codec (`BringsCodec`).
    """

    name: str
    open: Callable[[], EngineStarter]
    has_processes: bool = True
    has_protocol: bool = True


class Named(typing.Protocol):
    """An object that a registry can hold: any object with a name."""

    @property
    def name(self) -> str | None: ...


T = TypeVar("T", bound=Named)


class Registry(Generic[T]):
    """All installed objects of one kind, by name.

    Attributes:
        group: Group of entry points.
        word: Word for one object in messages.
        removed: For each name of a removed object, what to use instead.
    """

    def __init__(
        self, group: str, word: str, kind: type[T], removed: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.group = group
        self._removed = removed
        self._word = word
        self._kind = kind
        self._entries: dict[str, list[Entry]] = {}
        self._loaded: dict[str, T] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The sorted names of all installed objects of this kind. No object is imported."""
        return tuple(sorted(self._found()))

    def find(self, name: str) -> T:
        """Import and return an object by name.

        Raises:
            ConfigError: The object does not exist or cannot be used.
        """
        if (loaded := self._loaded.get(name)) is not None:
            return loaded
        entries = self._found().get(name)
        if entries is None:
            raise ConfigError(self._unknown(name))
        made = self._loaded[name] = self._load(entries)
        return made

    def _found(self) -> dict[str, list[Entry]]:
        """The installed entry points by name, read once. A name with several entry points is unusable."""
        if not self._entries:
            for entry in (each for each in _installed() if each.group == self.group):
                twins = self._entries.setdefault(entry.name, [])
                if all(entry.where() != twin.where() for twin in twins):
                    twins.append(entry)
        return self._entries

    def _unknown(self, name: str) -> str:
        if name in self._removed:
            return f"{self._word} {quote(name)}: removed: use {self._removed[name]} instead"
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
        if not isinstance(made, self._kind):
            kind = f"a {self._kind.__module__}.{self._kind.__name__}"
            problem = f"got an object of type {printable(type(made).__name__)}, expected {kind}"
        elif made.name != entry.name:
            problem = f"its object is named {quote(str(made.name))}, expected the name of its entry point"
        else:
            return made
        raise ConfigError(f"{called}, {entry.where()}: {problem}; mend or uninstall it")


@cache
def _installed() -> tuple[Entry, ...]:
    """Return the entry points of gyoji's groups in all installed distributions, read once."""
    groups = ("gyoji.games", "gyoji.protocols", "gyoji.formats", "gyoji.executors", "gyoji.commands")
    return tuple(entry_points(groups))


GAMES: Registry[AnyGame] = Registry("gyoji.games", "game", Game)
PROTOCOLS: Registry[AnyProtocol] = Registry("gyoji.protocols", "protocol", Protocol)
_REMOVED_TUNERS = MappingProxyType({"clop_tuner": "auto_tuner", "cmaes_tuner": "auto_tuner"})
FORMATS: Registry[AnyFormat] = Registry("gyoji.formats", "competition", Format, _REMOVED_TUNERS)
EXECUTORS = Registry("gyoji.executors", "executor", Executor)


def check_plays(protocol: str, game: str) -> None:
    """Raise ConfigError if the protocol cannot play the game."""
    if not plays(protocol, game):
        games = " and ".join(PROTOCOLS.find(protocol).games or ())
        others = ", ".join(name for name in PROTOCOLS.names if plays(name, game))
        cannot = f"protocol {protocol} cannot play {game}; it plays {games}"
        raise ConfigError(f"{cannot}; for {game} there are: {others}")


def plays(protocol: str, game: str) -> bool:
    """Return whether a protocol can play a game: it names the game, is the game's default, or is for all
    games.
    """
    games = PROTOCOLS.find(protocol).games
    return games is None or game in games or protocol == GAMES.find(game).defaults.get("protocol")
