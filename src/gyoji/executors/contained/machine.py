"""Which layers of containment a machine has, found out by trying."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gyoji.executors.contained import kernel
from gyoji.executors.contained.cells import CellBroken, Launcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Which layers of containment this machine has, for this user.

    namespaces  flags of clone(2) that a cell can have.   is_root   whether we are root.
    landlock    version of its interface, 0 for none.     overlays  whether a folder can lie over another.
    missing     what is not to be had, and why, a line each.
    """

    namespaces: int
    is_root: bool
    landlock: int
    overlays: bool
    missing: tuple[str, ...] = ()

    @property
    def hides_files(self) -> bool:
        """Whether files can be taken out of an engine's sight."""
        return bool(self.namespaces & kernel.CLONE_NEWNS)

    @property
    def separates_processes(self) -> bool:
        """Whether the processes of others are out of an engine's reach."""
        return bool(self.namespaces & kernel.CLONE_NEWPID)


_ALL = (
    kernel.CLONE_NEWUSER,
    kernel.CLONE_NEWPID,
    kernel.CLONE_NEWNS,
    kernel.CLONE_NEWIPC,
    kernel.CLONE_NEWNET,
)


def examine(launcher: Launcher) -> Machine:
    """Find out what this machine has, by trying."""
    is_root = os.geteuid() == 0
    wanted = [flag for flag in _ALL if not (is_root and flag == kernel.CLONE_NEWUSER)]
    missing: list[str] = []
    namespaces = _possible(launcher, wanted, missing)
    version = kernel.landlock_version()
    if not version:
        missing.append("Landlock (no rules about files): Linux 5.13 or newer, with landlock among its lsm=")
    return Machine(
        namespaces=namespaces,
        is_root=is_root,
        landlock=version,
        overlays=_can_overlay(launcher, namespaces),
        missing=tuple(missing),
    )


def _can_overlay(launcher: Launcher, namespaces: int) -> bool:
    """Whether a folder can lie over another where engines have theirs."""
    if not namespaces & kernel.CLONE_NEWNS:
        return False
    with tempfile.TemporaryDirectory(prefix="gyoji-try-") as folder:
        lower, upper, work = (os.path.join(folder, name) for name in ("lower", "upper", "work"))
        for each in (lower, upper, work):
            os.mkdir(each)
        try:
            launcher.make({**_bare(namespaces), "overlays": [[lower, upper, work, ["x"]]]}).close()
        except CellBroken:
            return False
    return True


def _possible(launcher: Launcher, wanted: Sequence[int], missing: list[str]) -> int:
    """The namespaces that a cell can have: all, or without those that refuse."""
    left = list(wanted)
    while left:
        flags = sum(left)
        try:
            cell = launcher.make(_bare(flags))
        except CellBroken as broken:
            dropped = left.pop() if kernel.CLONE_NEWNET in left else left.pop(0)
            if dropped in (kernel.CLONE_NEWUSER,):
                left = []
            missing.append(f"namespaces {_NAMES[dropped]}: {broken}")
        else:
            missing += cell.missing
            cell.close()
            return flags
    return 0


_NAMES = {
    kernel.CLONE_NEWUSER: "of users, and so all others",
    kernel.CLONE_NEWPID: "of processes",
    kernel.CLONE_NEWNS: "of mounts",
    kernel.CLONE_NEWIPC: "of shared memory",
    kernel.CLONE_NEWNET: "of networks",
}


def _bare(flags: int) -> dict[str, Any]:
    """A plan with nothing but namespaces."""
    return {
        "flags": flags,
        "map": [os.getuid(), os.getgid()] if flags & kernel.CLONE_NEWUSER else None,
        "devices": None,
        "private": [],
        "overlays": [],
        "masks": [],
        "kept": [],
        "writable": [],
        "limits": [],
        "uid": None,
        "landlock": None,
        "seccomp": "",
    }
