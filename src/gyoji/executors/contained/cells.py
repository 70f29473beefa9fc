"""A cell (the sandbox of an engine) and the launcher, as a worker process sees them.

The worker orders a launcher process to make a cell, and then the cell, over a socket, to start engines.
`launcher` is the launcher's side, and has the theory of operation.
"""

# Every failure here becomes one of three exceptions, which have different consequences:
#
#   OutOfReach  the engine's own user could not read a file: a cell is made in which the engine stays root.
#   CellLost    the cell or the launcher has died, which no engine can cause: the game is void.
#   CellBroken  anything else: after one more try the player cannot be contained.
#
# `Cell.is_usable` is False while an answer is awaited, and for good after a failure or leftovers. An unusable
# cell is closed and never used for another engine: its socket may hold a partial answer, and its namespaces
# traces of the last engine.

import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

import gyoji
from gyoji.core import wire
from gyoji.core.wire import Value
from gyoji.executors import _proc, kernel
from gyoji.executors.contained import launcher, uids
from gyoji.executors.contained.cgroups import Group, Groups
from gyoji.executors.contained.fd_lines import FdLines, close_all
from gyoji.executors.contained.plan import Launch, Plan

_SCRIPT = f"""import sys
sys.path.append({str(Path(gyoji.__file__).parents[1])!r})
from gyoji.executors.contained import launcher
launcher.main()"""
COMMAND = (sys.executable, "-I", "-S", "-E", "-X", "utf8", "-c", _SCRIPT)
"""The launcher's command: an interpreter with the standard library and this package only."""

T = TypeVar("T")

_NONSENSE = "its cell gives no sensible answer"
_MOST = 1 << 20
"""The maximum length of an answer in bytes. Answers are short except for file names."""

_PATIENCE = 10.0
"""The time limit for an answer of a cell, in seconds."""


class CellBroken(Exception):
    """A cell (the sandbox of an engine) cannot be made, or gives an invalid answer."""


class OutOfReach(CellBroken):
    """An engine that runs as another user than root could not read a file that it needs.

    Attributes:
        path: The file.
    """

    def __init__(self, path: str) -> None:
        super().__init__(uids.open_to_root(path))
        self.path = path


class CellLost(CellBroken):
    """A cell (the sandbox of an engine), or the launcher process that makes cells, has died."""


class _Answer(Value, frozen=True, kw_only=True):
    """A message from a cell. The comment at the beginning of `launcher` lists the kinds of messages.

    Each kind sets some of these fields. The others have their defaults.
    """

    ready: tuple[str, ...] | None = None
    first: int = 0
    started: tuple[int, int] | None = None
    code: int | None = None
    cpu: int = 0
    leftovers: str = ""
    error: str | None = None
    file: str | None = None
    out_of_reach: str | None = None


_read_answer = wire.reader(_Answer)


def _first_of(descriptors: Sequence[int]) -> int:
    """Return the first of the descriptors that came with an answer; -1 if none came. Close the others."""
    close_all(descriptors[1:])
    return descriptors[0] if descriptors else -1


