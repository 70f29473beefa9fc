"""What the server keeps for owners of remote players, and takes from them, without a server."""

import asyncio
import json
from types import SimpleNamespace

import pytest

pytest.importorskip("starlette", reason="gyoji[web] is not installed: pip install -e '.[dev]'")
from starlette.websockets import WebSocketDisconnect

from gyoji.core.spec import REMOTE, Player
from gyoji.web import owner_connection
from gyoji.web.owner_connection import BURST, BYTES_A_SECOND, MOST_UNREAD, OwnerConnection
from gyoji.web.remote_players import RemotePlayers, _Key


def queued(owner):
    return [owner._queue.get_nowait() for _ in range(owner._queue.qsize())]


class Silent:
    """The WebSocket of an owner that reads and sends nothing, and has taken in a first message."""

    def __init__(self):
        self.sent = 0

    async def send_text(self, _text):
        self.sent += 1
        await asyncio.Future()

    async def receive_text(self):
        await asyncio.Future()


def test_an_owner_that_reads_nothing_is_disconnected_and_no_more_is_kept():
    async def act():
        websocket = Silent()
        owner = OwnerConnection(websocket, "i")
        serving = asyncio.create_task(owner.serve(pytest.fail))
        owner.send(text="x")
        while not websocket.sent:
            await asyncio.sleep(0)
        for _ in range(100):
            owner.send(text="x" * (MOST_UNREAD // 10))
        await asyncio.wait_for(serving, 10)
        return owner

    assert queued(asyncio.run(act())) == []


def test_what_an_owner_sends_is_read_at_a_bounded_rate(monkeypatch):
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    class WebSocket:
        async def receive_text(self):
            return json.dumps({"x": "x" * BYTES_A_SECOND})

    async def read():
        owner = OwnerConnection(WebSocket(), "i")
        for _ in range(10):
            await owner.read()

    monkeypatch.setattr(owner_connection.asyncio, "sleep", sleep)
    monkeypatch.setattr(owner_connection.time, "monotonic", lambda: 1.0)  # sleeping takes no time here
    asyncio.run(read())
    free = BURST // BYTES_A_SECOND
    assert len(slept) == 10 - free + 1
    assert slept[-1] == pytest.approx(10 - free, rel=0.01)


class Echoing:
    """The WebSocket of an owner that returns each message, or another text."""

    def __init__(self, answer=None):
        self.answer, self.sent, self.closed = answer, [], None
        self._replies = asyncio.Queue()

    async def send_text(self, text):
        self.sent.append(json.loads(text))
        self._replies.put_nowait(self.answer or text)

    async def receive_text(self):
        text = await self._replies.get()
        if text is None:
            raise WebSocketDisconnect
        return text

    async def close(self, code, _reason):
        self.closed = code
        self._replies.put_nowait(None)


def measured(answer=None):
    async def act():
        websocket = Echoing(answer)
        await OwnerConnection(websocket, "").measure()
        return websocket

    return asyncio.run(act())


def test_the_server_measures_round_trips_and_tells_them():
    websocket = measured()
    assert [each.get("echo") for each in websocket.sent[:-1]] == list(range(owner_connection.TRIPS))
    trips = websocket.sent[-1]["trips"]
    assert len(trips) == owner_connection.TRIPS
    assert all(0 < each < 60 * 10**9 for each in trips)
    assert websocket.closed == 1000


@pytest.mark.parametrize("answer", ['{"echo": 7}', '{"n": 0}', "[]", "x"])
def test_an_answer_to_nothing_ends_the_measurement(answer):
    websocket = measured(answer)
    assert len(websocket.sent) == 1
    assert websocket.closed == owner_connection.NONSENSE


def test_an_owner_is_told_of_its_own_games_only():
    players, owner = RemotePlayers(None), OwnerConnection(None, "i")
    players._owners[_Key("cup", "x")] = owner
    watched = SimpleNamespace(name="cup", run=object(), playing={})
    players.on_started(watched, SimpleNamespace(id="0", codes=("a", "b")))
    players.on_ended(watched, "0", ("a", "b"), None, "why")
    players.on_talk(watched, {"player": "a", "game": "0", "talk": []})
    players.on_talk(SimpleNamespace(name="other"), {"player": "x", "game": "0", "talk": []})
    assert queued(owner) == []
    players.on_ended(watched, "1", ("x", "b"), None, "why")
    (told,) = [json.loads(each) for each in queued(owner)]
    assert told == {"finished": "1", "text": "no result: why", "counts": False}


def test_gyoji_join_is_refused_where_a_client_of_cgos_is_expected(tmp_path):
    player = Player(code="x", command=(REMOTE,), executor=REMOTE, protocol="cgos")
    event = SimpleNamespace(
        setup=SimpleNamespace(players={"x": player}), files=SimpleNamespace(seats=tmp_path / "cup.seats")
    )
    watched = SimpleNamespace(name="cup", event=event, secret=7)
    players = RemotePlayers(SimpleNamespace(competitions={"cup": watched}))
    headers = {"authorization": f"Remote {players.links(watched)['x']}"}
    answer = asyncio.run(players.told(SimpleNamespace(headers=headers)))
    assert answer.status_code == 409
    assert b"x connects by a client of CGOS" in answer.body
