"""What the owner's side does with the messages of an event."""

import asyncio
import json

import pytest

pytest.importorskip("websockets", reason="gyoji[web] is not installed: pip install -e '.[dev]'")
from websockets.asyncio.server import serve

from gyoji.core.clocks import TimeControl
from gyoji.core.links import JoinLink
from gyoji.core.spec import Player
from gyoji.play.context import WorkerContext
from gyoji.remote.event_server import EventServer
from gyoji.remote.joining import describe_trips
from gyoji.remote.owner import Owner, patience_for
from gyoji.remote.sessions import Engines


def test_a_game_that_has_no_worker_yet_is_greeted_again_when_its_seat_calls():
    hellos, said = [], []

    async def event(owner):
        await owner.send(json.dumps({"playing": ["g"]}))
        async for text in owner:
            message = json.loads(text)
            if "hello" in message.get("talk", {}):
                hellos.append(message["game"])
                last = {"finished": "g", "text": "a draw", "counts": True}
                call = {"game": "g", "talk": [{"call": "s"}]}
                await owner.send(json.dumps(call if len(hellos) < 2 else last))

    async def play():
        async with serve(event, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            link = JoinLink(False, "127.0.0.1", port, "", "cup/secret")
            engines = Engines(Player(code="x", command=("engine",)), context)
            joined = Owner(EventServer(link, said.append), engines, games=1)
            return await asyncio.wait_for(joined.play(), 10)

    context = WorkerContext()
    try:
        assert asyncio.run(play()) == 1
    finally:
        context.close()
    assert hellos == ["g", "g"]
    assert "game g: a draw" in said


class Connection:
    """What an owner sends, without a server."""

    unsent = 0

    def __init__(self):
        self.sent = []

    def send(self, data):
        self.sent.append(json.loads(data))

    def hellos(self):
        return [each["talk"]["hello"] for each in self.sent if "hello" in each.get("talk", {})]

    def readiness(self):
        return [each["ready"] for each in self.sent if "ready" in each]


class Kept:
    """Engines of which none is kept."""

    def close(self):
        pass


@pytest.fixture
def said():
    return []


@pytest.fixture
def connected(said):
    """Makes owners with a connection, in a loop."""

    def connect(games=None, **options):
        link = JoinLink(False, "127.0.0.1", 1, "", "cup/secret")
        made = Owner(EventServer(link, said.append), Kept(), games, **options)
        made._connection = Connection()
        return made, made._connection

    return connect


def hear(owner, **message):
    owner._hear(message)


def begin(owner, game):
    hear(owner, started=game, players=["x", "y"])
    hear(owner, game=game, talk=[{"call": "s" + game}])
    hear(owner, game=game, talk=[{"session": "s" + game, "got": 0}])


def end(owner, game, *, counts=True):
    hear(owner, finished=game, text="a draw" if counts else "no result", counts=counts)


def has_left(owner):
    return owner._left.is_set()


def test_no_further_game_is_taken_as_soon_as_the_last_one_has_begun(connected):
    owner, connection = connected(games=2)
    begin(owner, "0")
    assert connection.readiness() == [True]
    end(owner, "0")
    begin(owner, "1")
    assert connection.readiness() == [True, False]
    assert not has_left(owner)
    end(owner, "1")
    assert has_left(owner)


def test_a_void_game_is_not_one_of_those_after_which_the_owner_leaves(connected):
    owner, connection = connected(games=1)
    begin(owner, "0")
    end(owner, "0", counts=False)
    assert connection.readiness() == [False, True]
    assert not has_left(owner)
    begin(owner, "0")
    end(owner, "0")
    assert connection.readiness() == [False, True, False]
    assert has_left(owner)


def test_a_game_that_ended_during_a_cut_was_the_last_one(connected):
    owner, _ = connected(games=1)
    begin(owner, "0")
    hear(owner, running=True)
    hear(owner, playing=[])
    assert has_left(owner)


def test_a_game_is_greeted_once_when_it_has_begun(connected):
    owner, connection = connected()
    hear(owner, started="0", players=["x", "y"])
    assert connection.hellos() == []
    for talk in ({"call": "s"}, {"session": "s", "got": 0}, {"call": "s"}):
        hear(owner, game="0", talk=[talk])
    assert connection.hellos() == [{}]


def test_a_game_that_is_played_again_has_a_new_session(connected):
    owner, connection = connected()
    begin(owner, "0")
    hear(owner, game="0", talk=[{"call": "of another host"}])
    assert connection.hellos() == [{}, {}]  # of no session
    end(owner, "0", counts=False)
    begin(owner, "0")
    assert connection.hellos() == [{}, {}, {}]


def in_a_loop(act):
    async def run():
        act()

    asyncio.run(run())


def test_every_game_is_greeted_again_when_the_event_runs_again(connected):
    def act():
        owner, connection = connected()
        begin(owner, "0")
        hear(owner, running=False)
        hear(owner, running=True)
        hear(owner, playing=["0"])
        assert connection.hellos() == [{}, {"session": "s0"}]

    in_a_loop(act)


def test_the_first_interrupt_leaves_at_once_if_the_event_does_not_run(connected):
    def act():
        owner, _ = connected()
        begin(owner, "0")
        hear(owner, running=False)
        owner.interrupt()
        assert has_left(owner)

    in_a_loop(act)


def test_the_first_interrupt_waits_for_the_game_of_a_running_event(connected):
    owner, connection = connected()
    hear(owner, started="0", players=["x", "y"])  # it may still wait for a worker
    owner.interrupt()
    assert not has_left(owner)
    assert connection.readiness()[-1] is False
    owner.interrupt()
    assert has_left(owner)


class Engine:
    is_dismissed = False

    def __init__(self):
        self.is_killed = False

    def listen(self, *, wanted):
        pass

    def kill(self):
        self.is_killed = True


@pytest.mark.parametrize("comes_back", [False, True])
def test_an_engine_whose_event_is_gone_for_long_is_ended_and_the_owner_waits_on(connected, said, comes_back):
    async def act():
        owner, connection = connected(patience=0.01)
        engine = Engine()
        owner._engines.start = lambda _opening: engine
        begin(owner, "0")
        hear(owner, game="0", talk=[{"n": 1, "open": {}}])
        hear(owner, running=False)
        if comes_back:
            hear(owner, running=True)
        await asyncio.sleep(0.05)
        assert engine.is_killed is not comes_back
        assert not has_left(owner)
        if not comes_back:
            assert "the engine is ended: the event was gone" in said[-1]
            hear(owner, running=True)  # the game goes on after all
            hear(owner, playing=["0"])
            hear(owner, game="0", talk=[{"session": "s0", "got": 0}])
            assert "the event was gone" in connection.sent[-1]["talk"]["end"]

    asyncio.run(act())


@pytest.mark.parametrize(("clock", "minutes"), [("1m", 10), ("2h", 120), ("1h + 3x5m", 75), ("8+0.08", 10)])
def test_an_engine_waits_for_its_event_as_long_as_its_clock_may_run(clock, minutes):
    assert patience_for(TimeControl.parse(clock)) == 60 * minutes


@pytest.mark.parametrize(
    ("lag", "told"),
    [
        (0, "your clock also runs while an answer is on the way: the event credits nothing"),
        (50_000_000, "your clock is not charged for them: the event credits up to 0.05s for each answer"),
        (
            5_000_000,
            "your clock is charged for 1 of them, at most 15.0 ms of an answer:"
            " the event credits up to 0.005s for each answer",
        ),
    ],
)
def test_the_owner_is_told_what_the_connection_means_for_the_clock(lag, told):
    measured, effect = describe_trips([1_000_000, 20_000_000, 2_000_000], lag)
    assert measured == "3 round trips, measured by the server: median 2.0 ms, longest 20.0 ms"
    assert effect == told
