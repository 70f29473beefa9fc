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


def test_a_game_that_has_no_worker_yet_is_greeted_again_until_it_ends(monkeypatch, capsys):
    monkeypatch.setattr(joining, "HELLO_SECONDS", 0.01)
    hellos = []

    async def event(owner):
        await owner.send(json.dumps({"playing": ["g"]}))
        async for text in owner:
            message = json.loads(text)
            if "hello" in message.get("talk", {}):
                hellos.append(message["game"])
                last = {"finished": "g", "text": "a draw"}
                early = {"game": "g", "talk": [{"over": True}]}
                await owner.send(json.dumps(early if len(hellos) < 3 else last))

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
    assert hellos == ["g", "g", "g"]
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


def test_a_void_game_that_is_issued_again_at_once_has_a_new_session(monkeypatch):
    monkeypatch.setattr(joining, "HELLO_SECONDS", 0.01)

    async def play():
        owner, connection = connected()
        begin(owner, "0")
        hear(owner, finished="0", text="void")
        begin(owner, "0")
        before = len(connection.hellos())
        hear(owner, game="0", talk=[{"over": True}])
        async with asyncio.timeout(10):
            while len(connection.hellos()) == before:
                await asyncio.sleep(0.01)
        assert connection.hellos()[-1] == {}  # of no session
        hear(owner, playing=[])
        assert not owner._sessions

    asyncio.run(play())


def test_a_game_that_is_over_and_not_in_progress_has_no_session():
    owner, _ = connected()
    begin(owner, "0")
    owner._playing.clear()
    hear(owner, game="0", talk=[{"over": True}])
    assert not owner._sessions


def test_no_game_is_greeted_while_the_event_does_not_run(monkeypatch):
    monkeypatch.setattr(joining, "HELLO_SECONDS", 0)

    async def play():
        owner, connection = connected()
        hear(owner, playing=["0"])
        hear(owner, game="0", talk=[{"over": True}])
        hear(owner, running=False)
        await asyncio.sleep(0.05)
        assert len(connection.hellos()) == 1
        hear(owner, running=True)
        hear(owner, playing=["0"])
        assert len(connection.hellos()) == 2

    asyncio.run(play())


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
