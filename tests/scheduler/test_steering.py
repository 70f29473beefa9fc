"""A run is changed while it goes on: paused, given more or fewer slots, another control file."""

import os
import signal
from functools import partial
from itertools import cycle
from random import Random

import pytest
from fakes import Diary, Games, InstantPool, answer_to, ask, make_record, make_setup
from hosts_pool import HostsPool
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.setup import GameSettings
from gyoji.core.spec import Player
from gyoji.play.order import Report
from gyoji.results.comparison import Comparison
from gyoji.scheduler.commands import Commands
from gyoji.scheduler.event import comparable
from gyoji.scheduler.reload import Fresh
from gyoji.scheduler.resources import share_out
from gyoji.scheduler.ruling import purge
from gyoji.scheduler.status import ExitStatus, RunEnd
from gyoji.store.store import Store


class Scene:
    """A run in which each step is done when its event comes. Games go on until they are finished."""

    def __init__(self, files, start, pool):
        self.files = files
        self.start = start
        self.pool = pool
        self.asked = []

    def play(self, games, *steps, **options):
        """steps: (name of an event, what to do then).

        That is a command, the ids of games to be finished, a call, or a list of such things. An event besides
        those of a diary is "obeyed", which comes with every command.
        """
        todo = list(steps)

        def on(name):
            if todo and todo[0][0] == name:
                self.act(todo.pop(0)[1])

        self.diary = Diary(on)
        end, _ = self.start(games, self.pool, diary=self.diary, **options)
        assert not todo, "not everything came"
        return end

    def act(self, step):
        if isinstance(step, dict):
            self.asked.append(ask(self.files, step))
        elif isinstance(step, str):
            for game_id in step.split():
                self.pool.finish(game_id)
        elif isinstance(step, list):
            for each in step:
                self.act(each)
        else:
            step()

    @property
    def answers(self):
        return [answer_to(connection) for connection in self.asked]

    @property
    def started(self):
        return [game_id for game_id, _ in self.diary.of("started")]


@pytest.fixture(params=["one machine", "a cluster"])
def pool(request):
    """Games of it go on until a test ends them."""
    return HostsPool() if request.param == "a cluster" else InstantPool(lambda spec, attempt: None)


@pytest.fixture
def scene(files, start, pool, monkeypatch):
    scene = Scene(files, start, pool)

    plain_obey = Commands.obey

    def obey(commands, command):
        answer = plain_obey(commands, command)
        scene.diary.on("obeyed")
        return answer

    monkeypatch.setattr(Commands, "obey", obey)
    yield scene
    for connection in scene.asked:
        connection.close()


NOTHING = []


def do(what, **more):
    return {"do": what, **more}


def in_turn(*game_ids):
    """Steps that finish each of these games as it is started."""
    return [("started", game_id) for game_id in game_ids]


def stored(files):
    with Store.read(files.database) as store:
        return [result.id for result in store.results()]


class TestPausing:
    def test_a_paused_run_starts_nothing_and_does_not_end_before_it_is_resumed(self, scene, files):
        end = scene.play(
            Games(4),
            ("started", NOTHING),
            ("started", do("pause")),
            ("steered", "g0 g1"),
            ("finished", NOTHING),
            ("finished", do("resume")),
            *in_turn("g2", "g3"),
            parallel=2,
        )
        assert end == RunEnd(status=ExitStatus.COMPLETE, finished=4)
        assert scene.diary.of("steered") == [("paused", True), ("resumed", False)]
        assert [answer["paused"] for answer in scene.answers] == [True, False]
        log = files.log.read_text()
        assert "\npaused at 20" in log
        assert "\nresumed at 20" in log

    def test_it_does_not_end_either_when_all_is_played(self, scene):
        end = scene.play(Games(1), ("started", do("pause")), ("steered", "g0"), ("finished", do("resume")))
        assert end == RunEnd(status=ExitStatus.COMPLETE, finished=1)
        assert [answer["remaining"] for answer in scene.answers] == [0, 0]

    def test_it_can_be_stopped(self, scene):
        end = scene.play(Games(3), ("started", do("pause")), ("steered", "g0"), ("finished", do("stop")))
        assert end == RunEnd(status=ExitStatus.STOPPED, reason="stop command", finished=1)

    def test_a_signal_ends_it(self, scene):
        kill = lambda: os.kill(os.getpid(), signal.SIGTERM)  # noqa: E731
        end = scene.play(Games(3), ("started", do("pause")), ("steered", "g0"), ("finished", kill))
        assert end.status is ExitStatus.STOPPED

    def test_what_is_so_already_is_not_done_again(self, scene):
        scene.play(
            Games(1),
            ("started", do("resume")),
            ("obeyed", do("pause")),
            ("obeyed", do("pause")),
            ("obeyed", do("resume")),
            ("obeyed", "g0"),
        )
        assert scene.diary.of("steered") == [("paused", True), ("resumed", False)]


