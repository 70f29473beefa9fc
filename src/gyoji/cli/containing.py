"""Messages about the containment of a run's engines, before it starts them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from gyoji.core.faults import Breakdown
from gyoji.core.spec import Player
from gyoji.executors.contained.cells import CellBroken
from gyoji.executors.contained.engines import ContainedExecutor
from gyoji.executors.contained.layers import LEVELS, missing
from gyoji.executors.contained.machine import Machine
from gyoji.play.package import is_package
from gyoji.play.workspace import Workspace

_NAMED = 3


class Kept(NamedTuple):
    """A player whose engines keep uid 0, and why."""

    code: str
    why: str


def machine_for(players: Sequence[Player]) -> tuple[Machine | None, list[Kept]]:
    """The machine, if one of the players is to be contained; and the players that get no uid of their own."""
    contained = [player for player in players if player.containment.level != "off"]
    if not contained:
        return None, []
    executor = ContainedExecutor()
    workspace = Workspace()
    try:
        if not executor.machine.own_uid:
            return executor.machine, []
        return executor.machine, [each for each in _kept(contained, executor, workspace) if each.why]
    finally:
        executor.close()
        workspace.close()


def _kept(players: Iterable[Player], executor: ContainedExecutor, workspace: Workspace) -> Iterator[Kept]:
    """For each player, found out by trying; a package's files are where every engine can read them."""
    for player in players:
        with suppress(Breakdown, CellBroken):  # which is told when it is to play
            if not is_package(player.command[0]):
                folders = workspace.make_folders(player)
                yield Kept(player.code, executor.keeps_uid(folders.player, folders.place))
                folders.cleanup()


def containment_line(players: Sequence[Player], machine: Machine | None, kept: Sequence[Kept] = ()) -> str:
    """Who is contained how, and which layers are missing, in one line. kept: who has no uid of its own."""
    levels = [player.containment.level for player in players]
    used = [level for level in LEVELS if level in levels]
    told = ", ".join(f"{level} for {count_players(levels.count(level))}" for level in used)
    lacking = dict.fromkeys(name for level in used if machine for name in missing(machine, level))
    parts = [f"containment: {told}"]
    if lacking:
        parts.append(f"missing: {', '.join(lacking)} (see `gyoji doctor`)")
    if machine and machine.is_root:
        parts.append(_users(machine, kept))
    if machine and any(each.budgets.memory or each.containment.level == "strict" for each in players):
        groups = f"by cgroups {machine.groups}" if machine.groups else "measured, without cgroups"
        parts.append(f"limits on all that an engine starts: {groups}")
    return "; ".join(parts)


def is_whole(players: Iterable[Player], machine: Machine | None) -> bool:
    """Whether no level that is used lacks a layer."""
    return machine is None or not any(missing(machine, each.containment.level) for each in players)


def _users(machine: Machine, kept: Sequence[Kept]) -> str:
    """Which users engines are, being started by root."""
    if not machine.own_uid:
        return "as root, engines keep uid 0, without capabilities"
    if not kept:
        return "as root, each engine has a uid of its own"
    names = "; ".join(f"{each.code} keeps uid 0: {each.why}" for each in kept[:_NAMED])
    more = f"; so do {len(kept) - _NAMED} more" if len(kept) > _NAMED else ""
    return f"as root, each engine has a uid of its own, but {names}{more}"


def count_players(number: int) -> str:
    """The number of players in words: "1 player", "2 players"."""
    return f"{number} player" if number == 1 else f"{number} players"
