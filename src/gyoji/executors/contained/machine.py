"""Which layers of containment a machine has, found out by trying."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from gyoji.executors import kernel
from gyoji.executors.contained import uids
from gyoji.executors.contained.cells import Cell, CellBroken, Launcher
from gyoji.executors.contained.cgroups import Groups, Hierarchies, find_hierarchies
from gyoji.executors.contained.launcher import OWN_PROC, in_words
from gyoji.executors.contained.layout import READ_ONLY
from gyoji.executors.filters import seccomp_program
from gyoji.executors.scratch import temporary_folder

NO_REACH = "no reach to other processes"
NO_WRITES = "no change to others' files"
NO_SIGHT = "no sight of the competition's files"
NO_READS = "no reading or writing of others' files"
NO_MODES = "no change to modes and times of others' files"
NO_NETWORK = "no network"
NO_RIGHTS = "no set-uid programs left behind"
ANOTHER_USER = "another user"
CONTROL_GROUPS = "cgroups"
OVERLAY = "overlay"
SECCOMP = "seccomp"
"""Names of layers."""

SIGNALS_SCOPED = 6
"""The version of Landlock that also keeps signals and abstract sockets among the engine's own."""


class Machine(Struct, frozen=True, kw_only=True):
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
                (NO_NETWORK, bool(self.namespaces & kernel.CLONE_NEWNET), "a network namespace"),
                (NO_RIGHTS, self.seccomp, "seccomp"),
            ),
            "strict": (
                (NO_REACH, self.separates_processes, "a pid namespace"),
                (NO_READS, self.landlock >= 1, "Landlock"),
                (NO_MODES, self.hides_files and self.read_only, "a mount namespace, and Linux 5.12"),
                (NO_NETWORK, bool(self.namespaces & kernel.CLONE_NEWNET), "a network namespace"),
                (NO_RIGHTS, self.seccomp, "seccomp"),
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
    return _Examination(launcher).run()


class _Examination:
    """Cells that are made to see whether they can be. reasons: by layer, why it is not to be had."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self._is_root = os.geteuid() == 0
        self._every = [flag for flag in NAMES if not (self._is_root and flag == kernel.CLONE_NEWUSER)]
        self._filter = seccomp_program(strict=True, alone=True).hex()
        self._namespaces = 0  # that a cell can have
        self._reasons: dict[str, str] = {}

    def run(self) -> Machine:
        return self._whole() or self._one_by_one()

    def _whole(self) -> Machine | None:
        """The machine, if one cell can have all layers; None: each has to be tried, or can be had in part."""
        flags = sum(self._every)
        hierarchies = next(iter(find_hierarchies(cpu=False)), None)
        if hierarchies is None:
            return None
        try:
            with temporary_folder("try") as folder:
                steps: dict[str, Any] = {"seccomp": self._filter, "overlays": [_overlay(folder)]}
                if self._is_root:
                    steps["user"] = self._user(folder)
                lacks = self._lacks_in_group(bare_plan(flags) | steps, hierarchies)
        except (OSError, CellBroken):
            return None
        if lacks:
            return None
        return Machine(
            namespaces=flags,
            is_root=self._is_root,
            landlock=kernel.landlock_version(),
            overlays=True,
            own_proc=True,
            read_only=True,
            counts_cpu=True,
            own_uid=self._is_root,
            groups=hierarchies,
        )

    def _one_by_one(self) -> Machine:
        cell = self._find_namespaces()
        counts_cpu = cell is not None and cell.counter >= 0
        if cell is not None:
            cell.close()
            for line in cell.missing:
                layer, _, self._reasons[layer] = line.partition(": ")
        has_mounts = bool(self._namespaces & kernel.CLONE_NEWNS)
        has_pids = bool(self._namespaces & kernel.CLONE_NEWPID)
        return Machine(
            namespaces=self._namespaces,
            is_root=self._is_root,
            landlock=kernel.landlock_version(),
            seccomp=self._can_make(SECCOMP, 0, seccomp=self._filter),
            overlays=has_mounts and self._can_overlay(),
            own_proc=has_mounts and has_pids and OWN_PROC not in self._reasons,
            read_only=has_mounts and READ_ONLY not in self._reasons,
            counts_cpu=counts_cpu,
            own_uid=self._is_root and has_mounts and self._can_change_user(),
            groups=self._find_groups(cpu=not counts_cpu),
            reasons=MappingProxyType(self._reasons),
        )

    def _find_namespaces(self) -> Cell | None:
        """Find the namespaces that a cell can have; a cell that has them, None if there can be no cell."""
        every = self._every
        with suppress(CellBroken):
            cell: Cell | None = self._launcher.make(bare_plan(sum(every)))
            self._namespaces = sum(every)
            return cell
        cell = None
        for flag in every:
            try:
                better = self._launcher.make(bare_plan(self._namespaces | flag))
            except CellBroken as broken:
                self._reasons[NAMES[flag]] = str(broken)
                if flag == kernel.CLONE_NEWUSER:  # without which the others are for root
                    self._reasons |= {NAMES[each]: "needs a user namespace" for each in every if each != flag}
                    break
            else:
                if cell is not None:
                    cell.close()
                self._namespaces, cell = self._namespaces | flag, better
        if cell is None:
            with suppress(CellBroken):
                cell = self._launcher.make(bare_plan(0))
        return cell

    def _can_make(self, layer: str, flags: int, **steps: Any) -> bool:
        """Whether a cell can be made with these namespaces and this layer."""
        try:
            self._launcher.make(bare_plan(flags) | steps).close()
        except CellBroken as broken:
            self._reasons[layer] = str(broken)
            return False
        return True

    def _can_overlay(self) -> bool:
        """Whether a folder can lie over another where engines have theirs."""
        with temporary_folder("try") as folder:
            return self._can_make(OVERLAY, self._namespaces, overlays=[_overlay(folder)])

    def _can_change_user(self) -> bool:
        """Whether an engine can be another user, and own what root does in a folder for engines."""
        with temporary_folder("try") as folder:
            return self._can_make(ANOTHER_USER, self._namespaces, user=self._user(folder))

    def _user(self, folder: Path) -> dict[str, Any]:
        """The field of a plan for another user, whose own this folder is."""
        return {"uid": uids.number(self._launcher.pid, -1), "own": [str(folder)], "needed": [], "groups": []}

    def _find_groups(self, *, cpu: bool) -> Hierarchies | None:
        """Where a cell can be in a control group of its own."""
        for hierarchies in find_hierarchies(cpu=cpu):
            try:
                self._lacks_in_group(bare_plan(self._namespaces), hierarchies)
            except CellBroken as broken:
                self._reasons.setdefault(CONTROL_GROUPS, str(broken))
            except OSError as error:
                self._reasons.setdefault(CONTROL_GROUPS, in_words(error))
            else:
                return hierarchies
        return None

    def _lacks_in_group(self, plan: dict[str, Any], hierarchies: Hierarchies) -> bool:
        """Whether a cell in a control group of its own goes without something. Raises OSError, CellBroken."""
        groups = Groups(hierarchies)
        try:
            cell = self._launcher.make(plan, groups.make(memory=1 << 30, processes=16))
            lacks = bool(cell.missing) or cell.counter < 0
            cell.close()
            return lacks
        finally:
            self._launcher.remove_later(groups)


def _overlay(folder: Path) -> list[Any]:
    """The folders of an overlay in a folder, made there."""
    paths = [str(folder / name) for name in ("lower", "upper", "work")]
    for each in paths:
        os.mkdir(each)
    return [paths[0], *paths, ["x"]]


def bare_plan(flags: int) -> dict[str, Any]:
    """A plan with nothing but namespaces."""
    return {
        "flags": flags,
        "map": [os.getuid(), os.getgid()] if flags & kernel.CLONE_NEWUSER else None,
        "group": {"memory": 0, "processes": 0},
        "user": None,
        "devices": None,
        "overlays": [],
        "layers": "",
        "copies": [],
        "masks": [],
        "kept": [],
        "writable": [],
        "fixed": [],
        "limits": [],
        "landlock": None,
        "seccomp": "",
    }
