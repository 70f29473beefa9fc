"""Who is at the other end of a connection by TCP, when that is on this machine: an engine, or somebody else.

An engine may use the network at some levels of containment, and its user is ours, so neither address nor user
tell. The kernel knows the socket, and which processes have it open. Engines are what workers and launchers
have started: nobody can leave that family, whatever he does, since orphans are adopted within it.
"""

import os
import re
from collections import OrderedDict

from gyoji.executors._proc import descendants, names, read

_TABLES = ("/proc/self/net/tcp", "/proc/self/net/tcp6")
_INODE = 9  # the field of a line of them, see proc_net_tcp(5)
_FAMILIES = (b"gyoji.play.worker", b"gyoji.executors.contained import launcher")
"""Words in the command lines of the processes that start engines."""

_MOST_ROUNDS = 5
_MOST_KNOWN = 1000


class Peers:
    """The peers of a server, each looked at once: a socket's number is not used again soon."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, bool] = OrderedDict()

    def is_engine(self, port: int, own_port: int) -> bool:
        """Whether a connection from a port of this machine to ours belongs to an engine.

        It reads a few files; hundreds, when the connection is new and there are engines.
        """
        inodes = _inodes(port, own_port)
        for inode in inodes:
            if inode not in self._known:
                self._known[inode] = _is_of_engine(f"socket:[{inode}]")
                if len(self._known) > _MOST_KNOWN:
                    self._known.popitem(last=False)
        return any(self._known.get(inode, False) for inode in inodes)


def _inodes(port: int, own_port: int) -> list[str]:
    """The sockets of this machine that are connected from a port to another; none for a peer elsewhere."""
    connected = re.compile(rb"^ *\d+: \w+:%04X \w+:%04X .*" % (port, own_port), re.MULTILINE)
    return [line.split()[_INODE].decode() for table in _TABLES for line in connected.findall(read(table))]


def _is_of_engine(link: str) -> bool:
    """Whether an engine has that open. Processes that begin meanwhile may have been handed it, so they are
    looked at, too. Where some begin all the time, or hide what they have open, somebody else must have it."""
    seen: set[int] = set()
    is_known = True
    for _ in range(_MOST_ROUNDS):
        fresh = engines() - seen
        if not fresh and is_known:
            return False
        seen |= fresh
        for process in fresh:
            is_open = _has_open(process, link)
            if is_open:
                return True
            is_known = is_known and is_open is not None
    return not _is_elsewhere(link)


def engines() -> set[int]:
    """All processes of this machine that workers and launchers of gyoji have started."""
    heads = [int(name) for name in names("/proc") if name.isdecimal() and _is_head(name)]
    return {each for head in heads for each in descendants(head)} - set(heads)


def _is_head(process: str) -> bool:
    command = read(f"/proc/{process}/cmdline")
    return any(words in command for words in _FAMILIES)


def _has_open(process: int, link: str) -> bool | None:
    """Whether a process has that open; None if nobody may know."""
    folder = f"/proc/{process}/fd"
    try:
        descriptors = os.listdir(folder)
    except PermissionError:
        return None
    except OSError:  # it has gone
        return False
    for each in descriptors:
        try:
            if os.readlink(f"{folder}/{each}") == link:
                return True
        except OSError:
            continue
    return False


def _is_elsewhere(link: str) -> bool:
    """Whether a process that is no engine has that open."""
    holders = {int(name) for name in names("/proc") if name.isdecimal() and _has_open(int(name), link)}
    return bool(holders - engines())
