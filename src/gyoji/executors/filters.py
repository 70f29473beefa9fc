"""The system call filter (seccomp) of contained engines."""

# A filter is a classic BPF program that the kernel runs at each system call. It sees the number of the call
# and its six arguments, but no memory:
#
#     number --> this machine's table? --> known? --> rules about arguments --> refused names --> allowed
#                      no: killed         no: ENOSYS    the first that holds     EPERM, ENOSYS
#                                                       answers
#
# Consequences:
#
# * A call whose flags are in memory cannot be judged, for example clone3 and openat2. It fails with ENOSYS,
#   as in an older kernel, and programs use the older call instead. io_uring takes entire calls from memory,
#   so it fails with ENOSYS too.
# * Calls newer than this list fail with ENOSYS until they have been judged. `NEWEST` is the last judged one;
#   `tests/hostile/kernel_calls.py` has a line for each.
# * Calls through another table (32-bit calls by int 0x80, x32) have other numbers. They kill the process.
# * Rules cost time at each call that they check. The kernel remembers which calls are allowed whatever
#   their arguments are (Linux 5.11), and does not run the filter for those.
#
# Why a list of refused calls instead of allowed ones: engines use Python, Java, CUDA and more, and a list of
# allowed calls would break some of them with each new libc. Refused are the calls that, according to
# docs/reference/kernel.md, affect other processes; each line of that table names the tests that fail if the
# filter does not stop the call.
#
# A filter is inherited and cannot be removed, so it is the last step of a cell (`cell_process`).
# See https://docs.kernel.org/userspace-api/seccomp_filter.html.

import os
import struct
from collections.abc import Iterator
from typing import NamedTuple

IS_X86 = os.uname().machine == "x86_64"

NUMBERS: dict[str, tuple[int | None, int | None]] = {  # on x86-64, in the generic table; None: it has none
    "acct": (163, 89), "add_key": (248, 217), "bpf": (321, 280), "chmod": (90, None), "chroot": (161, 51),
    "clone": (56, 220), "clone3": (435, 435), "creat": (85, None), "delete_module": (176, 106),
    "fanotify_init": (300, 262), "fanotify_mark": (301, 263), "fchmod": (91, 52), "fchmodat": (268, 53),
    "fchmodat2": (452, 452), "fcntl": (72, 25), "finit_module": (313, 273), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fsopen": (430, 430), "fspick": (433, 433), "init_module": (175, 105),
    "io_setup": (206, 0), "memfd_secret": (447, 447),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "io_uring_setup": (425, 425),
    "ioprio_set": (251, 30), "kcmp": (312, 272), "kexec_file_load": (320, 294), "kexec_load": (246, 104),
    "keyctl": (250, 219), "mkdir": (83, None), "mkdirat": (258, 34), "mknod": (133, None),
    "mknodat": (259, 33), "mount": (165, 40), "mount_setattr": (442, 442), "move_mount": (429, 429),
    "name_to_handle_at": (303, 264), "open": (2, None), "open_by_handle_at": (304, 265),
    "open_tree": (428, 428), "open_tree_attr": (467, 467), "openat": (257, 56), "openat2": (437, 437),
    "perf_event_open": (298, 241), "pidfd_getfd": (438, 438), "pivot_root": (155, 41), "prctl": (157, 167),
    "prlimit64": (302, 261), "process_madvise": (440, 440), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "ptrace": (101, 117), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    "reboot": (169, 142), "request_key": (249, 218), "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274), "sched_setparam": (142, 118), "sched_setscheduler": (144, 119),
    "setns": (308, 268), "setpriority": (141, 140), "setrlimit": (160, 164), "socket": (41, 198),
    "socketpair": (53, 199), "swapoff": (168, 225), "swapon": (167, 224), "syslog": (103, 116),
    "timer_create": (222, 107), "umount2": (166, 39), "unshare": (272, 97), "userfaultfd": (323, 282),
}  # fmt: skip

NEWEST = 469
"""The highest call number that has been judged: file_setattr of Linux 6.17. Both tables agree from 424 on."""

REFUSED = (
    "add_key", "request_key", "keyctl", "bpf", "userfaultfd", "perf_event_open", "mount", "umount2",
    "pivot_root", "chroot", "move_mount", "open_tree", "open_tree_attr", "fsopen", "fsconfig", "fsmount",
    "fspick", "mount_setattr", "setns", "unshare", "kexec_load", "kexec_file_load", "init_module",
    "finit_module", "delete_module", "reboot", "swapon", "swapoff", "name_to_handle_at",
    "open_by_handle_at", "quotactl", "quotactl_fd", "acct", "syslog", "fanotify_init", "fanotify_mark",
)  # fmt: skip
"""System calls that no engine needs, or that affect other processes. They fail with EPERM."""

