"""``python -m bench.kills [--kills N] [--seed N]``: SIGKILL for any process of a run, at any moment.

Play small competitions by `gyoji run`, guarded: each once undisturbed, then disturbed. Processes of the
run are killed at random moments, and the run is started again until the competition is over; so on with
the next competition, until there were N kills. Victims are found by walking the tree of processes
(`bench.family`):

    scheduler   the run itself; half the time it is asked to end instead, by INT, TERM or HUP
    worker      launcher    cell (the first process of one)    engine    reaper
    several     two to four of these at once                   all       all at once

Check that

* every game is stored once, under the ids of the undisturbed competition;
* each game went move for move as there, except those that an engine lost by being killed;
* no other game was lost, and games are void only because processes were killed;
* `gyoji verify` finds no difference;
* a sequential test has the verdict of the undisturbed one, after as many games;
* no process, mount, folder or control group is left.

The exit status is 1 if anything was wrong. The seed decides the choice of victims, but not what they are
doing at that moment. A game that was void three times is played undisturbed, because the fourth time skips
it.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random

from bench.__main__ import compile_engines
from bench.courses import Course, differences
from bench.events import EVENTS, NEXT, Event
from bench.family import Family, Roles, groups_of, mounts
from bench.subjects import SUBJECTS

WEIGHTS = {
    "scheduler": 4, "worker": 4, "launcher": 6, "cell": 5, "engine": 4, "reaper": 2, "several": 3, "all": 2
}  # fmt: skip
ASKED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PAUSE = 0.5  # seconds between two kills, at most
EACH_EVENT = 30  # kills
WAITS = 3.0  # seconds for a victim: a run has one reaper, which may have been killed before
SECONDS = 300.0
"""Seconds within which a run must end by itself, on a busy machine too."""
_ENDED_WELL, _STOPPED, _SKIPPED = 0, 3, 5


@dataclass(slots=True)
class Tally:
    """The consequences of the kills of one role.

    Attributes:
        kills: Number of kills.
        processes: Number of killed processes.
        ended: Runs that ended after these kills.
        void: Void games.
        lost: Games that a seat lost because its engine was killed.
    """

    kills: int = 0
    processes: int = 0
    ended: int = 0
    void: int = 0
    lost: int = 0


def begin(path: Path, *words: str) -> "subprocess.Popen[bytes]":
    """Start a run whose output goes to a file beside its control file."""
    environ = {**os.environ, "TMPDIR": str(path.parent.parent / "tmp")}
    command = [sys.executable, "-m", "gyoji", "run", str(path), "-j", "2", "--quiet", *words]
    with path.with_suffix(".out").open("ab") as out:
        return subprocess.Popen(command, env=environ, stdin=subprocess.DEVNULL, stdout=out, stderr=out)


def verdict(path: Path) -> tuple[str, int]:
    """Return (results, ratio and decision of a sequential test of pairs, number of games that count)."""
    command = [sys.executable, "-m", "gyoji", "show", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = re.findall(r"^(?:results|LLR|decision) .*$", said, re.MULTILINE)
    pairs = re.search(r"(\d+) pairs", lines[0])
    assert pairs is not None, said
    return "; ".join(lines), 2 * int(pairs[1])


class Disturbance:
    """Plays one event while its processes are killed, and adds to the tallies of each role."""

    def __init__(
        self, path: Path, dice: Random, family: Family, tallies: dict[str, Tally], *, adapts: bool
    ) -> None:
        self._path, self._dice, self._family, self._tallies = path, dice, family, tallies
        self._weights = {
            role: weight for role, weight in WEIGHTS.items() if not (adapts and role == "engine")
        }
        self._adapts = adapts
        self._run = begin(path)
        self._last = Tally()
        self._before = Course()
        self.kills = self.engines = 0

    def go_on(self, kills: int) -> list[str]:
        """Kill `kills` times, wait for the end of the competition, and return a line for each thing that was
        wrong.
        """
        wrong: list[str] = []
        while self.kills < kills and self._lives(wrong):
            self._strike()
        give_up = time.monotonic() + SECONDS
        while self._lives(wrong) and time.monotonic() < give_up:
            self._family.look(self._run.pid)
            time.sleep(0.05)
        if self._run.poll() is None:
            wrong.append(f"the run did not end in {SECONDS:g} s")
            self._family.end()
        self._settle()
        return wrong

    def _lives(self, wrong: list[str]) -> bool:
        """Return whether the competition goes on. Start another run if one ended too early."""
        if (status := self._run.poll()) is None:
            return True
        if status == _ENDED_WELL:
            return False
        self._last.ended += 1
        if status == _SKIPPED:
            wrong.append("games were skipped")
            self._run = begin(self._path, "--retry")
            return True
        if status != _STOPPED and status >= 0 and not self._has_interrupted_python():
            wrong.append(f"a run ended with exit status {status}")
            return False
        self._run = begin(self._path)
        return True

    def _has_interrupted_python(self) -> bool:
        """Return whether SIGINT arrived while Python itself was starting, which ends it with a traceback of
        its own.
        """
        said = self._path.with_suffix(".out").read_text()
        return said.endswith("KeyboardInterrupt\n") and "gyoji/" not in said.rpartition("Traceback")[2]

    def _strike(self) -> None:
        """Kill once, if there is a victim."""
        role = self._dice.choices([*self._weights], [*self._weights.values()])[0]
        give_up = time.monotonic() + WAITS
        while not self._victims(role) and self._run.poll() is None and time.monotonic() < give_up:
            time.sleep(0.01)
        until = time.monotonic() + self._dice.uniform(0, PAUSE)
        while time.monotonic() < until or (self._run.poll() is None and Course.of(self._path).must_rest):
            self._family.look(self._run.pid)
            time.sleep(0.02)
        if victims := self._victims(role):
            self._settle()
            self._last = self._tallies[role]
            self._last.kills += 1
            self.kills += 1
            self._kill(role, victims)

    def _victims(self, role: str) -> Roles:
        """Return the processes that a kill of this role may hit."""
        roles = self._family.look(self._run.pid)
        if role in roles:
            return {role: roles[role]} if roles[role] else {}
        if self._adapts:  # cells may not be hit either
            roles.pop("engine")
        return {name: pids for name, pids in roles.items() if pids} if roles["launcher"] else {}

    def _kill(self, role: str, victims: Roles) -> None:
        named = [(name, pid) for name, pids in victims.items() for pid in pids]
        count = len(named) if role == "all" else self._dice.randint(2, 4) if role == "several" else 1
        for name, pid in self._dice.sample(named, min(count, len(named))):
            asks = role == "scheduler" and self._dice.random() < 0.5
            with suppress(ProcessLookupError):
                os.kill(pid, self._dice.choice(ASKED) if asks else signal.SIGKILL)
                self._last.processes += 1
                self.engines += name == "engine"

    def _settle(self) -> None:
        """Attribute the events since the last kill to that kill."""
        now = Course.of(self._path)
        self._last.void += len(now.voids) - len(self._before.voids)
        self._last.lost += len(now.charged) - len(self._before.charged)
        self._before = now


class Arena:
    """A folder in which events are played, with the same engines in all of them."""

    def __init__(self, folder: Path, engines: dict[str, Path], seed: int) -> None:
        self._folder, self._engines, self._dice = folder, engines, Random(seed)
        self._family = Family()
        self._alone: dict[str, Course] = {}
        self.tallies = {role: Tally() for role in WEIGHTS}
        (folder / "tmp").mkdir()

    def disturb(self, number: int, event: Event, kills: int) -> tuple[int, list[str]]:
        """Play an event with up to `kills` kills. Return their number and a line for each thing that was
        wrong.
        """
        alone = self._alone.get(event.name) or self._play(event, f"alone {event.name}")
        self._alone[event.name] = alone
        there, began = mounts(), time.monotonic()
        path = self._write(event, f"{number} {event.name}")
        disturbance = Disturbance(path, self._dice, self._family, self.tallies, adapts=event.adapts)
        wrong = disturbance.go_on(kills)
        course = Course.of(path)
        compared = alone, course
        if event.decides:
            words, counted = verdict(path)
            first, _ = verdict(self._path(f"alone {event.name}"))
            wrong += [f"the verdict is {words!r}, not {first!r}"] * (words != first)
            compared = alone.first(counted), course.first(counted)
        wrong += differences(*compared, disturbance.engines)
        wrong += self._verify(path)
        wrong += self._left(there, number)
        print(
            f"{event.name}: {disturbance.kills} kills, {len(course.results)} games of {len(alone.results)}, "
            f"{len(course.charged)} lost by {disturbance.engines} killed engines, {len(course.voids)} void, "
            f"{time.monotonic() - began:.0f} s",
            flush=True,
        )
        return disturbance.kills, [f"{event.name}: {each}" for each in wrong]

    def _write(self, event: Event, name: str) -> Path:
        return event.write(self._path(name).parent, self._engines[event.source])

    def _path(self, name: str) -> Path:
        return self._folder / name.replace(" ", "-") / "event.toml"

    def _play(self, event: Event, name: str) -> Course:
        """Play an event undisturbed."""
        path = self._write(event, name)
        run = begin(path)
        while run.poll() is None:
            self._family.look(run.pid)
            time.sleep(0.05)
        if run.returncode:
            sys.exit(f"bench: {event.name} cannot be played: {path.with_suffix('.out').read_text()}")
        return Course.of(path)

    def _verify(self, path: Path) -> Iterator[str]:
        command = [sys.executable, "-m", "gyoji", "verify", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            yield f"gyoji verify: {done.stdout[-500:]}{done.stderr[-500:]}"

    def _left(self, there: set[str], number: int) -> Iterator[str]:
        """Yield a line for everything that is left. A run whose reaper was killed leaves its folders to the
        next run.
        """
        yield from (f"left: {each}" for each in self._family.left())
        self._play(NEXT, f"{number} next")
        yield from (f"left: {each}" for each in self._family.left())
        yield from (f"left: {each}" for each in groups_of(self._family.seen))
        yield from (f"left: mount {each}" for each in mounts() - there)
        for each in (self._folder / "tmp").iterdir():
            yield f"left: folder {each.name}"
            each.rename(self._folder / f"left {number} {each.name}")


def table(tallies: dict[str, Tally]) -> Iterator[str]:
    """Yield the lines of a table of tallies by role."""
    headings = "killed", "times", "processes", "runs ended", "games void", "games lost"
    yield "{:10} {:>6} {:>10} {:>11} {:>11} {:>11}".format(*headings)
    total = Tally()
    for role, each in [*tallies.items(), ("together", total)]:
        figures = each.kills, each.processes, each.ended, each.void, each.lost
        yield "{:10} {:6} {:10} {:11} {:11} {:11}".format(role, *figures)
        total.kills, total.processes, total.ended = (
            total.kills + each.kills, total.processes + each.processes, total.ended + each.ended
        )  # fmt: skip
        total.void, total.lost = total.void + each.void, total.lost + each.lost


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.kills", description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=500, help="how many, in all (500)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of victims (1)")
    parser.add_argument("--only", default="", help="only events with this word in their name")
    options = parser.parse_args(words)
    events = [each for each in EVENTS if options.only in each.name]
    wrong: list[str] = []
    for number in ASKED:  # as nohup and & leave it, these would be ignored by all that we start
        signal.signal(number, signal.SIG_DFL if number != signal.SIGINT else signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="bench-kills-", dir="/var/tmp") as name:
        os.chmod(name, 0o755)  # engines have users of their own
        engines = compile_engines(Path(name), SUBJECTS)
        arena = Arena(Path(name), engines, options.seed)
        rest = options.kills
        for number, event in enumerate(cycle(events)):
            kills, found = arena.disturb(number, event, min(rest, EACH_EVENT))
            rest -= kills
            wrong += found
            for line in found:
                print(f"  WRONG: {line}", flush=True)
            if rest <= 0:
                break
    print(*table(arena.tallies), sep="\n")
    print(f"{len(wrong)} things were wrong" if wrong else "nothing was wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
