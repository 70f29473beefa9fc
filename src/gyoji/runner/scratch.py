"""Folders for the time of a run, in the system's place for temporary files: claimed while somebody uses them.

Whoever uses one holds a shared lock of the folder itself (`flock`), which the kernel gives back however the
holder ends. So a later run knows which are of use to nobody any more, and removes those: of our name, owned
by us, no link, and not locked.
"""

import fcntl
import os
import re
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from gyoji.store.trees import REMOVAL_SECONDS, remove_tree

_NAME = re.compile(r"gyoji-(?:work|match)-[0-9a-f]{16,}")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def scratch_folder(token: str, purpose: str = "work") -> Path:
    """Where the engines of the run with that token work; purpose "match": where a match has its files.

    token: 16 hexadecimal digits or more.
    """
    return Path(_place(), f"gyoji-{purpose}-{token}")


def claim(folder: Path) -> int:
    """Make a folder unless it is there, and use it: until the descriptor is closed nobody removes it.

    Raises OSError.
    """
    while True:
        with suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        descriptor = os.open(folder, _FOLDER)
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), os.lstat(folder)):
                return descriptor
        os.close(descriptor)  # it was removed before we had the lock


def remove_abandoned(seconds: float = REMOVAL_SECONDS) -> None:
    """Remove what runs have left that were killed with all that would have cleaned up after them.

    What cannot be removed, or not in that time, stays for the next run.
    """
    give_up = time.monotonic() + seconds
    with suppress(OSError), os.scandir(_place()) as entries:
        for name in [entry.name for entry in entries if _NAME.fullmatch(entry.name)]:
            with suppress(OSError):
                _remove_if_abandoned(os.path.join(_place(), name), give_up - time.monotonic())


def _remove_if_abandoned(folder: str, seconds: float) -> None:
    descriptor = os.open(folder, _FOLDER)
    try:
        if os.fstat(descriptor).st_uid == os.geteuid() and seconds > 0:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # BlockingIOError: it is in use
            remove_tree(folder, seconds)
    finally:
        os.close(descriptor)


def _place() -> str:
    return os.path.realpath(tempfile.gettempdir())
