"""What the programs that call fastchess make of `gyoji-fastchess`: OpenBench's client and fishtest's worker.

Their own functions are driven (`drivers/openbench_client.py`, `drivers/fishtest_worker.py`) with matches of
the instant engine: well played, and with an engine that crashes, is too slow or moves illegally. What they
said is kept, and compared with what must have come of it.
"""

import json
import shlex
import subprocess
import sys
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.__main__ import compile_engines
from bench.references.comparison import KEPT, Program, Row, Tools
from bench.references.fastchess_kept import book_text
from bench.subjects import SUBJECTS

PROGRAMS = (
    Program("openbench", "", "folder Client of a checkout of OpenBench"),
    Program("fishtest-worker", "", "folder worker of a checkout of fishtest"),
)
FILE = KEPT / "fastchess" / "clients.json"
DRIVERS = Path(__file__).parent / "drivers"

ENGINES = {"dev": "--seed 3", "base": "--seed 4"} | {
    name: f"--seed 5 --fail-at 6 {fault}"
    for name, fault in (("crash", "exit"), ("slow", "hang"), ("illegal", "illegal"))
}
"""Programs: arguments of the instant engine."""

OPENBENCH = {
    "plain": ("dev", "base", "8.0+0.08", 4),
    "crash": ("crash", "base", "8.0+0.08", 2),
    "slow": ("slow", "base", "0.2+0.0", 2),
    "illegal": ("illegal", "base", "8.0+0.08", 2),
}
FISHTEST = {name: (case[0], case[1], case[2], 2 * case[3]) for name, case in OPENBENCH.items()}
FAULTS = {"crash": ("crashes", "crashes"), "slow": ("timelosses", "time_losses"), "illegal": ("illegals", "")}
"""For each case the counter of OpenBench and that of fishtest, which ends at an illegal move."""


def compare(tools: Tools) -> Iterator[Row]:
    """Yield a row for each match and client: how much of what it said is not so."""
    is_made = all(program.name in tools for program in PROGRAMS)
    said = made(tools) if is_made else kept()
    if is_made and tools.keep:
        FILE.write_text(json.dumps(said, indent=1) + "\n")
    for client, cases in said.items():
        for name, each in cases.items():
            wrong = openbench_wrong(name, each) if client == "openbench" else fishtest_wrong(name, each)
            reference = client if is_made else f"{client}, kept"
            yield Row(case=name, figure="wrong statements", reference=reference, difference=wrong, allowed=0)


def kept() -> dict[str, dict[str, Any]]:
    """Return what was kept: client -> case -> what it said."""
    found: dict[str, dict[str, Any]] = json.loads(FILE.read_text())
    return found


def openbench_wrong(name: str, said: Mapping[str, Any]) -> int:
    """Return how many statements of OpenBench's client about a match are wrong."""
    games, results = 2 * OPENBENCH[name][3], said["results"]
    expected = dict.fromkeys(("crashes", "timelosses", "illegals"), 0)
    if name in FAULTS:
        expected[FAULTS[name][0]] = games
    is_lost = name in FAULTS
    return (
        sum(results[key] != number for key, number in expected.items())
        + (sum(results["trinomial"]) != games or 2 * sum(results["pentanomial"]) != games)
        + (is_lost and results["trinomial"] != [games, 0, 0])
        + (said["games"] != games)
        + (len(said["errors"]) != (games if name in ("crash", "illegal") else 0))
        + (said["unknown"] != 0 or not said["moves"])
    )


def fishtest_wrong(name: str, said: Mapping[str, Any]) -> int:
    """Return how many statements of fishtest's worker about a match are wrong."""
    games, stats = FISHTEST[name][3], said["stats"]
    if name == "illegal":
        return int("RunException: fastchess says: 'Warning; Illegal move a1a8" not in said["error"])
    expected = {"crashes": 0, "time_losses": 0}
    if name in FAULTS:
        expected |= {FAULTS[name][1]: games, "losses": games}
    return (
        sum(stats[key] != number for key, number in expected.items())
        + (stats["wins"] + stats["losses"] + stats["draws"] != games)
        + (2 * sum(stats["pentanomial"]) != games or said["updates"] != games // 2)
        + (said["crc"] != said["crc_of_file"])
        + (said["error"] != "" or said["log"] != [] or said["status"] != 0)
    )


def made(tools: Tools) -> dict[str, dict[str, Any]]:
    """Play the matches and return what the clients say."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        _prepare(folder)
        driver = [sys.executable, str(DRIVERS / "openbench_client.py"), str(tools.paths["openbench"])]
        openbench = _run([*driver, json.dumps(OPENBENCH)], folder)
        if not openbench.pop("version"):
            raise ValueError("OpenBench's client does not take our version")
        driver = [sys.executable, str(DRIVERS / "fishtest_worker.py"), str(tools.paths["fishtest-worker"])]
        fishtest = {}
        for case, (new, base, clock, games) in FISHTEST.items():
            pgn = folder / f"{case}.pgn"
            command = fishtest_command(new, base, clock, games, pgn.name)
            said = _run([*driver, json.dumps(command), str(games)], folder)
            fishtest[case] = {"command": shlex.join(command), **said}
            fishtest[case]["crc_of_file"] = f"{zlib.crc32(pgn.read_bytes()):#x}"
    return {"openbench": openbench, "fishtest": fishtest}


def fishtest_command(new: str, base: str, clock: str, games: int, pgn: str) -> list[str]:
    """Return the words with which fishtest's worker starts fastchess (`run_games` in games.py)."""
    line = (
        f"./fastchess-ob -testEnv -recover -repeat -games 2 -rounds {games // 2} -ratinginterval 1"
        f" -scoreinterval 1 -autosaveinterval 0 -report penta=true -pgnout file={pgn} append=false"
        " -crc32 pgn=true -site https://localhost/tests/view/1 -srand 4242 -resign movecount=3 score=600"
        " -draw movenumber=34 movecount=8 score=20 -variant standard -concurrency 1 -openings"
        " file=Books/own.epd format=epd order=random plies=16 start=5 -check-mate-pvs"
    ).split()
    for name, program in (("New-aaaa1111", new), ("Base-bbbb2222", base)):
        line += f"-engine name={name} tc={clock} cmd=./{program} dir=Engines option.Hash=8".split()
    return [*line, "-event", "Batch 1: a vs b", "-each", "proto=uci", "option.Threads=1"]


def _prepare(folder: Path) -> None:
    """Make a folder like that of OpenBench's client, with our program in place of fastchess."""
    for name in ("Engines", "Books", "PGNs"):
        (folder / name).mkdir()
    (folder / "Books" / "own.epd").write_text(book_text())
    chess = next(subject for subject in SUBJECTS if subject.name == "chess")
    engine = compile_engines(folder, [chess])[chess.source]
    for name, words in ENGINES.items():
        _script(folder / "Engines" / name, f"#!/bin/sh\nexec {engine} {words}\n")
    main = "from gyoji.fastchess.command import main\nmain()\n"
    _script(folder / "fastchess-ob", f"#!{sys.executable}\n{main}")


def _script(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def _run(command: list[str], folder: Path) -> dict[str, Any]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise ValueError(f"{command[1]}: {done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found
