"""Ties of a process to its parent and to its orphans, by prctl(2). Small, because the launcher loads it."""

import ctypes
import os

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_SIGKILL = 9

_libc = ctypes.CDLL(None, use_errno=True)


def prctl(option: int, *arguments: int) -> None:
    """Change something of this process. Raises OSError."""
    if _libc.prctl(option, *map(ctypes.c_ulong, arguments)) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), f"prctl {option}")


def die_with_parent() -> None:
    """Have the kernel kill this process when the thread that made it ends. A change of uid takes it back."""
    prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent has ended."""
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
