"""The layers of containment of a machine in words: present or not, and why not.

docs/how-to/trouble.md has the remedy for each missing layer; docs/explanation/security.md says what each one
stops.
"""

from typing import Literal, NamedTuple, TypeAlias

from gyoji.executors import kernel
from gyoji.executors.contained.cell_process import CPU_COUNTER, OWN_PROC
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

LEVELS = ("guarded", "strict", "off")

State: TypeAlias = Literal["yes", "in part", "no", "unused"]


class Layer(NamedTuple):
    """One layer of containment on one machine.

    Attributes:
        name: Name, such as "pid namespace".
        state: "yes", "in part" or "no": whether the machine has it; "unused" if gyoji does not need it.
        found: Its version, or why the kernel refuses it.
    """

    name: str
    state: State
    found: str = ""


def layers(machine: Machine) -> list[Layer]:
    """Return every layer of containment with its state on this machine."""

    def layer(name: str, there: object, why: str = "") -> Layer:
        return Layer(name, "yes") if there else Layer(name, "no", machine.reasons.get(name, why))

    found = [layer(name, machine.namespaces & flag) for flag, name in NAMES.items()]
    if machine.is_root:
        found[0] = Layer(NAMES[kernel.CLONE_NEWUSER], "yes" if machine.own_uid else "unused")
    why = "" if machine.hides_files else "needs a mount namespace"
    return [
        *found,
        layer(OWN_PROC, machine.own_proc, why),
        layer(READ_ONLY, machine.read_only, why),
        layer(OVERLAY, machine.overlays, why),
        _landlock(machine.landlock),
        layer(SECCOMP, machine.seccomp),
        layer(CPU_COUNTER, machine.counts_cpu),
        Layer("limits (rlimits)", "yes"),
        _control_groups(machine),
        _another_user(machine),
    ]


def _landlock(version: int) -> Layer:
    if not version:
        return Layer("Landlock", "no", "the kernel has none")
    if version < SIGNALS_SCOPED:
        return Layer("Landlock", "in part", f"version {version}, without signals and abstract sockets")
    return Layer("Landlock", "yes", f"version {version}")


def _control_groups(machine: Machine) -> Layer:
    if machine.groups is None:
        why = machine.reasons.get(CONTROL_GROUPS, "none that we may use")
        return Layer(CONTROL_GROUPS, "unused", f"{why}; what a tree uses is measured instead")
    is_whole = {"memory", "pids"} <= machine.groups.folders.keys()
    return Layer(CONTROL_GROUPS, "yes" if is_whole else "in part", str(machine.groups))


def _another_user(machine: Machine) -> Layer:
    if not machine.is_root:
        return Layer(ANOTHER_USER, "yes", "not root")
    if machine.own_uid:
        return Layer(ANOTHER_USER, "yes", "each engine whose files allow it has its own uid")
    reason = machine.reasons.get(ANOTHER_USER, "needs a mount namespace")
    return Layer(ANOTHER_USER, "in part", f"engines keep uid 0, without any capability: {reason}")


def missing(machine: Machine, level: str) -> tuple[str, ...]:
    """Return the names of the layers that a level of containment uses and the machine lacks."""
    return () if level == "off" else tuple(each.name for each in layers(machine) if each.state == "no")


def describe(machine: Machine, level: str, *more: str) -> str:
    """Describe the containment of an engine, as in "guarded, own uid; missing: overlay".

    Args:
        more: Remarks after the level. Empty ones are omitted.
    """
    names = missing(machine, level)
    told = ", ".join((level, *filter(None, more)))
    return f"{told}; missing: {', '.join(names)}" if names else told
