"""A run tells its watchers what happens in it, and nobody pays for that while there is none."""

import json
from types import SimpleNamespace

import msgspec
import pytest
from fakes import make_record, make_spec, make_void

from gyoji.play.live_updates import Live
from gyoji.play.order import Order
from gyoji.play.seats import SeatNews
from gyoji.scheduler.attendance import Awaited
from gyoji.scheduler.feed import Feed
from gyoji.scheduler.issued_games import IssuedGame
from gyoji.scheduler.pool import Host
from gyoji.scheduler.status import ExitStatus, RunEnd


class Watcher:
    def __init__(self):
        self.lines = []

    def write(self, data):
        self.lines += [json.loads(line) for line in data.decode().splitlines()]

    @property
    def events(self):
        return [line["event"] for line in self.lines]


class Run:
    """A feed of games in progress, and what it wants told."""

    def __init__(self):
        self.playing = []
        self.wanted = []
        self.later = Later()
        loop = SimpleNamespace(call_later=self.later)
        self.pool = SimpleNamespace(hosts=[], loop=loop, tell_moves=self.wanted.append)
        self.feed = Feed(self.pool, lambda: self.playing)


@pytest.fixture
def run():
    return Run()


def test_who_joins_is_told_what_is_being_played(run):
    run.playing = [IssuedGame(make_spec(3), 0, started="now")]
    told = run.feed.join(Watcher(), moves=False)
    assert [(each["game"]["id"], each["at"]) for each in told["playing"]] == [("g3", "now")]


def test_all_watchers_are_told_each_event(run):
    first, second = Watcher(), Watcher()
    run.feed.join(first, moves=False)
    run.feed.join(second, moves=True)
    spec = make_spec(1)
    run.feed.started(Order(spec=spec))
    run.feed.finished(make_record(spec).result)
    run.feed.voided(make_void(spec), 2)
    run.feed.warning("careful")
    run.feed.steered("paused", paused=True)
    run.feed.stopping("enough", ())
    run.feed.ended(RunEnd(status=ExitStatus.STOPPED, reason="enough"))
    names = ["started", "finished", "void", "warning", "steered", "stopping", "ended"]
    assert first.events == second.events == names
    assert first.lines[2]["attempt"] == 2


def test_moves_are_told_to_those_who_want_them_alone(run):
    plain, eager = Watcher(), Watcher()
    run.feed.join(plain, moves=False)
    run.feed.join(eager, moves=True)
    run.feed.live(Live(id="g1", first=0))
    live = {"type": "live", "id": "g1", "first": 0}
    assert (plain.lines, eager.lines) == ([], [{"event": "live", "live": live}])


def test_workers_tell_moves_from_when_somebody_wants_them_until_nobody_does(run):
    first, second = Watcher(), Watcher()
    run.feed.join(first, moves=False)
    assert run.wanted == []
    run.feed.join(first, moves=True)
    run.feed.join(second, moves=True)
    assert run.wanted == [True, True]  # all games again, for the second one
    run.feed.leave(first)
    assert run.wanted == [True, True]
    run.feed.join(second, moves=False)
    assert run.wanted == [True, True, False]


def test_who_has_left_is_told_nothing(run):
    watcher = Watcher()
    run.feed.join(watcher, moves=True)
    run.feed.leave(watcher)
    run.feed.leave(watcher)
    run.feed.warning("careful")
    assert (watcher.lines, run.wanted) == ([], [True, False])


def test_news_of_a_persons_seats_are_told_with_their_game(run):
    watcher = Watcher()
    run.feed.join(watcher, moves=False)
    end = msgspec.Raw(b'{"event":"end","seat":0}')
    run.feed.seat(SeatNews(game="g1", player="ann", events=(end,)))
    news = {"type": "seat", "game": "g1", "player": "ann", "events": [{"event": "end", "seat": 0}]}
    assert watcher.lines == [{"event": "seat", "news": news}]


def test_games_that_wait_for_persons_are_told_also_to_those_who_come_later(run):
    early, game = Watcher(), Awaited(id="g1", players=("ann",), seconds=9.5)
    assert run.feed.join(early, moves=False)["awaited"] == []
    run.feed.awaited((game,))
    told = {"id": "g1", "players": ["ann"], "seconds": 9.5}
    assert early.lines == [{"event": "awaited", "games": [told]}]
    (later,) = run.feed.join(Watcher(), moves=False)["awaited"]
    assert (later["id"], later["players"]) == ("g1", ["ann"])
    assert 0 < later["seconds"] <= 9.5  # what is left by now


def test_who_is_ready_to_play_is_told_to_those_who_watch_and_to_those_who_come_later(run):
    early = Watcher()
    assert run.feed.join(early, moves=False)["ready"] == []
    run.feed.appeared("ben", is_there=True)
    run.feed.appeared("ann", is_there=True)
    run.feed.appeared("ben", is_there=False)
    assert [line["players"] for line in early.lines] == [["ben"], ["ann", "ben"], ["ann"]]
    assert run.feed.join(Watcher(), moves=False)["ready"] == ["ann"]


class Later:
    """An alarm clock that rings when it is told to."""

    def __init__(self):
        self.waiting = []

    def __call__(self, seconds, action):
        self.waiting.append(action)

    def ring(self):
        waiting, self.waiting = self.waiting, []
        for action in waiting:
            action()


def test_the_hosts_of_a_cluster_are_told_of_now_and_then_while_somebody_watches(run):
    later, watcher = run.later, Watcher()
    assert run.feed.join(watcher, moves=False)["hosts"] == []
    assert later.waiting == []  # there are none: nothing is to be told
    run.pool.hosts = [Host(name="lab1", slots=2, playing=("g1",))]
    for _ in range(2):
        run.feed.tell_of_hosts()
    assert len(later.waiting) == 1
    later.ring()
    (line,) = watcher.lines
    assert (line["event"], line["hosts"][0]["name"], line["hosts"][0]["played"]) == ("hosts", "lab1", 0)
    assert len(later.waiting) == 1
    run.feed.leave(watcher)
    later.ring()
    assert later.waiting == []
