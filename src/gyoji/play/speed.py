"""How fast this machine is: a fixed computation on as many processors as games will use at once.

``python -m gyoji.play.speed`` carries it out once in a process of its own, and prints the ns of CPU time that
it took, and its answer, which is the same on every machine.

It is made of what engines are made of, whole numbers, memory and branches, in parts of Python that are C
code: so it says more about the machine than about the version of Python (3.11 to 3.13: 7 % apart).
"""

import os
import subprocess
import sys
import time
from hashlib import blake2b

from gyoji.core.faults import Breakdown
from gyoji.core.wire import Value

ANSWER = "8afadd741261e2d8"
"""The answer that every machine should give."""

REFERENCE_NS = 45_000_000
"""The time of a machine with the speed 1: that on which gyoji was developed in 2026, with Python 3.11."""

SLOWEST, FASTEST = 0.01, 100.0
"""Speeds beyond these are no speeds."""

_ROUNDS = 2
_SECONDS = 120.0
_COMMAND = (sys.executable, "-P", "-m", "gyoji.play.speed")


class Speed(Value, frozen=True):
    """The speed of a machine, 1 for that of the reference, and its answer."""

    speed: float
    answer: str

    @property
    def factor(self) -> float:
        """How many times as long everything takes here, to three digits."""
        return float(f"{1 / min(max(self.speed, SLOWEST), FASTEST):.3g}")


def measure(processes: int = 1) -> Speed:
    """The speed of this machine while so many processes compute at once, at most one for each processor.

    Takes some tenths of a second. Raises Breakdown if it cannot be measured.
    """
    count = max(1, min(processes, len(os.sched_getaffinity(0))))
    running = []
    try:
        for _ in range(count):
            running.append(subprocess.Popen(_COMMAND, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE))
        said = [process.communicate(timeout=_SECONDS)[0].split() for process in running]
        times, answers = [int(ns) for ns, _ in said], [answer.decode() for _, answer in said]
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise Breakdown(f"the speed of this machine cannot be measured: {error}") from None
    finally:
        for process in running:
            process.kill()
            process.communicate()
    wrong = [answer for answer in answers if answer != ANSWER]
    return Speed(REFERENCE_NS / sorted(times)[count // 2], (wrong or answers)[0])


def compute() -> str:
    """The computation; its answer."""
    number, numbers = 12345, []
    for _ in range(6000):
        number = number * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF
        numbers.append(number >> 20)
    power = pow(numbers[0], numbers[1] << 300 | 1, (1 << 1279) - 1)
    ordered = sorted(numbers * 4, key=str)
    text = " ".join(map(str, ordered))
    counted = [text.count(str(each)) for each in range(10, 60)]
    parts = text.replace("7", "seven").split("e")
    table: dict[int, int] = {}
    for each in numbers:
        table[each % 997] = table.get(each % 997, 0) + each
    told = (power, ordered[::100], counted, len(parts), sorted(table.items()))
    return blake2b(repr(told).encode(), digest_size=8).hexdigest()


def main() -> None:
    """Carry it out."""
    times = []
    for _ in range(_ROUNDS):
        began = time.process_time_ns()
        answer = compute()
        times.append(time.process_time_ns() - began)
    print(min(times), answer)


if __name__ == "__main__":
    main()
