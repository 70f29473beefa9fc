"""Plans of containment: the rights of an engine at each level, which its cell carries out.

Three levels. At "off" an engine may do what its user may. At "guarded" it can change nothing outside its own
folders, reach no process but its own and no network, and the files of the competition are out of its sight.
At "strict" it also reads nothing but the system's libraries, its own package and what is named, and its
processes, memory and files are limited. A player with `network` has the machine's network at either level.
`docs/explanation/security.md` says what each layer stops.

Nothing is started here: a plan says what is to be done, the launcher does it.
"""

import glob
import os
import re
import resource
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from gyoji.core.environment import SCRATCH
from gyoji.core.faults import Breakdown
from gyoji.core.spec import Player
from gyoji.core.text import quote
from gyoji.executors import kernel
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
from gyoji.executors.contained.leftovers import SHARED_MEMORY
from gyoji.executors.contained.machine import Machine, bare_plan
from gyoji.executors.filters import seccomp_program

_PLAIN_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_GRAPHICS = ("/dev/dri", "/dev/kfd", "/dev/nvidia-caps")
_SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/opt/rocm", "/proc",
    "/sys/devices/system", "/sys/class/drm", "/sys/dev",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/alternatives",
    "/etc/localtime", "/etc/timezone", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/fonts",
    "/etc/OpenCL", "/etc/ssl", "/etc/pki", "/etc/java-17-openjdk", "/etc/python3", "/etc/perl",
)  # fmt: skip
"""Paths that any program may have to read in order to run, on Debian and its like."""

_SOCKETS = re.compile(r"\..*-unix|tmux-.*|ssh-.*")  # of folders in /tmp

_SERVICES = ("/run", "~/.gnupg")
"""Folders in which services of the machine and of the user listen."""

_IN_SIGHT = (*_SYSTEM, "/dev", "/etc", "/sys")
"""Paths in sight at strict. Of all others only named ones are, so that no other program's socket is there."""

_MOST_PROCESSES = 256
_MOST_OF_A_FRIEND = 4096
_OF_THE_KERNEL = 16 << 20
_LARGEST_FILE = 1 << 30


def plan_of(player: Player, place: str, machine: Machine, *, uid: int = 0) -> Mapping[str, Any]:
    """How the cell of an engine of `player` lowers itself; see `launcher.Plan`.

    place: the folder that is the engine's own in its games. uid: the user that it is to be, 0 for ours.
    Raises Breakdown if the machine lacks what the player's level needs.
    """
    _check(player, machine)
    reach = _Reach(player, place, machine)
    shared = kernel.CLONE_NEWNET if player.containment.network else 0
    flags = machine.namespaces & ~shared
    plan = bare_plan(flags)
    plan["group"] = _group(player, is_strict=reach.is_strict)
    is_counted = bool(uid or flags & kernel.CLONE_NEWUSER)
    plan["limits"] = _limits(is_strict=reach.is_strict, is_counted=is_counted)
    if machine.seccomp:
        alone = bool(flags & kernel.CLONE_NEWPID)
        program = seccomp_program(strict=reach.is_strict, alone=alone, still=not player.ponders)
        plan["seccomp"] = program.hex()
    grants = [*reach.writable, *reach.devices]
    if flags & kernel.CLONE_NEWNS:
        _check_overlay(player, reach.overlay)
        grants += [SHARED_MEMORY, "/dev/pts", *reach.private]
        plan |= reach.sight()
    if uid:
        plan["user"] = reach.user(uid)
    readable = [*_SYSTEM, *reach.readable] if reach.is_strict else None
    plan["landlock"] = _rules(machine.landlock, grants, readable)
    return plan


