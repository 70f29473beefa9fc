"""Reads remote players: their engines run on their owners' computers, which `gyoji join` connects to the
event.

    remote = true, protocol = "gtp"

The owner decides how the engine is started and contained. The control file has all other settings of the
player: the protocol and its settings, the clock, whether each game has a new process, and the budgets.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from gyoji.config.reader import Rejected
from gyoji.core.spec import REMOTE, Budgets, Containment, Player

KEYS = ("remote", "protocol", "clock", "restart", "resources", "budgets")
"""The settings that a remote player may have, besides those of its protocol."""


def remote_player(
    code: str,
    given: Iterable[str],
    values: Mapping[str, Any],
    options: Mapping[str, Any],
    complain: Callable[[str, str], object],
) -> Player:
    """Return a remote player.

    Args:
        code: The player's code.
        given: The keys of the player's table.
        values: The values of the known settings, defaults included.
        options: The settings of the protocol.
        complain: Called with a key and its mistake.

    Raises:
        Rejected: A setting is one of engines that gyoji itself starts.
    """
    others = [key for key in given if key not in KEYS and key not in options]
    for key in others:
        complain(key, f"the engine of a remote player is not started here; there are {', '.join(KEYS)}")
    if others:
        raise Rejected
    return Player(
        code=code,
        command=(REMOTE,),
        protocol=values["protocol"],
        options=options,
        executor=REMOTE,
        containment=Containment(level="off"),
        clock=values.get("clock"),
        restart=values.get("restart", "on"),
        resources=MappingProxyType(dict(values.get("resources", {}))),
        budgets=Budgets(**values.get("budgets", {})),
    )
