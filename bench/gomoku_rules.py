"""``python -m bench.gomoku_rules [--json]``: the cost of the rules of gomoku, on one thread.

* us per move of games under each rule, on 15x15 and 20x20, each move checked and played. The games are
  drawn beforehand. Each stone is next to another one if possible, as in real games, so that there are
  lines to check.
* ms to find all forbidden points of the golden positions that have the most, and ms of the slowest single
  move.

The aims stand beside the figures. Each figure is the best of a few rounds, because the machine is shared.
"""

import argparse
import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from gyoji.core.boards import bits
from gyoji.core.faults import IllegalMove
from gyoji.games.gomoku.game_options import Options, rules
from gyoji.games.gomoku.position import Position
from gyoji.games.gomoku.rules import GomokuRules
from gyoji.games.gomoku.rulesets import fouls

SIZES = (15, 20)
RULES = ("freestyle", "standard", "renju", "caro", "caro-8", "continuous")
GAMES = 20
ROUNDS = 7
DENSEST = 20
POSITIONS = Path(__file__).parents[1] / "tests" / "golden" / "gomoku" / "renju.jsonl.gz"

PLAY_AIM = 2.5  # us, freestyle
BOARD_AIM = 3.0  # ms
MOVE_AIM = 0.1  # ms


def draw_game(game: GomokuRules, chance: Random) -> list[tuple[int, int]]:
    """Return the moves of a random game in which stones are placed beside others."""
    position, turns = game.start(), []
    while game.acting(position):
        turns.append((position.played % 2, draw_move(game, position, chance)))
        position = game.play(position, (turns[-1],))
    return turns


def draw_move(game: GomokuRules, position: Position, chance: Random) -> int:
    """Return a random legal point next to a stone; any legal one if there is none."""
    stones, board = position.black | position.white, game.board
    around = stones
    for line in board.lines:
        around |= stones << line.step | stones >> line.step
    empty = board.full & ~(stones | position.dead)
    for points in (around & empty, empty):
        candidates = list(bits(points))
        chance.shuffle(candidates)
        for point in candidates:
            try:
                game.check(position, position.played % 2, point)
            except IllegalMove:
                continue
            return point
    raise AssertionError("a seat that acts has no move")


def replay(game: GomokuRules, turns: list[tuple[int, int]]) -> Position:
    position, play = game.start(), game.play
    for turn in turns:
        position = play(position, (turn,))
    return position


def seconds(work: Callable[[], object]) -> float:
    """Return the time of the fastest of a few runs."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def microseconds_per_move(rule: str, size: int) -> tuple[float, float]:
    """(us per move, moves per game)."""
    game = rules(Options(board_size=size, rule=rule))
    games = [draw_game(game, Random(number)) for number in range(GAMES)]
    moves = sum(len(turns) for turns in games)
    spent = seconds(lambda: [replay(game, turns) for turns in games])
    return spent / moves * 1e6, moves / GAMES


def densest(game: GomokuRules) -> list[Position]:
    """Return the golden positions with most forbidden points."""
    with gzip.open(POSITIONS, "rt") as lines:
        records = sorted(map(json.loads, lines), key=lambda record: -len(record["forbidden"]))
    positions = []
    for record in records[:DENSEST]:
        points = game.parse(record["moves"])
        black, white = (sum(1 << point for point in points[colour::2]) for colour in (0, 1))
        positions.append(Position(black, white, played=len(points)))
    return positions


def forbidden_milliseconds() -> tuple[float, float]:
    """Return the slowest whole board of the densest positions, and the slowest move of all of them; ms."""
    game = rules(Options(rule="renju"))
    board, positions = game.board, densest(game)
    whole = max(seconds(lambda position=position: game.forbidden(position)) for position in positions)
    moves = [
        (position.black, board.full ^ position.white, point)
        for position in positions
        for point in bits(board.full ^ position.black ^ position.white)
    ]
    slowest = max(seconds(lambda move=move: fouls(board, *move)) for move in moves)
    return whole * 1e3, slowest * 1e3


def measure() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for rule in RULES:
        for size in SIZES:
            each, moves = microseconds_per_move(rule, size)
            found[f"{rule} {size}x{size}"] = {"us_per_move": each, "moves": moves}
            if rule == "freestyle":
                found[f"{rule} {size}x{size}"]["us_per_move_aim"] = PLAY_AIM
    whole, slowest = forbidden_milliseconds()
    found["forbidden"] = {
        "board_ms": whole,
        "board_ms_aim": BOARD_AIM,
        "move_ms": slowest,
        "move_ms_aim": MOVE_AIM,
    }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.gomoku_rules", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    found = measure()
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print("us per move (aim), moves a game")
    forbidden = found.pop("forbidden")
    for name, row in found.items():
        aim = f"({row['us_per_move_aim']:g})" if "us_per_move_aim" in row else ""
        print(f"{name:20} {row['us_per_move']:5.2f} {aim:6} {row['moves']:5.0f}")
    print(f"forbidden points of the {DENSEST} densest positions, the slowest (aim):")
    print(f"{forbidden['board_ms']:.2f} ms a board ({forbidden['board_ms_aim']:g})")
    print(f"{forbidden['move_ms']:.4f} ms a move ({forbidden['move_ms_aim']:g})")


if __name__ == "__main__":
    main()
