"""Trees of folders that an engine made: removed, and measured, however they are made.

Nothing here recurses or writes a long path: a tree is walked with a few open descriptors, so it may be as
deep as it likes. No symbolic link is followed. Names are whatever the file system has. Needs nothing but
`os`, for the run's warden uses it too.
"""

import os
import stat
import time

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_PLACE = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC

REMOVAL_SECONDS = 10.0
"""How long a removal may take; something that goes on making files would keep it busy for ever."""


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
        trouble = _Removal(time.monotonic() + seconds).remove(above, name)
    finally:
        os.close(above)
    return f"cannot remove {os.fspath(path)}: {trouble}" if trouble else ""


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


FILE_BYTES = 1024
"""Bytes that a file, a folder or a link counts at least: a disk has room for only so many of them."""


def tree_size(path: str, most: int) -> int:
    """Bytes of what is below a folder, links by themselves; counts no further once it is above `most`.

    A file counts what is larger: its length, holes included, or the space that it takes.
    What goes while we look, or cannot be looked at, does not count.
    """
    try:
        walk = _Walk(os.open(path, _FOLDER & ~os.O_NOFOLLOW))
    except OSError:
        return 0
    try:
        total, folders = _files(walk.here)
        inside = [folders]
        while inside and total <= most:
            if not inside[-1]:
                inside.pop()
                if inside:
                    walk.leave()
                continue
            try:
                walk.enter(os.open(inside[-1].pop(), _FOLDER, dir_fd=walk.here))
            except OSError:
                continue
            size, folders = _files(walk.here)
            total += size
            inside.append(folders)
    except OSError:  # it is being moved about: what has been seen counts
        pass
    finally:
        walk.close()
    return total


def _files(here: int) -> tuple[int, list[str]]:
    """Bytes of the files of a folder, and the names of the folders in it."""
    size, folders = 0, []
    with os.scandir(here) as entries:
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
                    size += FILE_BYTES
                else:
                    status = entry.stat(follow_symlinks=False)
                    size += max(status.st_size, status.st_blocks * 512, FILE_BYTES)
            except OSError:
                continue
    return size, folders


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
        above = os.open("..", _FOLDER, dir_fd=self.here)
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
        return os.open(".", _FOLDER, dir_fd=place)
    finally:
        os.close(place)
