"""A pool of worker processes: each does as it is told, fails alone, and leaves nothing."""

import os
import select
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from functools import partial
from pathlib import Path

import pytest
from fakes import WORKER, DrivenPool, make_record, make_spec, marked_processes
from msgspec.structs import replace

from descriptors import none_left_open
from gyoji.core.faults import ConfigError
from gyoji.play.order import Files, Order, Progress
from gyoji.scheduler.pool import Abandoned, WorkerDied
from gyoji.scheduler.resources import share_out

pytestmark = pytest.mark.process
SECONDS = 60


def play(pool, *notes):
    return [pool.submit(Order(spec=make_spec(n, note))) for n, note in enumerate(notes)]


@pytest.fixture
def pool():
    with DrivenPool(2, command=WORKER, leave_seconds=0.3) as pool:
        yield pool
        pool.abandon()
    assert marked_processes(pool.mark) == []


def test_games_are_played_and_reported(pool):
    futures = play(pool, *[""] * 20)
    for number, future in enumerate(futures):
        arrival = future.result(SECONDS)
        spec = make_spec(number)
        assert future.order.spec == spec
        assert arrival.finished.result.id == spec.id
        assert arrival.record.result.outcome.winner == 0
        assert arrival.void is None
        assert arrival.log[0].startswith("slot None")
    assert len(marked_processes(pool.mark)) <= 2


def test_a_void_game_is_reported(pool):
    (future,) = play(pool, "void")
    arrival = future.result(SECONDS)
    assert (arrival.record, arrival.finished, arrival.void.reason) == (None, None, "no engine")
    assert arrival.log == ("it said: no",)


def test_progress_reaches_whoever_wants_it(pool):
    news = []
    pool.listener.on_progress = news.append
    play(pool, "progress")[0].result(SECONDS)
    assert news == [Progress(id="g0", turns=7, left=(None, 5_000_000_000))]


@pytest.mark.parametrize(
    ("note", "why"),
    [
        ("die", "ended with exit status 3"),
        ("crash", "was killed by signal 9"),
        ("garbage", "makes no sense (Expecting value: line 1 column 1 (char 0)): 'Traceback"),
        ("nonsense", "makes no sense"),
        ("wrong", "makes no sense (got a report of another game than g1): '{"),
        ("hangup", "does not leave"),
    ],
)
def test_a_worker_that_fails_costs_its_own_game_and_its_place_is_filled_again(pool, note, why):
    silent, failing, *others = play(pool, "silent", note, "", "", "")
    with pytest.raises(WorkerDied) as caught:
        failing.result(SECONDS)
    assert why in str(caught.value)
    assert [other.result(SECONDS).finished.spec.id for other in others] == ["g2", "g3", "g4"]
    assert not silent.done()


def test_what_a_dead_worker_has_left_is_ended_before_its_game_fails(pool):
    (future,) = play(pool, "child crash")
    with pytest.raises(WorkerDied):
        future.result(SECONDS)
    assert marked_processes(pool.mark) == []


def test_a_worker_that_cannot_be_started_fails_its_game():
    with (
        DrivenPool(1, command=("/nonexistent/worker",)) as pool,
        pytest.raises(WorkerDied, match="No such file"),
    ):
        play(pool, "")[0].result(SECONDS)


def test_abandoned_games_end_at_once_and_those_that_wait_are_cancelled(pool):
    began = time.monotonic()
    silent, child, waiting = play(pool, "progress silent", "progress child silent", "")
    heard = []
    pool.listener.on_progress = heard.append
    while len(heard) < 2:
        pool.loop.wait(SECONDS)
    pool.abandon()
    for future in (silent, child):
        with pytest.raises(Abandoned):
            future.result(SECONDS)
    with pytest.raises(CancelledError):
        waiting.result(SECONDS)
    assert time.monotonic() - began < SECONDS


def test_a_pool_plays_on_after_games_were_abandoned(pool):
    (silent,) = play(pool, "silent")
    pool.abandon()
    assert isinstance(silent.exception(SECONDS), Abandoned)
    assert play(pool, "")[0].result(SECONDS).finished


def test_a_deaf_worker_is_killed_when_it_is_to_end():
    with DrivenPool(1, command=WORKER, leave_seconds=0.1) as pool:
        (future,) = play(pool, "deaf")
        pool.abandon()
        assert isinstance(future.exception(SECONDS), Abandoned)
    assert marked_processes(pool.mark) == []


