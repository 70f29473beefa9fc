"""Engines in cells: each in namespaces of its own, lowered as its player's level of containment says.

The executor of a worker has one launcher (see `launcher`), which makes a cell for each player that is to be
contained; the next engine of the same player finds it there. An engine at level "off" is started as
`local` does it.

Not here: what an engine may do (`plans`), and what is said to it.
"""

import os
import select
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

from msgspec import structs

from gyoji.core.environment import RUN
from gyoji.core.faults import Breakdown, ProcessLost
from gyoji.core.ports import Shortage
from gyoji.core.spec import Player
from gyoji.core.text import format_size, quote
from gyoji.executors import _proc, kernel, local
from gyoji.executors.contained import uids
from gyoji.executors.contained.belongings import has_own_view
from gyoji.executors.contained.cells import Cell, CellBroken, CellLost, Launcher, OutOfReach, Started, key_of
from gyoji.executors.contained.cgroups import Group, Groups, Toll
from gyoji.executors.contained.launcher import in_words
from gyoji.executors.contained.layers import describe
from gyoji.executors.contained.leftovers import SHARED_MEMORY
from gyoji.executors.contained.machine import Machine, examine
from gyoji.executors.contained.plans import plan_of

_IDLE_CELLS = 16
"""Cells without an engine that are kept for the next one of their player, 3 MB each."""


class ContainedEngine(local.LocalEngine):
    """One engine in a cell."""

    def __init__(self, player: Player, cell: Cell, started: Started, pool: "ContainedExecutor") -> None:
        self.player = player
        self.pidfd = started.pidfd
        self._first = cell.first
        user, system = map(_proc.in_ticks, (started.user, started.kernel))
        self._ended_before = user + system, user
        self.stdin = self.stdout = self.stderr = -1
        self._end: tuple[str, int] | None = None
        self._cell = cell
        self._pool = pool
        self._counted = self._count() or 0
        self._shortage: Shortage | None = None
        self._is_lost = False

    @cached_property
    def pid(self) -> int:  # type: ignore[override]
        """Looked up when it is first wanted, which it hardly ever is; -1 if it has ended by then."""
        return _pid_of(self.pidfd)

    def _count(self) -> int | None:
        """CPU time of all that was ever started in the cell; None if the kernel does not count it."""
        if self._cell.counter >= 0:
            return kernel.read_cpu(self._cell.counter)
        return None if self._cell.group is None else self._cell.group.cpu_ns()

    def cpu_ns(self, *, user_only: bool = False) -> int:
        """CPU time of all that the engine has started, by the kernel's counter; of itself without one."""
        if user_only or (counted := self._count()) is None:
            return super().cpu_ns(user_only=user_only)
        return counted - self._counted

    def family(self) -> list[int]:
        """All processes in the cell but its first: daemons too."""
        return _proc.descendants(self._first) if self._first else [self.pid]

    def tree_ns(self, *, user_only: bool = False) -> int:
        """CPU time of all that the engine has started: exact, or of the dead in ticks of 10 ms."""
        if not user_only and (counted := self._count()) is not None:
            return counted - self._counted
        of_adopted = self._ended_ns(user_only=user_only) - self._ended_before[user_only]
        return super().tree_ns(user_only=user_only) + of_adopted

    def _ended_ns(self, *, user_only: bool = False) -> int:
        """CPU time of those that had lost their parents when they ended."""
        return _proc.ended_ns(self._first, user_only=user_only) if self._first else 0

    def memory(self, most: int = 0) -> int:
        group = self._cell.group
        if most and group is not None and (used := group.memory()) is not None and used <= most:
            return used
        in_tmp = _proc.used_of(self._own("/tmp"))
        return in_tmp + _proc.memory(self.family(), most - in_tmp, self._own(SHARED_MEMORY))

    def _own(self, folder: str) -> str:
        """A folder that is kept in memory, as we see it, where the cell has one of its own; else ""."""
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
        """(how it ended, CPU ns of all that it started) once it has ended; None before.

        Nothing is left in the cell then, which is given back.
        """
        if self._end is None and select.select([self.pidfd], [], [], 0)[0]:
            try:
                code, cpu = self._cell.end()
            except CellBroken:
                self._is_lost = self._has_lost_cell()
                self._end = ("unknown", 0)
            else:
                self._end = (local.describe_exit(code), cpu)
            if self._end[0] != "exit 0":  # a look costs 0.07 ms
                self._shortage = self._find_shortage()
            self._pool.release(self._cell)
        return self._end

    def lost(self) -> str:
        """See the port."""
        is_lost = self._has_lost_cell() if self._end is None else self._is_lost
        return "its cell was killed, which it cannot do itself" if is_lost else ""

    def _has_lost_cell(self) -> bool:
        """Whether the cell has ended, and nothing in it can have brought that about.

        An engine cannot kill the first process of its pid namespace (pid_namespaces(7)), nor limit it
        (prlimit64 of another process is refused by the filter of system calls; a limit of CPU time would end
        even that one). But it can use up the memory of their group: then the kernel chooses whom to kill.
        """
        machine = self._pool.machine
        if not (machine.separates_processes and machine.seccomp and self._cell.has_ended()):
            return False
        group = self._cell.group
        return group is None or (toll := group.toll()) is None or toll.killed == group.known.killed

    def shortage(self) -> Shortage | None:
        return self._find_shortage() if self._end is None else self._shortage

    def _find_shortage(self) -> Shortage | None:
        """Whether the kernel has ended processes of it for want of memory, and whose doing that is."""
        group = self._cell.group
        if group is None or (now := group.toll()) is None or now.killed == group.known.killed:
            return None
        before = group.known
        if self._end is not None:
            group.known = now
        return judge(before, now, limit=self.player.budgets.memory, largest=largest_other(group))

    def close(self) -> None:
        super().close()
        if self._end is None:
            self._cell.close()
            self._end = ("unknown", 0)


