"""Workers as they are, with engines: what they make of bad orders, of large ones, and of being stopped."""

import itertools
import os
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fakes import WORKER, DrivenPool, Games, make_setup, marked_processes
from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.spec import Budgets, Containment, GameSpec, Player
from gyoji.executors import _proc
from gyoji.formats import allplayall, gauntlet
from gyoji.play.order import Order
from gyoji.play.worker_messages import Alive
from gyoji.scheduler.pool import WorkerDied
from gyoji.scheduler.status import ExitStatus
from gyoji.store.store import Store

pytestmark = pytest.mark.process
SECONDS = 60
ENGINE = str(Path(__file__).parents[1] / "play" / "small_engine.py")
LIVELY = (
    *(sys.executable, "-P", "-c"),
    "from gyoji.play import worker; worker.LIFE_PERIOD = 50_000_000; worker.main()",
)


def player(code, *words, **settings):
    return Player(code=code, command=(sys.executable, "-I", "-S", ENGINE, *words), **settings)


def make_spec(first, **changes):
    spec = GameSpec(id="0_0", pairing="0", game="go", players=(first, player("other")))
    return replace(spec, **{"options": {"board_size": 9, "komi": 7}} | changes)


def test_a_worker_outlives_a_game_that_cannot_be_played_and_takes_orders_of_any_size():
    big = {"BIG": "x" * 110_000}
    players = (player("a", environ=big), player("b", environ=big))
    with DrivenPool(1) as pool:
        bad = pool.submit(Order(spec=make_spec(player("a"), options={"board_size": 99})))
        worse = pool.submit(Order(spec=make_spec(player("a"), game="hex")))
        good = pool.submit(Order(spec=make_spec(player("a"), players=players)))
        assert bad.result(SECONDS).void.reason.startswith("go: ")
        before = marked_processes(pool.mark)
        assert worse.result(SECONDS).void.reason.startswith("no game 'hex'")
        assert not good.result(SECONDS).finished.result.outcome.is_forfeit
        assert set(before) <= {*marked_processes(pool.mark)}


def test_a_worker_shows_signs_of_life_while_an_engine_thinks():
    slow = player("slow", "--on", "genmove", "import time; time.sleep(0.5)")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = subprocess.Popen([*LIVELY, str(theirs.fileno())], pass_fds=[theirs.fileno()])
        theirs.close()
        ours.sendall(wire.dump_line(Order(spec=make_spec(slow))))
        with ours.makefile("r") as lines:
            said = list(itertools.takewhile(lambda line: not line.startswith('{"type":"report"'), lines))
    assert process.wait() == 0
    assert set(said) == {wire.dump_line(Alive()).decode()}
    assert len(said) > 2


def test_a_worker_that_an_engine_stops_is_replaced_and_both_engines_are_ended():
    stops = "import signal; os.kill(os.getppid(), signal.SIGSTOP)"
    bad = player("bad", "--on", "genmove", stops, containment=Containment(level="off"))
    with DrivenPool(1, command=LIVELY, silence_seconds=3) as pool:
        future = pool.submit(Order(spec=make_spec(bad)))
        with pytest.raises(WorkerDied, match="gave no sign of life"):
            future.result(SECONDS)
        assert marked_processes(pool.mark) == []


def test_the_game_of_a_worker_that_stood_still_is_void_and_played_again(start, tmp_path):
    notes = {0: f"once:{tmp_path / 'once'} stop"}
    with DrivenPool(1, command=WORKER, leave_seconds=0.3, silence_seconds=2) as pool:
        end, diary = start(Games(2, notes), pool)
    assert (end.status, end.finished, end.voids) == (ExitStatus.COMPLETE, 2, 1)
    assert ("voided", "g0", 1) in diary.events


def engines_of(worker):
    """Return the launcher of a worker, and the engines in its cells, once there are two."""
    give_up = time.monotonic() + SECONDS
    while True:
        launchers = _proc.children_of(worker)
        cells = [cell for launcher in launchers for cell in _proc.children_of(launcher)]
        engines = [engine for cell in cells for engine in _proc.children_of(cell)]
        if len(engines) == 2:
            return launchers[0], cells
        assert time.monotonic() < give_up, "no engines were started"
        select.select([], [], [], 0.01)


