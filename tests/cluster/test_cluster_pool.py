"""The pool of several hosts keeps its port's promises, whatever hosts do."""

import os
import sys
from functools import partial
from pathlib import Path

import pytest
from bench.agent_processes import AGENT, ProcessHosts
from msgspec.structs import replace

from gyoji.cluster.cluster_pool import ClusterPool
from gyoji.core.spec import Containment, GameSpec, Player
from gyoji.play.order import Files, Order
from gyoji.testing.pool_kit import Games, check_pool

FAKE = Path(__file__).parent.parent / "scheduler" / "fake_worker.py"
WORKER = (sys.executable, "-S", str(FAKE))
PLAYERS = tuple(Player(code=code, command=("/bin/true",)) for code in "ab")


def make_spec(number, note=""):
    return GameSpec(id=f"g{number}", pairing="0", game="go", players=PLAYERS, seed=number, note=note)


def noted(note):
    return partial(make_spec, note=note)


GAMES = Games(
    quick=noted(""), endless=noted("progress live silent"), void=noted("void"), deadly=noted("child die")
)


@pytest.mark.process
def test_agents_over_pipes_conform():
    def make(slots):
        commands = dict.fromkeys(("one", "two"), (*AGENT, "--slots", "2", *WORKER))
        pool = ClusterPool(ProcessHosts(commands), most=slots)
        while pool.slots < slots:
            pool.loop.wait()
        return pool

    check_pool(make, GAMES)


BOT = f"""#!/bin/sh
echo "this is $0 with $(cat "$1")" >&2
exec {Path(sys.executable).parent}/gyoji-kozo --random
"""


def travellers(folder):
    """Return a game of engines that stand beside the control file, with a file each."""
    (folder / "bot").write_text(BOT)
    (folder / "bot").chmod(0o755)
    (folder / "net").write_text("weights")
    player = Player(
        code="a",
        command=(str(folder / "bot"), "net"),
        cwd=str(folder),
        executor="local",
        containment=Containment(level="off"),
    )
    options = {"board_size": 9, "komi": 7.5}
    return GameSpec(id="0_0", pairing="0", game="go", players=(player, player), options=options)


@pytest.mark.process
def test_engines_and_files_travel_both_ways(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "event"
    (folder / "e.games").mkdir(parents=True)
    spec = travellers(folder)
    files = Files(records="e.games", voids="e.void", formats=("sgf",), transcript="e.logs/0_0.log")
    commands = dict.fromkeys(("one", "two"), (*AGENT, "--slots", "1"))
    with ClusterPool(ProcessHosts(commands), folder=folder) as pool:
        first, second = (pool.submit(Order(spec=replace(spec, id=f"0_{n}"), files=files)) for n in range(2))
        while not (first.done() and second.done()):
            pool.loop.wait()
    reports = [first.result(0), second.result(0)]
    assert {report.finished.result.host for report in reports} == {"one", "two"}
    cached = [str(path) for path in (tmp_path / "cache" / "gyoji" / "engines").glob("*/bot")]
    for report in reports:
        assert any(f"this is {cached[0]} with weights" in line for line in report.log), report.log
    assert sorted(os.listdir(folder / "e.games")) == ["0_0.sgf", "0_1.sgf"]
    assert (folder / "e.logs" / "0_0.log").stat().st_size > 100


@pytest.mark.process
@pytest.mark.slow
def test_a_report_that_is_not_stored_when_a_run_ends_is_the_next_run_s(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "e.games").mkdir()
    order = Order(spec=travellers(tmp_path), files=Files(records="e.games", formats=("sgf",)))
    commands = {"one": (*AGENT, "--slots", "1", "--event", "e")}
    reports, files = [], []
    for ids in ([], [order.spec.id], []):  # it is stored in the second run, and played again in the third
        with ClusterPool(ProcessHosts(commands), folder=tmp_path) as pool:
            future = pool.submit(order)
            while not future.done():
                pool.loop.wait()
            pool.stored(ids)
        reports.append(future.result(0))
        files.append((tmp_path / "e.games" / "0_0.sgf").read_bytes())
        (tmp_path / "e.games" / "0_0.sgf").unlink()
    assert reports[0] == reports[1]
    assert files[0] == files[1]
    assert reports[2].finished.result.started != reports[0].finished.result.started or (
        reports[2].finished.result.wall_ns != reports[0].finished.result.wall_ns
    )


@pytest.mark.process
def test_a_game_whose_programs_no_host_has_is_void(tmp_path):
    player = Player(code="a", command=("/nowhere/engine",))
    spec = GameSpec(id="0_0", pairing="0", game="go", players=(player, player))
    warnings = []
    with ClusterPool(ProcessHosts({"one": (*AGENT, "--slots", "1")}), folder=tmp_path) as pool:
        pool.listener.on_warning = warnings.append
        future = pool.submit(Order(spec=spec))
        while not future.done():
            pool.loop.wait()
    assert "no host can play it: one: a: there is no /nowhere/engine" in str(future.exception(0))
    assert "host one plays no games of a: there is no /nowhere/engine" in warnings
