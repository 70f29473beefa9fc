"""Memory, descriptors and processes of a run while it goes on, and whether they grow."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

_EVERY = 0.25  # seconds
_MOST_GROWTH_KB = 5 << 10
"""How much more a process may have in the last quarter of its life than in the third: room for an answer."""


@dataclass(slots=True)
class Process:
    """One process of ours. Each sample: (seconds, KB resident, open descriptors)."""

    kind: str
    samples: list[tuple[float, int, int]] = field(default_factory=list)

    def quarters(self, column: int) -> tuple[float, float, float]:
        """The median of a column in the second, third and last quarter of its life."""
        return self._of_quarters(column, median)

    def least(self, column: int) -> tuple[float, float, float]:
        """The same of the least it had, but for a sample in twenty: without what games in progress have."""
        return self._of_quarters(column, lambda values: sorted(values)[len(values) // 20])

    def _of_quarters(
        self, column: int, measure: Callable[[list[int | float]], float]
    ) -> tuple[float, float, float]:
        size = len(self.samples) // 4
        second, third, last = (
            measure([sample[column] for sample in self.samples[part * size : (part + 1) * size]])
            for part in (1, 2, 3)
        )
        return second, third, last


class Watch:
    """Looks at a scheduler and its workers until the end of their run."""

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
                if pid not in self._processes:
                    self._processes[pid] = Process(_kind(pid, self._scheduler))
                if self._processes[pid].kind:
                    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
                    resident = pages * os.sysconf("SC_PAGE_SIZE") >> 10
                    self._processes[pid].samples.append((now, resident, len(os.listdir(f"/proc/{pid}/fd"))))

    def _lasting(self) -> Iterator[tuple[int, Process]]:
        """Those that were there long enough for something to be said."""
        longest = max((len(each.samples) for each in self._processes.values()), default=0)
        for pid, each in self._processes.items():
            if each.kind and len(each.samples) >= max(16, longest // 4):
                yield pid, each

    def lines(self) -> Iterator[str]:
        """What was seen, in the quarters of each one's life but the first."""
        for pid, each in self._lasting():
            memory = ", ".join(f"{value / 1024:.1f}" for value in each.quarters(1))
            files = ", ".join(f"{value:.0f}" for value in each.least(2))
            seconds = each.samples[-1][0] - each.samples[0][0]
            yield f"{each.kind} {pid}, {seconds:.0f} s: {memory} MB; {files} descriptors"
        yield f"processes at once: {self._most} at most"

    def problems(self) -> Iterator[str]:
        """What has grown, in words."""
        for pid, each in self._lasting():
            (_, before, after), (_, files, files_after) = each.quarters(1), each.least(2)
            if after - before > _MOST_GROWTH_KB:
                yield f"{each.kind} {pid} grew from {before:.0f} to {after:.0f} KB"
            if files_after > files + 2:
                yield f"{each.kind} {pid} had {files:.0f} open descriptors, then {files_after:.0f}"


def _kind(pid: int, scheduler: int) -> str:
    """What a process is to us; "" for those that are none of ours."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes()
    if pid == scheduler:
        return "scheduler"
    if b"gyoji.play.worker" in words:
        return "worker"
    if b"launcher.main()" in words:
        parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        return "launcher" if b"launcher.main()" not in Path(f"/proc/{parent}/cmdline").read_bytes() else ""
    return ""


def _descendants(pid: int) -> list[int]:
    family = [pid]
    for each in family:  # which grows
        with suppress(OSError):
            family += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
    return family[1:]
