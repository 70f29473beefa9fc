"""Files where engines may have been: written, removed and measured, whatever stands in the way.

An engine runs as the user, and may put a link where a file of ours is to be: whoever follows it writes over
a file of the user's. So a new file is made beside and takes the name in one step, whatever had it before; a
file that is added to is opened only if it is one. A folder that is ours is no link either.

A tree of folders is walked with a few open descriptors, without recursion and long paths, so it may be as
deep as it likes. Names are whatever the file system has. The run's warden imports this: it needs no other
module of ours.
"""

import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR, ELOOP, ENOTDIR

_LONGEST = 250  # bytes of a name that may get four more
_MODE = 0o666  # less the umask
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_PLAIN_FOLDER = _FOLDER | os.O_NOFOLLOW
_PLACE = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC

REMOVAL_SECONDS = 10.0
"""How long a removal may take; something that goes on making files would keep it busy for ever."""

FILE_BYTES = 1024
"""Bytes that a file, a folder or a link counts at least: a disk has room for only so many of them."""


def write_file(path: str | os.PathLike[str], data: bytes, *, in_our_folder: bool = False) -> None:
    """Put `data` into a file in one step: whoever reads it sees the old content or the new one, never a part.

    in_our_folder: the folder is one that we make: it is made if it is not there, and may be no link. Raises
    OSError, and leaves what was there.
    """
    with _beside(path, is_ours=in_our_folder) as descriptor:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]


def write_pieces(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """The same with data that are made while they are written.

    Whatever making them raises leaves what was there too.
    """
    with _beside(path, is_ours=False) as descriptor, open(descriptor, "wb", closefd=False) as file:
        file.writelines(pieces)


@contextmanager
def _beside(path: str | os.PathLike[str], *, is_ours: bool) -> Iterator[int]:
    """A descriptor of a new file, which takes the place of `path` if the block ends well."""
    folder, name = os.path.split(path)
    place = _open_folder(folder or ".", is_ours=is_ours)
    try:
        beside = f"{name}.new" if len(os.fsencode(name)) <= _LONGEST else f"{_short(name)}.new"
        try:
            descriptor = _make(place, beside)
            try:
                yield descriptor
            finally:
                os.close(descriptor)
            os.replace(beside, name, src_dir_fd=place, dst_dir_fd=place)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside, dir_fd=place)
            raise
    finally:
        os.close(place)


def create_file(path: str | os.PathLike[str]) -> int:
    """A descriptor of a new empty file in a folder of ours, in place of what has its name. Raises OSError."""
    folder, name = os.path.split(os.fspath(path))
    place = _open_folder(folder, is_ours=True)
    try:
        return _make(place, name)
    finally:
        os.close(place)


def open_file(path: str | os.PathLike[str], flags: int) -> int:
    """A descriptor of a file that is made if it is not there; flags: as of `os.open`, how to write.

    Raises OSError, for a link too and for what is no plain file (a pipe would keep us waiting).
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
    """A descriptor of a file to read. Raises OSError, for what is no plain file too: a pipe would not end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(ENOTDIR, "it is not a plain file", os.fspath(path))
    return descriptor


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder of ours unless it is there. Raises OSError, for a link too."""
    os.close(_open_folder(os.fspath(path), is_ours=True))


def _open_folder(folder: str, *, is_ours: bool) -> int:
    """A descriptor of a folder, which is made first if it is ours."""
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
    """A descriptor of a new file in a folder; what had its name is unlinked."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(name, flags, _MODE, dir_fd=place)
    except FileExistsError:
        os.unlink(name, dir_fd=place)
        return os.open(name, flags, _MODE, dir_fd=place)


def _short(name: str) -> str:
    from hashlib import sha256  # noqa: PLC0415 - a large library for a rare name; the warden imports this module

    return sha256(os.fsencode(name)).hexdigest()[:16]


def _told(error: OSError, path: str | os.PathLike[str]) -> OSError:
    """The error, in words that say what is in the way."""
    if error.errno in (ELOOP, ENOTDIR, EISDIR) and os.path.islink(path):
        what = "it is a symbolic link, and nothing is written through it: put what it leads to in its place"
        return OSError(ELOOP, what, os.fspath(path))
    return error


def remove_tree(path: str | os.PathLike[str], seconds: float = REMOVAL_SECONDS) -> str:
    """Remove a folder and all that is in it, or a single file or link of that name.

    Goes past what cannot be removed. Returns what is wrong with it in a few words; "" if all of it has gone.
    """
    folder, name = os.path.split(os.path.abspath(path))
    try:
        above = os.open(folder, _PLACE | os.O_DIRECTORY)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot remove {os.fspath(path)}: {error.strerror}"
    try:
        is_gone = _is_removed_empty(above, name)
        trouble = "" if is_gone else _Removal(time.monotonic() + seconds).remove(above, name)
    finally:
        os.close(above)
    return f"cannot remove {os.fspath(path)}: {trouble}" if trouble else ""


def _is_removed_empty(above: int, name: str) -> bool:
    """Remove an empty folder, as those of most engines are; whether there is nothing of that name now."""
    try:
        os.rmdir(name, dir_fd=above)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


