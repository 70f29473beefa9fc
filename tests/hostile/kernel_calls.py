"""Every system call of x86-64 and every kind of kernel object: its danger to others, and what stops that.

`kernel_table.py` makes docs/reference/kernel.md from it. `test_kernel_table.py` compares it with the
kernel's headers, with the filter, and with the tests that it names.
"""

from typing import NamedTuple


class Calls(NamedTuple):
    """System calls with the same danger.

    Attributes:
        names: Names as in asm/unistd_64.h, separated by blanks.
        could: What an engine could do to others with them; "-" for nothing.
        stops: What stops that; "nothing" for what the page on security lists under "What nothing stops".
        tests: Names of attempts (`attempts.py`) and tests. At least one fails if the protection is taken
            away.
        guarded: Answer of the filter at guarded: "allowed", "by arguments", or the name of an error.
        strict: Answer of the filter at strict.
    """

    names: str
    could: str
    stops: str
    tests: str
    guarded: str = "allowed"
    strict: str = "allowed"


REACHED = "test_a_contained_engine_reaches_nobody_and_its_games_are_as_without"
FILTERED = "forbidden-calls test_the_filter_answers_every_call_as_the_table_says"
RULE = "by arguments"

FILES = (
    Calls(
        "open openat creat",
        "make a set-uid program; read or change files of others; block a reader by a pipe in its place",
        "filter (mode); read-only mounts, Landlock, layers; gyoji opens pipes without waiting",
        "set-uid-file create overwrite read-store read-home whiteouts "
        "test_a_pipe_in_the_place_of_a_script_is_not_waited_for",
        RULE,
        RULE,
    ),
    Calls(
        "chmod fchmod fchmodat fchmodat2",
        "make a set-uid program; open or shut folders of others",
        "filter (mode); read-only mounts",
        "set-uid-file chmod chmod-folder chmod-system",
        RULE,
        RULE,
    ),
    Calls(
        "mknod mknodat mkdir mkdirat",
        "make a set-uid program or a device; make files outside",
        "filter (mode); no capabilities, nodev; read-only mounts, Landlock",
        "set-uid-file devices mkdir "
        "test_what_is_mounted_gives_no_rights_and_has_no_devices_but_those_that_are_wanted",
        RULE,
        RULE,
    ),
    Calls(
        "openat2", "the same as open, with a mode that no filter sees", "filter", FILTERED, "ENOSYS", "ENOSYS"
    ),
    Calls(
        "rename renameat renameat2 link linkat unlink unlinkat rmdir symlink symlinkat truncate utime utimes "
        "utimensat futimesat chown fchown lchown fchownat",
        "remove, replace, cut or give away files of others",
        "read-only mounts, Landlock, layers; no capabilities",
        "remove rename hard-link link-record truncate utime write-seat",
    ),
    Calls(
        "setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat",
        "give a program capabilities (security.capability); mark files of others",
        "no capabilities; read-only mounts",
        "set-uid-file xattr new-rights",
    ),
    Calls(
        "fcntl",
        "stop readers by a lease (F_SETLEASE); hold a lock on a file that it can read; be told of readers "
        "(F_NOTIFY); have a process signalled (F_SETOWN)",
        "filter (leases, notices, newer commands, F_SETSIG if the player does not ponder); namespace of "
        "processes, Landlock (signals); nothing stops locks at guarded",
        "lease test_no_command_of_fcntl_makes_the_readers_of_a_file_wait "
        "test_an_engine_names_no_process_of_others_to_be_signalled",
        RULE,
        RULE,
    ),
    Calls(
        "flock",
        "hold a lock on a file that it can read, so that another program waits or gives up",
        "strict: files out of sight; guarded: nothing, but gyoji waits for no lock without end",
        "lock take-lock test_a_lock_of_another_program_on_the_folder_is_told_and_not_waited_for",
    ),
    Calls(
        "inotify_init inotify_init1 inotify_add_watch inotify_rm_watch",
        "see when others open a file that it can read; use up the user's watches",
        "strict: files out of sight; guarded: nothing",
        "watch",
    ),
    Calls(
        "fanotify_init fanotify_mark",
        "have every program that opens a file wait for its word",
        "filter; no capabilities",
        f"fanotify {FILTERED}",
        "EPERM",
        "EPERM",
    ),
    Calls(
        "name_to_handle_at open_by_handle_at",
        "open a file past the folders that hide it",
        "filter; no capabilities",
        FILTERED,
        "EPERM",
        "EPERM",
    ),
    Calls(
        "mount umount2 pivot_root chroot move_mount open_tree open_tree_attr fsopen fsconfig fsmount fspick "
        "mount_setattr",
        "take away what hides files; mount a file system that makes readers wait (FUSE)",
        "filter; no capabilities; no /dev/fuse",
        f"mount unmask chroot fuse {FILTERED}",
        "EPERM",
        "EPERM",
    ),
    Calls(
        "quotactl quotactl_fd swapon swapoff acct",
        "change quotas, swap space and accounting of the machine",
        "filter; no capabilities",
        FILTERED,
        "EPERM",
        "EPERM",
    ),
    Calls(
        "file_setattr ioctl",
        "make a file unchangeable; type into a terminal; freeze a file system; steer devices",
        "no capabilities; its own /dev and terminals; Landlock (devices)",
        "tty terminal devices",
    ),
    Calls(
        "write writev pwrite64 pwritev pwritev2 fallocate ftruncate sendfile splice tee vmsplice "
        "copy_file_range",
        "fill the disk; make dirty pages that others wait for",
        "max_disk; the size of a file at strict; nothing without max_disk",
        "sparse much-disk very-many-files unlinked",
    ),
    Calls(
        "sync syncfs fsync fdatasync sync_file_range msync",
        "have the disk busy, so that others wait for it",
        "nothing",
        "-",
    ),
    Calls(
        "read pread64 readv preadv preadv2 mmap mincore cachestat readahead fadvise64",
        "see by speed, or by what is cached, which files others read; push their pages out of the cache",
        "strict: only files in its sight; guarded: nothing",
        "read-home read-shadow",
    ),
    Calls(
        "stat fstat lstat newfstatat statx access faccessat faccessat2 getdents getdents64 readlink "
        "readlinkat "
        "statfs fstatfs ustat sysfs getxattr lgetxattr fgetxattr getxattrat listxattr llistxattr flistxattr "
        "listxattrat statmount listmount file_getattr getcwd chdir fchdir umask close close_range "
        "lseek dup dup2 "
        "dup3",
        "learn which files there are",
        "layers and masks; strict: files out of sight",
        "read-store read-record read-folder read-seat",
    ),
)