class TestParallel:
    def test_more_games_are_started_at_once(self, scene):
        scene.play(
            Games(3),
            ("started", do("parallel", games=3)),
            ("started", NOTHING),
            ("started", "g0 g1 g2"),
        )
        assert scene.diary.of("started") == [("g0", None), ("g1", 1), ("g2", 2)]
        assert scene.diary.of("steered") == [("3 games at once", False)]
        assert scene.pool.slots == 3
        assert scene.answers[0]["parallel"] == 3

    def test_fewer_let_those_in_progress_finish(self, scene):
        scene.play(
            Games(5),
            ("started", NOTHING),
            ("started", NOTHING),
            ("started", do("parallel", games=1)),
            ("steered", "g0 g2"),
            ("finished", NOTHING),
            ("finished", "g1"),
            *in_turn("g3", "g4"),
            parallel=3,
        )
        names = [event[0] for event in scene.diary.events if event[0] in ("started", "finished")]
        assert names == ["started"] * 3 + ["finished"] * 3 + ["started", "finished"] * 2
        assert scene.diary.of("started")[3:] == [("g3", 0), ("g4", 0)]

    def test_a_slot_that_is_still_in_use_is_not_given_again(self, scene):
        scene.play(
            Games(5),
            ("started", NOTHING),
            ("started", do("parallel", games=1)),
            ("steered", do("parallel", games=3)),
            ("started", "g0 g1"),
            ("started", NOTHING),
            ("started", "g2 g3 g4"),
            parallel=2,
        )
        assert scene.diary.of("started")[:3] == [("g0", 0), ("g1", 1), ("g2", 2)]

    @pytest.mark.parametrize("games", [0, -1, 1024, "2", None, True, 1.5])
    def test_what_is_no_number_of_games_is_refused(self, scene, games):
        scene.play(Games(1), ("started", do("parallel", games=games)), ("obeyed", "g0"))
        (answer,) = scene.answers
        assert not answer["ok"]
        assert "from 1 to 1023" in answer["error"]

    def test_more_than_there_are_processors_for_are_refused(self, scene):
        scene.pool.resize = partial(share_out, cores=8)
        scene.play(Games(1), ("started", do("parallel", games=1000)), ("obeyed", "g0"))
        assert scene.answers[0]["error"].startswith("cores: 1000 games at once with 8 processors each")
        assert scene.diary.of("steered") == []


def refusing(game_id, reason):
    """Return a competition that does not take the result of one of its games."""

    class Refusing(Games):
        def add(self, result):
            if result.id == game_id:
                raise ConfigError(reason)
            super().add(result)

    return Refusing(9)


def control_file(make, **changes):
    return lambda: Fresh(make_setup(**changes), make)


