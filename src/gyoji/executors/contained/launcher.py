"""The launcher of one worker: makes cells, in which engines are started.

``launcher FD``: FD is a stream socket of the worker; see `COMMAND` of
`gyoji.executors.contained.cells`. It is a
small process with one thread that has everything imported: a cell costs a fork, not the start of an
interpreter. Each message is a line of JSON and one descriptor::

    {"flags": N, ...}   + a socket    make a cell as this `Plan` says; it listens to the socket

A **cell** is the first process of its own namespaces. It lowers itself as its plan says, for good, and what
it starts inherits that. So starting an engine costs no more than a spawn, and nothing of it is on the
engine's account. The cell is the parent of all that an engine leaves behind, and everything in it ends
with it. Lines of JSON over its socket, and the answers::

    {"start": {...}} + stdin, stdout, stderr    {"started": [us, us]} + a pidfd, or {"error": text}
    {"signal": N}                               none: send a signal to everything in the cell
    {"taken": true}                             none: see below

"start" has the variables that only this engine is told, and "launch" beside it what it has in common with
those that are started after it: program, argv, environ, cwd. "started" has the CPU time, in user mode and in
the kernel, of all that has ended in the cell so far. When the engine has ended, the cell kills all that is
left of it and says {"code": N, "cpu": ns, "leftovers": text}.

A cell first says {"ready": [what it could not have], "first": its pid outside}, with a counter of the CPU
time of all that is ever started in it where the kernel gives one; or {"error": text}, or {"out_of_reach":
path} of a file that its engines need and could not read as the user that they were to be. End of file on a
socket, or the death of whoever holds its other end, ends a cell and the launcher.

A cell has the limits of its engines: a limit that is set after a start comes too late for a child that was
forked at once. A cell can do all its work within them, but for one thing. The kernel counts the descriptors
that a user's processes have sent and nobody has received yet, and refuses to send more to a process whose
limit of open files is below that count. So a hostile engine can keep the cell of another one from sending a
pidfd. Then "started" comes without one, the worker opens a pidfd itself, and says "taken". The cell reaps
nothing before, so that the number of the process stays that of the engine.
"""

import errno
import gc
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
from collections.abc import Iterable
from contextlib import closing, suppress
from typing import Any, NoReturn

from gyoji.executors import _proc, kernel
from gyoji.executors.contained import uids
from gyoji.executors.contained.layout import arrange
from gyoji.executors.contained.leftovers import SHARED_MEMORY, device, leftovers

Plan = dict[str, Any]
"""How a cell lowers itself:

flags     namespaces of its own, as clone(2) names them.
map       [uid, gid] to be in a user namespace, or null.
group     {memory, processes}: limits of its control group, 0 for none.
joins     files by which it gets into that; see `cgroups`.
user      {uid, own, needed, groups}: another user for engines that root starts, or null; see `uids`.
devices   the device files of its own /dev; null to see the machine's.
overlays  [[folder, lower, upper, work, [name, ...]], ...]: in a folder there is what is in lower, without
          the names; what is written there goes to upper.
layers    the folder in which the uppers and works of both are, which is not to be seen; "" for none.
copies    [[folder, upper, work], ...]: as an overlay, without names; written to memory if these two are "".
masks     files and folders that are not to be seen.
kept      paths below one of these three that are to be seen all the same.
writable  of shared memory, overlays, copies and kept paths, those in which something can be changed.
fixed     of kept paths, those below a writable one in which nothing can be changed.
limits    [[resource, limit], ...] of each process.
landlock  {version, handled, grants: [[path, rights], ...]}, or null.
seccomp   a filter in hexadecimal digits, "" for none.
"""

OWN_PROC = "own /proc"
CPU_COUNTER = "CPU counter (perf)"
"""Names of layers; a cell that could not have one says so, with the reason behind a colon."""

