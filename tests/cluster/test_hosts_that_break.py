"""Whatever hosts do, each game that is ordered ends once, with its own report."""

from random import Random

import pytest
from msgspec.structs import replace

from fake_pool import report_of
from gyoji.cluster.agent_messages import (
    Abandon,
    Alive,
    Assignment,
    Ended,
    Facts,
    LeftFile,
    SpooledGame,
    Stored,
)
from gyoji.cluster.assignments import MOST_LOSSES
from gyoji.cluster.host_monitor import MOST_TROUBLES
from gyoji.cluster.report_spool import digest_of
from gyoji.core import wire
from gyoji.core.faults import Breakdown
from gyoji.core.spec import Player
from gyoji.play.order import Files, Order, Progress
from gyoji.scheduler.pool import Abandoned, WorkerDied
from scripted_hosts import PLAYERS, Scene, make_spec


@pytest.fixture
def make():
    made = []

    def scene(*hosts, **options):
        made.append(Scene(*hosts, **options))
        return made[-1]

    yield scene
    for each in made:
        each.close()


def test_a_game_is_played_by_a_host_and_its_result_has_the_name(make):
    scene = make("one")
    (future,) = scene.order(0)
    scene.hosts.end("one", 1, make_spec(0))
    finished = future.result(0).finished
    assert finished.result.host == "one"
    assert finished.result_text.endswith('"host":"one"}')
    assert [(host.name, host.slots, host.played) for host in scene.pool.hosts] == [("one", 2, 1)]


def test_games_go_to_the_host_with_the_most_room_and_wait_where_there_is_none(make):
    scene = make("one", "two")
    futures = scene.order(*range(5))
    assert scene.pool.slots == 4
    assert [len(scene.hosts.given(host)) for host in ("one", "two")] == [2, 2]
    assert not futures[4].running()
    scene.hosts.end("two", 2, make_spec(1))
    assert scene.hosts.given("two")[-1] == (5, "g4")


def test_games_of_a_host_that_is_lost_are_played_elsewhere_under_the_same_seed(make):
    scene = make("one", "two")
    futures = scene.order(*range(3))
    scene.hosts.leave("one")
    assert scene.pool.slots == 2
    assert scene.warnings == ["host one is gone: the network is down"]
    assert [game for _, game in scene.hosts.given("two")] == ["g1", "g0"]
    orders = [task.order for task in scene.hosts.tasks["two"] if isinstance(task, Assignment)]
    assert orders[1].spec == make_spec(0)
    scene.hosts.end("two", 2, make_spec(1))
    assert scene.hosts.given("two")[-1] == (5, "g2")
    scene.hosts.end("two", 4, make_spec(0))
    scene.hosts.end("two", 5, make_spec(2))
    assert [future.result(0).finished.result.id for future in futures] == ["g0", "g1", "g2"]


def test_a_host_that_comes_back_is_used_again(make):
    scene = make("one")
    changes = []
    scene.told.on_change = lambda: changes.append(scene.pool.slots)
    (future,) = scene.order(0)
    scene.hosts.leave("one")
    scene.hosts.join("one")
    assert changes == [0, 2]
    assert scene.hosts.given("one") == [(2, "g0")]
    assert not future.done()


def test_a_game_that_takes_hosts_with_it_is_void_in_the_end(make):
    scene = make("one")
    (future,) = scene.order(0)
    for _ in range(MOST_LOSSES):
        assert not future.done()
        scene.hosts.leave("one")
        scene.hosts.join("one")
    assert isinstance(future.exception(0), WorkerDied)
    assert str(future.exception(0)).startswith("3 hosts were lost with it, the last one one: the network")


def test_a_report_that_comes_twice_or_of_no_game_is_ignored(make):
    scene = make("one")
    (future,) = scene.order(0)
    for ticket in (1, 1, 77):
        scene.hosts.end("one", ticket, make_spec(0))
    assert future.result(0).finished
    assert scene.pool.ignored == 2
    assert scene.hosts.ended == []


def test_a_report_that_comes_late_counts_and_that_of_the_second_time_is_ignored(make):
    scene = make("one", "two")
    (future,) = scene.order(0)
    scene.hosts.leave("one")
    scene.hosts.join("one")
    (again,) = scene.hosts.given("one") + scene.hosts.given("two")
    other = "one" if scene.hosts.given("one") else "two"
    scene.hosts.end("one", 1, make_spec(0))  # it had been on its way
    assert future.result(0).finished.result.host == "one"
    scene.hosts.end(other, again[0], make_spec(0))
    assert scene.pool.ignored == 1
    assert all(not host.playing for host in scene.pool.hosts)