PROCESSES = (
    Calls(
        "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal pidfd_open process_mrelease",
        "end, stop or wake processes of others",
        "namespace of processes; Landlock (signals)",
        "kill stop pidfd kill-all kill-init",
    ),
    Calls(
        "ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd process_madvise",
        "read and change processes of others",
        "namespace of processes; own uid; strict: filter",
        f"trace vm-read take-fd read-mem write-mem {FILTERED}",
        "allowed",
        "EPERM",
    ),
    Calls(
        "clone",
        "make namespaces, in which it has all rights; use up processes",
        "filter (flags); control group, limit of processes",
        "user-namespace forks threads "
        "test_the_kernel_limits_the_processes_of_an_engine_wherever_it_counts_them",
        RULE,
        RULE,
    ),
    Calls("clone3", "the same, with flags that no filter sees", "filter", FILTERED, "ENOSYS", "ENOSYS"),
    Calls(
        "fork vfork",
        "use up processes; leave a child that is in no limit",
        "control group, limit of processes; the cell has its engines' limits",
        "early-child forks daemon hidden-daemon",
    ),
    Calls(
        "unshare setns",
        "enter or make namespaces",
        "filter",
        f"user-namespace join {FILTERED}",
        "EPERM",
        "EPERM",
    ),
    Calls(
        "execve execveat",
        "get rights from a set-uid program",
        "no new rights on exec; nosuid; no capabilities",
        "new-rights set-uid",
    ),
    Calls(
        "setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups capset",
        "become another user",
        "no capabilities",
        "set-uid new-rights",
    ),
    Calls(
        "setpriority ioprio_set sched_setaffinity sched_setscheduler sched_setparam sched_setattr",
        "take the processor from others, or spoil the cell",
        "namespace of processes; filter (process 1); limits of priority",
        "renice renice-user ionice policy affinity "
        "test_an_engine_that_spoils_what_contains_it_plays_its_next_game_all_the_same "
        "test_a_user_who_may_have_high_priorities_gives_none_to_an_engine",
        RULE,
        RULE,
    ),
    Calls(
        "prlimit64 setrlimit",
        "limit others; have the machine start a program as root for each crash (core_pattern)",
        "namespace of processes; filter (process 1, core files)",
        "prlimit test_a_crash_starts_no_program_of_the_machine_and_no_priority_is_above_others",
        RULE,
        RULE,
    ),
    Calls(
        "prctl",
        "keep the other thread of a core idle (PR_SCHED_CORE)",
        "filter",
        "test_no_engine_keeps_the_other_thread_of_a_core_idle",
        RULE,
        RULE,
    ),
    Calls(
        "perf_event_open bpf syslog",
        "watch the machine; reach code of the kernel that has often had faults",
        "filter; no capabilities",
        f"bpf {FILTERED}",
        "EPERM",
        "EPERM",
    ),
    Calls(
        "getpriority ioprio_get sched_getparam sched_getscheduler sched_getaffinity sched_getattr "
        "sched_rr_get_interval getpgid getsid get_robust_list capget getrlimit",
        "look at processes of others",
        "namespace of processes",
        "renice policy affinity prlimit",
    ),
    Calls(
        "migrate_pages move_pages mbind set_mempolicy get_mempolicy set_mempolicy_home_node",
        "move the memory of others",
        "namespace of processes; no capabilities",
        "vm-read",
    ),
    Calls(
        "exit exit_group wait4 waitid getpid getppid gettid getpgrp getuid geteuid getgid getegid getresuid "
        "getresgid getgroups setpgid setsid set_tid_address set_robust_list rseq arch_prctl "
        "modify_ldt personality "
        "set_thread_area get_thread_area map_shadow_stack seccomp landlock_create_ruleset landlock_add_rule "
        "landlock_restrict_self lsm_get_self_attr lsm_set_self_attr lsm_list_modules restart_syscall "
        "uprobe uretprobe",
        "-",
        "reaches only itself",
        "-",
    ),
)

