"""A run: every game once, in whatever order they end; void games again; stopped when told to."""

import gc
import os
import signal
import sqlite3
import weakref

import pytest
from fakes import Diary, Games, InstantPool, ask, make_record, make_setup, make_spec, make_void
from msgspec import structs

from gyoji.core.faults import ConfigError
from gyoji.play.order import Files, Report
from gyoji.scheduler import events
from gyoji.scheduler.control_client import send_command
from gyoji.scheduler.issued_games import GamesInProgress, IssuedGame
from gyoji.scheduler.pool import WorkerDied
from gyoji.scheduler.run import RunOptions, run
from gyoji.scheduler.status import ExitStatus, RunEnd
from gyoji.store.store import Store


def void(spec, reason="no engine"):
    return Report(void=make_void(spec, reason), log=("stderr of it",))


def stored(files):
    with Store.read(files.database) as store:
        return [result.id for result in store.results()]


def log_of(files):
    return [
        line.split(" at ")[0] if line.startswith("run ") else line
        for line in files.log.read_text().splitlines()
    ]


@pytest.mark.parametrize("parallel", [None, 1, 3])
def test_every_game_is_played_once_and_stored(start, files, parallel):
    games = Games(10)
    end, diary = start(games, parallel=parallel)
    assert end == RunEnd(status=ExitStatus.COMPLETE, finished=10)
    assert sorted(stored(files)) == sorted(games.issued) == sorted(diary.of("finished"))
    assert diary.events[0] == ("began", 0, 0, 10)
    assert diary.events[-1] == ("ended", end)


@pytest.fixture
def batches(monkeypatch):
    """How many games, and how many void ones, each transaction of the store has."""
    seen, append_many = [], Store.append_many

    def noted(store, games, voids=()):
        seen.append((len(games), len(voids)))
        return append_many(store, games, voids)

    monkeypatch.setattr(Store, "append_many", noted)
    monkeypatch.setattr("gyoji.scheduler.run_loop.TOGETHER_SECONDS", 3600)
    return seen


def test_games_that_do_not_depend_on_each_other_are_stored_together(start, files, batches):
    end, diary = start(Games(10, has_fixed_games=True))
    assert (end.finished, batches) == (10, [(10, 0)])
    assert stored(files) == diary.of("finished")


def test_a_game_that_may_decide_which_is_next_is_stored_before_that_is_started(start, batches):
    _, diary = start(Games(3))
    assert batches == [(1, 0)] * 3
    names = [event[0] for event in diary.events if event[0] in ("started", "finished")]
    assert names == ["started", "finished"] * 3


def test_a_game_that_may_have_a_player_suspended_is_stored_before_the_next_one(start, batches):
    start(Games(3, has_fixed_games=True), setup=make_setup(suspend_crashes=1))
    assert batches == [(1, 0)] * 3


def test_the_pool_is_told_of_games_when_they_are_in_the_store_and_not_before(start, files):
    class Watching(InstantPool):
        def stored(self, ids):
            there.append(set(ids) <= set(stored(files)))
            super().stored(ids)

    there: list[bool] = []

    def play(spec, attempt):
        return void(spec) if (spec.id, attempt) == ("g2", 1) else Report.of(spec, make_record(spec))

    pool = Watching(play)
    start(Games(5), pool)
    assert sorted(pool.kept_no_more) == [f"g{number}" for number in range(5)]
    assert all(there)


def test_what_ended_before_a_void_game_is_stored_with_it(start, batches):
    def outcome(spec, attempt):
        is_void = (spec.id, attempt) == ("g1", 1)
        return void(spec) if is_void else Report.of(spec, make_record(spec))

    start(Games(3, has_fixed_games=True), InstantPool(outcome))
    assert batches == [(1, 1), (2, 0)]


def test_a_game_that_waits_to_be_stored_is_stored_after_a_moment_whatever_goes_on(start, files, monkeypatch):
    monkeypatch.setattr("gyoji.scheduler.run_loop.TOGETHER_SECONDS", 0.001)
    pool = InstantPool(lambda spec, _: None if spec.id == "g1" else Report.of(spec, make_record(spec)))

    def on(name):
        if name == "finished" and pool.open:  # g1 goes on until g0 is stored
            assert stored(files) == ["g0"]
            pool.finish("g1")

    end, diary = start(Games(2, has_fixed_games=True), pool, diary=Diary(on), parallel=2)
    assert (end.finished, diary.of("finished")) == (2, ["g0", "g1"])


