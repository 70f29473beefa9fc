"""``python -m bench.chess_rules [--json]``: the cost of the rules of chess, on one thread.

* us per move of games as a referee plays them: the text of a move is parsed, checked and played, and the end
  of the game is looked for. The games are drawn beforehand by a player that prefers captures and checks, so
  that all kinds of moves come up; half of them are Chess960.
* the same moves by python-chess, if it is installed, with its own ways to the same answers
* us per list of all legal moves, and per move written in SAN

The aim stands beside its figure. Each figure is the best of a few rounds, because the machine is shared.
"""

import argparse
import json
import time
from collections.abc import Callable
from random import Random

from gyoji.games.chess.fen import start_fen
from gyoji.games.chess.game_options import Options, rules
from gyoji.games.chess.position import Position, legal_moves, played
from gyoji.games.chess.rules import ChessRules
from gyoji.games.chess.san import format_san

GAMES = 60
LONGEST = 160
ROUNDS = 5

PLAY_AIM = 6.0  # us


def draw_game(game: ChessRules, chance: Random) -> list[str]:
    """Return the moves of a random game in which captures and checks are likelier than other moves."""
    position, moves = game.start(), []
    while not position.end and len(moves) < LONGEST:
        legal = legal_moves(position)
        chance.shuffle(legal)
        forcing = [move for move in legal[:12] if is_forcing(position, move)]
        move = forcing[0] if forcing and chance.random() < 0.4 else legal[0]
        moves.append(move)
        position = game.play(position, ((position.turn, move),))
    return moves


def is_forcing(position: Position, move: str) -> bool:
    after = played(position, move)
    assert after is not None
    return after.check or after.own.bit_count() < position.other.bit_count()


def replay(game: ChessRules, moves: list[str]) -> Position:
    position, play, parse, acting = game.start(), game.play, game.parse, game.acting
    seat = 0
    for text in moves:
        position = play(position, ((seat, parse(text)),))
        acting(position)
        seat = 1 - seat
    return position


def replay_chess(fen: str, moves: list[str]) -> int:
    """Replay the moves with python-chess. Return how many of them were followed by an end of the game."""
    import chess  # noqa: PLC0415 - only beside our own figure

    board, ends = chess.Board(fen, chess960=True), 0
    for text in moves:
        move = chess.Move.from_uci(text)
        assert board.is_legal(move)
        board.push(move)
        is_drawn = board.is_insufficient_material() or board.halfmove_clock >= 100 or board.is_repetition(3)
        ends += is_drawn or not any(board.generate_legal_moves())
    return ends


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of the fastest of a few runs."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def measure() -> dict[str, float]:
    chance = Random(1)
    starts = [518 if number % 2 else chance.randrange(960) for number in range(GAMES)]
    made = [rules(Options(variant="chess960", opening=str(start))) for start in starts]
    games = [(game, draw_game(game, Random(number))) for number, game in enumerate(made)]
    count = sum(len(moves) for _, moves in games)
    lines = []
    for game, moves in games:
        position = game.start()
        for move in moves:
            after = game.play(position, ((position.turn, move),))
            lines.append((position, move, after))
            position = after
    found = {
        "moves": float(count),
        "us_per_move": seconds(lambda: [replay(game, moves) for game, moves in games]) / count * 1e6,
        "us_per_move_aim": PLAY_AIM,
        "us_per_legal_moves": seconds(lambda: [legal_moves(each) for each, _, _ in lines]) / count * 1e6,
        "us_per_san": seconds(lambda: [format_san(*each) for each in lines]) / count * 1e6,
    }
    try:
        work = [(start_fen(start), moves) for start, (_, moves) in zip(starts, games, strict=True)]
        found["us_per_move_python_chess"] = (
            seconds(lambda: [replay_chess(fen, moves) for fen, moves in work]) / count * 1e6
        )
    except ImportError:
        pass
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.chess_rules", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    found = measure()
    if options.json:
        print(json.dumps(found, indent=2))
        return
    for name, figure in found.items():
        print(f"{name:26} {figure:10.2f}")


if __name__ == "__main__":
    main()