def big_order(number=0, note=""):
    """Return an order of several times what a socket takes at once."""
    spec = make_spec(number, note)
    players = tuple(replace(player, environ={"BIG": "x" * 110_000}) for player in spec.players)
    return Order(spec=replace(spec, players=players, options={"opening": "D4 " * 500_000}))


def test_an_order_of_any_size_reaches_its_worker(pool):
    for number in range(3):
        assert pool.submit(big_order(number)).result(SECONDS).finished.result.id == f"g{number}"


def test_what_a_worker_has_not_taken_of_its_order_is_kept_while_others_play(pool):
    (waiting,) = play(pool, "silent")
    big = pool.submit(big_order(1, "silent"))
    work_until(pool, lambda: not any(worker._connection.unsent for worker in pool._workers))
    assert [future.done() for future in (waiting, big)] == [False, False]


def test_a_game_can_be_abandoned_before_its_worker_has_the_order():
    with DrivenPool(1, command=("/bin/sh", "-c", "sleep 600"), leave_seconds=0.1) as pool:
        future = pool.submit(big_order())
        pool.loop.wait(0)
        assert not future.done()
        pool.abandon()
        assert isinstance(future.exception(SECONDS), Abandoned)
    assert marked_processes(pool.mark) == []


def test_a_worker_that_stands_still_is_replaced_with_all_that_belongs_to_it():
    with DrivenPool(1, command=WORKER, leave_seconds=0.3, silence_seconds=2) as pool:
        first, still, after = play(pool, "", "child stop", "")
        with pytest.raises(WorkerDied, match="gave no sign of life for 2s and was killed"):
            still.result(SECONDS)
        assert first.result(0).finished
        assert after.result(SECONDS).finished
        assert marked_processes(pool.mark) == [worker.pid for worker in pool._workers]  # the new one's


def test_a_worker_that_shows_signs_of_life_plays_as_long_as_it_takes():
    with DrivenPool(1, command=WORKER, silence_seconds=2) as pool:
        (future,) = play(pool, "pulse")
        assert future.result(SECONDS).finished


def test_a_worker_that_has_nothing_to_play_may_be_silent():
    with DrivenPool(1, command=WORKER, silence_seconds=0.03) as pool:
        play(pool, "void")[0].exception(SECONDS)
        before = marked_processes(pool.mark)
        rung = []
        pool.loop.call_later(0.2, lambda: rung.append(1))
        work_until(pool, lambda: rung)
        assert marked_processes(pool.mark) == before


def work_until(pool, is_so):
    give_up = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < give_up
        pool.loop.wait(SECONDS)


def test_a_pool_grows_while_games_are_played(pool):
    pool.resize(1)
    silent, waiting = play(pool, "silent", "")
    assert not waiting.running()
    pool.resize(2)
    assert waiting.result(SECONDS).finished
    assert not silent.done()


def test_a_pool_that_shrinks_lets_running_games_finish_and_idle_workers_go(pool):
    pool.resize(3)
    for future in play(pool, "", "", ""):
        future.result(SECONDS)
    silent, *others = play(pool, "silent", "", "")
    pool.resize(1)
    assert all(other.result(SECONDS).finished for other in others)
    work_until(pool, lambda: len(pool._workers) == 1)
    assert not silent.done()
    (waiting,) = play(pool, "")
    assert not waiting.running()
    pool.resize(2)
    assert waiting.result(SECONDS).finished


def test_no_two_workers_have_the_same_processors_however_often_their_number_changes(pool):
    pool._share = lambda slots: [frozenset({number}) for number in range(slots)]

    def used():
        return sorted(cpu for worker in pool._workers for cpu in worker.cores)

    pool.resize(2)
    play(pool, "silent", "silent")
    assert used() == [0, 1]
    pool.resize(4)
    _, failing = play(pool, "silent", "die")
    assert used() == [0, 1, 2, 3]
    pool.resize(2)
    assert failing.exception(SECONDS)
    assert used() == [0, 1, 2]
    pool.resize(4)
    play(pool, "silent")
    assert used() == [0, 1, 2, 3]


def test_more_slots_than_there_are_processors_for_are_refused_and_nothing_changes():
    with DrivenPool(1, command=WORKER, share=partial(share_out, cores=1)) as pool:
        with pytest.raises(ConfigError, match="cores: 1000 games at once with 1 processors each"):
            pool.resize(1000)
        assert pool.slots == 1
        assert pool.shared({"gpu": 2}) == {"gpu": 2}
        assert pool.lines() == [f"each game on processors of its own: {min(os.sched_getaffinity(0))}"]


