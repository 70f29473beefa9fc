"""Generations and series: what is issued when, and what resuming makes of it."""

import pytest
from msgspec import structs

from gyoji.core.faults import ConfigError
from gyoji.formats.ce_tuner import GameName, Generations
from gyoji.tuning.series import Series
from tuner_events import event, result


class Learner:
    """Draws 0, 1, 2 ... with the generation in front; notes what it has learned."""

    def __init__(self, size=3):
        self.size = size
        self.learned = []

    def draw(self, generation):
        return [(float(generation), float(number)) for number in range(self.size)]

    def learn(self, candidates):
        self.learned.append(
            (len(self.learned), [(each.number, each.score, each.games) for each in candidates])
        )


def generations(learner=None, limit=2, batch=2, block=1):
    return Generations(learner or Learner(), limit=limit, batch=batch, block=block)


def ids(event, count=100):
    issued = []
    while len(issued) < count and (found := event.next()) is not None:
        issued.append(found[0].id)
    return issued


def test_candidates_take_turns_and_then_all_wait():
    event = generations()
    assert ids(event) == ["g0#0r0", "g0#1r0", "g0#2r0", "g0#0r1", "g0#1r1", "g0#2r1"]
    assert event.remaining == 6


def test_games_of_an_opening_are_played_one_after_the_other():
    assert ids(generations(block=2))[:3] == ["g0#0r0", "g0#0r1", "g0#1r0"]


def test_a_generation_is_learned_from_when_its_last_game_is_in():
    learner = Learner()
    event = generations(learner)
    names = [event.next()[0] for _ in range(6)]
    for name in names[:5]:
        event.add(name, (0.0, 0.0), 0.5)
    assert learner.learned == []
    event.add(names[5], (0.0, 0.0), 1.0)
    assert learner.learned == [(0, [(0, 1.0, 2), (1, 1.0, 2), (2, 1.5, 2)])]
    assert event.next() == (GameName(1, 0, 0), (1.0, 0.0))


def test_the_same_result_counts_once():
    event = generations()
    event.add(GameName(0, 1, 0), (9.0, 9.0), 1.0)
    event.add(GameName(0, 1, 0), (9.0, 9.0), 1.0)
    assert [each.score for each in event.last] == [0, 1.0, 0]
    assert event.last[1].point == (9.0, 9.0)


def test_a_result_of_a_later_generation_says_that_the_earlier_ones_were_complete():
    learner = Learner()
    event = generations(learner, limit=3, batch=5)
    event.add(GameName(0, 1, 0), (0.0, 1.0), 1.0)
    event.add(GameName(1, 2, 0), (1.0, 2.0), 0.0)
    assert learner.learned == [(0, [(1, 1.0, 1)])]
    assert event.number == 1
    assert event.remaining == 14 + 15


def test_an_event_that_is_over_can_be_extended():
    results = []
    event = generations(limit=1)
    for _ in range(6):
        name, point = event.next()
        results.append((name, point))
        event.add(name, point, 1.0)
    assert event.is_over
    assert event.next() is None
    assert event.remaining == 0
    assert [each.games for each in event.last] == [2, 2, 2]
    longer = generations(limit=2)
    for name, point in results:
        longer.add(name, point, 1.0)
    assert longer.next() == (GameName(1, 0, 0), (1.0, 0.0))


def test_generations_beyond_the_limit_are_left_alone():
    learner = Learner()
    event = generations(learner, limit=1)
    event.add(GameName(7, 0, 0), (0.0, 0.0), 1.0)
    assert [each.games for each in event.last] == [0, 0, 0]
    assert event.is_over


def test_a_candidate_that_a_generation_does_not_have_is_refused():
    with pytest.raises(ConfigError, match="give generations the size that they had"):
        generations().add(GameName(0, 3, 0), (0.0, 0.0), 1.0)


@pytest.mark.parametrize(
    "name", ["", "0", "g0#0", "g0r0#0", "g0#0r", "g00#0r0", "x0#0r0", "g0#0r0r0", "g-1#0r0"]
)
def test_a_game_that_has_no_such_name_is_refused(name):
    tuner = event("ce_tuner")
    stored = structs.replace(result(tuner.next_game()), id=name)
    with pytest.raises(ConfigError, match="is not a game of a generation"):
        tuner.add(stored)


# Series


def test_a_candidate_has_its_block_and_is_then_forgotten():
    series = Series(None, 2)
    chosen = iter("ab")
    assert [series.next(lambda _: next(chosen)) for _ in range(3)] == [(0, 0, "a"), (1, 0, "a"), (2, 1, "b")]
    assert [series.add(0, "a"), series.add(1, "a"), series.add(1, "a")] == [True, True, False]
    assert series.played == 2
    assert series._open == {1: ("b", 2)}


def test_what_is_lacking_of_a_candidate_is_played_by_it():
    series = Series(6, 2)
    for number in (0, 3, 4, 5):
        series.add(number, f"c{number // 2}")
    assert series.remaining == 2
    assert [series.next(str) for _ in range(3)] == [(1, 0, "c0"), (2, 1, "c1"), None]
