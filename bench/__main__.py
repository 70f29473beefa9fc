"""``python -m bench [--json] [--games N]``: what the referee costs, with the floor beside it in the same run.

Compiles the instant GTP engine (needs a C compiler) and plays games of 122 moves with SGF records on, on
9x9 and 19x19, one and two at a time. For each it prints

* referee CPU per move in us: user and system time of scheduler and workers, engines excluded;
* the same of the floor, a bare loop over the same pipes (`bench.floor`), and the ratio;
* games per second, start-up CPU (once per run), and the peak memory of scheduler and workers.

Then the same with many games stored already, which must make no difference. CPU is what the kernel accounts
to the whole tree of processes less what it accounts to the engines; start-up is what two games cost.
"""

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
MOVES = 122
WARM = 2  # games of the run that start-up is measured by
PAGE = 1 << 20

CONTROL = """\
competition = "playoff"
board_size = {size}
komi = 7.5
skip_player_checks = true

[players.one]
command = "{engine} --seed 1"

[players.two]
command = "{engine} --seed 2"

[[matchups]]
player_1 = "one"
player_2 = "two"
alternating = true
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--games", type=int, default=200, help="games for each figure (200)")
    parser.add_argument("--stored", type=int, default=20_000, help="games stored before the last figure")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gyoji-bench-") as folder:
        engine = compile_engine(Path(folder))
        figures = [
            measure(Path(folder), engine, size, parallel, options.games)
            for size in (9, 19)
            for parallel in (1, 2)
        ]
        growth = [measure_stored(Path(folder), engine, n, options.games) for n in (100, options.stored)]
    if options.json:
        print(json.dumps({"matches": figures, "stored": growth}, indent=2))
    else:
        show(figures, growth, options.games)


def compile_engine(folder: Path) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        sys.exit("bench: no C compiler (cc or gcc) on PATH")
    program = folder / "gtp_instant"
    subprocess.run([compiler, "-O2", "-o", program, HERE / "engines" / "gtp_instant.c"], check=True)
    return program


def measure(folder: Path, engine: Path, size: int, parallel: int, games: int) -> dict[str, float]:
    """One row: a run of `games` games, and the floor beside it."""
    event = new_event(folder, engine, size, f"match-{size}-{parallel}")
    floor = floor_cpu(engine, size, games // parallel, parallel)
    start = run(event, parallel, WARM)
    whole = run(event, parallel, games)
    return row(start, whole, games) | {"size": size, "parallel": parallel, "floor_us": floor}


def measure_stored(folder: Path, engine: Path, stored: int, games: int) -> dict[str, float]:
    """One row: a run of `games` games on top of `stored` ones."""
    event = new_event(folder, engine, 9, f"stored-{stored}")
    run(event, 1, WARM)
    multiply(event.with_suffix(".db"), stored)
    start = run(event, 1, WARM)
    whole = run(event, 1, games)
    return row(start, whole, games) | {"stored": stored}


def row(start: dict[str, float], whole: dict[str, float], games: int) -> dict[str, float]:
    moves = (games - WARM) * MOVES
    return {
        "referee_us": (whole["cpu_s"] - start["cpu_s"]) / moves * 1e6,
        "games_per_s": (games - WARM) / (whole["wall_s"] - start["wall_s"]),
        "startup_cpu_s": start["cpu_s"],
        "scheduler_mb": whole["scheduler_mb"],
        "worker_mb": whole["worker_mb"],
    }


def new_event(folder: Path, engine: Path, size: int, name: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(CONTROL.format(engine=engine, size=size))
    return path


def floor_cpu(engine: Path, size: int, games: int, parallel: int) -> float:
    """us of CPU per move of the bare loop, `parallel` of them side by side."""
    command = [sys.executable, "-m", "bench.floor", str(engine), str(size), str(games)]
    loops = [subprocess.Popen(command, stdout=subprocess.PIPE, cwd=HERE.parent) for _ in range(parallel)]
    answers = [json.loads(loop.communicate()[0]) for loop in loops]
    return sum(each["cpu_s"] for each in answers) / sum(each["moves"] for each in answers) * 1e6


def run(event: Path, parallel: int, games: int) -> dict[str, float]:
    """Play `games` more games; CPU of our processes, wall time, peak memory."""
    before = engine_cpu(event)
    command = [sys.executable, "-m", "gyoji", "run", str(event), "--quiet", "--max-games", str(games)]
    began = time.monotonic()
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
    """The peak memory of scheduler and workers, in MB, looked at now and then while they live."""
    peaks = {"scheduler_mb": 0.0, "worker_mb": 0.0}
    while not os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG):
        peaks["scheduler_mb"] = max(peaks["scheduler_mb"], peak_memory(process.pid))
        for worker in children(process.pid):
            if b"gyoji.runner.worker" in command_line(worker):
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
    """The peak resident set of a process in MB, 0 once it has gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) * 1024 / PAGE for line in lines if line.startswith("VmHWM")), 0.0)


def engine_cpu(event: Path) -> float:
    """Seconds of CPU of all engines of the stored games, as the kernel accounted them."""
    database = event.with_suffix(".db")
    if not database.exists():
        return 0.0
    query = (
        "SELECT coalesce(sum(json_extract(result, '$.engines[0].cpu_ns')"
        " + json_extract(result, '$.engines[1].cpu_ns')), 0) FROM games"
    )
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return float(connection.execute(query).fetchone()[0]) / 1e9


def multiply(database: Path, wanted: int) -> None:
    """Fill the store up to `wanted` games with copies of those that are there, under new ids."""
    with sqlite3.connect(database) as connection:
        have = connection.execute("SELECT count(*) FROM games").fetchone()[0]
        rows = connection.execute(
            "SELECT result, frame, players, seed, note, rest FROM games JOIN moves USING (number)"
        ).fetchall()
        for number in range(have, wanted):
            result, *rest = rows[number % have]
            game = json.loads(result) | {"id": f"0_{number}"}
            connection.execute(
                "INSERT INTO games (number, id, result) VALUES (?, ?, ?)",
                (number + 1, game["id"], json.dumps(game)),
            )
            connection.execute("INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?)", (number + 1, *rest))


def show(figures: list[dict[str, float]], growth: list[dict[str, float]], games: int) -> None:
    print(f"{games} games of {MOVES} moves between instant engines, SGF on; CPU in us per move")
    print("board  parallel  referee  floor  ratio  games/s  start-up CPU  scheduler  worker")
    for each in figures:
        ratio = each["referee_us"] / each["floor_us"]
        print(
            f"{each['size']:3}x{each['size']:<3}{each['parallel']:8} {each['referee_us']:8.1f} "
            f"{each['floor_us']:6.1f} {ratio:6.2f} {each['games_per_s']:8.1f} "
            f"{each['startup_cpu_s']:11.2f} s {each['scheduler_mb']:7.1f} MB {each['worker_mb']:4.1f} MB"
        )
    for each in growth:
        print(
            f"with {each['stored']:6} games stored: {each['referee_us']:.1f} us, "
            f"{each['games_per_s']:.1f} games/s, start-up {each['startup_cpu_s']:.2f} s of CPU"
        )


if __name__ == "__main__":
    main()