def test_a_game_that_has_ended_is_freed_at_once_and_waits_for_no_collector():
    pool = InstantPool(lambda spec, attempt: None)
    games, game = GamesInProgress(pool, is_parallel=False), IssuedGame(make_spec(0), 0)
    gc.disable()
    try:
        games.start(game, Files(), watch=False)
        pool.finish(game.id)
        assert games.ended() == [game]
        report = weakref.ref(game.future)
        del game
        assert report() is None
    finally:
        gc.enable()


def test_only_parallel_games_know_their_slot(start):
    assert {slot for _, slot in start(Games(6))[1].of("started")} == {None}


def test_slots_are_numbered_and_the_lowest_free_one_is_taken(start):
    assert start(Games(7), parallel=3)[1].of("started") == [(f"g{number}", number % 3) for number in range(7)]


def test_rounds_wait_for_each_other(start):
    end, diary = start(Games(9, barrier=3), parallel=2)
    assert end.finished == 9
    order = [event[:2] for event in diary.events if event[0] in ("started", "finished")]
    assert order.index(("started", "g3")) > order.index(("finished", "g2"))


def test_what_was_played_before_is_not_played_again(start, files):
    start(Games(10), max_games=4)
    games = Games(10)
    _, diary = start(games, parallel=2)
    assert diary.events[0] == ("began", 4, 0, 6)
    assert games.issued == [f"g{number}" for number in range(4, 10)]
    assert len(set(stored(files))) == len(stored(files)) == 10


def test_a_complete_competition_has_nothing_to_do(start):
    start(Games(3))
    end, diary = start(Games(3))
    assert end == RunEnd(status=ExitStatus.COMPLETE)
    assert not diary.of("started")


@pytest.mark.parametrize(("limit", "reason"), [(0, "max-games"), (4, "max-games"), (10, ""), (11, "")])
def test_max_games_counts_games_issued(start, limit, reason):
    end, diary = start(Games(10), max_games=limit, parallel=3)
    assert end.status is ExitStatus.COMPLETE
    assert end.reason.startswith(reason)
    assert bool(end.reason) == bool(reason)
    assert end.finished == len(diary.of("started")) == min(limit, 10)


@pytest.mark.parametrize("options", [{"parallel": 0}, {"parallel": -1}, {"max_games": -1}])
def test_options_that_mean_nothing_are_refused(options):
    with pytest.raises(ValueError, match="expected"):
        RunOptions(**options)


def test_the_event_log_says_what_happened(start, files):
    def outcome(spec, attempt):
        if spec.id == "g1" and attempt == 1:
            return void(spec)
        return Report.of(
            spec, make_record(spec, warnings=("b was slow",), late=("b would not quit",)), ("x",)
        )

    _, diary = start(Games(3), InstantPool(outcome), parallel=1, max_games=2)
    assert log_of(files) == [
        "run started",
        "using 1 worker process",
        "starting game g0: a (b) vs b (w)",
        "response from game g0",
        "b was slow",
        "b would not quit",
        "x",
        "starting game g1: a (b) vs b (w)",
        "game g1 -- no engine",
        "stderr of it",
        "starting game g1: a (b) vs b (w)",
        "response from game g1",
        "b was slow",
        "b would not quit",
        "x",
        "halting competition: max-games reached for this run",
        "run finished",
    ]
    assert files.history.read_text() == "     g0 a beat b B+R\n     g1 a beat b B+R\n"
    assert diary.of("warning") == ["game g0: b was slow", "game g1 -- no engine", "game g1: b was slow"]


def test_files_that_cannot_be_written_are_a_warning(start, files):
    files.log.mkdir()
    files.history.mkdir()
    end, diary = start(Games(2))
    assert end == RunEnd(status=ExitStatus.COMPLETE, finished=2)
    assert [text.split(":")[0] for text in diary.of("warning")] == [str(files.log), str(files.history)]


