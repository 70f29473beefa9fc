"""Play games of engines that misbehave, and check every ruling.

::

    python -m bench.misbehaving [--games N] [--parallel N] [--sandbox LEVEL]
                                [--only go|gomoku|chess|dighere|umpire|umpires|relays]

First each umpire of `gyoji.testing.umpire_kit` decides one game, and each runner and player of
`gyoji.testing.relay_kit` plays one. The other games are played by `gyoji run`:
Go by GTP and by the USENIX protocol, gomoku, chess by UCI, Dig Here, and a game that an umpire decides. In
two thirds of them an engine of `bench.misbehaving.engine` meets one that behaves, with and without a clock.
In the others two that misbehave meet. The program checks

* that every game was played once, and ended as `bench.misbehaving.verdicts` requires;
* that memory and descriptors of scheduler and workers do not grow;
* that no process, file, mount or shared memory is left.

It counts and names void games with their reasons, for a fault of the machine is no ruling. The exit status is
1 if anything was wrong.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bench.misbehaving import counting, engine
from bench.misbehaving.engine import BEHAVIOURS
from bench.misbehaving.verdicts import GOES_ON, OUT, expected
from bench.watching import Watch
from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec
from gyoji.play.game import play as play_order
from gyoji.play.order import Order, Report
from gyoji.store.store import Store
from gyoji.testing import relay_kit
from gyoji.testing.umpire_kit import UMPIRES, game_of, problem_with

ENGINE = f"{sys.executable} -I -S {Path(engine.__file__)}"
UMPIRE = f"{sys.executable} -I -S {Path(counting.__file__)}"
MARK = "GYOJI_BENCH_MARK"
AT = 6  # the moves of both sides together after which an engine misbehaves
_KEPT = ("", ".toml", ".db", ".log", ".hist", ".report", ".games", ".folders", ".void")
"""Suffixes of files that a run leaves beside its control file."""

_EVENTS = {
    "go": ('board_size = 9\nkomi = 5.5\nruleset = "tromp-taylor"\n', ("gtp", "usenix")),
    "gomoku": ('game = "gomoku"\nmax_moves = 30\n', ("gomocup",)),
    "chess": ('game = "chess"\nopenings = "none"\n', ("uci",)),
    "dighere": ('game = "dighere"\nsteps = 12\n', ("dighere",)),
    "umpire": (f'game = "umpire"\n\n[umpire]\ncommand = "{UMPIRE}"\n', ("umpire",)),
}
_CLOCKS = {
    "usenix": '{ main = "%s", period = "100ms", meter = "user" }',
    "gtp": '"%s + 10ms/move"',
    "gomocup": '"%s + 10ms/move"',
    "uci": '"%s + 10ms/move"',
    "dighere": '"%s"',
    "umpire": '"%s + 10ms/move"',
}
WAITED_OUT = ("silent", "deaf", "partial", "drip", "late", "babble", "garbage", "none")
"""Behaviours that end with a clock or a budget, so those are short."""

_UNHURRIED = "60s"
"""A limit that no game reaches by accident, however busy the machine is."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A player of an event: its protocol, its behaviour, and whether it has a clock."""

    protocol: str
    behaviour: str
    is_clocked: bool = False

    @property
    def code(self) -> str:
        return f"{self.protocol}-{self.behaviour}{'-clocked' if self.is_clocked else ''}"

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The correct endings."""
        if self.behaviour == "well":
            return (GOES_ON,)
        return expected(self.protocol, self.behaviour, is_clocked=self.is_clocked)

    @property
    def is_slow(self) -> bool:
        """Whether the player has to lose by taking too long."""
        return self.behaviour in WAITED_OUT and self.verdicts != (GOES_ON,)

    def lines(self) -> str:
        """Return the player's table in a control file."""
        is_unready = self.behaviour in ("never-ready", "slow-ready")
        clock = _CLOCKS[self.protocol] % ("500ms" if self.is_slow or is_unready else _UNHURRIED)
        words = f"{ENGINE} --protocol {self.protocol} --do {self.behaviour}"
        words += f" --at {AT} --mib 2 --moves 24 --life 100"
        waits = "1" if self.behaviour == "late" else "0" if self.behaviour == "early" else ""
        budgets = {
            "startup": "700ms" if is_unready else _UNHURRIED,
            "move": "700ms" if self.is_slow or is_unready else _UNHURRIED,
            "close": "200ms",
        }
        told = ", ".join(f'{name} = "{value}"' for name, value in budgets.items())
        lines = [
            f"[players.{self.code}]",
            f'command = "{words}{f" --seconds {waits}" if waits else ""}"',
            f'protocol = "{self.protocol}"',
            f"budgets = {{ {told} }}",
        ]
        if self.protocol == "usenix":
            lines.append("arguments = true")
        if self.protocol == "dighere":
            lines.append(f'partner = "{ENGINE} --protocol dighere --life 100"')
        if self.protocol == "uci" and not self.is_clocked:
            lines.append("depth = 1")  # a search without any limit is refused
        if self.is_clocked or self.protocol in ("usenix", "dighere"):
            lines.append(f"clock = {clock}")
        return "\n".join(lines) + "\n"


