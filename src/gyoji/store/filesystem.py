"""Functions to write, remove and measure files in folders that engines can change."""

# Theory of operation
#
# An engine runs as the user and can change the folders that it works in, at any moment and on purpose. It may
# put a link where gyoji is going to write, a FIFO where gyoji is going to read, or a tree so deep that paths
# are too long.
#
# * A new file is made under another name in the same folder (O_EXCL, O_NOFOLLOW) and renamed. A link of that
#   name is replaced, not followed.
# * A file that is appended to is opened with O_NOFOLLOW and O_NONBLOCK, then checked by fstat: a check by
#   name could be overtaken by a rename.
# * A tree is removed from the top: the folders of a folder are moved up beside it before it is removed. So no
#   path gets long, and no folder is left by "..".
# * A tree is measured with one descriptor and "..", without recursion. The device and inode of each folder on
#   the way back are kept, so a folder that is moved during the walk ends it instead of leading it elsewhere.
# * Every walk has a limit of time or of bytes: a process that makes files as fast as they are removed would
#   keep it busy for ever.
# * Names are what the file system has, bytes included.
#
# The run's reaper imports this module and needs to start fast, so it imports nothing else of gyoji, and
# hashlib only when a name is too long.

import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR, ELOOP, ENOTDIR
from io import BufferedWriter

_LONGEST = 250  # bytes of a name that may get four more
_MODE = 0o666  # less the umask
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_PLAIN_FOLDER = _FOLDER | os.O_NOFOLLOW
_PLACE = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC

REMOVAL_SECONDS = 10.0
"""Seconds that a removal may take. Without a limit, a process that makes files could keep it busy for
ever.
"""
FILE_BYTES = 1024
"""Bytes as which a small file, folder or link counts, since a disk has room for a limited number of them."""


def write_file(path: str | os.PathLike[str], data: bytes, *, in_our_folder: bool = False) -> None:
    """Write a file in one step: a reader sees the old content or the new one.

    Args:
        in_our_folder: Whether the folder belongs to gyoji. If so, it is made if it does not exist, and must
            not be a link.

    Raises:
        OSError: The file cannot be written. The old content stays.
    """
    with _beside(path, is_ours=in_our_folder) as file:
        file.write(data)


