"""Reads the table `umpire` or `relay` of a file: the program that decides games, and its settings."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from gyoji.config.document import Document, Problems
from gyoji.config.kinds import kinds_of
from gyoji.config.players import PlayerDefaults, read_player
from gyoji.config.reader import REQUIRED, Reader, Rejected
from gyoji.core.game import AnyGame
from gyoji.core.placeholders import seats_named
from gyoji.core.plugins import EXECUTORS
from gyoji.core.spec import Player
from gyoji.core.text import parse_duration

_BUDGETS: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "umpire": {"move": parse_duration("1m"), "line": 1 << 20, "reply": 8 << 20, "rate": 1 << 20},
        "relay": {"move": parse_duration("10m"), "line": 8 << 20, "reply": 8 << 20, "rate": 0},
    }
)
"""The default budgets. An umpire has a minute for each answer, and its lines may be long because of
pictures. The runner of a relay answers only once, at its end, so its limits are those of a whole game and all
of its output.
"""

_OF_PLAYERS = ("clock", "human", "partner", "ponder", "protocol", "restart", "signature")
"""Settings of players that have no meaning for an umpire or a runner."""


def take_up(document: Document, raw: Mapping[str, Any], game: AnyGame, problems: Problems) -> dict[str, Any]:
    """Return the raw settings, with the game's settings in the table `umpire` or `relay` copied to the top
    level.

    For games that gyoji itself knows, they are at the top level in the file. Messages still show their place
    in the table.
    """
    table = raw.get(game.decider)
    if not isinstance(table, dict):
        return dict(raw)
    own = {key: value for key, value in table.items() if key in kinds_of(game.options)}
    problems.moved = {key: (game.decider, key) for key in kinds_of(game.options)}
    return {**raw, **own}


def read_umpire(
    reader: Reader, raw: Any, document: Document, *, game: AnyGame, named: frozenset[str]
) -> Player | None:
    """Return the umpire or runner that a table describes. If something is wrong, report that and return None.

    Args:
        reader: Reads values, and reports mistakes.
        raw: The raw table; None if it is missing.
        document: The control file.
        game: The game.
        named: All paths that the control file names.
    """
    name = game.decider
    path = (name,)
    if raw is None:
        reader.problems.add(path, REQUIRED)
        return None
    try:
        table = reader.table(path, raw)
        for key in _OF_PLAYERS:
            if key in table:
                reader.problems.add((*path, key), f"is a setting of players, and not of the {name}")
        own = {key: value for key, value in table.items() if key not in kinds_of(game.options)}
        program = {**own, "protocol": f"{name}-program"}
        defaults = PlayerDefaults({}, "log", "", named)  # the defaults of players do not hold for an umpire
        player = read_player(reader, path, program, document, code=name, defaults=defaults)
    except Rejected:
        return None
    given = own.get("budgets")
    if name == "relay":
        _check_seats(reader, table, player)
    left = {
        key: value for key, value in _BUDGETS[name].items() if not isinstance(given, dict) or key not in given
    }
    return replace(player, budgets=replace(player.budgets, **left))


def _check_seats(reader: Reader, table: Mapping[str, Any], player: Player) -> None:
    """Report a mistake if a runner's command does not name each seat by a placeholder, {seat1} and so on."""
    seats = table.get("seats", 2)
    named = seats_named(player.command)
    if isinstance(seats, int) and named != frozenset(range(1, seats + 1)):
        got = ", ".join(f"{{seat{number}}}" for number in sorted(named))
        expected = "{seat1}" if seats == 1 else f"{{seat1}} to {{seat{seats}}}"
        reader.problems.add(("relay", "command"), f"expected {expected} for seats = {seats}, got {got}")


def check_players(
    reader: Reader, given: Mapping[str, Any], players: Mapping[str, Player], game: AnyGame
) -> None:
    """Report players that do not go with the program that decides games, an umpire or a runner.

    A player may not have the name of that program. Players of a relay can have no clock and no process for
    several games, and must be programs.

    Args:
        given: The settings of the control file.
    """
    if game.decider in players:  # the folders of programs are kept by their names
        text = f"is the name of the program that decides games: expected another name than {game.decider!r}"
        reader.problems.add(("players", game.decider), text)
    if game.decider != "relay":
        return
    if "clock" in given:
        reader.problems.add(("clock",), _NO_CLOCK)
    for code, player in players.items():
        path = ("players", code)
        if player.clock is not None:
            reader.problems.add((*path, "clock"), _NO_CLOCK)
        if player.restart != "on":
            where = (*path, "restart") if "restart" in given["players"][code] else ("restart",)
            reader.problems.add(where, 'a relay needs a new process for each game: expected "on"')
        if player.is_person or not EXECUTORS.find(player.executor).has_processes:
            reader.problems.add(path, "a relay needs programs, and this player is none")


_NO_CLOCK = "the runner of a relay keeps the time; a game is limited by relay.budgets.move"
