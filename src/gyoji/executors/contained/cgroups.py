"""Control groups: what all processes of a cell use together, limited and counted by the kernel.

Version 2 is used where it has memory and processes to give to groups that we may make (cgroups(7)): below
our own group, or beside it, as systemd delegates them to users, or anywhere as root. Else version 1, where
its folders are ours to write. A group is made with its cell, which joins it before an engine is started, and
is removed after it; what nobody removed for having been killed, a later run does, or the warden.

Runs in several containers often share one tree of groups, and a process number means nothing outside its
pid namespace. So the name of a group says who made it in terms that hold for the whole machine::

    gyoji-4026531836-23253-9f3a01c2.7
          |          |     |        the 8th group of this process
          |          |     random: differs from a group left by an earlier process of that number
          |          process
          pid namespace, by its inode number, which no other living namespace has

A group is abandoned if its maker's namespace is ours and /proc, which must show that namespace, has no such
process. Of groups of other namespaces nothing can be known here, so they stay.

Only what is asked of a group is here; what follows from a lack of memory: `engines`.
"""

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
"""Seconds that the processes of a group may take to be gone."""


class Toll(NamedTuple):
    """The memory counters of a group, from when it was made.

    killed  processes that were ended for want of memory, whoever lacked it.
    met     grows when the group meets its own limit; in version 1 it is 1 if that ever was, else 0.
    most    the most bytes of memory at a time; -1 if unknown.
    """

    killed: int
    met: int
    most: int


class Hierarchies(NamedTuple):
    """Where we may make groups. folders: by controller; of version 2 they are all the same.

    No struct: the warden imports this, and has no packages.
    """

    version: int
    folders: Mapping[str, str]

    def __str__(self) -> str:
        return f"v{self.version} ({', '.join(sorted(self.folders))})"

    def remove_abandoned(self, seconds: float = 0) -> None:
        """Remove the groups whose makers have ended, waiting so long for what is in them to end."""
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
    """Where we may be able to make groups, best first: that has to be tried. cpu: also to count time."""
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
    """The groups from ours up to the first that have memory and processes to give to groups below them."""
    names = path.strip("/").split("/") if path.strip("/") else []
    for depth in range(len(names), -1, -1):
        folder = "/".join((home, *names[:depth]))
        has = {*_proc.read(f"{folder}/cgroup.controllers").decode().split()}
        if has.issuperset(_NEEDED) and os.access(folder, os.W_OK):
            yield Hierarchies(2, dict.fromkeys(_NEEDED, folder))


class Groups:
    """The groups that this process makes."""

    def __init__(self, hierarchies: Hierarchies) -> None:
        self.hierarchies = hierarchies
        self._name = f"{_PREFIX}{_proc.pid_namespace()}-{os.getpid()}-{os.urandom(4).hex()}"
        self._numbers = count()
        self._used: list[Group] = []
        self._left: list[Group] = []
        hierarchies.remove_abandoned()

    def make(self, *, memory: int, processes: int) -> "Group":
        """A new group; memory, processes: limits, 0 for none. Raises OSError."""
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
        """Remove a group as soon as nobody is in it any more."""
        if group in self._used:
            self._used.remove(group)
            self._left.append(group)
        self._left = [each for each in self._left if not each.remove()]

    def close(self) -> None:
        """Remove all groups. Nothing runs in them that is not about to end."""
        self._left += self._used
        self._used = []
        give_up = time.monotonic() + _PATIENCE
        while self._left and time.monotonic() < give_up:
            self._left = [each for each in self._left if not each.remove()]
            if self._left:
                time.sleep(0.0005)


class Group:
    """One group. joins: the files that a process writes 0 to in order to be in it.

    known: its toll when an engine was last found to have ended badly, for whoever is next.
    """

    def __init__(self, groups: Groups, version: int, places: Mapping[str, str]) -> None:
        self.known = Toll(0, 0, 0)
        self._groups = groups
        self._version = version
        self._places = places
        self.folders: list[str] = []
        self.joins: list[str] = []

    def create(self) -> None:
        """Make its folders. Only those that this call has made are removed later. Raises OSError."""
        for folder in sorted({*self._places.values()}):
            os.mkdir(folder)
            self.folders.append(folder)
            self.joins.append(f"{folder}/cgroup.procs")

    def limit(self, memory: int, processes: int) -> None:
        """Set its limits; what it may not swap out is not kept from being so where nobody can tell."""
        if processes and "pids" in self._places:
            self._write("pids", "pids.max", processes)
        if memory and "memory" in self._places:
            names = ("memory.max", "memory.swap.max") if self._version == 2 else _FIRST_LIMITS
            self._write("memory", names[0], memory)
            with suppress(OSError):
                self._write("memory", names[1], 0 if self._version == 2 else memory)

    def memory(self) -> int | None:
        """Bytes that it has now, with what the kernel has for it and of files; None if nobody counts."""
        return self._number("memory", "memory.current" if self._version == 2 else _FIRST_USAGE)

    def cpu_ns(self) -> int | None:
        """CPU time of all that has been in it; None if nobody counts."""
        if self._version == 1:
            return self._number("cpuacct", "cpuacct.usage")
        used = self._table("cpu.stat").get("usage_usec")
        return None if used is None else used * 1000

    def toll(self) -> Toll | None:
        """None if nobody counts."""
        if self._version == 2:
            events = self._table("memory.events")
            if "oom_kill" not in events:
                return None
            most = self._number("memory", "memory.peak")
            return Toll(events["oom_kill"], events["oom"], -1 if most is None else most)
        killed = self._table("memory.oom_control").get("oom_kill")
        limit, most = self._number("memory", _FIRST_LIMITS[0]), self._number("memory", _FIRST_MOST)
        if killed is None or limit is None or most is None:
            return None
        return Toll(killed, int(most > limit - _HUGE_PAGE), most)  # memory.failcnt: newer kernels keep it 0

    def others(self) -> Iterator[int]:
        """Bytes of memory of each other group of ours, of other runs too."""
        if place := self._places.get("memory"):
            folder, own = os.path.split(place)
            for name in _proc.names(folder):
                if name.startswith(_PREFIX) and name != own:
                    neighbour = Group(self._groups, self._version, {"memory": f"{folder}/{name}"})
                    yield neighbour.memory() or 0

    def retire(self) -> None:
        """It is not needed any more."""
        self._groups.retire(self)

    def remove(self) -> bool:
        """Remove it; whether it is gone."""
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
        """A file of lines with a word and a number each; of the controller of memory."""
        try:
            with open(f"{self._places['memory']}/{name}") as file:
                return {word: int(number) for word, number in map(str.split, file)}
        except (OSError, KeyError, ValueError):
            return {}


_HUGE_PAGE = 2 << 20
_FIRST_LIMITS = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
_FIRST_USAGE, _FIRST_MOST = "memory.usage_in_bytes", "memory.max_usage_in_bytes"


def _give(folder: str) -> None:
    """Have the groups below a group of version 2 counted and limited."""
    path = f"{folder}/cgroup.subtree_control"
    with open(path) as file:
        if not {*_NEEDED} - {*file.read().split()}:
            return
    with open(path, "w") as file:
        file.write(" ".join(f"+{each}" for each in _NEEDED))


def _is_removed(folder: str) -> bool:
    """Remove a group if nobody is in it; whether it is gone."""
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _is_abandoned(name: str, namespace: int) -> bool:
    """Whether a group was made in our pid namespace, by a process that has ended."""
    made = _NAME.fullmatch(name)
    if made is None or int(made["namespace"]) != namespace:
        return False
    return _proc.has_ended(int(made["maker"]))
