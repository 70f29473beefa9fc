"""What an engine that has ended can leave in memory: files of shared memory, and objects of System V."""

import os

from gyoji.executors import _proc, kernel

SHARED_MEMORY = "/dev/shm"


def device(folder: str) -> int:
    """The number of the file system that a folder is on, 0 if there is none."""
    try:
        return os.stat(folder).st_dev
    except OSError:
        return 0


def leftovers(*, owns_memory: bool) -> str:
    """Remove the shared memory of an engine that has ended; the name of any that remains, "" for none.

    owns_memory: whether what is there is the engine's. In the machine's folder it may be anybody's.
    """
    for name in _proc.names(SHARED_MEMORY):
        path = f"{SHARED_MEMORY}/{name}"
        if not owns_memory:
            return path
        try:
            os.unlink(path)
        except OSError:
            return path
    for kind, count in _SYSTEM_V.items():
        if count():
            return f"System V {kind}"
    return ""


_SYSTEM_V = {
    "shm": kernel.shared_memory_segments,
    "sem": kernel.semaphore_sets,
    "msg": kernel.message_queues,
}
