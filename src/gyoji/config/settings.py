"""The settings of a format: with the games that it gives and inherits, their openings, what tuners need."""

import stat
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

from msgspec import Struct

from gyoji.config.document import Document, KeyPath, shown
from gyoji.config.players import KEYS, PlayerDefaults
from gyoji.config.tuners import read_candidates
from gyoji.config.values import BAD, Duration, Reader, kinds_of, plain_options
from gyoji.core.clocks import TimeControl
from gyoji.core.game import AnyGame, HasUsual
from gyoji.core.openings import Misfits, Openings
from gyoji.core.plugins import GAMES, PROTOCOLS, AnyFormat
from gyoji.core.ports import offers
from gyoji.core.setup import CandidateMaker, ChecksPlayers, Completes, GameSettings, StoredGames
from gyoji.core.text import format_size, printable, quote
from gyoji.core.wire import dumps

if TYPE_CHECKING:
    from gyoji.config.stored_games import LoadOther

_GAME_FIELDS = frozenset(field.name for field in fields(GameSettings))
GAME_KINDS = {
    key: Duration if key == "lag" else kind
    for key, kind in kinds_of(GameSettings).items()
    if key not in ("game", "options")
}
REQUIRED = "required, but not given"


class Layout(Struct, frozen=True, kw_only=True):
    """The layout of a format's `Settings`. arrays: the dataclass of each array of tables, by its key.

    inherited: the types of the settings of tables that have their default at the top level. makers: the keys
    of makers of candidates.
    """

    own: Mapping[str, Any]
    arrays: Mapping[str, type]
    inherited: Mapping[str, Any]
    makers: tuple[str, ...]

    @classmethod
    def of(cls, settings: type) -> "Layout":
        own: dict[str, Any] = {}
        arrays: dict[str, type] = {}
        inherited: dict[str, Any] = {}
        makers: list[str] = []
        for key, kind in kinds_of(settings).items():
            item: Any = get_args(kind)[0] if get_origin(kind) is tuple else None
            if isinstance(item, type) and is_dataclass(item):
                arrays[key] = item
                kinds = kinds_of(item)
                inherited |= {
                    field.name: kinds[field.name] for field in fields(item) if "from_top" in field.metadata
                }
            elif kind is CandidateMaker:
                makers.append(key)
            elif key not in _GAME_FIELDS:
                own[key] = kind
        return cls(own=own, arrays=arrays, inherited=inherited, makers=tuple(makers))

    @property
    def keys(self) -> tuple[str, ...]:
        return (*self.own, *self.arrays, *self.inherited, *self.makers)