def _line(message: Mapping[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(message) + b"\n"
    except UnicodeEncodeError:  # a path that is not UTF-8: only json escapes its bytes
        return json.dumps(message).encode() + b"\n"


def key_of(plan: Plan) -> str:
    """Return a text that is equal for equal plans."""
    return json.dumps(plan, sort_keys=True)


class Started(NamedTuple):
    """An engine that a cell (sandbox) has just started.

    Attributes:
        pidfd: Pidfd of its process.
        user: User CPU time in us of all processes that had ended in the cell before.
        kernel: Kernel CPU time in us of the same processes.
    """

    pidfd: int
    user: int
    kernel: int


class Cell:
    """The sandbox of one engine at a time: a process in its own namespaces, which starts the engine.

    Attributes:
        key: `key_of` its plan. Cells with equal keys are interchangeable.
        first: Pid of its first process.
        counter: Descriptor of a counter of the CPU time of all its processes; -1 without one.
        missing: Layers of containment that the kernel refused, each with its reason after a colon.
        group: Control group of all its processes; None without one.
        closed_file: File that engines of this cell need and only root can read, so that they stay root; "" if
            there is none.
        closed_part: The file or folder whose permissions exclude other users from `closed_file`; "" if
            unknown.
        is_usable: Whether another engine can be started in it.
    """

    closed_file = closed_part = ""

    def __init__(self, connection: socket.socket, key: str, group: Group | None = None) -> None:
        """Wait until a cell (the sandbox of an engine) is ready. Raises CellBroken.

        Args:
            connection: Socket of the cell's process.
            key: `key_of` its plan.
            group: Control group of the cell; None without one.
        """
        self.key = key
        self._has_ended = False
        self._connection = connection
        self._connection.settimeout(_PATIENCE)
        self._lines = FdLines(connection, _read_answer, _MOST)
        self._launch: Launch | None = None  # that it was sent last
        try:
            answer, descriptors = self._receive()
            self.missing = self._expected(answer.ready, descriptors)
        except CellBroken:
            self._lines.close()
            raise
        self.counter = _first_of(descriptors)
        self.first = answer.first
        self.group = group
        self.is_usable = True

    def start(self, launch: Launch, told: Mapping[str, str], descriptors: Sequence[int]) -> Started:
        """Start an engine.

        Args:
            launch: Program and environment. The same object as for the previous engine is not sent again.
            told: Environment variables that are added to the environment of this engine.
            descriptors: The engine's stdin, stdout and stderr.

        Raises:
            OSError: The program cannot be executed.
            CellBroken: The cell (sandbox) does not answer.
        """
        order = {"start": told} if launch is self._launch else {"start": told, "launch": launch}
        self._launch = launch
        self._send(order, descriptors)
        answer, received = self._receive()
        if answer.error is not None:
            close_all(received)
            raise OSError(0, answer.error, answer.file)
        used = self._expected(answer.started, received)
        pidfd = _first_of(received)
        return Started(pidfd if pidfd >= 0 else self._take_engine(), *used)

    def _take_engine(self) -> int:
        """Open the pidfd of the cell's engine in this process, and return it.

        Called if the cell could not send a pidfd (see ETOOMANYREFS in `launcher`).

        Raises:
            CellBroken: The engine has ended, or cannot be watched.
        """
        engine, *_ = _proc.children_of(self.first) or [-1]  # the cell's only child
        try:
            return os.pidfd_open(engine)
        except OSError as error:
            self.is_usable = False
            raise CellBroken(f"its engine cannot be watched: {error.strerror}") from None
        finally:
            self._send({"taken": True})

    def signal(self, number: int) -> None:
        """Send a signal to all processes in the cell (sandbox) except its first."""
        with suppress(CellBroken):
            self._send({"signal": number})

    def end(self) -> tuple[int, int]:
        """Wait until all processes of an ended engine are gone.

        Returns:
            The exit code of the engine, or the negative number of the signal that killed it; and the CPU time
            of all its processes in ns.
        """
        answer, descriptors = self._receive()
        code = self._expected(answer.code, descriptors)
        close_all(descriptors)
        if answer.leftovers:
            self.is_usable = False
        return code, answer.cpu

    def has_ended(self) -> bool:
        """Return whether the cell's first process has died before the cell was closed."""
        if self._has_ended or self._connection.fileno() < 0:
            return self._has_ended
        if select.select([self._connection], [], [], 0)[0]:
            try:
                self._has_ended = not self._connection.recv(1, socket.MSG_PEEK)
            except ConnectionError:  # it died before it had read all that it was sent
                self._has_ended = True
        return self._has_ended

    def close(self) -> None:
        """End the cell (sandbox) and all its processes."""
        self.is_usable = False
        self._connection.close()
        self._lines.close()
        if self.group is not None:
            self.group.retire()
        if self.counter >= 0:
            os.close(self.counter)
            self.counter = -1

    def _send(self, message: Mapping[str, Any], descriptors: Sequence[int] = ()) -> None:
        data = _line(message)
        try:
            if descriptors:
                data = data[socket.send_fds(self._connection, [data], [*descriptors]) :]
            if data:
                self._connection.sendall(data)
        except ConnectionError:
            self.is_usable, self._has_ended = False, True
            raise CellLost("its cell was killed") from None
        except OSError as error:
            self.is_usable = False
            raise CellBroken(f"its cell takes no orders: {error.strerror or error}") from None

    def _expected(self, part: T | None, descriptors: Sequence[int]) -> T:
        """Return `part`, or raise CellBroken if it is None.

        Args:
            part: The field of the cell's answer that must be there.
            descriptors: The descriptors that came with the answer. They are closed if the field is missing.
        """
        if part is None:
            self.is_usable = False
            close_all(descriptors)
            raise CellBroken(_NONSENSE)
        return part

    def _receive(self) -> tuple[_Answer, list[int]]:
        self.is_usable = False
        try:
            message = self._lines.next()
        except ConnectionError:  # it died before it had read all that it was sent
            message = None
        except OSError as error:
            raise CellBroken(f"its cell gives no answer: {kernel.describe_error(error)}") from None
        except ValueError:
            raise CellBroken(_NONSENSE) from None
        if message is None:
            self._has_ended = True
            raise CellLost("its cell was killed")
        answer, descriptors = message
        if answer.out_of_reach is not None or (answer.error is not None and answer.file is None):
            close_all(descriptors)
            if answer.out_of_reach is not None:
                raise OutOfReach(answer.out_of_reach)
            raise CellBroken(str(answer.error))
        self.is_usable = True
        return answer, descriptors


class _Process(Protocol):
    """The members of the launcher process that are used. It is a `subprocess.Popen` or a fork."""

    pid: int

    def poll(self) -> int | None: ...
    def wait(self) -> int: ...
    def kill(self) -> None: ...


class _Fork:
    """A child process, made by a fork of this process, which must be single-threaded."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._code: int | None = None
        self.pid = os.fork()
        if not self.pid:
            try:
                work()
            finally:
                os._exit(1)

    def poll(self) -> int | None:
        return self._waited(os.WNOHANG)

    def wait(self) -> int:
        return self._waited(0) or 0

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def _waited(self, options: int) -> int | None:
        if self._code is None:
            pid, status = os.waitpid(self.pid, options)
            self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code


class Launcher:
    """The launcher process, which makes cells (sandboxes of engines). It starts when this object is created.

    Attributes:
        pid: Its process id.
    """

    def __init__(self, after: Callable[[], object] | None = None) -> None:
        """Start the launcher process.

        Args:
            after: Function that the launcher calls when this process and all cells have ended. The launcher
                is then a fork of this process, and outlives it. With None, the launcher dies with this
                process.
        """
        # A cell's limit of open files must be below that of this process: see `planning` for descriptors in
        # flight
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = self._started(theirs) if after is None else self._forked(theirs, after)
        self.pid = self._process.pid
        self._groups: list[Groups] = []

    def _started(self, theirs: socket.socket) -> _Process:
        return subprocess.Popen(
            [*COMMAND, str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            env={},
            process_group=0,
        )

    def _forked(self, theirs: socket.socket, after: Callable[[], object]) -> _Process:
        def launch() -> None:
            self._socket.close()
            launcher.outlive(theirs, after)

        return _Fork(launch)

    def remove_later(self, groups: Groups) -> None:
        """Have these control groups removed when the launcher and all its cells have ended."""
        self._groups.append(groups)

    def make(self, plan: Plan, group: Group | None = None) -> Cell:
        """Make a cell (the sandbox of an engine). Raises CellBroken if the kernel refuses the plan.

        Args:
            plan: How the cell gives up rights.
            group: Control group that the cell joins; None for none.
        """
        ours, theirs = socket.socketpair()
        try:
            try:
                with theirs:
                    data = _line({**plan, "joins": [] if group is None else group.joins})
                    sent = socket.send_fds(self._socket, [data], [theirs.fileno()])
                    self._socket.sendall(data[sent:])
            except OSError as error:
                raise CellLost(f"the launcher has ended: {error.strerror}") from None
            return Cell(ours, key_of(plan), group)
        except CellBroken:
            ours.close()
            if group is not None:
                group.retire()
            raise

    def has_ended(self) -> bool:
        """Return whether the launcher has died. Its cells (sandboxes) are dead then, too."""
        return self._process.poll() is not None

    def close(self) -> None:
        self._socket.close()
        with suppress(ProcessLookupError):  # reaped already
            ends = select.poll()
            ends.register(pidfd := os.pidfd_open(self.pid), select.POLLIN)
            if not ends.poll(_PATIENCE * 1000):
                self._process.kill()
            os.close(pidfd)
        self._process.wait()
        for groups in self._groups:
            groups.close()
