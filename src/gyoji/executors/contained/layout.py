"""The mounts of a sandbox: its own /dev, overlays over folders, hidden paths, and read-only paths."""

# The order of mounts matters, because each mount hides what is below it and paths are resolved each time:
#
#   1. the folders of the overlays are made, and whiteouts in their upper folders
#   2. the engine's own folders get mapped owners (`uids.map_own`), before anything is mounted over them
#   3. descriptors of lower, upper and work folders are opened; then a mask hides the upper folders: a file is
#      hidden by a whiteout in there, and an engine that could remove the whiteout would see the file
#   4. descriptors of paths to keep are opened (O_PATH)
#   5. /dev, then the overlays by /proc/self/fd/N, each with the masks below it, then the private copies, then
#      the other masks
#   6. kept paths are mounted again from their descriptors, symbolic links last, when their targets exist
#   7. all of it read-only, nosuid, nodev; then the writable paths, without mounts below them, and devices
#
# Only files that an engine changes are copied. A layer that the kernel refuses is added to `missing`, and the
# engine plays with the others; an overlay that cannot be mounted ends the cell.

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from gyoji.executors import kernel
from gyoji.executors.contained import uids
from gyoji.executors.contained.plan import Filesystem, User

READ_ONLY = "read-only file system"
"""Name of a layer. A cell that lacks it reports it in "ready", with the reason after a colon."""

_IN_MEMORY = 64 << 20
_MOST_FILES = 1 << 16
"""The maximum number of files in a private copy in memory."""

_TERMINALS = "/dev/pts"
_FLAGS = kernel.MS_NOSUID | kernel.MS_NODEV


def arrange(view: Filesystem, user: User | None, owners: int, missing: list[str]) -> None:
    """Mount the file system of a sandbox.

    Args:
        view: The sandbox's view of the file system.
        user: The user as which the engine runs; None for the present user.
        owners: Descriptor of a user namespace that makes root's files in `user["own"]` belong to `user`; -1
            for none.
        missing: Gets a line for each layer that the kernel refuses.
    """
    for path in (each for _, *layers in view["copies"] for each in layers if each):
        os.makedirs(path, mode=0o700, exist_ok=True)
    for _, lower, upper, _, hidden in view["overlays"]:
        os.makedirs(lower, mode=0o755, exist_ok=True)
        _hide(upper, hidden)
    if user is not None:
        uids.map_own(user["own"], owners)
    umask = os.umask(0o022)  # engines of another user pass through the folders that are made
    copies, overlays = _found(view["copies"]), _found(each[1:4] for each in view["overlays"])
    _mask(filter(None, [view["layers"]]))
    _lay_out(view, copies, overlays, missing)
    os.umask(umask)


def _lay_out(
    view: Filesystem, copies: list[list[int]], overlays: list[list[int]], missing: list[str]
) -> None:
    """Mount everything in `view`, in its order, with the folders that `arrange` has opened.

    Args:
        copies: Open descriptors of the folders in `view["copies"]`, which this function closes.
        overlays: Open descriptors of the folders in `view["overlays"]`, which this function closes.
        missing: Gets a line for each layer that the kernel refuses.
    """
    covered = [folder for folder, *_ in view["overlays"]]
    held = _held(path for path in view["kept"] if path not in covered)
    if view["devices"] is not None:
        _lay_out_devices(view["devices"])
    for (folder, *_), descriptors in zip(view["overlays"], overlays, strict=True):
        _lay_over(folder, *map(_name_of, descriptors))
        _close(descriptors)
        # A mask below the folder is part of its view, wherever that is mounted back
        _mask(path for path in view["masks"] if path.startswith(f"{folder}/"))
    # Overlays that are kept: opened only now, with what lies over them
    held += _held(path for path in view["kept"] if path in covered)
    _lay_copies(view["copies"], copies, missing)
    _mask(path for path in view["masks"] if not any(path.startswith(f"{each}/") for each in covered))
    _bring_back(held)
    try:
        kernel.make_read_only("/")
        for path in view["writable"]:
            if os.path.exists(path):
                kernel.make_writable(path)
        for path in (*(view["devices"] or ()), _TERMINALS):
            with suppress(OSError):  # not a mount point, or its devices could not be used outside either
                kernel.allow_devices(os.path.realpath(path))
    except OSError as error:
        missing.append(f"{READ_ONLY}: {error.strerror}")


def _mask(paths: Iterable[str]) -> None:
    """Hide folders by mounting empty ones over them, and files by mounting /dev/null."""
    for path in paths:
        if os.path.isdir(path):
            kernel.mount("tmpfs", path, _FLAGS, "size=1m,mode=755")
        elif os.path.lexists(path):
            kernel.bind("/dev/null", path)


class _Held(NamedTuple):
    """A path that stays visible although a folder above it is hidden. It is opened before the folder is
    hidden.

    Attributes:
        is_link: Whether the path has a symbolic link in it. Paths without one sort first.
        path: The path.
        descriptor: Descriptor of the opened path.
    """

    is_link: bool
    path: str
    descriptor: int


def _held(paths: Iterable[str]) -> list[_Held]:
    """Open paths, with the real path of each that has a symbolic link in it, before mounts hide them.

    Paths that do not exist are left out.
    """
    there = [path for path in paths if os.path.exists(path)]
    both = {path: os.path.realpath(path) for path in there}
    return [
        _Held(both.get(path, path) != path, path, os.open(path, os.O_PATH))
        for path in {*both, *both.values()}
    ]