REFUSED_TO_STRANGERS = (
    "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise",
)  # fmt: skip
"""System calls that inspect other processes, as debuggers do. At strict they fail with EPERM."""

ABSENT = (
    "clone3", "openat2", "io_uring_setup", "io_uring_enter", "io_uring_register", "io_setup", "memfd_secret",
)  # fmt: skip
"""System calls that fail with ENOSYS, because programs have alternatives. The arguments of the first ones are
in memory. Requests of io_setup(2) are limited for the whole machine (aio-max-nr), so one program could use
them all. Pages of memfd_secret(2) are not counted as memory of any process.
"""

_EPERM, _EINVAL, _ENOSYS, _EPROTONOSUPPORT, _EAFNOSUPPORT = 1, 22, 38, 93, 97

_ARCH = 0xC000003E if IS_X86 else 0xC00000B7
_LOAD, _EQUAL, _AT_LEAST, _ANY_OF, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # where a filter finds them

_Step = tuple[int, int, int, int]


class _Check(NamedTuple):
    """A comparison of one argument of a system call with a number.

    Attributes:
        argument: Number of the argument, from 0.
        test: The comparison, a BPF operation code.
        value: The number to compare with.
        wanted: The result that the comparison must have.
        half: The 32 bits of the argument that are compared: 0 for the lower, 1 for the upper ones.
    """

    argument: int
    test: int
    value: int
    wanted: bool = True
    half: int = 0


def _is(argument: int, value: int) -> _Check:
    return _Check(argument, _EQUAL, value)


def _is_none_of(argument: int, *values: int) -> list[_Check]:
    return [_Check(argument, _EQUAL, value, wanted=False) for value in values]


def _is_null(argument: int) -> list[_Check]:
    return [_Check(argument, _EQUAL, 0, half=half) for half in (0, 1)]


def _has(argument: int, bits: int) -> _Check:
    return _Check(argument, _ANY_OF, bits)


def _answer_if(name: str, *checks: _Check, answer: int | None = _EPERM) -> list[_Step]:
    """Return the filter steps for one system call.

    Args:
        name: The system call.
        checks: Conditions on the call's arguments. If all hold, `answer` applies.
        answer: Error number that the call returns; 0 skips the call without an error, None allows it.
    """
    action = _ALLOW if answer is None else _ERRNO | answer
    number = NUMBERS[name][0 if IS_X86 else 1]
    if number is None:
        return []
    steps: list[_Step] = []
    for index, check in enumerate(checks):
        steps.append((_LOAD, 0, 0, _ARGUMENTS + 8 * check.argument + 4 * check.half))
        past = 2 * (len(checks) - 1 - index) + 1  # the steps of the other checks, and the answer
        steps.append((check.test, *((0, past) if check.wanted else (past, 0)), check.value))
    steps += [(_RETURN, 0, 0, action), (_LOAD, 0, 0, _NUMBER)]
    return [(_EQUAL, 0, len(steps), number), *steps]


# Set-user-ID programs. Some of an engine's folders outlast its game, and files in them belong to gyoji's
# user: a set-uid program there would give any user of the machine that user's rights. So no call with a mode
# may set these bits. mkdir(2) drops them, but is covered too, for simplicity.

_SET_IDS = 0o6000
_MAKES = 0x40 | 0x400000  # O_CREAT, __O_TMPFILE: otherwise a call has no mode, and rubbish in its place
_MODES = {  # the argument with the mode
    "chmod": 1, "fchmod": 1, "fchmodat": 2, "fchmodat2": 2, "creat": 1, "mknod": 1, "mknodat": 2,
    "mkdir": 1, "mkdirat": 2,
}  # fmt: skip


def _modes() -> Iterator[_Step]:
    yield from _answer_if("openat", _has(3, _SET_IDS), _has(2, _MAKES))
    yield from _answer_if("open", _has(2, _SET_IDS), _has(1, _MAKES))
    for name, argument in _MODES.items():
        yield from _answer_if(name, _has(argument, _SET_IDS))


# Files. A lease blocks any process that opens the file for up to 45 s (/proc/sys/fs/lease-break-time): the
# opponent if it is its program, or gyoji if it is a module of it. A delegation is a lease of a folder (Linux
# 6.19). Both, and F_NOTIFY, only need read access to a file of the user. Newer commands are not judged.

_F_SETSIG, _F_SETLEASE, _F_NOTIFY, _F_NEWEST = 10, 1024, 1026, 1038


def _files(*, still: bool) -> Iterator[_Step]:
    for command in (_F_SETLEASE, _F_NOTIFY, *((_F_SETSIG,) if still else ())):
        yield from _answer_if("fcntl", _is(1, command))
    yield from _answer_if("fcntl", _Check(1, _AT_LEAST, _F_NEWEST + 1), answer=_EINVAL)


