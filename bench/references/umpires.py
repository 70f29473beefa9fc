"""Play games of programs that others wrote, as umpires or runners, and keep what came of them for a test.

::

    python -m bench.references.umpires FOLDER [--only NAME] [--keep] [--mahjong CLONE] [--halite CLONE]

Each event has 40 games. Its run is killed when some are finished, and goes on; then every game is verified,
and shown on the page of results. FOLDER gets the programs and the events.

* `connectx` and `hungry_geese`: kaggle-environments 1.33.2 from PyPI, in an environment of its own in FOLDER,
  by `examples/umpires/kaggle.py`. Our bots play anywhere.
* `mahjong`: the judge and the sample bot of https://github.com/ailab-pku/Chinese-Standard-Mahjong, commit
  5e81821 (--mahjong names a clone), built with g++, jsoncpp and boost, by
  `examples/umpires/botzone_judge.py`.
* `halite`: the engine of https://github.com/HaliteChallenge/Halite-III, commit e07f7100 (--halite names a
  clone), with its starter bots in Python and C++, by a relay. Built with g++ and Debian's nlohmann-json3-dev,
  libzstd-dev and libtclap-dev, which its CMake would download. A minute.
"""

import argparse
import gzip
import json
import shutil
import signal
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

KEPT = Path(__file__).parents[2] / "tests" / "data" / "references" / "umpires"
EXAMPLES = Path(__file__).parents[2] / "examples" / "umpires"
GYOJI = str(Path(sys.executable).with_name("gyoji"))
GAMES = 40
KILLED_AFTER = 5
"""The number of finished games after which the run is killed."""

KAGGLE = "kaggle-environments==1.33.2"
COMMIT = "5e81821"
HALITE = "e07f7100"


