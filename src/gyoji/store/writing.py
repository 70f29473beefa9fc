"""Writing our files where engines may have been: through no symbolic link, and so that nothing is lost.

An engine runs as the user, and may put a link where a file of ours is to be: whoever follows it writes over
a file of the user's. So a new file is made beside and takes the name in one step, whatever had it before; a
file that is added to is opened only if it is one. A folder that is ours is no link either.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR, ELOOP, ENOTDIR
from hashlib import sha256

_LONGEST = 250  # bytes of a name that may get four more
_MODE = 0o666  # less the umask
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def write_file(path: str | os.PathLike[str], data: bytes, *, in_our_folder: bool = False) -> None:
    """Put `data` into a file in one step: whoever reads it sees the old content or the new one, never a part.

    in_our_folder: the folder is one that we make: it is made if it is not there, and may be no link. Raises
    OSError, and leaves what was there.
    """
    folder, name = os.path.split(os.fspath(path))
    with _opened(folder or ".", is_ours=in_our_folder) as place:
        beside = f"{name}.new" if len(os.fsencode(name)) <= _LONGEST else f"{_short(name)}.new"
        try:
            descriptor = _make(place, beside)
            with open(descriptor, "wb", buffering=0) as file:
                view = memoryview(data)
                while view:
                    view = view[file.write(view) or 0 :]
            os.replace(beside, name, src_dir_fd=place, dst_dir_fd=place)
        except OSError:
            with suppress(OSError):
                os.unlink(beside, dir_fd=place)
            raise


def create_file(path: str | os.PathLike[str]) -> int:
    """A descriptor of a new empty file in a folder of ours, in place of what has its name. Raises OSError."""
    folder, name = os.path.split(os.fspath(path))
    with _opened(folder, is_ours=True) as place:
        return _make(place, name)


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
        raise OSError(ENOTDIR, "it is no plain file", os.fspath(path))
    return descriptor


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder of ours unless it is there. Raises OSError, for a link too."""
    with _opened(os.fspath(path), is_ours=True):
        pass


@contextmanager
def _opened(folder: str, *, is_ours: bool) -> Iterator[int]:
    """A descriptor of a folder, which is made first if it is ours."""
    flags = _FOLDER | (os.O_NOFOLLOW if is_ours else 0)
    try:
        descriptor = os.open(folder, flags)
    except FileNotFoundError:
        if not is_ours:
            raise
        os.makedirs(folder, exist_ok=True)
        descriptor = os.open(folder, flags)
    except OSError as error:
        raise _told(error, folder) from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _make(place: int, name: str) -> int:
    """A descriptor of a new file in a folder; what had its name is unlinked."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(name, flags, _MODE, dir_fd=place)
    except FileExistsError:
        os.unlink(name, dir_fd=place)
        return os.open(name, flags, _MODE, dir_fd=place)


def _short(name: str) -> str:
    return sha256(os.fsencode(name)).hexdigest()[:16]


def _told(error: OSError, path: str | os.PathLike[str]) -> OSError:
    """The error, in words that say what is in the way."""
    if error.errno in (ELOOP, ENOTDIR, EISDIR) and os.path.islink(path):
        what = "it is a symbolic link, and nothing is written through it: put what it leads to in its place"
        return OSError(ELOOP, what, os.fspath(path))
    return error
