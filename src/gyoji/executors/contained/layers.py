"""The worth of each layer of containment on a machine, and the remedy for each one that it lacks.

Nothing is tried here: `machine` has done that. The facts in `System` only decide on the remedy.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from gyoji.executors import kernel
from gyoji.executors.contained.launcher import CPU_COUNTER, OWN_PROC
from gyoji.executors.contained.layout import READ_ONLY
from gyoji.executors.contained.machine import (
    ANOTHER_USER,
    CONTROL_GROUPS,
    NAMES,
    OVERLAY,
    SECCOMP,
    SIGNALS_SCOPED,
    Machine,
)

_LANDLOCK, _LIMITS = "Landlock", "limits (rlimits)"

State: TypeAlias = Literal["yes", "in part", "no", "unused"]

_KERNELS = {1: "5.13", 2: "5.19", 3: "6.2", 4: "6.7", 5: "6.10", 6: "6.12"}
"""By version of Landlock, the first Linux that has it."""


class Layer(NamedTuple):
    """One layer on one machine.

    stops   what it keeps an engine from, or what it is for.
    state   "yes", "in part", "no"; "unused" for what gyoji does without.
    found   which version, or why it is not to be had. remedy: what to do, "" if nothing.
    """

    name: str
    stops: str
    state: State
    found: str = ""
    remedy: str = ""


class System(Struct, frozen=True, kw_only=True):
    """Facts about the machine that decide on a remedy.

    container   whether we are in a container, as Docker and Podman make them.
    settings    of the kernel, by name, those that there are.
    """

    container: bool = False
    settings: tuple[tuple[str, int], ...] = ()

    def setting(self, name: str) -> int | None:
        return dict(self.settings).get(name)


_SETTINGS = (
    "kernel.apparmor_restrict_unprivileged_userns",
    "kernel.unprivileged_userns_clone",
    "kernel.perf_event_paranoid",
    "user.max_user_namespaces",
)


def this_system(root: Path = Path("/")) -> System:
    """The facts about this machine."""
    settings = []
    for name in _SETTINGS:
        try:
            settings.append((name, int((root / "proc/sys" / name.replace(".", "/")).read_text())))
        except (OSError, ValueError):
            continue
    return System(
        container=any((root / name).exists() for name in (".dockerenv", "run/.containerenv")),
        settings=tuple(settings),
    )


_STOPS: Mapping[str, str] = MappingProxyType(
    {
        NAMES[kernel.CLONE_NEWUSER]: "rights outside; an ordinary user needs it for the other namespaces",
        NAMES[kernel.CLONE_NEWPID]: "signalling other processes, and reading them",
        NAMES[kernel.CLONE_NEWNS]: "seeing the files of the competition",
        NAMES[kernel.CLONE_NEWIPC]: "shared memory and message queues of others",
        NAMES[kernel.CLONE_NEWNET]: "the network",
        OWN_PROC: "seeing others' processes",
        READ_ONLY: "changing any file outside",
        OVERLAY: "leaving files in the competition's folder",
        _LANDLOCK: "changing files outside; at strict, reading them",
        SECCOMP: "set-uid programs, leases, mounts, keys, tracing",
        CPU_COUNTER: "CPU time that is hidden in child processes",
        _LIMITS: "many processes; at strict, large files",
        CONTROL_GROUPS: "more memory and processes than a whole tree may have",
        ANOTHER_USER: "files and sockets that this user's other programs can use",
    }
)


def layers(machine: Machine, system: System) -> list[Layer]:
    """Every layer, the most important ones first."""
    container = _container(machine, system)
    return [
        *_namespaces(machine, system),
        _tried(machine, OWN_PROC, machine.own_proc, container),
        _tried(machine, READ_ONLY, machine.read_only, "Linux 5.12 or newer"),
        _tried(machine, OVERLAY, machine.overlays, f"Linux 5.11 or newer, and {_FOLDERS}"),
        _landlock(machine),
        _tried(machine, SECCOMP, machine.seccomp, f"Linux 3.5 or newer, or {_FILTERLESS}"),
        _cpu(machine, system),
        _layer(_LIMITS),
        _cgroup(machine, system),
        _user(machine),
    ]


def _layer(name: str, state: State = "yes", found: str = "", remedy: str = "") -> Layer:
    return Layer(name, _STOPS[name], state, found, remedy)


_FOLDERS = "TMPDIR on a file system such as ext4 or tmpfs"
_FILTERLESS = "a container without a filter that forbids it"


def _namespaces(machine: Machine, system: System) -> Iterator[Layer]:
    for flag, name in NAMES.items():
        if machine.namespaces & flag:
            yield _layer(name)
        elif flag == kernel.CLONE_NEWUSER and machine.is_root:
            state: State = "yes" if machine.own_uid else "unused"
            yield _layer(name, state, "root needs it only to run engines as other users")
        else:
            remedy = _namespace_remedy(machine, system)
            yield _layer(name, "no", machine.reasons.get(name, ""), remedy)


def _namespace_remedy(machine: Machine, system: System) -> str:
    if system.setting("kernel.apparmor_restrict_unprivileged_userns") and not machine.is_root:
        return (
            "Ubuntu's AppArmor restricts user namespaces: "
            "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, "
            "or an AppArmor profile with `userns,` for this Python (docs/how-to/trouble.md)"
        )
    if system.setting("kernel.unprivileged_userns_clone") == 0 and not machine.is_root:
        return "sudo sysctl -w kernel.unprivileged_userns_clone=1"
    if system.setting("user.max_user_namespaces") == 0:
        return "sudo sysctl -w user.max_user_namespaces=15000"
    return _container(machine, system)


def _container(machine: Machine, system: System) -> str:
    """The remedy where we cannot make namespaces: how to start the container, or what the machine needs."""
    if system.container:
        adds = "--cap-add SYS_ADMIN " if machine.is_root else ""
        return (
            f"docker run {adds}--security-opt seccomp=unconfined --security-opt apparmor=unconfined "
            "--security-opt systempaths=unconfined"
        )
    if machine.is_root:
        return "start it with the capability SYS_ADMIN, or as an ordinary user"
    return "a kernel with CONFIG_USER_NS, and no profile or filter that refuses user namespaces"


def _tried(machine: Machine, name: str, is_there: bool, remedy: str) -> Layer:
    if is_there:
        return _layer(name)
    if not machine.hides_files and name != SECCOMP:
        return _layer(name, "no", "needs a mount namespace")
    return _layer(name, "no", machine.reasons.get(name, ""), remedy)


def _landlock(machine: Machine) -> Layer:
    version = machine.landlock
    if not version:
        remedy = f"Linux {_KERNELS[1]} or newer, with landlock among lsm= on the kernel's command line"
        return _layer(_LANDLOCK, "no", "the kernel has none", remedy)
    if version < SIGNALS_SCOPED:
        found = f"version {version}, without signals and abstract sockets"
        remedy = f"Linux {_KERNELS[SIGNALS_SCOPED]} has version {SIGNALS_SCOPED}"
        return _layer(_LANDLOCK, "in part", found, remedy)
    return _layer(_LANDLOCK, found=f"version {version}")


def _cpu(machine: Machine, system: System) -> Layer:
    if machine.counts_cpu:
        return _layer(CPU_COUNTER)
    paranoid = system.setting("kernel.perf_event_paranoid")
    remedy = "a kernel with CONFIG_PERF_EVENTS"
    if paranoid is not None and paranoid > 2:
        remedy = "sudo sysctl -w kernel.perf_event_paranoid=2"
    elif system.container:
        remedy = "docker run --cap-add PERFMON, or --security-opt seccomp=unconfined"
    return _layer(CPU_COUNTER, "no", machine.reasons.get(CPU_COUNTER, ""), remedy)


def _cgroup(machine: Machine, system: System) -> Layer:
    if machine.groups is not None:
        is_whole = {"memory", "pids"} <= machine.groups.folders.keys()
        return _layer(CONTROL_GROUPS, "yes" if is_whole else "in part", str(machine.groups))
    why = machine.reasons.get(CONTROL_GROUPS, "none that we may use")
    advice = "" if machine.is_root or system.container else f"; {_DELEGATION} gives some, with systemd"
    return _layer(CONTROL_GROUPS, "unused", f"{why}; what a tree uses is measured instead{advice}")


_DELEGATION = "systemd-run --user --scope -p Delegate=yes gyoji run FILE"


def _user(machine: Machine) -> Layer:
    if not machine.is_root:
        return _layer(ANOTHER_USER, found="not root")
    if machine.own_uid:
        return _layer(ANOTHER_USER, found="each engine whose files allow it has its own uid")
    reason = machine.reasons.get(ANOTHER_USER, "needs a mount namespace")
    found = f"engines keep uid 0, without any capability: {reason}"
    remedy = (
        "run gyoji as an ordinary user, or Linux 5.19 or newer with TMPDIR and HOME on ext4, XFS or Btrfs"
    )
    return _layer(ANOTHER_USER, "in part", found, remedy)


LEVELS = ("guarded", "strict", "off")


def missing(machine: Machine, level: str) -> tuple[str, ...]:
    """Layers that a level uses and this machine lacks, by their names; the kernel is not asked again."""
    if level == "off":
        return ()
    return tuple(layer.name for layer in layers(machine, System()) if layer.state == "no")


def describe(machine: Machine, level: str, *more: str) -> str:
    """A level, with more about it, and what is missing of it, in words: "guarded; missing: overlay"."""
    names = missing(machine, level)
    told = ", ".join((level, *filter(None, more)))
    return f"{told}; missing: {', '.join(names)}" if names else told
