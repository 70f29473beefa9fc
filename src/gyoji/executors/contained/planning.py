"""Plans of containment: what an engine gives up at each level.

At "off" an engine may do what its user may. At "guarded" it can only change files in its own folders, cannot
reach other processes or the network, and does not see the files of the competition. At "strict" it also can
only read the system's libraries, its own package and named files, and its processes, memory and files are
limited. A player with `network` has the machine's network at either level. `docs/explanation/security.md`
says what each layer stops.

This module only makes plans; a cell carries them out.
"""

import resource
from collections.abc import Sequence

from gyoji.core.faults import Breakdown
from gyoji.core.spec import Player
from gyoji.core.text import quote
from gyoji.executors import kernel
from gyoji.executors.contained.belongings import is_below
from gyoji.executors.contained.filesystem_policy import SYSTEM, FilesystemPolicy, Overlay
from gyoji.executors.contained.ipc_cleanup import SHARED_MEMORY
from gyoji.executors.contained.machine import Machine, bare_plan
from gyoji.executors.contained.plan import GroupLimits, Plan, Rules
from gyoji.executors.filters import seccomp_program

_MOST_PROCESSES = {"guarded": 4096, "strict": 256}
_LARGEST_FILE = 1 << 30
_OF_THE_KERNEL = 16 << 20
"""Bytes by which the limit of a control group exceeds `max_memory` plus 1/32: room for page tables and pipe
buffers of the kernel.
"""


def plan_of(player: Player, place: str, machine: Machine, *, uid: int = 0) -> Plan:
    """Return the plan of a sandbox for engines of `player`.

    Args:
        place: The engine's own folder.
        machine: The layers of containment that this machine has.
        uid: User as which the engine runs; 0 for the present user.

    Raises:
        Breakdown: The level is "strict" and the machine lacks a layer that this level needs. Or an overlay
            would be in /dev/shm.
    """
    _check(player, machine)
    policy = FilesystemPolicy(player, place, machine)
    flags = machine.namespaces & ~(kernel.CLONE_NEWNET if player.containment.network else 0)
    plan = bare_plan(flags)
    plan["group"] = _group(player)
    is_counted = bool(uid or flags & kernel.CLONE_NEWUSER)
    plan["limits"] = _limits(player.containment.level, is_counted=is_counted)
    if machine.seccomp:
        alone = bool(flags & kernel.CLONE_NEWPID)
        program = seccomp_program(strict=policy.is_strict, alone=alone, still=not player.ponders)
        plan["seccomp"] = program.hex()
    grants = [*policy.writable, *policy.devices]
    if flags & kernel.CLONE_NEWNS:
        _check_overlay(player, policy.overlay)
        grants += [SHARED_MEMORY, "/dev/pts", *policy.private]
        plan["filesystem"] = policy.view()
    if uid:
        plan["user"] = policy.user(uid)
    readable = [*SYSTEM, *policy.readable] if policy.is_strict else None
    plan["landlock"] = _rules(machine.landlock, grants, readable)
    return plan


def _check(player: Player, machine: Machine) -> None:
    """Raise Breakdown if the player's level is "strict" and the machine lacks a layer that this needs."""
    if player.containment.level != "strict":
        return
    lacking = machine.lacks("strict")
    if lacking:
        raise Breakdown(
            f'player {player.code}: sandbox = "strict" cannot be had on this machine: {"; ".join(lacking)}. '
            'See `gyoji doctor`, or write sandbox = "guarded" for this player'
        )


def _check_overlay(player: Player, overlay: Overlay | None) -> None:
    """Raise Breakdown if the overlay is in /dev/shm, which the sandbox's own /dev/shm hides."""
    folder, _, upper, *_ = overlay or ("", "", "")
    for path, remedy in ((folder, "put it elsewhere"), (upper, "TMPDIR must name another folder")):
        if is_below(path, SHARED_MEMORY):
            raise Breakdown(
                f"player {player.code}: {quote(path)} is in {SHARED_MEMORY}, of which each engine has "
                f'its own: {remedy}, or write sandbox = "off" for this player'
            )


def _group(player: Player) -> GroupLimits:
    # A group counts memory that `_proc.memory` does not, so its limit is higher. gyoji samples memory now and
    # then; the group's limit stops a sudden growth between two samples.
    memory = player.budgets.memory
    return {
        "memory": memory and memory + memory // 32 + _OF_THE_KERNEL,
        "processes": _MOST_PROCESSES[player.containment.level] + 1,  # the cell's first
    }


def _limits(level: str, *, is_counted: bool) -> list[tuple[int, int]]:
    """Return the limits of each process of an engine, as pairs of a resource and its limit for setrlimit(2).

    Args:
        level: "guarded" or "strict".
        is_counted: Whether the kernel counts the engine's processes separately from those of gyoji's user.
    """
    # Open files: fewer than a worker's. The kernel counts descriptors in flight per user, and first refuses
    # the process with the smallest limit. So an engine that sends many cannot stop the worker from sending.
    _, ours = resource.getrlimit(resource.RLIMIT_NOFILE)
    most_open = max(64, min(ours // 2, 512 if level == "strict" else 1 << 19))
    limits = [
        # 1 and not 0: at 0 the kernel still starts the program of core_pattern as root, at 1 it does not
        # (core(5))
        (resource.RLIMIT_CORE, 1),
        (resource.RLIMIT_NOFILE, most_open),
        # No raised priority, which a user may have been granted for sound
        (resource.RLIMIT_NICE, 0),
        (resource.RLIMIT_RTPRIO, 0),
    ]
    if is_counted or level == "strict":
        limits.append((resource.RLIMIT_NPROC, _MOST_PROCESSES[level]))
    if level == "strict":
        limits.append((resource.RLIMIT_FSIZE, _LARGEST_FILE))
    return limits


def _rules(version: int, writable: Sequence[str], readable: Sequence[str] | None) -> Rules | None:
    """Return the Landlock ruleset of an engine; None without Landlock.

    Args:
        version: Version of the Landlock interface; 0 without Landlock.
        writable: Paths that the engine can change.
        readable: Paths that it can read; None for all.
    """
    if not version:
        return None
    handled = changes = kernel.landlock_changes(version)
    if readable is None:
        return {"version": version, "handled": handled, "grants": [(path, changes) for path in writable]}
    handled |= kernel.FS_READ
    grants = [(path, handled) for path in writable] + [(path, kernel.FS_READ) for path in readable]
    return {"version": version, "handled": handled, "grants": grants}
