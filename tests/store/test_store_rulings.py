"""What a judge ruled stays on record, and the newest of it holds."""

import pytest
from store_games import make_record, make_spec

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import Ruling
from gyoji.store.store import Store


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "event.db", "event", create=True) as opened:
        for number in range(3):
            opened.append(make_spec(number), make_record(number))
        yield opened


def ruling(who, winner, **more):
    points = (1.0, 0.0) if winner == 0 else (0.0, 1.0)
    outcome = Outcome(points=points, ending=Ending.SCORE, margin=2.5)
    return Ruling(who=who, when="2026-11-21T08:00:00+0000", outcome=outcome, **more)


FIRST = ruling("ann", 1, dead=("D4",), filled=((1, "K10"),), basis="territory", remark="D4 is dead")
SECOND = ruling("bob", 0, basis="award")


def test_without_rulings_results_are_as_they_were_stored(store):
    assert list(store.results()) == [make_record(number).result for number in range(3)]
    assert list(store.rulings()) == []


def test_the_newest_ruling_decides_and_says_who_ruled(store):
    store.rule("0_1", FIRST)
    assert [result.outcome.winner for result in store.results()] == [0, 1, 0]
    store.rule("0_1", SECOND)
    (result,) = [result for result in store.results() if result.id == "0_1"]
    assert (result.outcome.winner, result.outcome.detail) == (0, "ruled by bob: award")
    assert store.record("0_1")[1].result == result


def test_a_ruling_changes_nothing_but_the_outcome(store):
    store.rule("0_1", FIRST)
    spec, record = store.record("0_1")
    before = make_record(1)
    assert (spec, record.turns, record.final_remarks) == (make_spec(1), before.turns, before.final_remarks)
    assert record.result.outcome.detail == "ruled by ann: territory; D4 is dead"


def test_earlier_rulings_are_kept_in_order_and_whole(store):
    for each in (FIRST, SECOND):
        store.rule("0_1", each)
    store.rule("0_2", FIRST)
    with Store.read(store.path) as reader:
        assert list(reader.rulings("0_1")) == [("0_1", FIRST), ("0_1", SECOND)]
        assert [game for game, _ in reader.rulings()] == ["0_1", "0_1", "0_2"]


def test_a_game_that_is_not_stored_cannot_be_ruled(store):
    with pytest.raises(KeyError):
        store.rule("0_9", FIRST)
    assert list(store.rulings()) == []