class _Reach:
    """The paths of one engine: what it may read, change and use, and what lies over folders.

    private  folders in which it may change something because that goes elsewhere.
    """

    def __init__(self, player: Player, place: str, machine: Machine) -> None:
        self.player, self.place = player, place
        self.is_strict = player.containment.level == "strict"
        self.hidden = _hidden(player)
        self.overlay = _overlay(player, place, self.hidden) if machine.overlays else None
        self.writable = _writable(player, place, covered=self.overlay is not None)
        self.readable = own_files(player) if self.is_strict else []
        self.devices = _devices(player)
        copies = machine.overlays and machine.read_only and not self.is_strict
        self.copies = _copies(player, place, self.overlay) if copies else []
        self.private = [folder for folder, *_ in self.copies]
        if self.overlay and not self.is_strict:  # a home may be in it
            self.private.append(self.overlay[0])

    def sight(self) -> dict[str, Any]:
        """The fields of a plan that say what of the file system is to be seen."""
        covered = self.overlay[:1] if self.overlay and self.copies else ()  # else a copy would lie over it
        masks = _masks(self.player, self.place, self.overlay, self.hidden)
        # As they are, if nothing there is to be changed
        shown = {*self.readable, *_needed(self.player), *self._own_below(masks)}
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
            "fixed": sorted(fixed),
        }

    def _is_fixed(self, path: str, masks: Sequence[str]) -> bool:
        """Whether a path in the working folder is the engine's own, and hidden by the layer over it.

        It is brought back as it is. Everything else in the folder can be changed, in the layer.
        """
        if self.overlay is None or path == self.player.cwd or not is_below(path, self.overlay[0]):
            return False
        if is_in(path, [each for each in self.writable if each != self.player.cwd]):
            return False
        return has_own_view(self.player) or is_in(path, masks)

    def _own_below(self, masks: Sequence[str]) -> list[str]:
        """What the engine may read in folders that are hidden, with the package of its program."""
        if not any(is_in(path, masks) for path in named_files(self.player)):
            return []
        return [path for path in own_files(self.player) if path != self.player.cwd and is_in(path, masks)]

    def user(self, uid: int) -> dict[str, Any]:
        """The field of a plan that says which user it is to be."""
        covered = self.overlay[:1] if self.overlay and not has_own_view(self.player) else ()
        own = [*self.writable, *self.readable, *covered]
        if has_own_view(self.player):  # what is on the disk there is not its own
            own = [path for path in own if path != self.player.cwd]
        if not self.is_strict:
            own.append(_home(self.player))
        interpreters = map(interpreter_of, (*self.player.command[:1], *self.player.partner[:1]))
        needed = {self.place, self.player.cwd or os.getcwd(), *_needed(self.player), *interpreters} - {""}
        return {
            "uid": uid,
            "own": [path for path in own if not _is_of_system(path)],
            "needed": sorted(needed.union(filter(os.path.exists, self.writable))),
            "groups": _groups_of(self.devices),
        }


def _check(player: Player, machine: Machine) -> None:
    """Raise Breakdown where "strict" would promise what this machine cannot hold."""
    if player.containment.level != "strict":
        return
    lacking = machine.lacks("strict")
    if lacking:
        raise Breakdown(
            f'player {player.code}: sandbox = "strict" cannot be had on this machine: {"; ".join(lacking)}. '
            'See `gyoji doctor`, or write sandbox = "guarded" for this player'
        )


def _check_overlay(player: Player, overlay: "_Overlay | None") -> None:
    """Raise Breakdown where the layer over the competition's folder cannot be made.

    It is laid where the cell has a folder of shared memory of its own already; what is kept is held before.
    """
    folder, _, upper, *_ = overlay or ("", "", "")
    for path, remedy in ((folder, "put it elsewhere"), (upper, "TMPDIR must name another folder")):
        if is_below(path, SHARED_MEMORY):
            raise Breakdown(
                f"player {player.code}: {quote(path)} is in {SHARED_MEMORY}, of which each engine has "
                f'its own: {remedy}, or write sandbox = "off" for this player'
            )


def _is_of_system(path: str) -> bool:
    return path == "/" or is_in(path, _SYSTEM)


def _hidden(player: Player) -> list[str]:
    """Paths that the player is not to see: the competition's, and what is named for others alone."""
    own = {*named_files(player), *(os.path.realpath(path) for path in named_files(player))}
    own.update(player.containment.readable, player.containment.writable)
    foreign = [path for path in player.containment.foreign if path not in own and not _is_of_system(path)]
    return [*player.containment.hidden, *foreign]


_Overlay: TypeAlias = tuple[str, str, str, str, list[str]]


def _overlay(player: Player, place: str, hidden: Sequence[str]) -> _Overlay | None:
    """The layer over the competition's folder: see `overlays` of `launcher.Plan`.

    In it what is hidden is not to be seen, whenever it is made, and what an engine writes goes to a folder of
    its own.
    """
    event = event_folder(player)
    if not os.path.isdir(event):
        return None
    folder = player.cwd if player.cwd and works_over_event(player) else event
    lower, names = folder, []
    if has_own_view(player):
        lower = f"{place}/overlay/empty"
    else:
        names = [
            os.path.relpath(path, folder)
            for path in hidden
            if is_below(path, folder) and not _holds_own(path, player)
        ]
    return folder, lower, f"{place}/overlay/upper", f"{place}/overlay/work", names


def _holds_own(path: str, player: Player) -> bool:
    """Whether it is a hidden folder in which the player's own is: it is masked, and that is shown in it.

    In a layer it would have to be made where it was removed, which not every file system can tell.
    """
    contained = player.containment
    own = (player.folder or "", *named_files(player), *contained.readable, *contained.writable)
    return any(each.startswith(f"{path}/") for each in own)


def _copies(player: Player, place: str, overlay: _Overlay | None) -> list[tuple[str, str, str]]:
    """The folders that programs write to by habit, of which a guarded engine has a private copy.

    They are the home directory, with its caches and settings, and that for temporary files. None is made of
    a folder in which there are other file systems: they could not be seen in it.
    """
    home = _home(player)
    wanted = [("/tmp", "", ""), (home, f"{place}/overlay/home", f"{place}/overlay/home-work")]
    mounted = _mount_points()
    return [
        (folder, upper, work)
        for folder, upper, work in wanted
        if os.path.isdir(folder) and folder != "/"
        if not (upper and is_below(upper, folder))
        if not (overlay and is_below(folder, overlay[0]))
        if not any(is_below(each, folder) and each != folder for each in mounted)
    ]