class Subject(NamedTuple):
    """One event.

    Attributes:
        program: The program and its version.
        seats: Number of seats.
        adapter: The umpire, one of the examples; "" for a relay, which needs none.
        prepare: Gets the programs ready in a folder, and returns (command of the umpire, table of players).
    """

    program: str
    seats: int
    adapter: str
    prepare: Callable[[Path, argparse.Namespace], tuple[str, str]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.references.umpires")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=SUBJECTS, help="only this event")
    parser.add_argument("--keep", action="store_true", help="keep what came of it, for tests")
    parser.add_argument("--mahjong", type=Path, metavar="CLONE", help="a clone of Chinese-Standard-Mahjong")
    parser.add_argument("--halite", type=Path, metavar="CLONE", help="a clone of Halite-III")
    options = parser.parse_args()
    wrong = 0
    for name, subject in SUBJECTS.items():
        if options.only in (None, name) and getattr(options, name, True) is not None:
            told, game = played(name, subject, options.folder.absolute(), options)
            print(json.dumps({key: value for key, value in told.items() if key != "games"}), flush=True)
            wrong += not (told["verified"] and told["shown"] and len(told["games"]) == GAMES)
            if options.keep:
                KEPT.mkdir(parents=True, exist_ok=True)
                (KEPT / f"{name}.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
                (KEPT / f"{name}.game.json.gz").write_bytes(gzip.compress(game.encode(), mtime=0))
    return int(bool(wrong))


def played(
    name: str, subject: Subject, folder: Path, options: argparse.Namespace
) -> tuple[dict[str, Any], str]:
    """Play an event. Return what came of it, and one whole game as JSON."""
    place = folder / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    if subject.adapter:
        shutil.copy(EXAMPLES / subject.adapter, place)
    command, players = subject.prepare(place, options)
    file = place / f"{name}.toml"
    table = umpire_table(subject.seats, command) if subject.adapter else relay_table(subject.seats, command)
    file.write_text(event(subject.seats, table, players), encoding="utf-8")
    began = time.monotonic()
    killed_at = run_and_kill(file)
    subprocess.run([GYOJI, "run", "-j", "2", "--quiet", str(file)], check=True)
    took = time.monotonic() - began
    verified = subprocess.run([GYOJI, "verify", str(file)], check=False, capture_output=True, text=True)
    print(verified.stdout, end="", flush=True)
    page = file.with_suffix(".html")
    subprocess.run([GYOJI, "report", "--format", "html", str(file), "-o", str(page)], check=True)
    lines = subprocess.run(
        [GYOJI, "export", "--to", "jsonl", str(file)], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    stored = [json.loads(line) for line in lines]
    games = [game for game in stored if game["kind"] == "game"]
    text = page.read_text(encoding="utf-8")
    shortest = min(
        (line for line, game in zip(lines, stored, strict=True) if game["kind"] == "game"), key=len
    )
    told = {
        "program": subject.program,
        "seats": subject.seats,
        "adapter_lines": len(
            code_lines(EXAMPLES / subject.adapter) if subject.adapter else table.splitlines()
        ),
        "killed_after_games": killed_at,
        "seconds": round(took),
        "verified": verified.returncode == 0,
        "without_verification": "cannot be verified" in verified.stdout,
        "shown": all(f'"{game["id"]}"' in text for game in games),
        "void": sum(game["kind"] == "void" for game in stored),
        "games": [
            [game["id"], game["players"], game["points"], game["totals"], game["turns"]] for game in games
        ],
    }
    return told, shortest


def run_and_kill(file: Path) -> int:
    """Begin to play an event, and kill its run. Return how many games were finished then."""
    with subprocess.Popen([GYOJI, "run", "-j", "2", "--quiet", str(file)], start_new_session=True) as run:
        finished = 0
        while run.poll() is None and finished < KILLED_AFTER:
            time.sleep(1)
            shown = subprocess.run(
                [GYOJI, "export", "--to", "jsonl", str(file)], check=False, capture_output=True, text=True
            )
            finished = sum('"kind":"game"' in line for line in shown.stdout.splitlines())
        run.send_signal(signal.SIGKILL)
    return finished


def code_lines(path: Path) -> list[str]:
    """Return the lines of a program that are neither blank nor part of its docstring, which comes first."""
    _, _, code = path.read_text(encoding="utf-8").split('"""', 2)
    return [line for line in code.splitlines() if line.strip()]


def event(seats: int, table: str, players: str) -> str:
    """Return a control file of 40 games.

    Args:
        table: The table of the program that decides them.
    """
    pairing = f'competition = "tables"\ntables = {GAMES // seats}\n'
    if seats == 2:
        pairing = f'competition = "allplayall"\nrounds = {GAMES}\n'
    game = "umpire" if table.startswith("[umpire]") else "relay"
    return f'{pairing}game = "{game}"\nseed = 29\n\n{table}\n[players]\n{players}'


def umpire_table(seats: int, command: str) -> str:
    return f'[umpire]\ncommand = "{command}"\nseats = {seats}\n'


def relay_table(seats: int, command: str) -> str:
    """Return the table of Halite's engine: all that gyoji has to be told of it."""
    result = 'result = { json = "stats.*.score", means = "points" }'
    return f'[relay]\ncommand = "{command}"\nseats = {seats}\n{result}\n'


# Kaggle

_BOT = '''"""A bot that does anything it may: `python bot.py SEED connectx|hungry_geese`."""

import json
import random
import sys

random.seed(sys.argv[1])
for line in sys.stdin:
    told = json.loads(line)
    if sys.argv[2] == "connectx":
        columns = told["configuration"]["columns"]
        action = random.choice([each for each in range(columns) if told["observation"]["board"][each] == 0])
    else:
        action = random.choice(["NORTH", "EAST", "SOUTH", "WEST"])
    print(json.dumps(action), flush=True)
'''


def kaggle(environment: str) -> Callable[[Path, argparse.Namespace], tuple[str, str]]:
    """Return the preparation of an environment of Kaggle's."""

    def prepare(place: Path, _options: argparse.Namespace) -> tuple[str, str]:
        own = place.parent / "kaggle"
        if not (own / "bin" / "python").exists():
            venv.create(own, with_pip=True)
            subprocess.run([str(own / "bin" / "pip"), "install", "--quiet", KAGGLE], check=True)
        (place / "bot.py").write_text(_BOT, encoding="utf-8")
        count = 4 if environment == "hungry_geese" else 2
        players = "".join(
            f'{name} = {{ command = "{sys.executable} bot.py {seed} {environment}", speak = "json" }}\n'
            for seed, name in enumerate(("ann", "ben", "cleo", "dan")[:count])
        )
        return f"{own}/bin/python kaggle.py {environment}", players

    return prepare


# Mahjong


def mahjong(place: Path, options: argparse.Namespace) -> tuple[str, str]:
    """Build the judge and the sample bot."""
    clone: Path = options.mahjong.absolute()
    headers = place / "headers"
    fan = clone / "fan-calculator-usage" / "ChineseOfficialMahjongHelper" / "Classes" / "mahjong-algorithm"
    shutil.copytree(fan, headers / "MahjongGB")
    shutil.copytree("/usr/include/jsoncpp/json", headers / "jsoncpp")
    for source, program in (("judge/main.cpp", "judge"), ("sample-bot-Botzone/sample.cpp", "bot")):
        words = ["g++", "-O2", "-D_BOTZONE_ONLINE", f"-I{headers}", "-o", str(place / program)]
        subprocess.run([*words, str(clone / source), "-ljsoncpp"], check=True)
    players = "".join(
        f'{name} = {{ command = "./bot", speak = "botzone" }}\n' for name in ("ann", "ben", "cleo", "dan")
    )
    return f"{sys.executable} botzone_judge.py ./judge", players


# Halite

_HALITE_PARTS = (
    "config core core/command error logging mapgen model networking/common networking/unix replay util"
)


def halite(place: Path, options: argparse.Namespace) -> tuple[str, str]:
    """Build the engine and the starter bot in C++."""
    clone: Path = options.halite.absolute()
    engine, kits = clone / "game_engine", clone / "starter_kits"
    folders = [engine / part for part in _HALITE_PARTS.split()]
    sources = sorted({str(file) for folder in folders for file in folder.glob("*.cpp")})
    headers = [f"-I{folder}" for folder in (engine, *folders, Path("/usr/include/nlohmann"))]
    words = ["g++", "-std=c++17", "-O2", *headers, "-o", str(place / "halite")]
    subprocess.run([*words, *sources, str(engine / "main.cpp"), "-lzstd"], check=True)
    kit = kits / "C++"
    sources = [str(kit / "MyBot.cpp"), *map(str, sorted((kit / "hlt").glob("*.cpp")))]
    words = ["g++", "-std=c++17", "-O2", f"-I{kit}", f"-I{kit}/hlt", "-o", str(place / "bot")]
    subprocess.run([*words, *sources], check=True)
    shutil.copytree(kits / "Python3", place / "python_bot")
    commands = ("./bot", f"{sys.executable} python_bot/MyBot.py") * 2
    players = "".join(
        f'{name} = {{ command = "{command}" }}\n'
        for name, command in zip(("ann", "ben", "cleo", "dan"), commands, strict=True)
    )
    seats = "{seat1} {seat2} {seat3} {seat4}"
    return f"./halite --results-as-json --no-replay --no-logs -s {{seed}} {seats}", players


_MAHJONG = f"Chinese-Standard-Mahjong {COMMIT}"
SUBJECTS: Mapping[str, Subject] = MappingProxyType(
    {
        "connectx": Subject(KAGGLE, 2, "kaggle.py", kaggle("connectx")),
        "hungry_geese": Subject(KAGGLE, 4, "kaggle.py", kaggle("hungry_geese")),
        "mahjong": Subject(_MAHJONG, 4, "botzone_judge.py", mahjong),
        "halite": Subject(f"Halite-III {HALITE}", 4, "", halite),
    }
)

if __name__ == "__main__":
    raise SystemExit(main())