def test_a_host_that_says_late_that_it_lacks_a_program_changes_nothing(make):
    scene = make("one")
    scene.order(0)
    scene.hosts.leave("one")
    scene.hosts.join("one")
    scene.hosts.end("one", 1, None, lacks="a: there is no /bin/true")
    assert scene.pool.ignored == 1
    assert scene.hosts.given("one") == [(2, "g0")]


def test_a_late_report_of_a_game_that_waits_again_counts(make):
    scene = make("one")
    (future,) = scene.order(0)
    scene.hosts.leave("one")
    scene.hosts.listener.joined("one")
    scene.hosts.end("one", 1, make_spec(0))
    assert future.result(0).finished
    scene.hosts.say("one", Facts(version="0", slots=1, threads=1))
    assert not scene.pool._assigned.waiting


def said(report):
    """Return the line of a host with this report of its first game."""
    return wire.dump_line(Ended(ticket=1, report=report.sent()))


NONSENSE = {
    "no JSON": b"Traceback (most recent call last):",
    "another value": b'{"result":3}',
    "not UTF-8": b"\xff\xfe",
    "a list": b"[1,2]",
    "an empty line": b"",
    "a report that is none": b'{"type":"ended","ticket":1,"report":{"log":["x"]}}',
    "a report of another game": said(report_of(make_spec(9))),
    "a report of other players": said(report_of(replace(make_spec(0), players=PLAYERS[:1] * 2))),
    "a report whose moves cannot be read": said(report_of(make_spec(0))).replace(b'"D4"', b'["D4"]'),
    "a death at a seat that there is not": b'{"type":"ended","ticket":1,"died":"x","to_move":[2]}',
    "no slots": b'{"type":"ready","version":"0","slots":0,"threads":1}',
    "an end that nobody asked for": b'{"type":"ended","ticket":1}',
}


@pytest.mark.parametrize("line", NONSENSE.values(), ids=NONSENSE)
def test_a_host_that_makes_no_sense_is_begun_anew_and_its_games_are_played_again(make, line):
    scene = make("one")
    (future,) = scene.order(0)
    scene.hosts.say("one", line)
    assert scene.hosts.ended == ["one"]
    assert scene.warnings[0].startswith("host one makes no sense")
    assert scene.hosts.given("one") == [(2, "g0")]
    scene.hosts.end("one", 2, make_spec(0))
    assert future.result(0).finished


def test_a_host_that_makes_no_sense_again_and_again_is_left_alone(make):
    scene = make("one", "two")
    (future,) = scene.order(0)
    for _ in range(MOST_TROUBLES):
        scene.hosts.say("one", b"?")
    assert scene.hosts.dropped == ["one"]
    trouble = {host.name: host.trouble for host in scene.pool.hosts}["one"]
    assert trouble.startswith("makes no sense")
    assert scene.pool.slots == 2
    scene.hosts.end("two", scene.hosts.given("two")[-1][0], make_spec(0))
    assert future.result(0).finished


def test_a_host_cannot_end_a_game_that_another_one_plays(make):
    scene = make("one", "two")
    first, second = scene.order(0, 1)
    ((ticket, _),) = scene.hosts.given("two")
    scene.hosts.end("one", ticket, make_spec(1))
    assert not second.done()
    assert scene.hosts.ended == ["one"]
    assert not first.done()


def test_news_of_games_that_a_host_does_not_play_is_dropped(make):
    scene = make("one", "two")
    scene.order(0)
    scene.hosts.say("two", Progress(id="g0", turns=3, left=()))
    scene.hosts.say("one", Progress(id="g0", turns=4, left=()))
    assert scene.told.progress == [Progress(id="g0", turns=4, left=())]


def test_a_worker_that_dies_on_a_host_is_told_with_the_host_and_who_was_to_move(make):
    scene = make("one")
    (future,) = scene.order(0)
    scene.hosts.end("one", 1, None, died="the worker process 7 was killed by signal 9", to_move=(1,))
    error = future.exception(0)
    assert (str(error), error.to_move) == ("one: the worker process 7 was killed by signal 9", (1,))


def test_a_host_that_is_silent_is_begun_anew(make):
    scene = make("one", "two", silence_seconds=0.03)
    scene.order(0)
    while not scene.hosts.ended:
        scene.hosts.say("two", Alive())
        scene.pool.loop.wait()
    assert scene.hosts.ended == ["one"]
    assert scene.warnings[0] == "host one gave no sign of life for 0.03s"


def test_a_host_with_another_gyoji_gets_no_games(make):
    scene = make()
    scene.hosts.join("old", version="0.0.1")
    (future,) = scene.order(0)
    assert scene.pool.slots == 0
    assert scene.hosts.given("old") == []
    assert "old has gyoji 0.0.1" in scene.warnings[0]
    assert not future.done()


