"""The use of CPU time, memory and files by processes, read from /proc (proc(5)).

For a process that has ended, all values are 0 or empty.
"""

import os
import stat
import time
from collections.abc import Iterable
from contextlib import suppress

# Indexes of fields in /proc/PID/stat, from the field after the name. In proc_pid_stat(5) they are greater by
# three.
_STATE, _SESSION, _CHILDREN_FAULTS, _USER, _CHILDREN_USER = 0, 3, 8, 11, 13

_CHUNK = 1 << 16

_MEMORY = ("/memfd:", "/dev/shm/", "/SYSV", "/dev/zero")
"""Prefixes of the names of files whose contents are in memory."""


def read(path: str) -> bytes:
    """Return the content of a file, or b"" if it cannot be read. Faster than a file object."""
    found = b""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            while data := os.read(descriptor, _CHUNK):
                found += data
        finally:
            os.close(descriptor)
    return found


def names(folder: str) -> list[str]:
    """Return the names in a folder; [] if it cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def stat_fields(pid: int | str) -> list[bytes] | None:
    """Return the fields of /proc/PID/stat (proc(5)) from `state` on; None if the process does not exist."""
    return read(f"/proc/{pid}/stat").rpartition(b")")[2].split() or None


def has_ended(pid: int) -> bool:
    """Return whether a process has certainly ended. If /proc cannot be read, return False."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[_STATE] in (b"Z", b"X")
    except (FileNotFoundError, ProcessLookupError):
        return True
    except OSError:
        return False


def pid_namespace() -> int:
    """Return the inode number of our pid namespace; 0 if /proc is missing or shows another namespace."""
    try:
        if os.readlink("/proc/self") == str(os.getpid()):
            return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        pass
    return 0


def pid_of(pidfd: int) -> int:
    """Return the pid of a process by its pidfd; -1 if the process has ended and was waited for."""
    return int(read(f"/proc/self/fdinfo/{pidfd}").partition(b"\nPid:")[2].split(None, 1)[0])


def faults_of_ended(pid: int) -> int:
    """Return the number of page faults of the terminated children that a process has waited for."""
    fields = stat_fields(pid)
    return 0 if fields is None else int(fields[_CHILDREN_FAULTS]) + int(fields[_CHILDREN_FAULTS + 2])


def children_of(pid: int) -> list[int]:
    """Return the pids of the children of all threads of a process, zombies included."""
    task = f"/proc/{pid}/task"
    return [int(child) for thread in names(task) for child in read(f"{task}/{thread}/children").split()]


def descendants(pid: int) -> list[int]:
    family = children_of(pid)
    for each in family:  # which grows
        family += children_of(each)
    return family


# Time


# The number of a process's CPU clock is ~pid << 3, with 2 for its scheduled time and 1 for user time
# (include/linux/posix-timers.h). It costs one call instead of a file of /proc.
def cpu_ns(pid: int, *, user_only: bool) -> int:
    """Return the CPU time in ns of a running process, from its clock, or from /proc if it has no clock.

    Args:
        pid: Process id. For 0 and below, which stand for an ended process, the result is 0.
        user_only: Whether time in the kernel is left out.
    """
    if pid <= 0:  # it has ended; 0 and -1 would name our own clock
        return 0
    try:
        return time.clock_gettime_ns(~pid << 3 | (1 if user_only else 2))
    except OSError:
        fields = stat_fields(pid)
        return 0 if fields is None else _ticks_ns(fields, _USER, 1 if user_only else 2)


def ended_ns(pid: int, *, user_only: bool) -> int:
    """Return the CPU time in ns of the terminated children that a process has waited for.

    It includes the time of children that these had waited for, and is counted in ticks of 10 ms.

    Args:
        user_only: Whether time in the kernel is left out.
    """
    fields = stat_fields(pid)
    return 0 if fields is None else _ticks_ns(fields, _CHILDREN_USER, 1 if user_only else 2)


def _ticks_ns(fields: list[bytes], first: int, count: int) -> int:
    return sum(int(field) for field in fields[first : first + count]) * _TICK


_TICK = 10**9 // os.sysconf("SC_CLK_TCK")


def in_ticks(us: int) -> int:
    """Round a time in us down to the ticks of /proc. Return it in ns."""
    return us * 1000 // _TICK * _TICK


def delays(pid: int) -> dict[int, int]:
    """Return, by thread id, how many ns each thread of a process has waited for a processor."""
    found: dict[int, int] = {}
    for thread in names(f"/proc/{pid}/task"):
        if figures := read(f"/proc/{pid}/task/{thread}/schedstat").split():
            found[int(thread)] = int(figures[1])
    return found


# Memory and files


