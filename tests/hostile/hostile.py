"""A hostile engine: it speaks GTP, Gomocup or Dig Here, and at its first move tries what it is told to.

    hostile.py gtp|gomocup|dighere

Its environment says where things are, each as HOSTILE_ and one of these in capitals:

    try      names of `attempts.py`, with commas between them.
    gentle   1 to reach for things without using them: for runs in which nothing stops it.
    worker, scheduler, other: pids.  event, outside, home: folders.
    port, udp: numbers of ports.  abstract: the name of a socket.  terminal: a path.

`hostile.c` is the same in C.

It plays on whatever happened, and nothing that it tries is without a bound of its own.
"""

import ctypes
import errno
import fcntl
import glob
import os
import resource
import select
import signal
import socket
import struct
import sys
import termios
import threading
import time
from contextlib import suppress

TOLD = {name[8:].lower(): value for name, value in os.environ.items() if name.startswith("HOSTILE_")}
GENTLE = TOLD.get("gentle") == "1"
EVENT, OUTSIDE = TOLD.get("event", "/nowhere"), TOLD.get("outside", "/nowhere")
RECORD, STORE = f"{EVENT}/e.games/0.sgf", f"{EVENT}/e.db"
VICTIM = f"{OUTSIDE}/victim"
TEMPORARY = os.environ.get("TMPDIR", "/nowhere")

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
IS_X86 = os.uname().machine == "x86_64"


class NotTriedError(Exception):
    """It would harm the machine if nothing stopped it."""


def call(numbers, *arguments):
    """A system call by its number on x86-64 and elsewhere."""
    wide = (ctypes.c_long(each) if isinstance(each, int) else each for each in arguments)
    result = libc.syscall(ctypes.c_long(numbers[0] if IS_X86 else numbers[1]), *wide)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def is_contained():
    """Whether it is the child of process 1 of a namespace of processes: then -1 names nobody else's."""
    return os.getppid() == 1


def unless_gentle():
    if GENTLE:
        raise NotTriedError


# Processes


def others():
    """Name -> pid of those that are no business of an engine; what it can see, and what it has been told."""
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
            if "vice" in words:
                found["opponent"] = pid
    return found


def is_of_worker(pid):
    """Whether a process descends from the worker: any other that can be seen is nobody's to try things on."""
    for _ in range(8):
        with open(f"/proc/{pid}/stat") as file:
            pid = int(file.read().rpartition(")")[2].split()[1])
        if pid == int(TOLD.get("worker", 0)):
            return True
    return False


def on_others(deed):
    """Try `deed` on each; the names of those where it could be done. Raises the last error if on none."""
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
    os.setpriority(os.PRIO_USER, os.getuid(), 1)
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
    os.setpriority(os.PRIO_PROCESS, 1, 5)
    os.sched_setaffinity(1, {min(os.sched_getaffinity(1))})
    resource.prlimit(1, resource.RLIMIT_NOFILE, (3, 3))
    return "own"


# Files


def try_read_store():
    return read(STORE)


def read(path):
    """Read from a file; "empty" where something else lies over it."""
    with open(path, "rb") as file:
        if not file.read(16):
            raise OSError(errno.ENOENT, "something empty lies there")
    return "done"


def write(path, flags=0):
    descriptor = os.open(path, os.O_WRONLY | flags)
    with os.fdopen(descriptor, "wb") as file:
        if os.fstat(descriptor).st_rdev:
            raise OSError(errno.ENOENT, "a device lies there")
        if not GENTLE:
            file.write(b"hostile")
    return "done"


def try_read_wal():
    failures = 0
    for suffix in ("-wal", "-shm"):
        try:
            read(STORE + suffix)
        except OSError:
            failures += 1
    if failures == 2:
        raise OSError(errno.ENOENT, "")
    return "done"


def try_write_store():
    return write(STORE)


def try_write_log():
    return write(f"{EVENT}/e.log", os.O_APPEND)


def try_take_lock():
    with open(f"{EVENT}/e.lock", "rb") as file:
        if os.fstat(file.fileno()).st_rdev:
            raise OSError(errno.ENOENT, "a device lies there")
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return "done"


def try_read_control():
    return read(f"{EVENT}/e.toml")


def try_write_control():
    return write(f"{EVENT}/e.toml", os.O_APPEND)


def try_read_record():
    return read(RECORD)