MEMORY = (
    Calls(
        "userfaultfd",
        "freeze a page, so that who reads its memory or `/proc` waits",
        "filter; no /dev/userfaultfd",
        f"frozen-pages {FILTERED}",
        "EPERM",
        "EPERM",
    ),
    Calls(
        "memfd_secret",
        "have memory that nobody counts",
        "filter",
        f"secret-memory {FILTERED}",
        "ENOSYS",
        "ENOSYS",
    ),
    Calls(
        "shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open "
        "mq_unlink "
        "mq_timedsend mq_timedreceive mq_notify mq_getsetattr",
        "read, fill or remove shared memory, semaphores and queues of others; leave some behind",
        "namespace of shared memory; the cell looks what is left",
        "sysv shm",
    ),
    Calls(
        "mlock mlock2 mlockall munlock munlockall brk mremap memfd_create",
        "take the memory of the machine",
        "max_memory: control group, or measured; nothing without max_memory",
        "much-memory",
    ),
    Calls(
        "mprotect munmap madvise pkey_mprotect pkey_alloc pkey_free remap_file_pages mseal",
        "-",
        "reaches only itself",
        "-",
    ),
)

SOCKETS = (
    Calls(
        "socket socketpair",
        "reach other machines and programs by families that no namespace covers (vsock); reach code "
        "of the kernel "
        "that no engine needs",
        "filter (families, protocols); namespace of the network",
        "families test_only_families_and_protocols_that_a_program_needs_are_to_be_had",
        RULE,
        RULE,
    ),
    Calls(
        "connect bind listen accept accept4 sendto recvfrom sendmmsg recvmmsg recvmsg shutdown getsockname "
        "getpeername setsockopt getsockopt",
        "talk to programs of this machine and of others",
        "namespace of the network; abstract sockets: Landlock; "
        "socket files: out of sight at strict, in /run at guarded too",
        "connect listen udp netlink abstract-socket unix-socket search-sockets control-socket",
    ),
    Calls(
        "sendmsg",
        "use up the descriptors that a user may have in flight, so that no cell can pass one",
        "lower limit of open files; the worker takes a pidfd itself",
        "in-flight test_an_engine_does_not_keep_others_from_being_started",
    ),
)

