"""The process of a cell, the sandbox of an engine: it gives up its rights, then starts one engine at a time.

`launcher` has the theory of operation and the messages.
"""

# Safety depends on the order of the steps of `be_cell`:
#
#   1. parent-death signal      from here on a death of the launcher ends the cell
#   2. control group            joined first, so that nothing of the cell is outside its limits
#   3. mounts (`layout`)        need CAP_SYS_ADMIN
#   4. CPU counter              opened before the filter, which refuses perf_event_open
#   5. limits                   all but that of open files: the counter has to be sent first, see ETOOMANYREFS
#   6. Landlock                 needs no_new_privs; before the user changes, while its paths can be opened
#   7. another user (`uids`)    needs CAP_SETUID in the user namespace
#   8. capabilities             then the check that engines can read what they need, without any override
#   9. filter of system calls   last, since the steps above use calls that it refuses
#  10. "ready", open files      the last limit; then engines may be started

import errno
import json
import os
import resource
import select
import signal
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NoReturn

from gyoji.executors import _proc, kernel
from gyoji.executors.contained import uids
from gyoji.executors.contained.fd_lines import FdLines, send
from gyoji.executors.contained.ipc_cleanup import SHARED_MEMORY, device, leftovers
from gyoji.executors.contained.layout import arrange
from gyoji.executors.contained.plan import Launch, Order, Plan

OWN_PROC = "own /proc"
CPU_COUNTER = "CPU counter (perf)"
"""Names of layers. A cell that lacks one reports it in "ready", with the reason after a colon."""

_FILES = resource.RLIMIT_NOFILE

# Signals that Python ignores or handles, and that the launcher ignores. Ignored signals survive an exec: an
# engine gets them with their default action again.
_OURS = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def be_cell(connection: socket.socket, order: Order, users: uids.Namespaces) -> NoReturn:
    """Turn this process into a cell (sandbox) that starts engines as the worker orders.

    The cell ends when the connection to the worker ends.

    Args:
        connection: Socket of the worker process. The first message is "ready", or why the cell cannot be
            made.
        order: The plan of the cell, and its control group.
        users: User namespaces, if the engine is to be another user than root.
    """
    goal = "get its control group"
    try:
        kernel.die_with_parent()
        _join(order["joins"])
        goal = "get its view of the machine"
        ends = _watch_children()
        machines = device(SHARED_MEMORY)
        first = int(os.readlink("/proc/self"))  # as the worker sees it: this /proc is still the worker's
        missing = _arrange_namespaces(order, users)
        is_first = bool(order["flags"] & kernel.CLONE_NEWPID)
        owns_memory = device(SHARED_MEMORY) != machines
        cell = CellProcess(connection, ends, is_first=is_first, owns_memory=owns_memory)
        counter = _open_counter(missing)
        goal = "get its limits"
        _limit(each for each in order["limits"] if each[0] != _FILES)
        goal = "give up its rights"
        _give_up_rights(order, users)
        goal = "go on"
        ready = json.dumps({"ready": missing, "first": first}) + "\n"
        socket.send_fds(connection, [ready.encode()], counter)
        for descriptor in counter:
            os.close(descriptor)
        _limit(each for each in order["limits"] if each[0] == _FILES)
        kernel.close_on_exec_from(3)  # all that it opens later is closed on exec by itself
        cell.serve()
    except uids.OutOfReach as error:
        send(connection, {"out_of_reach": str(error)})
        os._exit(1)
    except BaseException as error:  # noqa: BLE001 (the last thing it does is to say why)
        try:
            send(connection, {"error": f"it cannot {goal}: {kernel.describe_error(error)}"})
        finally:
            os._exit(1)
    os._exit(0)


def _join(files: Iterable[str]) -> None:
    """Move this process into control groups, so that its future children are in them, too.

    Args:
        files: The file `cgroup.procs` of each group.
    """
    for path in files:
        with open(path, "w") as file:
            file.write("0")


