"""One run at a time: an advisory lock on a file of its own, which no child process can inherit.

The lock is the kernel's (`flock`), so it is gone the moment its holder is, however it ended. The file is
deleted when the lock is given back; who waited with the deleted file in hand notices and opens the new one.
"""

import fcntl
import os
import re
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from gyoji.core.faults import ConfigError
from gyoji.store.files import CompetitionFiles
from gyoji.store.writing import open_file

_OURS = re.compile(rb"[0-9]{0,20}\n?")
"""The text of a lock file of ours."""


class RunLock:
    """The right to run one competition, from `__enter__` to `__exit__`. Raises ConfigError if it is taken."""

    def __init__(self, files: CompetitionFiles) -> None:
        self._path = files.lock
        self._files = files
        self._descriptor = -1

    def __enter__(self) -> "RunLock":
        while self._descriptor < 0:
            descriptor = self._locked()
            if _is_same_file(descriptor, self._path):
                self._descriptor = descriptor
            else:  # its holder deleted it between our opening and our locking it
                os.close(descriptor)
        with suppress(OSError):  # the disk is full: the lock is what counts, the pid is for people
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)
        return self

    def _locked(self) -> int:
        try:
            descriptor = open_file(self._path, os.O_RDWR)
        except OSError as error:
            where = "results go beside the control file, where you may write"
            raise ConfigError(f"{self._path}: cannot be written: {error.strerror}; {where}") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            os.close(descriptor)
            holder = f" (process {pid})" if pid.isdigit() else ""
            raise ConfigError(
                f"{self._files.control_file}: this competition is running already{holder}"
            ) from None
        except OSError as error:
            os.close(descriptor)
            raise ConfigError(f"{self._path}: cannot be locked: {error.strerror}") from None
        if not _OURS.fullmatch(os.pread(descriptor, 64, 0)):
            os.close(descriptor)
            raise ConfigError(
                f"{self._path}: is no lock of gyoji's: move it away, or rename the control file"
            )
        return descriptor

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._path.unlink(missing_ok=True)
        os.close(self._descriptor)
        self._descriptor = -1


def _is_same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except FileNotFoundError:
        return False