class _Removal:
    """One removal: what stood in its way first."""

    def __init__(self, give_up: float) -> None:
        self._give_up = give_up
        self._trouble = ""

    def remove(self, above: int, name: str) -> str:
        """Remove `name` of the folder `above`; "", or what is wrong."""
        try:
            if _is_folder(above, name):
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
        """Remove all that is in a folder. Raises OSError if that cannot be reached."""
        walk = _Walk(_open_own_folder(above, name))
        try:
            names = [name]  # of the folders from the top one to the one we are in
            inside = [
                self._remove_files(walk.here)
            ]  # of each, the folders in it that are still to be emptied
            while inside:
                if time.monotonic() > self._give_up:
                    raise TimeoutError(None, "it takes too long")
                if not inside[-1]:
                    inside.pop()
                    emptied = names.pop()
                    if inside:
                        walk.leave()
                        self._remove_folder(walk.here, emptied)
                    continue
                names.append(inside[-1].pop())
                try:
                    walk.enter(_open_own_folder(walk.here, names[-1]))
                except OSError as error:
                    self._note(error)
                    names.pop()
                else:
                    inside.append(self._remove_files(walk.here))
        finally:
            walk.close()

    def _remove_files(self, here: int) -> list[str]:
        """Remove all but the folders of a folder, whose names it returns."""
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

    def _remove_folder(self, here: int, name: str) -> None:
        try:
            os.rmdir(name, dir_fd=here)
        except OSError as error:
            self._note(error)

    def _note(self, error: OSError) -> None:
        """The first trouble says most: that a folder is not empty only follows from others."""
        if not isinstance(error, FileNotFoundError):
            self._trouble = self._trouble or error.strerror or type(error).__name__


def tree_size(path: str, most: int) -> int:
    """Bytes of what is below a folder, links by themselves; counts no further once it is above `most`.

    A file counts what is larger: its length, holes included, or the space that it takes.
    What goes while we look, or cannot be looked at, does not count.
    """
    total = 0
    for _, entry in _entries(path):
        with suppress(OSError):
            total += FILE_BYTES if entry.is_dir(follow_symlinks=False) else _size(entry)
        if total > most:
            break
    return total


def _size(entry: os.DirEntry[str]) -> int:
    status = entry.stat(follow_symlinks=False)
    return max(status.st_size, status.st_blocks * 512, FILE_BYTES)


def take_rights(path: str, since: int, seconds: float = REMOVAL_SECONDS) -> None:
    """Clear the set-user-ID and set-group-ID bits of files below a folder that changed since a time.

    Such a program gives its owner's rights to every user who can execute it.

    Args:
        since: in ns, as of `time.time_ns`.
        seconds: how long it may take; what has not been reached by then stays as it is.
    """
    give_up = time.monotonic() + seconds
    for here, entry in _entries(path):
        with suppress(OSError):
            status = entry.stat(follow_symlinks=False)
            if status.st_mode & _SET_IDS and status.st_ctime_ns >= since:
                _clear_rights(here, entry.name)
        if time.monotonic() > give_up:
            break


_SET_IDS = stat.S_ISUID | stat.S_ISGID


def _clear_rights(here: int, name: str) -> None:
    """Clear these bits of a file of this folder, if it is a file and not a link or a folder by now."""
    place = os.open(name, _PLACE, dir_fd=here)
    try:
        mode = os.fstat(place).st_mode
        if stat.S_ISREG(mode):
            os.chmod(f"/proc/self/fd/{place}", stat.S_IMODE(mode) & ~_SET_IDS)
    finally:
        os.close(place)


def _entries(path: str) -> Iterator[tuple[int, os.DirEntry[str]]]:
    """All that is below a folder, with a descriptor of the folder that it is in; links are not followed."""
    try:
        walk = _Walk(os.open(path, _FOLDER))
    except OSError:
        return
    try:
        inside: list[list[str]] = []  # of each folder on the way here, those in it that are still to be seen
        is_new = True
        while is_new or inside:
            if is_new:
                inside.append([])
                with os.scandir(walk.here) as entries:
                    for entry in entries:
                        yield walk.here, entry
                        if _is_folder_entry(entry):
                            inside[-1].append(entry.name)
            is_new = False
            if inside[-1]:
                with suppress(OSError):
                    walk.enter(os.open(inside[-1].pop(), _PLAIN_FOLDER, dir_fd=walk.here))
                    is_new = True
            else:
                inside.pop()
                if inside:
                    walk.leave()
    except OSError:  # it is being moved about: what has been seen counts
        pass
    finally:
        walk.close()


def _is_folder_entry(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


class _Walk:
    """A place in a tree that is reached by descriptors: down by a name, back up by "..".

    here: the folder we are in; it is ours to close.
    """

    def __init__(self, top: int) -> None:
        self.here = top
        self._above: list[tuple[int, int]] = []  # device and inode of each folder on the way back

    def enter(self, folder: int) -> None:
        """Go into a folder of this one, opened before."""
        try:
            self._above.append(_identity(self.here))
        finally:
            os.close(self.here)
            self.here = folder

    def leave(self) -> None:
        """Go back. Raises OSError if the folder is not where it was any more."""
        above = os.open("..", _PLAIN_FOLDER, dir_fd=self.here)
        os.close(self.here)
        self.here = above
        if _identity(above) != self._above.pop():
            raise OSError(None, "a folder was moved meanwhile")

    def close(self) -> None:
        os.close(self.here)


def _identity(folder: int) -> tuple[int, int]:
    status = os.fstat(folder)
    return status.st_dev, status.st_ino


def _is_folder(above: int, name: str) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode)


def _open_own_folder(above: int, name: str) -> int:
    """Open a folder that is ours to read and to change, whatever its mode says now."""
    place = os.open(name, _PLACE | os.O_DIRECTORY, dir_fd=above)
    try:
        mode = os.fstat(place).st_mode
        if mode & stat.S_IRWXU != stat.S_IRWXU:
            os.chmod(f"/proc/self/fd/{place}", stat.S_IRWXU)
        return os.open(".", _PLAIN_FOLDER, dir_fd=place)
    finally:
        os.close(place)