def test_closing_waits_for_games_and_leaves_no_process():
    pool = DrivenPool(2, command=WORKER)
    futures = play(pool, "", "child", "", "")
    pool.close()
    assert all(future.result(0).finished for future in futures)
    assert marked_processes(pool.mark) == []
    with pytest.raises(RuntimeError, match="closed"):
        play(pool, "")
    pool.close()


def test_a_pool_that_was_never_used_starts_nothing():
    with DrivenPool(3, command=WORKER) as pool:
        assert marked_processes(pool.mark) == []
    assert pool._reaper is None


def test_a_worker_that_was_started_ahead_plays_the_first_game(pool):
    pool.start_ahead()
    pool.start_ahead()
    (ahead,) = pool._workers
    play(pool, "")[0].result(SECONDS)
    assert set(pool._workers) == {ahead}


def test_a_worker_that_was_told_what_to_prepare_gets_its_first_order_after_all_of_that(pool):
    pool.start_ahead([big_order(0).spec])
    (ahead,) = pool._workers
    assert ahead._connection.unsent
    assert play(pool, "")[0].result(SECONDS).finished.result.id == "g0"
    assert set(pool._workers) == {ahead}


def test_a_worker_that_was_started_ahead_for_nothing_leaves():
    with DrivenPool(2, command=WORKER) as pool:
        pool.start_ahead()
        assert len(pool._workers) == 1
    assert marked_processes(pool.mark) == []


def test_a_pool_starts_no_thread(pool):
    before = {*threading.enumerate()}  # an earlier test's may end meanwhile
    play(pool, "")[0].result(SECONDS)
    assert {*threading.enumerate()} <= before


def test_a_pool_without_slots_is_refused():
    with pytest.raises(ValueError, match="1 slot or more"):
        DrivenPool(0)


def test_the_terminal_cannot_interrupt_a_worker(pool):
    play(pool, "")[0].result(SECONDS)
    (worker,) = (pid for pid in marked_processes(pool.mark) if pid)
    assert os.getpgid(worker) == worker != os.getpgrp()


def test_no_descriptor_is_lost():
    with none_left_open(), DrivenPool(2, command=WORKER, leave_seconds=0.1) as pool:
        for future in play(pool, "", "crash", "garbage", "hangup", ""):
            future.exception(SECONDS)


KILLED = """
import os, sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/.."]
from fakes import WORKER, DrivenPool, make_spec
from gyoji.play.order import Order
from gyoji.scheduler.slots import SlotPool
pool = SlotPool(2, command=WORKER)
heard = []
def hear(progress):
    heard.append(progress)
    if len(heard) == 2:
        os.write(1, pool.mark.encode())
pool.listener.on_progress = hear
pool.submit(Order(spec=make_spec(1, "child progress deaf")))
pool.submit(Order(spec=make_spec(2, "child progress silent")))
while True:
    pool.loop.wait()
"""


def reaper_of(pid):
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    (reaper,) = (child for child in children if "reaper.py" in Path(f"/proc/{child}/cmdline").read_text())
    return int(reaper)


def test_nothing_survives_a_scheduler_that_is_killed():
    words = [sys.executable, "-c", KILLED, os.path.dirname(__file__)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as scheduler:
        mark = scheduler.stdout.read(32).decode()
        assert len(marked_processes(mark)) == 4
        end = os.pidfd_open(reaper_of(scheduler.pid))
        scheduler.send_signal(signal.SIGKILL)
    assert select.select([end], [], [], SECONDS)[0]
    os.close(end)
    assert marked_processes(mark) == []


def test_a_record_is_decoded_only_when_it_is_asked_for(pool):
    (future,) = play(pool, "")
    arrival = future.result(SECONDS)
    assert arrival.record.turns == make_record(make_spec(0)).turns


def test_files_of_a_game_are_below_the_folder_of_the_competition(tmp_path):
    files = Files(records="e.games", voids="e.void", transcript="/elsewhere/g0.log")
    with DrivenPool(1, command=WORKER, folder=tmp_path) as pool:
        future = pool.submit(Order(spec=make_spec(0), files=files))
        assert future.result(SECONDS).finished
    found = future.order.files
    assert found.records == str(tmp_path / "e.games")
    assert found.voids == str(tmp_path / "e.void")
    assert found.transcript == "/elsewhere/g0.log"
