"""Which layers of containment a machine has, found out by trying."""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from gyoji.executors import kernel
from gyoji.executors.contained import uids
from gyoji.executors.contained.cells import Cell, CellBroken, Launcher
from gyoji.executors.contained.cgroups import Groups, Hierarchies, find_hierarchies
from gyoji.executors.contained.launcher import OWN_PROC
from gyoji.executors.contained.layout import READ_ONLY

NO_REACH = "no reach to other processes"
NO_WRITES = "no change to others' files"
NO_SIGHT = "no sight of the competition's files"
NO_READS = "no reading or writing of others' files"
NO_MODES = "no change to modes and times of others' files"
NO_NETWORK = "no network"
ANOTHER_USER = "another user"
CONTROL_GROUPS = "cgroups"
OVERLAY = "overlay"
SECCOMP = "seccomp"
"""Names of layers."""

SIGNALS_SCOPED = 6
"""The version of Landlock that also keeps signals and abstract sockets among the engine's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Which layers of containment this machine has, for this user.

    namespaces  flags of clone(2) that a cell can have.   is_root   whether we are root.
    landlock    version of its interface, 0 for none.     seccomp   whether system calls can be filtered.
    overlays    whether a folder can lie over another.    own_proc  whether a cell can have its own /proc.
    read_only   whether a cell can see all of the file system read only.
    own_uid     whether an engine that root starts can have a user of its own.
    groups      where there can be control groups, None for nowhere.
    counts_cpu  whether the kernel counts the CPU time of all that an engine starts.
    reasons     by layer, why it is not to be had.
    """

    namespaces: int
    is_root: bool
    landlock: int
    seccomp: bool = True
    overlays: bool = False
    own_proc: bool = False
    read_only: bool = False
    counts_cpu: bool = False
    own_uid: bool = False
    groups: Hierarchies | None = None
    reasons: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def hides_files(self) -> bool:
        """Whether files can be taken out of an engine's sight."""
        return bool(self.namespaces & kernel.CLONE_NEWNS)

    @property
    def separates_processes(self) -> bool:
        """Whether the processes of others are out of an engine's reach."""
        return bool(self.namespaces & kernel.CLONE_NEWPID)

    def lacks(self, level: str) -> tuple[str, ...]:
        """The promises of a level of containment that this machine cannot keep."""
        promises = {
            "guarded": (
                (NO_REACH, self.separates_processes or self.landlock >= SIGNALS_SCOPED, "a pid namespace"),
                (NO_WRITES, bool(self.landlock) or self.read_only, "Landlock"),
                (NO_SIGHT, self.hides_files, "a mount namespace"),
            ),
            "strict": (
                (NO_REACH, self.separates_processes, "a pid namespace"),
                (NO_READS, self.landlock >= 1, "Landlock"),
                (NO_MODES, self.hides_files and self.read_only, "a mount namespace, and Linux 5.12"),
                (NO_NETWORK, bool(self.namespaces & kernel.CLONE_NEWNET), "a network namespace"),
            ),
        }
        return tuple(f"{name} ({by})" for name, there, by in promises.get(level, ()) if not there)


NAMES: Mapping[int, str] = MappingProxyType(
    {
        kernel.CLONE_NEWUSER: "user namespace",
        kernel.CLONE_NEWPID: "pid namespace",
        kernel.CLONE_NEWNS: "mount namespace",
        kernel.CLONE_NEWIPC: "ipc namespace",
        kernel.CLONE_NEWNET: "network namespace",
    }
)
"""The layers that are namespaces, by their flags."""


def examine(launcher: Launcher) -> Machine:
    """Find out what this machine has, by trying."""
    is_root = os.geteuid() == 0
    reasons: dict[str, str] = {}
    namespaces, cell = _namespaces(launcher, reasons, user=not is_root)
    missing = [] if cell is None else list(cell.missing)
    counts_cpu = cell is not None and cell.counter >= 0
    if cell is not None:
        cell.close()
    for line in missing:
        name, _, reasons[name] = line.partition(": ")
    has_mounts = bool(namespaces & kernel.CLONE_NEWNS)
    return Machine(
        namespaces=namespaces,
        is_root=is_root,
        landlock=kernel.landlock_version(),
        seccomp=_can_filter(launcher, reasons),
        overlays=has_mounts and _can_overlay(launcher, namespaces, reasons),
        own_proc=has_mounts and bool(namespaces & kernel.CLONE_NEWPID) and OWN_PROC not in reasons,
        read_only=has_mounts and READ_ONLY not in reasons,
        counts_cpu=counts_cpu,
        own_uid=is_root and has_mounts and _can_change_user(launcher, namespaces, reasons),
        groups=_groups(launcher, namespaces, reasons, cpu=not counts_cpu),
        reasons=MappingProxyType(reasons),
    )


