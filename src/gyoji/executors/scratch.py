"""Folders in the system's place for temporary files, which a later run removes if their owner is killed.

Whoever makes such a folder holds a shared lock of it (`flock`) as long as it is used. The kernel gives the
lock back however its holder ends, so an unlocked folder of our name and owner is abandoned; a pid would prove
nothing, because processes of other pid namespaces look dead. `gyoji.play.workspace` removes them.
"""

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
"""Seconds to wait for a lock that another process has while it removes a folder."""

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def scratch_place() -> str:
    """The system's place for temporary files, without links on the way."""
    return os.path.realpath(tempfile.gettempdir())


def scratch_folder(token: str, purpose: str = "work") -> Path:
    """The folder of that name: `gyoji.core.environment.SCRATCH` has its pattern.

    Args:
        token: 16 hexadecimal digits or more.
        purpose: "work", where the engines of a run work; "match", where a match has its files; "try", where
            layers of containment are tried; "host", where the agent of a cluster's host has its files.
    """
    return Path(scratch_place(), f"gyoji-{purpose}-{token}")


def take_lock(descriptor: int, kind: int, seconds: float = LOCK_SECONDS) -> None:
    """Take a lock of a file or a folder, `fcntl.LOCK_SH` or `LOCK_EX`, which others hold for a moment only.

    A lock needs no more than to read the file, so an engine that sees it can hold one as long as it likes.
    Raises OSError if the lock is not to be had in that time.
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
    """Make a folder unless it is there, and use it: until the descriptor is closed nobody removes it.

    Raises OSError.
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
    """A new folder, removed at the end of the block, or by a later run. Raises OSError."""
    folder = scratch_folder(os.urandom(8).hex(), purpose)
    descriptor = claim(folder)
    try:
        yield folder
    finally:
        for parent, names, _ in os.walk(folder):
            for name in names:  # overlayfs makes a folder that nobody may enter
                with suppress(OSError):
                    os.chmod(os.path.join(parent, name), 0o700)
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)
