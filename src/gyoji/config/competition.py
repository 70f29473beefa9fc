"""Control files: from text on disk to one frozen `CompetitionSetup`, or to one error with every mistake.

Two forms, one meaning: TOML (`toml_file`), and the Python control files of gomill (`ctl_file`). Either
becomes a `Document` of plain values and line numbers. The setup is made of it here, with the types of the
settings of the game, the protocols and the format.

What a control file means beyond what it says are its game's usual settings, over them those of the one of its
presets that the file names, over that the file. A setting of a higher layer replaces one below it; `budgets`
does so key by key.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from heapq import nlargest
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from gyoji.config.document import Document, KeyPath, Origin, Problems, shown, suggest
from gyoji.config.named import named_paths
from gyoji.config.players import DEFAULTS_OF_PLAYERS, PlayerDefaults, read_players
from gyoji.config.programs import find_command
from gyoji.config.settings import GAME_KINDS, REQUIRED, FormatReader, Layout
from gyoji.config.tuners import one_thread
from gyoji.config.values import BAD, Command, Duration, Reader, kinds_of
from gyoji.core.faults import ConfigError
from gyoji.core.game import AnyGame
from gyoji.core.plugins import FORMATS, GAMES, Named, Registry
from gyoji.core.ports import offers
from gyoji.core.setup import DEFAULT_GAME, CompetitionSetup, GameSettings, NamesMeetings
from gyoji.core.spec import Player
from gyoji.core.text import quote
from gyoji.core.wire import encode
from gyoji.store.files import CompetitionFiles, check_name
from gyoji.store.opening import read_secret

T = TypeVar("T", bound=Named)

_COMMON: Mapping[str, Any] = MappingProxyType(
    {
        "description": str | None,
        "place": str | None,
        "seed": int,
        "pairs_on_one_host": bool,
        "cores": int,
        "resources": Mapping[str, int],
        "records": Literal["files", "store"],
        "record_games": bool,
        "record_formats": tuple[str, ...],
        "spectators": Literal["all", "delayed"],
        "stderr_to_log": bool,
        "skip_player_checks": bool,
        "show_up": Duration,
        "suspend_crashes": int,
        "suspend_games": int,
        "suspend_failures": int,
        "on_game": Command,
        "on_end": Command,
    }
)
COMMON_KEYS = ("competition", "game", "preset", "players", *_COMMON, *DEFAULTS_OF_PLAYERS)
"""The settings of every competition, whatever its format."""


_COMPETITION = re.compile(r"^\s*competition\s*=", re.MULTILINE)


def load(path: str | os.PathLike[str]) -> CompetitionSetup:
    """The competition that the control file `path` describes: TOML if it ends in .toml, else Python.

    Python control files are executed: read only those you trust. Raises ConfigError, complete: every mistake
    that was found, one a line.
    """
    return read_competition(_document(os.fspath(path)))


def _load_other(path: Path) -> CompetitionSetup:
    """The event of another control file, or of the store beside one, with the seed that it has drawn.

    It is without the games that it has from others. Raises ConfigError.
    """
    if path.suffix.lower() == ".db":
        found = [
            path.with_suffix(suffix) for suffix in (".toml", ".ctl") if path.with_suffix(suffix).exists()
        ]
        if not found:
            raise ConfigError(f"{path.name}: there is no control file beside it: expected {path.stem}.toml")
        path = found[0]
    document = _document(str(path))
    own = {key: value for key, value in document.plain.items() if key != "games_from"}
    setup = read_competition(replace(document, plain=own))
    return setup.with_secret(read_secret(CompetitionFiles(path).database))


def _document(name: str) -> Document:
    """A control file as plain values. Raises ConfigError."""
    file = Path(os.path.abspath(name))
    check_name(name)
    text = _read(name, file)
    if file.suffix.lower() != ".toml" and _is_toml(text):
        raise ConfigError(
            f"{name}: this is TOML, and a TOML file ends in .toml: call it {file.with_suffix('.toml').name}"
        )
    return _read_document(name, file, text)


def _read_document(name: str, file: Path, text: str) -> Document:
    """The document of a control file. Either reader is imported for those alone that have such a file."""
    if file.suffix.lower() == ".toml":
        from gyoji.config.toml_file import read_toml  # noqa: PLC0415

        return read_toml(name, file, text)
    from gyoji.config.ctl_file import read_ctl  # noqa: PLC0415

    return read_ctl(name, file, text)


def _is_toml(text: str) -> bool:
    """Whether a text is TOML, and of a competition. (No Python file of gomill's has this key.)"""
    if not _COMPETITION.search(text):
        return False
    import tomllib  # noqa: PLC0415 - a match has no file

    try:
        return "competition" in tomllib.loads(text)
    except (ValueError, RecursionError):
        return False


def _control_files(folder: Path) -> list[str]:
    """The names of what may be control files in a folder, to be suggested."""
    with suppress(OSError):
        return [each.name for each in folder.iterdir() if each.suffix.lower() in (".toml", ".ctl")]
    return []


def _read(name: str, file: Path) -> str:
    """The text of a UTF-8 file, a byte order mark removed, lines ended by a line feed."""
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        near = suggest(file.name, _control_files(file.parent))
        raise ConfigError(f"{name}: there is no such control file{near}") from None
    except IsADirectoryError:
        near = suggest("", _control_files(file))
        raise ConfigError(f"{name}: this is a folder: name the control file in it{near}") from None
    except PermissionError:
        raise ConfigError(f"{name}: you may not read this file: chmod u+r it, or ask its owner") from None
    except OSError as error:
        raise ConfigError(f"{name}: the control file cannot be read: {error.strerror}") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{name}:{line}: this is not UTF-8 text (byte {raw[error.start]:#04x}): save the file as UTF-8"
        ) from None
    return text.replace("\r\n", "\n")


def read_competition(document: Document) -> CompetitionSetup:
    """The setup that a document describes. Raises ConfigError with all its mistakes."""
    problems = Problems(document)
    reader = Reader(problems, document.forms)
    with one_thread():
        kind, module = _named(problems, document.plain, "competition", FORMATS, None)
        layout = None if module is None else Layout.of(module.settings)
        if layout is not None and layout.makers:  # a tuner
            import gyoji.tuning.estimate  # noqa: F401, PLC0415 - numpy, which other formats do without
    game, rules = _named(problems, document.plain, "game", GAMES, DEFAULT_GAME)
    plain = document.plain if rules is None else lay(document, game, rules, problems)
    common = reader.values((), _COMMON, plain)
    for key in ("seed", "cores", "suspend_crashes", "suspend_failures"):
        if (number := common.get(key, 0)) is not BAD and number < 0:
            problems.add((key,), f"expected 0 or more, got {number}")
    _check_suspension(problems, common)
    _place_records(problems, common)
    _check_record_formats(problems, rules, common.get("record_formats", ()))
    stderr = "inherit" if common.get("stderr_to_log") is False else "log"
    defaults = PlayerDefaults(
        reader.values((), DEFAULTS_OF_PLAYERS, plain), stderr, game, named_paths(document, document.plain)
    )
    if rules is not None:
        own = () if layout is None else layout.keys
        keys = (*COMMON_KEYS, *own, *GAME_KINDS, *kinds_of(rules.options))
        reader.top_keys = frozenset(keys) - {"players"}
    players = {}
    if "players" in plain:
        players = read_players(reader, plain["players"], document, defaults)
    elif layout is None or not layout.makers:  # a tuner may have none but its candidates
        problems.add(("players",), REQUIRED)
    reader.players = frozenset(_codes(plain.get("players")))
    settings: Any = BAD
    if module is not None and layout is not None and rules is not None:
        formats = FormatReader(reader, document, plain, game, rules, load_other=_load_other)
        settings = formats.settings(module, layout, defaults)
    check_needs(problems, plain, common, players, settings=settings, game=rules)
    problems.check()
    for key in ("on_game", "on_end"):
        if words := common.get(key):
            common[key] = find_command(words, document, "", None)
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


def _place_records(problems: Problems, common: dict[str, Any]) -> None:
    """Have `record_games` say what `records` says. Complain if both are given and do not say the same."""
    place = common.pop("records", None)
    if place in ("files", "store"):
        if common.get("record_games", place == "files") is not (place == "files"):
            problems.add(
                ("records",), f"got {quote(place)}, but record_games says otherwise; give one of them"
            )
        common["record_games"] = place == "files"


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
        meant = next((each for each in plain if "did you mean" in suggest(each, [key])), None)
        if meant is None:
            problems.add((key,), f"{REQUIRED}; there are: {there_are}")
        else:
            problems.add((meant,), f"there is no such setting{suggest(meant, [key])}")
    elif not isinstance(name, str):
        problems.add((key,), f"expected a string, got {shown(name)}; there are: {there_are}")
    else:
        try:
            return name, registry.find(name)
        except ConfigError as error:
            problems.add((key,), str(error))
    return "", None


_KEY_BY_KEY = ("budgets",)


def lay(document: Document, game: str, plugin: AnyGame, problems: Problems) -> dict[str, Any]:
    """The settings of all layers, unchecked. Tells `problems` where those are from that are not the file's.

    game: its name; plugin: the game.
    """
    layers: list[tuple[Origin | None, Mapping[str, Any]]] = [
        (Origin(f"the game {quote(game)}", "game"), encode(plugin.defaults)),
        _preset(document, game, plugin, problems),
        (None, document.plain),
    ]
    plain: dict[str, Any] = {}
    origins: dict[KeyPath, Origin | None] = {}
    for origin, settings in layers:
        for key, value in settings.items():
            below = plain.get(key, {})
            if key in _KEY_BY_KEY and isinstance(below, dict) and isinstance(value, dict):
                plain[key] = below | value
                origins |= {(key, each): origin for each in value}
            else:
                plain[key] = value
                origins[key,] = origin
    problems.origins = {place: origin for place, origin in origins.items() if origin}
    return plain


def _preset(
    document: Document, game: str, plugin: AnyGame, problems: Problems
) -> tuple[Origin, Mapping[str, Any]]:
    """The layer of the preset that the file names; an empty one if it names none that there is."""
    presets = plugin.presets
    name = document.plain.get("preset")
    if isinstance(name, str) and name in presets:
        return Origin(f"preset {quote(name)}", "preset"), encode(presets[name])
    if "preset" in document.plain:
        there_are = f"there are: {', '.join(presets)}" if presets else "it has none"
        problems.add(("preset",), f"no preset {shown(name)} of {quote(game)}; {there_are}")
    return Origin("", "preset"), {}


THREADS = "threads"
"""A name that no resource can have: it is a setting of its own."""


def check_needs(
    problems: Problems,
    plain: Mapping[str, Any],
    common: Mapping[str, Any],
    players: Mapping[str, Player],
    *,
    settings: Any,
    game: AnyGame | None,
) -> None:
    """Note what can never be had.

    plain: the settings of the top level as they were given; common: those of every competition, as values.
    settings: those of the format, or `BAD`; game: None if it is wrong.
    """
    there_is, cores = common.get("resources", {}), common.get("cores", 0)
    if there_is is BAD or cores is BAD:
        return
    for name, amount in there_is.items():
        if name == THREADS:
            problems.add(("resources", name), "is a setting of players only: gyoji counts the processors")
        elif amount < 0:
            problems.add(("resources", name), f"expected 0 or more, got {amount}")
    for player in players.values():
        _check_threads(problems, plain, player, cores)
        _check_resources(problems, player, there_is)
    if there_is and game is not None and settings is not BAD:
        seats = _seats_of_teams(game, settings)
        for name, amount in there_is.items():
            meetings = _meetings(players, settings, name, len(seats))
            _check_meetings(problems, name, amount, meetings, max(seats.values()))


def _check_threads(problems: Problems, plain: Mapping[str, Any], player: Player, cores: int) -> None:
    own: KeyPath = ("players", player.code, THREADS)
    place = own if THREADS in plain["players"][player.code] else (THREADS,)
    if player.threads < 1:
        problems.add(place, f"expected 1 or more, got {player.threads}")
    elif cores and player.threads > cores:
        problems.add(place, f"{player.threads} are more than a game has processors (cores = {cores})")


def _check_resources(problems: Problems, player: Player, there_is: Mapping[str, int]) -> None:
    place: KeyPath = ("players", player.code, "resources")
    for name, need in player.resources.items():
        if name not in there_is:
            problems.add((*place, name), f"resources.{name} at the top must say how much there is")
        elif need < 0:
            problems.add((*place, name), f"expected 0 or more, got {need}")
    if player.resources and player.restart != "on":
        problems.doubt(place, f'it keeps its resources between games, because restart is "{player.restart}"')


_PAIR = 2


def _seats_of_teams(game: AnyGame, settings: Any) -> Counter[int]:
    """How many seats each team has; two teams with as many, where nobody knows it before a game is made."""
    if game.seats > _PAIR and isinstance(settings, GameSettings):
        with suppress(TypeError, ValueError):  # for options that openings complete
            return Counter(game.make_rules(settings.options, 0).teams)
    return Counter(seat % _PAIR for seat in range(game.seats))


def _meetings(
    players: Mapping[str, Player], settings: Any, name: str, sides: int
) -> Iterable[tuple[Player, ...]]:
    """Who plays whom: as the format says, or else anybody anybody, of whom those who need most will do."""
    if offers(settings, NamesMeetings):
        return [tuple(players[code] for code in codes if code in players) for codes in settings.meetings]
    return [tuple(nlargest(sides, players.values(), key=lambda player: player.resources.get(name, 0)))]


def _check_meetings(
    problems: Problems, name: str, total: int, meetings: Iterable[tuple[Player, ...]], seats: int
) -> None:
    """Note the first game that needs more of a resource than there is. seats: how many a player has in it."""
    for meeting in meetings:
        needs = [player.resources.get(name, 0) * seats for player in meeting]
        if sum(needs) > total:
            place = ("players", meeting[needs.index(max(needs))].code, "resources", name)
            codes = " v ".join(player.code for player in meeting)
            problems.add(place, f"a game {codes} needs {sum(needs)}, and there is only {total}")
            return
