"""Engines as processes of this machine: own session, dies with us, nothing of it survives its game.

Every engine is the leader of its own session and process group, so that it can be ended with all it started.
It carries a parent-death signal, set by `setpriv` where there is one (a plain `vfork` then starts it in
0.1 ms of our time), else between fork and exec. What leaves the group (a daemon) is adopted by us
through the subreaper flag and ended after the game: see `end_orphans`.

Not here: what is said to an engine, and how long it may take.
"""

import os
import resource
import select
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Set
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
    """One engine's process and our ends of its pipes (non-blocking): `Channel` and `Process` in one."""

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
        """The process and its descendants. A daemon, whose parent has ended, is not found."""
        return [self.pid, *_proc.descendants(self.pid)]

    def cpu_ns(self, *, user_only: bool = False) -> int:
        """CPU time of all threads of the process until now."""
        return _proc.cpu_ns(self.pid, user_only=user_only)

    def tree_ns(self, *, user_only: bool = False) -> int:
        """The same with its descendants: those that live, and those waited for (in ticks of 10 ms)."""
        return sum(
            _proc.cpu_ns(each, user_only=user_only) + _proc.ended_ns(each, user_only=user_only)
            for each in self.family()
        )

    def offspring(self) -> tuple[bool, int]:
        """(whether it has child processes now, page faults of those it has waited for): both from /proc."""
        return bool(_proc.children_of(self.pid)), _proc.faults_of_ended(self.pid)

    def delays(self) -> Mapping[int, int]:
        """See the port; nothing where the kernel does not tell."""
        return {thread: ns for each in self.family() for thread, ns in _proc.delays(each).items()}

    def memory(self, most: int = 0) -> int:
        return _proc.memory(self.family(), most)

    def lost(self) -> str:
        """It needs none of our processes but this one."""
        return ""

    def shortage(self) -> Shortage | None:
        """Nobody knows."""
        return None

    def unlinked(self) -> int:
        return _proc.unlinked_bytes(self.family())

    def suspend(self) -> None:
        self._signal_group(signal.SIGSTOP)
        self._signal_strays(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal_group(signal.SIGCONT)
        self._signal_strays(signal.SIGCONT)

    def _signal_strays(self, number: signal.Signals) -> None:
        """Send a signal to the descendants that have left the group, until there are no new ones."""
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
        # After reaping, the number of the group can belong to somebody else; -1 names one that has been.
        if self._end is None and self.pid > 0:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    def reap(self) -> tuple[str, int] | None:
        """(how it ended, CPU ns of it and of what it waited for) once it has ended; None before.

        Whatever is left of its group is killed first, while the group's number is still its own.
        """
        if self._end is None and select.select([self.pidfd], [], [], 0)[0]:
            self.kill()
            try:
                _, status, usage = os.wait4(self.pid, 0)
            except ChildProcessError:  # somebody else has waited for it
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
    """How a process ended, from its exit code, negative for a signal; None if nobody knows."""
    if code is None:
        return "unknown"
    return f"exit {code}" if code >= 0 else f"signal {-code}"


class LocalExecutor:
    """Starts engines on this machine. Must be used from one thread: see `LocalEngine`'s death signal."""

    def __init__(self) -> None:
        self._ours = dict(os.environ)
        self._public = public_part(self._ours)

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> LocalEngine:
        """Start an engine that may do whatever its user may."""
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
        """The whole environment of an engine."""
        return engine_environment(self._ours, self._public, player, environ)

    @property
    def pids(self) -> frozenset[int]:
        return frozenset()

    def close(self) -> None:
        """It has started nothing for itself."""


def find_program(player: Player) -> str:
    """The file that a player's command executes.

    Raises Breakdown if there is none, or no folder to run in.
    """
    program = player.command[0]
    if problem := wrong_with(program):
        raise Breakdown(f"player {player.code}: {problem}")
    if player.cwd is not None and not os.path.isdir(player.cwd):
        raise Breakdown(f"player {player.code}: no folder {quote(player.cwd)} to run in")
    return program if "/" in program else shutil.which(program) or program


def _engine(player: Player, process: subprocess.Popen[bytes], pipes: "Pipes") -> LocalEngine:
    """The engine of a process that has just been started; if there can be none, the process is ended."""
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
    """Have what is started meanwhile leave no `core` file where it works, however it ends."""
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
    """Why a program cannot be executed, and what to do; "" if it can."""
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
    """The three pipes of one engine; all ends closed again unless `keep` took ours."""

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

    def standard_files(self) -> tuple[int, int, int]:
        """Their ends as descriptors: input, output, errors."""
        into, out, errors = self.theirs
        if errors is None:
            errors = 2
        elif errors == subprocess.DEVNULL:
            self._open.append(errors := os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC))
        return into, out, errors

    def give(self, uid: int) -> None:
        """Have another user own them, who may then open them by their names in /proc."""
        for descriptor in self._open[::2]:
            os.fchown(descriptor, uid, uid)

    def keep(self) -> tuple[int, int, int]:
        """Leave our ends open, for good: input, output, errors (-1 if they are not ours)."""
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
    """(words before a command, function before exec): one of the two sets the parent-death signal."""
    if setpriv := shutil.which("setpriv"):
        words = (setpriv, "--pdeathsig", "KILL", "--")
        if not subprocess.run([*words, "true"], capture_output=True, check=False).returncode:
            return words, None
    return (), die_with_parent


def end_orphans(spared: Set[int] = frozenset()) -> int:
    """Kill and reap every child of this process but those `spared`; how many there were.

    To be called when no other engine is running.

    Killing one can hand us its children, so it goes on until there are none.
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
    except OSError:  # as a rule ChildProcessError: there are none
        return []
