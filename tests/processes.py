"""Finding the processes of a test by a mark in their environment, and what each of them is."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

MARK = "GYOJI_TEST_MARK"


def marked(token):
    """pid -> command line of every living process that carries the mark."""
    needle = f"{MARK}={token}".encode()
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if needle in (folder / "environ").read_bytes().split(b"\0"):
                words = (folder / "cmdline").read_bytes().split(b"\0")
                state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
                if state != "Z" and int(folder.name) != os.getpid():
                    found[int(folder.name)] = b" ".join(words).decode(errors="replace")
    return found


def of_kind(token, kind):
    """Return the pids of the marked processes that are of a kind: a word of their command line."""
    return [pid for pid, command in marked(token).items() if kind in command]


def left_behind(token, patience=30.0):
    """Return the marked processes that are still there after `patience` seconds at most: dying takes a
    moment.
    """
    end = time.monotonic() + patience
    while (found := marked(token)) and time.monotonic() < end:
        time.sleep(0.01)
    return found


def kill(pids):
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
