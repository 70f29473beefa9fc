"""What a run says of the containment of its engines before it starts them."""

import os
from collections.abc import Iterable

from gyoji.core.spec import Player
from gyoji.executors.contained.cells import Launcher
from gyoji.executors.contained.layers import LEVELS, missing
from gyoji.executors.contained.machine import Machine, examine


def machine_for(players: Iterable[Player]) -> Machine | None:
    """What this machine has, if one of the players is to be contained."""
    if all(player.containment.level == "off" for player in players):
        return None
    launcher = Launcher()
    try:
        return examine(launcher)
    finally:
        launcher.close()


def containment_line(players: Iterable[Player], machine: Machine | None) -> str:
    """Who is contained how, and which layers are missing, in one line."""
    levels = [player.containment.level for player in players]
    used = [level for level in LEVELS if level in levels]
    told = ", ".join(f"{level} for {_players(levels.count(level))}" for level in used)
    lacking = dict.fromkeys(name for level in used if machine for name in missing(machine, level))
    parts = [f"containment: {told}"]
    if lacking:
        parts.append(f"missing: {', '.join(lacking)} (see `gyoji doctor`)")
    if machine and os.geteuid() == 0:
        parts.append("as root, engines keep uid 0, without capabilities")
    return "; ".join(parts)


def is_whole(players: Iterable[Player], machine: Machine | None) -> bool:
    """Whether no level that is used lacks a layer."""
    return machine is None or not any(missing(machine, each.containment.level) for each in players)


def _players(number: int) -> str:
    return f"{number} player" if number == 1 else f"{number} players"
