"""Finding out which layers of containment a machine supports, by making sandboxes with them."""

# A kernel's version and settings do not say whether a layer is available: security profiles, filters of
# containers, mount options and file systems decide too. So each layer is tried where engines will need it:
# overlays in the temporary folder, control groups below that of this process. First one cell with all layers
# is made; only if that fails are the layers tried one by one, which yields the reason for each missing one.

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct, field

from gyoji.executors import kernel
from gyoji.executors.contained import uids
from gyoji.executors.contained.cell_process import OWN_PROC
from gyoji.executors.contained.cells import Cell, CellBroken, Launcher
from gyoji.executors.contained.cgroups import Groups, Hierarchies, find_hierarchies
from gyoji.executors.contained.layout import READ_ONLY
from gyoji.executors.contained.plan import Plan, User
from gyoji.executors.filters import seccomp_program
from gyoji.executors.scratch import temporary_folder

ANOTHER_USER = "another user"
CONTROL_GROUPS = "cgroups"
OVERLAY = "overlay"
SECCOMP = "seccomp"
"""Names of layers that have no module of their own."""

SIGNALS_SCOPED = 6
"""The version of Landlock from which signals and abstract sockets to processes outside the cell are
blocked.
"""


class Machine(Struct, frozen=True, kw_only=True):
    """The layers of containment that this machine supports for the present user. A cell is the sandbox of an
    engine.

    Attributes:
        namespaces: Flags of clone(2) for the namespaces that a cell can have.
        is_root: Whether gyoji runs as root.
        landlock: Version of the Landlock interface; 0 without Landlock.
        seccomp: Whether system calls can be filtered.
        overlays: Whether overlayfs can be mounted over a folder in the temporary folder.
        own_proc: Whether a cell can mount its own /proc.
        read_only: Whether a cell can make all mounts read-only.
        counts_cpu: Whether perf counts the CPU time of all processes in a cell.
        own_uid: Whether engines can run as another user if gyoji runs as root.
        groups: The folders in which control groups can be made; None for none.
        reasons: The reason for each missing layer, by its name.
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
        """Whether files can be hidden from an engine."""
        return bool(self.namespaces & kernel.CLONE_NEWNS)

    @property
    def separates_processes(self) -> bool:
        """Whether an engine can neither see nor signal other processes."""
        return bool(self.namespaces & kernel.CLONE_NEWPID)

    def lacks(self, level: str) -> tuple[str, ...]:
        """Return the protections of a level that this machine cannot give; () if it gives all.

        Each text names a protection and the missing layer, as in "no network (a network namespace)".
        """
        has_network = bool(self.namespaces & kernel.CLONE_NEWNET)
        of_both = (
            ("no network", has_network, "a network namespace"),
            ("no set-uid programs left behind", self.seccomp, "seccomp"),
        )
        reach, writes = "no reach to other processes", "no change to others' files"
        promises = {
            "guarded": (
                (reach, self.separates_processes or self.landlock >= SIGNALS_SCOPED, "a pid namespace"),
                (writes, bool(self.landlock) or self.read_only, "Landlock"),
                ("no sight of the competition's files", self.hides_files, "a mount namespace"),
                *of_both,
            ),
            "strict": (
                (reach, self.separates_processes, "a pid namespace"),
                ("no reading or writing of others' files", self.landlock >= 1, "Landlock"),
                (
                    "no change to modes and times of others' files",
                    self.hides_files and self.read_only,
                    "a mount namespace, and Linux 5.12",
                ),
                *of_both,
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
"""The names of the layers that are namespaces, by their clone(2) flags."""


def examine(launcher: Launcher) -> Machine:
    """Determine which layers of containment this machine supports, by trying them."""
    examination = _Examination(launcher)
    return examination.try_whole() or examination.try_one_by_one()


class _Examination:
    """Makes cells (sandboxes) to determine which layers of containment are possible."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self._is_root = os.geteuid() == 0
        self._every = [flag for flag in NAMES if not (self._is_root and flag == kernel.CLONE_NEWUSER)]
        self._filter = seccomp_program(strict=True, alone=True).hex()
        self._namespaces = 0  # that a cell can have
        self._reasons: dict[str, str] = {}

    def try_whole(self) -> Machine | None:
        """Make one cell (sandbox) with all layers. Return the machine, or None if a layer is missing.

        Landlock is not tried: the kernel says whether it has it.
        """
        flags = sum(self._every)
        hierarchies = next(iter(find_hierarchies(cpu=False)), None)
        if hierarchies is None:
            return None
        plan = bare_plan(flags)
        plan["seccomp"] = self._filter
        try:
            with temporary_folder("try") as folder:
                plan["filesystem"]["overlays"] = [_overlay(folder)]
                if self._is_root:
                    plan["user"] = self._user(folder)
                lacks = self._lacks_in_group(plan, hierarchies)
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

    def try_one_by_one(self) -> Machine:
        """Make a cell (sandbox) for each layer, and record why some cannot be made."""
        cell = self._find_namespaces()
        counts_cpu = cell is not None and cell.counter >= 0
        if cell is not None:
            cell.close()
            for line in cell.missing:
                layer, _, self._reasons[layer] = line.partition(": ")
        has_mounts = bool(self._namespaces & kernel.CLONE_NEWNS)
        has_pids = bool(self._namespaces & kernel.CLONE_NEWPID)
        filtered = bare_plan(0)
        filtered["seccomp"] = self._filter
        return Machine(
            namespaces=self._namespaces,
            is_root=self._is_root,
            landlock=kernel.landlock_version(),
            seccomp=self._can_make(SECCOMP, filtered),
            overlays=has_mounts and self._can_overlay(),
            own_proc=has_mounts and has_pids and OWN_PROC not in self._reasons,
            read_only=has_mounts and READ_ONLY not in self._reasons,
            counts_cpu=counts_cpu,
            own_uid=self._is_root and has_mounts and self._can_change_user(),
            groups=self._find_groups(cpu=not counts_cpu),
            reasons=MappingProxyType(self._reasons),
        )

    def _find_namespaces(self) -> Cell | None:
        """Make a cell (sandbox) with as many kinds of namespaces as possible; return None if no cell can be
        made.
        """
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
                if flag == kernel.CLONE_NEWUSER:  # an ordinary user has the others only in one of those
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

    def _can_make(self, layer: str, plan: Plan) -> bool:
        """Return whether a cell with this plan can be made. If not, record the reason for the layer."""
        try:
            self._launcher.make(plan).close()
        except CellBroken as broken:
            self._reasons[layer] = str(broken)
            return False
        return True

    def _can_overlay(self) -> bool:
        plan = bare_plan(self._namespaces)
        with temporary_folder("try") as folder:
            plan["filesystem"]["overlays"] = [_overlay(folder)]
            return self._can_make(OVERLAY, plan)

    def _can_change_user(self) -> bool:
        plan = bare_plan(self._namespaces)
        with temporary_folder("try") as folder:
            plan["user"] = self._user(folder)
            return self._can_make(ANOTHER_USER, plan)

    def _user(self, folder: Path) -> User:
        return {"uid": uids.number(self._launcher.pid, -1), "own": [str(folder)], "needed": [], "groups": []}

    def _find_groups(self, *, cpu: bool) -> Hierarchies | None:
        """Return where a control group can be made that a cell (sandbox) can join; None for nowhere.

        Args:
            cpu: Whether the group must count CPU time.
        """
        for hierarchies in find_hierarchies(cpu=cpu):
            try:
                self._lacks_in_group(bare_plan(self._namespaces), hierarchies)
            except CellBroken as broken:
                self._reasons.setdefault(CONTROL_GROUPS, str(broken))
            except OSError as error:
                self._reasons.setdefault(CONTROL_GROUPS, kernel.describe_error(error))
            else:
                return hierarchies
        return None

    def _lacks_in_group(self, plan: Plan, hierarchies: Hierarchies) -> bool:
        """Make a cell in a new control group. Return whether a layer of containment is missing in it.

        Raises:
            OSError: The group cannot be made.
            CellBroken: The cell cannot be made.
        """
        groups = Groups(hierarchies)
        try:
            cell = self._launcher.make(plan, groups.make(memory=1 << 30, processes=16))
            lacks = bool(cell.missing) or cell.counter < 0
            cell.close()
            return lacks
        finally:
            self._launcher.remove_later(groups)


def _overlay(folder: Path) -> tuple[str, str, str, str, list[str]]:
    """Create the folders of a test overlay that hides one name. Return it as in `Filesystem.overlays`."""
    lower, upper, work = (str(folder / name) for name in ("lower", "upper", "work"))
    for each in (lower, upper, work):
        os.mkdir(each)
    return lower, lower, upper, work, ["x"]


def bare_plan(flags: int) -> Plan:
    """Return the plan of a cell (sandbox) with these namespaces and no other layer.

    Args:
        flags: Flags of clone(2).
    """
    return {
        "flags": flags,
        "map": [os.getuid(), os.getgid()] if flags & kernel.CLONE_NEWUSER else None,
        "group": {"memory": 0, "processes": 0},
        "user": None,
        "limits": [],
        "landlock": None,
        "seccomp": "",
        "filesystem": {
            "devices": None,
            "overlays": [],
            "layers": "",
            "copies": [],
            "masks": [],
            "kept": [],
            "writable": [],
        },
    }
