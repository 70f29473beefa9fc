"""Killed at any step, resumed at will: at the end every game is stored once."""

import os
import random
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fakes import Games, InstantPool, make_record, make_setup, make_void, marked_processes

from gyoji.play.order import Report
from gyoji.scheduler.run import RunOptions, run
from gyoji.store.files import RunLock
from gyoji.store.store import Store

COUNT = 9


class Steps:
    """Kills this process at the N-th step."""

    def __init__(self, last):
        self.left = last

    def take(self):
        self.left -= 1
        if self.left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def before_and_after(self, function):
        def stepping(*args, **kwargs):
            self.take()
            result = function(*args, **kwargs)
            self.take()
            return result

        return stepping


def outcomes(store):
    """Every fourth game is void once, in whichever run."""
    before = {each.void.id for each in store.voids()}

    def outcome(spec, attempt):
        if int(spec.id[1:]) % 4 == 1 and attempt == 1 and spec.id not in before:
            return Report(void=make_void(spec))
        return Report.of(spec, make_record(spec))

    return outcome


def play(files, steps, parallel):
    """Run the event once. Each database command, issued or counted game and logged line is a step."""
    games = Games(COUNT, barrier=5)
    with RunLock(files), Store.open(files.database, "event", create=True) as store:
        pool = InstantPool(outcomes(store), slots=parallel or 1)
        real = store._connection

        class Connection:
            execute = staticmethod(steps.before_and_after(real.execute))
            close = staticmethod(real.close)

            @property
            def in_transaction(self):
                return real.in_transaction

        store._connection = Connection()
        games.add = steps.before_and_after(games.add)
        games.next_game = steps.before_and_after(games.next_game)
        pool.submit = steps.before_and_after(pool.submit)
        end = run(make_setup(), games, store, files, pool, options=RunOptions(parallel=parallel))
        store._connection = real
    return end


def killed_at(files, step, parallel):
    """Whether a run in a process of its own was killed before its end; nothing of the test runner is lost."""
    if not (pid := os.fork()):
        try:
            play(files, Steps(step), parallel)
        finally:
            os._exit(0)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status)


def stored(files):
    with Store.read(files.database) as store:
        return [result.id for result in store.results()]


@pytest.mark.parametrize("parallel", [None, 3])
def test_a_run_that_is_killed_at_any_step_loses_nothing_and_plays_nothing_twice(files, parallel):
    step = runs = 0
    while True:
        for path in files.outputs():
            path.unlink()
        step += 4 if step > 20 else 1
        if not killed_at(files, step, parallel):
            break
        before = stored(files) if files.database.exists() and files.database.stat().st_size else []
        end = play(files, Steps(10**9), parallel)
        assert end.finished == COUNT - len(before)
        after = stored(files)
        assert after[: len(before)] == before
        assert sorted(after) == sorted(f"g{number}" for number in range(COUNT))
        runs += 1
    assert runs > 30


def test_a_run_that_is_killed_again_and_again_ends(files):
    draw = random.Random(7)
    while killed_at(files, draw.randrange(120), 2):
        pass
    assert sorted(stored(files)) == sorted(f"g{number}" for number in range(COUNT))


REAL = """
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/.."]
from fakes import WORKER, Games, Diary, make_setup
from gyoji.scheduler.run import RunOptions, run
from gyoji.scheduler.slots import SlotPool
from gyoji.store.files import CompetitionFiles
from gyoji.store.files import RunLock
from gyoji.store.store import Store
files = CompetitionFiles(Path(sys.argv[2]))
count, stop = int(sys.argv[3]), int(sys.argv[4])
notes = {n: f"count:{files.folder}/played child" for n in range(count)}
diary = Diary()
def on(name):
    if name == "finished" and len(diary.of("finished")) == stop:
        print(pool.mark, flush=True)
        sys.stdin.read()
diary.on = on
with RunLock(files), Store.open(files.database, "event", create=True) as store:
    with SlotPool(2, command=WORKER) as pool:
        options = RunOptions(parallel=2)
        run(make_setup(), Games(count, notes), store, files, pool, options=options, listener=diary)
print(pool.mark, flush=True)
"""


def start_real(files, count, stop):
    words = [sys.executable, "-c", REAL, str(Path(__file__).parent), str(files.control_file)]
    return subprocess.Popen(
        [*words, str(count), str(stop)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def descendants(pid):
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children]


@pytest.mark.process
@pytest.mark.parametrize("stop", [1, 6])
def test_real_processes_that_are_killed_leave_nothing_and_miss_nothing(files, stop):
    with start_real(files, 10, stop) as scheduler:
        mark = scheduler.stdout.readline().strip()
        ends = [os.pidfd_open(pid) for pid in descendants(scheduler.pid)]  # workers and reaper
        scheduler.kill()
    for end in ends:
        assert select.select([end], [], [], 10)[0]
        os.close(end)
    assert marked_processes(mark) == []
    before = stored(files)
    assert len(before) >= stop
    with start_real(files, 10, 99) as scheduler:
        mark = scheduler.stdout.readline().strip()
    assert scheduler.returncode == 0
    assert marked_processes(mark) == []
    assert stored(files)[: len(before)] == before
    assert sorted(stored(files)) == sorted(f"g{number}" for number in range(10))
    played = (files.folder / "played").read_text().split()
    assert len(played) <= 12, "at most two games were in progress"
