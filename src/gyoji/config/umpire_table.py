"""The table `umpire` of a control file: the program that decides the games, and the game's own settings."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from gyoji.config.document import Document, Problems
from gyoji.config.kinds import kinds_of
from gyoji.config.players import PlayerDefaults, read_player
from gyoji.config.reader import REQUIRED, Reader, Rejected
from gyoji.core.game import AnyGame
from gyoji.core.spec import Player
from gyoji.core.text import parse_duration

TABLE = "umpire"

_BUDGETS: Mapping[str, int] = MappingProxyType(
    {"move": parse_duration("1m"), "line": 1 << 20, "reply": 8 << 20, "rate": 1 << 20}
)
"""The default budgets of an umpire: a minute for an answer, and pictures make long lines."""

_OF_PLAYERS = ("clock", "human", "partner", "ponder", "protocol", "restart", "signature")
"""The settings of a player without a meaning for an umpire."""


def take_up(document: Document, raw: Mapping[str, Any], game: AnyGame, problems: Problems) -> dict[str, Any]:
    """Return raw settings with the game's own at the top, where those of other games stand.

    Messages go on naming their place in the table.
    """
    table = raw.get(TABLE)
    if not isinstance(table, dict):
        return dict(raw)
    own = {key: value for key, value in table.items() if key in kinds_of(game.options)}
    problems.moved = {key: (TABLE, key) for key in kinds_of(game.options)}
    return {**raw, **own}


def read_umpire(
    reader: Reader, raw: Any, document: Document, *, game: AnyGame, named: frozenset[str]
) -> Player | None:
    """Return the program of the table; None, and a report, if something about it is wrong.

    Args:
        raw: The table as it was given; None if it is missing.
        named: The paths that the whole control file names.
    """
    path = (TABLE,)
    if raw is None:
        reader.problems.add(path, REQUIRED)
        return None
    try:
        table = reader.table(path, raw)
        for key in _OF_PLAYERS:
            if key in table:
                reader.problems.add((*path, key), "is a setting of players; an umpire has none")
        own = {key: value for key, value in table.items() if key not in kinds_of(game.options)}
        program = {**own, "protocol": "umpire-program"}
        defaults = PlayerDefaults({}, "log", "", named)  # those of players are not meant for it
        player = read_player(reader, path, program, document, code=TABLE, defaults=defaults)
    except Rejected:
        return None
    given = own.get("budgets")
    left = {key: value for key, value in _BUDGETS.items() if not isinstance(given, dict) or key not in given}
    return replace(player, budgets=replace(player.budgets, **left))
