"""Linux system calls that Python has no functions for, called through ctypes.

Most functions change the calling process: they restrict it, change its mounts, or make it end with its
parent. They raise OSError with the kernel's reason.

Only the standard library is imported, because the launcher of `contained` starts with `python -I -S -E`.
"""

# Call numbers are those of x86-64 and of the generic table, which AArch64 and RISC-V use. On other machines
# each layer that needs one of them is missing, and `gyoji doctor` says so.

import ctypes
import fcntl
import os
import socket
import stat
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
_MS_BIND, _MS_REC, _MS_PRIVATE = 4096, 16384, 1 << 18

_AT_FDCWD, _AT_EMPTY_PATH, _AT_RECURSIVE = -100, 0x1000, 0x8000
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_NOSUID, _MOUNT_ATTR_NODEV, _MOUNT_ATTR_IDMAP = 1, 2, 4, 1 << 20

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 4, 38
_PR_CAPBSET_DROP, _PR_SET_SECCOMP = 24, 22
_SIGKILL, _SIGCHLD = 9, 17
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1

_IS_X86 = os.uname().machine == "x86_64"
_NUMBERS = {  # on x86-64, in the generic table
    "clone": (56, 220), "mount_setattr": (442, 442), "open_tree": (428, 428), "move_mount": (429, 429),
    "close_range": (436, 436), "capset": (126, 91), "perf_event_open": (298, 241),
    "landlock_create_ruleset": (444, 444), "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}  # fmt: skip

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def _checked(result: int, what: str = "") -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def _call(name: str, *arguments: object, what: str = "") -> int:
    return _checked(_libc.syscall(_NUMBERS[name][0 if _IS_X86 else 1], *arguments), what or name)


def _prctl(option: int, argument: int) -> None:
    _checked(_libc.prctl(option, *map(ctypes.c_ulong, (argument, 0, 0, 0))), f"prctl {option}")


def describe_error(error: BaseException) -> str:
    """Return what failed and why, for a message. An exception that is a bug is shown with its class.

    >>> describe_error(FileNotFoundError(2, "No such file or directory", "/x"))
    '/x: No such file or directory'
    """
    if not isinstance(error, OSError):
        return f"{type(error).__name__}: {error}"
    if not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


# Processes and namespaces


def die_with_parent() -> None:
    """Make the kernel kill this process when the thread that created it ends. A change of uid resets this."""
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def clone(flags: int) -> int:
    """Fork into new namespaces. Returns like `os.fork`. The process must be single-threaded.

    Args:
        flags: clone(2) flags of the namespaces.
    """
    return _call("clone", ctypes.c_ulong(flags | _SIGCHLD), 0, 0, 0, 0)


def map_to_itself(uid: int, gid: int) -> None:
    """In a new user namespace, keep the uid and gid that this process has outside."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "wb", buffering=0) as file:
            file.write(text.encode())


def mount(kind: str, place: str, flags: int = 0, options: str = "") -> None:
    """Mount a new file system of the given kind, such as tmpfs."""
    name, target = kind.encode(), os.fsencode(place)
    _checked(_libc.mount(name, target, name, ctypes.c_ulong(flags), options.encode()), place)


def bind(source: str, place: str) -> None:
    """Mount a file, or a folder with all mounts in it, at another place as well (bind mount)."""
    flags = ctypes.c_ulong(_MS_BIND | _MS_REC)
    _checked(_libc.mount(os.fsencode(source), os.fsencode(place), b"", flags, b""), place)


def keep_mounts_private() -> None:
    """In a new mount namespace, prevent future mounts from propagating to other namespaces."""
    _checked(_libc.mount(b"none", b"/", b"", ctypes.c_ulong(_MS_REC | _MS_PRIVATE), b""), "/")


def unmount(path: str) -> None:
    """Remove the topmost mount at a path (MNT_DETACH)."""
    _checked(_libc.umount2(os.fsencode(path), 2), path)


def make_read_only(path: str) -> None:
    """Make the mount at `path` and all mounts below it read-only, nosuid and nodev."""
    attributes = _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID | _MOUNT_ATTR_NODEV
    _change_mount(path, _AT_RECURSIVE, given=attributes)


def make_writable(path: str) -> None:
    """Make the mount at `path` writable. Mounts below it do not change."""
    _change_mount(path, 0, taken=_MOUNT_ATTR_RDONLY)


def allow_devices(path: str) -> None:
    """Allow the use of device files in the mount at `path`. Mounts below it do not change."""
    _change_mount(path, 0, taken=_MOUNT_ATTR_NODEV)


def _change_mount(path: str, flags: int, *, given: int = 0, taken: int = 0) -> None:
    attributes = struct.pack("QQQQ", given, taken, 0, 0)
    _call("mount_setattr", _AT_FDCWD, os.fsencode(path), flags, attributes, len(attributes), what=path)


def map_owners(path: str, namespace: int) -> None:
    """Mount a file or folder over itself, with its owners translated by a user namespace (mount_setattr(2)).

    Args:
        namespace: Descriptor of the user namespace.
    """
    place = os.fsencode(path)
    tree = _call("open_tree", _AT_FDCWD, place, 1 | _AT_RECURSIVE | os.O_CLOEXEC, what=path)
    try:
        attributes = struct.pack("QQQQ", _MOUNT_ATTR_IDMAP, 0, 0, namespace)
        flags = _AT_EMPTY_PATH | _AT_RECURSIVE
        _call("mount_setattr", tree, b"", flags, attributes, len(attributes), what=path)
        _call("move_mount", tree, b"", _AT_FDCWD, place, 4, what=path)
    finally:
        os.close(tree)


def enter_users(namespace: int) -> None:
    """Enter a user namespace, given by its descriptor. The process must be single-threaded."""
    _checked(_libc.setns(namespace, CLONE_NEWUSER), "setns")


def hide_from_tracing() -> None:
    """Prevent other processes of this user from tracing this process and reading its memory in /proc."""
    _prctl(_PR_SET_DUMPABLE, 0)


def raise_loopback() -> None:
    """Start the loopback interface of a new network namespace (netdevice(7))."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))


def gain_nothing() -> None:
    """Prevent executed programs from gaining rights that this process lacks (no_new_privs), for good."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def close_on_exec_from(first: int) -> None:
    """Mark all descriptors from number `first` on as close-on-exec."""
    _call("close_range", first, ctypes.c_uint(0xFFFFFFFF), 4)


def signal_descriptor(*numbers: int) -> int:
    """Return a descriptor from which `read_signals` can read these signals, which must be blocked."""
    mask = sum(1 << number - 1 for number in numbers).to_bytes(128, "little")
    return _checked(_libc.signalfd(-1, mask, os.O_NONBLOCK | os.O_CLOEXEC), "signalfd")


def read_signals(descriptor: int) -> list[int]:
    """Return the numbers of the signals that have arrived at a descriptor from `signal_descriptor`."""
    found = os.read(descriptor, 32 * _SIGNAL_INFO.size)
    return [number for (number,) in _SIGNAL_INFO.iter_unpack(found)]


_SIGNAL_INFO = struct.Struct("I124x")  # signalfd_siginfo of signalfd(2)

_figures = (ctypes.c_int * 32)()  # room for what the kernel answers below, in structures of its own


def system_v_objects() -> str:
    """Return a kind of System V objects that this ipc namespace has: "shm", "sem" or "msg"; "" for none."""
    if _libc.shmctl(0, 14, _figures) >= 0 and _figures[0]:  # SHM_INFO: used_ids of shm_info
        return "shm"
    if _libc.semctl(0, 0, 19, _figures) >= 0 and _figures[7]:  # SEM_INFO: semusz of seminfo
        return "sem"
    if _libc.msgctl(0, 12, _figures) >= 0 and _figures[0]:  # MSG_INFO: msgpool of msginfo
        return "msg"
    return ""


_CAPABILITY_VERSION = 0x20080522


def drop_capabilities(last: int = 41) -> None:
    """Give up all capabilities of this process and, as far as the kernel allows, of programs executed later.

    Args:
        last: Largest number of capabilities that a kernel may know.
    """
    for capability in range(last):
        if _libc.prctl(_PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0):
            break
    header = struct.pack("Ii", _CAPABILITY_VERSION, 0)
    _call("capset", header, bytes(24))


# Landlock: https://docs.kernel.org/userspace-api/landlock.html

FS_EXECUTE, FS_WRITE_FILE, FS_READ_FILE, FS_READ_DIR = 1, 2, 4, 8
FS_REFER, FS_TRUNCATE, FS_IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
FS_READ = FS_EXECUTE | FS_READ_FILE | FS_READ_DIR
_FS_CHANGES = FS_WRITE_FILE | 0x1FF0  # remove and make, of every kind
_FS_OF_FILES = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV
_SCOPES = 3  # abstract sockets, signals


def landlock_version() -> int:
    """Return the newest Landlock interface version of the kernel; 0 without Landlock."""
    try:
        return _call("landlock_create_ruleset", 0, 0, 1)
    except OSError:
        return 0


def landlock_changes(version: int) -> int:
    """Return the bits of all rights to change files or control devices that this Landlock version knows."""
    newer = ((2, FS_REFER), (3, FS_TRUNCATE), (5, FS_IOCTL_DEV))
    return _FS_CHANGES | sum(right for since, right in newer if version >= since)


class Landlock:
    """A Landlock ruleset under construction.

    Landlock is the kernel's own access control for unprivileged programs.

    Attributes:
        descriptor: Descriptor of the ruleset, for `landlock_restrict`.
    """

    def __init__(self, version: int, handled: int) -> None:
        """Create an empty ruleset.

        Args:
            version: Version of the Landlock interface, from `landlock_version`.
            handled: Bits of the rights that are denied unless a rule grants them.
        """
        self._handled = handled
        attributes = struct.pack("QQQ", handled, 0, _SCOPES if version >= 6 else 0)
        size = 24 if version >= 6 else 16 if version >= 4 else 8
        self.descriptor = _call("landlock_create_ruleset", attributes, size, 0)

    def grant(self, path: str, rights: int) -> bool:
        """Grant rights on a file, or on a folder and everything below it.

        Return False if the path cannot be opened.
        """
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            rights &= self._handled
            if not stat.S_ISDIR(os.fstat(place).st_mode):
                rights &= _FS_OF_FILES
            if rights:
                rule = struct.pack("=Qi", rights, place)
                _call("landlock_add_rule", self.descriptor, 1, rule, 0, what=path)
        finally:
            os.close(place)
        return True


def landlock_restrict(descriptor: int) -> None:
    """Apply a Landlock ruleset to this process and its future children. Call `gain_nothing` first."""
    _call("landlock_restrict_self", descriptor, 0)


def seccomp(program: bytes) -> None:
    """Apply a system call filter to this process and its future children, for good.

    Call `gain_nothing` first.

    Args:
        program: The filter, from `gyoji.executors.filters.seccomp_program`.
    """
    steps = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(steps))
    _checked(_libc.prctl(_PR_SET_SECCOMP, ctypes.c_ulong(2), head, 0, 0), "seccomp")


# Measuring


# Without the right to observe the kernel (perf_event_paranoid 2) only user programs may be counted, hence
# exclude_kernel. A task clock counts their time in the kernel nevertheless.
def count_cpu() -> int:
    """Return the descriptor of a counter of CPU time, for `read_cpu`.

    It counts all programs that this process's future children execute, threads, daemons and ended processes
    included. The counter is an inherited task clock (perf_event_open(2)), which starts when a program is
    executed.
    """
    attributes = bytearray(112)
    disabled, inherit, exclude_kernel, enable_on_exec = 1, 1 << 1, 1 << 5, 1 << 12
    flags = disabled | inherit | exclude_kernel | enable_on_exec
    struct.pack_into("IIQQQQQ", attributes, 0, 1, 112, 1, 0, 0, 0, flags)
    return _call("perf_event_open", bytes(attributes), 0, -1, -1, 8)


def read_cpu(descriptor: int) -> int:
    """Return the ns counted by a counter from `count_cpu`."""
    return int(struct.unpack("Q", os.read(descriptor, 8))[0])
