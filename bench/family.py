"""The processes that a run has started, by role, found by walking from parents to children.

This process adopts every descendant that loses its parent (`PR_SET_CHILD_SUBREAPER`). So a process below a
run stays below this one until it ends, whatever it does to its session or environment.
"""

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gyoji.executors import _proc
from gyoji.executors.contained.cgroups import find_hierarchies
from gyoji.executors.kernel import adopt_orphans

PATIENCE = 45.0
"""Seconds within which all processes of a run must be gone. A reaper sweeps for up to 30 s."""

_GROUP = re.compile(r"gyoji-(?:\d+-)?(\d+)(?:-[0-9a-f]+)?\.\d+")
"""The name of a control group: the inode of the pid namespace, if named, and the pid of the group's maker."""

Roles = dict[str, list[int]]


class Family:
    """The descendants of this process. `seen` collects every pid that was ever found."""

    def __init__(self) -> None:
        adopt_orphans()
        self.seen: set[int] = set()

    def look(self, run: int = 0) -> Roles:
        """Return the current pids of each role, and reap ended children.

        Args:
            run: Pid of the run, or 0 if none is running.
        """
        roles: Roles = {role: [] for role in ("scheduler", "reaper", "worker", "launcher", "cell", "engine")}
        for child in _proc.children_of(os.getpid()):
            if child != run and _proc.has_ended(child):
                with suppress(ChildProcessError):
                    os.waitpid(child, os.WNOHANG)
            elif child == run and not _proc.has_ended(child):
                roles["scheduler"].append(child)
            elif _is(child, b"reaper.py"):
                roles["reaper"].append(child)
        for child in self._below(roles["scheduler"]):
            if _is(child, b"reaper.py"):
                roles["reaper"].append(child)
            elif _is(child, b"gyoji.play.worker"):
                roles["worker"].append(child)
        for role, parents in (("launcher", "worker"), ("cell", "launcher"), ("engine", "cell")):
            roles[role] += self._below(roles[parents])
        self.seen.update(pid for pids in roles.values() for pid in pids)
        return roles

    def _below(self, parents: list[int]) -> list[int]:
        return [each for pid in parents for each in _proc.children_of(pid) if not _proc.has_ended(each)]

    def left(self) -> Iterator[str]:
        """Yield a line for each process that is still there after `PATIENCE`."""
        give_up = time.monotonic() + PATIENCE
        while self._running() and time.monotonic() < give_up:
            self.look()
            time.sleep(0.05)
        for pid in self._running():
            words = _proc.read(f"/proc/{pid}/cmdline").replace(b"\0", b" ")
            yield f"process {pid}: {words.decode(errors='replace')}"

    def _running(self) -> list[int]:
        return [each for each in _proc.descendants(os.getpid()) if not _proc.has_ended(each)]

    def end(self) -> None:
        """Kill all remaining descendants."""
        while running := self._running():
            for pid in running:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.look()


def _is(pid: int, word: bytes) -> bool:
    """Return whether the command line of a process contains `word`."""
    return word in _proc.read(f"/proc/{pid}/cmdline")


def groups_of(pids: set[int]) -> Iterator[str]:
    """Yield a line for each control group that one of these processes made, if that process has ended.

    A pid that is running belongs to another process by now: a busy machine reuses pids within minutes.
    """
    folders = {folder for each in find_hierarchies(cpu=True) for folder in each.folders.values()}
    for folder in folders:
        for name in _proc.names(folder):
            match = _GROUP.fullmatch(name)
            if match and int(match[1]) in pids and _proc.has_ended(int(match[1])):
                yield f"control group {folder}/{name}"


def mounts() -> set[str]:
    """Return the mounts of our namespace."""
    return set(Path("/proc/self/mountinfo").read_text().splitlines())
