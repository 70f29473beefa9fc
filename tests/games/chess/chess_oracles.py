"""Random games of chess, compared at each move with python-chess and cozy-chess.

``python tests/games/chess/chess_oracles.py --moves 1000000 --seed 7`` plays that many moves and prints what
was compared. The first difference raises AssertionError with the game's start and its moves. Castling and en
passant are rare in random games: with ``--starts rich`` short games begin in positions that have them near,
and promotions; with ``--starts "en passant"`` a fifth of all moves take en passant.
"""

import argparse
from collections import Counter
from random import Random

import chess
import cozy_chess

from gyoji.games.chess.fen import format_fen, read_fen, start_fen
from gyoji.games.chess.game_options import Options, rules
from gyoji.games.chess.position import (
    FIFTY,
    INSUFFICIENT,
    MATE,
    STALEMATE,
    THREEFOLD,
    legal_moves,
    played,
)
from gyoji.games.chess.san import format_san, is_castling, read_san

LONGEST_OF = {"own": 400, "rich": 14, "en passant": 8}
"""Moves after which a game is left, by where games begin (see `compare`)."""


def compare(moves: int, seed: int, starts: str = "own") -> Counter[str]:
    """Play random games of all variants until so many moves are compared. Return what came up, counted.

    starts: Where games begin: "own" start positions of the variant; positions "rich" in castling, en passant
        and promotions; or positions with "en passant" near, and little else.
    """
    seen: Counter[str] = Counter()
    chance = Random(seed)
    while seen["moves"] < moves:
        variant = chance.choice(("standard", "chess960", "dfrc"))
        seen[variant] += 1
        compare_game(variant, chance, seen, starts)
    return seen


def first_fen(variant, chance, starts):
    if starts == "rich":
        return rich_fen(variant, chance)
    if starts == "en passant":
        return passing_fen(variant, chance)
    if variant == "standard":
        return chess.STARTING_FEN
    return start_fen(chance.randrange(960), chance.randrange(960) if variant == "dfrc" else None)


def rich_fen(variant, chance):
    """Return a position of a few pieces with kings and rooks at home, and pawns near their last ranks or side
    by side.
    """
    while True:
        board = chess.Board.empty(chess960=variant != "standard")
        files = {color: home_files(variant, chance) for color in chess.COLORS}
        if variant == "chess960":
            files[chess.BLACK] = files[chess.WHITE]
        for color, (left, king, right) in files.items():
            for file, kind in ((left, chess.ROOK), (king, chess.KING), (right, chess.ROOK)):
                board.set_piece_at(chess.square(file, 0 if color else 7), chess.Piece(kind, color))
                if kind == chess.ROOK and chance.random() < 0.8:
                    board.castling_rights |= chess.BB_SQUARES[chess.square(file, 0 if color else 7)]
        for file in range(8):
            for color, ranks in ((chess.WHITE, (1, 1, 4, 5, 6)), (chess.BLACK, (6, 6, 3, 2, 1))):
                square = chess.square(file, chance.choice(ranks))
                if chance.random() < 0.5 and board.piece_at(square) is None:
                    board.set_piece_at(square, chess.Piece(chess.PAWN, color))
        for _ in range(chance.randrange(4)):
            square, kind = chance.randrange(16, 48), chance.choice((2, 3, 4, 5))
            if board.piece_at(square) is None:
                board.set_piece_at(square, chess.Piece(kind, chance.choice(chess.COLORS)))
        board.turn = chance.choice(chess.COLORS)
        if board.is_valid() and not board.is_game_over():
            return board.shredder_fen() if board.chess960 else board.fen()


def passing_fen(variant, chance):
    """Return a position of the kings, pawns that have not moved or could take en passant, and pieces that may
    pin them, give check or be in their way.
    """
    while True:
        board = chess.Board.empty(chess960=variant != "standard")
        for color, home, far in ((chess.WHITE, 1, 4), (chess.BLACK, 6, 3)):
            for file in range(8):
                for rank, likely in ((home, 0.6), (far, 0.5)):
                    if chance.random() < likely:
                        board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, color))
        free = [square for square in chess.SQUARES if board.piece_at(square) is None]
        chance.shuffle(free)
        for color in chess.COLORS:
            board.set_piece_at(free.pop(), chess.Piece(chess.KING, color))
        for _ in range(chance.randrange(5)):
            kind = chance.choice((chess.ROOK, chess.BISHOP, chess.QUEEN, chess.KNIGHT))
            board.set_piece_at(free.pop(), chess.Piece(kind, chance.choice(chess.COLORS)))
        board.turn = chance.choice(chess.COLORS)
        if board.is_valid() and not board.is_game_over():
            return board.shredder_fen() if board.chess960 else board.fen()


