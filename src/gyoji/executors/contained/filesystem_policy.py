"""The filesystem policy of one engine: the paths that it can read, change and use."""

# Four lists decide about a path. `layout` applies them in this order:
#
#   hidden    the competition's files, and files that are named for other players only
#             -> whiteouts in the overlay over the competition's folder, or masked elsewhere
#   masks     hidden paths outside that layer, folders of other engines, sockets of services;
#             at strict everything that is not the system's
#   shown     brought back under a mask: what the command names, its package, `readable`
#   writable  brought back and made writable: the engine's own folders and `writable`
#
# The competition's folder is the hard case, because the engine's working folder is that folder by default,
# its program is often in it, and files appear in it while the engine runs (records, the store's journal). So
# an overlay covers the whole folder: hidden names have whiteouts in its upper layer, whether or not they
# exist yet, and the engine's changes go to its own upper layer. At strict the lower layer is an empty folder,
# and only what is shown is brought back.
#
# Hidden folders that contain files of the engine are masked instead: to recreate a folder in place of a
# whiteout, an overlay needs an attribute that not every file system can store.

import glob
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from gyoji.core.environment import SCRATCH
from gyoji.core.spec import Player
from gyoji.executors.contained.belongings import (
    OF_THE_NETWORK,
    event_folder,
    has_own_view,
    interpreter_of,
    is_below,
    is_in,
    named_files,
    own_files,
    works_over_event,
)
from gyoji.executors.contained.ipc_cleanup import SHARED_MEMORY
from gyoji.executors.contained.machine import Machine
from gyoji.executors.contained.plan import Filesystem, User

_PLAIN_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_GRAPHICS = ("/dev/dri", "/dev/kfd", "/dev/nvidia-caps")
SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/opt/rocm", "/proc",
    "/sys/devices/system", "/sys/class/drm", "/sys/dev",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/alternatives",
    "/etc/localtime", "/etc/timezone", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/fonts",
    "/etc/OpenCL", "/etc/ssl", "/etc/pki", "/etc/java-17-openjdk", "/etc/python3", "/etc/perl",
)  # fmt: skip
"""Paths that any program may need to read in order to run, on Debian and similar systems."""

# Sockets of X, tmux and ssh-agent in /tmp, and services of the machine and of the user: a read-only mount
# does not prevent connections to a socket.
_SOCKETS = re.compile(r"\..*-unix|tmux-.*|ssh-.*")
_SERVICES = ("/run", "~/.gnupg")

_IN_SIGHT = (*SYSTEM, "/dev", "/etc", "/sys")
"""Paths that are not masked at strict. Landlock decides which of them can be read."""

Overlay: TypeAlias = tuple[str, str, str, str, list[str]]
"""An element of `Filesystem.overlays`."""


