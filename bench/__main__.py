"""``python -m bench [--compiled] [--games N]``: the cost of the referee, beside a floor.

Compile the instant engines (needs a C compiler) and play games with records on, one and two at a time.
For each subject (`bench.subjects`), print

* referee CPU in us per move (in Dig Here per step of four plans): user and system time of scheduler,
  workers, launchers and cells, engines excluded;
* the same figure of the floor, a bare Python loop over the same pipes (`bench.floor`), and the ratio;
* the ratio of wall times;
* games and units per second, start-up CPU (once per run), and peak memory of scheduler and workers.

Then print what the start of an engine costs at each level of containment (`bench.starts`), and the first
subject's figures with many games stored already, which must make no difference.
"""

# How the figures are made.
#
# CPU is what the kernel accounts to the whole tree of processes, less what it accounts to the engines. The
# floor has no sandbox and no clock and writes nothing; ours runs at the level "guarded". Each game has a
# processor to itself with its engines (`cores = 1`), and so has each loop of the floor; the scheduler shares
# those of the games. So neither pays for waking a processor, which can cost more than a move. `--free` gives
# every game and every loop all processors.
#
# Start-up is what two games cost: up to a second of CPU. So the run must be long for the rest to mean
# anything. Each measurement is repeated (`--repeat`), ours and the floor in turn, and the least counts.
#
# ext4 can be slow to make new files for minutes after it has lost many: it passes over removed entries one by
# one. A run soon after another one therefore shows more than the referee costs.

import argparse
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from bench.compiled import make_compiled, missing_builders
from bench.starts import measure_starts, starts_lines
from bench.subjects import ENGINES, SUBJECTS, Subject
from gyoji.store.game_texts import Finished
from gyoji.store.store import Store

HERE = Path(__file__).parent
WARM = 2  # games of the run that start-up is measured by
PAGE = 1 << 20
STARTED = "gtp_instant.c"
"""The engine whose starts are measured: it answers a command of GTP."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0])
    parser.add_argument("--compiled", action="store_true", help="build and measure compiled modules")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--games", type=int, default=1000, help="games for each figure (1000)")
    parser.add_argument("--repeat", type=int, default=3, help="how often, of which the least counts (3)")
    parser.add_argument("--free", action="store_true", help="all processors for every run, and every floor")
    parser.add_argument("--only", default="", help="only subjects with this word in their name")
    parser.add_argument("--starts", type=int, default=300, help="starts of an engine for each level (300)")
    parser.add_argument("--starts-only", action="store_true", help="nothing but the starts of engines")
    parser.add_argument("--stored", type=int, default=20_000, help="games stored before the last figure")
    options = parser.parse_args()
    if options.compiled and (lacking := missing_builders()):
        install = shlex.join([sys.executable, "-m", "pip", "install", *lacking])
        parser.exit(2, f"bench: --compiled needs packages that are not installed: {install}\n")
    subjects = [each for each in SUBJECTS if options.only in each.name]
    with tempfile.TemporaryDirectory(prefix="gyoji-bench-") as folder:
        if options.compiled:
            os.environ["PYTHONPATH"] = str(make_compiled(Path(folder, "compiled"), level=3))
        engines = compile_engines(Path(folder), subjects)
        starts = measure_starts(engines[STARTED], Path(folder), options.starts)
        if options.starts_only:
            lines = (
                [json.dumps({"starts": starts}, indent=2)]
                if options.json
                else starts_lines(starts, options.starts)
            )
            print(*lines, sep="\n")
            return
        matches = [
            measure(Path(folder), engines[subject.source], subject, parallel, options)
            for subject in subjects
            for parallel in (1, 2)
        ]
        growth = [
            measure_stored(Path(folder), engines[subjects[0].source], subjects[0], number, options.games)
            for number in (100, options.stored)
        ]
    if options.json:
        print(json.dumps({"matches": matches, "starts": starts, "stored": growth}, indent=2))
    else:
        show(matches, growth, options.games)
        print(*starts_lines(starts, options.starts), sep="\n")


def compile_engines(folder: Path, subjects: list[Subject]) -> dict[str, Path]:
    """Compile `STARTED` and each source that the subjects need. Return the program of each source."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        sys.exit("bench: no C compiler (cc or gcc) on PATH")
    sources = {STARTED, *(subject.source for subject in subjects)}
    programs = {source: folder / Path(source).stem for source in sources}
    for source, program in programs.items():
        subprocess.run([compiler, "-O2", "-o", program, ENGINES / source], check=True)
    return programs