class TestReloading:
    def test_new_games_join_and_those_in_progress_are_not_issued_again(self, scene, files):
        end = scene.play(
            Games(4),
            ("started", "g0"),
            ("started", NOTHING),
            ("started", do("reload")),
            ("reloaded", "g1"),
            ("started", "g3"),
            ("started", "g4"),
            ("started", "g2 g5"),
            *in_turn("g6"),
            parallel=2,
            reload=control_file(lambda: Games(7)),
        )
        assert end == RunEnd(status=ExitStatus.COMPLETE, finished=7)
        assert scene.started == [f"g{number}" for number in range(7)]
        assert stored(files) == ["g0", "g1", "g3", "g4", "g2", "g5", "g6"]
        assert scene.diary.of("reloaded") == [4]
        assert scene.diary.of("steered") == [("control file read again", False)]
        assert scene.answers[0]["remaining"] == 4

    def test_a_paused_run_with_nothing_left_is_given_more(self, scene, files):
        scene.play(
            Games(1),
            ("started", do("pause")),
            ("steered", "g0"),
            ("finished", do("reload")),
            ("reloaded", do("resume")),
            *in_turn("g1"),
            reload=control_file(lambda: Games(2)),
        )
        assert stored(files) == ["g0", "g1"]

    def test_a_void_game_that_waits_is_issued_anew_and_counts_once_for_the_limit(self, scene, files):
        end = scene.play(
            Games(5),
            ("started", do("pause")),
            ("steered", lambda: scene.pool.fail("g0")),
            ("voided", do("reload")),
            ("reloaded", do("resume")),
            *in_turn("g0", "g1"),
            reload=control_file(lambda: Games(5)),
            max_games=2,
        )
        assert (end.status, end.reason[:9], end.voids) == (ExitStatus.COMPLETE, "max-games", 1)
        assert stored(files) == ["g0", "g1"]

    def test_how_often_a_game_was_void_is_remembered(self, scene):
        end = scene.play(
            Games(1),
            ("started", do("pause")),
            ("steered", lambda: scene.pool.fail("g0")),
            ("voided", do("reload")),
            ("reloaded", do("resume")),
            ("started", lambda: scene.pool.fail("g0")),
            reload=control_file(lambda: Games(1)),
        )
        assert (end.status, end.skipped) == (ExitStatus.SKIPPED, ("g0",))

    def test_a_game_that_is_skipped_is_played_again_when_somebody_asks(self, scene, files):
        def fail():
            scene.pool.fail("g0")

        end = scene.play(
            Games(2),
            ("started", fail),
            ("voided", NOTHING),
            ("started", fail),
            ("voided", NOTHING),
            ("started", do("retry")),
            ("obeyed", do("retry")),
            ("obeyed", "g1"),
            *in_turn("g0"),
            reload=control_file(lambda: Games(2)),
        )
        first, second = scene.answers
        assert (first["ok"], second["ok"]) == (True, False)
        assert "no game is skipped" in second["error"]
        assert (end.status, end.skipped, end.voids) == (ExitStatus.COMPLETE, (), 2)
        assert stored(files) == ["g1", "g0"]

    def test_a_game_that_somebody_has_played_again_is_not_skipped_for_it(self, scene, files):
        rule = {"do": "rule", "decision": "restart", "game": "g0", "reason": "a power cut"}

        def fail():
            scene.pool.fail("g0")

        end = scene.play(
            Games(1),
            ("started", rule),
            ("obeyed", fail),
            ("started", rule),
            ("obeyed", fail),
            ("started", fail),
            ("started", {**rule, "reason": " "}),
            ("obeyed", {**rule, "game": "g1"}),
            ("obeyed", {**rule, "decision": "forfeit", "player": "nobody"}),
            ("obeyed", "g0"),
        )
        answers = scene.answers
        assert [answer["ok"] for answer in answers] == [True, True, False, False, False]
        reasons = ["expected one, which goes", "'g1' is not being played", "expected one of"]
        assert all(text in answer["error"] for text, answer in zip(reasons, answers[2:], strict=True))
        assert (end.status, end.skipped, end.voids) == (ExitStatus.COMPLETE, (), 3)
        assert "game g0 is played again: a power cut" in files.log.read_text()

    @pytest.mark.parametrize(
        ("reload", "reason"),
        [
            (control_file(lambda: refusing("g0", "stored g0 is of x and y")), "stored g0 is of x and y"),
            (control_file(lambda: refusing("g1", "nobody plays g1")), "nobody plays g1"),
            (control_file(lambda: Games(9), kind="allplayall"), "competition: was 'playoff', and cannot"),
            (control_file(lambda: Games(9), game="gomoku"), "game: was 'go', and cannot"),
            (control_file(lambda: Games(9), cores=1), "cores: was '0', and cannot"),
            (None, "there is no control file"),
        ],
    )
    def test_what_does_not_fit_is_refused_and_changes_nothing(self, scene, files, reload, reason):
        scene.play(Games(2), ("started", "g0"), ("started", do("reload")), ("obeyed", "g1"), reload=reload)
        (answer,) = scene.answers
        assert not answer["ok"]
        assert reason in answer["error"]
        assert stored(files) == ["g0", "g1"]
        assert scene.diary.of("reloaded") == []

    def test_a_run_that_is_stopping_is_given_no_more(self, scene):
        scene.play(
            Games(2),
            ("started", do("stop")),
            ("obeyed", do("reload")),
            ("obeyed", "g0"),
            reload=control_file(lambda: Games(9)),
        )
        assert "is stopping" in scene.answers[1]["error"]

    def test_a_limit_that_was_reached_is_no_reason_to_end_before_it_is_used_up(self, scene, files):
        scene.play(
            Games(3),
            ("started", NOTHING),
            ("stopping", lambda: scene.pool.fail("g0")),
            ("voided", NOTHING),
            *in_turn("g0"),
            max_games=1,
            parallel=2,
        )
        assert stored(files) == ["g0"]


