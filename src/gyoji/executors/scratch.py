"""Temporary folders that are removed even if the process that uses them is killed, by a later run."""

# The process that uses such a folder holds a shared lock on it (flock). The kernel releases the lock however
# the process ends, so an unlocked folder with gyoji's name pattern and owner is abandoned. A pid would prove
# nothing, because processes of other pid namespaces look dead. `gyoji.play.workspace` removes abandoned
# folders.
#
# The race between `claim` and a removal: the remover takes an exclusive lock, removes the folder and unlocks
# it; `claim` may then have locked a folder that no longer has a name. So `claim` compares the locked folder
# with the one that now has the name, and tries again if they differ.

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EBUSY
from pathlib import Path

LOCK_SECONDS = 10
"""The time limit, in seconds, for a lock that another process holds while it removes a folder."""

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def scratch_place() -> str:
    """Return the system's folder for temporary files, without symbolic links in its path."""
    return os.path.realpath(tempfile.gettempdir())


def scratch_folder(token: str, purpose: str = "work") -> Path:
    """Return the path of a temporary folder of gyoji. The folder is not created.

    Args:
        token: At least 16 hexadecimal digits (a-f in lower case), which no other folder has.
        purpose: "work" for the engines of a run, "match" for the files of a match, "try" for tests of
            containment, "host" for the agent on a host of a cluster.
    """
    return Path(scratch_place(), f"gyoji-{purpose}-{token}")


def take_lock(descriptor: int, kind: int, seconds: float = LOCK_SECONDS) -> None:
    """Lock a file or folder that others lock only for a moment.

    Any process that can read a file can lock it for ever, even an engine. Hence the time limit.

    Args:
        descriptor: The open file or folder.
        kind: `fcntl.LOCK_SH` or `fcntl.LOCK_EX`.
        seconds: Time limit in seconds.

    Raises:
        OSError: The lock was not released in time.
    """
    give_up = time.monotonic() + seconds
    while True:
        try:
            return fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > give_up:
                raise OSError(EBUSY, "another program holds a lock of it") from None
        time.sleep(_LOOK_AGAIN)


_LOOK_AGAIN = 0.01


def claim(folder: Path) -> int:
    """Create a folder if it is missing, and lock it for use. Raises OSError.

    Returns:
        A descriptor of the folder. No other process removes the folder until the descriptor is closed.
    """
    while True:
        with suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        with suppress(FileNotFoundError):  # it was removed before we had the lock
            descriptor = os.open(folder, FOLDER)
            try:
                take_lock(descriptor, fcntl.LOCK_SH)
            except OSError as error:
                os.close(descriptor)
                raise OSError(error.errno, error.strerror, os.fspath(folder)) from None
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), os.lstat(folder)):
                    return descriptor
            os.close(descriptor)


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """Create a folder that is removed at the end of the block, or by a later run if this process is killed.

    Args:
        purpose: "work", "match", "try" or "host" (`scratch_folder`), which becomes part of its name.

    Raises:
        OSError: The folder cannot be created.
    """
    folder = scratch_folder(os.urandom(8).hex(), purpose)
    descriptor = claim(folder)
    try:
        yield folder
    finally:
        for parent, names, _ in os.walk(folder):
            for name in names:  # overlayfs makes a folder with mode 0
                with suppress(OSError):
                    os.chmod(os.path.join(parent, name), 0o700)
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)
