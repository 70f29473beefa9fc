"""Games that keep failing, and players: skipped, told of, tried again when asked; the event ends."""

from itertools import combinations

import pytest
from fakes import InstantPool, make_record, make_setup, make_void

from gyoji.core.outcome import Ending, Outcome, lost_by
from gyoji.core.plugins import FORMATS
from gyoji.core.spec import Containment, Player
from gyoji.play.order import Report
from gyoji.results.comparison import Comparison
from gyoji.scheduler.event import count
from gyoji.scheduler.pool import WorkerDied
from gyoji.scheduler.status import PATIENCE, ExitStatus, Streak
from gyoji.store.store import Store
from gyoji.tables.notes import skipped_lines, skipped_tables, void_lines
from shown import report_lines

GO = {"game": "go", "options": {"board_size": 9, "komi": 7.5}}
CUPS = {
    "allplayall": {"rounds": 2},
    "gauntlet": {"champions": ("a", "b"), "rounds": 2},
    "knockout": {},
    "swiss": {"rounds": 3},
    "ladder": {},
    "stages": {},
}


def cup_of(kind, codes="abcd", settings=None, level="off", **changes):
    """Return the module of a format, and a setup of players of one letter, at a level of containment."""
    module = FORMATS.find(kind)
    free = Containment(level=level)
    players = {code: Player(code=code, command=(f"/bin/{code}",), containment=free) for code in codes}
    own = module.settings(**{**GO, **CUPS[kind], **(settings or {})})
    return module, make_setup(kind=kind, players=players, settings=own, **changes)


def codes_of(spec):
    return {player.code for player in spec.players}


def dying(code, always=lambda spec: True, to_move=None):
    """Workers die in the games of that player, while it is to move; the first player wins the others."""

    def outcome(spec, attempt):
        if code in codes_of(spec) and always(spec):
            seat = [player.code for player in spec.players].index(code)
            return WorkerDied(
                "the worker process 7 was killed by signal 9", [seat] if to_move is None else to_move
            )
        return Report.of(spec, make_record(spec))

    return InstantPool(outcome)


def stored(files):
    with Store.read(files.database) as store:
        return [result.id for result in store.results()]


def counted(files, setup, competition):
    with Store.read(files.database) as store:
        return count(store, Comparison(setup), competition)


@pytest.mark.parametrize("parallel", [None, 2, 8])
def test_of_four_one_that_kills_its_worker_costs_the_three_others_no_game(start, files, parallel):
    module, setup = cup_of("allplayall")
    end, diary = start(module.competition(setup), dying("a"), setup=setup, parallel=parallel)
    assert (end.status, end.finished, end.voids) == (ExitStatus.SKIPPED, 6, 6 * 4)
    assert sorted(stored(files)) == sorted(
        f"{pair}_{number}" for pair in ("BvC", "BvD", "CvD") for number in (0, 1)
    )
    assert sorted(end.skipped) == sorted(f"Av{other}_{number}" for other in "BCD" for number in (0, 1))
    assert end.reason.startswith("6 games: Av")
    lines = [line for line in diary.of("warning") if line.startswith("skipped: game AvB_0")]
    what = "the worker process was killed by signal 9, a to move (4 times)"
    assert lines == [f"skipped: game AvB_0, a v b, void 4 times: {what}"]
    assert lines[0] in files.log.read_text()


@pytest.mark.parametrize("kind", CUPS)
def test_whatever_the_format_the_event_ends_and_is_the_same_when_it_is_folded_again(start, files, kind):
    module, setup = cup_of(kind, "abcdefgh")
    live = module.competition(setup)
    end, _ = start(live, dying("b"), setup=setup, parallel=3)
    assert end.status is ExitStatus.SKIPPED
    assert live.remaining() == 0
    again = module.competition(setup)
    failures = counted(files, setup, again).failures
    assert tuple(failures.skipped) == end.skipped
    assert again.remaining() == 0
    assert report_lines(again) == report_lines(live)
    pool = InstantPool()
    end, diary = start(module.competition(setup), pool, setup=setup)
    assert (end.status, pool.orders) == (ExitStatus.SKIPPED, [])
    assert [line.split(":")[0] for line in diary.of("warning")] == ["skipped"] * len(end.skipped)


def test_a_game_that_is_skipped_stands_in_no_table(start, files):
    module, setup = cup_of("allplayall")
    live = module.competition(setup)
    start(live, dying("a"), setup=setup)
    (first, *_) = live.stats()
    assert (first.id, first.played, first.unknown) == ("AvB", 0, 0)
    assert "a" not in live.engines