_READ = 1 << 13
_MOST_DESCRIPTORS = 4
_DESCRIPTOR = struct.Struct("i")
_FILES = resource.RLIMIT_NOFILE
_OURS = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that Python or this process treats in a way of its own, and an engine is not to inherit."""


def receive(connection: socket.socket) -> tuple[bytes, list[int]]:
    """Bytes, and the descriptors that came with them, which no program inherits.

    `socket.recv_fds` of Python 3.11 drops its flags.
    """
    room = socket.CMSG_SPACE(_MOST_DESCRIPTORS * _DESCRIPTOR.size)
    data, messages, _, _ = connection.recvmsg(_READ, room, socket.MSG_CMSG_CLOEXEC)
    return data, [
        number
        for level, kind, packed in messages
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS)
        for (number,) in _DESCRIPTOR.iter_unpack(packed)
    ]


_decode = json.JSONDecoder().raw_decode
"""As `json.loads`, without a look at the encoding and at blanks: each line is from our other half."""


class Lines:
    """Lines of JSON from a socket, each with the descriptors that came with it."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._text = b""
        self._descriptors: list[int] = []

    def next(self) -> tuple[dict[str, Any], list[int]] | None:
        """The next message and its descriptors, waiting for it; None at the end of file."""
        while b"\n" not in self._text:
            data, descriptors = receive(self._connection)
            self._descriptors += descriptors
            if not data:
                return None
            self._text += data
        line, _, self._text = self._text.partition(b"\n")
        descriptors, self._descriptors = self._descriptors, []
        return _decode(line.decode())[0], descriptors

    @property
    def has_next(self) -> bool:
        """Whether the next message is here already: the socket has nothing to say of it then."""
        return b"\n" in self._text


def _say(connection: socket.socket, message: dict[str, Any]) -> None:
    connection.sendall((json.dumps(message) + "\n").encode())


