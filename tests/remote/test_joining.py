"""What the owner's side does with the messages of an event."""

import asyncio
import json

import pytest

pytest.importorskip("websockets", reason="gyoji[web] is not installed: pip install -e '.[dev]'")
from websockets.asyncio.server import serve

from gyoji.core.links import JoinLink
from gyoji.core.spec import Player
from gyoji.play.context import WorkerContext
from gyoji.remote import joining
from gyoji.remote.sessions import Engines


def test_a_game_that_has_no_worker_yet_is_greeted_again_when_its_seat_calls(capsys):
    hellos = []

    async def event(owner):
        await owner.send(json.dumps({"playing": ["g"]}))
        async for text in owner:
            message = json.loads(text)
            if "hello" in message.get("talk", {}):
                hellos.append(message["game"])
                last = {"finished": "g", "text": "a draw"}
                call = {"game": "g", "talk": [{"call": "s"}]}
                await owner.send(json.dumps(call if len(hellos) < 2 else last))

    async def play():
        async with serve(event, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            link = JoinLink(False, "127.0.0.1", port, "", "cup/secret")
            engines = Engines(Player(code="x", command=("engine",)), context)
            return await asyncio.wait_for(joining.Owner(link, None, engines, games=1).play(), 10)

    context = WorkerContext()
    try:
        assert asyncio.run(play()) == 0
    finally:
        context.close()
    assert hellos == ["g", "g"]
    assert "game g: a draw" in capsys.readouterr().err


class Connection:
    """What an owner sends, without a server."""

    unsent = 0

    def __init__(self):
        self.sent = []

    def send(self, data):
        self.sent.append(json.loads(data))

    def hellos(self):
        return [each["talk"]["hello"] for each in self.sent if "hello" in each.get("talk", {})]


def connected(games=None):
    owner = joining.Owner(None, None, None, games)
    owner._connection = Connection()
    return owner, owner._connection


def hear(owner, **message):
    owner._hear(message)


def begin(owner, game):
    hear(owner, started=game, players=["x", "y"])
    hear(owner, running=True)
    hear(owner, playing=[game])
    hear(owner, game=game, talk=[{"session": "s" + game, "got": 0}])


def test_no_further_game_is_taken_as_soon_as_the_last_one_has_begun():
    owner, connection = connected(games=2)
    begin(owner, "0")
    hear(owner, finished="0", text="void")
    begin(owner, "0")  # again: it counts once
    hear(owner, finished="0", text="a draw")
    assert {"ready": False} not in connection.sent
    begin(owner, "1")
    assert connection.sent.count({"ready": False}) == 1
    assert not owner._left.is_set()
    hear(owner, finished="1", text="a draw")
    assert owner._left.is_set()


def test_a_game_that_ended_during_a_cut_was_the_last_one():
    owner, _ = connected(games=1)
    begin(owner, "0")
    hear(owner, running=True)
    hear(owner, playing=[])
    assert owner._left.is_set()


def test_a_game_is_greeted_once_when_it_has_begun():
    owner, connection = connected()
    hear(owner, started="0", players=["x", "y"])
    assert connection.hellos() == []
    for talk in ({"call": "s"}, {"session": "s", "got": 0}, {"call": "s"}):
        hear(owner, game="0", talk=[talk])
    assert connection.hellos() == [{}]


def test_a_game_that_is_played_again_has_a_new_session():
    owner, connection = connected()
    begin(owner, "0")
    hear(owner, game="0", talk=[{"call": "of another host"}])
    assert connection.hellos() == [{}, {}]  # of no session
    hear(owner, finished="0", text="void")
    begin(owner, "0")
    assert connection.hellos() == [{}, {}, {}]
    hear(owner, playing=[])
    assert not owner._sessions


def test_every_game_is_greeted_again_when_the_event_runs_again():
    owner, connection = connected()
    begin(owner, "0")
    hear(owner, running=False)
    hear(owner, running=True)
    hear(owner, playing=["0"])
    assert connection.hellos() == [{}, {"session": "s0"}]


def test_the_first_interrupt_waits_for_a_game_that_waits_for_a_worker():
    owner, _ = connected()
    hear(owner, started="0", players=["x", "y"])
    owner._interrupted()
    assert not owner._left.is_set()


def test_the_first_interrupt_leaves_at_once_if_the_event_does_not_run():
    owner, _ = connected()
    begin(owner, "0")
    hear(owner, running=False)
    assert owner._sessions  # the server was perhaps started again, and the run is there
    owner._interrupted()
    assert owner._left.is_set()


def test_the_first_interrupt_waits_for_the_game_of_a_running_event():
    owner, connection = connected()
    begin(owner, "0")
    owner._interrupted()
    assert not owner._left.is_set()
    assert {"ready": False} in connection.sent
    owner._interrupted()
    assert owner._left.is_set()
