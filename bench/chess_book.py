"""``python -m bench.chess_book OUT [--openings 500] [--seed 1]``: makes gyoji's own book of chess openings.

Each opening is a random walk of 8 plies: at each ply a UCI engine names its best moves at a small depth, and
one is drawn of those that lose little to the best. The last position is searched deeper, and the opening is
kept if both sides have about the same chances there and no kept opening leads to the same position. Nothing
comes from existing books. The engine is stockfish of the machine, on one thread, so that the same call makes
the same file.
"""

import argparse
import re
import subprocess
from pathlib import Path
from random import Random

from gyoji.games.chess.fen import format_epd
from gyoji.games.chess.game_options import Options, rules
from gyoji.games.chess.position import Position, played
from gyoji.games.chess.san import format_san

PLIES = 8
WIDTH = 6  # moves that the engine names at each ply
DEPTH = 7
LOSS = 30  # centipawns that a move may lose to the best one
FIRST = {"e2e4": 8, "d2d4": 8, "g1f3": 4, "c2c4": 4, "g2g3": 1, "b2b3": 1}
"""How often each first move is drawn: quiet ones are balanced more often, and would fill the book."""
LAST_DEPTH = 12
MOST = 40  # centipawns of either side in the last position

_INFO = re.compile(r"info depth (\d+) .*?multipv (\d+) score cp (-?\d+) .*? pv (\S+)")


class Engine:
    """A UCI engine on one thread."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._say("uci", "setoption name Threads value 1", "setoption name Hash value 64")
        self.name = ""
        while (line := self._line()) != "uciok":
            self.name = line.removeprefix("id name ") if line.startswith("id name ") else self.name

    def _say(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def best(self, moves: list[str], depth: int, width: int) -> dict[str, int]:
        """Return the best moves after others, each with its centipawns."""
        position = f"position startpos moves {' '.join(moves)}" if moves else "position startpos"
        self._say(f"setoption name MultiPV value {width}", "ucinewgame", position, f"go depth {depth}")
        found: dict[str, int] = {}
        while not (line := self._line()).startswith("bestmove"):
            match = _INFO.match(line)
            if match and int(match[1]) == depth and "bound" not in line:
                found[match[4]] = int(match[3])
        return found

    def quit(self) -> None:
        self._say("quit")
        self._process.wait(10)


def walk(engine: Engine, chance: Random, known: dict[tuple[str, ...], list[str]]) -> list[str]:
    """Return one opening.

    Args:
        known: The moves to draw from after those that were met before.
    """
    moves = chance.choices(list(FIRST), list(FIRST.values()))
    while len(moves) < PLIES:
        key = tuple(moves)
        if key not in known:
            best = engine.best(moves, DEPTH, WIDTH)
            top = max(best.values())
            known[key] = [move for move, score in best.items() if score >= top - LOSS]
        moves.append(chance.choice(known[key]))
    return moves


def line_of(moves: list[str]) -> tuple[str, Position]:
    """Return the moves in SAN, and the position after them."""
    position, words = rules(Options()).start(), []
    for move in moves:
        after = played(position, move)
        assert after is not None
        words.append(format_san(position, move, after))
        position = after
    return " ".join(words), position


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.chess_book", description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--openings", type=int, default=500)
    parser.add_argument("--engine", default="/usr/games/stockfish")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    engine, chance = Engine(options.engine), Random(options.seed)
    known: dict[tuple[str, ...], list[str]] = {}
    lines: dict[str, str] = {}
    tried = 0
    while len(lines) < options.openings:
        tried += 1
        moves = walk(engine, chance, known)
        text, position = line_of(moves)
        if position.end or format_epd(position) in lines:
            continue
        (score,) = engine.best(moves, LAST_DEPTH, 1).values() or (MOST + 1,)
        if abs(score) <= MOST:
            lines[format_epd(position)] = text
            print(f"{len(lines)} of {tried}: {score:+d} {text}", flush=True)
    engine.quit()
    head = [
        f"# {len(lines)} balanced openings of chess, made by gyoji's bench/chess_book.py",
        f"# with {engine.name}, seed {options.seed}: random walks of {PLIES} plies through moves",
        f"# that lose at most {LOSS} centipawns at depth {DEPTH}. At depth {LAST_DEPTH} no side has more",
        f"# than {MOST}, and no two lead to one position. A line is an opening in SAN.",
        "# Free to use, as gyoji is (MIT).",
    ]
    options.out.write_text("\n".join([*head, *sorted(lines.values())]) + "\n")


if __name__ == "__main__":
    main()