@dataclass(slots=True)
class Found:
    """The findings about one event.

    Attributes:
        endings: How often each ending occurred, by protocol and ending.
        wrong: One line for each wrong ruling, and for anything left behind.
        voids: One line for each void game.
    """

    games: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    voids: list[str] = field(default_factory=list)


def entries_of(protocol: str) -> list[Entry]:
    """Return a player for each misbehaviour, with a clock, and without one where the protocol allows that."""
    clocks = (True,) if protocol in ("usenix", "dighere") else (True, False)
    return [Entry(protocol, name, is_clocked) for is_clocked in clocks for name in BEHAVIOURS]


def pairs_of(protocol: str) -> list[tuple[Entry, Entry]]:
    """Return the pairings: each misbehaviour against good behaviour, and half as many of two of them."""
    entries = entries_of(protocol)
    well = Entry(protocol, "well", is_clocked=False)
    others = [(entry, entries[(index * 7 + 3) % len(entries)]) for index, entry in enumerate(entries)]
    return [(entry, well) for entry in entries] + [pair for pair in others[::2] if pair[0] != pair[1]]


def control_file(
    settings: str, pairs: Sequence[tuple[Entry, Entry]], games: Sequence[int], level: str
) -> str:
    lines = [f'competition = "playoff"\nskip_player_checks = true\nsandbox = "{level}"\n{settings}']
    lines += [entry.lines() for entry in sorted({each for pair in pairs for each in pair}, key=str)]
    for (one, two), count in zip(pairs, games, strict=True):
        lines.append(
            f'[[matchups]]\nplayers = ["{one.code}", "{two.code}"]\n'
            f"alternating = true\nnumber_of_games = {count}\n"
        )
    return "\n".join(lines)


