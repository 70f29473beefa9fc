"""Games that a player's protocol cannot express: a competition that has such games is refused."""

from collections.abc import Callable, Iterable

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import PROTOCOLS
from gyoji.core.spec import GameSpec, Player


def check_terms(source: str, players: Iterable[Player], checks: Callable[[], Iterable[GameSpec]]) -> None:
    """Ask the protocol of each player whether it can play by the rules and the clock of its games.

    Args:
        source: The control file, for the message.
        players: The players. `checks` is not called if none of their protocols can object.
        checks: Returns a game for each player, in which it has the first seat (`Competition.checks`).

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
