"""Illegal and unreadable answers that are asked for again, on the same clock, and counted."""

import pytest
from test_referee import S, Seats

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending
from gyoji.referee.seat_state import Closing


def played(black, white, **changes):
    seats = Seats(black, white, **changes)
    seats.run()
    return seats


def record(seats):
    return seats.referee.record("2026-11-24T06:00:00+00:00", 0, [Closing()] * 2)


def test_an_illegal_move_is_asked_for_again_and_counted():
    seats = played(["C3", "A2", "pass"], ["C3", "C3", "D4", "pass"], illegal_tries=2)
    asked = [each for each in seats.requests[1] if isinstance(each, m.AskMove)]
    assert [(each.taken_back, each.notice) for each in asked[:4]] == [
        (0, ""),
        (1, "occupied point C3"),
        (1, "occupied point C3"),
        (0, ""),
    ]
    assert [len(each.news) for each in asked[:3]] == [1, 0, 0]
    made = record(seats)
    assert [engine.illegal_tries for engine in made.result.engines] == [0, 2]
    assert [played.move for turn in made.turns for played in turn] == ["C3", "D4", "A2", "pass", "pass"]


@pytest.mark.parametrize(("tries", "ends"), [(0, True), (1, True), (2, False)])
def test_one_too_many_loses(tries, ends):
    seats = played(["C3", "pass"], ["C3", "C3", "pass"], illegal_tries=tries)
    assert (seats.referee.outcome.ending is Ending.ILLEGAL_MOVE) is ends


def test_each_question_has_its_own_tries():
    seats = played(["C3", "B2", "pass"], ["C3", "D4", "B2", "E5", "pass"], illegal_tries=1)
    assert seats.referee.outcome.ending is Ending.SCORE
    assert record(seats).result.engines[1].illegal_tries == 2


def test_an_unreadable_answer_is_one_of_them():
    seats = played([m.Malformed("hello"), "C3", "pass"], ["pass"], illegal_tries=1)
    assert seats.referee.outcome.ending is Ending.SCORE
    (again,) = [each for each in seats.requests[0] if isinstance(each, m.AskMove) and each.notice]
    assert (again.notice, again.taken_back) == ("ill-formed move 'hello'", 0)
    lost = played([m.Malformed("hello"), m.Malformed("hello")], [], illegal_tries=1)
    assert lost.referee.outcome.ending is Ending.ILL_FORMED_MOVE


def test_all_tries_are_on_the_same_clock():
    clock = TimeControl(main=10 * S)
    slow = played(["C3"], [("C3", 6), ("C3", 6), "D4"], illegal_tries=5, clock=clock)
    assert (slow.referee.outcome.ending, slow.referee.outcome.seat) == (Ending.TIME, 1)
    made = record(played(["C3", "pass"], [("C3", 6), ("D4", 3), "pass"], illegal_tries=5, clock=clock))
    assert [(each.seat, each.ns) for each in made.extra_time] == [(1, 6 * S)]
    assert made.result.outcome.ending is Ending.SCORE


def test_an_engine_that_cannot_take_back_loses_at_once():
    seats = Seats(["C3"], ["C3"], illegal_tries=3)
    while seats.queue:
        action = seats.queue.pop(0)
        ready = isinstance(getattr(action, "request", None), m.NewGame)
        if ready:
            seats.queue += seats.referee.replied(action.seat, m.Ready(takes_back=False), 0)
        else:
            seats.queue.insert(0, action)
            seats.run()
    assert seats.referee.outcome.ending is Ending.ILLEGAL_MOVE