def launch_cells(connection: socket.socket) -> None:
    """The launcher: make cells until the worker has gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # a cell that has ended is nobody's business here
    lines = Lines(connection)
    while message := lines.next():
        plan, (descriptor,) = message
        with socket.socket(fileno=descriptor) as theirs:
            try:
                users = uids.namespaces(plan["user"]["uid"]) if plan["user"] else uids.NONE
                with closing(users):
                    if kernel.clone(plan["flags"]) == 0:
                        connection.close()
                        _be_cell(theirs, plan, users)
            except OSError as error:
                _say(theirs, {"error": f"it cannot get namespaces of its own: {in_words(error)}"})


def in_words(error: BaseException) -> str:
    """What failed, and why, as a user can read it; of a bug of ours, with the name of the exception.

    >>> in_words(FileNotFoundError(2, "No such file or directory", "/x"))
    '/x: No such file or directory'
    """
    if not isinstance(error, OSError):
        return f"{type(error).__name__}: {error}"
    if not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


def _be_cell(connection: socket.socket, plan: Plan, users: uids.Namespaces) -> NoReturn:
    """The first process of a cell, until there is nobody left to ask it for anything."""
    goal = "get its control group"
    try:
        kernel.die_with_parent()
        _join(plan["joins"])
        goal = "get its view of the machine"
        signal.signal(signal.SIGCHLD, _nothing)
        machines = device(SHARED_MEMORY)
        first = int(os.readlink("/proc/self"))  # of whoever mounted this /proc, until there is another
        missing = _settle(plan, users)
        is_first = bool(plan["flags"] & kernel.CLONE_NEWPID)
        owns_memory = device(SHARED_MEMORY) != machines
        cell = Cell(connection, is_first=is_first, owns_memory=owns_memory)
        counter = _counter(missing)
        goal = "get its limits"
        _limit(each for each in plan["limits"] if each[0] != _FILES)
        goal = "give up its rights"
        _lower(plan, users)
        goal = "go on"
        ready = json.dumps({"ready": missing, "first": first}) + "\n"
        socket.send_fds(connection, [ready.encode()], counter)
        for descriptor in counter:
            os.close(descriptor)
        _limit(each for each in plan["limits"] if each[0] == _FILES)  # the counter has to be sent first
        cell.serve()
    except uids.OutOfReach as error:
        _say(connection, {"out_of_reach": str(error)})
        os._exit(1)
    except BaseException as error:  # noqa: BLE001 (the last thing it does is to say why)
        try:
            _say(connection, {"error": f"it cannot {goal}: {in_words(error)}"})
        finally:
            os._exit(1)
    os._exit(0)


def _join(files: list[str]) -> None:
    """Be in the control groups of these files from now on, and all descendants with us."""
    for path in files:
        with open(path, "w") as file:
            file.write("0")


def _nothing(*_: object) -> None:
    """A handler, so that the signal wakes whoever waits."""


def _settle(plan: Plan, users: uids.Namespaces) -> list[str]:
    """Arrange the new namespaces; what could not be had."""
    missing = []
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
        arrange(plan, users.of_files, missing)
    if flags & kernel.CLONE_NEWNET:
        kernel.raise_loopback()
    if not flags & kernel.CLONE_NEWPID:
        kernel.adopt_orphans()
    return missing


def _counter(missing: list[str]) -> list[int]:
    """A descriptor of a counter of CPU time, none if the kernel refuses one."""
    try:
        return [kernel.count_cpu()]
    except OSError as error:
        missing.append(f"{CPU_COUNTER}: {error.strerror}")
        return []


def _lower(plan: Plan, users: uids.Namespaces) -> None:
    """Give up what engines here are not to have; no step needs what an earlier one has ended."""
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


class Cell:
    """The first process of a cell, once that is settled. It runs one engine at a time.

    is_first     whether it is process 1 of a namespace: then -1 names all that is in it.
    owns_memory  whether it has a folder of shared memory of its own, rather than the machine's.
    """

    def __init__(self, connection: socket.socket, *, is_first: bool, owns_memory: bool) -> None:
        self._connection = connection
        self._owns_memory = owns_memory
        self._is_first = is_first
        self._lines = Lines(connection)
        self._leader = 0
        self._code: int | None = None
        self._used_before = [0, 0]
        self._descriptors: list[int] = []  # for the next engine: they can come with an order before it
        self._launch: dict[str, Any] = {}

    def serve(self) -> None:
        reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        poll = select.poll()
        poll.register(self._connection, select.POLLIN)
        poll.register(reader, select.POLLIN)
        while True:
            for descriptor, _ in poll.poll():
                if descriptor == reader:
                    os.read(reader, _READ)
                    self._reap(wait=False)
                    if self._code is not None:
                        self._end()
                elif not self._obey_all():
                    self._kill_all()
                    return

    def _obey_all(self) -> bool:
        """Do what all messages ask for that have come together; False at the end of file."""
        goes_on = self._obey()
        while goes_on and self._lines.has_next:
            goes_on = self._obey()
        return goes_on

    def _obey(self) -> bool:
        """Do what the next message asks for; False at the end of file."""
        message = self._lines.next()
        if message is None:
            return False
        order, descriptors = message
        self._descriptors += descriptors
        if "start" in order:
            self._launch = order.get("launch", self._launch)
            descriptors, self._descriptors = self._descriptors, []
            self._start(self._launch, order["start"], descriptors)
        else:
            self._signal(order["signal"])
        return True

    def _end(self) -> None:
        """The engine has ended, and so does all that it has left."""
        self._kill_all()
        cpu = (sum(_used_by_children()) - sum(self._used_before)) * 1000
        left = leftovers(owns_memory=self._owns_memory)
        _say(self._connection, {"code": self._code, "cpu": cpu, "leftovers": left})
        self._leader, self._code = 0, None

    def _start(self, launch: dict[str, Any], told: dict[str, str], descriptors: list[int]) -> None:
        self._used_before = _used_by_children()
        held = list(descriptors)
        try:
            kernel.close_on_exec_from(3)
            os.chdir(launch["cwd"])
            self._leader = os.posix_spawn(
                launch["program"],
                launch["argv"],
                {**launch["environ"], **told},
                file_actions=[(os.POSIX_SPAWN_DUP2, each, at) for at, each in enumerate(descriptors)],
                setsid=True,
                setsigdef=_OURS,
            )
            held.append(os.pidfd_open(self._leader))
            self._tell_started(held[-1])
        except OSError as error:
            _say(self._connection, {"error": error.strerror, "file": error.filename})
        finally:
            for descriptor in held:
                os.close(descriptor)

    def _tell_started(self, pidfd: int) -> None:
        answer = b'{"started":[%d,%d]}\n' % tuple(self._used_before)
        try:
            socket.send_fds(self._connection, [answer], [pidfd])
        except OSError as error:
            if error.errno != errno.ETOOMANYREFS:
                raise
            self._connection.sendall(answer)
            self._lines.next()  # "taken", and nothing is reaped before

    def _signal(self, number: int) -> None:
        for pid in [-1] if self._is_first else _proc.descendants(os.getpid()):
            with suppress(OSError):
                os.kill(pid, number)

    def _kill_all(self) -> None:
        """Kill and reap all that is in the cell but its first process."""
        while True:
            self._signal(signal.SIGKILL)
            if not self._reap(wait=True):
                return

    def _reap(self, *, wait: bool) -> bool:
        """Reap who has ended, waiting for one if asked to; whether there are more."""
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


def _limit(limits: Iterable[list[int]]) -> None:
    """Set limits of this process and of all that it starts, where they are lower than those that it has."""
    for number, limit in limits:
        _, hard = resource.getrlimit(number)
        lower = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(number, (lower, lower))


def _used_by_children() -> list[int]:
    """CPU time in us of all children that have ended: in user mode, in the kernel."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return [round(usage.ru_utime * 1e6), round(usage.ru_stime * 1e6)]


def main() -> None:
    kernel.die_with_parent()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    gc.disable()
    gc.freeze()
    launch_cells(socket.socket(fileno=int(sys.argv[1])))
    os._exit(0)  # whoever ends it waits for it, and it has nothing to put in order


if __name__ == "__main__":
    main()
