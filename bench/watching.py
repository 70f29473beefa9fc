"""Memory and descriptors of a run's processes while it goes on, and whether they grow."""

# A process leaks if it needs more in the last quarter of its life than in the third. Each figure has to be
# taken at moments that can be compared:
#
# * Memory: the median of a quarter.
# * Descriptors of a scheduler or a launcher: the least of a quarter, which has no short-lived ones in it.
# * Descriptors of a worker: the median of its *idle* samples, in which it has no engine. An engine in play
#   takes four (three pipes, a pidfd) besides the two of its cell, and a worker is idle for a few ms between
#   two games, which is a tenth of all samples if its games are long. The least of a quarter counted engines
#   in play as a leak (43, then 46 or 47) when fewer than a sample in twenty was idle. So the quarters are
#   those of the idle samples, and each has some. The two of each cell are left out: a worker keeps up to 16
#   cells, and on a busy machine half of its life can be over before it has met 16 players.
# * Cells of a worker: never more than it keeps, and one for each engine in play.
#
# Whether a worker is idle is seen by its processes, not its descriptors: one with a leak must not look busy.

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

_EVERY = 0.05  # seconds: a worker is idle in 4 to 9 % of the samples, and an event takes half a minute
_MOST_GROWTH_KB = 5 << 10
"""Growth of memory from the third quarter to the last that is no leak: room for an answer of an engine."""

_MOST_DESCRIPTORS = 2
"""The same for descriptors: those of a cell that is being made."""

_MOST_CELLS = 20
_OF_A_CELL = 2
"""Descriptors: its socket and its counter of CPU time."""

_LEAST, _LEAST_IDLE = 40, 8
"""Samples of a process, and of a worker that is idle, below which nothing can be compared."""


@dataclass(slots=True)
class Process:
    """One process of ours.

    Attributes:
        memory: KB resident, by sample.
        descriptors: Open descriptors, by sample; of a worker without an engine, less those of its cells.
        cells: Cells of a worker, by sample without an engine.
    """

    kind: str
    began: float
    ended: float = 0.0
    memory: list[int] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)

    def memory_quarters(self) -> list[float]:
        return _quarters(self.memory, median)

    def descriptor_quarters(self) -> list[float]:
        return _quarters(self.descriptors, median if self.kind == "worker" else _least)

    def problems(self) -> Iterator[str]:
        """Say in words what has grown."""
        _, before, after = self.memory_quarters()
        if after - before > _MOST_GROWTH_KB:
            yield f"grew from {before:.0f} to {after:.0f} KB"
        if len(self.descriptors) < _LEAST_IDLE:
            return  # it was hardly ever idle, on a busy machine: nothing can be compared
        if (cells := _quarters(self.cells, median)[-1]) > _MOST_CELLS:
            yield f"had {cells:.0f} cells without an engine"
        _, before, after = self.descriptor_quarters()
        if after > before + _MOST_DESCRIPTORS:
            yield f"had {before:.0f} open descriptors, then {after:.0f}"


def _quarters(values: Sequence[int], measure: Callable[[Sequence[int]], float]) -> list[float]:
    """Return a measure of the second, third and last quarter of the values."""
    size = len(values) // 4
    return [measure(values[part * size : (part + 1) * size]) for part in (1, 2, 3)] if size else [0, 0, 0]


def _least(values: Sequence[int]) -> float:
    """Return the lowest value but for one in twenty: at its end a process has closed what it had."""
    return sorted(values)[len(values) // 20]


class Watch:
    """Samples of a scheduler, its workers and their launchers, until the run ends."""

    def __init__(self, scheduler: int) -> None:
        self._scheduler = scheduler
        self._processes: dict[int, Process] = {}
        self._most = 0

    def until_end(self, process: "subprocess.Popen[bytes]") -> None:
        while process.poll() is None:
            self._look()
            time.sleep(_EVERY)

    def _look(self) -> None:
        now = time.monotonic()
        family = [self._scheduler, *_descendants(self._scheduler)]
        self._most = max(self._most, len(family))
        for pid in family:
            with suppress(OSError):
                kind = _kind(pid, self._scheduler)
                if pid not in self._processes or self._processes[pid].kind != kind:
                    self._processes[pid] = Process(kind, now)  # or it was seen between fork and exec
                if kind:
                    self._sample(pid, self._processes[pid], now)

    def _sample(self, pid: int, process: Process, now: float) -> None:
        process.ended = now
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        process.memory.append(pages * os.sysconf("SC_PAGE_SIZE") >> 10)
        cells = 0
        if process.kind == "worker":
            family = _descendants(pid)
            if not all(map(_is_launcher, family)):  # cells are forks of their launcher, engines are not
                return
            cells = max(0, len(family) - 1)
        descriptors = len(os.listdir(f"/proc/{pid}/fd"))
        if process.kind == "worker":
            if _descendants(pid) != family:  # a game has begun or ended between the two looks
                return
            process.cells.append(cells)
        process.descriptors.append(descriptors - _OF_A_CELL * cells)

    def _lasting(self) -> Iterator[tuple[int, Process]]:
        """Yield the processes that lived long enough to be compared with themselves."""
        longest = max((len(each.memory) for each in self._processes.values()), default=0)
        for pid, each in self._processes.items():
            if each.kind and len(each.memory) >= max(_LEAST, longest // 4):
                yield pid, each

    def lines(self) -> Iterator[str]:
        """Yield the figures of each process in all quarters but the first."""
        for pid, each in self._lasting():
            memory = ", ".join(f"{value / 1024:.1f}" for value in each.memory_quarters())
            files = ", ".join(f"{value:.0f}" for value in each.descriptor_quarters())
            seconds = each.ended - each.began
            if len(each.descriptors) < _LEAST_IDLE:
                files = "too few idle samples to compare its"
            yield (
                f"{each.kind} {pid}, {seconds:.0f} s: {memory} MB; {files} descriptors "
                f"({len(each.descriptors)} of {len(each.memory)} samples)"
            )
        yield f"processes at once: {self._most} at most"

    def problems(self) -> Iterator[str]:
        """Yield what has grown, in words."""
        for pid, each in self._lasting():
            yield from (f"{each.kind} {pid} {problem}" for problem in each.problems())


def _is_launcher(pid: int) -> bool:
    with suppress(OSError):
        return b"launcher.main()" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def _kind(pid: int, scheduler: int) -> str:
    """Return what a process is to us, "" for a process that is not ours."""
    if pid == scheduler:
        return "scheduler"
    if b"gyoji.play.worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
        return "worker"
    if _is_launcher(pid):
        parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        return "" if _is_launcher(parent) else "launcher"
    return ""


def _descendants(pid: int) -> list[int]:
    family = [pid]
    for each in family:  # which grows
        with suppress(OSError):
            family += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
    return family[1:]