NOWHERE = (
    "no host can play it: one: a: there is no program '/bin/true'; two: b: there is no program '/bin/true'"
)


def test_a_game_waits_for_a_host_that_is_still_starting_before_it_counts_as_one_that_none_can_play(make):
    scene = make("one")
    scene.hosts.listener.joined("two")  # it is not ready yet
    (future,) = scene.order(0)
    scene.hosts.end("one", 1, None, lacks="a: there is no program '/bin/true'")
    assert not future.done()
    scene.hosts.join("two")
    assert scene.hosts.given("two") == [(2, "g0")]


def test_a_host_that_is_still_starting_and_goes_leaves_its_games_to_those_that_there_are(make):
    scene = make("one")
    scene.hosts.listener.joined("two")
    (future,) = scene.order(0)
    scene.hosts.end("one", 1, None, lacks="a: there is no program '/bin/true'")
    scene.hosts.leave("two")
    assert "no host can play it: one: a: there is no program" in str(future.exception(0))


def test_a_host_that_lacks_a_program_plays_other_games(make):
    scene = make("one", "two")
    others = tuple(Player(code=code, command=("/opt/other",)) for code in "cd")
    (first,) = scene.order(0)
    scene.hosts.end("one", 1, None, lacks="a: there is no program '/bin/true'")
    assert scene.warnings == ["host one plays no games of a: there is no program '/bin/true'"]
    assert scene.hosts.given("two") == [(2, "g0")]
    scene.order(1)
    assert [game for _, game in scene.hosts.given("two")] == ["g0", "g1"]
    scene.order(2, players=others)
    assert [game for _, game in scene.hosts.given("one")] == ["g0", "g2"]
    scene.hosts.end("two", 2, None, lacks="b: there is no program '/bin/true'")
    assert isinstance(first.exception(0), Breakdown)
    assert str(first.exception(0)) == NOWHERE


def test_an_abandoned_game_that_its_host_cannot_play_is_given_to_no_other(make):
    scene = make("one", "two")
    (future,) = scene.order(0)
    scene.pool.abandon()
    scene.hosts.end("one", 1, None, lacks="a: there is no program '/bin/true'")
    assert isinstance(future.exception(0), Abandoned)
    assert scene.hosts.given("two") == []


def test_a_game_gets_the_threads_and_resources_of_one_host(make):
    scene = make("one", "two")
    scene.pool.shared({"gpu": 1})
    needy = tuple(replace(player, threads=8, resources={"gpu": n}) for n, player in enumerate(PLAYERS))
    futures = scene.order(0, 1, 2, players=needy)
    assert [future.running() for future in futures] == [True, True, False]
    scene.order(3)
    assert all(len(scene.hosts.given(host)) == 1 for host in ("one", "two"))  # no thread is left
    scene.hosts.end("one", 1, make_spec(0))
    assert scene.hosts.given("one")[-1][1] == "g2"


def test_abandoned_games_end_on_their_hosts_and_are_not_played_again(make):
    scene = make("one")
    first, second, waiting = scene.order(0, 1, 2)
    scene.pool.abandon()
    assert waiting.cancelled()
    assert scene.hosts.tasks["one"][-1] == Abandon()
    scene.hosts.end("one", 1, make_spec(0))  # it was on its way
    assert first.result(0).finished
    scene.hosts.leave("one")
    assert isinstance(second.exception(0), Abandoned)


def test_files_are_written_where_the_order_says_and_nowhere_else(make, tmp_path):
    scene = make("one", folder=tmp_path)
    (tmp_path / "e.games").mkdir()
    files = Files(records="e.games", voids="e.void", formats=("sgf",))
    future = scene.pool.submit(Order(spec=make_spec(0), files=files))
    left = [
        LeftFile(kind="records", name="g0.sgf", content=b"(;)"),
        LeftFile(kind="records", name="../g0.sgf", content=b"x"),
        LeftFile(kind="records", name="g1.sgf", content=b"x"),
        LeftFile(kind="records", name="g0./../../x", content=b"x"),
        LeftFile(kind="transcript", name="g0.log", content=b"x"),
        LeftFile(kind="folder", name="g0.sgf", content=b"x"),
    ]
    scene.hosts.end("one", 1, None, report=report_of(make_spec(0)).sent(), files=tuple(left))
    assert len(future.result(0).log) == 5
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")) == [
        "e.games",
        "e.games/g0.sgf",
    ]
    assert (tmp_path / "e.games" / "g0.sgf").read_bytes() == b"(;)"


