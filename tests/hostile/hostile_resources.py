"""Attempts of a hostile engine to use things up, or to leave something behind. See `hostile.py`."""

import ctypes
import os
import resource
import signal
import socket
import sys
import threading
import time

from hostile_ground import GENTLE, call, unless_gentle

kept = []


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


def files_in(folder, wanted):
    os.makedirs(folder, exist_ok=True)
    for number in range(wanted):
        os.close(os.open(f"{folder}/{number}", os.O_CREAT | os.O_WRONLY))
    return "own"


def try_many_files():
    return files_in("many", 3000)


# More than anybody has to spare: only where something limits it.


def try_much_memory():
    kept.extend(b"x" * (64 << 20) for _ in range(64))
    return "own"


def try_much_disk():
    written("much", 4096)
    return "own"


def try_very_many_files():
    return files_in("very-many", 100_000)


def try_files_in_tmp():
    return files_in("/tmp/very-many", 100_000)


def try_files_in_shm():
    return files_in("/dev/shm/very-many", 100_000)


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


def try_requests():
    place = ctypes.c_ulong(0)
    call((206, 0), 128, ctypes.byref(place))
    call((207, 1), place.value)
    return "own"


def try_flood():
    for _ in range(64):
        sys.stderr.write("\x1b[2J flood \u202e" * 4096 + "\n")
    return "own"
