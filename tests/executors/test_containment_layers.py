"""Layers of containment as users are told of them, and how they are found."""

import os
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from gyoji.core.faults import Breakdown
from gyoji.core.spec import Containment, Player
from gyoji.executors import kernel
from gyoji.executors.contained import machine as machine_module
from gyoji.executors.contained.cells import CellBroken, Launcher
from gyoji.executors.contained.cgroups import Hierarchies
from gyoji.executors.contained.layers import layers, missing
from gyoji.executors.contained.machine import NAMES, Machine, bare_plan, examine
from gyoji.executors.contained.planning import plan_of

ALL = sum(NAMES)
WHOLE = Machine(
    namespaces=ALL,
    is_root=False,
    landlock=7,
    overlays=True,
    own_proc=True,
    read_only=True,
    counts_cpu=True,
)
BARE = Machine(namespaces=0, is_root=False, landlock=0, seccomp=False)
NO_USER = replace(WHOLE, namespaces=0, own_proc=False, read_only=False, overlays=False)


def named(name, machine):
    return next(layer for layer in layers(machine) if layer.name == name)


def test_a_machine_with_everything_lacks_nothing():
    assert not any(WHOLE.lacks(level) for level in ("guarded", "strict", "off"))
    assert {layer.state for layer in layers(WHOLE)} == {"yes", "unused"}
    assert missing(WHOLE, "guarded") == missing(WHOLE, "strict") == ()


@pytest.mark.parametrize(
    ("machine", "level", "lacks"),
    [
        (replace(WHOLE, namespaces=ALL - kernel.CLONE_NEWNET), "guarded", ["no network"]),
        (replace(WHOLE, namespaces=ALL - kernel.CLONE_NEWNET), "strict", ["no network"]),
        (replace(WHOLE, landlock=0), "guarded", []),
        (replace(WHOLE, landlock=0), "strict", ["no reading or writing of others' files"]),
        (replace(WHOLE, landlock=0, read_only=False), "guarded", ["no change to others' files"]),
        (NO_USER, "guarded", ["no sight of the competition's files", "no network"]),
        (
            replace(NO_USER, landlock=5),
            "guarded",
            ["no reach to other", "no sight of the competition", "no network"],
        ),
        (replace(WHOLE, read_only=False), "strict", ["no change to modes and times"]),
        (NO_USER, "strict", ["no reach to other processes", "no change to modes and times", "no network"]),
        (replace(WHOLE, seccomp=False), "guarded", ["no set-uid programs left behind"]),
        (replace(WHOLE, seccomp=False), "strict", ["no set-uid programs left behind"]),
        (BARE, "off", []),
    ],
)
def test_a_level_lacks_what_it_promises_and_no_layer_gives(machine, level, lacks):
    found = machine.lacks(level)
    assert len(found) == len(lacks)
    assert all(text.startswith(each) for text, each in zip(found, lacks, strict=True)), found


@pytest.mark.parametrize(
    ("machine", "layer", "state"),
    [
        (NO_USER, "pid namespace", "no"),
        (replace(WHOLE, own_proc=False), "own /proc", "no"),
        (replace(WHOLE, landlock=0), "Landlock", "no"),
        (replace(WHOLE, landlock=2), "Landlock", "in part"),
        (replace(WHOLE, read_only=False), "read-only file system", "no"),
        (replace(WHOLE, overlays=False), "overlay", "no"),
        (replace(WHOLE, seccomp=False), "seccomp", "no"),
        (replace(WHOLE, counts_cpu=False), "CPU counter (perf)", "no"),
        (replace(WHOLE, is_root=True), "another user", "in part"),
        (replace(WHOLE, is_root=True), "user namespace", "unused"),
        (replace(WHOLE, is_root=True, own_uid=True), "user namespace", "yes"),
    ],
)
def test_a_layer_that_is_missing_is_told(machine, layer, state):
    assert named(layer, machine).state == state
    assert (layer in missing(machine, "guarded")) == (state == "no")


def test_the_kernels_reason_is_told():
    machine = replace(WHOLE, namespaces=ALL - kernel.CLONE_NEWNET, reasons={"network namespace": "EPERM"})
    assert named("network namespace", machine).found == "EPERM"
    assert missing(machine, "off") == ()
    assert missing(machine, "guarded") == missing(machine, "strict") == ("network namespace",)