@pytest.mark.parametrize("seed", range(40))
def test_at_random_each_game_ends_once(make, seed):
    """Hosts come, go, end games once, twice, late, talk nonsense; what is still open is ended at last."""
    random = Random(seed)
    names = ["one", "two", "three"]
    scene = make(*names)
    ends = []
    futures = scene.order(*range(12))
    for number, future in enumerate(futures):
        future.add_done_callback(lambda _, number=number: ends.append(number))
    everything = []
    for step in range(400):
        there = [host.name for host in scene.pool.hosts if not host.trouble]
        everything += [(host, *each) for host in there for each in scene.hosts.given(host)]
        kind = random.random()
        if kind < 0.06 and there:
            scene.hosts.leave(random.choice(there))
        elif kind < 0.2:
            scene.hosts.join(random.choice(names))
        elif kind < 0.21 and there and step < 300:
            scene.hosts.say(random.choice(there), b"nonsense")
        elif everything and (at := random.choice(everything))[0] in there:
            scene.hosts.end(at[0], at[1], make_spec(int(at[2][1:])))
    scene.hosts.join("last", slots=12)
    for ticket, game in scene.hosts.given("last"):
        scene.hosts.end("last", ticket, make_spec(int(game[1:])))
    for host in [host.name for host in scene.pool.hosts]:
        for ticket, game in scene.hosts.given(host) if host in scene.hosts.tasks else ():
            scene.hosts.end(host, ticket, make_spec(int(game[1:])))
    assert sorted(ends) == list(range(12))
    for number, future in enumerate(futures):
        if future.exception(0) is None:
            assert future.result(0).finished.result.id == f"g{number}"
        else:
            assert isinstance(future.exception(0), WorkerDied)


def kept(spec, digest=None):
    """Return what a host says when it has a report of a game."""
    return SpooledGame(game=spec.id, digest=digest or digest_of(played(spec)))


def played(spec):
    return Assignment(ticket=0, order=Order(spec=spec), needs=("/bin/true",))


def test_a_report_that_a_host_has_kept_is_asked_for_instead_of_a_new_game(make):
    scene = make("one")
    scene.hosts.join("two", kept=(kept(make_spec(0)),))
    scene.order(0, 1)
    assert scene.hosts.given("two")[0] == (1, "g0")
    (again,) = scene.order(0)
    assert not again.done()  # a report is asked for once


def test_a_host_that_comes_in_time_is_asked_for_what_it_has(make):
    scene = make("one")
    future, *_ = scene.order(0, 1, 2)
    scene.hosts.leave("one")
    scene.hosts.join("two", 1, kept=tuple([kept(make_spec(number)) for number in (0, 1)]))
    assert scene.hosts.given("two") == [(3, "g0")]
    scene.hosts.end("two", 3, make_spec(0))
    assert future.result(0).finished
    assert scene.hosts.given("two")[1:] == [(4, "g1")]


def test_a_report_of_other_players_is_not_asked_for(make):
    scene = make("one")
    scene.hosts.join("two", kept=(kept(make_spec(0), digest="0" * 64),))
    scene.order(0)
    assert scene.hosts.given("one") == [(1, "g0")]


def told_as_stored(scene, host):
    return [name for task in scene.hosts.tasks[host] if isinstance(task, Stored) for name in task.games]


def test_hosts_are_told_which_of_their_games_are_stored(make):
    scene = make("one", "two")
    scene.order(0, 1, 2)
    for host in ("one", "two"):
        ticket, game = scene.hosts.given(host)[0]
        scene.hosts.end(host, ticket, make_spec(int(game[1:])))
    assert told_as_stored(scene, "one") == told_as_stored(scene, "two") == []
    scene.pool.stored(["g0", "g1", "g9"])
    assert told_as_stored(scene, "one") == ["g0"]
    assert told_as_stored(scene, "two") == ["g1"]


def test_a_host_that_was_gone_is_told_when_it_is_back(make):
    scene = make("one")
    scene.order(0)
    scene.hosts.end("one", 1, make_spec(0))
    scene.hosts.leave("one")
    scene.pool.stored(["g0"])
    scene.hosts.join("one")
    assert told_as_stored(scene, "one") == ["g0"]


def test_a_report_that_came_second_need_not_be_kept(make):
    scene = make("one", "two")
    scene.order(0)
    scene.hosts.leave("one")
    scene.hosts.join("one")
    scene.hosts.end("one", 1, make_spec(0))
    scene.hosts.end("two", 2, make_spec(0))
    assert told_as_stored(scene, "two") == ["g0"]
    assert told_as_stored(scene, "one") == []