def write_pieces(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Write a file in one step from pieces that are produced while it is written.

    If producing or writing them fails, the old content stays.
    """
    with _beside(path, is_ours=False) as file:
        file.writelines(pieces)


@contextmanager
def _beside(path: str | os.PathLike[str], *, is_ours: bool) -> Iterator[BufferedWriter]:
    """Open a new file for writing that replaces the file `path` if the block succeeds.

    If the block fails, the old file stays.

    Args:
        is_ours: Whether the file's folder belongs to gyoji (`_open_folder`).
    """
    folder, name = os.path.split(path)
    place = _open_folder(folder or ".", is_ours=is_ours)
    try:
        if len(os.fsencode(name)) <= _LONGEST:
            beside = f"{name}.new"
        else:
            from hashlib import sha256  # noqa: PLC0415 - a large library for a rare name

            beside = f"{sha256(os.fsencode(name)).hexdigest()[:16]}.new"
        try:
            with open(_make(place, beside), "wb") as file:
                yield file
            os.replace(beside, name, src_dir_fd=place, dst_dir_fd=place)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside, dir_fd=place)
            raise
    finally:
        os.close(place)


def create_file(path: str | os.PathLike[str]) -> int:
    """Open a new empty file for writing and return its descriptor. It replaces an old file of that name.

    The file's folder belongs to gyoji and is made if it does not exist.

    Raises:
        OSError: The file cannot be made.
    """
    folder, name = os.path.split(os.fspath(path))
    place = _open_folder(folder, is_ours=True)
    try:
        return _make(place, name)
    finally:
        os.close(place)


def open_file(path: str | os.PathLike[str], flags: int) -> int:
    """Open a file for writing, and make it if it does not exist. Return its descriptor.

    Args:
        flags: Flags of `os.open`, such as os.O_WRONLY | os.O_APPEND.

    Raises:
        OSError: The file cannot be opened, is a link, or is no plain file. A pipe would block.
    """
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, _MODE)
    except OSError as error:
        raise _told(error, path) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(ENOTDIR, "it is not a plain file", os.fspath(path))
    return descriptor


def open_plain(path: str | os.PathLike[str]) -> int:
    """Open a file for reading. Return its descriptor.

    Raises:
        OSError: The file cannot be opened, or is no plain file. A pipe would not end.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(ENOTDIR, "it is not a plain file", os.fspath(path))
    return descriptor


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder that belongs to gyoji, unless it exists.

    Raises:
        OSError: The folder cannot be made, or is a link.
    """
    os.close(_open_folder(os.fspath(path), is_ours=True))


def _open_folder(folder: str, *, is_ours: bool) -> int:
    """Open a folder and return its descriptor. A folder of gyoji (`is_ours`) is made if it is missing."""
    flags = _PLAIN_FOLDER if is_ours else _FOLDER
    try:
        return os.open(folder, flags)
    except FileNotFoundError:
        if not is_ours:
            raise
        os.makedirs(folder, exist_ok=True)
        return os.open(folder, flags)
    except OSError as error:
        raise _told(error, folder) from None


def _make(place: int, name: str) -> int:
    """Open a new file in a folder, after removing an old one of that name. Return its descriptor.

    Args:
        place: The folder's descriptor.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(name, flags, _MODE, dir_fd=place)
    except FileExistsError:
        os.unlink(name, dir_fd=place)
        return os.open(name, flags, _MODE, dir_fd=place)


def _told(error: OSError, path: str | os.PathLike[str]) -> OSError:
    """Return `error`, from opening or writing `path`, or a clearer error if `path` is a symbolic link."""
    if error.errno in (ELOOP, ENOTDIR, EISDIR) and os.path.islink(path):
        what = "it is a symbolic link, and nothing is written through it: put what it leads to in its place"
        return OSError(ELOOP, what, os.fspath(path))
    return error


def remove_tree(path: str | os.PathLike[str], seconds: float = REMOVAL_SECONDS) -> str:
    """Remove a folder with its content, or a single file or link. Entries that cannot be removed are skipped.

    Args:
        seconds: Time limit.

    Returns:
        The first problem in a few words; "" if everything was removed.
    """
    folder, name = os.path.split(os.path.abspath(path))
    try:
        above = os.open(folder, _PLACE | os.O_DIRECTORY)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot remove {os.fspath(path)}: {error.strerror}"
    try:
        trouble = _Removal(time.monotonic() + seconds).remove(above, name)
    finally:
        os.close(above)
    return f"cannot remove {os.fspath(path)}: {trouble}" if trouble else ""


class _Removal:
    """The removal of one tree of files. It goes on after a problem, and keeps the first one to report."""

    def __init__(self, give_up: float) -> None:
        self._give_up = give_up
        self._trouble = ""

    def remove(self, above: int, name: str) -> str:
        """Remove a file, or a folder with its content. Return the first problem of the whole removal, or "".

        Args:
            above: Descriptor of the folder that the file or folder is in.
        """
        try:
            with suppress(OSError):  # an empty folder, as those of most engines are
                os.rmdir(name, dir_fd=above)
                return ""
            if stat.S_ISDIR(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode):
                self._empty(above, name)
                os.rmdir(name, dir_fd=above)
            else:
                os.unlink(name, dir_fd=above)
        except FileNotFoundError:
            pass
        except OSError as error:
            self._note(error)
        return self._trouble

    def _empty(self, above: int, name: str) -> None:
        """Remove the content of a folder.

        Args:
            above: Descriptor of its parent folder.
            name: Name of the folder.

        Raises:
            OSError: The folder cannot be reached, or the time is up.
        """
        top = _open_own_folder(above, name)
        try:
            lasting = set[str]()  # names of folders that cannot be removed
            while folders := [each for each in self._remove_files(top) if each not in lasting]:
                for each in folders:
                    if time.monotonic() > self._give_up:
                        raise TimeoutError(None, "it takes too long")
                    try:
                        self._dissolve(top, each)
                    except OSError as error:
                        self._note(error)
                        lasting.add(each)
        finally:
            os.close(top)

    def _dissolve(self, top: int, name: str) -> None:
        """Remove one folder inside the folder `top`, but keep its subfolders.

        The subfolders are moved to `top` under new names.

        Args:
            top: Descriptor of the outer folder.
            name: Name of the folder to remove.
        """
        folder = _open_own_folder(top, name)
        try:
            for each in self._remove_files(folder):
                with suppress(FileNotFoundError):  # an engine has moved it away
                    os.close(_open_own_folder(folder, each))  # moving a folder writes to it
                    os.rename(each, os.urandom(8).hex(), src_dir_fd=folder, dst_dir_fd=top)
        finally:
            os.close(folder)
        os.rmdir(name, dir_fd=top)

    def _remove_files(self, here: int) -> list[str]:
        """Remove everything in a folder except the folders in it. Return the names of those folders.

        Args:
            here: Descriptor of the folder.
        """
        folders = []
        with os.scandir(here) as entries:
            for entry in entries:
                try:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.name)
                    else:
                        os.unlink(entry.name, dir_fd=here)
                except OSError as error:
                    self._note(error)
                if time.monotonic() > self._give_up:
                    break
        return folders

    def _note(self, error: OSError) -> None:
        """Keep the first problem. Later ones, such as a folder that is not empty, only follow from it."""
        if not isinstance(error, FileNotFoundError):
            self._trouble = self._trouble or error.strerror or type(error).__name__


