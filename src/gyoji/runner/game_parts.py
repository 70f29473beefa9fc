"""What a game is played with, made from its spec: rules, codecs, and what engines find around them."""

from typing import Any

from gyoji.core import wire
from gyoji.core.faults import Breakdown
from gyoji.core.plugins import plugin
from gyoji.core.spec import GameSpec, Player

TOKEN = "GYOJI_GAME_TOKEN"
"""The variable by which an engine knows its game from others: `gyoji.core.spec.game_token`."""
GOMILL_ID = "GOMILL_GAME_ID"
"""The variable that the ringmaster tells the game's id in."""


def make_rules(spec: GameSpec) -> Any:
    """The rules of a game with its options. A Breakdown if they do not fit: the config layer checked them."""
    game = plugin("games", spec.game)
    try:
        return game.rules(game.Options(**wire.frozen(spec.options)), spec.seed)
    except (TypeError, ValueError) as error:
        raise Breakdown(f"{spec.game}: {error}") from None


def make_codec(player: Player) -> Any:
    protocol = plugin("protocols", player.protocol)
    try:
        return protocol.codec(protocol.Options(**wire.frozen(player.options)))
    except (TypeError, ValueError) as error:
        raise Breakdown(f"player {player.code}: {error}") from None


def engine_environ(token: str, slot: int | None) -> dict[str, str]:
    """What engines are told through their environment; the slot under the ringmaster's name too."""
    environ = {TOKEN: token}
    if slot is not None:
        environ |= {"GYOJI_SLOT": str(slot), "GOMILL_SLOT": str(slot)}
    return environ
