"""``python -m bench.scale [--players N] [--rounds N] [--games N] [--cluster]``: many games that take no time.

There are two competitions: everybody against everybody twice (499,500 pairs of 1,000 players), and a
playoff of a million games. A pool answers each order at once as a worker would, so what remains is the
scheduler: issue, store, count, log. --cluster uses the pool of a cluster with one instant host in this
process, and counts its cost too. Each step runs in a process of its own. Print, beside their aims,

* us of CPU and of wall time per game at the start, in the middle and at the end: they must not grow;
* seconds to count all stored games, with which a resumed run begins;
* seconds to write the report, and the peak memory of each step.

This needs 1 GB of disk in the folder for temporary files (TMPDIR) while it runs.
"""

import argparse
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Raw

from bench.cluster import InstantHosts
from gyoji.cli import RARELY
from gyoji.cli.exits import complain
from gyoji.cli.reporting import write_report
from gyoji.cli.standing import fold
from gyoji.cluster.cluster_pool import ClusterPool
from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec
from gyoji.play.loop import Loop
from gyoji.play.order import Order, SentReport
from gyoji.scheduler.event import Event
from gyoji.scheduler.events import Listener
from gyoji.scheduler.pool import PoolListener
from gyoji.scheduler.run import RunOptions, run
from gyoji.store.store import Store
from gyoji.tables.digest import ResultsDigest

AT_ONCE = 64
CLUSTER = "GYOJI_BENCH_CLUSTER"
"""Environment variable that makes a step use the pool of a cluster."""

WINDOW = 10_000
"""Number of games over which a figure is averaged."""

AIMS = {"us": "flat", "resume_s": 10, "report_s": 10, "memory_mb": 300}

_HEAD = """\
competition = "{kind}"
board_size = 9
komi = 7.5
record_games = false
skip_player_checks = true
{settings}
"""
_PLAYER = '[players.p{}]\ncommand = "/bin/true"\n'
_MATCHUP = '[[matchups]]\nplayers = ["p0", "p1"]\nalternating = true\n'

_ENGINE = (
    '{"name":"instant:1.0","description":"instant:1.0, author study, country -","cpu_ns":1933204,'
    '"think_ns":231425,"slowest_ns":28393,"status":"exit 0","startup_ns":13682255}'
)
_RESULT = (
    '{"id":"%s","pairing":"%s","players":["%s","%s"],"outcome":{"points":%s,"ending":"score",'
    '"margin":2.5},"turns":74,"engines":['
    + _ENGINE
    + ","
    + _ENGINE
    + '],"started":"2026-11-21T14:51:49+0000",'
    '"wall_ns":107961053,"digest":"%016x"}'
)
_REST = Raw('{"turns":[[[0,"D4",5]],[[1,"E5",7]]]}')
_POINTS = ("[1.0,0.0]", "[0.0,1.0]", "[1.0,0.0]", "[0.5,0.5]")


class InstantPool:
    """A pool that answers each order at once, with a report as a worker sends it."""

    slots, ahead, hosts = AT_ONCE, 0, ()

    def __init__(self) -> None:
        self.loop = Loop()
        self.listener = PoolListener()

    def __enter__(self) -> "InstantPool":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def shared(self, resources: Mapping[str, int]) -> Mapping[str, int]:
        return resources

    def lines(self) -> Sequence[str]:
        return ()

    def start_ahead(self, specs: Iterable[GameSpec] = ()) -> None:
        pass

    def submit(self, order: Order) -> "Future[Any]":
        spec = order.spec
        codes = [player.code for player in spec.players]
        points = _POINTS[spec.seed % len(_POINTS)]
        future: Future[Any] = Future()
        result = Raw(_RESULT % (spec.id, spec.pairing, *codes, points, spec.seed))
        future.set_result(SentReport(result=result, rest=_REST).report(spec))
        return future

    def resize(self, slots: int) -> None:
        raise NotImplementedError

    def tell_moves(self, wanted: bool) -> None:
        pass

    def say(self, words: Any) -> bool:
        return False

    def stored(self, ids: Iterable[str]) -> None:
        pass

    def abandon(self) -> None:
        pass

    def close(self) -> None:
        pass


