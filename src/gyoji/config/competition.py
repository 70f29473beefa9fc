"""Reads a control file: returns a frozen `CompetitionSetup`, or raises one error with all mistakes.

A control file is TOML (`toml_file`), or Python with the settings of gomill (`ctl_file`).
"""

# Theory of operation: from a control file to a CompetitionSetup
# --------------------------------------------------------------
#
#   file --toml_file or ctl_file--> Document     raw values, and the line of each key
#                                      |  lay    the file's settings, for others those of its preset, for
#                                      v         others the defaults of the game
#                                  raw settings, and the origin of those that the file does not give
#                                      |  Reader  by the types of the settings (kinds)
#      common settings, players, the format's settings with games, options and openings
#                                      |  check_needs   does a game need more resources than there are?
#                                      v
#                                  Problems.check() -> ConfigError with all mistakes, or CompetitionSetup
#
# Values are read by the types of dataclass fields, so the settings of a plug-in are read like gyoji's own.
# The `Settings` of a format, and the `Options` of a game or protocol, are dataclasses (`core.setup` has the
# metadata that their fields may have). `Player`, clocks and budgets are structs.
#
# The order matters. The format and the game come first, because all other settings depend on them; if one of
# them is wrong, the rest is checked as far as possible. Players come before the format's settings, which
# contain codes of players. For a tuner numpy is imported first, so that it computes in one thread
# (`one_thread`).
#
# Reading goes on after a mistake (see `reader`), because an author wants to see all of them at once. Each has
# its file and line; a wrong value from a preset or a game is reported at the line with the name of the preset
# or game. Messages are sorted by line. Warnings (`Problems.doubt`) go into `CompetitionSetup.warnings`.
#
# Reading starts no programs and writes no files, except that Python control files are executed.

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from heapq import nlargest
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from msgspec import structs

from gyoji.config.candidates import one_thread
from gyoji.config.document import Document, KeyPath, Origin, Problems, shown, suggest
from gyoji.config.format_settings import GAME_KINDS, FormatReader, Layout
from gyoji.config.kinds import Command, Duration, Kinds, kinds_of
from gyoji.config.named_paths import named_paths
from gyoji.config.players import DEFAULTS_OF_PLAYERS, PlayerDefaults, read_players
from gyoji.config.programs import find_command
from gyoji.config.reader import REQUIRED, Reader, Rejected
from gyoji.config.umpire_table import check_players, read_umpire, take_up
from gyoji.core.faults import ConfigError
from gyoji.core.game import AnyGame
from gyoji.core.plugins import FORMATS, GAMES, Named, Registry
from gyoji.core.ports import supports
from gyoji.core.setup import DEFAULT_GAME, CompetitionSetup, GameSettings, NamesMeetings
from gyoji.core.spec import Player
from gyoji.core.text import quote
from gyoji.core.wire import encode
from gyoji.store.files import check_name

T = TypeVar("T", bound=Named)

_SET_OTHERWISE = (
    *("code", "kind", "game", "players", "settings", "draws_seed", "names_games"),
    *("umpire", "control_file", "directory", "warnings"),
)
"""The fields of `CompetitionSetup` that are not the value of one setting."""

_COMMON: Kinds = MappingProxyType(
    {each.name: each.type for each in structs.fields(CompetitionSetup) if each.name not in _SET_OTHERWISE}
    | {
        **dict.fromkeys(("description", "place"), str | None),  # None: in a Python control file
        "records": Literal["files", "store"],
        "spectators": Literal["all", "delayed"],
        "show_up": Duration,
        **dict.fromkeys(("on_game", "on_end"), Command),
    }
)
COMMON_KEYS = ("competition", "game", "preset", "players", *_COMMON, *DEFAULTS_OF_PLAYERS)
"""The settings of every competition, whatever its format."""


def load(path: str | os.PathLike[str]) -> CompetitionSetup:
    """Read a control file: TOML if its name ends in .toml, else Python.

    Python control files are executed: read only those that you trust.

    Raises:
        ConfigError: The file has mistakes. The message has one line for each.
    """
    return read_competition(_document(os.fspath(path)))