class Refusing:
    """A launcher that refuses some namespaces, and notes the namespaces of each cell that it makes in
    `given`.
    """

    pid = 1

    def __init__(self, refused):
        self.refused, self.given, self.closed = refused, [], 0

    def make(self, plan, group=None):
        if plan["flags"] & self.refused:
            raise CellBroken("EPERM")
        self.given.append(plan["flags"])
        return SimpleNamespace(missing=("own /proc: EBUSY",), counter=-1, close=self.close)

    def close(self):
        self.closed += 1


@pytest.mark.process
def test_a_machine_that_has_all_layers_is_found_to_have_those_that_are_found_one_by_one():
    launcher = Launcher()
    try:
        examination = machine_module._Examination(launcher)
        whole, one_by_one = examination.try_whole(), examination.try_one_by_one()
        assert whole in (None, one_by_one)
        assert examine(launcher) == one_by_one
    finally:
        launcher.close()


@pytest.mark.parametrize("uid", [0, 1000])
@pytest.mark.parametrize(
    "refused", [0, kernel.CLONE_NEWNET, kernel.CLONE_NEWNS | kernel.CLONE_NEWPID, kernel.CLONE_NEWUSER, ALL]
)
def test_namespaces_that_cannot_be_had_are_found_one_by_one_with_the_reason(monkeypatch, uid, refused):
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    monkeypatch.setattr(machine_module, "find_hierarchies", lambda cpu: ())
    launcher = Refusing(refused)
    machine = examine(launcher)
    wanted = ALL - (0 if uid else kernel.CLONE_NEWUSER)
    needs_user = uid and refused & kernel.CLONE_NEWUSER
    assert machine.namespaces == (0 if needs_user else wanted & ~refused)
    lacking = {NAMES[flag] for flag in NAMES if flag & wanted & ~machine.namespaces}
    assert lacking == machine.reasons.keys() & NAMES.values()
    if needs_user:
        assert machine.reasons["pid namespace"] == "needs a user namespace"
    assert machine.reasons["own /proc"] == "EBUSY"
    assert not machine.own_proc
    assert launcher.closed == len(launcher.given)


@pytest.mark.parametrize(
    ("groups", "state", "found"),
    [
        (None, "unused", "none that we may use; what a tree uses is measured instead"),
        (Hierarchies(2, dict.fromkeys(("memory", "pids"), "/x")), "yes", "v2 (memory, pids)"),
        (Hierarchies(1, {"pids": "/x"}), "in part", "v1 (pids)"),
    ],
)
def test_control_groups_are_told_of_with_their_version_and_controllers(groups, state, found):
    layer = named("cgroups", replace(WHOLE, groups=groups))
    assert layer.state == state
    assert layer.found.startswith(found)
    assert layer.name not in missing(replace(WHOLE, groups=groups), "guarded")


@pytest.mark.parametrize(
    ("event", "place", "remedy"),
    [("/dev/shm", "/tmp/1", "put it elsewhere"), ("/tmp", "/dev/shm/1", "TMPDIR must name another folder")],
)
def test_a_layer_that_cannot_be_made_in_shared_memory_is_refused_with_a_remedy(event, place, remedy):
    hidden = (f"{event}/e.db",)
    player = Player(code="a", command=("/bin/true",), cwd="/usr", containment=Containment(hidden=hidden))
    with pytest.raises(Breakdown, match=f"player a: '/dev/shm.*: {remedy}, or write sandbox"):
        plan_of(player, place, WHOLE)
    assert plan_of(player, place, NO_USER)


class _LostGroup:
    """A control group that another program has removed."""

    joins = ("/sys/fs/cgroup/gyoji-gone/cgroup.procs",)

    def retire(self):
        pass


@pytest.mark.process
def test_a_cell_that_cannot_be_made_says_in_words_what_it_could_not_get():
    launcher = Launcher()
    try:
        with pytest.raises(CellBroken) as broken:
            launcher.make(bare_plan(0), _LostGroup())
    finally:
        launcher.close()
    assert str(broken.value) == (
        "it cannot get its control group: /sys/fs/cgroup/gyoji-gone/cgroup.procs: No such file or directory"
    )