def test_retry_plays_again_what_was_skipped(start, files):
    module, setup = cup_of("allplayall")
    start(module.competition(setup), dying("a"), setup=setup)
    pool = InstantPool()
    end, _ = start(module.competition(setup), pool, setup=setup, retry=True)
    assert (end.status, end.finished, end.skipped) == (ExitStatus.COMPLETE, 6, ())
    assert {tuple(sorted(codes_of(order.spec))) for order in pool.orders} == {("a", other) for other in "bcd"}
    assert start(module.competition(setup), setup=setup)[0].status is ExitStatus.COMPLETE


def test_what_fails_again_when_it_is_retried_is_skipped_again(start, files):
    module, setup = cup_of("allplayall", "ab")
    start(module.competition(setup), dying("a"), setup=setup)
    end, diary = start(module.competition(setup), dying("a"), setup=setup, retry=True)
    assert (end.voids, len(end.skipped)) == (8, 2)
    assert [attempt for name, attempt in diary.of("voided") if name == "AvB_0"] == [1, 2, 3, 4]
    failures = counted(files, setup, module.competition(setup)).failures
    assert (failures.count, len(failures.skipped["AvB_0"].voids)) == (16, 4)


def test_a_match_of_a_knockout_without_games_goes_to_the_higher_seed(start):
    module, setup = cup_of("knockout")
    cup = module.competition(setup)
    start(cup, dying("d"), setup=setup)
    assert list(cup.ranking)[-1] != "a"
    assert cup.system.winner(cup.played[0][0]) == "a"


class TestReports:
    @pytest.fixture
    def failures(self, start, files):
        module, setup = cup_of("allplayall")
        start(module.competition(setup), dying("a", lambda spec: "b" in codes_of(spec)), setup=setup)
        return counted(files, setup, module.competition(setup)).failures

    def test_text_names_each_game_and_what_happened_each_time(self, failures):
        what = "the worker process was killed by signal 9, a to move (4 times)"
        assert skipped_lines(failures) == [
            f"skipped: game AvB_{game}, void 4 times: {what}" for game in ("0, a v b", "1, b v a")
        ]
        assert void_lines(failures) == ["void games by the player to move: a 8"]

    def test_values_have_every_attempt(self, failures):
        aside, voids = skipped_tables(failures)
        first, second = aside.records()
        assert [first["game"], second["game"]] == ["AvB_0", "AvB_1"]
        assert (first["players"], first["against"], first["suspended"]) == (["a", "b"], "a", None)
        assert [attempt["to_move"] for attempt in first["attempts"]] == [["a"]] * 4
        assert voids.records() == [{"player": "a", "void": 8}]

    def test_tables_have_them(self, failures):
        aside, voids = skipped_tables(failures)
        assert [row[:4] for row in aside.rows()] == [
            ("AvB_0", "a v b", "4", "a"),
            ("AvB_1", "b v a", "4", "a"),
        ]
        assert list(voids.rows()) == [("a", "8")]


class TestMachine:
    def test_a_machine_on_which_nothing_can_be_played_halts_the_run(self, start, files):
        module, setup = cup_of("allplayall", settings={"rounds": 1000})
        pool = InstantPool(lambda spec, attempt: Report(void=make_void(spec, "no space left on device")))
        module_end, _ = start(module.competition(setup), pool, setup=setup)
        assert module_end.status is ExitStatus.HALTED
        assert module_end.reason == (
            "too many games in a row failed, whoever played: no space left on device"
        )
        assert len(module_end.skipped) == PATIENCE

    def test_a_player_of_whom_no_game_can_be_played_does_not(self, start):
        module, setup = cup_of("gauntlet", settings={"champions": ("a",), "rounds": 40})
        end, _ = start(module.competition(setup), dying("a"), setup=setup)
        assert (end.status, len(end.skipped)) == (ExitStatus.SKIPPED, 120)

    @pytest.mark.parametrize(
        ("players", "culprits", "is_of_machine"),
        [
            (2, "a", True),  # of two players each is half
            (4, "a", False),
            (6, "ab", False),
            (4, "abc", True),
            (6, "abc", True),
            (20, "abc", False),
        ],
    )
    def test_half_of_the_players_are_not_the_cause(self, players, culprits, is_of_machine):
        codes = "abcdefghijklmnopqrstuvwxyz"[:players]
        streak = Streak(players)
        pairs = [pair for pair in combinations(codes, 2) if {*pair} & {*culprits}]
        for number in range(10 * PATIENCE):
            streak.add(pairs[number % len(pairs)])
        assert streak.is_of_machine == is_of_machine

    def test_a_game_that_is_finished_ends_the_streak(self):
        streak = Streak(2)
        for _ in range(PATIENCE):
            streak.add("ab")
        assert streak.is_of_machine
        streak.end()
        streak.add("ab")
        assert not streak.is_of_machine


