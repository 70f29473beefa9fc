"""Control groups: kernel limits and counters for all processes of a sandbox together."""

# Where groups are made. Version 2 is preferred, in the lowest group that has the memory and pids controllers
# and is writable: the group of this process, or one above it, as systemd delegates them to users, or any as
# root. Otherwise version 1, where its folders are writable (cgroups(7)). `machine` tests whether a cell can
# really join one.
#
# Life of a group:
#
#     make --> (the cell writes 0 to `joins`) --> engines --> retire --> removed when its last process is gone
#       |                                                       |
#       +-- its maker is killed --> abandoned --> removed by the reaper of the run, or by a later run
#
# Names. Runs in several containers often share one tree of groups, and a pid is only unique within its pid
# namespace. So the name of a group identifies its maker on the whole machine:
#
#     gyoji-4026531836-23253-9f3a01c2.7
#           |          |     |        the 8th group of this process
#           |          |     random: differs from a group left by an earlier process of that pid
#           |          pid of the maker
#           pid namespace, by its inode number, which no other living namespace has
#
# A group is abandoned if its maker's namespace is that of this process and /proc, which must show that
# namespace, has no such process. Groups of other namespaces cannot be judged, so they stay. When the name was
# only the pid, a run in another container took all makers for dead and removed groups that cells were about
# to join. That was mistaken for an unreadable file, and engines lost their own uid.
#
# Invariant: only folders that this process has made are removed by `Group.remove`, and only abandoned ones by
# `remove_abandoned`. A lost race is an OSError, never the removal of a group in use.
#
# The reaper imports this module without any package, so it has no msgspec.

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import count
from typing import NamedTuple

from gyoji.executors import _proc

_PREFIX = "gyoji-"
_NAME = re.compile(_PREFIX + r"(?P<namespace>\d+)-(?P<maker>\d+)-[0-9a-f]{8}\.\d+")
_NEEDED = ("memory", "pids")
_PATIENCE = 2.0
"""Seconds to wait for the processes of a group to end."""


class MemoryUsage(NamedTuple):
    """A control group's memory counters since it was made.

    Attributes:
        killed: Number of processes in the group that the kernel killed for lack of memory.
        met: A number that grows when the group reaches its own memory limit. In version 1 of control groups,
            it is 1 after the limit was reached once, and then stays the same.
        most: Peak memory in bytes; -1 if unknown.
    """

    killed: int
    met: int
    most: int


class Hierarchies(NamedTuple):
    """Folders in which control groups can be made (cgroups(7)).

    Attributes:
        version: 1 or 2.
        folders: The folder for each controller, such as "memory". In version 2 all are the same.
    """

    version: int
    folders: Mapping[str, str]

    def __str__(self) -> str:
        return f"v{self.version} ({', '.join(sorted(self.folders))})"

    def remove_abandoned(self, seconds: float = 0) -> None:
        """Remove control groups whose maker, another process of gyoji, has ended.

        Args:
            seconds: Time to wait for processes in these groups to end.
        """
        give_up = time.monotonic() + seconds
        if not (namespace := _proc.pid_namespace()):
            return
        left = [
            f"{each}/{name}"
            for each in {*self.folders.values()}
            for name in _proc.names(each)
            if _is_abandoned(name, namespace)
        ]
        while (left := [each for each in left if not _is_removed(each)]) and time.monotonic() < give_up:
            time.sleep(0.01)


def find_hierarchies(root: str | os.PathLike[str] = "/", *, cpu: bool = False) -> Iterator[Hierarchies]:
    """Yield folders in which control groups may be possible, best first. Each must be tested.

    Args:
        root: Folder in place of /, for tests.
        cpu: Whether the groups must also count CPU time.
    """
    lines = os.fsdecode(_proc.read(os.path.join(root, "proc/self/cgroup"))).splitlines()
    base, first = os.path.join(root, "sys/fs/cgroup"), {}
    for line in lines:
        number, controllers, path = line.split(":", 2)
        if number == "0":
            for home in (base, f"{base}/unified"):
                yield from _below(home, path)
        for each in controllers.split(","):
            folder = os.path.join(base, controllers, path.lstrip("/"))
            if each in (*_NEEDED, *(("cpuacct",) if cpu else ())) and os.access(folder, os.W_OK):
                first[each] = folder
    if first:
        yield Hierarchies(1, first)


