"""``python -m bench.managers [--fastchess PATH] [--cutechess PATH]``: the CPU time of a manager per move.

Have the instant engine `engines/uci_instant.c` play itself by `gyoji-fastchess`, and by fastchess and
cutechess-cli where they are given or in PATH, one game and eight games at once, all on one processor. Print
the CPU time in us, per move, of all processes that are not engines: with gyoji that is the scheduler, its
workers and their launchers. Each manager plays 40 games and then `--games` more; the difference counts, so
that a start costs nothing. PGN is written by each.

"bare loops" is the floor of one process for each game: as many loops of `bench.floor` as there are games at
once, on the same processor, between the same engines.

Every 20 ms the CPU times of the processes are read (`/proc/PID/stat`, in hundredths of a second). Run on a
quiet machine, and quote the ratio of one run.
"""

# Why a move costs gyoji more with eight games at once (measured in November 2026 on one of two processors)
#
# Each game has its own worker process, so that a crash costs one game. A process that handles one move and
# sleeps is switched to for each move, and then finds its data and its address translations gone from the
# caches. A loop of ten lines that passes moves from one engine to the other shows how much that costs:
#
#     one process, one game          11.2 us per move   (user 5.9, system 5.3), 0.75 switches per move
#     eight processes, a game each   18.1               (user 8.4, system 9.7), 0.87
#     one process, eight games        9.2               (user 4.9, system 4.2), 0.01
#
# So eight processes cost 1.6 times as much for the same work. On the same busy machine a worker's user time
# grew from 120 to 219 us per move, and its system time from 10 to 22, with as many switches per move.
# Measurements by `gyoji.play.monitor`, which slow answers cause, took 3 us of that, at 1.4 % of the moves.

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.__main__ import compile_engines
from bench.subjects import SUBJECTS
from gyoji.games.chess.books import own_openings
from gyoji.games.chess.fen import format_epd
from gyoji.games.chess.game_options import Options, rules

LEAST = 40  # games
EACH = "tc=600+1"
TICKS = os.sysconf("SC_CLK_TCK")


def commands(paths: Mapping[str, Path], engine: Path, games: int, at_once: int) -> dict[str, list[str]]:
    """Return the command of each manager."""
    players = [f"cmd={engine} name=a", f"cmd={engine} name=b"]
    match = f"-rounds {games // 2} -games 2 -repeat"
    words = f"-engine {players[0]} -engine {players[1]} -each proto=uci {EACH} {match}"
    book = f"-openings file=book.epd format=epd order=sequential -concurrency {at_once}"
    ours = [sys.executable, "-c", "from gyoji.fastchess.command import main; main()"]
    line = f"{words} {book} -pgnout".split()
    found = {"gyoji": [*ours, *line, "file=games.pgn", "-force-concurrency"]}
    if "fastchess" in paths:
        found["fastchess"] = [str(paths["fastchess"]), *line, "file=games.pgn", "-force-concurrency"]
    if "cutechess" in paths:
        found["cutechess-cli"] = [str(paths["cutechess"]), *line, "games.pgn"]
    return found


def cpu_of(command: Sequence[str], folder: Path) -> tuple[float, int]:
    """Return (CPU seconds of all processes but engines, moves) of a match on one processor."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    openings = [rules(Options(opening=str(opening))) for opening in own_openings({})]
    (folder / "book.epd").write_text("".join(f"{format_epd(made.start())}\n" for made in openings))
    with (folder / "out.txt").open("w") as out:
        run = subprocess.Popen(["taskset", "-c", "0", *command], cwd=folder, stdout=out, stderr=out)
    seen: dict[tuple[int, str], float] = {}
    while run.poll() is None:
        seen |= times_below(run.pid)
        time.sleep(0.02)
    plies = re.findall(r'^\[PlyCount "(\d+)"\]', (folder / "games.pgn").read_text(), re.MULTILINE)
    return sum(seen.values()), sum(map(int, plies))


def times_below(root: int) -> dict[tuple[int, str], float]:
    """Return the CPU seconds of a process and its descendants that are no engines, by (pid, start time)."""
    parents: dict[int, int] = {}
    found: dict[int, tuple[str, str, float]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                text = Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue
            name, _, rest = text.partition("(")[2].rpartition(")")
            fields = rest.split()
            parents[int(entry)] = int(fields[1])
            found[int(entry)] = name, fields[19], (int(fields[11]) + int(fields[12])) / TICKS
    below = {root}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return {
        (pid, found[pid][1]): found[pid][2]
        for pid in below
        if pid in found and not found[pid][0].startswith("uci_instant")
    }


def floor_of(engine: Path, games: int, at_once: int) -> tuple[float, int]:
    """Return (CPU seconds, moves) of bare loops that play `games` games side by side on one processor."""
    words = [str(engine), str(games // at_once), "chess", "250", "--keep"]
    command = ["taskset", "-c", "0", sys.executable, "-m", "bench.floor", *words]
    loops = [
        subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1])
        for _ in range(at_once)
    ]
    answers = [json.loads(loop.communicate()[0]) for loop in loops]
    return sum(each["cpu_s"] for each in answers), sum(each["units"] for each in answers)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.managers", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    for name, command in (("fastchess", "fastchess"), ("cutechess", "cutechess-cli")):
        parser.add_argument(f"--{name}", default=shutil.which(command), metavar="PATH")
    options = parser.parse_args()
    paths = {name: Path(path) for name in ("fastchess", "cutechess") if (path := getattr(options, name))}
    with TemporaryDirectory() as folder:
        chess = next(subject for subject in SUBJECTS if subject.name == "chess")
        engine = compile_engines(Path(folder), [chess])[chess.source]
        for at_once in (1, 8):
            costs = {}
            few, many = (commands(paths, engine, games, at_once) for games in (LEAST, LEAST + options.games))
            for name in few:
                (least, moves), (most, more) = (
                    cpu_of(each[name], Path(folder) / "match") for each in (few, many)
                )
                costs[name] = 1e6 * (most - least) / (more - moves)
            (least, moves), (most, more) = (
                floor_of(engine, games, at_once) for games in (LEAST, LEAST + options.games)
            )
            costs["bare loops"] = 1e6 * (most - least) / (more - moves)
            told = ", ".join(f"{name} {cost:.1f}" for name, cost in costs.items())
            print(f"{at_once} at once, us per move: {told}", flush=True)


if __name__ == "__main__":
    main()
