"""What is stored is what is read, once, in order, by anybody; the newest ruling of a game holds."""

import sqlite3
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from store_games import make_record, make_spec, make_void

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import ExtraTime, Played, Purge, Ruling, TakenBack
from gyoji.store.game_texts import Finished, SpecParts, Voided, join_record
from gyoji.store.layout import StoreFailure
from gyoji.store.store import Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "event.db"


def finished(*numbers):
    return [Finished.of(make_spec(number), make_record(number)) for number in numbers]


def test_results_come_back_in_order_of_completion(path):
    with Store.open(path, "event", create=True) as store:
        for number in (3, 1, 2):
            assert store.append(make_spec(number), make_record(number))
    with Store.open(path, "event") as store:
        assert list(store.results()) == [make_record(number).result for number in (3, 1, 2)]
        assert [result.id for result in store.results(skip=2)] == ["0_2"]


def test_a_record_comes_back_with_the_settings_it_was_played_with(path):
    spec = make_spec(5, note="deciding game", competition="event", event="final")
    with Store.open(path, "event", create=True) as store:
        store.append(spec, make_record(5))
        assert store.record("0_5") == (spec, make_record(5))
        with pytest.raises(KeyError):
            store.record("0_6")


def test_the_move_that_lost_is_stored(path):
    record = replace(make_record(5), refused=Played(1, "h8", 7))
    with Store.open(path, "event", create=True) as store:
        store.append(make_spec(5), record)
        assert store.record("0_5")[1] == record


def test_a_game_that_is_stored_stays_as_it_is(path):
    other = make_record(1, turns=9)
    with Store.open(path, "event", create=True) as store:
        assert store.append_many(finished(1, 2)) == {"0_1", "0_2"}
        assert store.append_many([Finished.of(make_spec(1), other), *finished(3)]) == {"0_3"}
        assert store.record("0_1") == (make_spec(1), make_record(1))
        assert store.count == 3


def test_more_games_than_one_chunk_come_back_each_once(path):
    count = 1003
    with Store.open(path, "event", create=True) as store:
        store.append_many(finished(*range(count)))
        assert [result.id for result in store.results()] == [f"0_{number}" for number in range(count)]


def test_void_games_are_counted_and_kept_with_their_attempt(path):
    with Store.open(path, "event", create=True) as store:
        store.append_many([], [Voided(make_void(1), 1), Voided(make_void(1), 2)])
        assert store.count == 0
        assert [(each.attempt, each.void) for each in store.voids()] == [(1, make_void(1)), (2, make_void(1))]


def test_players_and_settings_are_stored_once(path):
    with Store.open(path, "event", create=True) as store:
        store.append_many(finished(*range(50)))
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM texts").fetchone() == (3,)
    connection.close()


def test_two_writers_store_each_game_once(path):
    with Store.open(path, "event", create=True) as one, Store.open(path, "event", create=True) as other:
        news = []
        for number in range(30):
            news += one.append_many(finished(number)) | other.append_many(finished(number, number + 1))
        assert sorted(news) == sorted(f"0_{number}" for number in range(31))
        assert one.count == other.count == 31
        assert one.record("0_7") == other.record("0_7")


def test_a_reader_that_is_in_the_middle_of_the_results_sees_what_is_added(path):
    with Store.open(path, "event", create=True) as writer:
        writer.append_many(finished(*range(600)))
        with Store.read(path) as reader:
            results = reader.results()
            first = [next(results) for _ in range(10)]
            writer.append_many(finished(*range(600, 700)))
            rest = list(results)
            assert [each.id for each in first + rest] == [f"0_{number}" for number in range(700)]
            assert reader.count == 700


def test_a_reader_cannot_write(path):
    Store.open(path, "event", create=True).close()
    with Store.read(path) as reader, pytest.raises(StoreFailure, match="read-only"):
        reader.append(make_spec(1), make_record(1))


def test_results_are_read_as_they_are_asked_for(path):
    with Store.open(path, "event", create=True) as store:
        store.append_many(finished(*range(3000)))
        tracemalloc.start()
        assert sum(1 for _ in store.results()) == 3000
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 2_000_000


@given(
    seed=st.integers(0, 2**63 - 1),
    note=st.text(max_size=20),
    options=st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=3),
)
@settings(max_examples=50)
def test_a_spec_that_is_taken_apart_can_be_joined(seed, note, options):
    spec = make_spec(1, seed=seed, note=note, options=options)
    assert SpecParts.of(spec).spec() == spec


@pytest.mark.parametrize("number", [0, 1])
def test_a_record_that_is_taken_apart_can_be_joined(number):
    game = Finished.of(make_spec(number), make_record(number))
    assert join_record(game.result_text, game.rest) == make_record(number)


def test_what_was_taken_back_and_what_was_no_move_are_stored():
    taken_back = (TakenBack(0, 1, ((Played(0, "D4", 5),), (Played(1, "E5", 6),))),)
    record = replace(make_record(0), taken_back=taken_back, extra_time=(ExtraTime(1, 0, 7),))
    game = Finished.of(make_spec(0), record)
    assert join_record(game.result_text, game.rest) == record


words = st.text(max_size=4) | st.sampled_from(['"', ',"","",""]', '\\"]', ',"","', '"],["'])


@given(st.lists(st.tuples(words, words, words), min_size=1, max_size=4))
def test_words_of_a_move_are_stored_as_they_are_and_a_move_without_any_is_stored_without(said):
    turns = tuple((Played(0, "D4", 5, *each),) for each in said)
    plain = make_record(0)
    game = Finished.of(make_spec(0), replace(plain, turns=turns))
    assert join_record(game.result_text, game.rest).turns == turns
    assert game.rest.count('[0,"D4",5]') == said.count(("", "", ""))


def test_moves_of_an_older_gyoji_that_say_that_they_have_no_words_are_read():
    game = Finished.of(make_spec(0), make_record(0))
    older = '{"turns":[[[0,"D4",100,"","",""]],[[1,"D4",101,"hm","",""]]]}'
    assert join_record(game.result_text, older).turns == (
        (Played(0, "D4", 100),),
        (Played(1, "D4", 101, "hm"),),
    )


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


def test_games_that_are_taken_back_stay_with_the_reason(store):
    purge = Purge(who="ann", when="now", because="too hot", games=("0_0", "0_2"))
    assert not store.purged()
    store.purge("lab1", purge)
    why = "from host lab1: too hot"
    assert [by.purged for _, by in store.played()] == [why, "", why]
    assert (store.as_played(1).by.purged, store.as_played(2).by.purged) == (why, "")
    with Store.read(store.path) as reader:
        assert list(reader.purges()) == [("lab1", purge)]
        assert reader.decisions == (0, 1)
    assert list(store.problems()) == []
