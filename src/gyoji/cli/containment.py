"""The line of a run about the containment of its engines, and the command `gyoji doctor`."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from gyoji.cli.exits import say
from gyoji.core.faults import Breakdown
from gyoji.core.spec import Player
from gyoji.core.text import counted, legible_json, printable
from gyoji.executors.contained.cells import CellBroken, Launcher
from gyoji.executors.contained.engines import ContainedExecutor
from gyoji.executors.contained.layers import LEVELS, Layer, layers, missing
from gyoji.executors.contained.machine import Machine, examine
from gyoji.executors.contained.uids import open_to_root
from gyoji.play.context import WorkerContext
from gyoji.play.workspace import Workspace, is_package
from gyoji.scheduler.status import ExitStatus


class Kept(NamedTuple):
    """A player whose engines keep uid 0 when root runs gyoji.

    Attributes:
        code: The name of the player.
        path: A file that the engine needs and that only root can read.
    """

    code: str
    path: str


def machine_for(players: Sequence[Player], context: WorkerContext) -> tuple[Machine | None, list[Kept]]:
    """Find out which layers of containment the machine has, if any player is contained.

    Args:
        context: The context that starts the players afterwards. It reuses the sandboxes that are made here.

    Returns:
        (the machine, or None if no player is contained; the players whose engines keep uid 0)
    """
    contained = [player for player in players if player.containment.level != "off"]
    if not contained:
        return None, []
    executor = context.starter("contained")
    assert isinstance(executor, ContainedExecutor)
    if not executor.machine.own_uid:
        return executor.machine, []
    return executor.machine, [*_kept(contained, executor, context.workspace)]


def _kept(players: Iterable[Player], executor: ContainedExecutor, workspace: Workspace) -> Iterator[Kept]:
    for player in players:
        with suppress(Breakdown, CellBroken):  # the start of the player reports these
            if not is_package(player.command[0]):  # a package is unpacked where every engine can read it
                folders = workspace.make_folders(player)
                path = executor.closed_file(folders.player, folders.place)
                folders.cleanup()
                if path:
                    yield Kept(player.code, path)


def containment_line(players: Sequence[Player], machine: Machine | None, kept: Sequence[Kept] = ()) -> str:
    """Return one line about the containment of players: levels, missing layers, uids and limits."""
    levels = [player.containment.level for player in players]
    used = [level for level in LEVELS if level in levels]
    told = ", ".join(f"{level} for {counted(levels.count(level), 'player')}" for level in used)
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
    """Return whether the machine has every layer that these players use."""
    return machine is None or not any(missing(machine, each.containment.level) for each in players)


def _users(machine: Machine, kept: Sequence[Kept]) -> str:
    """Return the part of `containment_line` about the uids of engines. Call it only if root runs gyoji."""
    if not machine.own_uid:
        return "as root, engines keep uid 0, without capabilities"
    if not kept:
        return "as root, each engine has a uid of its own"
    codes: dict[str, list[str]] = {}
    for each in kept:
        codes.setdefault(_barrier(each.path), []).append(each.code)
    told = "; ".join(f"{', '.join(some)} with uid 0: {open_to_root(path)}" for path, some in codes.items())
    return (
        f"as root, each engine has a uid of its own, but {told}; what engines need gets them one where every "
        "user may read it, as in /opt"
    )


def _barrier(path: str) -> str:
    """Return the outermost folder on a file's path that other users cannot enter.

    Return the path of the file itself if they can enter all folders. Symbolic links are followed.
    """
    real = Path(os.path.realpath(path))
    with suppress(OSError):
        for folder in reversed(real.parents):
            if not folder.stat().st_mode & stat.S_IXOTH:
                return str(folder)
    return str(real)


def examine_machine(*, as_json: bool) -> ExitStatus:
    """Carry out `gyoji doctor`: print the layers of containment that this machine has.

    Returns:
        COMPLETE if both levels, guarded and strict, are available, else HALTED.
    """
    launcher = Launcher()
    try:
        machine = examine(launcher)
    finally:
        launcher.close()
    found = layers(machine)
    if as_json:
        values = {
            "kernel": os.uname().release,
            "root": machine.is_root,
            "layers": [layer._asdict() for layer in found],
            "levels": {
                level: {"available": not machine.lacks(level), "lacks": machine.lacks(level)}
                for level in LEVELS
            },
        }
        say(legible_json(values, indent=2))
    else:
        for line in _lines(machine, found):
            say(line)
    return ExitStatus.HALTED if any(map(machine.lacks, LEVELS)) else ExitStatus.COMPLETE


def _lines(machine: Machine, found: Sequence[Layer]) -> Iterator[str]:
    yield f"Linux {os.uname().release}, {'root' if machine.is_root else 'an ordinary user'}"
    yield ""
    width = max(len(layer.name) for layer in found)
    for layer in found:
        yield printable(f"{layer.name:{width}}  {layer.state:7}  {layer.found}".rstrip(), 400)
    yield ""
    for level in LEVELS:
        lacking = "; ".join(machine.lacks(level))
        state = "cannot be had" if level == "strict" else "in part"
        yield f"{level:8} {state}: {lacking}" if lacking else f"{level:8} can be had"
    if any(layer.state in ("no", "in part") for layer in found):
        yield ""
        yield "remedies for missing layers: docs/how-to/trouble.md"
