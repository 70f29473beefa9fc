"""What a game is played with, made from its spec: rules, codecs, and what engines find around them."""

from typing import Any

from gyoji.core import wire
from gyoji.core.faults import Breakdown
from gyoji.core.plugins import plugin
from gyoji.core.spec import GameSpec, Player


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


def engine_environ(game_id: str, slot: int | None) -> dict[str, str]:
    """What engines are told through their environment, under our names and the ringmaster's."""
    environ = {"GYOJI_GAME_ID": game_id, "GOMILL_GAME_ID": game_id}
    if slot is not None:
        environ |= {"GYOJI_SLOT": str(slot), "GOMILL_SLOT": str(slot)}
    return environ
