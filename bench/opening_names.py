"""``python -m bench.opening_names CLONE [--check FILE]``: makes the table of names of chess openings.

CLONE is a clone of github.com/lichess-org/chess-openings (CC0 1.0), whose lines are played from `COMMIT`. It
is the commit from which fastchess 1.8.2 has its table: `--check app/src/game/pgn/openings_data.cpp`, from a
checkout of fastchess, compares the two position by position and writes nothing.
"""

import argparse
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from gyoji.games.chess import opening_names
from gyoji.games.chess.fen import STANDARD_START, format_epd, read_fen
from gyoji.games.chess.opening_names import FEWEST_MEN, NAMES_FILE, OpeningName, digest_of, opening_name
from gyoji.games.chess.position import Position
from gyoji.games.chess.san import read_san

COMMIT = "4d32bd505ebe82889a79b843799ad049b633dc4a"
VOLUMES = "abcde"
HEADING = f"""\
# Names of chess openings: digest of the position, ECO code, name.
# From github.com/lichess-org/chess-openings, commit {COMMIT},
# by bench/opening_names.py. Public domain (CC0 1.0).
"""

_NUMBER = re.compile(r"\d+\.+")
_ROW = re.compile(r'^    \{"(.*?)", \{"(.*?)", "(.*)"\}\},$', re.MULTILINE)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.opening_names", description=__doc__.splitlines()[0]
    )
    parser.add_argument("clone", type=Path, help="clone of lichess-org/chess-openings")
    parser.add_argument("--check", type=Path, metavar="FILE", help="fastchess's openings_data.cpp")
    options = parser.parse_args()
    if options.check is not None:
        check(options.clone, options.check.read_text())
        return
    named = {digest_of(line[-1]): name for name, line in lines_of(options.clone)}
    rows = "".join(f"{digest} {eco} {name}\n" for digest, (eco, name) in sorted(named.items()))
    Path(opening_names.__file__).with_name(NAMES_FILE).write_text(HEADING + rows)
    print(f"{len(named)} positions")


def lines_of(clone: Path) -> Iterator[tuple[OpeningName, list[Position]]]:
    """Yield each name with the positions of its line."""
    for volume in VOLUMES:
        command = ["git", "-C", str(clone), "show", f"{COMMIT}:{volume}.tsv"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for row in text.splitlines()[1:]:
            eco, name, moves = row.split("\t")
            line = [read_fen(STANDARD_START)]
            for move in _NUMBER.sub(" ", moves).split():
                line.append(read_san(line[-1], move)[1])
            men = (line[-1].own | line[-1].other).bit_count()
            if men < FEWEST_MEN:
                raise ValueError(f"{name}: {men} men, expected FEWEST_MEN ({FEWEST_MEN}) or more")
            yield OpeningName(eco, name), line


def check(clone: Path, source: str) -> None:
    """Print how many lines our table names otherwise than fastchess's table does."""
    theirs = {epd: OpeningName(eco, name.replace('\\"', '"')) for epd, eco, name in _ROW.findall(source)}
    played = wrong = 0
    for _, line in lines_of(clone):
        played += 1
        known = [theirs[epd] for position in line if (epd := format_epd(position)) in theirs]
        wrong += opening_name(line) != (known[-1] if known else None)
    print(f"{len(theirs)} positions of fastchess, {played} lines played, {wrong} named differently")


if __name__ == "__main__":
    main()
