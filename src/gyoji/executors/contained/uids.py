"""A user of its own for each engine that root starts.

An engine is root in a user namespace of its own, in which that name stands for a number that nobody else on
the machine has. So it finds itself who it always was, with the same home and the same entry in
`/etc/passwd`, and is nobody to the rest of the machine. In the folders that are its own it owns what root
owns, by a mapping of the mount (mount_setattr(2)): what it writes there is root's on the disk.

Where a file that it needs is out of its reach so, it keeps root's number: the cell says which, and another
is made without. That is the only reason for it. Whatever else fails is no reason to give an engine more.
"""

import os
import signal
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from gyoji.executors import kernel


class OutOfReach(PermissionError):
    """An engine could not read a file that it needs, whose path this is, if it were a user of its own."""


FIRST = 0x60000000
"""Far above the numbers that systems give to users, services and containers."""

_PER_LAUNCHER = 256
_LAST = (1 << 32) - 2


def number(launcher: int, index: int) -> int:
    """The number of a user for one place of engines; launcher: the process that starts them."""
    return FIRST + launcher * _PER_LAUNCHER + index % _PER_LAUNCHER


class Namespaces(NamedTuple):
    """Descriptors of two user namespaces: the one that mounts go by, and that of the processes; -1: none."""

    of_files: int
    of_processes: int

    def close(self) -> None:
        for each in self:
            if each >= 0:
                os.close(each)


NONE = Namespaces(-1, -1)


def namespaces(uid: int) -> Namespaces:
    """Make the namespaces in which a cell is root by another number. Every other user keeps his own.

    A file that the machine's root makes in a mount with the first of them belongs, on the disk, to that user.
    """
    others = f"1 1 {uid - 1}\n{uid + 1} {uid + 1} {_LAST - uid}\n"
    of_files = _namespace(f"0 {uid} 1\n{uid} 0 1\n{others}")
    try:
        return Namespaces(of_files, _namespace(f"0 {uid} 1\n{others}"))
    except OSError:
        os.close(of_files)
        raise


def _namespace(extents: str) -> int:
    """A user namespace with these users and groups, which lives as long as its descriptor."""
    pid = kernel.clone(kernel.CLONE_NEWUSER)
    if pid == 0:
        kernel.die_with_parent()
        while True:
            signal.pause()
    try:
        for name in ("uid_map", "gid_map"):
            with open(f"/proc/{pid}/{name}", "wb", buffering=0) as file:
                file.write(extents.encode())
        return os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)


def map_own(paths: Iterable[str], namespace: int) -> None:
    """Have the engine own what root owns in these files and folders."""
    done: list[str] = []
    for path in sorted(map(os.path.realpath, paths)):
        if os.path.exists(path) and not any(path == each or path.startswith(f"{each}/") for each in done):
            kernel.map_owners(path, namespace)
            done.append(path)


def become(user: dict[str, Any], namespace: int) -> None:
    """Be that user from now on. Capabilities are for the namespace alone, until they are dropped."""
    kernel.enter_users(namespace)
    os.setgroups(user["groups"])
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)
    kernel.die_with_parent()
    kernel.hide_from_tracing()


def check_reach(paths: Iterable[str]) -> None:
    """Raise OutOfReach for what an engine needs and may not read."""
    for path in paths:
        if not (os.access(path, os.R_OK) or os.access(path, os.X_OK)):
            raise OutOfReach(path)


def seems_open(path: str) -> bool:
    """Whether everybody may read or run a file, by its mode and those of the folders above it."""
    try:
        modes = [os.stat(each).st_mode for each in (path, *_folders_above(path))]
    except OSError:
        return False
    return bool(modes[0] & (stat.S_IROTH | stat.S_IXOTH)) and all(each & stat.S_IXOTH for each in modes[1:])


def _folders_above(path: str) -> Iterator[str]:
    while path != (path := os.path.dirname(path)):
        yield path
