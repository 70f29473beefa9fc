"""A separate uid for each engine, if gyoji runs as root."""

# Such an engine is root in its own user namespace, in which uid 0 stands for a uid that no other process of
# the machine has. So for itself it is root, with the same home and entry in /etc/passwd, and for the rest of
# the machine it is an unknown user.
#
#                     inside       on the machine       on the disk
#     processes       0            FIRST + ...          -
#     its own files   0            FIRST + ...          0       by a mapping of the mount (mount_setattr(2))
#     other files     the owner    the owner            the owner; root's are 65534's (nobody) inside
#
# Two namespaces are needed, because a mapped mount and a process read the same table in opposite directions:
# `of_files` exchanges 0 and the uid; in `of_processes` 0 stands for the uid, and the outer 0 is missing. Each
# is made by a child process that is then killed; a descriptor keeps the namespace.
#
# The user must be able to read the engine's files. So the cell tests that (`check_reach`) and reports a path
# that is closed; another cell is made without this user, and gyoji names the file. No other failure makes an
# engine stay root: a race for a control group once did, for the rest of the event.

import os
import signal
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from gyoji.executors import kernel
from gyoji.executors.contained.plan import User


class OutOfReach(PermissionError):
    """An engine that runs as another user than root cannot read a file that it needs.

    The text of the exception is the path.
    """


FIRST = 0x60000000
"""The first uid for engines, far above those of users, services and containers."""

_PER_LAUNCHER = 256
_LAST = (1 << 32) - 2


def number(launcher: int, index: int) -> int:
    """Return the uid for the engines that use one folder.

    Args:
        launcher: Pid of the launcher of these engines. In one pid namespace, two launchers never share a uid.
        index: Number of the folder, from 0. Folders whose numbers differ by a multiple of 256 share a uid.
    """
    return FIRST + launcher * _PER_LAUNCHER + index % _PER_LAUNCHER


def open_to_root(path: str) -> str:
    """Return the message that only root can read a file."""
    return f"{path} is open to root alone"


class Namespaces(NamedTuple):
    """Descriptors of two user namespaces; -1 for none.

    Attributes:
        of_files: The namespace that translates the owners of the engine's own files.
        of_processes: The namespace that the engine enters.
    """

    of_files: int
    of_processes: int

    def close(self) -> None:
        for each in self:
            if each >= 0:
                os.close(each)


NONE = Namespaces(-1, -1)


def namespaces(uid: int) -> Namespaces:
    """Create user namespaces in which root stands for the user `uid`. Other users keep their numbers."""
    others = f"1 1 {uid - 1}\n{uid + 1} {uid + 1} {_LAST - uid}\n"
    of_files = _namespace(f"0 {uid} 1\n{uid} 0 1\n{others}")
    try:
        return Namespaces(of_files, _namespace(f"0 {uid} 1\n{others}"))
    except OSError:
        os.close(of_files)
        raise


def _namespace(extents: str) -> int:
    """Create a user namespace, which lives as long as the returned descriptor.

    Args:
        extents: Map of uids and gids, in the form of /proc/PID/uid_map.
    """
    maker = os.getpid()
    pid = kernel.clone(kernel.CLONE_NEWUSER)
    if pid == 0:
        kernel.die_with_parent()
        while os.getppid() == maker:  # it may have been killed before the kernel knew
            signal.pause()
        os._exit(1)
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
    """Make root's files at or below these paths belong to the engine's user, inside the sandbox only.

    Each path is mounted over itself with translated owners. Missing paths are left out.

    Args:
        namespace: Descriptor of a user namespace that translates owners.
    """
    done: list[str] = []
    for path in sorted(map(os.path.realpath, paths)):  # a folder before what is in it
        if os.path.exists(path) and not any(path == each or path.startswith(f"{each}/") for each in done):
            kernel.map_owners(path, namespace)
            done.append(path)


def become(user: User, namespace: int) -> None:
    """Become another user, who has all capabilities in the user namespace until they are dropped.

    Args:
        namespace: Descriptor of the user namespace.
    """
    kernel.enter_users(namespace)
    os.setgroups(user["groups"])
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)
    # The kernel resets both settings when the uid changes (prctl(2))
    kernel.die_with_parent()
    kernel.hide_from_tracing()


def check_reach(paths: Iterable[str]) -> None:
    """Raise OutOfReach for the first of these paths that this process can neither read nor execute.

    The process already runs as the engine's user.
    """
    for path in paths:
        if not (os.access(path, os.R_OK) or os.access(path, os.X_OK)):
            raise OutOfReach(path)


def closed_part(path: str) -> str:
    """Return the first of a file and the folders above it for which `is_closed` is true; "" for none."""
    return next((each for each in (path, *_folders_above(path)) if is_closed(each, path)), "")


def is_closed(part: str, path: str) -> bool:
    """Return whether `part` excludes users other than its owner and group from the file `path`.

    An excluded user can neither read nor execute the file. Only the permissions of `part` are examined. If
    that is impossible, the result is True.

    Args:
        part: The file itself, or a folder above it.
    """
    rights = stat.S_IROTH | stat.S_IXOTH if part == path else stat.S_IXOTH
    try:
        return not os.stat(part).st_mode & rights
    except OSError:
        return True


def _folders_above(path: str) -> Iterator[str]:
    while path != (path := os.path.dirname(path)):
        yield path
