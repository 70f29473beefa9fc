"""The rules of chess: perft, single rules by positions, the ends of games, and what others say of them."""

import pytest
from chess_oracles import compare

from gyoji.core.faults import IllegalMove
from gyoji.core.outcome import Ending
from gyoji.games.chess import position as board
from gyoji.games.chess.fen import STANDARD_START, back_rank, format_fen, read_fen, start_fen
from gyoji.games.chess.game_options import Options, rules
from gyoji.games.chess.position import legal_moves, played
from gyoji.games.chess.rules import parse
from gyoji.testing.rules_kit import check_rules

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
MIDGAME = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
SYMMETRIC = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"

# Positions 1 to 6 of the Chess Programming Wiki ("Perft Results"), and start positions of its page
# "Chess960 Perft Results".
PERFT = [
    (STANDARD_START, (20, 400, 8902, 197281, 4865609)),
    (KIWIPETE, (48, 2039, 97862, 4085603)),
    (ENDGAME, (14, 191, 2812, 43238, 674624)),
    (PROMOTIONS, (6, 264, 9467, 422333)),
    (MIDGAME, (44, 1486, 62379, 2103487)),
    (SYMMETRIC, (46, 2079, 89890, 3894594)),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", (21, 528, 12189, 326672)),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", (21, 807, 18002, 667366)),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", (20, 479, 10471, 273318)),
    ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", (22, 593, 13440, 382958)),
]
MOST = 25_000
"""The most leaves that a fast test counts."""

DEEP = 5_000_000 if board.__file__.endswith(".so") else 100_000
"""The most leaves of a slow test. `test_compiled` counts more: interpreted, that takes minutes."""


def position(fen):
    return read_fen(fen, is_960=fen.split()[2].strip("KQkq-") != "")


def perft(at, depth):
    if depth == 1:
        return len(legal_moves(at))
    return sum(perft(played(at, move), depth - 1) for move in legal_moves(at))