def try_write_record():
    return write(RECORD)


def try_link_record():
    unless_gentle()
    os.unlink(RECORD)
    os.symlink(VICTIM, RECORD)
    return "done"


def try_read_folder():
    return read(f"{EVENT}/e.folders/other/plan")


def foreign_places():
    """Folders of games that are other engines', as far as they can be seen."""
    own = os.path.dirname(TEMPORARY)
    root = os.path.dirname(own)
    places = [each for each in glob.glob(f"{root}/*/work") if os.path.dirname(each) != own]
    if not places:
        raise OSError(errno.ENOENT, "")
    return places


def try_read_seat():
    os.listdir(foreign_places()[0])
    return "done"


def try_write_seat():
    unless_gentle()
    with open(f"{foreign_places()[0]}/hostile", "w") as file:
        file.write("hostile")
    return "done"


def try_read_home():
    return read(f"{TOLD['home']}/.ssh/id")


def try_read_shadow():
    return read("/etc/shadow")


def try_create():
    unless_gentle()
    with open(f"{OUTSIDE}/created", "w") as file:
        file.write("hostile")
    return "done"


def try_overwrite():
    return write(VICTIM)


def try_truncate():
    unless_gentle()
    os.truncate(VICTIM, 0)
    return "done"


def try_remove():
    unless_gentle()
    os.unlink(VICTIM)
    return "done"


def try_rename():
    unless_gentle()
    os.rename(VICTIM, f"{OUTSIDE}/renamed")
    return "done"


def try_hard_link():
    unless_gentle()
    os.link(VICTIM, "linked")
    return "done"


def try_mkdir():
    unless_gentle()
    done, last = 0, None
    for make in (
        lambda: os.mkdir(f"{OUTSIDE}/folder"),
        lambda: os.mkfifo(f"{OUTSIDE}/fifo"),
        lambda: os.symlink("/etc", f"{OUTSIDE}/link"),
    ):
        try:
            make()
            done += 1
        except OSError as error:
            last = error
    if not done:
        raise last
    return "done"


def try_chmod():
    unless_gentle()
    os.chmod(VICTIM, 0o777)
    return "done"


def try_utime():
    unless_gentle()
    os.utime(VICTIM, (1, 1))
    return "done"


def try_xattr():
    unless_gentle()
    os.setxattr(VICTIM, "user.hostile", b"1")
    return "done"


def try_chmod_folder():
    os.chmod(EVENT, os.stat(EVENT).st_mode & 0o7777 if GENTLE else 0o700)
    return "done"


def try_chmod_system():
    for path in ("/dev/null", "/usr/bin/env"):
        os.chmod(path, os.stat(path).st_mode & 0o7777)
    return "done"


def try_sysctl():
    os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
    return "done"


# Sockets


def connect(family, address):
    with socket.socket(family) as connection:
        connection.settimeout(1)
        connection.connect(address)
        if not GENTLE:
            connection.send(b'{"do": "stop"}\n')
    return "done"


def try_control_socket():
    return connect(socket.AF_UNIX, f"{EVENT}/e.sock")


def try_unix_socket():
    return connect(socket.AF_UNIX, f"{OUTSIDE}/s.sock")


def try_abstract_socket():
    return connect(socket.AF_UNIX, "\0" + TOLD["abstract"])


def try_connect():
    return connect(socket.AF_INET, ("127.0.0.1", int(TOLD["port"])))


def has_network():
    """Whether any interface but that of the machine itself is there, or even that one is up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        request = fcntl.ioctl(asker, 0x8913, struct.pack("16sh14x", b"lo", 0))
    is_up = bool(struct.unpack_from("16xh", request)[0] & 1)
    return is_up or len(socket.if_nameindex()) > 1


def try_listen():
    with socket.socket() as listener:
        listener.bind(("0.0.0.0", 0))
        listener.listen()
    return "done" if has_network() else "own"


def try_udp():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"hostile", ("127.0.0.1", int(TOLD["udp"])))
    return "done"


def try_netlink():
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as asker:
        asker.bind((0, 0))
    return "done" if has_network() else "own"


# The system


def in_a_child(deed, patience=5.0):
    """Do it in a child; its result, or the error that it met."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            answer = deed()
        except OSError as error:
            answer = f"!{error.errno}"
        except Exception as error:  # noqa: BLE001 (the other side waits)
            answer = type(error).__name__
        os.write(writer, answer.encode())
        os._exit(0)
    os.close(writer)
    answer = ""
    if select.select([reader], [], [], patience)[0]:
        answer = os.read(reader, 200).decode()
    os.close(reader)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    if answer.startswith("!"):
        raise OSError(int(answer[1:]), "")
    return answer or "nothing came of it"


