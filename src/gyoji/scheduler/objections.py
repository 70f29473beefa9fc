"""Games that a player's protocol cannot express: a competition that has such games is refused."""

from collections.abc import Callable, Iterable

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import PROTOCOLS
from gyoji.core.spec import GameSpec, Player


def check_terms(source: str, players: Iterable[Player], checks: Callable[[], Iterable[GameSpec]]) -> None:
    """Raise ConfigError if a player's protocol cannot express the rules or the clock of the player's games.

    Args:
        source: The control file, for the message.
        checks: Returns one game for each player, who has the first seat in it. It is called only if a
            protocol of the players can object to games.

    Raises:
        ConfigError: A protocol objects. The message has a line for each reason.
    """
    if not any(PROTOCOLS.find(player.protocol).objections for player in players):
        return
    from gyoji.play.context import make_rules  # noqa: PLC0415 - what shows an event plays no game

    found = dict[str, None]()
    for spec in checks():
        player = spec.players[0]
        protocol = PROTOCOLS.find(player.protocol)
        if protocol.objections is not None:
            reasons = protocol.objections(make_rules(spec), player.clock or spec.clock)
            where = f"{source}: player {player.code}, protocol {player.protocol}"
            found |= dict.fromkeys(f"{where}: {reason}" for reason in reasons)
    if found:
        raise ConfigError("\n".join(found))