def judge(before: Toll, now: Toll, *, limit: int, largest: int) -> Shortage | None:
    """Who is to blame when the kernel ends a process for want of memory; None without evidence.

    An engine that meets its own limit has itself to blame. The machine is to blame only if the kernel ended a
    process of the engine's group, the group was far below its own limit, and somebody else has more memory
    than the group ever had. Without a control group nobody knows: an engine can have memory that is in no
    process.

    before, now: the counters of the engine's group. limit: of its memory, 0 for none. largest: the most
    memory that anybody else has.
    """
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


def largest_other(group: Group) -> int:
    """The most memory that another group of ours, or all processes of another session, have now."""
    return max((*group.others(), _proc.largest_session()))


def _pid_of(pidfd: int) -> int:
    """The number of a process, as we see it."""
    if found := _proc.read(f"/proc/self/fdinfo/{pidfd}").partition(b"\nPid:")[2].split(None, 1):
        return int(found[0])
    raise Breakdown(f"the process behind descriptor {pidfd} has no number")


def _why_root(closed_file: str) -> str:
    return closed_file and f"{closed_file} is open to root alone"


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class _Plan:
    """How engines of a player are contained in a place, and started there.

    as_root: the same without a user of its own, for engines that cannot be one. launch: see `launcher`;
    nothing before the first one. told: how an engine is contained, in words, by the file for which it keeps
    uid 0.
    """

    def __init__(self, player: Player, steps: Mapping[str, Any]) -> None:
        self.player = player
        self.steps = steps
        self.as_root = {**steps, "user": None}
        self.keys = key_of(steps), key_of(self.as_root)
        self.uid: int = steps["user"]["uid"] if steps["user"] else 0
        self.launch = _NOTHING
        self.told: dict[str, str] = {}


