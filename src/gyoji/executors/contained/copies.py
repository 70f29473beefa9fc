"""Private copies of folders: what is written in them goes elsewhere, and the folders stay as they are.

A layer lies over a folder (overlayfs): nothing is copied but a file that is changed.
"""

import os
from collections.abc import Sequence

from gyoji.executors.contained import kernel

_IN_MEMORY = 64 << 20
_MOST_FILES = 1 << 16
_FLAGS = kernel.MS_NOSUID | kernel.MS_NODEV


def make_layers(copies: Sequence[Sequence[str]]) -> None:
    """Make the folders that private copies need, where they are missing."""
    for path in (each for _, *layers in copies for each in layers if each):
        os.makedirs(path, mode=0o700, exist_ok=True)


def found(copies: Sequence[Sequence[str]]) -> list[list[int]]:
    """Descriptors of the folders of each copy, -1 for none, taken before anything lies over them."""
    return [[os.open(path, os.O_PATH) if path else -1 for path in each] for each in copies]


def lay_copies(copies: Sequence[Sequence[str]], held: Sequence[Sequence[int]], missing: list[str]) -> None:
    """Lay a private copy over each of these folders, (folder, upper, work); `missing`: which cannot be had.

    upper and work are folders of one file system outside `folder`; both "" to keep what is written in
    memory. held: as `found` has them; they are closed.
    """
    for (folder, *_), descriptors in zip(copies, held, strict=True):
        lower, upper, work = (f"/proc/self/fd/{each}" for each in descriptors)
        is_in_memory = descriptors[1] < 0
        if is_in_memory:
            upper, work = _make_in_memory(folder, os.stat(lower).st_mode & 0o7777)
        try:
            lay_over(folder, lower, upper, work)
        except OSError as error:
            missing.append(f"a private copy of {folder} ({error.strerror})")
            if is_in_memory:
                kernel.unmount(folder)
    for descriptor in (each for descriptors in held for each in descriptors if each >= 0):
        os.close(descriptor)


def lay_over(folder: str, lower: str, upper: str, work: str) -> None:
    """Lay a layer over a folder. lower, upper, work: as the options of an overlay take them.

    What a folder is that replaces another, a layer has in attributes of the folder: those that only root may
    set, or "user" attributes, without which no folder can be made again that was removed.
    """
    options = f"lowerdir={lower},upperdir={upper},workdir={work}"
    kernel.mount(
        "overlay", folder, "overlay", _FLAGS, options if _is_root_of_all() else f"{options},userxattr"
    )


def _is_root_of_all() -> bool:
    """Whether we are in the user namespace of the machine."""
    with open("/proc/self/uid_map", "rb") as file:
        return file.read().split() == [b"0", b"0", b"4294967295"]


def _make_in_memory(folder: str, mode: int) -> tuple[str, str]:
    """The two folders of a layer that is kept in memory, in a place that the layer will lie over."""
    kernel.mount("tmpfs", folder, "tmpfs", _FLAGS, f"size={_IN_MEMORY},nr_inodes={_MOST_FILES},mode=700")
    upper, work = f"{folder}/upper", f"{folder}/work"
    for each in (upper, work):
        os.mkdir(each)
    os.chmod(upper, mode)
    return upper, work