class Sized(Games):
    """Games on a board of some size."""

    def __init__(self, count, size):
        super().__init__(count)
        self.size = size

    def next_game(self):
        spec = super().next_game()
        return spec and replace(spec, options={"board_size": self.size}, move_limit=9)


def of_size(size):
    settings = GameSettings(game="go", options={"board_size": size}, move_limit=9, scorer="internal")
    return {"settings": settings}


class TestOtherSettings:
    def test_what_was_stored_under_others_does_not_count_and_is_played_anew(self, start, files):
        start(Sized(3, 5), setup=make_setup(**of_size(5)), max_games=2)
        competition = Sized(3, 7)
        end, diary = start(competition, setup=make_setup(**of_size(7)))
        assert end.finished == 3
        assert stored(files) == ["g0", "g1", "g0@2", "g1@2", "g2"]
        assert competition.added == ["g0", "g1", "g2"]
        assert diary.of("warning") == ["excluded: 2 games of a v b (a 2, b 0), board size 5, not 7"]
        assert files.log.read_text().count("excluded") == 1

    def test_settings_that_change_and_change_back_lose_and_mix_nothing(self, start, files):
        for size, limit in ((5, 1), (7, 1), (5, 1), (7, 9), (5, 9)):
            start(Sized(3, size), setup=make_setup(**of_size(size)), max_games=limit)
        assert stored(files) == ["g0", "g0@2", "g1", "g1@2", "g2", "g2@2"]
        with Store.read(files.database) as store:
            sizes = [store.record(game)[0].options["board_size"] for game in stored(files)]
        assert sizes == [5, 7, 5, 7, 7, 5]

    def test_games_in_progress_when_they_change_are_stored_and_do_not_count(self, scene, files):
        end = scene.play(
            Sized(3, 5),
            ("started", "g0"),
            ("started", do("reload")),
            ("reloaded", "g1"),
            *in_turn("g0@2", "g1@2", "g2"),
            setup=make_setup(**of_size(5)),
            reload=control_file(lambda: Sized(3, 7), **of_size(7)),
        )
        assert end.finished == 5
        assert stored(files) == ["g0", "g1", "g0@2", "g1@2", "g2"]
        comparison = Comparison(make_setup(**of_size(7)))
        with Store.read(files.database) as store:
            assert [result.id for result in comparable(store, comparison)] == ["g0@2", "g1@2", "g2"]
        assert [(each.games, each.points) for each in comparison.excluded] == [(2, {"a": 2.0, "b": 0.0})]