def _below(home: str, path: str) -> Iterator[Hierarchies]:
    """Yield control groups (version 2) below which groups with limits of memory and processes can be made.

    This process's own group comes first, then the groups above it. Groups without that ability are left out.

    Args:
        home: Folder where the hierarchy of groups may be mounted.
        path: Path of this process's group in the hierarchy.
    """
    names = path.strip("/").split("/") if path.strip("/") else []
    for depth in range(len(names), -1, -1):
        folder = "/".join((home, *names[:depth]))
        has = {*_proc.read(f"{folder}/cgroup.controllers").decode().split()}
        if has.issuperset(_NEEDED) and os.access(folder, os.W_OK):
            yield Hierarchies(2, dict.fromkeys(_NEEDED, folder))


class Groups:
    """The control groups of this process: it makes and removes them."""

    def __init__(self, hierarchies: Hierarchies) -> None:
        self.hierarchies = hierarchies
        self._name = f"{_PREFIX}{_proc.pid_namespace()}-{os.getpid()}-{os.urandom(4).hex()}"
        self._numbers = count()
        self._used: list[Group] = []
        self._left: list[Group] = []
        hierarchies.remove_abandoned()

    def make(self, *, memory: int, processes: int) -> "Group":
        """Make a control group with limits. Raises OSError if the kernel refuses it.

        Args:
            memory: Limit in bytes; 0 for none.
            processes: Maximum number of processes; 0 for no limit.
        """
        version, folders = self.hierarchies.version, self.hierarchies.folders
        if version == 2:
            _give(folders["memory"])
        name = f"{self._name}.{next(self._numbers)}"
        group = Group(self, version, {each: f"{folder}/{name}" for each, folder in folders.items()})
        self._used.append(group)
        try:
            group.create()
            group.limit(memory, processes)
        except OSError:
            self.retire(group)
            raise
        return group

    def retire(self, group: "Group") -> None:
        """Remove a group now, or as soon as its last process is gone."""
        if group in self._used:
            self._used.remove(group)
            self._left.append(group)
        self._left = [each for each in self._left if not each.remove()]

    def close(self) -> None:
        """Remove all groups. Their processes must be about to end."""
        self._left += self._used
        self._used = []
        give_up = time.monotonic() + _PATIENCE
        while self._left and time.monotonic() < give_up:
            self._left = [each for each in self._left if not each.remove()]
            if self._left:
                time.sleep(0.0005)