class ContainedExecutor:
    """Starts engines in cells, those at level "off" as `local` does. Must be used from one thread."""

    _examined: ClassVar[Machine | None] = None

    def __init__(self) -> None:
        self._local = local.LocalExecutor()
        self._launcher: Launcher | None = None
        self._idle: list[Cell] = []
        self._plans: dict[str, _Plan] = {}  # by place
        self._groups: Groups | None = None

    def prepare(self) -> Callable[[], object]:
        """Start the launcher; what finds out what the machine has, before there is an engine to start."""
        _ = self.launcher
        return lambda: self.machine

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> local.LocalEngine:
        """Start an engine; place: the folder that is its own, which is needed unless its level is "off"."""
        if player.containment.level == "off":
            return self._local.start(player, environ, place=place)
        try:
            self._replace_launcher()
            engine = self._start(player, environ, place)
        except CellLost as lost:
            raise ProcessLost(f"player {player.code}: cannot be contained: {lost}") from None
        except CellBroken as broken:
            raise Breakdown(f"player {player.code}: cannot be contained: {broken}") from None
        engine.place = place
        return engine

    def _start(self, player: Player, environ: Mapping[str, str], place: str) -> ContainedEngine:
        program = local.find_program(player)
        plan = self._plan(player, place)
        if plan.launch.get("program") != program:
            plan.launch = self._launch(player, program, place)
        told = {name: value for name, value in environ.items() if name not in (*player.lacks, RUN)}
        while (cell := self._idle_cell(plan.keys)) is not None:
            try:
                return self._start_in(cell, player, plan, told)
            except (CellBroken, OSError):  # something has become of it: it is ended, and a new one made
                continue
        try:
            return self._start_in(self._make(plan), player, plan, told)
        except OSError as error:
            reason = error.strerror
            raise Breakdown(f"player {player.code}: cannot start {quote(program)}: {reason}") from None

    def _launch(self, player: Player, program: str, place: str) -> Mapping[str, Any]:
        """How engines of a player are started, but for what each is told of its game; see `launcher`."""
        environ = self._local.environ_of(player, {})
        environ.pop(RUN, None)  # nothing of a cell outlives it
        cwd = place if has_own_view(player) and not self.machine.overlays else player.cwd or os.getcwd()
        return {"program": program, "argv": player.command, "environ": environ, "cwd": cwd}

    def _plan(self, player: Player, place: str) -> "_Plan":
        """How a player is contained in its place. Made once: it looks at many files.

        Where its stderr goes makes no difference.
        """
        known = self._plans.get(place)
        if known is None or structs.replace(known.player, stderr=player.stderr) != player:
            uid = uids.number(self.launcher.pid, len(self._plans)) if self.machine.own_uid else 0
            known = _Plan(player, plan_of(player, place, self.machine, uid=uid))
            self._plans[place] = known
        return known

    def _make(self, plan: "_Plan") -> Cell:
        """A cell for a player, without a user of its own if that one could not read what it needs.

        Only this cell goes without: the next one is tried as planned again, as is one that failed for any
        other reason, such as a control group that somebody else removed. Raises CellBroken.
        """
        try:
            try:
                return self._made(plan.steps)
            except OutOfReach:
                raise
            except CellBroken:
                return self._made(plan.steps)
        except OutOfReach as error:
            cell = self._made(plan.as_root)
            cell.closed_file = error.path
            return cell

    def _made(self, steps: Mapping[str, Any]) -> Cell:
        """A new cell, in a group of its own where there can be one."""
        if self._groups is None and self.machine.groups is not None:
            self._groups = Groups(self.machine.groups)
        group = None
        if self._groups is not None:
            try:
                group = self._groups.make(**steps["group"])
            except OSError as error:
                raise CellBroken(f"it cannot get a control group: {in_words(error)}") from None
        return self.launcher.make(steps, group)

    def keeps_uid(self, player: Player, place: str) -> str:
        """Why engines of a player keep uid 0; "" if they do not. Raises CellBroken."""
        plan = self._plan(player, place)
        if not plan.uid:
            return ""
        self.release(cell := self._make(plan))
        return _why_root(cell.closed_file)

    def _start_in(
        self, cell: Cell, player: Player, plan: "_Plan", told: Mapping[str, str]
    ) -> ContainedEngine:
        """Start an engine in a cell, which is ended if that fails. Raises CellBroken, OSError."""
        try:
            with local.Pipes(player.stderr) as pipes:
                if plan.uid and not cell.closed_file:
                    pipes.give(plan.uid)
                started = cell.start(plan.launch, told, pipes.standard_files())
                engine = ContainedEngine(player, cell, started, self)
                engine.stdin, engine.stdout, engine.stderr = pipes.keep()
                engine.containment = self._told_of(plan, cell.closed_file)
                return engine
        except BaseException:
            cell.close()
            raise

    def _idle_cell(self, keys: Sequence[str]) -> Cell | None:
        """A cell made by one of these plans in which nothing runs.

        One without a user of its own ends if its engines may have one by now.
        """
        for cell in [each for each in self._idle if each.key in keys]:
            self._idle.remove(cell)
            if not (cell.closed_file and uids.seems_open(cell.closed_file)):
                return cell
            cell.close()
        return None

    def release(self, cell: Cell) -> None:
        """Take back a cell in which nothing runs any more."""
        if not cell.is_usable:
            cell.close()
            return
        self._idle.append(cell)
        if len(self._idle) > _IDLE_CELLS:
            self._idle.pop(0).close()

    @cached_property
    def machine(self) -> Machine:
        """The layers of containment that this machine has, found out once by a process of ours."""
        if ContainedExecutor._examined is None:
            examined = examine(self.launcher)
            if self.launcher.has_ended():  # nothing could be had of it, which says nothing of the machine
                raise CellLost("the launcher has ended")
            ContainedExecutor._examined = examined
        return ContainedExecutor._examined

    def _told_of(self, plan: "_Plan", closed_file: str) -> str:
        """How an engine is contained here, in words. closed_file: the one for which it keeps uid 0, or ""."""
        if closed_file not in plan.told:
            own = "own uid" if plan.uid else ""
            user = f"uid 0 ({_why_root(closed_file)})" if closed_file else own
            groups = f"cgroups v{self.machine.groups.version}" if self.machine.groups else ""
            contained = plan.player.containment
            network = "network" if contained.network else ""
            plan.told[closed_file] = describe(self.machine, contained.level, user, groups, network)
        return plan.told[closed_file]

    def _replace_launcher(self) -> None:
        """Drop a launcher that was killed, its cells, and the plans: their users are numbered by its pid."""
        if self._launcher is not None and self._launcher.has_ended():
            for cell in self._idle:
                cell.close()
            self._idle.clear()
            self._plans.clear()
            self._launcher.close()
            self._launcher = None

    @property
    def launcher(self) -> Launcher:
        if self._launcher is None:
            self._launcher = Launcher()
        return self._launcher

    @property
    def pids(self) -> frozenset[int]:
        """The processes of ours that are no engines."""
        return frozenset() if self._launcher is None else frozenset((self._launcher.pid,))

    def close(self) -> None:
        for cell in self._idle:
            cell.close()
        self._idle.clear()
        if self._launcher is not None:
            self._launcher.close()
            self._launcher = None
        if self._groups is not None:
            self._groups.close()