def by_hosts(*hosts):
    """Return a pool whose games are played on these hosts in turn."""
    names = cycle(hosts)
    return InstantPool(lambda spec, attempt: Report.of(spec, make_record(spec, host=next(names))))


ON_ONE_MACHINE = pytest.mark.parametrize("pool", ["one machine"], indirect=True)
ON_A_CLUSTER = pytest.mark.parametrize("pool", ["a cluster"], indirect=True)


class TestTakingBack:
    @ON_ONE_MACHINE
    def test_the_games_of_a_host_count_no_more_and_are_played_again_at_once(self, scene, files):
        def finish(game_id, host):
            spec = next(order.spec for order in scene.pool.orders if order.spec.id == game_id)
            scene.pool.finish(game_id, Report.of(spec, make_record(spec, host=host)))

        made = []

        def make():
            made.append(Games(4))
            return made[-1]

        end = scene.play(
            Games(4),
            ("started", partial(finish, "g0", "good")),
            ("started", partial(finish, "g1", "bad")),
            ("started", do("purge", host="bad", because="  it is\nhot ", who="ann")),
            ("reloaded", "g2"),
            *in_turn("g1@2", "g3"),
            reload=control_file(make),
        )
        assert end == RunEnd(status=ExitStatus.COMPLETE, finished=5)
        assert stored(files) == ["g0", "g1", "g2", "g1@2", "g3"]
        assert sorted(made[0].added) == ["g0", "g1", "g2", "g3"]
        assert ("1 game of host bad taken back: it is hot", False) in scene.diary.of("steered")
        assert scene.diary.of("warning") == [
            "excluded: 1 game of a v b (a 1, b 0), taken back from host bad: it is hot"
        ]

    @ON_A_CLUSTER
    def test_the_games_of_a_host_of_a_cluster_are_played_again(self, scene, files):
        scene.play(
            Games(3),
            ("started", NOTHING),
            ("started", "g0 g1"),  # on one and two
            ("finished", do("purge", host="two", because="hot")),
            ("reloaded", "g2"),
            *in_turn("g1@2"),
            parallel=2,
            reload=control_file(lambda: Games(3)),
        )
        assert sorted(stored(files)) == ["g0", "g1", "g1@2", "g2"]

    @ON_ONE_MACHINE
    @pytest.mark.parametrize(
        ("host", "because", "says"),
        [
            ("other", "x", "no game of host 'other' counts: expected one of the hosts 'bad'"),
            ("bad", " ", "because: expected a reason, which goes into the record; got nothing"),
        ],
    )
    def test_what_cannot_be_taken_back_is_refused_and_nothing_changes(self, scene, host, because, says):
        def finish():
            spec = scene.pool.orders[0].spec
            scene.pool.finish("g0", Report.of(spec, make_record(spec, host="bad")))

        scene.play(
            Games(2),
            ("started", finish),
            ("started", do("purge", host=host, because=because)),
            ("obeyed", "g1"),
        )
        assert scene.answers[0]["error"].endswith(says)

    def test_the_next_run_plays_them_again(self, start, files):
        start(Games(4), by_hosts("good", "bad"))
        with Store.open(files.database, "event") as store:
            assert purge(store, "bad", because="hot", who="ann", when="now").games == ("g1", "g3")
            with pytest.raises(ConfigError, match="no game of host 'bad' counts"):
                purge(store, "bad", because="hot", who="ann", when="now")
        end, diary = start(Games(4), by_hosts("good"))
        assert end.finished == 2
        assert diary.of("finished") == ["g1@2", "g3@2"]
        with Store.open(files.database, "event") as store:  # it may break again
            assert purge(store, "good", because="hot", who="ann", when="now").games == (
                *("g0", "g2"),
                *("g1@2", "g3@2"),
            )
        end, diary = start(Games(4), by_hosts("other"))
        assert diary.of("finished") == ["g0@2", "g1@3", "g2@2", "g3@3"]