SIGNALS = (
    Calls(
        "timer_create timer_settime timer_gettime timer_getoverrun timer_delete",
        "wake itself while the opponent thinks, by SIGCONT",
        "filter, if the player does not ponder",
        "test_who_stands_still_while_others_think_has_no_clock_to_wake_it",
    ),
    Calls(
        "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend "
        "sigaltstack signalfd "
        "signalfd4 pause alarm getitimer setitimer nanosleep clock_nanosleep clock_gettime "
        "clock_getres gettimeofday "
        "time times getrusage getcpu timerfd_create timerfd_settime timerfd_gettime",
        "-",
        "reaches only itself",
        "-",
    ),
    Calls(
        "poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait "
        "epoll_pwait2 eventfd "
        "eventfd2 pipe pipe2 futex futex_waitv futex_wake futex_wait futex_requeue",
        "use up what the kernel counts for a user: watches of epoll, pages in pipes",
        "own uid (root); else nothing",
        "-",
    ),
)

SYSTEM = (
    Calls(
        "add_key request_key keyctl",
        "use keys of the user, or use up their number",
        "filter",
        f"keyring {FILTERED}",
        "EPERM",
        "EPERM",
    ),
    Calls(
        "io_uring_setup io_uring_enter io_uring_register",
        "make calls that no filter sees",
        "filter",
        f"io-uring {FILTERED}",
        "ENOSYS",
        "ENOSYS",
    ),
    Calls(
        "io_setup", "take all requests of the machine", "filter", f"requests {FILTERED}", "ENOSYS", "ENOSYS"
    ),
    Calls(
        "io_submit io_cancel io_getevents io_pgetevents io_destroy",
        "-",
        "there is nothing without io_setup",
        "requests",
    ),
    Calls(
        "init_module finit_module delete_module kexec_load kexec_file_load reboot",
        "change the kernel, end the machine",
        "filter; no capabilities",
        FILTERED,
        "EPERM",
        "EPERM",
    ),
    Calls(
        "settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname iopl ioperm vhangup",
        "change clocks, names and ports of the machine",
        "no capabilities",
        "new-rights",
    ),
    Calls("sched_yield membarrier", "make the processors of others busy for a moment", "nothing", "-"),
    Calls("uname sysinfo getrandom", "learn of the machine", "nothing", "-"),
    Calls(
        "uselib create_module get_kernel_syms query_module nfsservctl getpmsg putpmsg afs_syscall "
        "tuxcall security "
        "vserver epoll_ctl_old epoll_wait_old lookup_dcookie _sysctl sched_get_priority_max "
        "sched_get_priority_min",
        "-",
        "gone from the kernel, or answers a constant",
        "-",
    ),
)

SECTIONS = {
    "Files": FILES,
    "Processes": PROCESSES,
    "Memory": MEMORY,
    "Sockets": SOCKETS,
    "Time, signals and waiting": SIGNALS,
    "The system": SYSTEM,
}

