"""Nothing is left running: find the processes that carry a run's mark in their environment, and end them.

Workers carry ``GYOJI_RUN=<token>.<number>``; engines, and all that engines start, inherit it. Run as a script
(``python -S -I warden.py TOKEN FOLDER``) this is the warden: a process of its own session that sleeps on a
pipe, its standard input, until the run's process has ended, however it ended, and then sweeps until nothing
is left, and removes the folder in which the run's engines worked, and their control groups.
It imports next to nothing, to be small, and that while the run begins: whoever ends a run waits for it.
"""

import os
import signal
import sys
import time

VARIABLE = "GYOJI_RUN"

_SWEEP_SECONDS = 30.0
"""Seconds to kill in; a process that is still there then (stuck in the kernel) is left to the kernel."""

_REMOVAL_SECONDS = 60.0
_SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def sweep(mark: str, seconds: float = 2.0) -> int:
    """Kill every process marked with `mark`, or with it and a dot and more; how many there were.

    Goes round until a round finds none, since what is killed may just have started another; gives up after
    `seconds`.
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
    """One round: the pids of the marked processes, which have been sent KILL."""
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
