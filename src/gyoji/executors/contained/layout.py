"""The file system as a cell sees it: its own /dev, layers over folders, and nothing where masks are.

The rest can be seen and not changed. A layer lies over a folder (overlayfs): what is written there goes
elsewhere, the folder stays as it is, and nothing is copied but a file that is changed. Elsewhere is in the
engine's own folder, and out of its sight there: a file is hidden by a mark in the layer (a whiteout), and an
engine that could remove the mark would see the file.
"""

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from gyoji.executors import kernel
from gyoji.executors.contained import uids

READ_ONLY = "read-only file system"
"""The name of the layer; a cell that could not have it says so, with the reason behind a colon."""

_IN_MEMORY = 64 << 20
_MOST_FILES = 1 << 16
_TERMINALS = "/dev/pts"
_FLAGS = kernel.MS_NOSUID | kernel.MS_NODEV


def arrange(plan: dict[str, Any], owners: int, missing: list[str]) -> None:
    """Lay out the file system as this cell is to see it.

    owners: a user namespace by which the engine owns what root does in its own folders, -1 for none.
    """
    _make_layers(plan["copies"])
    for _, lower, upper, _, hidden in plan["overlays"]:
        os.makedirs(lower, mode=0o755, exist_ok=True)
        _hide(upper, hidden)
    if owners >= 0:
        uids.map_own(plan["user"]["own"], owners)
    umask = os.umask(0o022)  # the folders on the way to what is brought back
    copies, overlays = _found(plan["copies"]), _found(each[1:4] for each in plan["overlays"])
    _mask(filter(None, [plan["layers"]]))
    _lay_out(plan, copies, overlays, missing)
    os.umask(umask)


def _lay_out(
    plan: dict[str, Any], copies: list[list[int]], overlays: list[list[int]], missing: list[str]
) -> None:
    """Lay out what the plan says. copies, overlays: as `_found` has those of the plan; they are closed."""
    covered = [folder for folder, *_ in plan["overlays"]]
    held = _held(path for path in plan["kept"] if path not in covered)
    if plan["devices"] is not None:
        _lay_out_devices(plan["devices"])
    for (folder, *_), descriptors in zip(plan["overlays"], overlays, strict=True):
        _lay_over(folder, *map(_name_of, descriptors))
        _close(descriptors)
        _mask(
            path for path in plan["masks"] if path.startswith(f"{folder}/")
        )  # with it, wherever it is shown
    held += _held(path for path in plan["kept"] if path in covered)  # with what lies over them
    _lay_copies(plan["copies"], copies, missing)
    _mask(path for path in plan["masks"] if not any(path.startswith(f"{each}/") for each in covered))
    _bring_back(held)
    try:
        kernel.make_read_only("/")
        for path in plan["writable"]:
            if os.path.exists(path):
                kernel.make_writable(path)
        for path in plan["fixed"]:
            if os.path.exists(path):
                kernel.make_read_only(path)
        for path in (*(plan["devices"] or ()), _TERMINALS):
            with suppress(OSError):  # nothing is mounted there, or its devices could not be used before
                kernel.allow_devices(os.path.realpath(path))
    except OSError as error:
        missing.append(f"{READ_ONLY}: {error.strerror}")


def _mask(paths: Iterable[str]) -> None:
    """Lay nothing over these files and folders."""
    for path in paths:
        if os.path.isdir(path):
            kernel.mount("tmpfs", path, _FLAGS, "size=1m,mode=755")
        elif os.path.lexists(path):
            kernel.bind("/dev/null", path)


class _Held(NamedTuple):
    """A path that is to be seen, with a descriptor by which it is found when it is masked.

    is_link  whether the path leads over a link. Those are brought back last, when what they lead to is there.
    """

    is_link: bool
    path: str
    descriptor: int


def _held(paths: Iterable[str]) -> list[_Held]:
    """Those of these paths that there are, and what they lead to."""
    there = [path for path in paths if os.path.exists(path)]
    both = {path: os.path.realpath(path) for path in there}
    return [
        _Held(both.get(path, path) != path, path, os.open(path, os.O_PATH))
        for path in {*both, *both.values()}
    ]


def _bring_back(held: Iterable[_Held]) -> None:
    """Mount files and folders where they were, or would be."""
    for is_link, path, descriptor in sorted(held):
        if not (is_link and os.path.exists(path)):
            place = os.path.realpath(path)  # a link on the way may be in sight, and lead to what is not
            if not os.path.exists(place):
                _make_room(place, os.stat(descriptor).st_mode)
            kernel.bind(f"/proc/self/fd/{descriptor}", place)
        os.close(descriptor)


def _make_room(path: str, mode: int) -> None:
    """Make the empty file or folder over which one of this mode is mounted."""
    if stat.S_ISDIR(mode):
        os.makedirs(path)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def _lay_out_devices(devices: list[str]) -> None:
    """A /dev with nothing in it but these, shared memory, and terminals of its own."""
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


def _make_layers(copies: Sequence[Sequence[str]]) -> None:
    """Make the folders that private copies need, where they are missing."""
    for path in (each for _, *layers in copies for each in layers if each):
        os.makedirs(path, mode=0o700, exist_ok=True)


def _found(layers: Iterable[Sequence[str]]) -> list[list[int]]:
    """Descriptors of the folders of each layer, -1 for none, taken before anything lies over them."""
    return [[os.open(path, os.O_PATH) if path else -1 for path in each] for each in layers]


def _name_of(descriptor: int) -> str:
    return f"/proc/self/fd/{descriptor}"


def _close(descriptors: Iterable[int]) -> None:
    for each in descriptors:
        if each >= 0:
            os.close(each)


def _lay_copies(copies: Sequence[Sequence[str]], held: Sequence[Sequence[int]], missing: list[str]) -> None:
    """Lay a private copy over each of these folders, (folder, upper, work); `missing`: which cannot be had.

    upper and work are folders of one file system outside `folder`; both "" to keep what is written in
    memory. held: as `_found` has them; they are closed.
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
    """Lay a layer over a folder. lower, upper, work: as the options of an overlay take them.

    What a folder is that replaces another, a layer has in attributes of the folder: those that only root may
    set, or "user" attributes, without which no folder can be made again that was removed.
    """
    options = f"lowerdir={lower},upperdir={upper},workdir={work}"
    kernel.mount("overlay", folder, _FLAGS, options if _is_root_of_all() else f"{options},userxattr")


def _is_root_of_all() -> bool:
    """Whether we are in the user namespace of the machine."""
    with open("/proc/self/uid_map", "rb") as file:
        return file.read().split() == [b"0", b"0", b"4294967295"]


def _make_in_memory(folder: str, mode: int) -> tuple[str, str]:
    """The two folders of a layer that is kept in memory, in a place that the layer will lie over."""
    kernel.mount("tmpfs", folder, _FLAGS, f"size={_IN_MEMORY},nr_inodes={_MOST_FILES},mode=700")
    upper, work = f"{folder}/upper", f"{folder}/work"
    for each in (upper, work):
        os.mkdir(each)
    os.chmod(upper, mode)
    return upper, work


def _hide(upper: str, names: list[str]) -> None:
    """Put a whiteout for each name into the upper folder of an overlay: there is no such file in it, ever."""
    for name in names:
        path = os.path.join(upper, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with suppress(FileExistsError):
            os.mknod(path, 0o020000, 0)
