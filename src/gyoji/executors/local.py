"""Engines as processes of this machine without containment. None of their processes survives the game."""

# Every engine leads its own session and process group, so that one signal ends it with most of its processes.
# A process that leaves the group (a daemon) is adopted by the worker, which is a subreaper, and killed after
# the game (`end_orphans`). If the worker is killed, the kernel kills the engine by its parent-death signal.
#
# That signal must be set between fork and exec. `setpriv` does it if it is installed, because with a preexec
# function Popen uses fork instead of vfork. A start with `setpriv` takes 0.1 ms of gyoji's time.
#
# A pid may be used only until the process is reaped: then its number, and that of its group, can belong to
# another process. So `reap` first kills the group and then waits for the leader, and no signal is sent once
# `_end` is set.

import os
import resource
import select
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from functools import cache
from typing import ClassVar

from gyoji.core.environment import engine_environment, public_part
from gyoji.core.faults import Breakdown
from gyoji.core.plugins import Executor
from gyoji.core.ports import Shortage
from gyoji.core.spec import Player
from gyoji.core.text import quote
from gyoji.executors import _proc
from gyoji.executors.kernel import die_with_parent


class LocalEngine:
    """The process of one engine, and gyoji's ends of its pipes, which are non-blocking.

    It implements both ports, `Channel` and `Process`.

    Attributes:
        place: The engine's own folder; "" for none.
        containment: Description of the engine's containment.
        pid: Its process id.
        pidfd: Descriptor that becomes ready when the process ends; -1 once closed.
    """

    place = ""

    containment = "off"

    def __init__(self, player: Player, process: subprocess.Popen[bytes]) -> None:
        self.player = player
        self._process = process
        self._end: tuple[str, int] | None = None
        self.pid = process.pid
        self.pidfd = os.pidfd_open(process.pid)
        self.stdin = self.stdout = self.stderr = -1

    @property
    def process(self) -> "LocalEngine":
        return self

    def family(self) -> list[int]:
        """Return the pids of the process and its descendants. Daemons are not found, because their parents
        have ended.
        """
        return [self.pid, *_proc.descendants(self.pid)]

    def cpu_ns(self, *, user_only: bool = False) -> int:
        """Return the CPU time in ns of all threads of the process.

        Args:
            user_only: Whether time in the kernel is left out.
        """
        return _proc.cpu_ns(self.pid, user_only=user_only)

    def tree_ns(self, *, user_only: bool = False) -> int:
        """Return the CPU time in ns of the process and its descendants.

        The time of ended descendants is counted in ticks of 10 ms.

        Args:
            user_only: Whether time in the kernel is left out.
        """
        return sum(
            _proc.cpu_ns(each, user_only=user_only) + _proc.ended_ns(each, user_only=user_only)
            for each in self.family()
        )

    def offspring(self) -> tuple[bool, int]:
        """Return whether the engine has children, and the page faults of the children that it has waited for.

        The number of page faults grows whenever the engine has waited for a child, however briefly the child
        lived.
        """
        return bool(_proc.children_of(self.pid)), _proc.faults_of_ended(self.pid)

    def delays(self) -> Mapping[int, int]:
        """Return, by thread id, how many ns each thread of the engine's processes has waited for a processor.

        It is {} if the kernel does not count them.
        """
        return {thread: ns for each in self.family() for thread, ns in _proc.delays(each).items()}

    def memory(self, most: int = 0) -> int:
        """Return the bytes of memory of the process and its descendants.

        Args:
            most: Limit in bytes. A result up to the limit may be too high, which is faster to compute; a
                result above the limit is exact.
        """
        return _proc.memory(self.family(), most)

    def lost(self) -> str:
        """Return "": there is no helper process of gyoji between this process and the engine."""
        return ""

    def shortage(self) -> Shortage | None:
        """Return None: without a control group the cause of a kill is unknown."""
        return None

    def unlinked(self) -> int:
        """Return the bytes on disk of deleted files that the engine has open."""
        return _proc.unlinked_bytes(self.family())

    def suspend(self) -> None:
        self._signal_group(signal.SIGSTOP)
        self._signal_strays(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal_group(signal.SIGCONT)
        self._signal_strays(signal.SIGCONT)

    def _signal_strays(self, number: signal.Signals) -> None:
        """Send a signal to descendants outside the engine's process group, until no new ones appear."""
        told: set[int] = set()
        while self._end is None:
            strays = [each for each in _proc.descendants(self.pid) if each not in told]
            for each in strays:
                with suppress(ProcessLookupError, PermissionError):
                    if os.getpgid(each) != self.pid:
                        os.kill(each, number)
            if not strays:
                break
            told.update(strays)

    def terminate(self) -> None:
        self._signal_group(signal.SIGTERM)

    def kill(self) -> None:
        self._signal_group(signal.SIGKILL)

    def _signal_group(self, number: signal.Signals) -> None:
        # After reaping, the group's number can belong to another process, so pid is -1 then.
        if self._end is None and self.pid > 0:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    def reap(self) -> tuple[str, int] | None:
        """Return how the engine ended, or None while it runs.

        When the engine has ended, the processes that are left of its process group are killed.

        Returns:
            How the engine ended, in words, and the CPU time in ns of its process and of the children that it
            has waited for; ("unknown", 0) if another part of this process has waited for the engine.
        """
        if self._end is None and select.select([self.pidfd], [], [], 0)[0]:
            self.kill()
            try:
                _, status, usage = os.wait4(self.pid, 0)
            except ChildProcessError:  # reaped by another part of this process
                self._process.returncode = 0
                self._end = ("unknown", 0)
                return self._end
            code = self._process.returncode = os.waitstatus_to_exitcode(status)
            self._end = (describe_exit(code), round((usage.ru_utime + usage.ru_stime) * 1e9))
        return self._end

    def close_stdin(self) -> None:
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def close(self) -> None:
        for name in ("stdin", "stdout", "stderr", "pidfd"):
            if (descriptor := getattr(self, name)) >= 0:
                os.close(descriptor)
                setattr(self, name, -1)


def describe_exit(code: int | None) -> str:
    """Return how a process ended, in words.

    Args:
        code: Its exit code; the negative number of a signal that killed it; None if unknown.
    """
    if code is None:
        return "unknown"
    return f"exit {code}" if code >= 0 else f"signal {-code}"


class LocalExecutor:
    """Starts engines as ordinary processes of this machine.

    Use it from one thread only, because engines die with the thread that started them.
    """

    def __init__(self) -> None:
        self._ours = dict(os.environ)
        self._public = public_part(self._ours)

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> LocalEngine:
        """Start an engine with all rights of gyoji's user. Raises Breakdown if it cannot be started.

        Args:
            environ: Environment variables of this game.
            place: The engine's own folder; "" for none.
        """
        program = find_program(player)
        prefix, before_exec = _death_signal()
        try:
            with Pipes(player.stderr) as pipes, _no_core_file():
                process = subprocess.Popen(
                    [*prefix, *player.command],
                    stdin=pipes.theirs[0],
                    stdout=pipes.theirs[1],
                    stderr=pipes.theirs[2],
                    cwd=player.cwd,
                    env=self.environ_of(player, environ),
                    start_new_session=True,
                    preexec_fn=before_exec,  # noqa: PLW1509 (only without setpriv, and we have one thread)
                )
                engine = _engine(player, process, pipes)
                engine.place = place
                return engine
        except OSError as error:
            reason = error.strerror
            raise Breakdown(f"player {player.code}: cannot start {quote(program)}: {reason}") from None

    def environ_of(self, player: Player, environ: Mapping[str, str]) -> dict[str, str]:
        return engine_environment(self._ours, self._public, player, environ)

    @property
    def pids(self) -> frozenset[int]:
        return frozenset()

    def close(self) -> None:
        pass


def find_program(player: Player) -> str:
    """Return the path of the program in a player's command.

    Raises:
        Breakdown: The program or the player's working folder does not exist.
    """
    program = player.command[0]
    if problem := wrong_with(program):
        raise Breakdown(f"player {player.code}: {problem}")
    if player.cwd is not None and not os.path.isdir(player.cwd):
        raise Breakdown(f"player {player.code}: no folder {quote(player.cwd)} to run in")
    return program if "/" in program else shutil.which(program) or program


def _engine(player: Player, process: subprocess.Popen[bytes], pipes: "Pipes") -> LocalEngine:
    """Return the engine for a process that was just started. If that fails, kill the process."""
    try:
        with suppress(ProcessLookupError, PermissionError):  # gone already, or one that is not ours any more
            resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
        engine = LocalEngine(player, process)
    except OSError:
        process.kill()
        process.wait()
        raise
    engine.stdin, engine.stdout, engine.stderr = pipes.keep()
    return engine


@contextmanager
def _no_core_file() -> Iterator[None]:
    """Prevent programs that are started in the block from leaving `core` files in their working folders."""
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))


