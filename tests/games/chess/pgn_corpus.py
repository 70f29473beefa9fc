"""Files of PGN read by us and by python-chess.

``python tests/games/chess/pgn_corpus.py FILE... [--games N]``. Tags, moves and
last positions have to be equal. Each game is then written by us and read again, which has to give the same.
Without files, random games of all variants are written first. A file may be ``.gz`` or ``.zip``. Games that
python-chess reads with errors, with null moves, or of variants that we do not play are counted and left out.
"""

import argparse
import gzip
import io
import logging
import zipfile
from collections import Counter
from pathlib import Path
from random import Random

import chess.pgn
from test_chess_pgn import MATED, record, spec

from gyoji.core.outcome import Ending, Outcome, lost_by, shared
from gyoji.games.chess.fen import format_fen
from gyoji.games.chess.game_options import Options, opening_text, rules
from gyoji.games.chess.pgn import write_pgn
from gyoji.games.chess.pgn_reader import lines_of, read_games
from gyoji.games.chess.position import legal_moves
from gyoji.games.chess.records import judge
from gyoji.games.chess.rules import ChessRules

OUTCOMES = (
    MATED,
    Outcome(points=lost_by(1, 2), ending=Ending.TIME),
    Outcome(points=shared(2), ending=Ending.AGREEMENT),
)


def compare(data: bytes, seen: Counter[str], most: int) -> None:
    """Compare the games of a file, at most so many."""
    lines = list(lines_of(data))
    games = list(read_games(lines))
    for ours, end in zip(games, [*(game.line for game in games[1:]), len(lines) + 1], strict=True):
        if seen["games"] >= most:
            return
        where = f"line {ours.line}: {dict(ours.tags)}"
        try:
            game = chess.pgn.read_game(io.StringIO(compact(lines[ours.line - 1 : end - 1])))
            board = game.end().board()
        except ValueError:
            seen["of a wrong position"] += 1
            continue
        has_null = any(not move for move in game.mainline_moves())
        if game.errors or has_null or type(game.board()) is not chess.Board:
            seen["left out"] += 1
            continue
        compare_game(ours, game, board, where)
        seen["games"] += 1
        seen["moves"] += len(ours.moves)


def compact(lines):
    """Return a game with one empty line, after its tags, since python-chess ends a game at any other."""
    count = next(
        (number for number, line in enumerate(lines) if not line.lstrip().startswith("[")), len(lines)
    )
    return "\n".join([*lines[:count], "", *filter(str.strip, lines[count:])])


def compare_game(ours, game, board, where):
    judged = judge(ours)
    assert not judged.refusal, (where, judged.refusal)
    is_960 = judged.first.is_960
    stepped, mainline = game.board(), []
    for move in game.mainline_moves():
        mainline.append(stepped.uci(move, chess960=is_960))
        stepped.push(move)
    assert list(judged.moves) == mainline, where
    assert format_fen(judged.position, shredder=False) == board.fen(en_passant="legal"), where
    for name, value in ours.tags.items():
        assert game.headers.get(name, "") == value.strip() or name in ("Date", "FEN", "Result"), (where, name)
    if judged.went_on:
        return  # our games end with a draw
    made = ChessRules(judged.variant, judged.first)
    moves = list(judged.moves)
    played = record(moves, OUTCOMES[len(moves) % 3], first=judged.first.turn)
    data = write_pgn(spec(variant=judged.variant, opening=opening_text(made)), played)
    (again,) = read_games(lines_of(data))
    assert judge(again).moves == judged.moves, where
    assert write_pgn(spec(variant=judged.variant, opening=opening_text(made)), played) == data


def random_games(count: int, seed: int) -> bytes:
    """Return a file of random games of all variants, as we write them."""
    chance, found = Random(seed), []
    for number in range(count):
        variant = ("standard", "chess960", "dfrc")[number % 3]
        start = ("", f"{chance.randrange(960)}", f"{chance.randrange(960)} {chance.randrange(960)}")[
            number % 3
        ]
        made = rules(Options(variant=variant, opening=start))
        position, moves = made.start(), []
        while not position.end and len(moves) < 150:
            moves.append(chance.choice(legal_moves(position)))
            position = made.play(position, ((position.turn, moves[-1]),))
        found.append(write_pgn(spec(variant=variant, opening=start), record(moves, OUTCOMES[number % 3])))
    return b"".join(found)


def content(path: Path) -> bytes:
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return archive.read(archive.namelist()[0])
    return path.read_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--games", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable()  # python-chess logs each error in a file
    seen: Counter[str] = Counter()
    for path in options.files:
        compare(content(path), seen, options.games)
    if not options.files:
        compare(random_games(options.games, options.seed), seen, options.games)
    for what, count in seen.most_common():
        print(f"{count:>12,} {what}")


if __name__ == "__main__":
    main()
