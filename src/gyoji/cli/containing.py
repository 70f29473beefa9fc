"""`gyoji contain`: run one engine contained, for a match manager such as fastchess, which starts engines
itself.
"""

# The manager has made pipes and started us with them as standard files. They go to the engine as they are:
# no byte of a game passes through this process, which only waits, for the end of the engine or a signal.
#
#     manager --fork, exec--> gyoji contain --fork--> launcher --clone--> cell --posix_spawn--> engine
#        |                     waits, sends on           |                                       ^
#        |                     signals                   removes folders and groups              |
#        +------------------- stdin, stdout, stderr ---------------------------------------------+
#
# The manager may kill this process (SIGKILL) at any moment. The kernel then closes our sockets: the cell, at
# the end of its one, kills the engine with all that it has started, and the launcher, a fork with a session
# of its own, removes the folder and the control group after that. A process that is killed could not. If both
# are killed together, the next `gyoji contain` or `gyoji run` removes what is left.
#
# If this machine lacks a layer of the level, no engine is started: there is no report that could say so
# later.

import gc
import os
import select
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from gyoji.cli.exits import complain
from gyoji.core.faults import Breakdown, GyojiError
from gyoji.core.spec import Budgets, Containment, Player
from gyoji.core.text import format_size
from gyoji.executors import kernel, local
from gyoji.executors.contained.cells import CellBroken, Launcher
from gyoji.executors.contained.cgroups import find_hierarchies
from gyoji.executors.contained.engine import ContainedEngine
from gyoji.executors.contained.engines import ContainedExecutor
from gyoji.executors.scratch import claim, scratch_folder, scratch_place
from gyoji.play.workspace import remove_abandoned
from gyoji.store.filesystem import remove_tree

NOT_CONTAINED, NOT_EXECUTED, NOT_FOUND, OF_A_SIGNAL = 125, 126, 127, 128
"""Exit statuses like those of env(1), timeout(1) and shells. The number of a signal is added to the last
one.
"""

_PASSED_ON = (
    signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2,
    signal.SIGTSTP, signal.SIGCONT,
)  # fmt: skip

_SAMPLES_APART = 100
"""Milliseconds between two measurements of an engine's memory if no control group limits it."""

_REMOVAL_SECONDS = 30.0
_DEBIAN_GAMES = "/usr/games:/usr/local/games"
_NO_FILE = ".gyoji"
"""Name of a file in the working folder that counts as the competition's, so that the executor hides files
there. The file need not exist.
"""


class _Inherited(local.Pipes):
    """The standard files of this process, which the engine gets instead of pipes."""

    def __init__(self, _stderr: str) -> None:
        self._open: list[int] = []
        self.ours = (-1, -1, -1)
        self.theirs = (0, 1, None)


def contain(words: Sequence[str], containment: Containment, memory: int) -> int:
    """Start an engine contained, with the standard files of this process, and wait for its end.

    Args:
        words: Program and arguments.
        containment: Level, `readable`, `writable` and `network`.
        memory: Limit in bytes; 0 for none.

    Returns:
        The exit status of the engine, or 128 and the signal's number if a signal killed it. If it was not
        started: `NOT_CONTAINED`, `NOT_EXECUTED` or `NOT_FOUND`.
    """
    program = _found(words[0])
    if problem := local.wrong_with(program):
        complain(problem)
        return NOT_EXECUTED if os.path.exists(program) else NOT_FOUND
    signal.pthread_sigmask(signal.SIG_BLOCK, _PASSED_ON)
    gc.freeze()  # the launcher shares our memory: the collector would copy it
    folder = scratch_folder(os.urandom(8).hex())
    executor = ContainedExecutor(lambda: Launcher(after=lambda: _clean_up(folder)), _Inherited)
    executor.prepare()  # the launcher, before there is anything that it would have to remove
    claimed = claim(folder)
    try:
        player = _player((program, *words[1:]), containment, memory)
        _check(executor, containment.level)
        return _status(_attended(_started(executor, player, folder / "1")))
    except _NotExecuted as error:
        complain(str(error))
        return NOT_EXECUTED
    except (GyojiError, CellBroken) as error:
        complain(str(error))
        return NOT_CONTAINED
    finally:
        executor.close()
        if folder.exists():  # the launcher was killed
            _clean_up(folder)
        os.close(claimed)


class _NotExecuted(Exception):
    """The engine's program could not be executed."""


