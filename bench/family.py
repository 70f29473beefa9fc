"""The processes that a run has started, by what they are to it, found by walking from parents to children.

This process adopts every descendant that loses its parent (`PR_SET_CHILD_SUBREAPER`). So whatever a run or
anything below it starts stays below us until it has ended, whatever it does to its session or environment.
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
"""Seconds in which all processes have to be gone after a run: a warden sweeps for up to 30."""

_GROUP = re.compile(r"gyoji-(?:\d+-)?(\d+)(?:-[0-9a-f]+)?\.\d+")
"""The name of a control group, with the pid of its maker, and the number of the pid namespace in front."""

Roles = dict[str, list[int]]


class Family:
    """All that descends from this process. seen: every pid that has ever been found in it."""

    def __init__(self) -> None:
        adopt_orphans()
        self.seen: set[int] = set()

    def look(self, run: int = 0) -> Roles:
        """The pids of each role, now. run: the pid of the run, 0 if none goes on."""
        roles: Roles = {role: [] for role in ("scheduler", "warden", "worker", "launcher", "cell", "engine")}
        for child in _proc.children_of(os.getpid()):
            if child != run and _proc.has_ended(child):
                with suppress(ChildProcessError):
                    os.waitpid(child, os.WNOHANG)
            elif child == run and not _proc.has_ended(child):
                roles["scheduler"].append(child)
            elif _is(child, b"warden.py"):
                roles["warden"].append(child)
        for child in self._below(roles["scheduler"]):
            if _is(child, b"warden.py"):
                roles["warden"].append(child)
            elif _is(child, b"gyoji.play.worker"):
                roles["worker"].append(child)
        for role, parents in (("launcher", "worker"), ("cell", "launcher"), ("engine", "cell")):
            roles[role] += self._below(roles[parents])
        self.seen.update(pid for pids in roles.values() for pid in pids)
        return roles

    def _below(self, parents: list[int]) -> list[int]:
        return [each for pid in parents for each in _proc.children_of(pid) if not _proc.has_ended(each)]

    def left(self) -> Iterator[str]:
        """The processes that are there still, after as much time as they may take to end."""
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
        """Kill all that is left."""
        while running := self._running():
            for pid in running:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.look()


def _is(pid: int, word: bytes) -> bool:
    """Whether a process was started with a word in its command."""
    return word in _proc.read(f"/proc/{pid}/cmdline")


def groups_of(pids: set[int]) -> Iterator[str]:
    """The control groups that these processes have made, which have ended, in words.

    If one runs, its pid is another's by now: pids are used again within minutes on a busy machine.
    """
    folders = {folder for each in find_hierarchies(cpu=True) for folder in each.folders.values()}
    for folder in folders:
        for name in _proc.names(folder):
            match = _GROUP.fullmatch(name)
            if match and int(match[1]) in pids and not _proc.is_running(int(match[1])):
                yield f"control group {folder}/{name}"


def mounts() -> set[str]:
    """What is mounted in our namespace."""
    return set(Path("/proc/self/mountinfo").read_text().splitlines())