class FormatReader:
    """The settings of a format, with the settings of games that it gives and inherits."""

    def __init__(
        self,
        reader: Reader,
        document: Document,
        plain: Mapping[str, Any],
        game: str,
        rules: AnyGame,
        *,
        load_other: "LoadOther",
    ) -> None:
        """plain: the settings of all layers. load_other: see `LoadOther`."""
        self.load_other = load_other
        self.reader = reader
        self.document = document
        self.plain = plain
        self.game = game
        self.options_kind: Any = rules.options
        self.option_kinds = kinds_of(rules.options)
        self.game_kinds = {**GAME_KINDS, **self.option_kinds}
        self.top = reader.values((), self.game_kinds, plain)
        self.opening_files = OpeningFiles(reader, document, game, rules)
        self.has_opening_times = rules.opening_time is not None
        self.keys_in_tables: set[str] = set()
        self._first: dict[tuple[str, str, Any], int] = {}  # where each value that has to be unique stands

    def settings(self, module: AnyFormat, layout: Layout, defaults: PlayerDefaults) -> Any:
        """The format's `Settings`, or `BAD`. layout: theirs."""
        known = self.reader.top_keys | {"players"}
        self.reader.refuse_unknown((), self.document.plain, known, self._belongs)
        self.top |= self.reader.values((), layout.inherited, self.plain)
        stored = [key for key, kind in layout.own.items() if kind is StoredGames]
        simple = {key: kind for key, kind in layout.own.items() if key not in stored}
        values = self.reader.values((), simple, self.plain)
        for key, kind in layout.arrays.items():
            if key in self.plain:
                values[key] = self._array(key, kind)
        places = {key: (self.document.forms.get(key, key),) for key in layout.makers}
        for key in (key for key in layout.makers if key in self.plain):
            values[key] = read_candidates(
                self.reader,
                places[key],
                self.plain[key],
                self.document,
                defaults=defaults,
                parameters=values.get("parameters", BAD),
            )
        for key in (key for key in stored if key in self.plain):
            from gyoji.config.stored_games import read_stored  # noqa: PLC0415 - few have such games

            values[key] = read_stored(
                self.reader,
                (key,),
                self.plain[key],
                self.document,
                parameters=values.get("parameters", BAD),
                load=self.load_other,
            )
        places |= {key: (key,) for key in known if key not in places}
        if offers(module.settings, ChecksPlayers):
            try:
                module.settings.check_players(self.plain, self.reader.players)
            except ValueError as error:
                self.reader.problems.add_error((), error, places)
        if issubclass(module.settings, GameSettings):
            values |= {key: self.top[key] for key in GAME_KINDS if key in self.top}
            values |= self._game_values((), {}, values, places)
        return self.reader.make((), module.settings, values, places=places, missing=REQUIRED)

    def _belongs(self, key: str) -> str:
        """The end of a message about a setting at the top that belongs to players or other games; else ""."""
        owners = [name for name in GAMES.names if key in kinds_of(GAMES.find(name).options)]
        if owners:
            return f" here; it is a setting of {' and '.join(owners)}, not of {self.game}"
        if key in KEYS or any(key in kinds_of(PROTOCOLS.find(name).options) for name in PROTOCOLS.names):
            return f" at the top; it stands in a player's table: players.NAME.{key}"
        return ""

    def _array(self, key: str, kind: Any) -> Any:
        """An array of tables as a tuple of dataclasses, or `BAD`."""
        plain = self.plain[key]
        if not isinstance(plain, list):
            self.reader.problems.add((key,), f"expected a list, got {shown(plain)}")
            return BAD
        self.keys_in_tables.update(*(table for table in plain if isinstance(table, dict)))
        items = [self._item(key, index, kind, table) for index, table in enumerate(plain)]
        return BAD if any(item is BAD for item in items) else tuple(items)

    def _item(self, key: str, index: int, kind: Any, plain: Any) -> Any:
        """One table of an array as its dataclass, or `BAD`."""
        path: KeyPath = (key, index)
        table = self.reader.table(path, plain)
        if table is None:
            return BAD
        own = {name: hint for name, hint in kinds_of(kind).items() if name not in ("game", "options")}
        places = {name: (*path, name) for name in (*own, *table)}
        if offers(kind, Completes):
            try:
                table = kind.complete(table, index)
            except ValueError as error:
                self.reader.problems.add_error(path, error, places)
                return BAD
        values = self.reader.values(path, own, table)
        inherited = {field.name for field in fields(kind) if "from_top" in field.metadata}
        if issubclass(kind, GameSettings):
            inherited |= GAME_KINDS.keys()
        for name in inherited & self.top.keys() - table.keys():
            values[name] = self.top[name]
            places[name] = (name,)
        self._refuse_twins(key, index, kind, values)
        known: tuple[str, ...] = tuple(own)
        if issubclass(kind, GameSettings):
            known = (*own, *self.option_kinds)
            values |= self._game_values(path, table, values, places)
        self.reader.refuse_unknown(path, table, known)
        return self.reader.make(path, kind, values, places=places, missing=REQUIRED)

    def _game_values(
        self,
        path: KeyPath,
        table: Mapping[str, Any],
        values: Mapping[str, Any],
        places: Mapping[str, KeyPath],
    ) -> dict[str, Any]:
        """The settings that depend on the game itself: its name, its options, the openings among `values`,
        and what is usual with these options where the values give nothing.
        """
        made, openings = self._options(path, table), values.get("openings")
        options = made if made is BAD else plain_options(made)
        if options is not BAD and openings is not None and openings is not BAD:
            openings = self.opening_files.openings(places["openings"], openings, options)
        clock = values.get("clock")
        if isinstance(clock, TimeControl) and clock.by_opening and not self.has_opening_times:
            self.reader.problems.add(places.get("clock", ("clock",)), self._no_time())
        usual = made.usual if offers(made, HasUsual) else {}
        left = {key: value for key, value in usual.items() if key not in values}
        return {**left, "game": self.game, "options": options, "openings": openings}

    def _no_time(self) -> str:
        return f"by_opening: openings of {quote(self.game)} say nothing of time"

    def _options(self, path: KeyPath, table: Mapping[str, Any]) -> Any:
        """The game's own settings for the table at `path`: what it says, else what the top level says.

        BAD if they cannot be made.
        """
        top = {key: value for key, value in self.top.items() if key in self.option_kinds}
        places: dict[str, KeyPath] = {}
        for key in self.option_kinds:
            at_top = key not in table and (key in top or key not in self.keys_in_tables)
            places[key] = (key,) if at_top else (*path, key)
        given = top | self.reader.values(path, self.option_kinds, table)
        missing = f"{REQUIRED}, here or at the top level, for {quote(self.game)}"
        context = self.reader.problems.gifts(places)
        return self.reader.make(
            path, self.options_kind, given, places=places, missing=missing, context=context
        )

    def _refuse_twins(self, key: str, index: int, kind: Any, values: Mapping[str, Any]) -> None:
        """Complain of a value that has to be unique and stands in an earlier table too."""
        for name in (field.name for field in fields(kind) if "unique" in field.metadata):
            value = values.get(name, BAD)
            first = self._first.setdefault((key, name, value), index)
            if value is not BAD and first != index:
                message = f"{shown(value)} is already used by {key}.{first}"
                self.reader.problems.add((key, index, name), message)