# Two ways: the cheap one counts shared pages once per process, so it can only be too high. Only if its result
# is above the limit are the smaps of all processes read, which takes ms for a large program.
def memory(pids: Iterable[int], most: int, shared_folder: str = "") -> int:
    """Return the memory in bytes that a group of processes uses together.

    Args:
        most: Limit in bytes. A result up to the limit may be too high, because memory that processes share is
            counted once for each of them. A result above the limit is exact.
        shared_folder: Folder whose files are in memory and belong to these processes; "" for none.
    """
    family = list(pids)
    folder, device = _file_system(shared_folder)
    total = folder + sum(map(_resident, family)) + sum(_open_memory(family, device).values())
    return total if total <= most else _exact_memory(family, folder, device)


def _resident(pid: int) -> int:
    """Return the bytes of a process's memory, with shared memory but without pages of files on disk."""
    lines = read(f"/proc/{pid}/status").splitlines()
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(_RESIDENT))


_RESIDENT = (b"RssAnon:", b"RssShmem:", b"HugetlbPages:")


def used_of(folder: str) -> int:
    """Return the bytes in use on the file system of a folder; 0 if `folder` is ""."""
    return _file_system(folder)[0]


def _file_system(folder: str) -> tuple[int, int]:
    """Return the bytes in use on the file system of a folder, and the device number of that file system.

    The result is (0, -1) without a folder, or if the folder cannot be examined.
    """
    if folder:
        with suppress(OSError):
            usage = os.statvfs(folder)
            return (usage.f_blocks - usage.f_bfree) * usage.f_frsize, os.stat(folder).st_dev
    return 0, -1


def _exact_memory(pids: Iterable[int], folder: int, device: int) -> int:
    total = folder
    shared: dict[tuple[int, int], int] = {}
    family = list(pids)
    for pid in family:
        own, mapped = _mapped_memory(pid)
        total += own
        for key, size in mapped.items():
            shared[key] = shared.get(key, 0) + size
    for key, size in _open_memory(family, device).items():
        shared[key] = max(shared.get(key, 0), size)
    return total + sum(size for (where, _), size in shared.items() if where != device)


def _mapped_memory(pid: int) -> tuple[int, dict[tuple[int, int], int]]:
    """Return a process's own memory in bytes, and its share of the memory of files that it has mapped.

    The share counts only files that are kept in memory, such as those in /dev/shm. It is given in bytes for
    each file, by the file's device and inode numbers. If n processes have mapped a page, the share of each is
    1/n of the page.
    """
    own = 0
    shared: dict[tuple[int, int], int] = {}
    key: tuple[int, int] | None = None
    for line in read(f"/proc/{pid}/smaps").splitlines():
        words = line.split(None, 5)
        if not words[0].endswith(b":"):  # 55d0a000-55d0b000 rw-s 00000000 00:01 1027 /dev/zero (deleted)
            name = os.fsdecode(words[5]) if len(words) > 5 else ""
            major, _, minor = words[3].partition(b":")
            is_file = int(words[4]) > 0
            is_memory = is_file and name.startswith(_MEMORY)
            key = (os.makedev(int(major, 16), int(minor, 16)), int(words[4])) if is_memory else None
        elif key is not None:
            if words[0] == b"Pss:":
                shared[key] = shared.get(key, 0) + (int(words[1]) << 10)
        elif words[0] == (b"Anonymous:" if is_file else b"Pss:"):
            own += int(words[1]) << 10
    return own, shared


def largest_session() -> int:
    """Return the bytes of private memory of all processes of the largest session (setsid(2))."""
    page = os.sysconf("SC_PAGE_SIZE")
    found: dict[bytes, int] = {}
    for pid in filter(str.isdigit, names("/proc")):
        fields, figures = stat_fields(pid), read(f"/proc/{pid}/statm").split()
        if fields and figures:
            own = int(figures[1]) - int(figures[2])
            found[fields[_SESSION]] = found.get(fields[_SESSION], 0) + own * page
    return max(found.values(), default=0)


def _open_memory(pids: Iterable[int], device: int) -> dict[tuple[int, int], int]:
    """Return the sizes in bytes of open files that are kept in memory, by device and inode number.

    Args:
        device: Files on this device are left out.
    """
    return {
        key: size for key, (size, is_memory) in _open_files(pids).items() if is_memory and key[0] != device
    }


def unlinked_bytes(pids: Iterable[int]) -> int:
    """Return the size in bytes of deleted files on disk that these processes have open."""
    return sum(size for size, is_memory in _open_files(pids).values() if not is_memory)


def _open_files(pids: Iterable[int]) -> dict[tuple[int, int], tuple[int, bool]]:
    """Return the size in bytes of each open deleted file, and whether the file is kept in memory.

    The keys are device and inode numbers. Files in memory, such as those in /dev/shm, are included even if
    they are not deleted.
    """
    found: dict[tuple[int, int], tuple[int, bool]] = {}
    for path in (f"/proc/{pid}/fd/{number}" for pid in pids for number in names(f"/proc/{pid}/fd")):
        with suppress(OSError):
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode):
                continue
            is_memory = os.readlink(path).startswith(_MEMORY)
            if is_memory or not status.st_nlink:
                on_disk = status.st_blocks * 512
                size = on_disk if is_memory else max(on_disk, status.st_size)
                found[status.st_dev, status.st_ino] = size, is_memory
    return found
