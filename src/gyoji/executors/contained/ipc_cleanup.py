"""Shared memory that an engine leaves when it ends: files in /dev/shm are removed, System V objects found."""

import os

from gyoji.executors import _proc, kernel

SHARED_MEMORY = "/dev/shm"


def device(folder: str) -> int:
    """Return the device number of a folder's file system; 0 if the folder does not exist."""
    try:
        return os.stat(folder).st_dev
    except OSError:
        return 0


def _has_files(folder: str) -> bool:
    """Return whether a folder that is its own file system may contain anything.

    A tmpfs counts its files, its root included. That takes one call, while a listing takes five (0.02 ms).
    """
    try:
        usage = os.statvfs(folder)
    except OSError:
        return True
    return usage.f_files - usage.f_ffree != 1


def leftovers(*, owns_memory: bool) -> str:
    """Remove the files that an ended engine has left in /dev/shm, and look for its System V objects.

    System V objects are not removed.

    Args:
        owns_memory: Whether the sandbox has its own /dev/shm. If not, nothing is removed there, because files
            in the machine's /dev/shm may belong to any program.

    Returns:
        The path of the first file that was not removed. Without one, the kind of a System V object, such
        as "System V shm"; "" if nothing is left.
    """
    for name in _proc.names(SHARED_MEMORY) if _has_files(SHARED_MEMORY) else ():
        path = f"{SHARED_MEMORY}/{name}"
        if not owns_memory:
            return path
        try:
            os.unlink(path)
        except OSError:
            return path
    kind = kernel.system_v_objects()
    return kind and f"System V {kind}"
