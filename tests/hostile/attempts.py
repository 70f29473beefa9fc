"""The attempts of the hostile engines, and which of them each level allows.

For each attempt an engine writes `TRY name: result` to stderr. A result is "done" with what was reached;
"own" if it worked and reached only what belongs to the engine; "limited" if a limit stopped it; else the
name of the system's error.
"""

from typing import NamedTuple


class Attempt(NamedTuple):
    """One attempt.

    Attributes:
        what: Its text in the table of docs/explanation/security.md.
        reaches: Whether it is allowed at "guarded": it reads.
    """

    what: str
    reaches: bool = False


OTHERS = "worker, launcher, scheduler, opponent and another game's engine"

PROCESSES = {
    "early-child": Attempt("have a child without its limits, by a fork as the first thing"),
    "kill": Attempt(f"kill {OTHERS}"),
    "stop": Attempt("stop them (SIGSTOP)"),
    "pidfd": Attempt("signal them through a pidfd"),
    "trace": Attempt("trace them (ptrace)"),
    "vm-read": Attempt("read their memory (process_vm_readv)"),
    "read-mem": Attempt("read `/proc/PID/mem` of them"),
    "write-mem": Attempt("write `/proc/PID/mem` of them"),
    "read-environ": Attempt("read `/proc/PID/environ` of them"),
    "open-fd": Attempt("open `/proc/PID/fd/1` of them, write `= resign` there"),
    "take-fd": Attempt("take a descriptor of theirs (pidfd_getfd)"),
    "renice": Attempt("renice them"),
    "renice-user": Attempt("renice every process of the user (PRIO_USER)"),
    "ionice": Attempt("lower their input and output priority (ioprio_set)"),
    "policy": Attempt("make them SCHED_IDLE"),
    "affinity": Attempt("pin them all to one core"),
    "prlimit": Attempt("limit their open files (prlimit)"),
    "kill-all": Attempt("kill everything there is (`kill -9 -1`)"),
    "kill-init": Attempt("kill, stop and signal process 1"),
}
FILES = {
    "read-store": Attempt("read the store"),
    "read-wal": Attempt("read its `-wal` and `-shm`"),
    "write-store": Attempt("write the store"),
    "write-log": Attempt("append to the event log"),
    "take-lock": Attempt("take the lock of the run"),
    "read-control": Attempt("read the control file"),
    "write-control": Attempt("write the control file"),
    "read-record": Attempt("read a game record"),
    "write-record": Attempt("write a game record"),
    "link-record": Attempt("put a symbolic link in the place of a record"),
    "read-folder": Attempt("read another player's lasting folder"),
    "read-seat": Attempt("read what its opponent writes in this game"),
    "whiteouts": Attempt("remove the marks that hide files, where the layers over them are kept"),
    "write-seat": Attempt("write there"),
    "read-home": Attempt("read the user's home (`~/.ssh`)", reaches=True),
    "read-shadow": Attempt("read `/etc/shadow`, being root", reaches=True),
    "create": Attempt("create a file outside its folders"),
    "overwrite": Attempt("overwrite one"),
    "truncate": Attempt("truncate one"),
    "remove": Attempt("remove one"),
    "rename": Attempt("rename one"),
    "hard-link": Attempt("link one into its own folder"),
    "mkdir": Attempt("make a folder, a fifo and a symbolic link outside"),
    "chmod": Attempt("change the mode of a file outside"),
    "utime": Attempt("change its times"),
    "xattr": Attempt("give it an extended attribute"),
    "chmod-folder": Attempt("change the mode of the competition's folder"),
    "chmod-system": Attempt("change the mode of `/dev/null` and of a program"),
    "set-uid-file": Attempt("leave a set-uid program in a folder of its own that lasts"),
    "lease": Attempt("have who opens a file outside wait (a lease, F_SETLEASE)"),
    "lock": Attempt("hold a lock on a file outside (flock)", reaches=True),
    "watch": Attempt("see who opens a file outside (inotify)", reaches=True),
    "fanotify": Attempt("have who opens a file wait for its word (fanotify)"),
    "fuse": Attempt("have who reads a file wait for its word (FUSE)"),
    "sysctl": Attempt("open `/proc/sys/kernel/core_pattern` for writing"),
}
SOCKETS = {
    "control-socket": Attempt('connect to the control socket, say `{"do": "stop"}`'),
    "unix-socket": Attempt("connect to a socket of another program, in a folder of the user", reaches=True),
    "search-sockets": Attempt("look for sockets in all folders, and connect", reaches=True),
    "abstract-socket": Attempt("connect to an abstract socket"),
    "connect": Attempt("connect to a port of this machine (TCP)"),
    "listen": Attempt("listen on a port (TCP)"),
    "udp": Attempt("send a datagram (UDP)"),
    "families": Attempt("make sockets of other families (vsock, packet, ...) and protocols"),
    "netlink": Attempt("list the network's interfaces (netlink)"),
}
SYSTEM = {
    "user-namespace": Attempt("make a user namespace, and be root in it"),
    "mount": Attempt("mount something, in a namespace of its own"),
    "unmask": Attempt("unmount what hides files"),
    "join": Attempt("join the worker's namespaces (setns)"),
    "chroot": Attempt("change its root"),
    "keyring": Attempt("put a key into the user's keyring"),
    "bpf": Attempt("load a BPF program"),
    "io-uring": Attempt("use io_uring, which filters of system calls do not see"),
    "other-tables": Attempt("make 32-bit and x32 system calls, which have other numbers"),
    "frozen-pages": Attempt("have who reads its memory wait for its word (userfaultfd)"),
    "forbidden-calls": Attempt("make a system call that no engine needs"),
    "secret-memory": Attempt("have memory that nobody counts (memfd_secret)"),
    "new-rights": Attempt("get rights from a program that gives some (set-uid, capabilities)"),
    "set-uid": Attempt("become another user"),
    "devices": Attempt("make a device file"),
    "tty": Attempt("open `/dev/tty`, type into it (TIOCSTI)"),
    "terminal": Attempt("open the organiser's terminal, write there, change its settings"),
}
RESOURCES = {
    "forks": Attempt("300 processes at once"),
    "threads": Attempt("300 threads at once"),
    "daemon": Attempt("leave a daemon behind, in a session of its own"),
    "hidden-daemon": Attempt("leave one that has no environment and ignores signals"),
    "shm": Attempt("leave 8 MB in `/dev/shm`"),
    "sysv": Attempt("leave a System V segment"),
    "one-file": Attempt("write 32 MB into one file"),
    "many-files": Attempt("make 3,000 files"),
    "nested": Attempt("make 1,200 nested folders"),
    "sparse": Attempt("make a sparse file of 1 TB"),
    "unlinked": Attempt("write 16 MB into a file without a name"),
    "open-files": Attempt("open 2,000 files"),
    "in-flight": Attempt("put 1,500 descriptors into flight"),
    "requests": Attempt("take all requests of the machine (io_setup)"),
    "flood": Attempt("write 4 MB to standard error"),
}
GREED = {
    "much-memory": Attempt("4 GB of memory"),
    "much-disk": Attempt("a file of 4 GB"),
    "very-many-files": Attempt("100,000 files in its folder"),
    "files-in-tmp": Attempt("100,000 files in `/tmp`"),
    "files-in-shm": Attempt("100,000 files in `/dev/shm`"),
}
"""Attempts for events with limits."""

LATE = ("read-store", "read-wal", "write-store", "read-record", "write-record", "link-record")
"""Attempts that are repeated at every move, on files that are made while the engine runs."""

BROKEN = "limit-init"
"""Attempt to limit, renice and pin process 1. It has a game of its own, since it is meant to spoil the
next one.
"""

ATTEMPTS: dict[str, Attempt] = PROCESSES | FILES | SOCKETS | SYSTEM | RESOURCES
SECTIONS = {
    "Processes": PROCESSES,
    "Files": FILES,
    "Sockets and the network": SOCKETS,
    "The system": SYSTEM,
    "Resources (small here, so that the machine survives)": RESOURCES,
}