def crashing(code):
    """Each game of that player is lost by a fault of its engine."""

    def outcome(spec, attempt):
        codes = [player.code for player in spec.players]
        if code not in codes:
            return Report.of(spec, make_record(spec))
        seat = codes.index(code)
        lost = Outcome(points=lost_by(seat, 2), ending=Ending.FAULT, seat=seat)
        return Report.of(spec, make_record(spec, outcome=lost))

    return InstantPool(outcome)


class TestSuspension:
    def test_who_crashes_too_often_plays_no_more_and_the_event_goes_on(self, start, files):
        module, setup = cup_of("allplayall", settings={"rounds": 10}, suspend_crashes=3, suspend_games=5)
        end, _ = start(module.competition(setup), crashing("a"), setup=setup)
        assert end.status is ExitStatus.SKIPPED
        assert (end.finished, len(end.skipped)) == (30 + 3, 27)
        assert all(name.startswith("Av") for name in end.skipped)
        result = counted(files, setup, module.competition(setup))
        assert result.suspensions.all() == {"a": "it lost 3 of its last 3 games by a fault"}
        assert skipped_lines(result.failures) == [
            "not played: 27 games: a is suspended: it lost 3 of its last 3 games by a fault"
        ]
        assert result.failures.count == 0
        assert "is not played: a is suspended" in files.log.read_text()

    def test_by_default_nobody_is_suspended(self, start):
        module, setup = cup_of("allplayall", settings={"rounds": 10})
        assert start(module.competition(setup), crashing("a"), setup=setup)[0].finished == 60

    @pytest.mark.parametrize("kind", CUPS)
    def test_whatever_the_format_the_event_ends(self, start, files, kind):
        module, setup = cup_of(kind, "abcdefgh", suspend_crashes=1)
        live = module.competition(setup)
        end, _ = start(live, crashing("b"), setup=setup, parallel=2)
        assert live.remaining() == 0
        pool, again = InstantPool(), module.competition(setup)
        assert start(again, pool, setup=setup)[0].skipped == end.skipped
        assert (again.remaining(), pool.orders) == (0, [])

    def test_its_matches_go_to_its_opponents(self, start):
        module, setup = cup_of("knockout", suspend_failures=1)
        cup = module.competition(setup)
        start(cup, dying("a"), setup=setup)
        assert cup.system.winner(cup.played[0][0]) == "d"
        assert cup.played[0][0].points == (0, 1)

    def test_who_is_always_to_move_when_its_games_fail_is_suspended(self, start):
        module, setup = cup_of("allplayall", settings={"rounds": 10}, suspend_failures=2)
        end, _ = start(module.competition(setup), dying("a"), setup=setup)
        assert (end.finished, end.voids, len(end.skipped)) == (30, 2 * 4, 30)

    @pytest.mark.parametrize("to_move", [(), (0, 1)])
    def test_where_it_is_not_known_who_it_was_nobody_is(self, start, to_move):
        module, setup = cup_of("allplayall", suspend_failures=1)
        end, _ = start(module.competition(setup), dying("a", to_move=to_move), setup=setup)
        assert (end.finished, end.voids) == (6, 6 * 4)

    @pytest.mark.parametrize("level", ["guarded", "strict"])
    def test_nor_where_the_engine_could_not_have_killed_the_worker(self, start, level):
        module, setup = cup_of("allplayall", level=level, suspend_failures=1)
        end, _ = start(module.competition(setup), dying("a"), setup=setup)
        assert (end.finished, end.voids) == (6, 6 * 4)

    def test_retry_lets_it_play_again(self, start):
        module, setup = cup_of("allplayall", settings={"rounds": 10}, suspend_crashes=3)
        start(module.competition(setup), crashing("a"), setup=setup)
        end, _ = start(module.competition(setup), setup=setup, retry=True)
        assert (end.status, end.finished) == (ExitStatus.COMPLETE, 27)
        assert start(module.competition(setup), setup=setup)[0].status is ExitStatus.COMPLETE

    def test_an_endless_event_with_nobody_to_play_is_stopped(self, start, monkeypatch):
        monkeypatch.setattr("gyoji.scheduler.game_queue.SKIPPED_AT_ONCE", 10)
        module, setup = cup_of("allplayall", "ab", settings={"rounds": None}, suspend_crashes=1)
        end, _ = start(module.competition(setup), crashing("a"), setup=setup)
        assert (end.status, end.finished) == (ExitStatus.STOPPED, 1)
        assert end.reason == "only games of suspended players are left"

    def test_games_that_are_skipped_do_not_count_as_started(self, start):
        module, setup = cup_of("allplayall", settings={"rounds": 10}, suspend_crashes=1)
        end, _ = start(module.competition(setup), crashing("a"), setup=setup, max_games=5)
        assert end.finished == 5
