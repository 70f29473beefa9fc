"""The cost of starting an engine: a bare spawn (the floor), and each level of containment.

The engine answers one line at once and ends at the end of its input. Per start, in ms:

* mean CPU of ours: the worker, the launcher and the cell, from `schedstat` of each;
* mean CPU on the engine's account: what the referee would charge for the whole life of the process;
* median wall time until the first answer.

A player's cell is made once and used again, as in a run: the first start is not measured.

The last row is `gyoji contain`, which other managers start as their engine: a Python, a launcher and a cell
for each start, whose CPU is ours. A twentieth as many starts are measured.
"""

import os
import resource
import select
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from gyoji.core.spec import Containment, Player
from gyoji.executors import _proc
from gyoji.executors.contained.engines import ContainedExecutor

LEVELS = ("off", "guarded", "strict")
AIMS_MS = {"guarded": 1.0, "strict": 3.0}
QUESTION = b"name\n"


def measure_starts(engine: Path, folder: Path, starts: int) -> list[dict[str, Any]]:
    """Return a row for each way to start an engine."""
    return [
        {"level": "posix_spawn", **_floor(engine, starts)},
        *({"level": level, **_contained(engine, folder, level, starts)} for level in LEVELS),
        {"level": "contain", **_by_command(engine, max(1, starts // 20))},
    ]


def _floor(engine: Path, starts: int) -> dict[str, float]:
    """Measure a bare spawn with two pipes."""
    _spawned(engine)
    own, rows = _own_cpu(), [_spawned(engine) for _ in range(starts)]
    return _means(rows, (_own_cpu() - own) / starts)


def _spawned(engine: Path) -> tuple[float, float]:
    """Return (ms to the first answer, ms of CPU of the engine)."""
    began = time.perf_counter_ns()
    into, stdin = os.pipe2(os.O_CLOEXEC)
    stdout, out = os.pipe2(os.O_CLOEXEC)
    actions = [(os.POSIX_SPAWN_DUP2, into, 0), (os.POSIX_SPAWN_DUP2, out, 1)]
    pid = os.posix_spawn(engine, [str(engine)], dict(os.environ), file_actions=actions, setsid=True)
    for each in (into, out):
        os.close(each)
    os.write(stdin, QUESTION)
    os.read(stdout, 4096)
    answered = time.perf_counter_ns() - began
    os.close(stdin)
    _, _, usage = os.wait4(pid, 0)
    os.close(stdout)
    return answered / 1e6, (usage.ru_utime + usage.ru_stime) * 1e3


def _contained(engine: Path, folder: Path, level: str, starts: int) -> dict[str, float]:
    """Measure starts by the executor that a worker uses."""
    place = folder / f"starts-{level}"
    folder.chmod(0o755)  # so that engines of root can have users of their own
    for name in ("work", "tmp", "overlay/upper", "overlay/work"):
        (place / name).mkdir(parents=True)
    containment = Containment(level=level)  # type: ignore[arg-type]
    player = Player(
        code="x", command=(str(engine),), cwd=str(place / "work"), stderr="discard", containment=containment
    )
    executor = ContainedExecutor()
    try:
        _started(executor, player, place)
        before, own = _helpers_cpu(executor), _own_cpu()
        rows = [_started(executor, player, place) for _ in range(starts)]
        ours = _own_cpu() - own + _helpers_cpu(executor) - before
    finally:
        executor.close()
    return _means(rows, ours / starts)


def _started(executor: ContainedExecutor, player: Player, place: Path) -> tuple[float, float]:
    began = time.perf_counter_ns()
    engine = executor.start(player, {"TMPDIR": str(place / "tmp")}, place=str(place))
    os.write(engine.stdin, QUESTION)
    select.select([engine.stdout], [], [])
    os.read(engine.stdout, 4096)
    answered = time.perf_counter_ns() - began
    engine.close_stdin()
    select.select([engine.pidfd], [], [])
    end = engine.reap()
    engine.close()
    return answered / 1e6, (end[1] if end else 0) / 1e6


def _by_command(engine: Path, starts: int) -> dict[str, float]:
    """Measure starts by `gyoji contain`."""
    rows = [_started_by_command(engine) for _ in range(starts)]
    return _means([row[:2] for row in rows], sum(row[2] for row in rows) / starts)


def _started_by_command(engine: Path) -> tuple[float, float, float]:
    """Return (ms to the first answer, ms of CPU of the engine until then, ms of CPU of ours)."""
    began = time.perf_counter_ns()
    command = [sys.executable, "-m", "gyoji", "contain", "--", str(engine)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(QUESTION)
    process.stdin.flush()
    process.stdout.readline()
    answered = time.perf_counter_ns() - began
    *_, first = _proc.descendants(process.pid)
    fields = _proc.stat_fields(first)
    assert fields is not None
    of_cell, of_engine = _spent(int(fields[1])), _spent(first)
    process.stdin.close()
    _, _, usage = os.wait4(process.pid, 0)
    process.stdout.close()
    process.returncode = 0
    return answered / 1e6, of_engine, (usage.ru_utime + usage.ru_stime) * 1e3 + of_cell


def _spent(pid: int) -> float:
    """Return ms of CPU of a process."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e6


def _means(rows: list[tuple[float, float]], ours: float) -> dict[str, float]:
    answered = sorted(row[0] for row in rows)
    return {
        "ours_ms": ours,
        "engine_ms": sum(row[1] for row in rows) / len(rows),
        "answer_ms": answered[len(answered) // 2],
    }


def _own_cpu() -> float:
    """Return ms of CPU of this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return (usage.ru_utime + usage.ru_stime) * 1e3


def _helpers_cpu(executor: ContainedExecutor) -> float:
    """Return ms of CPU of the launcher and of its children, the cells."""
    pids = list(executor.pids)
    for pid in pids:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        pids += map(int, children)
    spent = 0.0
    for pid in pids:
        with suppress(OSError):  # it has ended since
            spent += _spent(pid)
    return spent


def starts_lines(rows: list[dict[str, Any]], starts: int) -> list[str]:
    """Return the rows as lines of text."""
    lines = [f"{starts} starts of an engine that answers at once; ms for each"]
    lines.append("level        CPU of ours  CPU of the engine  first answer   aim")
    for row in rows:
        aim = f"{AIMS_MS[row['level']]:.0f} of ours" if row["level"] in AIMS_MS else ""
        figures = f"{row['ours_ms']:11.2f} {row['engine_ms']:18.2f} {row['answer_ms']:13.2f}"
        lines.append(f"{row['level']:12} {figures}   {aim}")
    return lines