def unshare(flags):
    if libc.unshare(flags) < 0:
        raise OSError(ctypes.get_errno(), "")


def mounted(source, target, flags=0, kind=b""):
    if libc.mount(source, target, kind, ctypes.c_ulong(flags), None) < 0:
        raise OSError(ctypes.get_errno(), "")


def be_root_of_a_namespace():
    uid = os.getuid()
    unshare(0x10000000 | 0x20000)
    with suppress(OSError), open("/proc/self/setgroups", "w") as file:
        file.write("deny")
    with open("/proc/self/uid_map", "w") as file:
        file.write(f"0 {uid} 1")


def try_user_namespace():
    def deed():
        be_root_of_a_namespace()
        return "own"

    return in_a_child(deed)


def try_mount():
    def deed():
        with suppress(OSError):
            unshare(0x10000000 | 0x20000)
        mounted(b"none", b"/mnt", kind=b"tmpfs")
        return "own"

    return in_a_child(deed)


def try_unmask():
    def deed():
        with suppress(OSError):
            unshare(0x10000000 | 0x20000)
        for path in (STORE, EVENT, f"{EVENT}/e.games"):
            if libc.umount2(path.encode(), 2) == 0:
                return "done"
        raise OSError(ctypes.get_errno(), "")

    unless_gentle()
    return in_a_child(deed)


def try_join():
    def deed():
        descriptor = os.open(f"/proc/{TOLD['worker']}/ns/mnt", os.O_RDONLY)
        if libc.setns(descriptor, 0) < 0:
            raise OSError(ctypes.get_errno(), "")
        return "done"

    return in_a_child(deed)


def try_chroot():
    def deed():
        os.mkdir("root")
        os.chroot("root")
        return "done"

    return in_a_child(deed)


def try_keyring():
    unless_gentle()
    call((248, 217), b"user", b"hostile", b"hostile", 7, -4)
    return "done"


def try_bpf():
    program = struct.pack("IIQQ", 1, 2, 0, 0) + bytes(100)
    call((321, 280), 5, program, len(program))
    return "done"


def try_io_uring():
    os.close(call((425, 425), 1, ctypes.create_string_buffer(120)))
    return "own"


def try_set_uid():
    def deed():
        os.setresuid(12345, 12345, 12345)
        return "done"

    return in_a_child(deed)


def try_devices():
    os.mknod("memory", 0o020600, os.makedev(1, 1))
    return "done"


def try_tty():
    descriptor = os.open("/dev/tty", os.O_RDWR | os.O_NONBLOCK)
    unless_gentle()
    fcntl.ioctl(descriptor, termios.TIOCSTI, b"\n")
    return "done"


def try_terminal():
    path = TOLD["terminal"]
    done, last = [], OSError(errno.ENOENT, "")
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        settings = termios.tcgetattr(descriptor)
        if not GENTLE:
            settings[3] &= ~termios.ISIG
        termios.tcsetattr(descriptor, termios.TCSANOW, settings)
        done.append("settings")
    except (OSError, termios.error) as error:
        last = error if isinstance(error, OSError) else OSError(error.args[0], "")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        if not GENTLE:
            os.write(descriptor, b"\x1b[2Jhostile")
        done.append("text")
    except OSError as error:
        last = error
    if not done:
        raise last
    return "done " + ",".join(done)


# Resources


def try_forks():
    children = []
    try:
        for _ in range(100 if GENTLE else 300):
            pid = os.fork()
            if pid == 0:
                time.sleep(20)
                os._exit(0)
            children.append(pid)
    except OSError:
        return "limited"
    finally:
        for pid in children:
            os.kill(pid, signal.SIGKILL)
        for pid in children:
            os.waitpid(pid, 0)
    return "own"


def try_threads():
    ended = threading.Event()
    threads = []
    try:
        for _ in range(300):
            thread = threading.Thread(target=ended.wait, args=(20,), daemon=True)
            thread.start()
            threads.append(thread)
    except RuntimeError:
        return "limited"
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    return "own"