EXECUTOR = Executor(name="local", open=LocalExecutor)


_INTERPRETERS = {
    ".py": "python",
    ".js": "node",
    ".jar": "java -jar",
    ".sh": "sh",
    ".pl": "perl",
    ".rb": "ruby",
}
_OF_SHELLS = {"cd", "export", "exec", "source", "ulimit", "."}
_PACKAGES = {"gnugo": "apt-get install gnugo, on Debian"}


def wrong_with(program: str) -> str:
    """Return why a program cannot be executed and what to do about it; "" if it can be."""
    if "/" not in program:
        if shutil.which(program):
            return ""
        if program in _OF_SHELLS or "=" in program:
            return (
                f"no program {quote(program)}: no shell reads command; settings for this are cwd and environ"
            )
        install = f"install it ({_PACKAGES[program]})" if program in _PACKAGES else "install it"
        return (
            f"no program {quote(program)} on PATH, nor among those of gyoji or in /usr/games: "
            f"{install}, or write its path, such as ./{os.path.basename(program)[:40]}"
        )
    if os.access(program, os.X_OK) and not os.path.isdir(program):
        return ""
    if not os.path.exists(program):
        return f"no program {quote(program)}: there is no such file; mend its path in command"
    if os.path.isdir(program):
        return f"{quote(program)} is a folder: command names the program in it"
    interpreter = _INTERPRETERS.get(os.path.splitext(program)[1].lower())
    by = f", or write {interpreter} {os.path.basename(program)} as its command" if interpreter else ""
    return f"{quote(program)} is not executable: chmod +x it{by}"