def _namespaces(launcher: Launcher, reasons: dict[str, str], *, user: bool) -> tuple[int, Cell | None]:
    """The namespaces that a cell can have, and a cell that has them; the others go to `reasons`."""
    every = [flag for flag in NAMES if user or flag != kernel.CLONE_NEWUSER]
    try:
        return sum(every), launcher.make(bare_plan(sum(every)))
    except CellBroken:
        pass  # then one after the other
    found, cell = 0, None
    for flag in every:
        try:
            better = launcher.make(bare_plan(found | flag))
        except CellBroken as broken:
            reasons[NAMES[flag]] = str(broken)
            if flag == kernel.CLONE_NEWUSER:  # without which the others are for root
                reasons |= {NAMES[each]: "needs a user namespace" for each in every if each != flag}
                break
        else:
            if cell is not None:
                cell.close()
            found, cell = found | flag, better
    return found, cell or _cell(launcher, bare_plan(0))


def _cell(launcher: Launcher, plan: Mapping[str, Any]) -> Cell | None:
    try:
        return launcher.make(plan)
    except CellBroken:
        return None


def _can_make(launcher: Launcher, plan: Mapping[str, Any], layer: str, reasons: dict[str, str]) -> bool:
    """Whether a cell can be made by that plan; if not, `reasons` has why there is no such layer."""
    try:
        launcher.make(plan).close()
    except CellBroken as broken:
        reasons[layer] = str(broken)
        return False
    return True


def _can_filter(launcher: Launcher, reasons: dict[str, str]) -> bool:
    """Whether system calls can be filtered."""
    program = kernel.seccomp_program(strict=True, alone=True).hex()
    return _can_make(launcher, bare_plan(0) | {"seccomp": program}, SECCOMP, reasons)


def _can_overlay(launcher: Launcher, namespaces: int, reasons: dict[str, str]) -> bool:
    """Whether a folder can lie over another where engines have theirs."""
    with tempfile.TemporaryDirectory(prefix="gyoji-try-") as folder:
        lower, upper, work = (os.path.join(folder, name) for name in ("lower", "upper", "work"))
        for each in (lower, upper, work):
            os.mkdir(each)
        plan = bare_plan(namespaces) | {"overlays": [[lower, upper, work, ["x"]]]}
        return _can_make(launcher, plan, OVERLAY, reasons)


def _can_change_user(launcher: Launcher, namespaces: int, reasons: dict[str, str]) -> bool:
    """Whether an engine can be another user, and own what root does in a folder for engines."""
    with tempfile.TemporaryDirectory(prefix="gyoji-try-") as folder:
        user = {"uid": uids.number(launcher.pid, -1), "own": [folder], "needed": [], "groups": []}
        return _can_make(launcher, bare_plan(namespaces) | {"user": user}, ANOTHER_USER, reasons)


def _groups(launcher: Launcher, namespaces: int, reasons: dict[str, str], *, cpu: bool) -> Hierarchies | None:
    """Where a cell can be in a control group of its own."""
    for hierarchies in find_hierarchies(cpu=cpu):
        groups = Groups(hierarchies)
        try:
            group = groups.make(memory=1 << 30, processes=16)
            launcher.make(bare_plan(namespaces), group).close()
        except (OSError, CellBroken) as error:
            reasons.setdefault(CONTROL_GROUPS, str(error))
        else:
            return hierarchies
        finally:
            groups.close()
    return None


def bare_plan(flags: int) -> dict[str, Any]:
    """A plan with nothing but namespaces."""
    return {
        "flags": flags,
        "map": [os.getuid(), os.getgid()] if flags & kernel.CLONE_NEWUSER else None,
        "group": {"memory": 0, "processes": 0},
        "user": None,
        "devices": None,
        "overlays": [],
        "copies": [],
        "masks": [],
        "kept": [],
        "writable": [],
        "limits": [],
        "landlock": None,
        "seccomp": "",
    }
