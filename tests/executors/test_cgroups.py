"""Control groups: where they can be made, what they limit and count, and that none is left behind."""

import os
import select
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from gyoji.core.spec import Budgets, Containment, Player
from gyoji.executors.contained.cgroups import Groups, Hierarchies, MemoryUsage, find_hierarchies
from gyoji.executors.contained.engine import judge
from gyoji.executors.contained.layers import layers
from gyoji.scheduler import reaper as reaper_module

PYTHON = os.path.realpath(sys.executable)
MB = 1 << 20


# Where there can be some


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({}, []),
        ({"proc/self/cgroup": "0::/user.slice\n"}, []),
        (
            {
                "proc/self/cgroup": "0::/user.slice\n",
                "sys/fs/cgroup/user.slice/cgroup.controllers": "cpu memory pids\n",
            },
            ["v2 (memory, pids) in user.slice"],
        ),
        (
            {
                "proc/self/cgroup": "0::/app.slice/run.scope\n",
                "sys/fs/cgroup/app.slice/run.scope/cgroup.controllers": "memory pids\n",
                "sys/fs/cgroup/app.slice/cgroup.controllers": "memory pids\n",
                "sys/fs/cgroup/cgroup.controllers": "cpu\n",
            },
            ["v2 (memory, pids) in app.slice/run.scope", "v2 (memory, pids) in app.slice"],
        ),
        (
            {
                "proc/self/cgroup": "8:pids:/\n4:memory:/a\n0::/\n",
                "sys/fs/cgroup/pids/tasks": "",
                "sys/fs/cgroup/memory/a/tasks": "",
                "sys/fs/cgroup/unified/cgroup.controllers": "\n",
            },
            ["v1 (memory, pids) in memory/a"],
        ),
    ],
)
def test_control_groups_are_looked_for_where_we_may_have_some(tmp_path, files, found):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    base = tmp_path / "sys/fs/cgroup"
    seen = [
        f"{each} in {os.path.relpath(each.folders['memory'], base)}" for each in find_hierarchies(tmp_path)
    ]
    assert seen == found


SECOND = {
    "memory.current": "5000\n",
    "memory.peak": "7000\n",
    "memory.events": "low 0\nhigh 0\nmax 4\noom 1\noom_kill 2\noom_group_kill 0\n",
    "cpu.stat": "usage_usec 12\nuser_usec 8\nsystem_usec 4\n",
}
FIRST = {
    "memory.usage_in_bytes": "5000\n",
    "memory.max_usage_in_bytes": "7000\n",
    "memory.limit_in_bytes": "7000\n",
    "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
    "cpuacct.usage": "12000\n",
}


@pytest.mark.parametrize(
    ("version", "controllers", "files", "limits"),
    [
        (2, ("memory", "pids"), SECOND, {"memory.max": "100", "memory.swap.max": "0", "pids.max": "5"}),
        (
            1,
            ("memory", "pids", "cpuacct"),
            FIRST,
            {"memory.limit_in_bytes": "100", "memory.memsw.limit_in_bytes": "100", "pids.max": "5"},
        ),
    ],
)
def test_a_group_is_limited_and_counted_by_the_files_of_its_version(
    tmp_path, version, controllers, files, limits
):
    (tmp_path / "cgroup.subtree_control").write_text("")
    groups = Groups(Hierarchies(version, dict.fromkeys(controllers, str(tmp_path))))
    group = groups.make(memory=100, processes=5)
    (folder,) = map(Path, group.folders)
    assert {each.name: each.read_text() for each in folder.iterdir()} == limits
    assert (tmp_path / "cgroup.subtree_control").read_text() == ("+memory +pids" if version == 2 else "")
    assert (group.memory_usage(), group.memory(), group.cpu_ns()) == (None, None, None)  # nobody counts
    for name, text in files.items():
        (folder / name).write_text(text)
    assert (group.memory_usage(), group.memory(), group.cpu_ns()) == (MemoryUsage(2, 1, 7000), 5000, 12000)
    assert list(group.others()) == []


def test_only_groups_whose_makers_have_certainly_ended_are_removed(tmp_path):
    ended = subprocess.Popen(["true"])
    ended.wait()
    here = os.stat("/proc/self/ns/pid").st_ino
    stays = {
        f"gyoji-{here}-{ended.pid}-0123abcd.0": False,
        f"gyoji-{here}-{os.getpid()}-0123abcd.0": True,
        f"gyoji-{here + 1}-{ended.pid}-0123abcd.0": True,  # nothing is known of another namespace
        f"gyoji-{ended.pid}.0": True,  # of a process number alone, which may be of any
        "gyoji-x": True,
        "other": True,
    }
    for name in stays:
        (tmp_path / name).mkdir()
    Hierarchies(1, {"memory": str(tmp_path), "pids": str(tmp_path)}).remove_abandoned()
    assert {name: (tmp_path / name).exists() for name in stays} == stays