class Stopwatch(Listener):
    """Reads the clocks at every `WINDOW`-th game."""

    def __init__(self) -> None:
        self.marks = [(time.process_time(), time.monotonic())]
        self._games = 0

    def finished(self, result: GameResult) -> None:
        self._games += 1
        if self._games % WINDOW == 0:
            self.marks.append((time.process_time(), time.monotonic()))

    def costs(self) -> dict[str, dict[str, float]]:
        """Return us per game in the first, the middle and the last window, and over all games."""
        last = len(self.marks) - 1
        spans = {
            "start": (0, 1),
            "middle": (last // 2 - 1, last // 2),
            "end": (last - 1, last),
            "all": (0, last),
        }
        return {
            name: {
                clock: (self.marks[end][place] - self.marks[begin][place]) / (end - begin) / WINDOW * 1e6
                for place, clock in enumerate(("cpu_us", "wall_us"))
            }
            for name, (begin, end) in spans.items()
        }


def play(event: Event) -> dict[str, Any]:
    watch = Stopwatch()
    return {"games": run_instantly(event, watch), "costs": watch.costs()}


def run_instantly(event: Event, listener: Listener) -> int:
    """Play the remaining games. Return their number."""
    pool = ClusterPool(InstantHosts(AT_ONCE)) if CLUSTER in os.environ else InstantPool()
    setup = event.setup
    with closing(pool.loop), Store.open(event.files.database, setup.code, create=True) as store:
        options = RunOptions(parallel=AT_ONCE)
        end = run(setup, event.competition, store, event.files, pool, options=options, listener=listener)
    return end.finished


class Start(Listener):
    """Notes when a run has counted its stored games."""

    def began(self, *, stored: int, **_: Any) -> None:
        self.stored, self.moment, self.cpu = stored, time.monotonic(), time.process_time()


def resume(event: Event) -> dict[str, Any]:
    start, began, spent = Start(), time.monotonic(), time.process_time()
    played = run_instantly(event, start)
    seconds = {"resume_s": start.moment - began, "resume_cpu_s": start.cpu - spent}
    return {"stored": start.stored, "played": played, **seconds}


def report(event: Event) -> dict[str, Any]:
    digest = ResultsDigest(event.setup.players)
    fold(event, digest)
    began = time.monotonic()
    write_report(event, digest)
    return {"report_s": time.monotonic() - began, "bytes": event.files.report.stat().st_size}


STEPS: dict[str, Callable[[Event], dict[str, Any]]] = {"play": play, "resume": resume, "report": report}


def step(name: str, control_file: Path) -> dict[str, Any]:
    """Run a step in a process of its own and return its figures."""
    command = [sys.executable, "-m", "bench.scale", "--step", name, str(control_file)]
    return dict(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))


def run_step(name: str, control_file: Path) -> None:
    gc.set_threshold(RARELY)  # as every command does
    measured = STEPS[name](Event.open(control_file, complain))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(measured | {"memory_mb": peak}))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=1000, help="of the all-play-all (1000)")
    parser.add_argument("--rounds", type=int, default=2, help="of the all-play-all (2)")
    parser.add_argument("--games", type=int, default=1_000_000, help="of the playoff (1000000)")
    parser.add_argument("--only", default="", help="only the competition with this word in its name")
    parser.add_argument("--cluster", action="store_true", help="by the pool of a cluster")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--step", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        run_step(options.step[0], Path(options.step[1]))
        return
    if options.cluster:
        os.environ[CLUSTER] = "1"
    players = "".join(_PLAYER.format(number) for number in range(options.players))
    two = _PLAYER.format(0) + _PLAYER.format(1)
    texts = {
        "allplayall": _HEAD.format(kind="allplayall", settings=f"rounds = {options.rounds}") + players,
        "playoff": _HEAD.format(kind="playoff", settings=f"number_of_games = {options.games}")
        + two
        + _MATCHUP,
    }
    measured = {name: measure(name, text) for name, text in texts.items() if options.only in name}
    print(json.dumps(measured, indent=2) if options.json else "\n".join(map(show, measured.values())))


def measure(name: str, text: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="gyoji-scale-") as folder:
        control_file = Path(folder, f"{name}.toml")
        control_file.write_text(text)
        return {"name": name} | {each: step(each, control_file) for each in STEPS}


def show(figures: dict[str, Any]) -> str:
    costs = figures["play"]["costs"]
    lines = [f"{figures['name']}, {figures['play']['games']} games"]
    for clock in ("cpu_us", "wall_us"):
        parts = ", ".join(f"{cost[clock]:.0f} {name}" for name, cost in costs.items())
        lines.append(f"  {clock.replace('_', ', ')} a game: {parts} (aim: {AIMS['us']})")
    resumed = figures["resume"]
    cpu = f"CPU {resumed['resume_cpu_s']:.1f} s"
    lines.append(f"  resume: {resumed['resume_s']:.1f} s, {cpu} (aim: {AIMS['resume_s']} s)")
    lines.append(f"  report: {figures['report']['report_s']:.2f} s (aim: {AIMS['report_s']} s)")
    peaks = ", ".join(f"{figures[each]['memory_mb']:.0f} {each}" for each in STEPS)
    return "\n".join([*lines, f"  memory, MB: {peaks} (aim: {AIMS['memory_mb']})"])


if __name__ == "__main__":
    main()
