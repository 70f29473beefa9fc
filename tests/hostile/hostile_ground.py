"""The orders of a hostile engine, and its way to make system calls. See `hostile.py`."""

import ctypes
import os

TOLD = {name[8:].lower(): value for name, value in os.environ.items() if name.startswith("HOSTILE_")}
GENTLE = TOLD.get("gentle") == "1"
EVENT, OUTSIDE = TOLD.get("event", "/nowhere"), TOLD.get("outside", "/nowhere")
RECORD, STORE = TOLD.get("record", f"{EVENT}/e.games/0.sgf"), f"{EVENT}/e.db"
LASTING = TOLD.get("lasting", "/nowhere")
VICTIM = f"{OUTSIDE}/victim"
TEMPORARY = os.environ.get("TMPDIR", "/nowhere")

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
IS_X86 = os.uname().machine == "x86_64"


class NotTriedError(Exception):
    """The attempt would harm the machine if nothing stopped it."""


def call(numbers, *arguments):
    """Make a system call by its numbers on x86-64 and elsewhere."""
    wide = (ctypes.c_long(each) if isinstance(each, int) else each for each in arguments)
    result = libc.syscall(ctypes.c_long(numbers[0] if IS_X86 else numbers[1]), *wide)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def is_contained():
    """Return whether the parent is process 1 of a pid namespace, so that kill(-1) reaches only the cell."""
    return os.getppid() == 1


def unless_gentle():
    if GENTLE:
        raise NotTriedError