ELSEWHERE = """
import sys
from gyoji.executors.contained.cgroups import Groups, Hierarchies
groups = Groups(Hierarchies(1, {"memory": sys.argv[1]}))
groups.make(memory=0, processes=0)
"""


@pytest.mark.process
@pytest.mark.parametrize("own_proc", [["--mount-proc"], []])
def test_a_run_in_another_pid_namespace_leaves_our_groups_alone_and_makes_its_own(tmp_path, own_proc):
    groups = Groups(Hierarchies(1, {"memory": str(tmp_path)}))
    made = [groups.make(memory=0, processes=0) for _ in range(3)]
    before = {*os.listdir(tmp_path)}
    unshare = ["unshare", "--user", "--map-root-user", "--pid", "--fork", *own_proc]
    subprocess.run([*unshare, sys.executable, "-c", ELSEWHERE, str(tmp_path)], check=True, timeout=60)
    assert len({*os.listdir(tmp_path)} - before) == 1  # its own
    assert before <= {*os.listdir(tmp_path)}
    for each in made:
        each.retire()
    assert before.isdisjoint(os.listdir(tmp_path))


def test_a_group_that_cannot_be_made_costs_nobody_elses(tmp_path):
    for each in ("a", "b"):
        (tmp_path / each).mkdir()
    groups = Groups(Hierarchies(1, {"memory": str(tmp_path / "a"), "pids": str(tmp_path / "b")}))
    name = f"{groups._name}.0"
    (tmp_path / "b" / name).mkdir()
    with pytest.raises(FileExistsError):
        groups.make(memory=0, processes=0)
    assert (os.listdir(tmp_path / "a"), os.listdir(tmp_path / "b")) == ([], [name])


# Who is to blame


@pytest.mark.parametrize(
    ("now", "limit", "largest", "blame"),
    [
        (MemoryUsage(0, 0, 50 * MB), 0, 900 * MB, None),  # nothing was ended for want of memory
        (
            MemoryUsage(0, 3, 100 * MB),
            100 * MB,
            900 * MB,
            None,
        ),  # its limit made it give back what it had of files
        (MemoryUsage(1, 1, 117 * MB), 100 * MB, 900 * MB, "its own"),
        (MemoryUsage(1, 0, 50 * MB), 0, 900 * MB, "another's"),
        (MemoryUsage(1, 0, 50 * MB), 100 * MB, 900 * MB, "another's"),
        (MemoryUsage(1, 0, 51 * MB), 100 * MB, 900 * MB, None),  # not far below its limit
        (MemoryUsage(1, 0, 900 * MB), 0, 900 * MB, None),  # nobody has more
        (MemoryUsage(1, 0, -1), 0, 900 * MB, None),  # nobody knows how much it had
    ],
)
def test_only_with_evidence_is_another_to_blame_for_a_lack_of_memory(now, limit, largest, blame):
    found = judge(MemoryUsage(0, 0, 0), now, limit=limit, largest=largest)
    assert (found and ("its own" if found.own else "another's")) == blame
    if blame == "its own":
        assert found.text == "used 117MB of memory, 100MB allowed: the system ended a process of it"
    if blame == "another's":
        assert "it had used 50MB at most, and another 900MB" in found.text


# Real ones


@pytest.fixture
def place():
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        for each in ("work", "tmp", "overlay/upper", "overlay/work"):
            Path(folder, each).mkdir(parents=True)
        yield Path(folder)


TAKES = """
import mmap, os, sys
for line in sys.stdin:
    kept = mmap.mmap(-1, int(line) << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for at in range(0, len(kept), 4096):
        kept[at] = 1
    print("has it", flush=True)
"""


def started(executor, place, memory=0, level="guarded"):
    player = Player(
        code="a",
        command=(PYTHON, "-c", TAKES),
        cwd=str(place / "work"),
        budgets=Budgets(memory=memory),
        containment=Containment(level=level),
    )
    return executor.start(player, {}, place=str(place))


def takes(engine, megabytes):
    """Have an engine take memory. Return its answer, "" if it has ended."""
    os.write(engine.stdin, b"%d\n" % megabytes)
    select.select([engine.stdout], [], [], 20)
    with suppress(BlockingIOError):
        return os.read(engine.stdout, 100).decode().strip()