def leave_behind(*, is_hidden):
    sys.stderr.flush()
    if os.fork():
        os.wait()
        return "own"
    os.setsid()
    if os.fork():
        os._exit(0)
    for descriptor in range(3):
        os.close(descriptor)
    if is_hidden:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        os.execve("/bin/sleep", ["gyoji-hostile-daemon", "60"], {})
    return os.execv("/bin/sleep", ["gyoji-hostile-daemon", "60"])


def try_daemon():
    return leave_behind(is_hidden=False)


def try_hidden_daemon():
    unless_gentle()
    return leave_behind(is_hidden=True)


def try_shm():
    with open("/dev/shm/gyoji-hostile", "wb") as file:
        file.write(bytes(8 << 20))
    if GENTLE:
        os.unlink("/dev/shm/gyoji-hostile")
    return "own"


def try_sysv():
    number = call((29, 194), 0, 1 << 20, 0o1600)
    if GENTLE:
        call((31, 195), number, 0, 0)
    return "own"


def written(path, size):
    piece = bytes(1 << 20)
    with open(path, "wb") as file:
        for _ in range(size):
            file.write(piece)


def try_one_file():
    written("large", 32)
    return "own"


def try_many_files():
    os.mkdir("many")
    for number in range(3000):
        os.close(os.open(f"many/{number}", os.O_CREAT | os.O_WRONLY))
    return "own"


def try_nested():
    start = os.getcwd()
    try:
        for _ in range(1200):
            os.mkdir("n")
            os.chdir("n")
    finally:
        os.chdir(start)
    return "own"


def try_sparse():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("sparse", "wb") as file:
        file.truncate(1 << 40)
    return "own"


kept = []


def try_unlinked():
    file = open("unlinked", "wb")  # noqa: SIM115 (it stays open)
    os.unlink("unlinked")
    for _ in range(16):
        file.write(bytes(1 << 20))
    kept.append(file)
    return "own"


def try_open_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    descriptors = []
    try:
        for _ in range(2000):
            descriptors.append(os.open("/dev/null", os.O_RDONLY))
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
    return "own"


def try_in_flight():
    unless_gentle()
    sent = 0
    while sent < 1500:
        ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        kept.extend(ends)
        for _ in range(6):
            socket.send_fds(ends[0], [b"x"], [1] * 250)
            sent += 250
    return "own"


def try_flood():
    for _ in range(64):
        sys.stderr.write("\x1b[2J flood \u202e" * 4096 + "\n")
    return "own"


# The conversation


def attempt(name):
    try:
        result = globals()["try_" + name.replace("-", "_")]()
    except NotTriedError:
        result = "not tried"
    except OSError as error:
        result = errno.errorcode.get(error.errno, str(error))
    except Exception as error:  # noqa: BLE001 (it plays on)
        result = type(error).__name__
    sys.stderr.write(f"TRY {name}: {result}\n")
    sys.stderr.flush()


def attempt_all():
    for name in TOLD.pop("try", "").split(","):
        if name:
            attempt(name)


def say(text):
    os.write(1, text.encode())


def gtp():
    answers = {"name": "hostile", "version": "1", "protocol_version": "2", "genmove": "pass"}
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] in ("genmove", "reg_genmove"):
            attempt_all()
        say(f"= {answers.get(words[0], 'false' if words[0] == 'known_command' else '')}\n\n")
        if words[0] == "quit":
            return


def gomocup():
    size, taken = 20, set()
    for line in sys.stdin:
        words = line.split()
        command = words[0].upper() if words else ""
        if command == "START":
            size = int(words[1])
            say("OK\n")
        elif command == "ABOUT":
            say('name="hostile", version="1"\n')
        elif command in ("BEGIN", "TURN"):
            if command == "TURN":
                taken.add(tuple(map(int, words[1].split(","))))
            attempt_all()
            cells = ((x, y) for y in range(size) for x in range(0, size, 2) if (x, y) not in taken)
            move = next(cells)
            taken.add(move)
            say("{},{}\n".format(*move))
        elif command == "END":
            return


def dighere():
    for number, _ in enumerate(sys.stdin, 1):
        if number % 13 == 0:
            attempt_all()
            say("-1\n")


if __name__ == "__main__":
    {"gtp": gtp, "gomocup": gomocup, "dighere": dighere}[sys.argv[1]]()