def _home(player: Player) -> str:
    return os.path.realpath(player.environ.get("HOME") or Path.home())


def _mount_points() -> list[str]:
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        return [line.split()[4] for line in file]


def _masks(player: Player, place: str, overlay: _Overlay | None, hidden: Sequence[str]) -> list[str]:
    """Paths to hide: what is hidden and in no overlay, other engines' folders, and where services listen."""
    covered = [each for each in hidden if overlay and is_below(each, overlay[0])]
    masks = [each for each in hidden if each not in covered or _holds_own(each, player)]
    masks += [str(each) for each in Path(place).parents if SCRATCH.fullmatch(each.name)]
    masks += _foreign("/") if player.containment.level == "strict" else _services()
    return [each for each in masks if os.path.lexists(each) and not os.path.islink(each)]


def _foreign(folder: str) -> Iterator[str]:
    """All in a folder that is not to be seen at strict."""
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


def _needed(player: Player) -> list[str]:
    """Paths that an engine must see to start: what its command and `..._SOCK` name, and where it works."""
    named = [
        word for word in (*player.command, *player.partner) if os.path.isabs(word) and os.path.exists(word)
    ]
    sockets = [
        path for name, path in player.environ.items() if name.endswith("_SOCK") and os.path.exists(path)
    ]
    names = [path for path in OF_THE_NETWORK if os.path.exists(path)] if player.containment.network else []
    return [*named, *sockets, *names, *([player.cwd] if player.cwd else [])]


def _writable(player: Player, place: str, *, covered: bool) -> list[str]:
    """The files and folders that an engine may change.

    covered: what it writes in the competition's folder does no harm.
    """
    paths = [place, *player.containment.writable]
    if player.cwd and (covered or not works_over_event(player)):
        paths.append(player.cwd)
    if player.folder:
        paths.append(player.folder)
    return paths


def _devices(player: Player) -> list[str]:
    """Device files an engine may use: at strict those that are named, else what computes."""
    if player.containment.level == "strict":
        named = [
            str(each)
            for name in player.containment.devices
            for each in Path("/dev").glob(f"{name.removeprefix('/dev/')}*")
        ]
    else:
        named = [*_GRAPHICS, *(str(each) for each in Path("/dev").glob("nvidia*"))]
    return [each for each in (*_PLAIN_DEVICES, *named) if os.path.exists(each)]


def _group(player: Player, *, is_strict: bool) -> dict[str, int]:
    """Limits of all processes of an engine, where there are control groups.

    What the kernel counts as theirs is more than what we do, who look at it now and then: see `_proc.memory`.
    """
    memory = player.budgets.memory
    return {
        "memory": memory and memory + memory // 32 + _OF_THE_KERNEL,
        "processes": (_MOST_PROCESSES if is_strict else _MOST_OF_A_FRIEND) + 1,  # the cell's first
    }


def _limits(*, is_strict: bool, is_counted: bool) -> list[tuple[int, int]]:
    """Limits of each process of an engine, and of its cell.

    is_counted: whether the kernel counts its processes apart from others of our user.

    It may have fewer open files than a worker: descriptors that are on their way from process to process are
    counted for a whole user, and the kernel refuses whoever has the smaller limit first. No core files: 1 has
    the kernel start no program either that takes them, as 0 does (core(5)). No priority above that of others,
    which a user may have been given for sound.
    """
    _, ours = resource.getrlimit(resource.RLIMIT_NOFILE)
    most_open = max(64, min(ours // 2, 512 if is_strict else 1 << 19))
    limits = [
        (resource.RLIMIT_CORE, 1),
        (resource.RLIMIT_NOFILE, most_open),
        (resource.RLIMIT_NICE, 0),
        (resource.RLIMIT_RTPRIO, 0),
    ]
    if is_strict:
        limits += [(resource.RLIMIT_NPROC, _MOST_PROCESSES), (resource.RLIMIT_FSIZE, _LARGEST_FILE)]
    elif is_counted:
        limits.append((resource.RLIMIT_NPROC, _MOST_OF_A_FRIEND))
    return limits


def _rules(version: int, writable: Sequence[str], readable: Sequence[str] | None) -> dict[str, Any] | None:
    if not version:
        return None
    changes = kernel.landlock_changes(version)
    if readable is None:
        return {"version": version, "handled": changes, "grants": [(path, changes) for path in writable]}
    handled = changes | kernel.FS_READ
    grants = [(path, handled) for path in writable] + [(path, kernel.FS_READ) for path in readable]
    return {"version": version, "handled": handled, "grants": grants}


def _groups_of(devices: Iterable[str]) -> list[int]:
    """The groups by which these device files, and those in these folders, can be used."""
    found = set()
    for path in (each for device in devices for each in (device, *glob.glob(f"{device}/*"))):
        with suppress(OSError):
            status = os.stat(path)
            if status.st_gid and status.st_mode & 0o060 == 0o060:
                found.add(status.st_gid)
    return sorted(found)