NEWER = {  # than the headers of Linux 6.1
    "uretprobe": 335, "uprobe": 336,
    "cachestat": 451, "fchmodat2": 452, "map_shadow_stack": 453, "futex_wake": 454, "futex_wait": 455,
    "futex_requeue": 456, "statmount": 457, "listmount": 458, "lsm_get_self_attr": 459,
    "lsm_set_self_attr": 460, "lsm_list_modules": 461, "mseal": 462, "setxattrat": 463,
    "getxattrat": 464, "listxattrat": 465, "removexattrat": 466,
    "open_tree_attr": 467, "file_getattr": 468, "file_setattr": 469,
}  # fmt: skip


class Kind(NamedTuple):
    """A kind of object of the kernel. The fields are those of `Calls`."""

    what: str
    could: str
    stops: str
    tests: str


OBJECTS = (
    Kind(
        "mounts",
        "uncover files; set-uid programs and devices on them",
        "namespace of mounts; nosuid, nodev, read-only; filter",
        "mount unmask test_what_is_mounted_gives_no_rights_and_has_no_devices_but_those_that_are_wanted",
    ),
    Kind(
        "layers over folders (overlayfs)",
        "remove the marks that hide files",
        "the folder of the layers is masked",
        "whiteouts",
    ),
    Kind(
        "files that last, of our user or of root",
        "leave a set-uid program there",
        "filter; a look when the worker ends",
        "set-uid-file test_what_contained_engines_leave_gives_nobody_the_rights_of_its_owner",
    ),
    Kind(
        "leases, delegations, locks, notices",
        "have readers wait",
        "filter; bounded waits; strict: out of sight",
        "lease lock fanotify test_a_lock_that_another_program_keeps_is_not_waited_for_without_end",
    ),
    Kind(
        "pipes in the place of files",
        "have gyoji wait at `open`",
        "opened without waiting",
        "test_a_pipe_in_the_place_of_a_file_is_not_waited_for "
        "test_a_pipe_in_the_place_of_a_script_is_not_waited_for",
    ),
    Kind("namespaces", "rights in a new one", "filter", "user-namespace join"),
    Kind(
        "processes and threads",
        "signals, tracing, exhaustion",
        "namespace of processes; control group, limits",
        "kill trace forks early-child",
    ),
    Kind(
        "core dumps",
        "programs of the machine, as root",
        "limit of 1, which stays",
        "test_a_crash_starts_no_program_of_the_machine_and_no_priority_is_above_others",
    ),
    Kind(
        "descriptors in flight",
        "keep cells from passing theirs",
        "limits; the worker takes a pidfd itself",
        "in-flight test_an_engine_does_not_keep_others_from_being_started",
    ),
    Kind(
        "sockets",
        "talk to others",
        "filter; namespace of the network; strict: files out of sight",
        "families abstract-socket",
    ),
    Kind("keys", "use or use up those of the user", "filter", "keyring"),
    Kind(
        "timers",
        "wake itself",
        "filter, if the player does not ponder",
        "test_who_stands_still_while_others_think_has_no_clock_to_wake_it",
    ),
    Kind(
        "shared memory, semaphores, queues",
        "read, fill, leave behind",
        "namespace of shared memory",
        "shm sysv",
    ),
    Kind(
        "watches, pending signals, pages in pipes",
        "use up those of the user",
        "own uid (root); else nothing",
        "-",
    ),
    Kind(
        "inodes",
        "use up those of a file system",
        "memory: a limit of 65,536 each; disk: max_disk, else nothing",
        "files-in-tmp files-in-shm very-many-files",
    ),
    Kind("perf counters, BPF programs", "watch the machine", "filter", f"bpf {FILTERED}"),
    Kind(
        "io_uring, requests of io_setup",
        "calls that no filter sees; exhaustion",
        "filter",
        "io-uring requests",
    ),
    Kind("pages that freeze (userfaultfd)", "have readers of its memory wait", "filter", "frozen-pages"),
    Kind("terminals", "type commands, change settings", "its own /dev and terminals", "tty terminal"),
    Kind("caches, processors, disks", "slow others down; learn what they do", "nothing", "-"),
)