def test_a_full_log_costs_no_game(start, files, monkeypatch):
    full = lambda path, flags: os.open("/dev/full" if path == files.log else os.devnull, flags)  # noqa: E731
    monkeypatch.setattr(events, "open_file", full)
    end, diary = start(Games(5))
    assert end.finished == 5
    assert len(diary.of("warning")) == 1
    assert "No space left" in diary.of("warning")[0]


def test_orders_say_where_the_files_of_a_game_go(start, files):
    pool = InstantPool()
    start(Games(1), pool, setup=make_setup(record_games=True), transcripts=True)
    assert pool.orders[0].files == Files(
        records=files.games.name,
        voids=files.voids.name,
        formats=("sgf",),
        transcript=f"{files.transcripts.name}/g0.log",
    )
    assert files.games.is_dir()
    assert files.transcripts.is_dir()
    assert not files.voids.exists()
    start(Games(2), pool)
    assert pool.orders[1].files == Files()


def test_a_folder_that_cannot_be_made_is_noticed_before_the_first_game(start, files):
    files.games.touch()
    pool = InstantPool()
    with pytest.raises(ConfigError, match=r"event\.games: cannot be made: Not a directory"):
        start(Games(1), pool, setup=make_setup(record_games=True))
    assert not pool.orders


def test_results_that_do_not_fit_are_refused_before_the_first_game(start):
    class Other(Games):
        def add(self, result):
            raise ConfigError("matchup 0 was between x and y")

    start(Games(1))
    with pytest.raises(ConfigError, match="between x and y"):
        start(Other(1))


class TestVoidGames:
    def test_one_is_played_again_under_its_id(self, start, files):
        pool = InstantPool(
            lambda spec, attempt: void(spec) if attempt == 1 else Report.of(spec, make_record(spec))
        )
        end, diary = start(Games(3), pool, parallel=2, max_games=3)
        assert end == RunEnd(status=ExitStatus.COMPLETE, finished=3, voids=3)
        assert sorted(stored(files)) == ["g0", "g1", "g2"]
        assert diary.of("voided") == [("g0", 1), ("g1", 1), ("g2", 1)]
        with Store.read(files.database) as store:
            assert [each.void.id for each in store.voids()] == ["g0", "g1", "g2"]

    def test_it_keeps_its_number_and_comes_before_new_games(self, start):
        pool = InstantPool(
            lambda spec, attempt: void(spec) if attempt == 1 else Report.of(spec, make_record(spec))
        )
        start(Games(4), pool)
        assert [order.spec for order in pool.orders] == [
            make_spec(number) for number in (0, 0, 1, 1, 2, 2, 3, 3)
        ]

    @pytest.mark.parametrize("parallel", [None, 2, 8])
    @pytest.mark.parametrize("culprit", ["g0", "g4", "g9"])
    def test_the_same_game_twice_is_skipped_and_everything_else_is_played(
        self, start, files, parallel, culprit
    ):
        pool = InstantPool(
            lambda spec, attempt: void(spec) if spec.id == culprit else Report.of(spec, make_record(spec))
        )
        end, diary = start(Games(10), pool, parallel=parallel)
        assert end == RunEnd(
            status=ExitStatus.SKIPPED,
            reason=f"1 game: {culprit}",
            finished=9,
            voids=2,
            skipped=(culprit,),
        )
        assert sorted({*stored(files), culprit}) == [f"g{number}" for number in range(10)]
        assert not diary.of("stopping")
        line = f"skipped: game {culprit}, a v b, void 2 times: no engine (2 times)"
        assert line in diary.of("warning")
        assert line in log_of(files)

    @pytest.mark.parametrize(("deaths", "status"), [(3, ExitStatus.COMPLETE), (4, ExitStatus.SKIPPED)])
    def test_workers_may_die_more_often(self, start, files, deaths, status):
        pool = InstantPool(
            lambda spec, attempt: (
                WorkerDied("the worker process 7 was killed by signal 9")
                if spec.id == "g1" and attempt <= deaths
                else Report.of(spec, make_record(spec))
            )
        )
        end, _ = start(Games(3), pool)
        assert (end.status, end.voids) == (status, deaths)
        assert ("g1" in stored(files)) == (status is ExitStatus.COMPLETE)
        with Store.read(files.database) as store:
            assert {each.void.reason for each in store.voids()} == {
                "the worker process 7 was killed by signal 9"
            }

    def test_whatever_a_place_to_play_raises_is_a_void_game(self, start):
        pool = InstantPool(lambda spec, attempt: ZeroDivisionError("division\nby zero"))
        _, diary = start(Games(1), pool)
        assert "game g0 -- ZeroDivisionError: division by zero" in diary.of("warning")

    def test_they_are_counted_on_in_the_next_run(self, start):
        pool = InstantPool(lambda spec, attempt: void(spec) if attempt == 1 else None)
        diary = Diary(lambda name: name == "voided" and os.kill(os.getpid(), signal.SIGTERM))
        assert start(Games(1), pool, diary=diary)[0].voids == 1
        end, diary = start(Games(1), InstantPool(lambda spec, attempt: void(spec)))
        assert (end.status, end.voids) == (ExitStatus.SKIPPED, 1)
        assert diary.of("voided") == [("g0", 2)]


