"""``python -m bench.chess_books [--lines 2000000]``: what a large book of chess openings costs.

A file of EPD lines is made and read as a control file reads it: seconds until the first opening, MB of memory
that the process has more then, and us for each opening of games in a random order.
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path

from gyoji.config import opening_settings
from gyoji.core.openings import Openings
from gyoji.games.chess.books import opening_book, own_openings
from gyoji.games.chess.fen import format_fen
from gyoji.games.chess.game_options import Options, rules

GAMES = 2_000
OPTIONS = {"variant": "standard", "opening": ""}


def resident_mb() -> float:
    """MB of memory that is not of a file: what a memory map has read is the system's to drop."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.chess_books", description=__doc__.splitlines()[0])
    parser.add_argument("--lines", type=int, default=2_000_000)
    options = parser.parse_args()
    fens = [format_fen(rules(Options(opening=line)).start()) for line in own_openings(OPTIONS)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.epd"
        with path.open("w") as file:
            file.writelines(f"{fens[number % len(fens)]}\n" for number in range(options.lines))
        before, began = resident_mb(), time.perf_counter()
        with path.open("rb") as data:
            lines = opening_book(opening_settings._map(data), path.name, OPTIONS)
        openings = Openings(lines=lines, order="random")
        openings.options(None, OPTIONS, 0, 1)
        first, memory = time.perf_counter() - began, resident_mb() - before
        began = time.perf_counter()
        for number in range(GAMES):
            openings.options(None, OPTIONS, number, 1)
        each = (time.perf_counter() - began) / GAMES
    print(f"{options.lines} openings, {sum(map(len, fens)) / len(fens):.0f} bytes each")
    print(f"{first:8.2f} s until the first opening")
    print(f"{memory:8.1f} MB of memory more")
    print(f"{each * 1e6:8.0f} us for each opening")


if __name__ == "__main__":
    main()
