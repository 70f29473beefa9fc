"""Engines that are started while others take away what their control groups need: no test, a program.

    group_trial.py '{"folder": ..., "level": ..., "readable": [...]}'

Starts an engine once for each of `DISTURBANCES`, which happens between the making of its control group and
the moment when its cell joins that. The last line of output is JSON: {"engines": {disturbance: {"told": how
gyoji says the engine is contained, "uid": its user, "groups": the control groups it is in}}, "own_uid":
whether engines of root get a user of their own here, "has_groups": whether there can be control groups,
"kept": groups of other makers that are still there, "left": groups of ours that are}.
"""

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from gyoji.core.faults import Breakdown
from gyoji.core.spec import Containment, Player
from gyoji.executors.contained.cells import Launcher
from gyoji.executors.contained.cgroups import Groups, find_hierarchies
from gyoji.executors.contained.engines import ContainedExecutor

WAITS = "import os; os.write(1, b'up'); os.read(0, 1)"
REMOVES = """
from gyoji.executors.contained.cgroups import Groups, find_hierarchies
for hierarchies in find_hierarchies():
    Groups(hierarchies).close()
"""
"""A run in another pid namespace: it removes the groups whose makers it takes for dead."""


def main():
    told = json.loads(sys.argv[1])
    if told.get("hold"):
        hold(told)
    executor = ContainedExecutor()
    machine = executor.machine
    folders = [each for groups in find_hierarchies() for each in {*groups.folders.values()}]
    before = names_in(folders)
    report = {"engines": {}, "own_uid": machine.own_uid, "has_groups": machine.groups is not None}
    make = Launcher.make
    for number, (name, disturb) in enumerate(DISTURBANCES.items()):

        def disturbed(launcher, plan, group=None, *, disturb=disturb):
            Launcher.make = make
            disturb(group)
            return make(launcher, plan, group)

        Launcher.make = disturbed
        report["engines"][name] = seen_of(executor, told, number)
    others = Groups(machine.groups) if machine.groups else None
    kept = others.make(memory=0, processes=0) if others else None
    executor.close()
    kill_one_that_holds_a_group(told)
    if machine.groups:
        machine.groups.remove_abandoned(20)
    report["kept"] = sum(map(os.path.isdir, kept.folders if kept else ()))
    if others:
        others.close()
    report["left"] = sorted(names_in(folders) - before)
    print(json.dumps(report))


def seen_of(executor, told, number):
    """Start one engine and say how it is contained."""
    try:
        engine = start(executor, told, number)
    except Breakdown as error:
        return {"told": str(error), "uid": -1, "groups": []}
    status = Path(f"/proc/{engine.pid}/status").read_text()
    lines = Path(f"/proc/{engine.pid}/cgroup").read_text().splitlines()
    seen = {
        "told": engine.containment,
        "uid": next(int(line.split()[1]) for line in status.splitlines() if line.startswith("Uid:")),
        "groups": [line.split(":")[1] for line in lines if "/gyoji-" in line],
    }
    engine.close_stdin()
    select.select([engine.pidfd], [], [], 20)
    engine.reap()
    engine.close()
    return seen


def start(executor, told, number):
    place = Path(told["folder"], str(number))
    for each in ("work", "tmp", "overlay/upper", "overlay/work"):
        (place / each).mkdir(parents=True)
    containment = Containment(level=told["level"], readable=tuple(told["readable"]))
    command = (sys.executable, "-I", "-S", "-c", WAITS)
    player = Player(code=f"p{number}", command=command, cwd=str(place / "work"), containment=containment)
    engine = executor.start(player, {"TMPDIR": str(place / "tmp")}, place=str(place))
    select.select([engine.stdout], [], [], 20)
    return engine


def nothing(_group):
    pass


def run_elsewhere(_group):
    """Have a run in another pid namespace begin."""
    own = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    unshare = ["unshare", *own, "--pid", "--fork", "--mount-proc"]
    subprocess.run([*unshare, sys.executable, "-c", REMOVES], check=True, timeout=60)


def remove(group):
    """Take the group away, as any other program of its user may."""
    for each in group.folders if group is not None else ():
        os.rmdir(each)


DISTURBANCES = {"nothing": nothing, "another run": run_elsewhere, "removed": remove}


def hold(told):
    """Have an engine in a control group until this process is killed."""
    engine = start(ContainedExecutor(), told, "hold")
    print(engine.pid, flush=True)
    signal.pause()


def kill_one_that_holds_a_group(told):
    words = [sys.executable, __file__, json.dumps(told | {"hold": True})]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as worker:
        engine = int(worker.stdout.readline())
        with suppress(ProcessLookupError):
            watched = os.pidfd_open(engine)
            worker.kill()
            select.select([watched], [], [], 20)


def names_in(folders):
    return {name for folder in folders for name in os.listdir(folder) if name.startswith("gyoji-")}


if __name__ == "__main__":
    main()
