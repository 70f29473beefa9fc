"""Games that a player's protocol cannot express: a competition that has such games is refused."""

from collections.abc import Iterable

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import PROTOCOLS
from gyoji.core.spec import GameSpec


def check_terms(source: str, specs: Iterable[GameSpec]) -> None:
    """Ask the protocol of the first player of each game whether it can play by these rules and this clock.

    Args:
        source: The control file, for the message.
        specs: One game for each player (`Competition.checks`).

    Raises:
        ConfigError: A protocol objects. The message has a line for each reason.
    """
    from gyoji.play.context import make_rules  # noqa: PLC0415 - what shows an event plays no game

    found = dict[str, None]()
    for spec in specs:
        player = spec.players[0]
        protocol = PROTOCOLS.find(player.protocol)
        if protocol.objections is not None:
            reasons = protocol.objections(make_rules(spec), player.clock or spec.clock)
            where = f"{source}: player {player.code}, protocol {player.protocol}"
            found |= dict.fromkeys(f"{where}: {reason}" for reason in reasons)
    if found:
        raise ConfigError("\n".join(found))