def _document(name: str) -> Document:
    """Read a control file, and return it as raw values with their lines.

    Args:
        name: The name of the file as the user gave it.

    Raises:
        ConfigError: The file cannot be read, its syntax is wrong, or its Python code raises an exception.
    """
    file = Path(os.path.abspath(name))
    check_name(name)
    text = _read(name, file)
    if file.suffix.lower() != ".toml" and _is_toml(text):
        raise ConfigError(
            f"{name}: this is TOML, and a TOML file ends in .toml: call it {file.with_suffix('.toml').name}"
        )
    if file.suffix.lower() == ".toml":
        from gyoji.config.toml_file import read_toml  # noqa: PLC0415

        return read_toml(name, file, text)
    from gyoji.config.ctl_file import read_ctl  # noqa: PLC0415

    return read_ctl(name, file, text)


# TOML in a file of another name would be executed as Python, and fail with a syntax error that does not help.
def _is_toml(text: str) -> bool:
    """Return whether a text is TOML with the setting `competition`, which gomill's Python files never are."""
    import tomllib  # noqa: PLC0415 - a match has no file

    try:
        return "competition" in tomllib.loads(text)
    except (ValueError, RecursionError):
        return False


def _control_files(folder: Path) -> list[str]:
    """Return the names of possible control files in a folder, as suggestions."""
    with suppress(OSError):
        return [each.name for each in folder.iterdir() if each.suffix.lower() in (".toml", ".ctl")]
    return []


