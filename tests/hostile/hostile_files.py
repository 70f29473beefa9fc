"""Deeds of a hostile engine on files that are not its own. See `hostile.py`."""

import errno
import fcntl
import glob
import os

from hostile_ground import EVENT, GENTLE, OUTSIDE, RECORD, STORE, TEMPORARY, TOLD, VICTIM, unless_gentle


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
    return "own" if is_copy(EVENT) else "done"


def is_copy(folder):
    """Whether a layer lies over a folder."""
    with open("/proc/self/mountinfo") as file:
        return any(f" {folder} " in line and " overlay " in line for line in file)


def try_chmod_system():
    for path in ("/dev/null", "/usr/bin/env"):
        os.chmod(path, os.stat(path).st_mode & 0o7777)
    return "done"


def try_sysctl():
    os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
    return "done"