class Pipes:
    """The pipes of one engine: for stdin, for stdout and, if gyoji reads its stderr, for stderr.

    At the end of the `with` block all ends are closed, except gyoji's after `keep`.

    Attributes:
        ours: gyoji's ends of the engine's stdin, stdout and stderr (-1 if gyoji does not read its stderr).
        theirs: The engine's ends, in the same order and in the form for `subprocess.Popen`.
    """

    _ELSEWHERE: ClassVar = {"discard": subprocess.DEVNULL, "inherit": None}

    def __init__(self, stderr: str) -> None:
        self._open: list[int] = []
        try:
            into, stdin = self._pipe()
            stdout, out = self._pipe()
            errors, err = self._pipe() if stderr == "log" else (-1, self._ELSEWHERE[stderr])
        except OSError:
            self.__exit__()
            raise
        self.ours = (stdin, stdout, errors)
        self.theirs = (into, out, err)

    def _pipe(self) -> tuple[int, int]:
        ends = os.pipe2(os.O_CLOEXEC)
        self._open += ends
        return ends

    def standard_files(self) -> Sequence[int]:
        """Return the descriptors for the engine's stdin, stdout and stderr; without stderr if it is
        discarded.
        """
        into, out, errors = self.theirs
        if errors == subprocess.DEVNULL:
            return into, out
        return into, out, 2 if errors is None else errors

    def give(self, uid: int) -> None:
        """Make the user `uid` the owner of the pipes, so that the engine can open /dev/stdin."""
        for descriptor in self._open[::2]:
            os.fchown(descriptor, uid, uid)

    def keep(self) -> tuple[int, int, int]:
        """Return gyoji's ends, non-blocking and open after the block: stdin, stdout, stderr (-1 for none)."""
        for descriptor in self.ours:
            if descriptor >= 0:
                os.set_blocking(descriptor, False)
                self._open.remove(descriptor)
        return self.ours

    def __enter__(self) -> "Pipes":
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self._open:
            os.close(descriptor)


@cache
def _death_signal() -> tuple[tuple[str, ...], Callable[[], None] | None]:
    """Return the means that make a program die with this process, of which only one is used.

    Returns:
        Words to put before the program's command: `setpriv --pdeathsig` and its arguments; () if that program
        is missing or fails. Then a function to call before the program is executed; None if it is not needed.
    """
    if setpriv := shutil.which("setpriv"):
        words = (setpriv, "--pdeathsig", "KILL", "--")
        if not subprocess.run([*words, "true"], capture_output=True, check=False).returncode:
            return words, None
    return (), die_with_parent


def end_orphans(spared: Set[int] = frozenset()) -> int:
    """Kill every child of this process and wait for it, until none is left. Return their number.

    Descendants of a killed child become children of this process. No engine may be running.

    Args:
        spared: Pids of children that are not killed.
    """
    ended = 0
    while orphans := [pid for pid in _children() if pid not in spared]:
        for pid in orphans:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)
        ended += len(orphans)
    return ended


def _children() -> list[int]:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return [int(word) for word in _proc.read("/proc/thread-self/children").split()]
    except OSError:  # ChildProcessError: there are none
        return []