def _read(name: str, file: Path) -> str:
    """Return the text of a control file, with line feeds as line ends and without a byte order mark.

    Raises:
        ConfigError: The file cannot be read, or is not UTF-8.
    """
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        near = suggest(file.name, _control_files(file.parent))
        raise ConfigError(f"{name}: there is no such control file{near}") from None
    except IsADirectoryError:
        near = suggest("", _control_files(file))
        raise ConfigError(f"{name}: this is a folder: name the control file in it{near}") from None
    except OSError as error:
        why = f"{error.strerror}; check its rights (chmod u+r)"
        raise ConfigError(f"{name}: the control file cannot be read: {why}") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{name}:{line}: this is not UTF-8 text (byte {raw[error.start]:#04x}): save the file as UTF-8"
        ) from None
    return text.replace("\r\n", "\n")


def read_competition(document: Document) -> CompetitionSetup:
    """Return the setup of a document. Raises ConfigError with all its mistakes."""
    problems = Problems(document)
    reader = Reader(problems, document.forms)
    with one_thread():
        kind, module = _named(problems, document.raw, "competition", FORMATS, None)
        layout = None if module is None else Layout.of(module.settings)
        if layout is not None and layout.makers:  # a tuner
            import gyoji.tuning.estimate  # noqa: F401, PLC0415 - numpy, which other formats do without
    game, rules = _named(problems, document.raw, "game", GAMES, DEFAULT_GAME)
    raw = document.raw if rules is None else lay(document, game, rules, problems)
    decider = "" if rules is None else rules.decider
    if rules is not None and decider:
        raw = take_up(document, raw, rules, problems)
    common = reader.values((), _COMMON, raw)
    for key in ("seed", "cores", "suspend_crashes", "suspend_failures"):
        if (number := common.get(key, 0)) < 0:
            problems.add((key,), f"expected 0 or more, got {number}")
    games, crashes = common.get("suspend_games", 10), max(common.get("suspend_crashes", 0), 1)
    if games < crashes and not problems.has(("suspend_games",)):
        problems.add(("suspend_games",), f"expected {crashes} or more, got {games}")
    _place_records(problems, common)
    _check_record_formats(problems, rules, common.get("record_formats", ()))
    stderr = "inherit" if common.get("stderr_to_log") is False else "log"
    defaults = PlayerDefaults(
        reader.values((), DEFAULTS_OF_PLAYERS, raw), stderr, game, named_paths(document, document.raw)
    )
    if rules is not None:
        own = () if layout is None else layout.keys
        keys = (*COMMON_KEYS, *own, *GAME_KINDS, *((decider,) if decider else kinds_of(rules.options)))
        reader.top_keys = frozenset(keys) - {"players"}
    players: dict[str, Player] = {}
    if "players" in raw:
        with suppress(Rejected):
            players = read_players(reader, raw["players"], document, defaults)
    elif layout is None or not layout.makers:  # a tuner may have no players except its candidates
        problems.add(("players",), REQUIRED)
    umpire = None
    if rules is not None and decider:
        umpire = read_umpire(reader, raw.get(decider), document, game=rules, named=defaults.named)
        check_players(reader, document.raw, players, rules)
    # This includes players with mistakes: otherwise each matchup with such a player would be wrong, too.
    reader.players = frozenset(raw["players"] if isinstance(raw.get("players"), dict) else ())
    settings = None
    if module is not None and layout is not None and rules is not None:
        formats = FormatReader(reader, document, raw, game, rules)
        with suppress(Rejected):
            settings = formats.settings(module, layout, defaults)
    check_needs(problems, raw, common, players, settings=settings, game=rules)
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
        umpire=umpire,
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


# `record_games` is gomill's setting for the same. The setup has only that.
def _place_records(problems: Problems, common: dict[str, Any]) -> None:
    """Replace the setting `records` in `common` by `record_games`. Report it if both are given and differ."""
    place = common.pop("records", None)
    if place in ("files", "store"):
        if common.get("record_games", place == "files") is not (place == "files"):
            problems.add(
                ("records",), f"got {quote(place)}, but record_games says otherwise; give one of them"
            )
        common["record_games"] = place == "files"


def _check_record_formats(problems: Problems, game: AnyGame | None, names: Any) -> None:
    """Report record formats that the game does not have or cannot write."""
    if game is None:
        return
    for index, name in enumerate(names):
        try:
            if game.record_format(name).write is None:
                problems.add(("record_formats", index), f"{quote(name)} can be read, but not written")
        except ConfigError as error:
            problems.add(("record_formats", index), str(error))


def _named(
    problems: Problems, raw: Mapping[str, Any], key: str, registry: Registry[T], default: str | None
) -> tuple[str, T | None]:
    """Return the name that the setting `key` gives, and the game, format or other plug-in of that name.

    If the setting is wrong, report that and return "" and None.

    Args:
        raw: The raw settings.
        registry: The plug-ins that the setting may name.
        default: The name if the setting is missing; None if it is required.
    """
    name = raw.get(key, default)
    there_are = ", ".join(registry.names)
    if name is None:
        meant = next((each for each in raw if "did you mean" in suggest(each, [key])), None)
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
            problems.add(
                (key,), str(error).removeprefix(f"{key} ")
            )  # the place of the message has the key already
    return "", None


def lay(document: Document, game: str, plugin: AnyGame, problems: Problems) -> dict[str, Any]:
    """Return the settings of a control file, completed from its preset, then from the game's defaults.

    The table `budgets` is completed key by key. The values are not checked. `Problems.origins` gets the
    origin of each value that the file does not give.

    Args:
        document: The control file.
        game: The name of the game.
        plugin: The game.
        problems: The problems of the document.
    """
    layers: list[tuple[Origin | None, Mapping[str, Any]]] = [
        (Origin(f"the game {quote(game)}", "game"), encode(plugin.defaults)),
        _preset(document, game, plugin, problems),
        (None, document.raw),
    ]
    raw: dict[str, Any] = {}
    origins: dict[KeyPath, Origin | None] = {}
    for origin, settings in layers:
        for key, value in settings.items():
            below = raw.get(key, {})
            if key == "budgets" and isinstance(below, dict) and isinstance(value, dict):  # key by key
                raw[key] = below | value
                origins |= {(key, each): origin for each in value}
            else:
                raw[key] = value
                origins[key,] = origin
    problems.origins = {place: origin for place, origin in origins.items() if origin}
    return raw


def _preset(
    document: Document, game: str, plugin: AnyGame, problems: Problems
) -> tuple[Origin, Mapping[str, Any]]:
    """Return the preset that a control file names: its origin, for messages, and its settings.

    The settings are {} if the file names no preset. A wrong name is reported, and gives {}, too.
    """
    presets = plugin.presets
    name = document.raw.get("preset")
    if isinstance(name, str) and name in presets:
        return Origin(f"preset {quote(name)}", "preset"), encode(presets[name])
    if "preset" in document.raw:
        there_are = f"there are: {', '.join(presets)}" if presets else "it has none"
        problems.add(("preset",), f"no preset {shown(name)} of {quote(game)}; {there_are}")
    return Origin("", "preset"), {}


THREADS = "threads"
"""A name that no resource can have, because there is a setting with this name."""


# A game that needs more than there is would wait for ever, so it is reported before the first game.
def check_needs(
    problems: Problems,
    raw: Mapping[str, Any],
    common: Mapping[str, Any],
    players: Mapping[str, Player],
    *,
    settings: Any,
    game: AnyGame | None,
) -> None:
    """Report players and games that need more resources or threads than there are. Also report wrong amounts.

    Args:
        problems: Gets the reports.
        raw: The raw settings of the top level, from the file, its preset and the game.
        common: The values of the settings that all formats have.
        players: The players by code.
        settings: The format's settings; None if they are wrong.
        game: The game; None if it is wrong.
    """
    there_is, cores = common.get("resources", {}), common.get("cores", 0)
    if problems.has(("resources",)) or problems.has(("cores",)):
        return
    for name, amount in there_is.items():
        if name == THREADS:
            problems.add(("resources", name), "is a setting of players only: gyoji counts the processors")
        elif amount < 0:
            problems.add(("resources", name), f"expected 0 or more, got {amount}")
    for player in players.values():
        own = ("players", player.code, THREADS)
        place: KeyPath = own if THREADS in raw["players"][player.code] else (THREADS,)
        if player.threads < 1:
            problems.add(place, f"expected 1 or more, got {player.threads}")
        elif cores and player.threads > cores:
            problems.add(place, f"{player.threads} are more than a game has processors (cores = {cores})")
        place = ("players", player.code, "resources")
        for name, need in player.resources.items():
            if name not in there_is:
                problems.add((*place, name), f"resources.{name} at the top must say how much there is")
            elif need < 0:
                problems.add((*place, name), f"expected 0 or more, got {need}")
        if player.resources and player.restart != "on":
            problems.doubt(
                place, f'it keeps its resources between games, because restart is "{player.restart}"'
            )
    if there_is and game is not None and settings is not None:
        seats = _seats_of_teams(game, settings)
        for name, amount in there_is.items():
            for meeting in _meetings(players, settings, name, len(seats)):
                needs = [player.resources.get(name, 0) * max(seats.values()) for player in meeting]
                if sum(needs) > amount:
                    place = ("players", meeting[needs.index(max(needs))].code, "resources", name)
                    codes = " v ".join(player.code for player in meeting)
                    problems.add(place, f"a game {codes} needs {sum(needs)}, and there is only {amount}")
                    break


_PAIR = 2


def _seats_of_teams(game: AnyGame, settings: Any) -> Counter[int]:
    """Return the number of seats by team.

    If the settings of games do not determine the teams, return those of two teams whose seats alternate.
    """
    if game.seats != _PAIR and isinstance(settings, GameSettings):
        with suppress(TypeError, ValueError):  # options that are incomplete without an opening
            return Counter(game.make_rules(settings.options, 0).teams)
    return Counter(seat % _PAIR for seat in range(game.seats))


def _meetings(
    players: Mapping[str, Player], settings: Any, name: str, sides: int
) -> Iterable[tuple[Player, ...]]:
    """Return the players of each possible game.

    Some formats do not tell the possible games. Then return the worst case as the only game: the players that
    need most of the resource `name`.

    Args:
        players: The players by code.
        settings: The format's settings.
        name: The name of the resource.
        sides: The number of players in a game.
    """
    if supports(settings, NamesMeetings):
        return [tuple(players[code] for code in codes if code in players) for codes in settings.meetings]
    return [tuple(nlargest(sides, players.values(), key=lambda player: player.resources.get(name, 0)))]
