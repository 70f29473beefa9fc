"""Attempts of a hostile engine on sockets, the network and the system. See `hostile.py`."""

import ctypes
import errno
import fcntl
import mmap
import os
import select
import signal
import socket
import stat
import struct
import termios
from contextlib import suppress

from hostile_ground import (
    EVENT,
    GENTLE,
    IS_X86,
    OUTSIDE,
    STORE,
    TOLD,
    NotTriedError,
    call,
    libc,
    unless_gentle,
)


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


def sockets():
    """Yield socket files, those of the user first, for a limited time."""
    left = 30_000
    for top in (OUTSIDE, EVENT, "/run", "/tmp", "/"):
        for folder, folders, names in os.walk(top):
            folders[:] = [each for each in folders if f"{folder}/{each}" not in ("//proc", "//sys", "//usr")]
            for name in names:
                with suppress(OSError):
                    if stat.S_ISSOCK(os.lstat(f"{folder}/{name}").st_mode):
                        yield f"{folder}/{name}"
            left -= len(names) + 1
            if left < 0:
                return


def try_search_sockets():
    unless_gentle()
    for path in sockets():
        with suppress(OSError):
            return connect(socket.AF_UNIX, path)
    raise OSError(errno.ENOENT, "")


def try_abstract_socket():
    return connect(socket.AF_UNIX, "\0" + TOLD["abstract"])


def try_connect():
    return connect(socket.AF_INET, ("127.0.0.1", int(TOLD["port"])))


def has_network():
    """Return whether this process has the machine's network."""
    return os.readlink("/proc/self/ns/net") == TOLD["network"]


def try_listen():
    with socket.socket() as listener:
        listener.bind(("0.0.0.0", 0))
        listener.listen()
    return "done" if has_network() else "own"


def try_udp():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"hostile", ("127.0.0.1", int(TOLD["udp"])))
    return "done" if has_network() else "own"


FAMILIES = {
    "vsock": (40, socket.SOCK_STREAM, 0),
    "alg": (38, socket.SOCK_SEQPACKET, 0),
    "packet": (17, socket.SOCK_RAW, 0),
    "bluetooth": (31, socket.SOCK_RAW, 1),
    "can": (29, socket.SOCK_RAW, 1),
    "rds": (21, socket.SOCK_SEQPACKET, 0),
    "tipc": (30, socket.SOCK_SEQPACKET, 0),
    "qipcrtr": (42, socket.SOCK_DGRAM, 0),
    "audit": (16, socket.SOCK_RAW, 9),
    "netfilter": (16, socket.SOCK_RAW, 12),
    "generic netlink": (16, socket.SOCK_RAW, 16),
    "events of the kernel": (16, socket.SOCK_RAW, 15),
    "sctp": (2, socket.SOCK_STREAM, 132),
    "udplite": (2, socket.SOCK_DGRAM, 136),
    "mptcp": (10, socket.SOCK_STREAM, 262),
}


def try_families():
    done, last = [], OSError(errno.EAFNOSUPPORT, "")
    for name, (family, kind, protocol) in FAMILIES.items():
        try:
            os.close(call((41, 198), family, kind, protocol))
            done.append(name.replace(" ", "-"))
        except OSError as error:
            last = error
    if not done:
        raise last
    return "done " + ",".join(done)


def try_netlink():
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as asker:
        asker.bind((0, 0))
    return "done" if has_network() else "own"


def in_a_child(deed, patience=5.0):
    """Do it in a child process. Return its result, or raise its error."""
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


def by_another_table():
    """Call getpid as a 32-bit call, then by its number in x32."""
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\0\0\0\xcd\x80\xc3")  # mov eax, 20; int 0x80; ret
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    if ctypes.CFUNCTYPE(ctypes.c_int)(address)() == os.getpid():
        return "own"
    call((0x40000000 | 39, 0), 0)
    return "own"


def try_other_tables():
    if not IS_X86:
        raise NotTriedError
    answer = in_a_child(by_another_table)
    if answer != "own":
        raise OSError(errno.EPERM, "it was killed")
    return answer


def try_frozen_pages():
    os.close(call((323, 282), 1 | os.O_CLOEXEC))
    return "own"


FORBIDDEN = (  # by number on x86-64: what no engine needs, and what is not to be seen through
    *(165, 166, 155, 161, 163, 167, 168, 169, 103, 175, 176, 179, 246, 248, 249, 250, 272, 298, 300, 301),
    *(303, 304, 308, 313, 320, 321, 323, 425, 426, 427, 428, 429, 430, 431, 432, 433, 435, 437, 442, 443),
    *(206, 447, 467, 470, 512, 1000),
)


def try_forbidden_calls():
    """Make calls with useless arguments. An error other than the filter's shows an opening."""
    unless_gentle()
    if not IS_X86:
        raise NotTriedError
    done = []
    for number in FORBIDDEN:
        try:
            call((number, 0), *[-1] * 6)
        except OSError as error:
            if error.errno in (errno.EPERM, errno.ENOSYS):
                continue
        done.append(str(number))
    if not done:
        raise OSError(errno.EPERM, "")
    return "done " + ",".join(done)


def try_secret_memory():
    os.close(call((447, 447), 0))
    return "own"


def try_new_rights():
    with open("/proc/self/status") as file:
        status = {name: text.strip() for name, _, text in (line.partition(":") for line in file)}
    rights = [name for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb") if int(status[name], 16)]
    if status["NoNewPrivs"] == "0" or rights:
        return "done " + ",".join(("exec", *rights))
    raise OSError(errno.EPERM, "")


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