def _watch_children() -> int:
    """Return a descriptor that becomes ready when children end. That is cheaper than a signal handler."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    return kernel.signal_descriptor(signal.SIGCHLD)


def _arrange_namespaces(plan: Plan, users: uids.Namespaces) -> list[str]:
    """Set up the new namespaces: user ids, mounts, network.

    Return the layers that the kernel refused, with the reasons.
    """
    missing: list[str] = []
    flags = plan["flags"]
    if plan["map"]:
        kernel.map_to_itself(*plan["map"])
    if flags & kernel.CLONE_NEWNS:
        kernel.keep_mounts_private()
        if flags & kernel.CLONE_NEWPID:
            try:
                kernel.mount("proc", "/proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)
            except OSError as error:
                missing.append(f"{OWN_PROC}: {error.strerror}")
        arrange(plan["filesystem"], plan["user"], users.of_files, missing)
    if flags & kernel.CLONE_NEWNET:
        kernel.raise_loopback()
    if not flags & kernel.CLONE_NEWPID:  # process 1 of a namespace adopts orphans anyway
        kernel.adopt_orphans()
    return missing


def _open_counter(missing: list[str]) -> list[int]:
    """Return a list with the descriptor of a CPU time counter. It is empty if the kernel refuses a counter.

    Args:
        missing: Gets the kernel's reason, if it refuses.
    """
    try:
        return [kernel.count_cpu()]
    except OSError as error:
        missing.append(f"{CPU_COUNTER}: {error.strerror}")
        return []


def _give_up_rights(plan: Plan, users: uids.Namespaces) -> None:
    kernel.hide_from_tracing()
    kernel.gain_nothing()
    if rules := plan["landlock"]:
        landlock = kernel.Landlock(rules["version"], rules["handled"])
        for path, rights in rules["grants"]:
            landlock.grant(path, rights)
        kernel.landlock_restrict(landlock.descriptor)
        os.close(landlock.descriptor)
    if user := plan["user"]:
        uids.become(user, users.of_processes)
    kernel.drop_capabilities()
    if user:
        uids.check_reach(user["needed"])
        users.close()
    if plan["seccomp"]:
        kernel.seccomp(bytes.fromhex(plan["seccomp"]))


def _limit(limits: Iterable[Sequence[int]]) -> None:
    """Set the soft and hard limits of this process and its future children.

    A lower hard limit that this process already has is used instead of the given limit.

    Args:
        limits: Pairs for setrlimit(2): number of the resource, and limit.
    """
    for number, limit in limits:
        _, hard = resource.getrlimit(number)
        lower = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(number, (lower, lower))


class CellProcess:
    """The main loop of a cell (the sandbox of an engine), after it has given up its rights.

    It waits for orders from the worker and for the end of engines.
    """

    def __init__(self, connection: socket.socket, ends: int, *, is_first: bool, owns_memory: bool) -> None:
        """Begin without an engine.

        Args:
            connection: Socket of the worker process.
            ends: Descriptor that becomes ready when children end.
            is_first: Whether this is process 1 of a pid namespace, so that kill(-1) only reaches the
                processes of this cell.
            owns_memory: Whether the cell has its own /dev/shm instead of the machine's.
        """
        self._connection = connection
        self._ends = ends
        self._owns_memory = owns_memory
        self._is_first = is_first
        self._lines = FdLines(connection)
        self._leader = 0
        self._code: int | None = None
        self._used_before = (0, 0)
        self._descriptors: list[int] = []  # of the next engine: they can arrive before their message is whole
        self._launch: Launch | None = None

    def serve(self) -> None:
        poll = select.poll()
        poll.register(self._connection, select.POLLIN)
        poll.register(self._ends, select.POLLIN)
        while True:
            for descriptor, _ in poll.poll():
                if descriptor == self._ends:
                    kernel.read_signals(self._ends)
                    is_empty = not self._reap(wait=False)
                    if self._code is not None:
                        self._end(is_empty=is_empty)
                elif not self._obey_all():
                    self._kill_all()
                    return

    def _obey_all(self) -> bool:
        """Carry out all orders that have arrived. Return False when the worker has closed the connection."""
        goes_on = self._obey()
        while goes_on and self._lines.has_next:
            goes_on = self._obey()
        return goes_on

    def _obey(self) -> bool:
        message = self._lines.next()
        if message is None:
            return False
        order, descriptors = message
        self._descriptors += descriptors
        if "start" in order:
            self._launch = order.get("launch", self._launch)
            assert self._launch is not None  # the first start brings one
            descriptors, self._descriptors = self._descriptors, []
            self._start(self._launch, order["start"], descriptors)
        else:
            self._signal(order["signal"])
        return True

    def _end(self, *, is_empty: bool) -> None:
        """Kill the processes that an ended engine has left, and report the engine's end.

        Args:
            is_empty: Whether no child is left, and hence no process: orphans become children of the cell.
        """
        if not is_empty:
            self._kill_all()
        cpu = (sum(_used_by_children()) - sum(self._used_before)) * 1000
        left = leftovers(owns_memory=self._owns_memory)
        send(self._connection, {"code": self._code, "cpu": cpu, "leftovers": left})
        self._leader, self._code = 0, None

    def _start(self, launch: Launch, told: dict[str, str], descriptors: list[int]) -> None:
        self._used_before = _used_by_children()
        held = list(descriptors)
        try:
            os.chdir(launch["cwd"])
            self._leader = os.posix_spawn(
                launch["program"],
                [*launch["argv"]],
                {**launch["environ"], **told},
                file_actions=_files_of(descriptors),
                setsid=True,
                setsigmask=(),
                setsigdef=_OURS,
            )
            held.append(os.pidfd_open(self._leader))
            self._tell_started(held[-1])
        except OSError as error:
            send(self._connection, {"error": error.strerror, "file": error.filename})
        finally:
            for descriptor in held:
                os.close(descriptor)

    def _tell_started(self, pidfd: int) -> None:
        answer = b'{"started":[%d,%d]}\n' % self._used_before
        try:
            socket.send_fds(self._connection, [answer], [pidfd])
        except OSError as error:
            if error.errno != errno.ETOOMANYREFS:
                raise
            self._connection.sendall(answer)
            self._lines.next()  # "taken"; nothing is reaped before, so the pid stays the engine's

    def _signal(self, number: int) -> None:
        for pid in [-1] if self._is_first else _proc.descendants(os.getpid()):
            with suppress(OSError):
                os.kill(pid, number)

    def _kill_all(self) -> None:
        """Kill every process in the cell (sandbox) except this one, and wait for their ends."""
        while True:  # a process may fork between the listing of processes and its death
            self._signal(signal.SIGKILL)
            if not self._reap(wait=True):
                return

    def _reap(self, *, wait: bool) -> bool:
        """Collect terminated children. Return whether children are left.

        Args:
            wait: Whether to wait for the end of one child first.
        """
        try:
            while True:
                pid, status = os.waitpid(-1, 0 if wait else os.WNOHANG)
                if pid == 0:
                    return True
                wait = False
                if pid == self._leader:
                    self._code = os.waitstatus_to_exitcode(status)
        except ChildProcessError:
            return False


def _files_of(descriptors: Sequence[int]) -> list[tuple[object, ...]]:
    """Return the file actions (posix_spawn(3)) of a new engine.

    Its descriptors 0, 1 and 2 become copies of `descriptors`, in this order; missing ones become /dev/null.
    """
    actions: list[tuple[object, ...]] = [
        (os.POSIX_SPAWN_DUP2, each, at) for at, each in enumerate(descriptors)
    ]
    for at in range(len(descriptors), 3):
        actions.append((os.POSIX_SPAWN_OPEN, at, os.devnull, os.O_RDWR, 0))
    return actions


def _used_by_children() -> tuple[int, int]:
    """Return the user time and the kernel time, in us, of all terminated children."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(usage.ru_utime * 1e6), round(usage.ru_stime * 1e6)
