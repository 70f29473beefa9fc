"""The machine as this process finds it: what it kept from us, by the kernel's own counts.

Everything here only grows; what happened between two moments is the difference of two readings. What a kernel
does not tell stays 0.
"""

import os
import time
from contextlib import suppress
from typing import NamedTuple

_STEAL = (
    7  # of the figures of a line of /proc/stat, from 0; what follows is in others already: see proc_stat(5)
)
_AT_ONCE = 1_000_000


class Host(NamedTuple):
    """A reading. ns.

    at         when, by the monotonic clock.
    delay      how long this thread, ready to run, has waited for a processor.
    suspended  how long the machine has been suspended.
    stolen     what other virtual machines have taken of the processors that we may use, on the average.
    ran        what these processors did otherwise, being idle included, on the average.
    """

    at: int
    delay: int
    suspended: int
    stolen: int
    ran: int = 0


def read_host() -> Host:
    """A reading, now. It costs some 20 us, on a machine with many processors more."""
    return Host(time.monotonic_ns(), _own_delay(), _suspended(), *_processors())


def _suspended() -> int:
    """One clock counts while the machine is suspended, the other does not."""
    for _ in range(3):
        before = time.monotonic_ns()
        all_time = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        if time.monotonic_ns() - before < _AT_ONCE:  # nobody came between
            break
    return all_time - before


def total_memory() -> int:
    """Bytes of memory that the machine has."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _own_delay() -> int:
    with suppress(OSError, ValueError, IndexError), open("/proc/thread-self/schedstat", "rb") as file:
        return int(file.read().split()[1])
    return 0


def _processors() -> tuple[int, int]:
    """(stolen, ran) of a reading."""
    ours = {b"cpu%d" % number for number in os.sched_getaffinity(0)}
    stolen = ran = 0
    with suppress(OSError, ValueError, IndexError), open("/proc/stat", "rb") as file:
        for line in file:
            name, *figures = line.split()
            if name in ours:
                stolen += int(figures[_STEAL])
                ran += sum(map(int, figures[:_STEAL]))
            elif not name.startswith(b"cpu"):
                break
    tick = 10**9 // os.sysconf("SC_CLK_TCK")
    return stolen * tick // max(len(ours), 1), ran * tick // max(len(ours), 1)
