"""What the server keeps for owners of remote players, and takes from them, without a server."""

import asyncio
import json
from types import SimpleNamespace

import pytest

pytest.importorskip("starlette", reason="gyoji[web] is not installed: pip install -e '.[dev]'")

from gyoji.web import remote_players
from gyoji.web.remote_players import BURST, BYTES_A_SECOND, MOST_UNREAD, SLOW, RemotePlayers, _Key, _Owner


def queued(owner):
    return [owner._queue.get_nowait() for _ in range(owner._queue.qsize())]


def test_an_owner_that_reads_nothing_is_disconnected_and_no_more_is_kept():
    owner = _Owner(None, "i")
    for _ in range(100):
        owner.send(text="x" * (MOST_UNREAD // 10))
    kept = queued(owner)
    assert sum(len(each) for each in kept if each) <= MOST_UNREAD
    assert kept[-1] is None
    assert owner._end[0] == SLOW


def test_what_an_owner_sends_is_read_at_a_bounded_rate(monkeypatch):
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    class WebSocket:
        async def receive_text(self):
            return json.dumps({"x": "x" * BYTES_A_SECOND})

    async def read():
        owner = _Owner(WebSocket(), "i")
        for _ in range(10):
            await owner.read()

    monkeypatch.setattr(remote_players.asyncio, "sleep", sleep)
    monkeypatch.setattr(remote_players.time, "monotonic", lambda: 1.0)  # sleeping takes no time here
    asyncio.run(read())
    free = BURST // BYTES_A_SECOND
    assert len(slept) == 10 - free + 1
    assert slept[-1] == pytest.approx(10 - free, rel=0.01)


def test_an_owner_is_told_of_its_own_games_only():
    players, owner = RemotePlayers(None), _Owner(None, "i")
    players._owners[_Key("cup", "x")] = owner
    watched = SimpleNamespace(name="cup", run=object(), playing={})
    players.on_started(watched, SimpleNamespace(id="0", codes=("a", "b")))
    players.on_ended(watched, "0", ("a", "b"), None, "why")
    players.on_talk(watched, {"player": "a", "game": "0", "talk": []})
    players.on_talk(SimpleNamespace(name="other"), {"player": "x", "game": "0", "talk": []})
    assert queued(owner) == []
    players.on_ended(watched, "1", ("x", "b"), None, "why")
    assert [json.loads(each) for each in queued(owner)] == [{"finished": "1", "text": "no result: why"}]