class TestStopping:
    @pytest.fixture
    def pool(self):
        return InstantPool(lambda spec, attempt: None)

    def answering(self, pool, files, *actions):
        """Return a diary that does the next action whenever a run has started as much as it can, or stops."""
        todo = list(actions)

        def on(name):
            if name == "stopping" or (name == "started" and len(pool.open) == 2):
                todo.pop(0)()

        # the second game is open once `submit` has returned: the listener is told afterwards
        return Diary(on)

    def test_a_stop_command_lets_running_games_finish(self, start, files, pool):
        def stop():
            ask(files, {"do": "stop"}).close()

        def finish():
            pool.finish("g0")
            pool.finish("g1")

        diary = self.answering(pool, files, stop, finish)
        end, _ = start(Games(5), pool, parallel=2, diary=diary)
        assert end == RunEnd(status=ExitStatus.STOPPED, reason="stop command", finished=2)
        assert diary.of("stopping") == [("stop command", ("g0", "g1"))]
        assert not pool.abandoned

    def test_a_stop_during_the_last_games_changes_nothing(self, start, files, pool):
        def finish():
            pool.finish("g0")
            pool.finish("g1")

        diary = self.answering(pool, files, lambda: ask(files, {"do": "stop"}).close(), finish)
        end, _ = start(Games(2), pool, parallel=2, diary=diary)
        assert end == RunEnd(status=ExitStatus.COMPLETE, finished=2)

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_a_signal_ends_running_games_which_are_played_again(self, start, files, pool, number):
        before = signal.getsignal(number)
        diary = self.answering(pool, files, lambda: os.kill(os.getpid(), number), lambda: None)
        end, _ = start(Games(5), pool, parallel=2, diary=diary)
        assert end.status is ExitStatus.STOPPED
        assert pool.abandoned
        assert stored(files) == []
        assert log_of(files)[-2:] == ["run interrupted", "games in progress were: g0 g1"]
        assert signal.getsignal(number) is before
        games = Games(5)
        assert start(games)[0].status is ExitStatus.COMPLETE
        assert games.issued == [f"g{number}" for number in range(5)]

    def test_a_signal_after_a_stop_ends_what_is_left(self, start, files, pool):
        actions = (
            lambda: ask(files, {"do": "stop"}).close(),
            lambda: os.kill(os.getpid(), signal.SIGTERM),
            lambda: None,
        )
        end, diary = start(Games(5), pool, parallel=2, diary=self.answering(pool, files, *actions))
        assert (end.status, end.reason) == (ExitStatus.STOPPED, "stop command")
        assert [reason for reason, _ in diary.of("stopping")] == ["stop command", "asked to end (SIGTERM)"]
        assert pool.abandoned

    def test_a_signal_that_is_ignored_stays_ignored(self, start):
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            diary = Diary(lambda name: name == "started" and os.kill(os.getpid(), signal.SIGHUP))
            assert start(Games(3), diary=diary)[0].finished == 3
        finally:
            signal.signal(signal.SIGHUP, before)