def ended(engine):
    engine.close_stdin()
    assert select.select([engine.pidfd], [], [], 20)[0]
    end, shortage = engine.reap()[0], engine.shortage()
    engine.close()
    return end, shortage


def left_of(pid, hierarchies, *, before=frozenset()):
    """Return the groups of a process, except those that earlier tests left."""
    return {
        name
        for folder in {*hierarchies.folders.values()}
        for name in os.listdir(folder)
        if f"-{pid}-" in name
    } - before


def is_told_that_there_are_none(machine):
    (layer,) = [each for each in layers(machine) if each.name == "cgroups"]
    return layer.state == "unused" and "what a tree uses is measured instead" in layer.found


@pytest.mark.process
def test_who_leaps_over_its_limit_of_memory_is_ended_and_its_next_engine_is_not_blamed(executor, place):
    engine = started(executor, place, memory=64 * MB)
    if not (executor.machine.groups and "memory" in executor.machine.groups.folders):
        assert executor.machine.groups or is_told_that_there_are_none(executor.machine)
        assert takes(engine, 300) == "has it"
        assert ended(engine) == ("exit 0", None)
        return
    assert "cgroups v" in engine.containment
    assert takes(engine, 300) == ""
    end, shortage = ended(engine)
    assert end == "signal 9"
    assert shortage.own
    assert "MB of memory, 64MB allowed: the system ended a process of it" in shortage.text
    engine = started(executor, place, memory=64 * MB)
    assert takes(engine, 20) == "has it"
    assert 20 * MB < engine.memory(64 * MB) < 64 * MB
    os.kill(engine.pid, signal.SIGKILL)
    assert ended(engine) == ("signal 9", None)


@pytest.mark.process
def test_who_is_ended_because_another_has_the_memory_is_not_to_blame(executor, place):
    """A full group stands for a machine without memory."""
    found = executor.machine.groups
    if not (found and "memory" in found.folders):
        assert found or is_told_that_there_are_none(executor.machine)
        return
    groups, before = Groups(found), left_of(os.getpid(), found)
    machine = groups.make(memory=160 * MB, processes=0)
    (folder,) = [each for each in machine.folders if each.startswith(found.folders["memory"])]
    executor._groups = Groups(Hierarchies(found.version, {"memory": folder}))
    engine = started(executor, place)
    other = Path(folder, "other")
    other.mkdir()
    hog = subprocess.Popen(
        [PYTHON, "-c", TAKES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        (other / "cgroup.procs").write_text(str(hog.pid))
        hog.stdin.write(b"100\n")
        hog.stdin.flush()
        assert hog.stdout.readline() == b"has it\n"
        Path(f"/proc/{engine.pid}/oom_score_adj").write_text("1000")
        assert takes(engine, 90) == ""
        end, shortage = ended(engine)
        assert end == "signal 9"
        assert not shortage.own
        assert shortage.text.startswith("the machine ran out of memory, of which it had used")
    finally:
        hog.communicate()
        executor.close()
        while other.exists():
            with suppress(OSError):
                other.rmdir()
        machine.retire()
        groups.close()
    assert left_of(os.getpid(), found, before=before) == set()


KILLED = """
import sys, time
sys.path[:0] = {paths!r}
from pathlib import Path
from gyoji.executors.contained.engines import ContainedExecutor
from test_cgroups import started
executor = ContainedExecutor()
started(executor, Path({place!r}))
print("up", flush=True)
time.sleep(100)
"""


@pytest.mark.process
def test_no_group_is_left_by_a_worker_that_ends_or_is_killed(executor, place, tmp_path):
    found = executor.machine.groups
    before = left_of(os.getpid(), found) if found else set()
    engine = started(executor, place)
    assert bool(found and left_of(os.getpid(), found, before=before)) == bool(found)
    ended(engine)
    executor.close()
    assert found or is_told_that_there_are_none(executor.machine)
    if found is None:
        return
    assert left_of(os.getpid(), found, before=before) == set()
    code = KILLED.format(paths=[str(Path(__file__).parent)], place=str(place))
    worker = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert worker.stdout.readline() == b"up\n"
    assert left_of(worker.pid, found)
    worker.kill()
    worker.communicate()
    reaper = [sys.executable, "-S", "-I", reaper_module.__file__, "0123456789abcdef", str(tmp_path / "none")]
    assert subprocess.run(reaper, stdin=subprocess.DEVNULL, check=False, timeout=60).returncode == 0
    assert left_of(worker.pid, found) == set()