@pytest.mark.parametrize("victim", ["launcher", "cell"])
def test_a_launcher_or_cell_that_is_killed_costs_its_game_alone_and_nobody_the_game(victim):
    thinks = player("thinks", "--on", "genmove", "import time; time.sleep(60)")
    with DrivenPool(1) as pool:
        first = pool.submit(Order(spec=make_spec(thinks)))
        (worker,) = pool._workers
        launcher, cells = engines_of(worker.pid)
        os.kill(launcher if victim == "launcher" else cells[0], signal.SIGKILL)
        assert first.result(SECONDS).void.by_death
        next_one = pool.submit(Order(spec=make_spec(player("a"))))
        assert not next_one.result(SECONDS).finished.result.outcome.is_forfeit
        assert {each.pid for each in pool._workers} == {worker.pid}


KILLER = ("--on", "genmove", "import signal; os.kill(os.getppid(), signal.SIGKILL)")


@pytest.mark.parametrize(("level", "lost"), [("off", 0), ("guarded", 3)])
def test_of_four_one_that_would_kill_its_worker_costs_the_others_no_game(start, files, level, lost):
    free = Containment(level=level)
    players = {code: player(code) for code in "bcd"} | {"a": player("a", *KILLER, containment=free)}
    own = allplayall.Settings(
        game="go", options={"board_size": 9, "komi": 7}, competitors=tuple("abcd"), rounds=1
    )
    setup = make_setup(kind="allplayall", players=players, settings=own)
    with DrivenPool(2) as pool:
        end, _ = start(allplayall.RoundRobinEvent(setup), pool, setup=setup, parallel=2)
    assert marked_processes(pool.mark) == []
    with Store.read(files.database) as store:
        stored = {result.id: result for result in store.results()}
        voids = [each.void for each in store.voids()]
    assert {"BvC_0", "BvD_0", "CvD_0"} <= set(stored)
    assert not any(stored[name].outcome.is_forfeit for name in ("BvC_0", "BvD_0", "CvD_0"))
    assert len(stored) == 3 + lost
    if level == "off":
        assert (end.status, sorted(end.skipped)) == (ExitStatus.SKIPPED, ["AvB_0", "AvC_0", "AvD_0"])
        assert {(void.to_move, void.against, void.by_death) for void in voids} == {(("a",), "a", True)}
    else:
        assert (end.status, voids) == (ExitStatus.COMPLETE, [])


GIVING_UP = {
    "itself": "os.kill(os.getpid(), 9)",
    "its-group": "os.killpg(0, 9)",
    "all-it-can": "os.kill(-1, 9); os.kill(os.getpid(), 9)",
    "closing": "os.closerange(0, 256); os._exit(0)",
    "memory": "keep += [b'x' * (1 << 24) for _ in range(100)]; os.kill(os.getpid(), 9)",
    "cores": "[os.fork() or exec('while True: pass') for _ in range(9)]",
}


def test_an_engine_that_ruins_its_game_has_lost_it_and_gets_no_other(start, files):
    budgets = Budgets(move=2_000_000_000, memory=200 << 20)
    players = {"b": player("b")} | {
        code: player(code, "--on", "genmove", vice, budgets=budgets) for code, vice in GIVING_UP.items()
    }
    own = gauntlet.Settings(game="go", options={"board_size": 9, "komi": 7}, champions=("b",), rounds=1)
    setup = make_setup(kind="gauntlet", players=players, settings=own)
    with DrivenPool(2) as pool:
        end, _ = start(gauntlet.Gauntlet(setup), pool, setup=setup, parallel=2)
    assert (end.status, end.voids, end.finished) == (ExitStatus.COMPLETE, 0, len(GIVING_UP))
    with Store.read(files.database) as store:
        lost = {result.pairing.removeprefix("b,"): result for result in store.results()}
    assert not lost.pop("cores").outcome.is_forfeit  # it plays on, with less time for itself
    for code, result in lost.items():
        assert result.outcome.is_forfeit, result
        assert result.players[result.outcome.seat] == code
    assert marked_processes(pool.mark) == []