LARGEST = 64 << 20
"""Bytes of a file of openings: more than any has."""

_NAMED = 5
"""Of the openings that are left out so many are named."""


class OpeningFiles:
    """The files of openings that one control file names."""

    def __init__(self, reader: Reader, document: Document, game: str, plugin: AnyGame) -> None:
        self._reader = reader
        self._document = document
        self._game = game
        self._plugin = plugin
        self._read: dict[tuple[str, str, bool], Any] = {}  # openings, or `BAD`

    def openings(self, place: KeyPath, given: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
        """The `Openings` that the setting at `place` describes, or `BAD`.

        given: what it says (`values.OPENING_KINDS`); options: those of the games that they are for.
        """
        if problem := self._misfit(given, options):
            self._reader.problems.add(place, problem)
            return BAD
        name, skips = given["file"], given.get("skip_unfit", False)
        rest = {key: value for key, value in given.items() if key not in ("file", "skip_unfit")}
        key = (name, dumps(options), skips)
        if key not in self._read:
            self._read[key] = self._lines(place, name, options, skips=skips)
        values = {**rest, "lines": self._read[key]}
        places = {field: (*place, field) for field in rest}
        return self._reader.make(place, Openings, values, places=places, missing="required, but not given")

    def _misfit(self, given: Mapping[str, Any], options: Mapping[str, Any]) -> str:
        """The reason why openings do not go with the game and its options; "" if they do."""
        if self._plugin.openings is None:
            return f"games of {quote(self._game)} have no openings"
        if options["opening"]:
            return f"contradicts opening, which is {quote(str(options['opening']))}: give one of them"
        vary = self._plugin.vary
        varied = given.get("symmetries", "none") != "none" or given.get("shift", False)
        if varied and vary is None:
            return f"openings of {quote(self._game)} cannot be turned or shifted"
        if given.get("shift", False) and not self._plugin.shifts:
            return f"openings of {quote(self._game)} cannot be shifted: where they are on the board matters"
        return ""

    def _lines(self, place: KeyPath, name: str, options: Mapping[str, Any], *, skips: bool) -> Any:
        """The openings of a file, or `BAD`; skips: without those that do not fit, of which it is told."""
        called = printable(name)
        read = self._plugin.openings
        assert read is not None
        try:
            lines = tuple(read(self._content(name), name, options))
            if not lines:
                raise ValueError("there is no opening in it")
        except OSError as error:
            self._reader.problems.add(place, f"{called}: it cannot be read: {error.strerror}")
        except ValueError as error:
            if skips and isinstance(error, Misfits) and error.fitting:
                left_out, kept = len(error.places), len(error.fitting)
                some = ", ".join(error.places[:_NAMED]) + (" and more" if left_out > _NAMED else "")
                first = str(error).splitlines()[0]
                self._reader.problems.doubt(
                    place,
                    f"{called}: {left_out} of {left_out + kept} openings do not fit and are left out, {some}"
                    f" (the first: {first})",
                )
                return error.fitting
            for text in str(error).splitlines():
                self._reader.problems.add(place, f"{called}: {text}")
        else:
            return lines
        return BAD

    def _content(self, name: str) -> bytes:
        """All of a file. Raises OSError, and ValueError for what is no file or a huge one."""
        path = Path(self._document.resolve(name))
        if "\0" in name or not stat.S_ISREG(path.stat().st_mode):
            raise ValueError("it is no file")
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError(f"it is larger than {format_size(LARGEST)}")
        return content
