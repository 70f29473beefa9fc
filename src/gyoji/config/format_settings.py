"""Reads the settings of a format: its own values, its games, its arrays of tables, and a tuner's
candidates.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_origin

from msgspec import Struct

from gyoji.config.candidates import read_candidates
from gyoji.config.document import Document, KeyPath, shown
from gyoji.config.kinds import Duration, Kinds, json_options, kinds_of
from gyoji.config.opening_settings import OpeningFiles
from gyoji.config.players import KEYS, PlayerDefaults
from gyoji.config.reader import REQUIRED, Reader, Rejected
from gyoji.core.clocks import TimeControl
from gyoji.core.game import AnyGame, HasDefaults
from gyoji.core.plugins import GAMES, PROTOCOLS, AnyFormat
from gyoji.core.ports import supports
from gyoji.core.setup import CandidateMaker, ChecksPlayers, Completes, GameSettings
from gyoji.core.text import quote

_GAME_FIELDS = frozenset(field.name for field in fields(GameSettings))
GAME_KINDS = {
    key: Duration if key == "lag" else kind
    for key, kind in kinds_of(GameSettings).items()
    if key not in ("game", "options")
}


_MADE = frozenset(("game", "options", "openings"))
"""The fields of `GameSettings` that are made of several settings."""


class Layout(Struct, frozen=True, kw_only=True):
    """The settings of a format, grouped by the way in which they are read.

    Attributes:
        own: The types of the format's own single values, by name.
        arrays: The dataclass of each array of tables, by name.
        inherited: The types of settings of these tables that may have a default at the top level, by name.
        makers: The names of settings that describe a tuner's candidates.
    """

    own: Kinds
    arrays: Mapping[str, type]
    inherited: Kinds
    makers: tuple[str, ...]

    @classmethod
    def of(cls, settings: type) -> "Layout":
        own: dict[str, Any] = {}
        arrays: dict[str, type] = {}
        inherited: dict[str, Any] = {}
        makers: list[str] = []
        for key, kind in kinds_of(settings).items():
            origin: Any = get_origin(kind)
            item: Any = get_args(kind)[0] if origin is tuple else None
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
    """Reads the settings of a format, and those of its games.

    A setting of games in a table of the format (a matchup) holds for the games of that table. All others come
    from the top level of the control file.
    """

    def __init__(
        self,
        reader: Reader,
        document: Document,
        raw: Mapping[str, Any],
        game: str,
        rules: AnyGame,
    ) -> None:
        """Read the settings of games at the top level.

        Args:
            reader: Reads values, and reports what is wrong.
            document: The control file.
            raw: The raw settings from the file, its preset and the game.
            game: The name of the game.
            rules: The game.
        """
        self.reader = reader
        self.document = document
        self.raw = raw
        self.game = game
        self.options_kind: Any = rules.options
        self.option_kinds = kinds_of(rules.options)
        self.game_kinds = {**GAME_KINDS, **self.option_kinds}
        self.top = reader.values((), self.game_kinds, raw)
        self.opening_files = OpeningFiles(reader, document, game, rules)
        self.has_opening_times = rules.opening_time is not None
        self.has_own_openings = rules.own_openings is not None
        self.keys_in_tables: set[str] = set()
        self._first: dict[
            tuple[str, str, Any], int
        ] = {}  # the index of the first table with each unique value

    def settings(self, module: AnyFormat, layout: Layout, defaults: PlayerDefaults) -> Any:
        """Return the format's `Settings`. Raises Rejected if they are wrong.

        Args:
            module: The format.
            layout: Its settings, grouped by the way in which they are read.
            defaults: The defaults of players, for a tuner's candidates.
        """
        known = self.reader.top_keys | {"players"}
        self.reader.refuse_unknown((), self.document.raw, known, self._belongs)
        self.top |= self.reader.values((), layout.inherited, self.raw)
        values = self.reader.values((), layout.own, self.raw)
        places: dict[str, KeyPath] = {key: (self.document.forms.get(key, key),) for key in layout.makers}
        wrong: set[str] = set()
        for key in (key for key in (*layout.arrays, *layout.makers) if key in self.raw):
            try:
                place, given, parameters = places.get(key, (key,)), self.raw[key], values.get("parameters")
                if key in layout.arrays:
                    values[key] = self._array(key, layout.arrays[key])
                else:
                    values[key] = read_candidates(
                        self.reader, place, given, self.document, defaults=defaults, parameters=parameters
                    )
            except Rejected:
                wrong.add(key)
        places |= {key: (key,) for key in known if key not in places}
        if supports(module.settings, ChecksPlayers):
            try:
                module.settings.check_players(self.raw, self.reader.players)
            except ValueError as error:
                self.reader.problems.add_error((), error, places)
        if issubclass(module.settings, GameSettings):
            values |= {key: self.top[key] for key in GAME_KINDS if key in self.top}
            try:
                values |= self._game_values((), {}, values, places)
            except Rejected:
                wrong |= _MADE
        return self.reader.make((), module.settings, values, places=places, wrong=wrong)

    def _belongs(self, key: str) -> str:
        """Return the end of a message about a setting that is unknown at the top level: where it belongs.

        It may belong in an umpire's or relay's table, to another game, or to players. Return "" if it does
        not.
        """
        if key in self.option_kinds:  # a setting of an umpire's game, which belongs into the table `umpire`
            table = GAMES.find(self.game).decider
            return f" at the top; it stands in the table {table}: {table}.{key}"
        owners = [name for name in GAMES.names if key in kinds_of(GAMES.find(name).options)]
        if owners:
            return f" here; it is a setting of {' and '.join(owners)}, not of {self.game}"
        if key in KEYS or any(key in kinds_of(PROTOCOLS.find(name).options) for name in PROTOCOLS.names):
            return f" at the top; it stands in a player's table: players.NAME.{key}"
        return ""

    def _array(self, key: str, kind: Any) -> tuple[Any, ...]:
        """Return the array of tables `key` as instances of the dataclass `kind`. Raises Rejected."""
        raw = self.raw[key]
        if not isinstance(raw, list):
            self.reader.problems.add((key,), f"expected a list, got {shown(raw)}")
            raise Rejected
        self.keys_in_tables.update(*(table for table in raw if isinstance(table, dict)))
        items = []
        for index, table in enumerate(raw):
            with suppress(Rejected):
                items.append(self._item(key, index, kind, table))
        if len(items) < len(raw):
            raise Rejected
        return tuple(items)

    def _item(self, key: str, index: int, kind: Any, raw: Any) -> Any:
        """Return one table of the array `key` as an instance of the dataclass `kind`. Raises Rejected.

        Args:
            index: Position of the table in the array.
            raw: The raw table.
        """
        path: KeyPath = (key, index)
        table = self.reader.table(path, raw)
        own = {name: hint for name, hint in kinds_of(kind).items() if name not in ("game", "options")}
        places = {name: (*path, name) for name in (*own, *table)}
        if supports(kind, Completes):
            try:
                table = kind.complete(table, index)
            except ValueError as error:
                self.reader.problems.add_error(path, error, places)
                raise Rejected from None
        values = self.reader.values(path, own, table)
        inherited = {field.name for field in fields(kind) if "from_top" in field.metadata}
        known = tuple(own)
        if issubclass(kind, GameSettings):
            inherited |= GAME_KINDS.keys()
            known = (*own, *self.option_kinds)
        for name in inherited & self.raw.keys() - table.keys():
            places[name] = (name,)
            if name in self.top:
                values[name] = self.top[name]
        for name in (field.name for field in fields(kind) if "unique" in field.metadata):
            if (
                name in values
                and (first := self._first.setdefault((key, name, values[name]), index)) != index
            ):
                message = f"{shown(values[name])} is already used by {key}.{first}"
                self.reader.problems.add((key, index, name), message)
        wrong: frozenset[str] = frozenset()
        if issubclass(kind, GameSettings):
            try:
                values |= self._game_values(path, table, values, places)
            except Rejected:
                wrong = _MADE
        self.reader.refuse_unknown(path, table, known)
        return self.reader.make(path, kind, values, places=places, wrong=wrong)

    def _game_values(
        self,
        path: KeyPath,
        table: Mapping[str, Any],
        values: Mapping[str, Any],
        places: Mapping[str, KeyPath],
    ) -> dict[str, Any]:
        """Return the fields of `GameSettings` that depend on several settings: game, options, openings.

        The options of a game may have defaults for other settings. Those that are not given are returned,
        too.

        Args:
            path: The place of the table; () for the top level.
            table: The raw table.
            values: The settings that have been read.
            places: The place of each setting.

        Raises:
            Rejected: The options or the openings are wrong.
        """
        clock, openings = values.get("clock"), values.get("openings")
        if isinstance(clock, TimeControl) and clock.by_opening and not self.has_opening_times:
            message = f"by_opening: openings of {quote(self.game)} say nothing of time"
            self.reader.problems.add(places.get("clock", ("clock",)), message)
        made = self._options(path, table)
        options = json_options(made)
        if "openings" not in values and self.has_own_openings and not options.get("opening"):
            openings = {"order": "random"}
        if openings is not None:
            openings = self.opening_files.openings(places.get("openings", ("openings",)), openings, options)
        defaults = made.defaults if supports(made, HasDefaults) else {}
        left = {key: value for key, value in defaults.items() if key not in values}
        return {**left, "game": self.game, "options": options, "openings": openings}

    def _options(self, path: KeyPath, table: Mapping[str, Any]) -> Any:
        """Return the `Options` of the game from the table at `path` and the top level. Raises Rejected."""
        top = {key: value for key, value in self.top.items() if key in self.option_kinds}
        places: dict[str, KeyPath] = {}
        for key in self.option_kinds:
            at_top = key not in table and (key in self.raw or key not in self.keys_in_tables)
            places[key] = (key,) if at_top else (*path, key)
        given = top | self.reader.values(path, self.option_kinds, table)
        missing = f"{REQUIRED}, here or at the top level, for {quote(self.game)}"
        return self.reader.make(path, self.options_kind, given, places=places, missing=missing)