@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_the_legal_moves_are_as_many_as_others_count(fen, counts):
    for depth, count in enumerate(counts, 1):
        if count <= MOST:
            # perft knows no draws: this counter of half-moves keeps them away
            assert perft(position(fen)._replace(clock=0), depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_the_legal_moves_are_as_many_as_others_count_deeper(fen, counts):
    depth, count = [(depth, count) for depth, count in enumerate(counts, 1) if count <= DEEP][-1]
    assert perft(position(fen), depth) == count


def test_random_games_are_what_python_chess_and_cozy_chess_say():
    seen = compare(1200, seed=8)
    assert min(seen["standard"], seen["chess960"], seen["dfrc"], seen["castling"]) > 0


def test_games_rich_in_castling_en_passant_and_promotions_are_what_they_say():
    seen = compare(600, seed=3, starts="rich")
    assert min(seen[what] for what in ("castling", "en passant", "promotions", "chess960", "dfrc")) > 10


def test_positions_with_en_passant_near_are_what_they_say():
    assert compare(500, seed=4, starts="en passant")["en passant"] > 80


@pytest.mark.slow
def test_many_moves_are_what_python_chess_and_cozy_chess_say():
    """`python tests/games/chess/chess_oracles.py` compares a million, in half an hour."""
    seen = compare(6_000, seed=4)
    ends = ("checkmate", "stalemate", "insufficient material", "fifty moves", "repetition")
    assert min(seen[what] for what in (*ends, "castling", "en passant", "promotions")) > 0


@pytest.mark.parametrize(
    "options",
    [Options(), Options(variant="chess960", opening="77"), Options(variant="dfrc", opening="0 959")],
)
def test_the_rules_keep_the_promises_of_the_port(options):
    check_rules(rules(options), games=2, longest=800)


def after(fen, *moves):
    at = position(fen)
    for move in moves:
        assert not at.end, at.end
        at = played(at, move)
        assert at is not None, move
    return at


@pytest.mark.parametrize(
    ("fen", "moves", "end"),
    [
        (STANDARD_START, "f2f3 e7e5 g2g4 d8h4", "checkmate"),
        ("7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "a1a2", "stalemate"),
        ("7k/5Q2/8/8/8/8/8/K7 w - - 99 80", "a1a2", "fifty moves"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", "checkmate"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a7", "fifty moves"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 98 80", "a1a7", ""),
        ("8/8/8/8/8/2k5/1p6/K7 w - - 0 1", "a1b1", ""),
        ("8/8/8/8/k7/8/1p6/1K6 w - - 0 1", "b1b2", "insufficient material"),
        ("4k3/8/8/8/8/8/3p4/4KN2 w - - 0 1", "e1d2", "insufficient material"),
        ("4k3/8/8/8/8/8/3p4/4KB1B w - - 0 1", "e1d2", "insufficient material"),
        ("4k3/8/8/8/8/8/3p4/4KBB1 w - - 0 1", "e1d2", ""),
        ("4kb2/8/8/8/8/8/3p4/4K1B1 w - - 0 1", "e1d2", "insufficient material"),
        ("4kn2/8/8/8/8/8/3p4/4K1B1 w - - 0 1", "e1d2", ""),
        ("4k3/8/8/8/8/8/3p4/4KNN1 w - - 0 1", "e1d2", ""),
        (STANDARD_START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", ""),
        (STANDARD_START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "repetition"),
    ],
)
def test_how_games_end(fen, moves, end):
    assert after(fen, *moves.split()).end == end


@pytest.mark.parametrize(
    ("fen", "count"),
    [
        # Black can take en passant at first, and that position never comes again
        ("rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3", 10),
        # no pawn can take: the square does not count
        (STANDARD_START, 9),
        # the pawn would leave its king to the rook on the rank
        ("rnbq1bnr/ppp1pppp/8/8/R2p3k/8/1PPPPPPP/1NBQKBNR w K - 0 3", 9),
    ],
)
def test_en_passant_counts_for_repetition_if_it_is_legal(fen, count):
    moves = ["e2e4", *["b8c6", "b1c3", "c6b8", "c3b1"] * 3][:count]
    assert not after(fen, *moves[:-1]).end
    assert after(fen, *moves).end == "repetition"


def test_a_lost_castling_right_makes_another_position():
    fen = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1"
    cycle = ["h1g1", "g8f6", "g1h1", "f6g8"]
    assert not after(fen, *cycle, *cycle).end
    assert after(fen, *cycle, *cycle, "h1g1").end == "repetition"


@pytest.mark.parametrize(
    ("fen", "move", "becomes"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", None),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1h1", "r3k2r/8/8/8/8/8/8/R4RK1 b ha - 1 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1g1", None),
        ("r3k2r/8/8/8/8/8/8/R3K2R b HAha - 0 1", "e8a8", "2kr3r/8/8/8/8/8/8/R3K2R w HA - 1 2"),
        # the rook leaves the king to a queen on its rank
        ("4k3/8/8/8/8/8/8/qR2K3 w B - 0 1", "e1b1", None),
        ("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "c1b1", None),
        # the rook may pass an attacked square, the king may not
        ("1r2k3/8/8/8/8/8/8/R3K3 w A - 0 1", "e1a1", "1r2k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
        ("3rk3/8/8/8/8/8/8/R3K3 w A - 0 1", "e1a1", None),
        # the king stays where it is
        ("4k3/8/8/8/8/8/8/5RKR w H - 0 1", "g1h1", None),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        # both pawns leave the rank
        ("8/8/8/K1Pp3r/8/8/8/4k3 w - d6 0 1", "c5d6", None),
        ("8/8/8/2Pp3r/K7/8/8/4k3 w - d6 0 1", "c5d6", "8/8/3P4/7r/K7/8/8/4k3 b - - 0 1"),
    ],
)
def test_castling_and_en_passant(fen, move, becomes):
    reached = played(position(fen), move)
    assert (None if reached is None else format_fen(reached)) == becomes


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("e2e5", "the pawn on e2 cannot go to e5"),
        ("e7e5", "there is Black's pawn on e7"),
        ("e3e4", "there is no piece on e3"),
        ("a1b1", "b1 is occupied by an own piece"),
        ("e1g1", "castling is not possible now"),
        ("e2e4q", "no such move: 'e2e4q'"),
    ],
)
def test_a_refusal_says_why(move, reason):
    made = rules(Options())
    with pytest.raises(IllegalMove) as refused:
        made.check(made.start(), 0, move)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("fen", "move", "reason"),
    [
        ("4k3/8/8/8/8/4r3/4R3/4K3 w - - 0 1", "e2d2", "the rook on e2 is pinned"),
        ("4k3/8/8/8/8/4r3/8/4K2R w - - 0 1", "h1h2", "it leaves the king in check"),
        ("4k3/8/8/8/8/4r3/8/4K2R w - - 0 1", "e1e2", "e2 is attacked"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "the piece to promote to is missing"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a6", "the pawn on a7 cannot go to a6"),
    ],
)
def test_a_refusal_says_why_in_a_position(fen, move, reason):
    made = rules(Options(opening=fen))
    with pytest.raises(IllegalMove) as refused:
        made.check(made.start(), 0, move)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    "text", ["0000", "(none)", "NULL", "e7e8Q", "e7e8k", "E2E4", "e2", "", "e2e2", "O-O"]
)
def test_text_that_is_no_move_is_refused(text):
    with pytest.raises(ValueError, match="expected a move such as"):
        parse(text)


def test_a_win_is_whites_or_blacks():
    made = rules(Options())
    at = after(STANDARD_START, "f2f3", "e7e5", "g2g4", "d8h4")
    outcome = made.outcome(at)
    assert (outcome.points, outcome.ending) == ((0.0, 1.0), Ending("checkmate"))
    with pytest.raises(ValueError, match="not over"):
        made.outcome(made.start())


# Start positions and FEN


def test_there_are_960_start_positions_and_all_are_right():
    ranks = {back_rank(number) for number in range(960)}
    assert len(ranks) == 960
    for rank in ranks:
        bishops = [place for place, piece in enumerate(rank) if piece == "B"]
        assert sum(bishops) % 2 == 1
        assert rank.index("R") < rank.index("K") < rank.rindex("R")
        assert sorted(rank) == sorted("RNBQKBNR")


@pytest.mark.parametrize("number", [0, 1, 77, 355, 518, 959])
def test_a_start_position_has_its_fen(number):
    fen = start_fen(number)
    assert format_fen(read_fen(fen, is_960=True)) == fen


@pytest.mark.parametrize(
    ("fen", "shredder", "x_fen"),
    [
        ("4k3/8/8/8/8/8/8/1R2K1RR w K - 0 1", "H", "K"),
        ("4k3/8/8/8/8/8/8/1R2K1RR w G - 0 1", "G", "G"),
        ("4k3/8/8/8/8/8/8/RR2K1RR w BH - 0 1", "HB", "KB"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "ha", "kq"),
    ],
)
def test_castling_rights_of_x_fen_and_shredder_fen(fen, shredder, x_fen):
    at = read_fen(fen, is_960=True)
    assert format_fen(at).split()[2] == shredder
    assert format_fen(at, shredder=False).split()[2] == x_fen
    assert read_fen(format_fen(at, shredder=False), is_960=True) == at


@pytest.mark.parametrize(
    ("fen", "problem"),
    [
        ("8/8/8/8/8/8/8/8 w - -", "0 kings of White"),
        ("4k3/8/8/8/8/8/8/4K2K w - -", "2 kings of White"),
        ("4k3/8/8/8/8/8/8/4K3 x - -", "side to move"),
        ("4k3/8/8/8/8/8/8/4K4 w - -", "rank 1"),
        ("4k3/8/8/8/8/8/4K3 w - -", "8 ranks"),
        ("4k2P/8/8/8/8/8/8/4K3 w - -", "pawn"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - -", "Black is in check"),
        ("4k3/8/8/8/8/8/8/4K3 w K -", "no king with a rook for K"),
        ("4k3/8/8/8/8/8/8/3K3R w K -", "Chess960"),
        ("4k3/8/8/8/8/8/8/4K3 w - e4", "en passant"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "half-move clock"),
        ("4k3/8/8/8/8/8/8/4K3 w", "4 to 6 fields"),
    ],
)
def test_a_wrong_fen_is_refused(fen, problem):
    with pytest.raises(ValueError, match=problem):
        read_fen(fen)


def test_a_fen_without_counters_is_complete_and_keeps_en_passant():
    at = read_fen("rnbqkbnr/ppp2ppp/8/3pp3/3PP3/8/PPP2PPP/RNBQKBNR w KQkq e6")
    assert at.en_passant == -1  # no pawn takes there
    at = read_fen("rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPP2PPP/RNBQKBNR w KQkq e6")
    assert format_fen(at) == "rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPP2PPP/RNBQKBNR w KQkq e6 0 1"


# Options


@pytest.mark.parametrize(
    ("variant", "given", "kept"),
    [
        ("standard", "e4 e5 Nf3", "e2e4 e7e5 g1f3"),
        ("standard", "1. e4 e5 2.Nf3", "e2e4 e7e5 g1f3"),
        ("standard", STANDARD_START, ""),
        ("standard", f"{STANDARD_START} moves e2e4", "e2e4"),
        ("standard", " ".join(ENDGAME.split()[:4]), ENDGAME),
        ("standard", f"{ENDGAME} moves Rb1", f"{ENDGAME} moves b4b1"),
        ("chess960", "518", ""),
        ("chess960", "0", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"),
        ("dfrc", "518 0", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAhf - 0 1"),
    ],
)
def test_an_opening_has_one_form(variant, given, kept):
    options = Options(variant=variant, opening=given)
    assert options.opening == kept
    assert Options(variant=variant, opening=kept) == options


@pytest.mark.parametrize(
    ("variant", "given", "problem"),
    [
        ("standard", "e4 e4", "move 2"),
        ("standard", "518", "variant = chess960"),
        ("chess960", "960", "expected 0 to 959"),
        ("chess960", "1 2", "variant = dfrc"),
        ("standard", "f3 e5 g4 Qh4", "the game is over"),
        ("standard", "4k3/8/8/8/8/8/8/4K3 w - -", "the game is over where it should begin: insufficient"),
        ("standard", 3, "expected a text"),
        ("crazyhouse", "", "variant: got 'crazyhouse'"),
    ],
)
def test_an_impossible_opening_is_refused(variant, given, problem):
    with pytest.raises(ValueError, match=problem):
        Options(variant=variant, opening=given)


def test_the_rules_say_what_an_engine_is_told():
    made = rules(Options(opening=f"{KIWIPETE} moves e1g1"))
    assert (made.start_fen, made.opening_plays, made.chess960) == (KIWIPETE, ((0, "e1g1"),), False)
    assert made.acting(made.start()) == (1,)
    made = rules(Options(variant="chess960"))
    assert made.start_fen == start_fen(518)
    assert (made.variant, made.chess960) == ("chess960", True)


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    [
        (STANDARD_START, "Nf3", "g1f3"),
        (STANDARD_START, "e2e4", "e2e4"),
        (STANDARD_START, "E2E4", "e2e4"),
        (KIWIPETE, "O-O", "e1g1"),
        (KIWIPETE, "0-0-0", "e1c1"),
        (KIWIPETE, "e1h1", "e1g1"),
        (KIWIPETE, "Bxa6", "e2a6"),
        (KIWIPETE.replace("KQkq", "HAha"), "e1g1", "e1h1"),
        (KIWIPETE.replace("KQkq", "HAha"), "O-O-O", "e1a1"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8", "a7a8q"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "a7a8q"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8=N", "a7a8n"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8R", "a7a8r"),
        (STANDARD_START, "e2e5", "e2e5"),  # in the notation, and the rules say why not
    ],
)
def test_what_a_person_types_is_read(fen, text, move):
    variant = "standard" if fen.split()[2] in ("KQkq", "-") else "chess960"
    made = rules(Options(variant=variant, opening=fen))
    assert made.read(made.start(), text) == move


@pytest.mark.parametrize(
    ("text", "problem"), [("Nf6", "not legal"), ("Nd2", "not legal"), ("x", "expected a move")]
)
def test_what_cannot_be_meant_is_refused(text, problem):
    made = rules(Options())
    with pytest.raises(ValueError, match=problem):
        made.read(made.start(), text)


def test_the_board_is_drawn_with_the_last_move():
    made = rules(Options())
    board = made.render(after(STANDARD_START, "g1f3"), ((0, "g1f3"),))
    assert "3 . . . . .(N). ." in board
    assert "1 R N B Q K B(.)R" in board
