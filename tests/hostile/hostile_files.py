"""Attempts of a hostile engine on files of others. See `hostile.py`."""

import ctypes
import errno
import fcntl
import glob
import os
import stat
from contextlib import suppress

from hostile_ground import (
    EVENT,
    GENTLE,
    IS_X86,
    LASTING,
    OUTSIDE,
    RECORD,
    STORE,
    TEMPORARY,
    TOLD,
    VICTIM,
    call,
    unless_gentle,
)


def try_read_store():
    return read(STORE)


def read(path):
    """Read from a file. Return "empty" if a mask lies over it."""
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
    """Return the folders of other engines' games that can be seen."""
    own = os.path.dirname(TEMPORARY)
    root = os.path.dirname(own)
    places = [each for each in glob.glob(f"{root}/*/work") if os.path.dirname(each) != own]
    if not places:
        raise OSError(errno.ENOENT, "")
    return places


def try_read_seat():
    os.listdir(foreign_places()[0])
    return "done"


def try_whiteouts():
    unless_gentle()
    upper = f"{os.path.dirname(TEMPORARY)}/overlay/upper"
    removed = 0
    for folder, _, names in os.walk(upper):
        for name in names:
            os.unlink(f"{folder}/{name}")
            removed += 1
    if not removed:
        raise OSError(errno.ENOENT, "")
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
    return "own" if is_copy(EVENT) else "done"


def is_copy(folder):
    """Return whether an overlay lies over a folder."""
    with open("/proc/self/mountinfo") as file:
        return any(f" {folder} " in line and " overlay " in line for line in file)


def try_chmod_system():
    for path in ("/dev/null", "/usr/bin/env"):
        os.chmod(path, os.stat(path).st_mode & 0o7777)
    return "done"


SET_IDS = 0o6755
HERE = -100  # AT_FDCWD
CREATES = os.O_CREAT | os.O_WRONLY


def made(path):
    with open(path, "wb") as file:
        file.write(b"#!/bin/sh\n")
    return path


def of_flags_in_memory(path):
    """Try openat2, whose mode no filter sees."""
    how = (ctypes.c_uint64 * 3)(CREATES, SET_IDS, 0)
    os.close(call((437, 437), HERE, path.encode(), ctypes.byref(how), 24))


def without_a_name(path):
    """Make a file without a name, and link it to one."""
    descriptor = os.open(LASTING, os.O_TMPFILE | os.O_RDWR, SET_IDS)
    try:
        os.link(f"/proc/self/fd/{descriptor}", path, src_dir_fd=descriptor, follow_symlinks=True)
    finally:
        os.close(descriptor)


def by_descriptor(path):
    with open(path, "wb") as file:
        os.fchmod(file.fileno(), SET_IDS)


def with_flags(path):
    """Try fchmodat2."""
    call((452, 452), HERE, made(path).encode(), SET_IDS, 0)


def by_name_in_a_folder(path):
    folder = os.open(LASTING, os.O_PATH)
    try:
        os.chmod(os.path.basename(made(path)), SET_IDS, dir_fd=folder)
    finally:
        os.close(folder)


def folder_of_a_group(path):
    os.mkdir(path, 0o2777)
    os.chmod(path, 0o2777)


def by_capabilities(path):
    """Try capabilities of a file in place of bits of its mode."""
    rights = (ctypes.c_uint32 * 5)(0x02000001, 0xFFFFFFFF, 0, 0xFFFFFFFF, 0)
    os.setxattr(made(path), "security.capability", bytes(rights))


OLD_CALLS = {  # which newer machines do not have
    "chmod": lambda path: call((90, 0), made(path).encode(), SET_IDS),
    "creat": lambda path: os.close(call((85, 0), path.encode(), SET_IDS)),
    "open": lambda path: os.close(call((2, 0), path.encode(), CREATES, SET_IDS)),
    "mknod": lambda path: call((133, 0), path.encode(), stat.S_IFREG | SET_IDS, 0),
}
WAYS = (OLD_CALLS if IS_X86 else {}) | {
    "fchmodat": by_name_in_a_folder,
    "fchmod": by_descriptor,
    "fchmodat2": with_flags,
    "openat": lambda path: os.close(os.open(path, CREATES, SET_IDS)),
    "mknodat": lambda path: os.mknod(path, stat.S_IFREG | SET_IDS),
    "mkdir": folder_of_a_group,
    "openat2": of_flags_in_memory,
    "tmpfile": without_a_name,
    "capability": by_capabilities,
}


def try_set_uid_file():
    """Try every way to leave a program with rights of its owner. Return the names of those that worked."""
    done, last = [], OSError(errno.EPERM, "")
    os.umask(0)
    for name, way in WAYS.items():
        path = f"{LASTING}/{name}"
        try:
            way(path)
        except OSError as error:
            last = error
        with suppress(OSError):
            if os.lstat(path).st_mode & 0o6000 or "security.capability" in os.listxattr(path):
                done.append(name)
        if GENTLE:
            with suppress(OSError):
                (os.rmdir if name == "mkdir" else os.unlink)(path)
    if not done:
        raise last
    return "done " + ",".join(done)


def try_lease():
    descriptor = os.open(VICTIM, os.O_RDONLY)
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    if GENTLE:
        os.close(descriptor)
    return "done"


def try_lock():
    with open(VICTIM, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return "done"


def try_watch():
    watcher = call((294, 26), os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        call((254, 27), watcher, VICTIM.encode(), 0x20)
    finally:
        os.close(watcher)
    return "done"


def try_fanotify():
    os.close(call((300, 262), 0, 0))
    return "own"


def try_fuse():
    os.close(os.open("/dev/fuse", os.O_RDWR))
    return "own"


def try_sysctl():
    os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
    return "done"