class Needing(Games):
    """Every third game needs the only gpu, every other one nothing."""

    def next_game(self):
        spec = super().next_game()
        if spec is None or int(spec.id[1:]) % 3:
            return spec
        needy = structs.replace(spec.players[0], resources={"gpu": 1})
        return structs.replace(spec, players=(needy, spec.players[1]))


class TestResources:
    def test_games_that_do_not_fit_wait_and_others_start(self, start):
        pool = InstantPool(
            lambda spec, attempt: None if spec.id == "g0" else Report.of(spec, make_record(spec))
        )

        def on(name):
            if diary.events[-1] == ("finished", "g5"):
                pool.finish("g0")

        diary = Diary(on)
        setup = make_setup(resources={"gpu": 1}, cores=1)
        end, _ = start(Needing(7), pool, diary=diary, setup=setup, parallel=2)
        assert end == RunEnd(status=ExitStatus.COMPLETE, finished=7)
        started = [game_id for game_id, _ in diary.of("started")]
        assert started == ["g0", "g1", "g2", "g4", "g5", "g3", "g6"]

    @pytest.mark.parametrize("parallel", [None, 1, 2, 7])
    def test_which_games_there_are_does_not_depend_on_it(self, start, files, parallel):
        setup = make_setup(resources={"gpu": 1}, cores=1)
        games = Needing(20)
        start(games, setup=setup, parallel=parallel)
        assert games.issued == [f"g{number}" for number in range(20)]
        assert sorted(stored(files)) == sorted(games.issued)

    def test_what_needs_more_than_there_is_halts_the_run(self, start, files):
        end, _ = start(Needing(4), setup=make_setup(resources={"gpu": 0}))
        assert (end.status, end.finished) == (ExitStatus.HALTED, 0)
        assert end.reason == "game g0 needs 1 gpu, and there is only 0"

    def test_more_games_at_once_than_processors_are_what_was_asked_for(self, start):
        pool = InstantPool(lambda spec, attempt: None)

        def on(name):
            if name == "started" and len(pool.open) == 40:
                for game_id in list(pool.open):
                    pool.finish(game_id)

        assert start(Games(40), pool, diary=Diary(on), parallel=40)[0].finished == 40


