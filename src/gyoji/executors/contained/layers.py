"""The worth of each layer of containment on a machine, and the remedy for each one that it lacks.

Nothing is tried here: `machine` has done that. The facts in `System` only decide on the remedy.
"""

import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from gyoji.executors.contained import kernel
from gyoji.executors.contained.machine import ANOTHER_USER, CONTROL_GROUPS, NAMES, Machine

NEWEST_SCOPES = 6
"""The version of Landlock that also keeps signals and abstract sockets among the engine's own."""

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
    state: Literal["yes", "in part", "no", "unused"]
    found: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """Facts about the machine that decide on a remedy.

    release     of its kernel.
    container   whether we are in a container, as Docker and Podman make them.
    settings    of the kernel, by name, those that there are.
    """

    release: str = ""
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
        release=platform.release(),
        container=any((root / name).exists() for name in (".dockerenv", "run/.containerenv")),
        settings=tuple(settings),
    )


def layers(machine: Machine, system: System) -> list[Layer]:
    """Every layer, the most important ones first."""
    return [
        *_namespaces(machine, system),
        _tried(
            machine,
            "own /proc",
            there=machine.own_proc,
            stops="seeing others' processes",
            remedy=_container(machine, system),
        ),
        _tried(
            machine,
            "read-only file system",
            there=machine.read_only,
            stops="changing any file outside",
            remedy="Linux 5.12 or newer",
        ),
        _tried(
            machine,
            "overlay",
            there=machine.overlays,
            stops="leaving files in the competition's folder",
            remedy="Linux 5.11 or newer, and TMPDIR on a file system such as ext4 or tmpfs",
        ),
        _landlock(machine),
        _tried(
            machine,
            "seccomp",
            there=machine.seccomp,
            stops="mounts, keys, tracing",
            remedy="Linux 3.5 or newer, or a container without a filter that forbids it",
        ),
        _cpu(machine, system),
        Layer("limits (rlimits)", "many processes, large files at strict", "yes"),
        _cgroup(machine, system),
        _user(machine),
    ]


_STOPS = {
    kernel.CLONE_NEWUSER: "any right outside; an ordinary user needs it for the other namespaces",
    kernel.CLONE_NEWPID: "signals to, and looks into, processes of others",
    kernel.CLONE_NEWNS: "seeing the files of the competition",
    kernel.CLONE_NEWIPC: "shared memory and message queues of others",
    kernel.CLONE_NEWNET: "the network, at strict",
}


def _namespaces(machine: Machine, system: System) -> Iterator[Layer]:
    for flag, name in NAMES.items():
        if machine.namespaces & flag:
            yield Layer(name, _STOPS[flag], "yes")
        elif flag == kernel.CLONE_NEWUSER and machine.is_root:
            state: Literal["yes", "unused"] = "yes" if machine.own_uid else "unused"
            yield Layer(name, _STOPS[flag], state, "root needs none, but for another user")
        else:
            remedy = _namespace_remedy(machine, system)
            yield Layer(name, _STOPS[flag], "no", machine.reasons.get(name, ""), remedy)


def _namespace_remedy(machine: Machine, system: System) -> str:
    if system.setting("kernel.apparmor_restrict_unprivileged_userns") and not machine.is_root:
        return (
            "Ubuntu's AppArmor restricts user namespaces: "
            "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, "
            "or an AppArmor profile with `userns,` for this Python (docs/trouble.md)"
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


def _tried(machine: Machine, name: str, *, there: bool, stops: str, remedy: str) -> Layer:
    if there:
        return Layer(name, stops, "yes")
    if not machine.hides_files and name != "seccomp":
        return Layer(name, stops, "no", "needs a mount namespace")
    return Layer(name, stops, "no", machine.reasons.get(_REASONS.get(name, name), ""), remedy)


_REASONS = {"own /proc": "a /proc of its own", "read-only file system": "a file system that is read only"}


def _landlock(machine: Machine) -> Layer:
    name, stops, version = "Landlock", "changing files outside; at strict, reading them", machine.landlock
    if not version:
        return Layer(
            name,
            stops,
            "no",
            "the kernel has none",
            f"Linux {_KERNELS[1]} or newer, with landlock among lsm= on the kernel's command line",
        )
    if version < NEWEST_SCOPES:
        found = f"version {version}, without signals and abstract sockets"
        return Layer(
            name, stops, "in part", found, f"Linux {_KERNELS[NEWEST_SCOPES]} has version {NEWEST_SCOPES}"
        )
    return Layer(name, stops, "yes", f"version {version}")


def _cpu(machine: Machine, system: System) -> Layer:
    name, stops = "CPU counter (perf)", "CPU time that is hidden in child processes"
    if machine.counts_cpu:
        return Layer(name, stops, "yes")
    paranoid = system.setting("kernel.perf_event_paranoid")
    remedy = "a kernel with CONFIG_PERF_EVENTS"
    if paranoid is not None and paranoid > 2:
        remedy = "sudo sysctl -w kernel.perf_event_paranoid=2"
    elif system.container:
        remedy = "docker run --cap-add PERFMON, or --security-opt seccomp=unconfined"
    return Layer(name, stops, "no", machine.reasons.get("a counter of CPU time", ""), remedy)


def _cgroup(machine: Machine, system: System) -> Layer:
    name, stops = CONTROL_GROUPS, "more memory and processes than a whole tree may have"
    if machine.groups is not None:
        lacking = [each for each in ("memory", "pids") if each not in machine.groups.folders]
        return Layer(name, stops, "in part" if lacking else "yes", str(machine.groups))
    why = machine.reasons.get(name, "none that we may use")
    advice = "" if machine.is_root or system.container else f"; {_DELEGATION} gives some, with systemd"
    return Layer(name, stops, "unused", f"{why}; what a tree uses is measured instead{advice}")


_DELEGATION = "systemd-run --user --scope -p Delegate=yes gyoji run FILE"


def _user(machine: Machine) -> Layer:
    name, stops = ANOTHER_USER, "what the files of this user's other programs allow"
    if not machine.is_root:
        return Layer(name, stops, "yes", "not root")
    if machine.own_uid:
        return Layer(name, stops, "yes", "a uid of its own for each engine whose files allow it")
    reason = machine.reasons.get(name, "needs a mount namespace")
    found = f"engines keep uid 0, without any capability: {reason}"
    remedy = (
        "run gyoji as an ordinary user, or Linux 5.19 or newer with TMPDIR and HOME on ext4, XFS or Btrfs"
    )
    return Layer(name, stops, "in part", found, remedy)


LEVELS = ("guarded", "strict", "off")


def missing(machine: Machine, level: str) -> tuple[str, ...]:
    """Layers that a level uses and this machine lacks, by their names; the kernel is not asked again."""
    if level == "off":
        return ()
    return tuple(_without(layers(machine, System()), level))


def _without(found: Iterable[Layer], level: str) -> Iterator[str]:
    for layer in found:
        if layer.state == "no" and not (layer.name == NAMES[kernel.CLONE_NEWNET] and level != "strict"):
            yield layer.name


def describe(machine: Machine, level: str, *more: str) -> str:
    """A level, with more about it, and what is missing of it, in words: "guarded; missing: overlay"."""
    names = missing(machine, level)
    told = ", ".join((level, *filter(None, more)))
    return f"{told}; missing: {', '.join(names)}" if names else told
