"""Measure what a run loses by being watched.

::

    python -m bench.watched [--games 400] [--repeat 7] [--watchers 50]

Instant engines play as fast as they are asked. That is the worst case, because all that a run does for
watchers delays a game. Runs alone and runs with a server and watchers of all its boards take turns. The
run and its engines have one processor, the server and the watchers the others (`--together`: all).

For each subject (`bench.subjects`) it prints games a second and ms of the run's own CPU a game, alone and
watched: the medians of all rounds. Then it prints the loss of the rounds in per cent: median, least and
most.
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from bench.__main__ import WARM, compile_engines, new_event, run
from bench.serving import Watcher, server_of, subscribe, watch
from bench.subjects import SUBJECTS, Subject

AIM = 2.0  # per cent of the games a second


@contextmanager
def watched(path: Path, watchers: int, processors: set[int]) -> Iterator[None]:
    """Serve a control file to watchers on these processors. This thread keeps its own."""
    ours, is_over = os.sched_getaffinity(0), threading.Event()
    os.sched_setaffinity(0, processors)
    try:
        with server_of(path) as (_, place):
            readers = [Watcher(subscribe(place, f"{path.stem}/boards"), True) for _ in range(watchers)]
            thread = threading.Thread(target=_read, args=(readers, is_over))
            thread.start()
            os.sched_setaffinity(0, ours)
            try:
                yield
            finally:
                is_over.set()
                thread.join()
                for each in readers:
                    each.connection.close()
            if not all(each.sizes for each in readers):
                sys.exit("bench: a watcher was told nothing")
    finally:
        os.sched_setaffinity(0, ours)


def _read(readers: list[Watcher], is_over: threading.Event) -> None:
    while not is_over.is_set():
        watch(readers, 0.5)


def played(event: Path, games: int) -> tuple[float, float]:
    """Return (games a second, seconds of our CPU a game), without the start of the run."""
    start, whole = run(event, 1, WARM, 1), run(event, 1, games + WARM, 1)
    return games / (whole["wall_s"] - start["wall_s"]), (whole["cpu_s"] - start["cpu_s"]) / games


def measure(
    subject: Subject, event: Path, options: argparse.Namespace
) -> dict[str, list[tuple[float, float]]]:
    """Return the figures of each round, under "alone" and "watched"."""
    available = os.sched_getaffinity(0)
    others = available if options.together else available - {min(available)}

    def beside() -> tuple[float, float]:
        with watched(event, options.watchers, others):
            return played(event, options.games)

    ways: dict[str, Callable[[], tuple[float, float]]] = {
        "alone": lambda: played(event, options.games),
        "watched": beside,
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for number in range(options.repeat):
        for name in ways if number % 2 == 0 else reversed(ways):
            found[name].append(ways[name]())
            time.sleep(0.5)  # what has ended is cleared away
    return found


def lines(subject: Subject, found: dict[str, list[tuple[float, float]]]) -> Iterator[str]:
    """Yield the figures of a subject as lines of text."""
    yield subject.name
    for name, figures in found.items():
        rate, cpu = (median(column) for column in zip(*figures, strict=True))
        yield f"  {name}: {rate:.1f} games/s, {1000 * cpu:.2f} ms of CPU a game"
    rounds = list(zip(found["alone"], found["watched"], strict=True))
    rates = [100 * (1 - watched[0] / alone[0]) for alone, watched in rounds]
    costs = [100 * (watched[1] / alone[1] - 1) for alone, watched in rounds]
    for name, each, aim in (("fewer games/s", rates, f" (aim: {AIM:g})"), ("more CPU", costs, "")):
        yield f"  {name}: {median(each):.1f} % ({min(each):.1f} to {max(each):.1f}){aim}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.watched", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400, help="of each run (400)")
    parser.add_argument("--repeat", type=int, default=7, help="rounds (7)")
    parser.add_argument("--watchers", type=int, default=50, help="readers of all boards (50)")
    parser.add_argument("--only", default="19x19", help="subjects with this word in their name (19x19)")
    parser.add_argument(
        "--together", action="store_true", help="server and watchers beside the run's engines"
    )
    options = parser.parse_args()
    if not options.together and len(os.sched_getaffinity(0)) < 2:
        sys.exit("bench: there is one processor: only --together can be measured")
    with tempfile.TemporaryDirectory(prefix="gyoji-watched-") as folder:
        subjects = [each for each in SUBJECTS if options.only in each.name]
        engines = compile_engines(Path(folder), subjects)
        for subject in subjects:
            event = new_event(Path(folder), engines[subject.source], subject, f"watched-{subject.name}")
            print(*lines(subject, measure(subject, event, options)), sep="\n", flush=True)


if __name__ == "__main__":
    main()
