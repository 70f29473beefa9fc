"""One contained engine: its processes, their CPU time and memory, and the reason why they ended."""

import os
import select
import signal
from contextlib import suppress
from functools import cached_property
from typing import Protocol

from gyoji.core.ports import Shortage
from gyoji.core.spec import Player
from gyoji.core.text import format_size
from gyoji.executors import _proc, kernel, local
from gyoji.executors.contained.cells import Cell, CellBroken, Started
from gyoji.executors.contained.cgroups import MemoryUsage
from gyoji.executors.contained.ipc_cleanup import SHARED_MEMORY
from gyoji.executors.contained.machine import Machine


class Cells(Protocol):
    """The members of the executor that its engines use."""

    @property
    def machine(self) -> Machine: ...

    def release(self, cell: Cell) -> None: ...


class ContainedEngine(local.LocalEngine):
    """One engine in a cell, its sandbox.

    CPU time and memory include those of all processes that it has started, also of daemons and ended ones.
    Outside a cell an engine could hide these.

    Attributes:
        code: Exit code of its first process, or the negative number of the signal that killed it; None while
            it runs, or if unknown.
    """

    def __init__(self, player: Player, cell: Cell, started: Started, cells: Cells) -> None:
        self.player = player
        self.pidfd = started.pidfd
        self._first = cell.first
        user, system = map(_proc.in_ticks, (started.user, started.kernel))
        self._ended_before = user + system, user
        self.stdin = self.stdout = self.stderr = -1
        self._end: tuple[str, int] | None = None
        self._cell = cell
        self._cells = cells
        self._counted = self._count() or 0
        self.code: int | None = None
        self._shortage: Shortage | None = None
        self._is_lost = False

    @cached_property
    def pid(self) -> int:  # type: ignore[override]
        """The engine's process id outside the cell (sandbox); -1 if it had ended before the first use.

        It is looked up on demand, because few games need it.
        """
        return _proc.pid_of(self.pidfd)

    @property
    def is_limited(self) -> bool:
        """Whether the kernel limits the total memory of all its processes."""
        groups = self._cells.machine.groups
        return self._cell.group is not None and groups is not None and "memory" in groups.folders

    def _count(self) -> int | None:
        """Return the CPU time in ns of all processes ever started in the cell; None if it is not counted."""
        if self._cell.counter >= 0:
            return kernel.read_cpu(self._cell.counter)
        return None if self._cell.group is None else self._cell.group.cpu_ns()

    def cpu_ns(self, *, user_only: bool = False) -> int:
        """Return the CPU time in ns of the engine's processes.

        Only the first process counts with `user_only`, or if the kernel does not count all processes
        together.

        Args:
            user_only: Whether to exclude time in the kernel.
        """
        if user_only or (counted := self._count()) is None:
            return super().cpu_ns(user_only=user_only)
        return counted - self._counted

    def family(self) -> list[int]:
        """Return the pids of all processes in the cell (sandbox) except its first, daemons included."""
        return _proc.descendants(self._first) if self._first else [self.pid]

    def tree_ns(self, *, user_only: bool = False) -> int:
        """Return the CPU time in ns of all processes of the engine.

        Without a counter, the time of ended processes is a multiple of 10 ms.

        Args:
            user_only: Whether time in the kernel is left out.
        """
        if not user_only and (counted := self._count()) is not None:
            return counted - self._counted
        # Orphans are reaped by the cell's first process, which keeps the time of earlier engines too
        adopted = _proc.ended_ns(self._first, user_only=user_only) if self._first else 0
        return super().tree_ns(user_only=user_only) + adopted - self._ended_before[user_only]

    def memory(self, most: int = 0) -> int:
        # For most engines one file of the group suffices; /proc is read only near the limit
        """Return the bytes of memory of the engine with all its processes.

        Args:
            most: Limit in bytes; 0 for none. A result up to the limit may be too high, which is faster to
                compute; a result above the limit is exact.
        """
        group = self._cell.group
        if most and group is not None and (used := group.memory()) is not None and used <= most:
            return used
        in_tmp = _proc.used_of(self._own("/tmp"))
        return in_tmp + _proc.memory(self.family(), most - in_tmp, self._own(SHARED_MEMORY))

    def _own(self, folder: str) -> str:
        """Return the path by which this process reaches a folder in the cell, such as the cell's own /tmp.

        The result is "" if the cell has no such folder of its own, but uses the machine's.

        Args:
            folder: Path of the folder in the cell.
        """
        path = f"/proc/{self.pid}/root{folder}"
        with suppress(OSError):
            if os.stat(path).st_dev != os.stat(folder).st_dev:
                return path
        return ""

    def suspend(self) -> None:
        self._cell.signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._cell.signal(signal.SIGCONT)

    def kill(self) -> None:
        self._cell.signal(signal.SIGKILL)

    def reap(self) -> tuple[str, int] | None:
        """Return how the engine ended, or None while it runs.

        After the end all processes of the engine are gone. Its cell (sandbox) is free for another engine, or
        closed.

        Returns:
            How the engine ended, in words, and the CPU time in ns of all its processes; ("unknown", 0) if the
            cell failed.
        """
        if self._end is None and select.select([self.pidfd], [], [], 0)[0]:
            try:
                code, cpu = self._cell.end()
            except CellBroken:
                self._is_lost = self._has_lost_cell()
                self._end = ("unknown", 0)
            else:
                self.code, self._end = code, (local.describe_exit(code), cpu)
            if self._end[0] != "exit 0":  # a look costs 0.07 ms
                self._shortage = self._find_shortage()
            self._cells.release(self._cell)
        return self._end

    def lost(self) -> str:
        """Return the reason, in words, if the engine ended because its cell was killed from outside.

        The result is "" in all other cases, also if the engine may have killed the cell itself.
        """
        is_lost = self._has_lost_cell() if self._end is None else self._is_lost
        return "its cell was killed, which it cannot do itself" if is_lost else ""

    def _has_lost_cell(self) -> bool:
        """Return whether the cell (sandbox) has died, and no process in it can have caused that."""
        # An engine cannot kill process 1 of its pid namespace (pid_namespaces(7)), nor lower its limits:
        # the filter refuses prlimit64 of another process, since even process 1 dies of a limit of CPU time.
        machine = self._cells.machine
        if not (machine.separates_processes and machine.seccomp and self._cell.has_ended()):
            return False
        # But it can exhaust the memory of their group, and then the kernel chooses which process to kill.
        group = self._cell.group
        return group is None or (used := group.memory_usage()) is None or used.killed == group.known.killed

    def shortage(self) -> Shortage | None:
        return self._find_shortage() if self._end is None else self._shortage

    def _find_shortage(self) -> Shortage | None:
        """Return the cause of a lack of memory for which the kernel has killed processes of the engine.

        Return None if no process was killed, or if the cause is uncertain (`judge`).
        """
        group = self._cell.group
        if group is None or (now := group.memory_usage()) is None or now.killed == group.known.killed:
            return None
        before = group.known
        if self._end is not None:
            group.known = now
        largest = max((*group.others(), _proc.largest_session()))
        return judge(before, now, limit=self.player.budgets.memory, largest=largest)

    def close(self) -> None:
        super().close()
        if self._end is None:
            self._cell.close()
            self._end = ("unknown", 0)


def judge(before: MemoryUsage, now: MemoryUsage, *, limit: int, largest: int) -> Shortage | None:
    """Return the cause of a lack of memory for which the kernel has killed a process; None without evidence.

    Args:
        before: Earlier counters of the engine's control group (`Group.known`).
        now: The counters now. If no further process was killed, there is no evidence.
        limit: Limit on the engine's memory in bytes; 0 for none.
        largest: Bytes of memory of the largest other group or session now.
    """
    # An engine that reached its own limit is at fault. The machine is at fault only if the kernel killed a
    # process of the engine's group, the group was far below its own limit, and another group or session has
    # more memory than the group ever had. Without a control group there is no evidence: an engine can hold
    # memory that belongs to no process.
    if now.killed <= before.killed:
        return None
    if limit and now.met > before.met:
        used = format_size(now.most) if now.most > limit else f"more than {format_size(limit)}"
        text = f"used {used} of memory, {format_size(limit)} allowed: the system ended a process of it"
        return Shortage(own=True, text=text)
    if now.most < 0 or now.most >= largest or (limit and now.most > limit // 2):
        return None
    text = f"the machine ran out of memory, of which it had used {format_size(now.most)} at most"
    return Shortage(own=False, text=f"{text}, and another {format_size(largest)}")
