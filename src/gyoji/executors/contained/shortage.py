"""Who is to blame when the kernel ends an engine for want of memory.

An engine that meets its own limit has itself to blame, and so has one that dies for any reason that nobody
has evidence of. The machine is to blame only if the kernel counts that it ended a process of the engine's
group, the group had not met its own limit and was far below it, and somebody else has more memory than the
group ever had. Without a control group there is no such evidence: an engine can have memory that is in no
process.
"""

import os
from collections.abc import Iterator
from contextlib import suppress

from gyoji.core.ports import Shortage
from gyoji.core.text import format_size
from gyoji.executors.contained.cgroups import Group, Toll


def judge(before: Toll, now: Toll, *, limit: int, largest: int) -> Shortage | None:
    """The shortage of memory for which there is evidence; None without any.

    before, now: the counters of the engine's group. limit: of its memory, 0 for none. largest: the most
    memory that anybody else has.
    """
    if now.killed <= before.killed:
        return None
    if limit and now.met > before.met:
        used = format_size(now.most) if now.most > limit else f"more than {format_size(limit)}"
        text = f"used {used} of memory, {format_size(limit)} allowed: the system ended a process of it"
        return Shortage(own=True, text=text)
    if now.most < 0 or now.most >= largest or (limit and now.most > limit // 2):
        return None
    text = f"the machine ran out of memory, of which it had used {format_size(now.most)} at most"
    return Shortage(own=False, text=f"{text}, and another {format_size(largest)}")


def largest_other(group: Group) -> int:
    """The most memory that another group of ours, or all processes of another session, have now."""
    return max((*group.others(), *_sessions()), default=0)


def _sessions() -> Iterator[int]:
    """By session, bytes of memory that are its processes' own."""
    page = os.sysconf("SC_PAGE_SIZE")
    found: dict[bytes, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError, IndexError):
                with open(f"/proc/{name}/stat", "rb") as file:
                    session = file.read().rpartition(b")")[2].split()[3]
                with open(f"/proc/{name}/statm", "rb") as file:
                    _, resident, shared, *_ = map(int, file.read().split())
                found[session] = found.get(session, 0) + (resident - shared) * page
    yield from found.values()