def measure(
    folder: Path, engine: Path, subject: Subject, parallel: int, options: argparse.Namespace
) -> dict[str, Any]:
    """Measure one row: `options.repeat` runs of `options.games` games, each beside a run of the floor."""
    event = new_event(
        folder, engine, subject, f"match-{subject.name}-{parallel}", cores=0 if options.free else 1
    )
    games, processors = options.games, None if options.free else parallel
    floors, starts, wholes = [], [], []
    for _ in range(options.repeat):
        floors.append(floor_costs(engine, subject, games // parallel, parallel, free=options.free))
        starts.append(run(event, parallel, WARM, processors))
        wholes.append(run(event, parallel, games, processors))
    floor, start, whole = (least(each) for each in (floors, starts, wholes))
    about = {"subject": subject.name, "parallel": parallel, "unit": subject.unit, "aim": subject.aim}
    return about | row(event, start, whole, games) | floor


def least(costs: list[dict[str, float]]) -> dict[str, float]:
    """Return the smallest value of each figure; for memory, the largest."""
    return {name: (max if name.endswith("_mb") else min)(each[name] for each in costs) for name in costs[0]}


def measure_stored(folder: Path, engine: Path, subject: Subject, stored: int, games: int) -> dict[str, Any]:
    """Measure one row: a run of `games` games in a store that already has `stored` games."""
    event = new_event(folder, engine, subject, f"stored-{stored}")
    run(event, 1, WARM, 1)
    multiply(event.with_suffix(".db"), stored)
    start = run(event, 1, WARM, 1)
    whole = run(event, 1, games, 1)
    return row(event, start, whole, games) | {"stored": stored}


def row(event: Path, start: dict[str, float], whole: dict[str, float], games: int) -> dict[str, float]:
    units = units_of(event, games - WARM)
    seconds = whole["wall_s"] - start["wall_s"]
    return {
        "referee_us": (whole["cpu_s"] - start["cpu_s"]) / units * 1e6,
        "wall_us": seconds / units * 1e6,
        "games_per_s": (games - WARM) / seconds,
        "units_per_s": units / seconds,
        "startup_cpu_s": start["cpu_s"],
        "scheduler_mb": whole["scheduler_mb"],
        "worker_mb": whole["worker_mb"],
    }


def new_event(folder: Path, engine: Path, subject: Subject, name: str, *, cores: int = 1) -> Path:
    path = folder / (re.sub("[ ,]+", "-", name) + ".toml")
    path.write_text(subject.control(engine, cores))
    return path


def floor_costs(engine: Path, subject: Subject, games: int, parallel: int, *, free: bool) -> dict[str, float]:
    """Return us of CPU and of wall time per unit for `parallel` bare loops that run side by side.

    Args:
        free: The loops share all processors; otherwise each has one of its own.
    """
    command = [sys.executable, "-m", "bench.floor", str(engine), str(games), *subject.floor]
    loops, processors = [], sorted(os.sched_getaffinity(0))
    for number in range(parallel):
        with processors_of_children(processors if free else [processors[number % len(processors)]]):
            loops.append(subprocess.Popen(command, stdout=subprocess.PIPE, cwd=HERE.parent))
    answers = [json.loads(loop.communicate()[0]) for loop in loops]
    units = sum(each["units"] for each in answers)
    return {
        "floor_us": sum(each["cpu_s"] for each in answers) / units * 1e6,
        "floor_wall_us": max(each["wall_s"] for each in answers) / units * 1e6,
    }


@contextmanager
def processors_of_children(processors: Iterable[int]) -> Iterator[None]:
    """Pin processes that are started inside the block to these processors."""
    ours = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    try:
        yield
    finally:
        os.sched_setaffinity(0, ours)


def run(event: Path, parallel: int, games: int, processors: int | None) -> dict[str, float]:
    """Play `games` more games on that many processors (None: all). Return CPU without engines, wall time and
    peak memory.
    """
    before = engine_cpu(event)
    command = [sys.executable, "-m", "gyoji", "run", str(event), "--quiet", "--max-games", str(games)]
    began = time.monotonic()
    with processors_of_children(sorted(os.sched_getaffinity(0))[:processors]):
        process = subprocess.Popen([*command, "--parallel", str(parallel)], start_new_session=True)
    peaks = watch_memory(process)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - began
    if process.returncode:
        sys.exit(f"bench: gyoji ended with status {process.returncode}")
    cpu = usage.ru_utime + usage.ru_stime - (engine_cpu(event) - before)
    return {"cpu_s": cpu, "wall_s": wall, **peaks}


def watch_memory(process: subprocess.Popen[bytes]) -> dict[str, float]:
    """Return the peak memory of scheduler and workers in MB, sampled until the process ends."""
    peaks = {"scheduler_mb": 0.0, "worker_mb": 0.0}
    while not os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG):
        peaks["scheduler_mb"] = max(peaks["scheduler_mb"], peak_memory(process.pid))
        for worker in children(process.pid):
            if b"gyoji.play.worker" in command_line(worker):
                peaks["worker_mb"] = max(peaks["worker_mb"], peak_memory(worker))
        time.sleep(0.05)
    return peaks


def children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
    except OSError:
        return b""


def peak_memory(pid: int) -> float:
    """Return the peak resident set of a process in MB, or 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) * 1024 / PAGE for line in lines if line.startswith("VmHWM")), 0.0)


def units_of(event: Path, games: int) -> int:
    """Return the number of moves in the last `games` stored games."""
    query = "SELECT json_extract(result, '$.turns') FROM games ORDER BY number DESC LIMIT ?"
    with sqlite3.connect(f"file:{event.with_suffix('.db')}?mode=ro", uri=True) as connection:
        return sum(turns for (turns,) in connection.execute(query, (games,)))


def engine_cpu(event: Path) -> float:
    """Return seconds of CPU of all engines in the stored games, as the kernel accounted them."""
    database = event.with_suffix(".db")
    if not database.exists():
        return 0.0
    query = (
        "SELECT coalesce(sum(json_extract(engine.value, '$.cpu_ns')), 0)"
        " FROM games, json_each(result, '$.engines') AS engine"
    )
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return float(connection.execute(query).fetchone()[0]) / 1e9


def multiply(database: Path, wanted: int) -> None:
    """Fill the store up to `wanted` games with copies of its games under new ids."""
    with Store.open(database, database.stem) as store:
        games = [store.record(result.id) for result in store.results()]
        copies = (
            Finished.of(
                replace(spec, id=f"0_{number}"),
                replace(record, result=replace(record.result, id=f"0_{number}")),
            )
            for number in range(len(games), wanted)
            for spec, record in [games[number % len(games)]]
        )
        while batch := list(islice(copies, 500)):
            store.append_many(batch)


def show(matches: list[dict[str, Any]], growth: list[dict[str, Any]], games: int) -> None:
    print(f"{games} games between instant engines, records on; CPU in us per unit")
    print(
        "subject                      at once  referee  floor  ratio  of wall  games/s  units/s       "
        "memory MB  aim"
    )
    for each in matches:
        ratio, of_wall = each["referee_us"] / each["floor_us"], each["wall_us"] / each["floor_wall_us"]
        memory = f"{each['scheduler_mb']:.0f} + {each['worker_mb']:.0f}"
        print(
            f"{each['subject']:28} {each['parallel']:7} {each['referee_us']:8.1f} {each['floor_us']:6.1f} "
            f"{ratio:6.2f} {of_wall:8.2f} {each['games_per_s']:8.1f} {each['units_per_s']:8.0f} "
            f"{each['unit']:4} {memory:>10}  {each['aim']}"
        )
    for each in growth:
        print(
            f"with {each['stored']:6} games stored: {each['referee_us']:.1f} us, "
            f"{each['games_per_s']:.1f} games/s, start-up {each['startup_cpu_s']:.2f} s of CPU"
        )


if __name__ == "__main__":
    main()