# Sockets. The network belongs to a namespace, and some families to none (vsock reaches the host of a virtual
# machine from everywhere). Each family and protocol is code of the kernel that a stranger could reach, and a
# first use may even load a module. getaddrinfo(3) asks the kernel's routing tables, by netlink.

_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16
_TCP, _UDP, _NETLINK_ROUTE = 6, 17, 0


def _sockets() -> Iterator[_Step]:
    yield from _answer_if("socket", *_is_none_of(0, _UNIX, _INET, _INET6, _NETLINK), answer=_EAFNOSUPPORT)
    for family, *protocols in ((_INET, 0, _TCP, _UDP), (_INET6, 0, _TCP, _UDP), (_NETLINK, _NETLINK_ROUTE)):
        yield from _answer_if("socket", _is(0, family), *_is_none_of(2, *protocols), answer=_EPROTONOSUPPORT)
    yield from _answer_if("socketpair", *_is_none_of(0, _UNIX), answer=_EAFNOSUPPORT)


# Processes. Process 1 is the cell, whose limits and priorities must not change; without a pid namespace an
# engine may name only itself, by 0. For each process that crashes, the kernel may start a program as root
# outside of any cell (core_pattern), even if the limit of core files is 0, but not if it is 1 (core(5)). So
# calls that set this limit are skipped and return 0: no core file is what the caller wants. A cookie of core
# scheduling (PR_SCHED_CORE) would keep the other thread of a core idle while an engine thinks.

_OF_ANOTHER = (  # with the number of the argument that says whose
    ("prlimit64", 0), ("sched_setaffinity", 0), ("sched_setscheduler", 0), ("sched_setparam", 0),
    ("sched_setattr", 0), ("setpriority", 1), ("ioprio_set", 1),
)  # fmt: skip
_NEW_NAMESPACES = 0x7E020000
_PRIO_USER, _IOPRIO_WHO_USER = 2, 3
_RLIMIT_CORE, _PR_SCHED_CORE = 4, 62


def _processes(*, alone: bool) -> Iterator[_Step]:
    yield from _answer_if("clone", _has(0, _NEW_NAMESPACES))
    for name, argument in _OF_ANOTHER:
        yield from _answer_if(name, _is(argument, 1) if alone else _Check(argument, _AT_LEAST, 1))
    if not alone:  # all of a user, which 0 names too, being root
        yield from _answer_if("setpriority", _is(0, _PRIO_USER))
        yield from _answer_if("ioprio_set", _is(0, _IOPRIO_WHO_USER))
    core, no_new, no_old = _is(1, _RLIMIT_CORE), _is_null(2), _is_null(3)
    yield from _answer_if("prlimit64", core, *no_new, answer=None)
    yield from _answer_if("prlimit64", core, *no_old, answer=0)
    yield from _answer_if("prlimit64", core)  # the old limit would have to be told too
    yield from _answer_if("setrlimit", _is(0, _RLIMIT_CORE), answer=0)
    yield from _answer_if("prctl", _is(0, _PR_SCHED_CORE))


def seccomp_program(*, strict: bool, alone: bool, still: bool = False) -> bytes:
    """Return a system call filter for a contained engine, in the form for seccomp(2).

    Args:
        strict: Whether to refuse calls that inspect other processes, such as ptrace.
        alone: Whether the engine has its own pid namespace. Without one it could reach other processes, so
            calls that change a process must name the caller itself (pid 0).
        still: Whether gyoji suspends the engine while others think. Timers and files could then send it
            SIGCONT and wake it, so calls that request such signals are refused.
    """
    steps: list[_Step] = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, _ARCH),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if IS_X86:
        steps += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _KILL)]  # x32's numbers
    steps += [(_AT_LEAST, 0, 1, NEWEST + 1), (_RETURN, 0, 0, _ERRNO | _ENOSYS)]
    steps += [*_modes(), *_files(still=still), *_sockets(), *_processes(alone=alone)]
    refused = (*REFUSED, *(REFUSED_TO_STRANGERS if strict else ()), *(("timer_create",) if still else ()))
    steps += [*_answers(ABSENT, _ENOSYS), *_answers(refused, _EPERM), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def _answers(names: tuple[str, ...], answer: int) -> Iterator[_Step]:
    """Return the filter steps with which these calls always fail with an error number."""
    numbers = [number for name in names if (number := NUMBERS[name][0 if IS_X86 else 1]) is not None]
    for index, number in enumerate(numbers):
        yield _EQUAL, len(numbers) - 1 - index, 1 if number == numbers[-1] else 0, number
    yield _RETURN, 0, 0, _ERRNO | answer
