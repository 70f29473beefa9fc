"""``python -m bench.go_rules [--json]``: the cost of the rules of Go, on one thread.

* Moves per second of random 19x19 games under several rulesets, each move checked and played. The games
  are drawn beforehand (any legal point except an own eye of one point), so that drawing costs nothing
  here. Under territory scoring they go on through the clean-up phases.
* Milliseconds to score a 19x19 endgame, with pass-alive groups and independent life.

The aims stand beside the figures. Each figure is the best of a few rounds, because the machine is shared.
"""

import argparse
import json
import time
from random import Random

from gyoji.core.faults import IllegalMove
from gyoji.games.go.board import PASS
from gyoji.games.go.game_options import Options
from gyoji.games.go.position import Position
from gyoji.games.go.rules import GoRules, rules

SIZE = 19
GAMES = 6
ROUNDS = 5
LONGEST = 700  # moves after which both pass

AIMS = {"": 200_000, "chinese": 200_000, "tromp-taylor": 150_000, "japanese": 150_000, "aga": 150_000}
SCORED = ("chinese", "tromp-taylor", "japanese", "stone-scoring")
SCORING_AIM = 1.0  # ms

ENDGAME = """
Q16 C4 Q4 D17 E4 E3 F3 D3 F4 C6 K4 C15 K17 R6 R8 P6 O4 N6 M4 Q14 O16 R16 R17 R15 S17 R10 R5 S7 Q9 O9 G17
Q5 R4 C10 O14 F14 F8 Q12 F10 E12 T14 S12 L6 O13 L8 M11 E18 D8 E6 D18 K11 F18 G18 E17 F2 E2 M13 H14 G11
S5 S4 T4 T3 T5 S2 G19 H19 F19 K15 N13 N14 P14 H17 S14 F16 E16 P5 Q6 O6 O7 O5 T15 N7 N8 M7 M8 L9 P15 P16
F1 G1 E1 H2 M12 L13 F17 P7 S8 O8 N10 Q10 R9 P9 F15 O11 N11 R7 Q11 Q7 S6 P10 S16 T17 E11 G16 E9 F9 G12
H12 H13 F12 G13 H11 F11 D7 C7 E8 E10 D5 J13 C5 B5 D4 B4 T16 T13 D6 J15 K14 J16 K16 J18 J17 H18 K18 J19
K19 H19 O15 P11 O10 N9 O12 N12 L12 J12 J11 P12 L10 G15 J14 H15 C8 D9 Q15 P13 L11 K13 K12 H16 M10 M9 pass
pass
"""
"""A game of GNU Go against itself. Open borders and large territories make the flood fills long."""


def draw_game(game: GoRules, chance: Random) -> list[tuple[int, int]]:
    """Return the moves of a random game."""
    position, turns = game.start(), []
    while game.acting(position):
        move = draw_move(game, position, chance) if len(turns) < LONGEST else PASS
        turns.append((position.to_play, move))
        position = game.play(position, (turns[-1],))
    return turns


def draw_move(game: GoRules, position: Position, chance: Random) -> int:
    """Return a random legal point that is not an own eye of one point; if there is none, a pass."""
    places, seat = game.board.places, position.to_play
    stones = (position.black, position.white)
    free = [point for point, place in places.items() if not place.bit & (stones[0] | stones[1])]
    chance.shuffle(free)
    for point in free:
        near = places[point].near
        if near & stones[seat] == near:
            continue
        try:
            game.check(position, seat, point)
        except IllegalMove:
            continue
        return point
    return PASS


def replay(game: GoRules, turns: list[tuple[int, int]]) -> Position:
    position, play = game.start(), game.play
    for turn in turns:
        position = play(position, (turn,))
    return position


def moves_per_second(game: GoRules, games: list[list[tuple[int, int]]]) -> float:
    moves, best = sum(len(turns) for turns in games), 0.0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for turns in games:
            replay(game, turns)
        best = max(best, moves / (time.perf_counter() - began))
    return best


def score_ms(game: GoRules) -> float:
    """ms for one score of the endgame's last position."""
    moves = [game.parse(word) for word in ENDGAME.split()]
    position, best = replay(game, [(number % 2, move) for number, move in enumerate(moves)]), float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(20):
            game.score(position)
        best = min(best, (time.perf_counter() - began) / 20 * 1e3)
    return best


def measure() -> dict[str, dict[str, float]]:
    """For each ruleset: moves/s and the length of its games, ms for scoring; where they are asked for."""
    found: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys((*AIMS, *SCORED)):
        game = rules(Options(board_size=SIZE, komi=7.5, ruleset=name))
        row = found[name or "no ruleset"] = {}
        if name in AIMS:
            games = [draw_game(game, Random(number)) for number in range(GAMES)]
            row["moves"] = sum(len(turns) for turns in games) / GAMES
            row["moves_per_s"], row["moves_per_s_aim"] = moves_per_second(game, games), AIMS[name]
        if name in SCORED:
            row["score_ms"], row["score_ms_aim"] = score_ms(game), SCORING_AIM
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.go_rules", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    found = measure()
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{SIZE}x{SIZE}: moves a second of random games (aim), moves a game; ms to score an endgame (aim)")
    for name, row in found.items():
        speed = scoring = ""
        if "moves" in row:
            speed = f"{row['moves_per_s']:9,.0f} ({row['moves_per_s_aim']:,.0f}) {row['moves']:5.0f}"
        if "score_ms" in row:
            scoring = f"{row['score_ms']:.2f} ({row['score_ms_aim']:g})"
        print(f"{name:14} {speed:26} {scoring}".rstrip())


if __name__ == "__main__":
    main()
