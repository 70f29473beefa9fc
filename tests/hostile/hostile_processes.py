"""Attempts of a hostile engine on processes of others. See `hostile.py`."""

import ctypes
import errno
import glob
import os
import resource
import signal
from contextlib import suppress

from hostile_ground import GENTLE, TOLD, NotTriedError, call, is_contained, unless_gentle


def others():
    """Return name -> pid of processes of others, those in sight and those it was told of."""
    found = {name: int(TOLD[name]) for name in ("worker", "scheduler", "other") if name in TOLD}
    for folder in glob.glob("/proc/[0-9]*"):
        with suppress(OSError):
            with open(f"{folder}/cmdline") as file:
                words = file.read()
            pid = int(folder[6:])
            if pid in found.values() or not is_of_worker(pid):
                continue
            if "launcher" in words and pid != os.getppid():
                found["launcher"] = pid
            if "misbehaving" in words:
                found["opponent"] = pid
    return found


def is_of_worker(pid):
    """Return whether a process descends from the worker. No other process is touched."""
    for _ in range(8):
        with open(f"/proc/{pid}/stat") as file:
            pid = int(file.read().rpartition(")")[2].split()[1])
        if pid == int(TOLD.get("worker", 0)):
            return True
    return False


def on_others(deed):
    """Try `deed` on each process. Return the names where it worked, or raise the last error if it never
    did.
    """
    done, last = [], OSError(errno.ESRCH, "")
    for name, pid in others().items():
        try:
            deed(pid)
            done.append(name)
        except OSError as error:
            last = error
    if not done:
        raise last
    return "done " + ",".join(done)


def try_kill():
    return on_others(lambda pid: os.kill(pid, 0 if GENTLE else signal.SIGKILL))


def try_stop():
    return on_others(lambda pid: os.kill(pid, 0 if GENTLE else signal.SIGSTOP))


def try_pidfd():
    def deed(pid):
        signal.pidfd_send_signal(os.pidfd_open(pid), 0 if GENTLE else signal.SIGKILL)

    return on_others(deed)


def try_trace():
    unless_gentle()
    return on_others(lambda pid: call((101, 117), 16, pid, 0, 0))


def try_vm_read():
    def deed(pid):
        with open(f"/proc/{pid}/maps") as file:
            start = int(file.readline().split("-")[0], 16)
        into = ctypes.create_string_buffer(8)
        here = (ctypes.c_size_t * 2)(ctypes.addressof(into), 8)
        there = (ctypes.c_size_t * 2)(start, 8)
        call((310, 270), pid, here, 1, there, 1, 0)

    return on_others(deed)


def opened(name, flags):
    def deed(pid):
        os.close(os.open(f"/proc/{pid}/{name}", flags))

    return lambda: on_others(deed)


try_read_mem = opened("mem", os.O_RDONLY)
try_write_mem = opened("mem", os.O_RDWR)
try_read_environ = opened("environ", os.O_RDONLY)


def try_open_fd():
    def deed(pid):
        descriptor = os.open(f"/proc/{pid}/fd/1", os.O_WRONLY | os.O_NONBLOCK)
        if not GENTLE:
            os.write(descriptor, b"= resign\n\n")

    return on_others(deed)


def try_take_fd():
    return on_others(lambda pid: call((438, 438), os.pidfd_open(pid), 1, 0))


def try_renice():
    def deed(pid):
        now = os.getpriority(os.PRIO_PROCESS, pid)
        os.setpriority(os.PRIO_PROCESS, pid, now if GENTLE else 19)

    return on_others(deed)


def try_renice_user():
    unless_gentle()
    # A priority can be lowered only: the tests themselves may run with a low one.
    os.setpriority(os.PRIO_USER, os.getuid(), min(os.getpriority(os.PRIO_PROCESS, 0) + 1, 19))
    return "own" if is_contained() else "done"


def try_ionice():
    return on_others(lambda pid: call((251, 30), 1, pid, 0 if GENTLE else 3 << 13))


def try_policy():
    def deed(pid):
        policy = os.sched_getscheduler(pid) if GENTLE else os.SCHED_IDLE
        os.sched_setscheduler(pid, policy, os.sched_param(0))

    return on_others(deed)


def try_affinity():
    def deed(pid):
        cores = os.sched_getaffinity(pid)
        os.sched_setaffinity(pid, cores if GENTLE else {min(cores)})

    return on_others(deed)


def try_prlimit():
    def deed(pid):
        now = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, now if GENTLE else (90, now[1]))

    return on_others(deed)


def try_kill_all():
    if GENTLE or not is_contained():
        raise NotTriedError
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    return "own"


def try_kill_init():
    unless_gentle()
    if not is_contained():
        raise NotTriedError
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
        os.kill(1, number)
    for _ in range(1000):
        os.kill(1, signal.SIGCHLD)
    return "own"


def try_limit_init():
    if not is_contained():
        raise NotTriedError
    os.setpriority(os.PRIO_PROCESS, 1, min(os.getpriority(os.PRIO_PROCESS, 1) + 5, 19))
    os.sched_setaffinity(1, {min(os.sched_getaffinity(1))})
    resource.prlimit(1, resource.RLIMIT_NOFILE, (3, 3))
    return "own"