class TestStoreFailures:
    def fill_disk(self, store):
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages}")

    def run(self, files, pool, on, games=None):
        with Store.open(files.database, "event", create=True) as store:
            diary = Diary(lambda name: on(name, store))
            pool.resize(4)
            return run(
                make_setup(),
                games or Games(40),
                store,
                files,
                pool,
                options=RunOptions(parallel=4),
                listener=diary,
            ), diary

    @pytest.fixture
    def big(self):
        """Every record fills pages."""
        return InstantPool(lambda spec, attempt: Report.of(spec, make_record(spec, warnings=("x" * 9000,))))

    def test_a_result_that_cannot_be_stored_is_told_once_while_other_games_go_on(self, files):
        text = "x" * 9000
        pool = InstantPool(
            lambda spec, attempt: (
                Report.of(spec, make_record(spec, warnings=(text,))) if spec.id == "g0" else None
            )
        )

        def on(name, store):
            if name == "began":
                self.fill_disk(store)
                pool.loop.call_later(0.3, lambda: [pool.finish(each) for each in list(pool.open)])

        _, diary = self.run(files, pool, on, Games(4, has_fixed_games=True))
        told = [each for each in diary.of("warning") if "not stored yet" in each]
        assert len(told) <= 3  # g0 alone, then with the others, and at the end

    def test_a_full_disk_halts_the_run_and_names_what_is_not_stored(self, files, big):
        end, diary = self.run(files, big, lambda name, store: name == "began" and self.fill_disk(store))
        assert end.status is ExitStatus.HALTED
        assert "the disk is full" in end.reason
        assert end.finished == 0
        assert end.unstored == ("g0", "g1", "g2", "g3")
        assert diary.of("warning")[-1] == (
            "finished but not stored: g0 g1 g2 g3; free some space, and give the same command again: it "
            "plays these games anew, and no other that is finished"
        )
        assert stored(files) == diary.of("finished") == []

    def test_what_could_not_be_stored_is_stored_as_soon_as_it_can_be(self, files, big):
        def on(name, store):
            if name == "began":
                self.fill_disk(store)
            elif name == "stopping":
                store._connection.execute("PRAGMA max_page_count = 100000")

        end, diary = self.run(files, big, on)
        assert (end.status, end.unstored, end.finished) == (ExitStatus.HALTED, (), 4)
        assert stored(files) == diary.of("finished") == ["g0", "g1", "g2", "g3"]

    def test_a_database_that_is_deleted_halts_the_run(self, files):
        end, _ = self.run(files, InstantPool(), lambda name, store: name == "began" and store.path.unlink())
        assert end.status is ExitStatus.HALTED
        assert "is gone" in end.reason

    @pytest.mark.parametrize(
        "harm",
        [
            "DELETE FROM games WHERE number = 2",
            "DELETE FROM moves WHERE number > 3",
            "UPDATE games SET result = replace(result, 'g1', 'g9')",
            "DROP TABLE voids",
            "DROP TABLE texts",
            "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END",
        ],
    )
    @pytest.mark.parametrize("games_before", [5, 12])
    def test_harm_that_another_process_does_to_the_database_halts_the_run(self, files, harm, games_before):
        finished = []

        def on(name, store):
            if name == "finished":
                finished.append(name)
                if len(finished) == games_before:
                    other = sqlite3.connect(store.path, isolation_level=None)
                    other.execute(harm)
                    other.close()

        end, _ = self.run(files, InstantPool(), on, Games(12))
        assert end.status is ExitStatus.HALTED
        assert "event.db is damaged" in end.reason or "event.db cannot be used" in end.reason

    @pytest.mark.parametrize("games_before", [5, 12])
    def test_a_database_that_is_cut_short_halts_the_run(self, files, games_before):
        finished = []

        def on(name, store):
            if name == "finished":
                finished.append(name)
                if len(finished) == games_before:
                    os.truncate(store.path, 4096)

        end, _ = self.run(files, InstantPool(), on, Games(12))
        assert end.status is ExitStatus.HALTED
        assert "event.db is damaged" in end.reason

    def test_a_game_that_somebody_else_has_stored_counts_once(self, files):
        def on(name, store):
            if name == "began":
                store.append(make_spec(1), make_record(make_spec(1), wall_ns=77))

        end, diary = self.run(files, InstantPool(), on, Games(3))
        assert end.finished == 2
        assert diary.of("warning") == ["game g1 was stored already: the first result stands"]
        with Store.read(files.database) as store:
            assert [result.wall_ns for result in store.results() if result.id == "g1"] == [77]


class TestErrors:
    def test_one_ends_running_games_and_is_passed_on(self, start, files):
        class Broken(Games):
            def next_game(self):
                if len(self.issued) == 3:
                    raise ZeroDivisionError("of the format")
                return super().next_game()

        pool = InstantPool(
            lambda spec, attempt: None if spec.id == "g1" else Report.of(spec, make_record(spec))
        )
        with pytest.raises(ZeroDivisionError):
            start(Broken(5), pool, parallel=2)
        assert pool.abandoned
        assert stored(files) == ["g0", "g2"]
        assert log_of(files)[-1] == "games in progress were: g1"
        assert start(Games(5))[0].finished == 3

    def test_a_game_that_is_issued_twice_is_a_bug(self, start):
        class Double(Games):
            def next_game(self):
                return make_spec(0)

        with pytest.raises(ValueError, match="issued twice"):
            start(Double(5), InstantPool(lambda spec, attempt: None), parallel=2)


def test_nothing_running_is_said_to_who_asks(files):
    with pytest.raises(ConfigError, match="is not running"):
        send_command(files, {"do": "stop"})
    files.socket.touch()
    with pytest.raises(ConfigError, match="is not running"):
        send_command(files, {"do": "stop"})


def test_the_database_is_sound_after_a_run(start, files):
    start(Games(50), parallel=4)
    connection = sqlite3.connect(files.database)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_a_folder_that_is_a_link_is_refused_before_the_first_game(start, files):
    (files.folder / "elsewhere").mkdir()
    files.games.symlink_to(files.folder / "elsewhere")
    pool = InstantPool()
    with pytest.raises(ConfigError, match=r"event\.games: cannot be made: it is a symbolic link"):
        start(Games(1), pool, setup=make_setup(record_games=True))
    assert not pool.orders
