"""Spectators get what is new in a game at once, and then at most once a period."""

import pytest

from gyoji.core.record import Played
from gyoji.play.live_updates import Live, LiveUpdates
from gyoji.play.loop import Loop

MS = 1_000_000


class Game:
    """A game of which turns are told; `first` is where something has changed."""

    def __init__(self):
        self.turns = []
        self.asked = []

    def live(self, told, now):
        self.asked.append(told)
        return Live(id="g", first=told, turns=tuple(self.turns[told:]))

    def play(self):
        self.turns.append((Played(len(self.turns) % 2, "A1", 0),))


@pytest.fixture
def loop():
    loop = Loop()
    yield loop
    loop.close()


def told_by(loop, period_ms=1):
    told = []
    return LiveUpdates(loop, told.append, period_ms * MS), told


def test_the_first_news_is_the_whole_game_and_each_later_one_what_is_new(loop):
    teller, told = told_by(loop)
    game = Game()
    game.play()
    game.play()
    teller.begin(game.live, 0)
    loop.wait(1)
    game.play()
    teller.notice(0)
    while len(told) < 2:
        loop.wait(1)
    assert [(live.first, len(live.turns)) for live in told] == [(0, 2), (2, 1)]
    assert game.asked == [0, 2]


def test_many_moves_in_a_period_are_told_together(loop):
    teller, told = told_by(loop, period_ms=50)
    game = Game()
    teller.begin(game.live, 0)
    loop.wait(1)
    for _ in range(20):
        game.play()
        teller.notice(0)
    while len(told) < 2:
        loop.wait(1)
    assert [len(live.turns) for live in told] == [0, 20]


def test_a_game_in_which_nothing_happens_is_not_looked_at(loop):
    teller, told = told_by(loop)
    teller.begin(Game().live, 0)
    loop.wait(1)
    loop.wait(0.02)
    assert len(told) == 1


def test_after_the_end_nothing_is_told(loop):
    teller, told = told_by(loop)
    game = Game()
    teller.begin(game.live, 0)
    teller.end()
    teller.notice(0)
    loop.wait(0.02)
    assert told == []
