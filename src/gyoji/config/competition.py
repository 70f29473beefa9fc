"""A document into a `CompetitionSetup`: the settings of every format, the game's and the format's own."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_origin

from gyoji.config.candidates import read_candidates
from gyoji.config.document import Document, KeyPath, Problems, shown
from gyoji.config.layers import lay
from gyoji.config.needs import check_needs
from gyoji.config.openings import OpeningFiles
from gyoji.config.players import DEFAULTS_OF_PLAYERS, KEYS, PlayerDefaults, read_players
from gyoji.config.tables import BAD, Reader, kinds_of, plain_options
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.format import Format
from gyoji.core.game import AnyGame
from gyoji.core.plugins import FORMATS, GAMES, Named, Registry
from gyoji.core.setup import DEFAULT_GAME, CandidateMaker, CompetitionSetup, GameSettings
from gyoji.core.text import quote

T = TypeVar("T", bound=Named)

_COMMON: Mapping[str, Any] = MappingProxyType(
    {
        "description": str | None,
        "place": str | None,
        "seed": int,
        "cores": int,
        "resources": Mapping[str, int],
        "record_games": bool,
        "record_formats": tuple[str, ...],
        "stderr_to_log": bool,
        "skip_player_checks": bool,
        "suspend_crashes": int,
        "suspend_games": int,
        "suspend_failures": int,
    }
)
COMMON_KEYS = ("competition", "game", "preset", "players", *_COMMON, *DEFAULTS_OF_PLAYERS)
"""The settings of every competition, whatever its format."""

_GAME_FIELDS = frozenset(field.name for field in fields(GameSettings))
_GAME_KINDS = {key: kind for key, kind in kinds_of(GameSettings).items() if key not in ("game", "options")}
_REQUIRED = "required, but not given"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What a format's `Settings` ask for. arrays: the dataclass of each array of tables, by its key.

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


def read_competition(document: Document) -> CompetitionSetup:
    """The setup that a document describes. Raises ConfigError with all its mistakes."""
    problems = Problems(document)
    reader = Reader(problems, document.forms)
    kind, module = _named(problems, document.plain, "competition", FORMATS, None)
    game, rules = _named(problems, document.plain, "game", GAMES, DEFAULT_GAME)
    plain = document.plain if rules is None else lay(document, game, rules, problems)
    common = reader.values((), _COMMON, plain)
    for key in ("seed", "cores", "suspend_crashes", "suspend_failures"):
        if (number := common.get(key, 0)) is not BAD and number < 0:
            problems.add((key,), f"expected 0 or more, got {number}")
    _check_suspension(problems, common)
    _check_record_formats(problems, rules, common.get("record_formats", ()))
    stderr = "inherit" if common.get("stderr_to_log") is False else "log"
    defaults = PlayerDefaults.of(reader, plain, stderr, game)
    if module is not None and rules is not None:
        keys = (*COMMON_KEYS, *Layout.of(module.settings).keys, *_GAME_KINDS, *kinds_of(rules.options))
        reader.top_keys = frozenset(keys) - {"players"}
    players = {}
    if "players" in plain:
        players = read_players(reader, plain["players"], document, defaults)
    elif module is None or not Layout.of(module.settings).makers:  # a tuner may have none but its candidates
        problems.add(("players",), _REQUIRED)
    reader.players = frozenset(_codes(plain.get("players")))
    settings: Any = BAD
    if module is not None and rules is not None:
        settings = _FormatReader(reader, document, plain, game, rules).settings(module, defaults)
    check_needs(problems, plain, common, players, settings=settings, game=rules)
    problems.check()
    description, place = (common.pop(key, None) or "" for key in ("description", "place"))
    return CompetitionSetup(
        code=document.path.stem,
        kind=kind,
        game=game,
        players=MappingProxyType(players),
        settings=settings,
        description=description.strip(),
        place=place.strip(),
        control_file=str(document.path),
        directory=str(document.directory),
        warnings=(*document.warnings, *problems.doubts),
        draws_seed="seed" not in common,
        names_games=document.names_games,
        **common,
    )


def _check_suspension(problems: Problems, common: Mapping[str, Any]) -> None:
    """Complain of a number of games in which nobody can crash so often."""
    games, crashes = common.get("suspend_games", 10), common.get("suspend_crashes", 0)
    if BAD not in (games, crashes) and games < max(crashes, 1):
        problems.add(("suspend_games",), f"expected {max(crashes, 1)} or more, got {games}")


def _check_record_formats(problems: Problems, game: AnyGame | None, names: Any) -> None:
    """Complain of formats that the game has not, or that can only be read."""
    if names is BAD or game is None:
        return
    for index, name in enumerate(names):
        try:
            if game.record_format(name).write is None:
                problems.add(("record_formats", index), f"{quote(name)} can be read, but not written")
        except ConfigError as error:
            problems.add(("record_formats", index), str(error))


def _codes(plain: Any) -> tuple[str, ...]:
    """The codes of all players, those with mistakes included: they are not unknown."""
    return tuple(plain) if isinstance(plain, dict) else ()


def _named(
    problems: Problems, plain: Mapping[str, Any], key: str, registry: Registry[T], default: str | None
) -> tuple[str, T | None]:
    """The name of a plug-in that the setting `key` gives, and the plug-in if there is one."""
    name = plain.get(key, default)
    there_are = ", ".join(registry.names)
    if name is None:
        problems.add((key,), f"{_REQUIRED}; there are: {there_are}")
    elif not isinstance(name, str):
        problems.add((key,), f"expected a string, got {shown(name)}; there are: {there_are}")
    else:
        try:
            return name, registry.find(name)
        except ConfigError as error:
            problems.add((key,), str(error))
    return "", None


class _FormatReader:
    """The settings of a format, with the settings of games that it gives and inherits."""

    def __init__(
        self, reader: Reader, document: Document, plain: Mapping[str, Any], game: str, rules: AnyGame
    ) -> None:
        self.reader = reader
        self.document = document
        self.plain = plain
        self.game = game
        self.options_kind: Any = rules.options
        self.option_kinds = kinds_of(rules.options)
        self.game_kinds = {**_GAME_KINDS, **self.option_kinds}
        self.top = reader.values((), self.game_kinds, plain)
        self.opening_files = OpeningFiles(reader, document, game, rules)
        self.has_opening_times = rules.opening_time is not None
        self.keys_in_tables: set[str] = set()
        self._first: dict[tuple[str, str, Any], int] = {}  # where each value that has to be unique stands

    def settings(self, module: Format, defaults: PlayerDefaults) -> Any:
        """The format's `Settings`, or `BAD`."""
        layout = Layout.of(module.settings)
        known = (*COMMON_KEYS, *layout.keys, *self.game_kinds)
        self.reader.refuse_unknown((), self.document.plain, known, self._belongs)
        self.top |= self.reader.values((), layout.inherited, self.plain)
        values = self.reader.values((), layout.own, self.plain)
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
        places |= {key: (key,) for key in known if key not in places}
        if issubclass(module.settings, GameSettings):
            values |= {key: self.top[key] for key in _GAME_KINDS if key in self.top}
            values |= self._game_values((), {}, values, places)
        return self.reader.make((), module.settings, values, places=places, missing=_REQUIRED)

    def _belongs(self, key: str) -> str:
        """What to say of a setting at the top that is one of players, or of other games."""
        if key in KEYS:
            return f" at the top; it stands in a player's table: players.NAME.{key}"
        owners = [name for name in GAMES.names if key in kinds_of(GAMES.find(name).options)]
        return f" here; it is a setting of {' and '.join(owners)}, not of {self.game}" if owners else ""

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
        complete = getattr(kind, "complete", None)
        if complete is not None:
            try:
                table = complete(table, index)
            except ValueError as error:
                self.reader.problems.add_error(path, error, places)
                return BAD
        values = self.reader.values(path, own, table)
        inherited = {field.name for field in fields(kind) if "from_top" in field.metadata}
        if issubclass(kind, GameSettings):
            inherited |= _GAME_KINDS.keys()
        for name in inherited & self.top.keys() - table.keys():
            values[name] = self.top[name]
            places[name] = (name,)
        self._refuse_twins(key, index, kind, values)
        known: tuple[str, ...] = tuple(own)
        if issubclass(kind, GameSettings):
            known = (*own, *self.option_kinds)
            values |= self._game_values(path, table, values, places)
        self.reader.refuse_unknown(path, table, known)
        return self.reader.make(path, kind, values, places=places, missing=_REQUIRED)

    def _game_values(
        self,
        path: KeyPath,
        table: Mapping[str, Any],
        values: Mapping[str, Any],
        places: Mapping[str, KeyPath],
    ) -> dict[str, Any]:
        """What depends on the game itself: its name, its options, the openings among these `values`, and
        what goes with the options where the values say nothing.
        """
        options, openings = self._options(path, table), values.get("openings")
        if options is not BAD and openings is not None and openings is not BAD:
            openings = self.opening_files.openings(places["openings"], openings, options)
        clock = values.get("clock")
        if isinstance(clock, TimeControl) and clock.by_opening and not self.has_opening_times:
            self.reader.problems.add(places.get("clock", ("clock",)), self._no_time())
        usual = {} if options is BAD else getattr(self.options_kind(**options), "usual", {})
        left = {key: value for key, value in usual.items() if key not in values}
        return {**left, "game": self.game, "options": options, "openings": openings}

    def _no_time(self) -> str:
        return f"by_opening: openings of {quote(self.game)} say nothing of time"

    def _options(self, path: KeyPath, table: Mapping[str, Any]) -> Any:
        """The game's own settings for the table at `path`: what it says, else what the top level says."""
        top = {key: value for key, value in self.top.items() if key in self.option_kinds}
        places: dict[str, KeyPath] = {}
        for key in self.option_kinds:
            at_top = key not in table and (key in top or key not in self.keys_in_tables)
            places[key] = (key,) if at_top else (*path, key)
        given = top | self.reader.values(path, self.option_kinds, table)
        missing = f"{_REQUIRED}, here or at the top level, for {quote(self.game)}"
        context = self.reader.problems.gifts(places)
        made = self.reader.make(
            path, self.options_kind, given, places=places, missing=missing, context=context
        )
        return made if made is BAD else plain_options(made)

    def _refuse_twins(self, key: str, index: int, kind: Any, values: Mapping[str, Any]) -> None:
        """Complain of a value that has to be unique and stands in an earlier table too."""
        for name in (field.name for field in fields(kind) if "unique" in field.metadata):
            value = values.get(name, BAD)
            first = self._first.setdefault((key, name, value), index)
            if value is not BAD and first != index:
                message = f"{shown(value)} is already used by {key}.{first}"
                self.reader.problems.add((key, index, name), message)