def tree_size(path: str, most: int) -> int:
    """Return the size in bytes of everything below a folder, without following links.

    A file counts as its length, holes included, or as the space that it takes on the disk, whichever is
    larger. Each file, folder or link counts as at least `FILE_BYTES`. Entries that vanish or cannot be read
    do not count.

    Args:
        most: The size above which counting stops.
    """
    total = 0
    for _, entry in _entries(path):
        with suppress(OSError):
            status = entry.stat(follow_symlinks=False)
            size = 0 if stat.S_ISDIR(status.st_mode) else max(status.st_size, status.st_blocks * 512)
            total += max(size, FILE_BYTES)
        if total > most:
            break
    return total


def take_rights(path: str, since: int, seconds: float = REMOVAL_SECONDS) -> None:
    """Clear the set-user-ID and set-group-ID bits of files below a folder that changed since a time.

    A program with such a bit gives its owner's rights to every user who can execute it.

    Args:
        since: Time in ns, as of `time.time_ns`.
        seconds: Time limit. Files that have not been reached by then stay as they are.
    """
    give_up = time.monotonic() + seconds
    for here, entry in _entries(path):
        with suppress(OSError):
            status = entry.stat(follow_symlinks=False)
            if status.st_mode & _SET_IDS and status.st_ctime_ns >= since:
                place = os.open(entry.name, _PLACE, dir_fd=here)
                try:
                    mode = os.fstat(place).st_mode
                    if stat.S_ISREG(mode):
                        os.chmod(f"/proc/self/fd/{place}", stat.S_IMODE(mode) & ~_SET_IDS)
                finally:
                    os.close(place)
        if time.monotonic() > give_up:
            break


_SET_IDS = stat.S_ISUID | stat.S_ISGID


def _entries(path: str) -> Iterator[tuple[int, os.DirEntry[str]]]:
    """Yield each file, folder and link below a folder, without following links.

    Each item is (descriptor of the folder that the entry is in, entry).
    """
    try:
        here = os.open(path, _FOLDER)
    except OSError:
        return
    above: list[tuple[int, int]] = []  # device and inode of each folder on the way back
    unseen: list[list[str]] = []  # for each of these and for `here`: names of folders to visit later
    try:
        while True:
            if len(unseen) == len(above):
                unseen.append([])
                with os.scandir(here) as entries:
                    for entry in entries:
                        yield here, entry
                        with suppress(OSError):
                            unseen[-1] += [entry.name] if entry.is_dir(follow_symlinks=False) else []
            elif unseen[-1]:
                with suppress(OSError):
                    below = os.open(unseen[-1].pop(), _PLAIN_FOLDER, dir_fd=here)
                    above.append(_identity(here))
                    os.close(here)
                    here = below
            elif above:
                unseen.pop()
                back = os.open("..", _PLAIN_FOLDER, dir_fd=here)
                os.close(here)
                here = back
                if _identity(here) != above.pop():
                    return
            else:
                return
    except OSError:  # it is being moved about: what has been seen counts
        pass
    finally:
        os.close(here)


def _identity(folder: int) -> tuple[int, int]:
    status = os.fstat(folder)
    return status.st_dev, status.st_ino


# An engine may have taken all rights from its own folder, which belongs to the user nevertheless.
def _open_own_folder(above: int, name: str) -> int:
    """Open a folder of the user for reading and changing, and return the descriptor.

    If the folder's mode forbids that, the mode is changed.

    Args:
        above: Descriptor of its parent folder.
        name: Name of the folder.
    """
    place = os.open(name, _PLACE | os.O_DIRECTORY, dir_fd=above)
    try:
        if os.fstat(place).st_mode & stat.S_IRWXU != stat.S_IRWXU:
            os.chmod(f"/proc/self/fd/{place}", stat.S_IRWXU)
        return os.open(".", _PLAIN_FOLDER, dir_fd=place)
    finally:
        os.close(place)
