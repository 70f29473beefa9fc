"""The containment of engines, told before a run starts them, and the machine's part in it: `gyoji doctor`."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from gyoji.cli.exits import say
from gyoji.core.faults import Breakdown
from gyoji.core.spec import Player
from gyoji.core.text import counted, legible_json, printable
from gyoji.executors.contained.cells import CellBroken, Launcher
from gyoji.executors.contained.engines import ContainedExecutor
from gyoji.executors.contained.layers import LEVELS, Layer, layers, missing, this_system
from gyoji.executors.contained.machine import Machine, examine
from gyoji.play.context import WorkerContext
from gyoji.play.workspace import Workspace, is_package
from gyoji.scheduler.status import ExitStatus

_NAMED = 3
_CLOSED = " is open to root alone"
"""The end of the reason why an engine keeps uid 0, behind a path; see `uids.check_reach`."""


class Kept(NamedTuple):
    """A player whose engines keep uid 0, and why."""

    code: str
    why: str


def machine_for(players: Sequence[Player], context: WorkerContext) -> tuple[Machine | None, list[Kept]]:
    """The machine, if one of the players is to be contained; and the players that get no uid of their own.

    context: where they are started next, which finds there what has been made to see that.
    """
    contained = [player for player in players if player.containment.level != "off"]
    if not contained:
        return None, []
    executor = context.starter("contained")
    assert isinstance(executor, ContainedExecutor)
    if not executor.machine.own_uid:
        return executor.machine, []
    return executor.machine, [each for each in _kept(contained, executor, context.workspace) if each.why]


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
    """Whether no level that is used lacks a layer."""
    return machine is None or not any(missing(machine, each.containment.level) for each in players)


def _users(machine: Machine, kept: Sequence[Kept]) -> str:
    """Which users engines are, being started by root."""
    if not machine.own_uid:
        return "as root, engines keep uid 0, without capabilities"
    if not kept:
        return "as root, each engine has a uid of its own"
    codes: dict[str, list[str]] = {}
    for each in kept:
        codes.setdefault(_barrier(each.why), []).append(each.code)
    told = "; ".join(f"{_named(some)} uid 0: {why}" for why, some in codes.items())
    remedy = "; what engines need gets them one where every user may read it, as in /opt"
    return f"as root, each engine has a uid of its own, but {told}{remedy if _CLOSED in told else ''}"


def _named(codes: Sequence[str]) -> str:
    """Who keeps something, as a subject with its verb."""
    if len(codes) == 1:
        return f"{codes[0]} keeps"
    more = len(codes) - _NAMED
    shown = [*codes[:_NAMED], f"{more} more"] if more > 0 else codes
    return f"{', '.join(shown[:-1])} and {shown[-1]} keep"


def _barrier(why: str) -> str:
    """The reason with the folder that keeps users out in place of a file in it, links followed."""
    path, closed, rest = why.partition(_CLOSED)
    if not closed or not os.path.isabs(path):
        return why
    real = Path(os.path.realpath(path))
    with suppress(OSError):
        for folder in reversed(real.parents):
            if not folder.stat().st_mode & stat.S_IXOTH:
                return f"{folder}{closed}{rest}"
    return f"{real}{closed}{rest}"


def examine_machine(*, as_json: bool) -> ExitStatus:
    """The whole command: COMPLETE if guarded and strict can be had, else HALTED."""
    launcher = Launcher()
    try:
        machine = examine(launcher)
    finally:
        launcher.close()
    found = layers(machine, this_system())
    if as_json:
        say(legible_json(_values(machine, found), indent=2))
    else:
        for line in _lines(machine, found):
            say(line)
    return ExitStatus.HALTED if any(map(machine.lacks, LEVELS)) else ExitStatus.COMPLETE


def _values(machine: Machine, found: Sequence[Layer]) -> dict[str, Any]:
    """All of it as JSON-ready values."""
    return {
        "kernel": os.uname().release,
        "root": machine.is_root,
        "layers": [layer._asdict() for layer in found],
        "levels": {
            level: {"available": not machine.lacks(level), "lacks": list(machine.lacks(level))}
            for level in LEVELS
        },
    }


def _lines(machine: Machine, found: Sequence[Layer]) -> Iterator[str]:
    """All of it as text: a line for each layer, what mends those that are not there, the levels."""
    yield f"Linux {os.uname().release}, {'root' if machine.is_root else 'an ordinary user'}"
    yield ""
    width = max(len(layer.name) for layer in found)
    yield f"{'layer':{width}}  there    what it keeps engines from"
    for layer in found:
        told = f"{layer.stops}{f' ({layer.found})' if layer.found else ''}"
        yield printable(f"{layer.name:{width}}  {layer.state:7}  {told}", 400)
        if layer.remedy:
            yield f"{'':{width}}  {'':7}  remedy: {layer.remedy}"
    yield ""
    for level in LEVELS:
        lacking = machine.lacks(level)
        if not lacking:
            yield f"{level:8} can be had"
        elif level == "strict":
            yield f"{level:8} cannot be had: {'; '.join(lacking)}"
        else:
            yield f"{level:8} in part: {'; '.join(lacking)}"
