"""The reaper: a process that outlives a run, however the run ends, and kills all processes that are left of
it.

Workers have ``GYOJI_RUN=<token>.<number>`` in their environment, and engines inherit it. The run starts this
module as a script (``python -S -I reaper.py TOKEN FOLDER``) that reads its standard input, a pipe from the
run. At end of file the script kills every process with the token, and removes the engines' working folder and
control groups. It has a session of its own and ignores the terminal's signals.
"""

# A run that is killed cannot clean up, so another process has to. The pipe is the signal: the kernel
# closes the run's end however the run dies. The environment is the mark, because a process can leave its
# process group, its session and its parent, but keeps the environment that it was started with. An engine
# could overwrite that memory; a contained one ends with its cell all the same. The module imports next to
# nothing, because whoever ends a run waits for it.

import os
import signal
import sys
import time

VARIABLE = "GYOJI_RUN"

_SWEEP_SECONDS = 30.0
"""Seconds to go on killing. A process that still exists afterwards is stuck in the kernel."""

_REMOVAL_SECONDS = 60.0
_SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def sweep(mark: str, seconds: float = 2.0) -> int:
    """Kill every process whose variable `GYOJI_RUN` is `mark`, or begins with `mark` and a dot.

    This is repeated until no such process is found, since a process may start another one just before it is
    killed.

    Args:
        seconds: Time after which to give up.

    Returns:
        How many processes were killed.
    """
    give_up = time.monotonic() + seconds
    killed: set[int] = set()
    pause = 0.0
    while found := _kill_marked(mark):
        killed |= found
        if time.monotonic() > give_up:
            break
        time.sleep(pause)
        pause = min(pause + 0.002, 0.1)
    return len(killed)


def _kill_marked(mark: str) -> set[int]:
    """Kill every process that exists now and has the mark (see `sweep`). Return their pids."""
    whole = f"\0{VARIABLE}={mark}\0".encode()
    part = f"\0{VARIABLE}={mark}.".encode()
    found = set()
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            descriptor = os.pidfd_open(int(name))
        except OSError:
            continue
        try:  # the pidfd stays with the process whose environment is read, even if its number is used again
            with open(f"/proc/{name}/environ", "rb") as file:
                environ = b"\0" + file.read() + b"\0"
            if whole in environ or part in environ:
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
                found.add(int(name))
        except OSError:
            continue
        finally:
            os.close(descriptor)
    return found


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.path.append(_SOURCES)
    # This process has no packages but those it names.
    from gyoji.executors.contained.cgroups import find_hierarchies  # noqa: PLC0415
    from gyoji.store.filesystem import remove_tree  # noqa: PLC0415

    while os.read(0, 64):
        pass
    sweep(sys.argv[1], _SWEEP_SECONDS)
    remove_tree(sys.argv[2], _REMOVAL_SECONDS)
    for hierarchies in find_hierarchies(cpu=True):
        hierarchies.remove_abandoned(_SWEEP_SECONDS)


if __name__ == "__main__":
    main()