def home_files(variant, chance):
    """Return the files of a rook, the king and the other rook."""
    return (0, 4, 7) if variant == "standard" else sorted(chance.sample(range(8), 3))


def compare_game(variant, chance, seen, starts):
    fen = first_fen(variant, chance, starts)
    made = rules(Options(variant=variant, opening=fen))
    position, board = made.start(), chess.Board(fen, chess960=made.chess960)
    # a tame game takes nothing for a while and so meets repetitions and the 50 moves
    seeks = starts != "own"
    is_tame = not seeks and chance.random() < 0.3
    while not position.end and len(board.move_stack) < LONGEST_OF[starts]:
        where = f"{fen} moves {' '.join(board.uci(move) for move in board.move_stack)}"
        legal = compare_position(position, board, where, seen)
        move = chance.choice(legal)
        if is_tame and chance.random() < 0.9:
            quiet = [
                each for each in legal if board.piece_type_at(chess.parse_square(each[:2])) != chess.PAWN
            ]
            move = chance.choice(quiet or legal)
        rare = [each for each in legal if is_rare(position, each)]
        if seeks and not rare:  # a pawn's two steps may be answered, one at its last rank may be promoted
            rare = [each for each in legal if is_long_step(board, each)] or [e for e in legal if e[4:]]
        if rare and chance.random() < (0.8 if seeks else 0.5):
            move = chance.choice(rare)
        after = played(position, move)
        parsed = board.parse_uci(move)
        text = board.san(parsed)
        assert format_san(position, move, after) == text, where
        assert read_san(position, text) == (move, after), where
        refused = chance.choice(legal)[:2] + chess.SQUARE_NAMES[chance.randrange(64)]
        if refused not in legal and refused[:2] != refused[2:]:
            assert played(position, refused) is None, f"{where}: {refused}"
            seen["refused"] += 1
        seen["castling"] += text.startswith("O-O")
        seen["en passant"] += board.is_en_passant(parsed)
        seen["promotions"] += "=" in text
        board.push(parsed)
        position = after
        seen["moves"] += 1
        ends = {
            MATE: board.is_checkmate(),
            STALEMATE: board.is_stalemate(),
            INSUFFICIENT: board.is_insufficient_material(),
            FIFTY: board.halfmove_clock >= 100 and not board.is_checkmate(),
            THREEFOLD: board.is_repetition(3),
        }
        where = f"{where} {move}"
        assert bool(position.end) == any(ends.values()), where
        assert not position.end or ends[position.end], f"{where}: {position.end}"
    if position.end:
        seen[position.end] += 1


def is_rare(position, move):
    is_pawn = position.board[chess.parse_square(move[:2])] & 7 == chess.PAWN
    takes_behind = is_pawn and chess.parse_square(move[2:4]) == position.en_passant
    return takes_behind or is_castling(position, move)


def is_long_step(board, move):
    """Return whether a pawn makes two steps and arrives beside one of the opponent's."""
    start, goal = chess.parse_square(move[:2]), chess.parse_square(move[2:4])
    if board.piece_type_at(start) != chess.PAWN or abs(goal - start) != 16:
        return False
    beside = [goal + step for step in (-1, 1) if chess.square_distance(goal, goal + step) == 1]
    return any(board.piece_at(each) == chess.Piece(chess.PAWN, not board.turn) for each in beside)


def compare_position(position, board, where, seen):
    """Compare legal moves and FEN, and return the legal moves."""
    legal = legal_moves(position)
    assert sorted(legal) == sorted(board.uci(move) for move in board.legal_moves), where
    assert position.check == board.is_check(), where
    shredder = board.shredder_fen(en_passant="legal")
    assert format_fen(position, shredder=True) == shredder, where
    assert format_fen(position, shredder=False) == board.fen(en_passant="legal"), where
    other = cozy_chess.Board.from_fen(shredder, shredder=True)
    theirs = sorted(map(str, other.generate_moves()))
    # cozy-chess always writes castling as the king taking its rook
    ours = sorted(legal)
    if not position.is_960:
        ours = sorted(board.uci(board.parse_uci(move), chess960=True) for move in legal)
    assert ours == theirs, where
    for fen in (shredder, board.fen(en_passant="fen")):
        again = read_fen(fen, is_960=position.is_960)
        assert again._replace(past=position.past) == position, where
    seen["positions"] += 1
    seen["legal moves"] += len(legal)
    return legal


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--starts", choices=tuple(LONGEST_OF), default="own", help="where games begin")
    options = parser.parse_args()
    for what, count in compare(options.moves, options.seed, options.starts).most_common():
        print(f"{count:>12,} {what}")


if __name__ == "__main__":
    main()