def _found(word: str) -> str:
    """Return the absolute path of a program, or `word` itself if there is none.

    A word with a slash is a path. A name is looked for on PATH, beside gyoji, and in /usr/games.
    """
    if "/" in word:
        return os.path.abspath(word)
    beside = os.path.dirname(sys.executable)
    return shutil.which(word) or shutil.which(word, path=f"{beside}:{_DEBIAN_GAMES}") or word


def _player(command: tuple[str, ...], containment: Containment, memory: int) -> Player:
    """Return the engine as a player whose working folder is that of this process.

    The folder is treated like that of a competition. At level "strict" the engine sees only those files in
    the folder that its command names, and files that it writes go to a temporary layer over the folder. A
    folder that would contain this layer itself, such as / or /tmp, is used as it is.
    """
    here = os.getcwd()
    # No layer can lie over the folder that has its upper folder in it: / and /tmp are as they are
    is_covered = not Path(scratch_place()).is_relative_to(here)
    hidden = (f"{here}/{_NO_FILE}",) if is_covered else ()
    return Player(
        code=os.path.basename(command[0]),
        command=command,
        cwd=here if is_covered else None,
        stderr="inherit",
        budgets=Budgets(memory=memory),
        containment=replace(containment, hidden=hidden),
    )


def _check(executor: ContainedExecutor, level: str) -> None:
    """Raise Breakdown if this machine lacks a layer that a level of containment needs."""
    if lacking := executor.machine.lacks(level):
        raise Breakdown(
            f"{level} cannot be had on this machine: {'; '.join(lacking)}. "
            "`gyoji doctor` shows what is missing, docs/how-to/trouble.md what to do about it"
        )


def _started(executor: ContainedExecutor, player: Player, place: Path) -> ContainedEngine:
    """Create the engine's folders below `place`, and start it. Raise _NotExecuted if it cannot be started."""
    environ = {"TMPDIR": f"{place}/tmp"}
    if player.containment.level == "strict":  # it cannot see the user's home
        environ["HOME"] = f"{place}/home"
    for each in ("overlay/upper", "overlay/work"):
        (place / each).mkdir(mode=0o700, parents=True)
    for path in environ.values():
        os.mkdir(path, 0o700)
    try:
        engine = executor.start(player, environ, place=str(place))
    except Breakdown as error:
        raise _NotExecuted(str(error)) from None
    assert isinstance(engine, ContainedEngine)
    return engine


def _attended(engine: ContainedEngine) -> ContainedEngine:
    """Wait until an engine ends, and return it. Forward signals to it. Kill it if it uses too much memory."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):  # so that manager and engine notice when the other one closes its end
        os.dup2(nowhere, number)
    os.close(nowhere)
    signals = kernel.signal_descriptor(*_PASSED_ON)
    most = 0 if engine.is_limited else engine.player.budgets.memory
    ready = select.poll()
    for each in (engine.pidfd, signals):
        ready.register(each, select.POLLIN)
    while engine.reap() is None:
        for descriptor, _ in ready.poll(_SAMPLES_APART if most else None):
            if descriptor == signals:
                for number in kernel.read_signals(signals):
                    _pass_on(number, engine)
        if most and (used := engine.memory(most)) > most:
            complain(f"used {format_size(used)} of memory, {format_size(most)} allowed")
            engine.kill()
            most = 0
    os.close(signals)
    return engine


def _pass_on(number: int, engine: ContainedEngine) -> None:
    """Forward a signal that this process has received to the engine.

    SIGTSTP suspends all processes of the engine, then this process. SIGCONT resumes the engine.
    """
    if number == signal.SIGTSTP:
        engine.suspend()
        os.kill(os.getpid(), signal.SIGSTOP)
    elif number == signal.SIGCONT:
        engine.resume()
    else:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(engine.pidfd, number)


def _status(engine: ContainedEngine) -> int:
    """Return the exit status of this process for an engine that has ended.

    Print the causes that the status does not show: a lost cell, or a limit that was reached.
    """
    if why := engine.lost():
        complain(why)
    if shortage := engine.shortage():
        complain(shortage.text)
    engine.close()
    code = -signal.SIGKILL if engine.code is None else engine.code
    return code if code >= 0 else OF_A_SIGNAL - code


def _clean_up(folder: Path) -> None:
    """Remove an engine's folder, and the folders and control groups that killed launchers have left."""
    remove_tree(folder, _REMOVAL_SECONDS)
    remove_abandoned()
    for hierarchies in find_hierarchies(cpu=True):
        hierarchies.remove_abandoned(_REMOVAL_SECONDS)
