"""Adjudication of chess: scores in centipawns, mates, bounds, move numbers, captures and pawn moves."""

import pytest
from chess_games import ChessGame

from gyoji.core.evaluation import FORCED
from gyoji.core.messages import Evaluation
from gyoji.core.outcome import Ending
from gyoji.core.spec import Adjudication, Threshold

# Knights that go out and back: no capture, no pawn moves, no position three times.
QUIET = "b1c3 b8c6 g1f3 g8f6 c3b1 c6b8 f3g1 f6g8 g1h3 g8h6 b1a3 b8a6 h3g1 h6g8"


def cp(score, **figures):
    return Evaluation(score=float(score), **figures)


def mate(moves):
    score = FORCED - moves if moves > 0 else -FORCED - moves
    return Evaluation(score=float(score), win=float(moves > 0), mate=moves)


LEVEL = Adjudication(draw=Threshold(score=10, moves=2))
LOST = Adjudication(win=Threshold(score=500, moves=2), agreed=False)
BOTH = Adjudication(win=Threshold(score=500, moves=2))


def test_the_draw_is_counted_from_the_last_pawn_move_on():
    """Its own evaluation counts, as in fastchess: DrawTracker.update resets before it counts."""
    plain = ChessGame(QUIET, [cp(0)] * 16, adjudication=LEVEL)
    assert (plain.ending, plain.turns) == (Ending.ADJUDICATION, 6)
    moves = "b1c3 b8c6 g1f3 g8f6 e2e4 e7e5 f1e2 f8e7 e2f1 e7f8 f1d3"
    game = ChessGame(moves, [cp(0)] * 16, adjudication=LEVEL)
    # Move 6 is e7e5. Evaluations 6 to 9 count, and of the last two each side's next answer has to come.
    assert (game.ending, game.turns) == (Ending.ADJUDICATION, 11)
    assert game.points == (0.5, 0.5)
    assert game.flaws() == []


def test_the_draw_is_counted_from_the_last_capture_on():
    moves = "b1c3 b8c6 c3d5 c6d4 d5e7 f8e7 g1h3 g8h6 h3g1 h6g8 g1h3 g8h6"
    game = ChessGame(moves, [cp(0)] * 16, adjudication=LEVEL)
    assert (game.ending, game.turns) == (Ending.ADJUDICATION, 11)


def test_a_capture_does_not_reset_the_count_of_a_win():
    moves = "b1c3 b8c6 c3d5 c6d4 d5e7 f8e7 g1h3 g8h6"
    game = ChessGame(moves, [cp(-600), cp(20)] * 8, adjudication=LOST)
    assert (game.ending, game.turns, game.points) == (Ending.ADJUDICATION, 5, (0.0, 1.0))


@pytest.mark.parametrize(
    ("settings", "white", "black", "points"),
    [
        (LOST, cp(-500), cp(-20), (0.0, 1.0)),
        (LOST, cp(20), cp(-500), (1.0, 0.0)),
        (LOST, cp(-499), cp(900), None),
        (BOTH, cp(500), cp(-500), (1.0, 0.0)),
        (BOTH, cp(500), cp(-499), None),
        (BOTH, cp(500), cp(500), None),  # fastchess ends such a game, for the side that does not move
        (BOTH, mate(5), mate(-4), (1.0, 0.0)),
        (BOTH, mate(5), cp(-800), (1.0, 0.0)),
        (LOST, mate(-120), cp(0), (0.0, 1.0)),
        (Adjudication(win=Threshold(score=40_000, moves=2), agreed=False), mate(-3), cp(0), (0.0, 1.0)),
        (Adjudication(draw=Threshold(score=40_000, moves=2)), cp(900), mate(9), None),
        (LEVEL, cp(-10), cp(10), (0.5, 0.5)),
        (LEVEL, cp(-11), cp(10), None),
        (LEVEL, None, cp(0), None),
        (LEVEL, cp(0, bound="lower"), cp(0, bound="upper"), (0.5, 0.5)),
        (LOST, cp(-600, bound="upper"), cp(0), (0.0, 1.0)),
    ],
)
def test_scores_are_centipawns_a_mate_is_beyond_every_limit_and_bounds_count(settings, white, black, points):
    game = ChessGame(QUIET, [white, black] * 8, adjudication=settings)
    if points is None:
        assert game.ending is Ending.RESIGNATION
    else:
        assert (game.ending, game.points) == (Ending.ADJUDICATION, points)
        assert game.flaws() == []


def test_a_win_comes_before_the_length_of_the_game():
    settings = Adjudication(win=Threshold(score=500, moves=2), agreed=False, length=6)
    game = ChessGame(QUIET, [cp(0), cp(-600)] * 8, adjudication=settings)
    assert (game.turns, game.points) == (6, (1.0, 0.0))
    assert ChessGame(QUIET, adjudication=settings).points == (0.5, 0.5)