class FilesystemPolicy:
    """The paths that one contained engine can see and change.

    Attributes:
        overlay: The overlay that hides files in the competition's folder; None if nothing is to be hidden, or
            the machine has no overlayfs.
        writable: Files and folders that the engine can change for good.
        private: Folders whose changes only the engine sees.
        readable: Paths that the engine can read besides the system's, at the level "strict"; empty at
            "guarded".
        devices: Device files that the engine can use.
    """

    def __init__(self, player: Player, place: str, machine: Machine) -> None:
        """Examine the files of a player.

        Args:
            place: The engine's own folder.
            machine: The layers of containment that this machine has.
        """
        self.player, self.place = player, place
        self.is_strict = player.containment.level == "strict"
        self.hidden = self._find_hidden()
        self.overlay = self._overlay() if machine.overlays else None
        self.writable = self._find_writable()
        self.readable = own_files(player) if self.is_strict else []
        self.devices = self._find_devices()
        copies = machine.overlays and machine.read_only and not self.is_strict
        self.copies = self._copies() if copies else []
        self.private = [folder for folder, *_ in self.copies]
        if self.overlay and not self.is_strict:  # the home folder may be in it
            self.private.append(self.overlay[0])

    def view(self) -> Filesystem:
        """Return the sandbox's view of the file system, as a part of its plan."""
        # A folder with both an overlay and a copy keeps only the overlay, which the copy would cover
        covered = self.overlay[:1] if self.overlay and self.copies else ()
        masks = self._masks()
        shown = {*self.readable, *self._needed(), *self._own_below(masks)}
        in_writable = {path for path in shown if is_in(path, self.writable)}
        fixed = {path for path in in_writable if self._is_fixed(path, masks)}
        return {
            "devices": self.devices,
            "overlays": [self.overlay] if self.overlay else [],
            "layers": f"{self.place}/overlay",
            "copies": self.copies,
            "masks": masks,
            "kept": sorted({*self.writable, *(shown - in_writable), *fixed, *covered}),
            "writable": [*self.writable, SHARED_MEMORY, *self.private],
        }

    def user(self, uid: int) -> User:
        """Return the part of the plan for the user `uid`, as which the engine runs instead of root."""
        covered = self.overlay[:1] if self.overlay and not has_own_view(self.player) else ()
        own = [*self.writable, *self.readable, *covered]
        if has_own_view(self.player):  # its files on the disk are not the engine's
            own = [path for path in own if path != self.player.cwd]
        if not self.is_strict:
            own.append(_home(self.player))
        interpreters = map(interpreter_of, (*self.player.command[:1], *self.player.partner[:1]))
        needed = {self.place, self.player.cwd or os.getcwd(), *self._needed(), *interpreters} - {""}
        return {
            "uid": uid,
            "own": [path for path in own if not _is_of_system(path)],
            "needed": sorted(needed.union(filter(os.path.exists, self.writable))),
            "groups": _groups_of(self.devices),
        }

    def _find_hidden(self) -> list[str]:
        """Return the competition's files, and files that only other players name."""
        contained = self.player.containment
        named = named_files(self.player)
        own = {*named, *map(os.path.realpath, named), *contained.readable, *contained.writable}
        foreign = [path for path in contained.foreign if path not in own and not _is_of_system(path)]
        return [*contained.hidden, *foreign]

    def _overlay(self) -> Overlay | None:
        event = event_folder(self.player)
        if not os.path.isdir(event):
            return None
        cwd = self.player.cwd
        folder = cwd if cwd and works_over_event(self.player) else event
        lower, names = folder, []
        if has_own_view(self.player):
            lower = f"{self.place}/overlay/empty"
        else:
            names = [
                os.path.relpath(path, folder)
                for path in self.hidden
                if is_below(path, folder) and not self._holds_own(path)
            ]
        return folder, lower, f"{self.place}/overlay/upper", f"{self.place}/overlay/work", names

    def _holds_own(self, path: str) -> bool:
        """Return whether any file or folder that the player may use is below `path`."""
        contained = self.player.containment
        named = named_files(self.player)
        own = (self.player.folder or "", *named, *contained.readable, *contained.writable)
        return any(each.startswith(f"{path}/") for each in own)

    def _find_writable(self) -> list[str]:
        player = self.player
        paths = [self.place, *player.containment.writable]
        if player.cwd and (self.overlay is not None or not works_over_event(player)):
            paths.append(player.cwd)
        if player.folder:
            paths.append(player.folder)
        return paths

    def _find_devices(self) -> list[str]:
        """Return the device files that the engine can use.

        All engines can use a few harmless ones, such as /dev/null. At the level "strict" the control file can
        add others; at "guarded" those of graphics processors are added.
        """
        if self.is_strict:
            named = [
                str(each)
                for name in self.player.containment.devices
                for each in Path("/dev").glob(f"{name.removeprefix('/dev/')}*")
            ]
        else:
            named = [*_GRAPHICS, *(str(each) for each in Path("/dev").glob("nvidia*"))]
        return [each for each in (*_PLAIN_DEVICES, *named) if os.path.exists(each)]

    def _copies(self) -> list[tuple[str, str, str]]:
        """Return the private copies of /tmp and the home folder, to which many programs write.

        Each copy is given by its folder, upper folder and work folder, as in `Filesystem.copies`. A folder
        has no copy in these cases: it is /, the engine's overlay covers it already, it would contain the
        copy's own files, or other file systems are mounted in it, which the copy would not show.
        """
        home = _home(self.player)
        overlay = f"{self.place}/overlay"
        wanted = [("/tmp", "", ""), (home, f"{overlay}/home", f"{overlay}/home-work")]
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            mounted = [line.split()[4] for line in file]
        return [
            (folder, upper, work)
            for folder, upper, work in wanted
            if os.path.isdir(folder) and folder != "/"
            if not (upper and is_below(upper, folder))
            if not (self.overlay and is_below(folder, self.overlay[0]))
            if not any(is_below(each, folder) and each != folder for each in mounted)
        ]

    def _masks(self) -> list[str]:
        covered = [each for each in self.hidden if self.overlay and is_below(each, self.overlay[0])]
        masks = [each for each in self.hidden if each not in covered or self._holds_own(each)]
        # The scratch folder of the run, with the folders of other engines
        masks += [str(each) for each in Path(self.place).parents if SCRATCH.fullmatch(each.name)]
        masks += _foreign("/") if self.is_strict else _services()
        return [each for each in masks if os.path.lexists(each) and not os.path.islink(each)]

    def _needed(self) -> list[str]:
        """Return the paths that an engine must see in order to start."""
        player = self.player
        named = [
            word
            for word in (*player.command, *player.partner)
            if os.path.isabs(word) and os.path.exists(word)
        ]
        sockets = [
            path for name, path in player.environ.items() if name.endswith("_SOCK") and os.path.exists(path)
        ]
        names = filter(os.path.exists, OF_THE_NETWORK if player.containment.network else ())
        return [*named, *sockets, *names, *([player.cwd] if player.cwd else [])]

    def _is_fixed(self, path: str, masks: Sequence[str]) -> bool:
        """Return whether a path must be read-only although it is in a writable folder.

        That is so for a path in the overlay's folder that is shown from the disk itself. It is shown so in
        two cases: it is at or below a hidden path, or the overlay is over an empty folder (`has_own_view`).
        Other paths in the overlay's folder need no protection, because the overlay keeps changes from the
        disk.

        The result is False for the working folder itself and paths in other writable folders, and without an
        overlay.

        Args:
            path: A path in a folder of `writable` that the engine sees.
            masks: The paths that `_masks` returns, because they are hidden.
        """
        if self.overlay is None or path == self.player.cwd or not is_below(path, self.overlay[0]):
            return False
        if is_in(path, [each for each in self.writable if each != self.player.cwd]):
            return False
        return has_own_view(self.player) or is_in(path, masks)

    def _own_below(self, masks: Sequence[str]) -> list[str]:
        """Return the player's own files at or below the hidden paths `masks`, with the package of the
        player's program.
        """
        if not any(is_in(path, masks) for path in named_files(self.player)):
            return []
        return [path for path in own_files(self.player) if path != self.player.cwd and is_in(path, masks)]