def shares(pairs: Sequence[object], games: int) -> list[int]:
    """Distribute `games` over the pairs as evenly as possible."""
    return [games // len(pairs) + (index < games % len(pairs)) for index in range(len(pairs))]


# Verdicts


def problem(result: GameResult, entries: dict[str, Entry]) -> str:
    """Return how the end of a game differs from the correct one, "" if it does not."""
    players = [entries[code] for code in result.players]
    outcome = result.outcome
    if players[0].protocol == "dighere":
        return _problem_with_agents(result, players)
    allowed = [set(player.verdicts) for player in players]
    if not outcome.is_forfeit:
        if all(GOES_ON in each for each in allowed) and result.turns > AT:
            return ""
        return f"went on to {outcome.ending}, {result.turns} moves"
    seat = outcome.seat
    if seat is None or outcome.winner != 1 - seat:
        return f"{outcome.ending} of seat {seat}, won by {outcome.winner}"
    if outcome.ending.value not in allowed[seat]:
        return f"{outcome.ending} of {players[seat].code}, not {' or '.join(sorted(allowed[seat]))}"
    if (
        not outcome.detail.startswith(f"forfeit by {players[seat].code}: ")
        or not outcome.detail.isprintable()
    ):
        return f"told as {outcome.detail!r}"
    return ""


def _problem_with_agents(result: GameResult, players: Sequence[Entry]) -> str:
    """Return the problem of a game of Dig Here, which is counted to its end. The first agent of a team
    misbehaves.
    """
    if result.outcome.ending.value != "score" or result.turns != 12:
        return f"{result.outcome.ending} after {result.turns} steps"
    for team, player in enumerate(players[:2]):
        name = f"{player.code} (samurai) is out of the game: "
        verdict = OUT if any(line.startswith(name) for line in result.warnings) else GOES_ON
        if verdict not in player.verdicts:
            return f"{player.code} {verdict}, not {' or '.join(player.verdicts)}"
        if (team in result.left_out) != (verdict == OUT):
            return f"left out: {result.left_out}"
    if strangers := [seat for seat in result.left_out if seat > 1]:
        return f"left out: {strangers}, which had done nothing"
    return ""


def judge(database: Path, entries: dict[str, Entry], wanted: int) -> Found:
    """Compare every result of an event with the correct one."""
    found = Found()
    with Store.read(database) as store:
        ids: Counter[str] = Counter()
        for result in store.results():
            ids[result.id] += 1
            found.games += 1
            protocol = entries[result.players[0]].protocol
            ending = OUT if protocol == "dighere" and result.left_out else result.outcome.ending.value
            found.endings[f"{protocol}: {ending}"] += 1
            if why := problem(result, entries):
                found.wrong.append(f"game {result.id}, {' v '.join(result.players)}: {why}")
        found.voids = [f"game {each.void.id}, {' v '.join(each.void.players)}: {each.void.reason}"
                       for each in store.voids()]  # fmt: skip
    found.wrong += [f"game {name} is stored {count} times" for name, count in ids.items() if count > 1]
    if found.games != wanted:
        found.wrong.append(f"{found.games} games are stored, not {wanted}")
    return found


# What is left


def left_behind(folder: Path, mounts: set[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each process, file and mount that should be gone."""
    end = time.monotonic() + 5
    while (running := list(_marked(str(folder)))) and time.monotonic() < end:
        time.sleep(0.05)
    yield from (f"process: {each}" for each in running)
    yield from (f"file: {path}" for path in (folder / "tmp").rglob("*"))
    yield from (f"file: {path}" for path in folder.iterdir() if path.suffix not in _KEPT)
    yield from (f"mount: {point}" for _, point in _mounts() - mounts)


def _marked(mark: str) -> Iterator[str]:
    """Yield the command lines of living processes that have our mark in their environment."""
    needle = f"{MARK}={mark}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if needle in (process / "environ").read_bytes().split(b"\0"):
                words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                yield f"{process.name} {words}"


def _mounts() -> set[tuple[str, str]]:
    """Return (number, mount point) of all mounts: other programs may remove or remount theirs."""
    with open("/proc/self/mountinfo") as file:
        return {(line.split()[0], line.split()[4]) for line in file}


def shared_memory() -> set[str]:
    segments = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    return {*os.listdir("/dev/shm"), *(f"segment {line.split()[1]}" for line in segments)}


def play(folder: Path, name: str, games: int, options: argparse.Namespace) -> list[str]:
    """Play and check one event, print the findings, and return one line for each problem."""
    settings, protocols = _EVENTS[name]
    pairs = [pair for protocol in protocols for pair in pairs_of(protocol)]
    counts = shares(pairs, games)
    (folder / "tmp").mkdir(parents=True)
    path = folder / f"{name}.toml"
    path.write_text(control_file(settings, pairs, counts, options.sandbox))
    mounts, shared = _mounts(), shared_memory()
    environ = {**os.environ, MARK: str(folder), "TMPDIR": str(folder / "tmp")}
    command = [sys.executable, "-m", "gyoji", "run", str(path), "-j", str(options.parallel), "--quiet"]
    began = time.monotonic()
    process = subprocess.Popen(command, env=environ, cwd=folder, stdin=subprocess.DEVNULL)
    watch = Watch(process.pid)
    watch.until_end(process)
    took = time.monotonic() - began
    entries = {entry.code: entry for pair in pairs for entry in pair}
    left = list(left_behind(folder, mounts))
    found = judge(path.with_suffix(".db"), entries, games)
    found.wrong += [] if process.returncode == 0 else [f"exit status {process.returncode}"]
    found.wrong += [f"left: {each}" for each in left]
    found.wrong += [f"left in shared memory: {each}" for each in shared_memory() - shared]
    found.wrong += watch.problems()
    print(f"{name}: {found.games} games in {took:.0f} s")
    for ending, count in sorted(found.endings.items()):
        print(f"  {ending:28} {count:5}")
    for line in watch.lines():
        print(f"  {line}")
    for title, lines in (("void", found.voids), ("WRONG", found.wrong)):
        for line in lines:
            print(f"  {title}: {line}")
    sys.stdout.flush()
    return found.wrong


Making = Callable[[Mapping[str, str]], GameSpec]
"""Makes a game whose programs have these environment variables."""


def play_deciders(folder: Path, kind: str, games: Mapping[str, tuple[Making, str]]) -> list[str]:
    """Play one game of each program that misbehaves, and return one line for each problem.

    Args:
        kind: What the programs are.
        games: By what the program does: its game, and a regular expression for the reason why that is void;
            "" if it has to end.
    """
    wrong = []
    ended = void = 0
    began = time.monotonic()
    for name, (make, expected_reason) in games.items():
        token = str(folder / kind / name)
        report = play_one(make({MARK: token}))
        ended, void = ended + (report.void is None), void + (report.void is not None)
        if problem := problem_with(report, expected_reason):
            wrong.append(f"{kind}: one that {name}: {problem}")
        elif kind == "players" and report.record and report.record.result.outcome.totals != (0.0, 3.0):
            wrong.append(f"{kind}: one that {name}: {report.record.result.outcome}")
        end = time.monotonic() + 5
        while (running := list(_marked(token))) and time.monotonic() < end:
            time.sleep(0.05)
        wrong += [f"{kind}: one that {name} left {each}" for each in running]
    print(f"{kind}: {len(games)} games in {time.monotonic() - began:.0f} s, {ended} ended, {void} void")
    for line in wrong:
        print(f"  WRONG: {line}")
    return wrong


def _umpires() -> dict[str, tuple[Making, str]]:
    return {name: (partial(game_of, bad), bad.reason) for name, bad in UMPIRES.items()}


def _runners() -> dict[str, tuple[Making, str]]:
    return {
        name: (partial(relay_kit.game_of, bad.script, seconds=relay_kit.limit_of(bad)), bad.reason)
        for name, bad in relay_kit.RUNNERS.items()
    }


def _players_of_relays() -> dict[str, tuple[Making, str]]:
    return {
        name: (partial(relay_kit.game_of, "play(1)", first=script), "")
        for name, (script, _) in relay_kit.PLAYERS.items()
    }


def play_one(spec: GameSpec) -> Report:
    """Play one game in this process."""
    return play_order(Order(spec=spec))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.misbehaving", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000, help="games in all (1000)")
    parser.add_argument("--parallel", type=int, default=2, help="how many at once (2)")
    parser.add_argument("--sandbox", default="guarded", help="level of containment (guarded)")
    parser.add_argument(
        "--only", default="", help="only this event: go, gomoku, chess, dighere, umpire, umpires, relays"
    )
    options = parser.parse_args()
    names = [name for name in _EVENTS if options.only in ("", name)]
    weights = {name: sum(len(pairs_of(protocol)) for protocol in _EVENTS[name][1]) for name in names}
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="gyoji-misbehaving-", dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)  # engines of root have users of their own
        rest = options.games
        if options.only in ("", "umpires"):
            wrong += play_deciders(Path(folder), "umpires", _umpires())
        if options.only in ("", "relays"):
            wrong += play_deciders(Path(folder), "runners", _runners())
            wrong += play_deciders(Path(folder), "players", _players_of_relays())
        for index, name in enumerate(names):
            share = options.games * weights[name] // sum(weights.values())
            games = rest if index == len(names) - 1 else share
            rest -= games
            wrong += play(Path(folder) / name, name, games, options)
    print(f"{len(wrong)} things were wrong" if wrong else "nothing was wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
