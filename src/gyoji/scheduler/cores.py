"""The processors of this machine: how many games may use, and which of them are a slot's own.

A game whose referee and engines share one processor is disturbed by nothing but the machine, and cheaper: a
question wakes nobody on another processor, which costs more than all that a referee does for a move.
"""

import os
from pathlib import Path

from gyoji.core.faults import ConfigError

_SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))


def share_out(slots: int, cores: int) -> tuple[frozenset[int], ...]:
    """For each slot the `cores` processors that are its own; nothing if cores is 0.

    One thread of each physical core is given away before any second one. Raises ConfigError if there are not
    enough for all.
    """
    if not cores:
        return ()
    there = sorted(os.sched_getaffinity(0), key=lambda cpu: (_rank(cpu), cpu))
    if slots * cores > len(there):
        raise ConfigError(
            f"cores: {slots} at once with {cores} each are {slots * cores} processors, and there are "
            f"{len(there)}: play fewer games at once (--parallel), or set cores to 0"
        )
    return tuple(frozenset(there[first * cores : (first + 1) * cores]) for first in range(slots))


def _rank(cpu: int) -> int:
    """Which thread of its physical core a processor is, from 0; 0 where the system does not tell."""
    try:
        text = Path(_SIBLINGS.format(cpu)).read_text()
    except OSError:
        return 0
    siblings: list[int] = []
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        siblings += range(int(first), int(last or first) + 1)
    return siblings.index(cpu) if cpu in siblings else 0