@ON_A_CLUSTER
def test_the_status_tells_what_each_host_does(scene):
    scene.play(
        Games(3),
        ("started", NOTHING),
        ("started", "g0"),
        ("finished", do("status")),
        ("obeyed", "g1 g2"),
        parallel=2,
    )
    told = [
        {key: value for key, value in host.items() if key != "silent"} for host in scene.answers[0]["hosts"]
    ]
    one, two = told
    assert (one["name"], one["slots"], one["played"]) == ("one", 8, 1)
    assert (two["name"], two["playing"]) == ("two", ["g1"])


@ON_ONE_MACHINE
def test_the_status_tells_what_is_played_and_what_is_left(scene):
    players = {code: Player(code=code, command=(code,)) for code in ("b", "a")}
    setup = make_setup(players=players, cores=1, resources={"gpu": 3})
    scene.play(Games(3), ("started", do("status")), ("obeyed", "g0"), setup=setup, max_games=1)
    (answer,) = scene.answers
    (game,) = answer.pop("games")
    assert (game["id"], game["players"], game["turns"]) == ("g0", ["a", "b"], 0)
    assert answer == {
        "ok": True,
        "pid": os.getpid(),
        "players": ["a", "b"],
        "parallel": 1,
        "paused": False,
        "finished": 0,
        "voids": 0,
        "skipped": 0,
        "remaining": 2,
        "free": {"gpu": 3},
        "stopping": None,
    }


@pytest.mark.parametrize("what", ["halt", "", None, 3, ["stop"]])
def test_a_command_that_there_is_not_is_told_which_there_are(scene, what):
    scene.play(Games(1), ("started", do(what)), ("obeyed", "g0"))
    (answer,) = scene.answers
    assert not answer["ok"]
    assert "there are: status, stop, pause, resume, reload, parallel" in answer["error"]


COMMANDS = st.sampled_from(
    [do("pause"), do("resume"), do("reload"), *(do("parallel", games=games) for games in (1, 2, 5))]
)


class BusyPool(InstantPool):
    """Games last a moment, some longer than others; now and then one is void at first."""

    def __init__(self, chance):
        super().__init__(lambda spec, attempt: None)
        self.chance = chance

    def submit(self, order):
        future = super().submit(order)
        is_first = sum(each.spec.id == order.spec.id for each in self.orders) == 1
        end = self.fail if is_first and self.chance.random() < 0.2 else self.finish
        self.loop.call_later(self.chance.random() / 1000, lambda: end(order.spec.id))
        return future


@given(todo=st.lists(COMMANDS, max_size=15), seed=st.integers(0, 999))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_done_to_a_run_every_game_is_stored_once(files, start, todo, seed):
    for path in files.outputs():
        path.unlink()

    def on(name):
        if todo and name in ("finished", "voided"):
            ask(files, todo.pop(0)).close()
        if name == "steered" and diary.events[-1][2]:
            ask(files, do("resume")).close()

    diary, pool = Diary(on), BusyPool(Random(seed))
    end, _ = start(Games(12), pool, diary=diary, reload=control_file(lambda: Games(12)), parallel=3)
    assert (end.status, end.finished) == (ExitStatus.COMPLETE, 12)
    assert sorted(stored(files)) == sorted(f"g{number}" for number in range(12))
    started = [game_id for game_id, _ in diary.of("started")]
    assert len(started) == 12 + len(diary.of("voided"))


class TestRemotePlayers:
    @pytest.mark.parametrize(
        "talk",
        [{"text": "\ud800"}, {"n": 1 << 80}, {"n": "1"}, {"hello": 3}, ["text"], None],
        ids=["no Unicode", "a large number", "a number as text", "no hello", "a list", "nothing"],
    )
    def test_what_makes_no_sense_from_an_owner_is_dropped(self, scene, talk):
        nonsense = {"do": "remote", "game": "g0", "player": "x", "talk": talk}
        end = scene.play(Games(2), ("started", [nonsense, do("status")]), ("obeyed", "g0"), ("started", "g1"))
        assert end.status is ExitStatus.COMPLETE
        scene.asked.pop(0).close()  # it has no answer
        assert scene.answers[0]["ok"]