def _is_of_system(path: str) -> bool:
    return path == "/" or is_in(path, SYSTEM)


def _home(player: Player) -> str:
    return os.path.realpath(player.environ.get("HOME") or Path.home())


def _foreign(folder: str) -> Iterator[str]:
    """Yield the paths below a folder that contain no files of the system, without paths below these."""
    for path in sorted(os.path.join(folder, name) for name in os.listdir(folder)):
        if path in _IN_SIGHT:
            continue
        if any(is_below(each, path) for each in _IN_SIGHT):
            yield from _foreign(path)
        else:
            yield path


def _services() -> list[str]:
    names = os.listdir("/tmp") if os.path.isdir("/tmp") else ()
    in_tmp = [f"/tmp/{name}" for name in names if _SOCKETS.fullmatch(name)]
    return [*map(os.path.expanduser, _SERVICES), *in_tmp]


def _groups_of(devices: Iterable[str]) -> list[int]:
    """Return the ids of groups, except root's, that may read and write these device files.

    A folder in `devices` stands for itself and the files in it.
    """
    found = set()
    for path in (each for device in devices for each in (device, *glob.glob(f"{device}/*"))):
        with suppress(OSError):
            status = os.stat(path)
            if status.st_gid and status.st_mode & 0o060 == 0o060:
                found.add(status.st_gid)
    return sorted(found)
