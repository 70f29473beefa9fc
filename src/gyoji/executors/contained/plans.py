"""What an engine may do at each level of containment, as a plan that its cell carries out.

Three levels. At "off" an engine may do what its user may. At "guarded" it can change nothing outside its own
folders and reach no process but its own, and the files of the competition are out of its sight. At
"strict" it also has no network, reads nothing but the system's libraries, its own package and what is named,
and its processes, memory and files are limited. `docs/security.md` says what each layer stops.

Nothing is started here: a plan says what is to be done, the launcher does it.
"""

import os
import resource
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gyoji.core.faults import Breakdown
from gyoji.core.spec import Player
from gyoji.executors.contained import kernel
from gyoji.executors.contained.machine import Machine

_SHARED_MEMORY = "/dev/shm"
_PLAIN_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_GRAPHICS = ("/dev/dri", "/dev/kfd", "/dev/nvidia-caps")
_SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/opt/rocm", "/proc",
    "/sys/devices/system", "/sys/class/drm", "/sys/dev",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/alternatives",
    "/etc/localtime", "/etc/timezone", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/fonts",
    "/etc/OpenCL", "/etc/ssl", "/etc/pki", "/etc/java-17-openjdk", "/etc/python3", "/etc/perl",
)  # fmt: skip
"""What any program may have to read in order to run, on Debian and its like."""

_MOST_PROCESSES = 256
_MOST_OPEN_FILES = 1024
_LARGEST_FILE = 1 << 30


def plan_of(player: Player, place: str, machine: Machine) -> Mapping[str, Any]:
    """How the cell of an engine of `player` lowers itself; see `launcher.Plan`.

    place: the folder that is the engine's own in its games. Raises Breakdown if the machine lacks what the
    player's level needs.
    """
    is_strict, hidden = player.containment.level == "strict", player.containment.hidden
    _check(player, machine)
    needs = kernel.CLONE_NEWUSER | kernel.CLONE_NEWPID | kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC
    flags = machine.namespaces & (needs | kernel.CLONE_NEWNET if is_strict else needs)
    has_mounts = bool(flags & kernel.CLONE_NEWNS)
    overlays = [_overlay(player, place)] if _wants_overlay(player, hidden, machine) else []
    grants = _writable(player, place, hidden, private_memory=has_mounts)
    grants += [lower for lower, _, _ in overlays]
    return {
        "flags": flags,
        "map": [os.getuid(), os.getgid()] if flags & kernel.CLONE_NEWUSER else None,
        "private": [_SHARED_MEMORY] if has_mounts and os.path.isdir(_SHARED_MEMORY) else [],
        "overlays": overlays,
        "masks": [*hidden] if has_mounts else [],
        "kept": [each for each in (place, player.cwd, player.folder) if each] if has_mounts else [],
        "limits": _limits(is_strict=is_strict),
        "uid": None,
        "landlock": _rules(machine.landlock, grants, _readable(player, place) if is_strict else None),
        "refused": list(kernel.REFUSED_CALLS) if is_strict or not has_mounts else [],
    }


def _check(player: Player, machine: Machine) -> None:
    """Raise Breakdown where "strict" would promise what this machine cannot hold."""
    if player.containment.level != "strict":
        return
    lacking = [
        name
        for name, there in (
            ("no signals to others (a pid namespace, or Landlock 6)", machine.separates_processes),
            ("no reading or writing of others' files (Landlock)", machine.landlock >= 1),
            ("no network (a network namespace)", bool(machine.namespaces & kernel.CLONE_NEWNET)),
        )
        if not there
    ]
    if lacking:
        raise Breakdown(
            f'player {player.code}: sandbox = "strict" cannot be had on this machine: {"; ".join(lacking)}. '
            'See `gyoji doctor`, or write sandbox = "guarded" for this player'
        )


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _holds(folder: str, paths: Iterable[str]) -> bool:
    """Whether one of `paths` is in `folder` or below it."""
    return any(_is_below(path, folder) for path in paths)


def _wants_overlay(player: Player, hidden: Sequence[str], machine: Machine) -> bool:
    """Whether an engine works in the competition's own folder, where what it writes is to go elsewhere."""
    return bool(player.cwd and machine.overlays and _holds(player.cwd, hidden))


def _overlay(player: Player, place: str) -> tuple[str, str, str]:
    assert player.cwd is not None
    return player.cwd, f"{place}/overlay/upper", f"{place}/overlay/work"


def _writable(player: Player, place: str, hidden: Sequence[str], *, private_memory: bool) -> list[str]:
    """The files and folders that an engine may change."""
    paths = [place, *player.containment.writable, *_PLAIN_DEVICES]
    if player.cwd and not _holds(player.cwd, hidden):
        paths.append(player.cwd)
    if player.folder:
        paths.append(player.folder)
    if private_memory:
        paths.append(_SHARED_MEMORY)
    return paths + _devices(player)


def _devices(player: Player) -> list[str]:
    """Device files an engine may use: at strict those that are named, else what computes."""
    if player.containment.level == "strict":
        return [
            str(each)
            for name in player.containment.devices
            for each in Path("/dev").glob(f"{name.removeprefix('/dev/')}*")
        ]
    return [*_GRAPHICS, *(str(each) for each in Path("/dev").glob("nvidia*"))]


def _readable(player: Player, place: str) -> list[str]:
    """At strict, what an engine may read besides what it may write."""
    own: list[str] = []
    for word in (*player.command, *player.partner):
        if os.path.isabs(word) and os.path.lexists(word):
            own += _package_of(word)
    return [*_SYSTEM, *own, *player.containment.readable, *filter(None, (player.cwd, player.folder, place))]


def _package_of(path: str) -> list[str]:
    """What belongs to a file that a command names: the file; of a program in PREFIX/bin, the whole prefix."""
    found = [path]
    for each in (path, os.path.realpath(path)):
        folder, _ = os.path.split(each)
        prefix, name = os.path.split(folder)
        if name == "bin" and prefix not in ("/", str(Path.home())):
            found.append(prefix)
        found.append(each)
    return found + _interpreter_of(path)


def _interpreter_of(path: str) -> list[str]:
    """What the first line of a script names."""
    try:
        with open(path, "rb") as file:
            first = file.readline(256)
    except OSError:
        return []
    if not first.startswith(b"#!") or not (words := first[2:].split()):
        return []
    program = os.fsdecode(words[0])
    return _package_of(program) if program != path and os.path.lexists(program) else []


def _limits(*, is_strict: bool) -> list[tuple[int, int]]:
    limits = [(resource.RLIMIT_CORE, 0)]
    if is_strict:
        limits += [
            (resource.RLIMIT_NPROC, _MOST_PROCESSES),
            (resource.RLIMIT_NOFILE, _MOST_OPEN_FILES),
            (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        ]
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
