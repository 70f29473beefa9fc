"""Adjudication of chess: scores in centipawns, mates, bounds, move numbers, captures and pawn moves."""

import pytest
from chess_games import ChessGame

from gyoji.core.evaluation import FORCED
from gyoji.core.messages import Evaluation
from gyoji.core.outcome import Ending
from gyoji.core.spec import Adjudication, Threshold
from gyoji.games.chess.game_options import Options as ChessOptions
from gyoji.games.chess.game_options import rules as chess_rules
from gyoji.referee.adjudication import Thresholds
from gyoji.referee.seat_state import Closing

# Knights that go out and back: no capture, no pawn moves, no position three times.
QUIET = "b1c3 b8c6 g1f3 g8f6 c3b1 c6b8 f3g1 f6g8 g1h3 g8h6 b1a3 b8a6 h3g1 h6g8"


def cp(score, **figures):
    return Evaluation(score=float(score), **figures)


def mate(moves):
    score = FORCED - moves if moves > 0 else -FORCED - moves
    return Evaluation(score=float(score), win=float(moves > 0), mate=moves)


LEVEL = Adjudication(draw=Threshold(score=10, moves=2))
LEVEL_FOR_LONG = Adjudication(draw=Threshold(score=10, moves=3))
LOST = Adjudication(win=Threshold(score=500, moves=2), agreed=False)
BOTH = Adjudication(win=Threshold(score=500, moves=2))


def test_the_draw_is_counted_from_the_last_pawn_move_on():
    """Its own evaluation counts, as in fastchess: DrawTracker.update resets before it counts."""
    plain = ChessGame(QUIET, [cp(0)] * 16, adjudication=LEVEL_FOR_LONG)
    assert (plain.ending, plain.turns) == (Ending.ADJUDICATION, 6)
    moves = "b1c3 b8c6 g1f3 g8f6 e2e4 e7e5 f1e2 f8e7 e2f1 e7f8 f1d3"
    game = ChessGame(moves, [cp(0)] * 16, adjudication=LEVEL_FOR_LONG)
    # Move 6 is e7e5. Evaluations 6 to 11 count.
    assert (game.ending, game.turns) == (Ending.ADJUDICATION, 11)
    assert game.points == (0.5, 0.5)
    assert game.flaws() == []


def test_the_draw_is_counted_from_the_last_capture_on():
    moves = "b1c3 b8c6 c3d5 c6d4 d5e7 f8e7 g1h3 g8h6 h3g1 h6g8 g1h3 g8h6"
    game = ChessGame(moves, [cp(0)] * 16, adjudication=LEVEL_FOR_LONG)
    assert (game.ending, game.turns) == (Ending.ADJUDICATION, 11)


def test_a_capture_does_not_reset_the_count_of_a_win():
    moves = "b1c3 b8c6 c3d5 c6d4 d5e7 f8e7 g1h3 g8h6"
    game = ChessGame(moves, [cp(-600), cp(20)] * 8, adjudication=LOST)
    assert (game.ending, game.turns, game.points) == (Ending.ADJUDICATION, 3, (0.0, 1.0))


@pytest.mark.parametrize(
    ("settings", "white", "black", "points"),
    [
        (LOST, cp(-500), cp(-20), (0.0, 1.0)),
        (LOST, cp(20), cp(-500), (1.0, 0.0)),
        (LOST, cp(-499), cp(900), None),
        (BOTH, cp(500), cp(-500), (1.0, 0.0)),
        (BOTH, cp(500), cp(-499), None),
        (BOTH, cp(500), cp(500), None),
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
    settings = Adjudication(win=Threshold(score=500, moves=2), agreed=False, length=4)
    game = ChessGame(QUIET, [cp(0), cp(-600)] * 8, adjudication=settings)
    assert (game.turns, game.points) == (4, (1.0, 0.0))
    assert ChessGame(QUIET, adjudication=settings).points == (0.5, 0.5)


@pytest.mark.parametrize(
    ("settings", "said", "turns"),
    [
        (LEVEL, [cp(0)] * 16, 4),
        (LEVEL, [cp(0), cp(0), cp(0), None, *[cp(0)] * 12], 8),  # a silence ends the series
        (LEVEL, [cp(30), *[cp(0)] * 15], 5),
        (LOST, [cp(600), cp(-600)] * 8, 4),
        (LOST, [cp(600), cp(-600), cp(600), None, *[cp(600), cp(-600)] * 6], 8),
        (BOTH, [cp(600), cp(-600)] * 8, 4),
        (BOTH, [cp(-600), cp(600)] * 8, 5),  # after four moves the loser has not moved
        (BOTH, [cp(0), *[cp(-600), cp(600)] * 8], 6),
    ],
)
def test_the_move_whose_evaluation_completes_a_series_is_the_last(settings, said, turns):
    """As in fastchess: DrawTracker and ResignTracker are updated with each move and asked after it."""
    game = ChessGame(QUIET, said, adjudication=settings)
    assert (game.ending, game.turns) == (Ending.ADJUDICATION, turns)
    assert game.flaws() == []
    opinions = game.referee.record("", 0, [Closing(), Closing()]).opinions
    assert [each.turn for each in opinions] == [turn for turn in range(turns) if said[turn] is not None]


@pytest.mark.parametrize(
    ("settings", "said", "turns"),
    [
        (LEVEL, [cp(0)] * 16, 6),
        (LEVEL, [cp(0), cp(0), cp(0), None, *[cp(0)] * 12], 10),
        (LOST, [cp(600), cp(-600)] * 8, 6),
        (BOTH, [cp(-600), cp(600)] * 8, 7),
    ],
)
def test_an_evaluation_that_follows_its_move_counts_from_the_next_answer_on(settings, said, turns):
    game = ChessGame(QUIET, said, adjudication=settings, late=True)
    assert (game.ending, game.turns) == (Ending.ADJUDICATION, turns)
    assert game.flaws() == []


def test_a_remark_does_not_change_the_evaluation_that_came_with_the_move():
    rules = chess_rules(ChessOptions())
    judge = Thresholds(Adjudication(draw=Threshold(score=10, moves=1)), rules)
    turns = (((0, "b1c3"),), ((1, "b8c6"),))
    position = rules.play(rules.play(rules.start(), turns[0]), turns[1])
    judge.add_opinion(0, 0, cp(0), True)
    judge.add_opinion(0, 0, cp(900))
    assert judge.outcome(position, turns) is None
    judge.add_opinion(1, 1, cp(0), True)
    assert judge.outcome(position, turns).points == (0.5, 0.5)
