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