class Group:
    """One control group, with a folder in each hierarchy that it uses.

    Attributes:
        known: The memory counters at the end of the last engine of which the kernel killed a process for lack
            of memory; zeros before. A higher count shows that another process was killed since.
        folders: The group's folders that are not removed yet.
        joins: Files to which a process writes 0 to enter the group.
    """

    def __init__(self, groups: Groups, version: int, places: Mapping[str, str]) -> None:
        self.known = MemoryUsage(0, 0, 0)
        self._groups = groups
        self._version = version
        self._places = places
        self.folders: list[str] = []
        self.joins: list[str] = []

    def create(self) -> None:
        """Create the folders of this group, one in each hierarchy. Raises OSError if that fails."""
        for folder in sorted({*self._places.values()}):
            os.mkdir(folder)
            self.folders.append(folder)
            self.joins.append(f"{folder}/cgroup.procs")

    def limit(self, memory: int, processes: int) -> None:
        """Set the limits of this group. Raises OSError if that fails.

        Args:
            memory: Bytes; 0 for no limit.
            processes: Maximum number of processes; 0 for no limit.
        """
        if processes and "pids" in self._places:
            self._write("pids", "pids.max", processes)
        if memory and "memory" in self._places:
            names = ("memory.max", "memory.swap.max") if self._version == 2 else _FIRST_LIMITS
            self._write("memory", names[0], memory)
            with suppress(OSError):
                self._write("memory", names[1], 0 if self._version == 2 else memory)

    def memory(self) -> int | None:
        """Return the bytes of memory in use, with page cache and kernel memory; None if not counted."""
        return self._number("memory", "memory.current" if self._version == 2 else _FIRST_USAGE)

    def cpu_ns(self) -> int | None:
        """Return the CPU time in ns of all processes that were ever in the group; None if not counted."""
        if self._version == 1:
            return self._number("cpuacct", "cpuacct.usage")
        used = self._table("cpu.stat").get("usage_usec")
        return None if used is None else used * 1000

    def memory_usage(self) -> MemoryUsage | None:
        """Return the group's memory counters; None if it has none."""
        if self._version == 2:
            events = self._table("memory.events")
            if "oom_kill" not in events:
                return None
            most = self._number("memory", "memory.peak")
            return MemoryUsage(events["oom_kill"], events["oom"], -1 if most is None else most)
        killed = self._table("memory.oom_control").get("oom_kill")
        limit, most = self._number("memory", _FIRST_LIMITS[0]), self._number("memory", _FIRST_MOST)
        if killed is None or limit is None or most is None:
            return None
        return MemoryUsage(
            killed, int(most > limit - _HUGE_PAGE), most
        )  # memory.failcnt: newer kernels keep it 0

    def others(self) -> Iterator[int]:
        """Yield the memory in bytes of every other group of gyoji, groups of other runs included."""
        if place := self._places.get("memory"):
            folder, own = os.path.split(place)
            for name in _proc.names(folder):
                if name.startswith(_PREFIX) and name != own:
                    neighbour = Group(self._groups, self._version, {"memory": f"{folder}/{name}"})
                    yield neighbour.memory() or 0

    def retire(self) -> None:
        """Remove the group as soon as its last process is gone."""
        self._groups.retire(self)

    def remove(self) -> bool:
        """Try to remove the group. Return whether it is gone."""
        self.folders = [each for each in self.folders if not _is_removed(each)]
        return not self.folders

    def _write(self, controller: str, name: str, value: int) -> None:
        with open(f"{self._places[controller]}/{name}", "w") as file:
            file.write(str(value))

    def _number(self, controller: str, name: str) -> int | None:
        try:
            with open(f"{self._places[controller]}/{name}") as file:
                return int(file.read())
        except (OSError, KeyError, ValueError):
            return None

    def _table(self, name: str) -> dict[str, int]:
        """Parse a file of the memory controller with a word and a number per line; {} if unreadable."""
        try:
            with open(f"{self._places['memory']}/{name}") as file:
                return {word: int(number) for word, number in map(str.split, file)}
        except (OSError, KeyError, ValueError):
            return {}


_HUGE_PAGE = 2 << 20
_FIRST_LIMITS = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
_FIRST_USAGE, _FIRST_MOST = "memory.usage_in_bytes", "memory.max_usage_in_bytes"


def _give(folder: str) -> None:
    """Enable limits and counters of memory and processes for the groups below a group of version 2.

    Args:
        folder: Folder of the upper group.
    """
    path = f"{folder}/cgroup.subtree_control"
    with open(path) as file:
        if not {*_NEEDED} - {*file.read().split()}:
            return
    with open(path, "w") as file:
        file.write(" ".join(f"+{each}" for each in _NEEDED))


def _is_removed(folder: str) -> bool:
    """Try to remove a group. Return whether it is gone; False if it still has processes."""
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _is_abandoned(name: str, namespace: int) -> bool:
    """Return whether a group's maker was in the pid namespace of this process and has certainly ended.

    Args:
        name: Name of the group's folder, which has the maker's pid and pid namespace.
        namespace: The pid namespace of this process.
    """
    made = _NAME.fullmatch(name)
    if made is None or int(made["namespace"]) != namespace:
        return False
    return _proc.has_ended(int(made["maker"]))