def _bring_back(held: Iterable[_Held]) -> None:
    """Mount files and folders, which are hidden by now, again at their paths."""
    for is_link, path, descriptor in sorted(held):
        if not (is_link and os.path.exists(path)):
            place = os.path.realpath(path)  # a visible symbolic link in the path may lead to a hidden target
            if not os.path.exists(place):
                _make_room(place, os.stat(descriptor).st_mode)
            kernel.bind(f"/proc/self/fd/{descriptor}", place)
        os.close(descriptor)


def _make_room(path: str, mode: int) -> None:
    """Create an empty mount point for a file or folder.

    Args:
        mode: Mode of the file or folder as in stat(2), which says which of the two it is.
    """
    if stat.S_ISDIR(mode):
        os.makedirs(path)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def _lay_out_devices(devices: Sequence[str]) -> None:
    """Mount a /dev with these devices only, and links, shared memory and terminals of its own."""
    held = _held(devices)
    kernel.mount("tmpfs", "/dev", _FLAGS, "size=1m,mode=755")
    _bring_back(held)
    for name in ("shm", "pts"):
        os.mkdir(f"/dev/{name}")
    kernel.mount("tmpfs", "/dev/shm", _FLAGS, "mode=1777,nr_inodes=65536")
    with suppress(OSError):
        options = "newinstance,ptmxmode=0666,mode=0620"
        kernel.mount("devpts", _TERMINALS, kernel.MS_NOSUID | kernel.MS_NOEXEC, options)
    for name, target in (("ptmx", "pts/ptmx"), ("fd", "/proc/self/fd"), ("stdin", "/proc/self/fd/0"),
                         ("stdout", "/proc/self/fd/1"), ("stderr", "/proc/self/fd/2")):  # fmt: skip
        os.symlink(target, f"/dev/{name}")


def _found(layers: Iterable[Sequence[str]]) -> list[list[int]]:
    """Open the folders of copies or overlays, before mounts hide them.

    Args:
        layers: The folders of each copy or overlay; "" stands for no folder.

    Returns:
        The descriptors of these folders, for each copy or overlay in the same order; -1 stands for no folder.
    """
    return [[os.open(path, os.O_PATH) if path else -1 for path in each] for each in layers]


def _name_of(descriptor: int) -> str:
    return f"/proc/self/fd/{descriptor}"


def _close(descriptors: Iterable[int]) -> None:
    for each in descriptors:
        if each >= 0:
            os.close(each)


def _lay_copies(copies: Sequence[Sequence[str]], held: Sequence[Sequence[int]], missing: list[str]) -> None:
    """Mount a private copy over each folder.

    Args:
        copies: `Filesystem.copies`. Upper and work folders are on one file system, outside the folder.
        held: For each copy, open descriptors of its folder, its upper folder and its work folder; -1 for
            none. This function closes them.
        missing: Gets a line for each copy that the kernel refuses.
    """
    for (folder, *_), descriptors in zip(copies, held, strict=True):
        lower, upper, work = map(_name_of, descriptors)
        is_in_memory = descriptors[1] < 0
        if is_in_memory:
            upper, work = _make_in_memory(folder, os.stat(lower).st_mode & 0o7777)
        try:
            _lay_over(folder, lower, upper, work)
        except OSError as error:
            missing.append(f"a private copy of {folder}: {error.strerror}")
            if is_in_memory:
                kernel.unmount(folder)
        _close(descriptors)


def _lay_over(folder: str, lower: str, upper: str, work: str) -> None:
    """Mount an overlay over a folder.

    Args:
        lower: Folder whose files it shows.
        upper: Folder that gets the changes.
        work: Folder that overlayfs needs, on the file system of `upper`.
    """
    # overlayfs marks a folder that replaces another by an extended attribute. Only root may set the default
    # attributes; without any, a removed folder could not be created again.
    options = f"lowerdir={lower},upperdir={upper},workdir={work}"
    kernel.mount("overlay", folder, _FLAGS, options if _is_root_of_all() else f"{options},userxattr")


def _is_root_of_all() -> bool:
    """Return whether this process is in the machine's initial user namespace, by its uid map."""
    with open("/proc/self/uid_map", "rb") as file:
        return file.read().split() == [b"0", b"0", b"4294967295"]


def _make_in_memory(folder: str, mode: int) -> tuple[str, str]:
    """Create an upper and a work folder in memory, in a folder that an overlay hides next.

    Return both paths.

    Args:
        mode: Permissions of the upper folder.
    """
    kernel.mount("tmpfs", folder, _FLAGS, f"size={_IN_MEMORY},nr_inodes={_MOST_FILES},mode=700")
    upper, work = f"{folder}/upper", f"{folder}/work"
    for each in (upper, work):
        os.mkdir(each)
    os.chmod(upper, mode)
    return upper, work


def _hide(upper: str, names: Sequence[str]) -> None:
    """Make an overlay hide files, which may not exist yet, by a whiteout (device 0/0) in its upper folder.

    Args:
        upper: The upper folder.
        names: Paths of the files in the overlay.
    """
    for name in names:
        path = os.path.join(upper, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with suppress(FileExistsError):
            os.mknod(path, 0o020000, 0)
