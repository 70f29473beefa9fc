"""What of an event's player and messages reaches the owner's machine."""

import asyncio
import os
import sys
from contextlib import closing

import pytest

from gyoji.core.faults import ConfigError
from gyoji.core.spec import REMOTE, Budgets, Containment, Player
from gyoji.play.context import WorkerContext
from gyoji.play.remote_talk import Opening
from gyoji.remote.owner_check import Wishes, own_player
from gyoji.remote.sessions import Engines

OFF = Containment(level="off")


def wishes(*command, memory=0):
    return Wishes(command, OFF, memory=memory, games=None, echo=False, only_checks=False, ca=None)


def test_of_the_server_s_player_only_what_the_game_needs_is_obeyed(tmp_path):
    needed = {
        "code": "x",
        "protocol": "uci",
        "options": {"uci_options": {"Hash": "16"}},
        "restart": "off",
        "ponders": False,
        "budgets": Budgets(startup=5),
    }
    given = Player(
        **needed,
        command=("evil",),
        partner=("evil",),
        mate=Player(code="x", command=("evil",)),
        cwd="/",
        environ={"LD_PRELOAD": "/evil.so"},
        inherits=("AWS_SECRET_ACCESS_KEY",),
        lacks=("PATH",),
        folder=str(tmp_path),
        executor=REMOTE,
        containment=Containment(writable=("/",)),
        outage_status=3,
    )
    made = own_player(given, wishes(sys.executable, "-V"))
    assert made == Player(
        **needed,
        command=(sys.executable, "-V"),
        cwd=os.getcwd(),
        stderr="inherit",
        executor="local",
        containment=OFF,
    )


def test_a_limit_of_memory_is_the_owner_s():
    given = Player(code="x", command=(REMOTE,), budgets=Budgets(memory=1 << 40))
    assert own_player(given, wishes(sys.executable, memory=1 << 30)).budgets.memory == 1 << 30


def test_a_program_that_is_not_there_is_told():
    with pytest.raises(ConfigError, match="there is no such program"):
        own_player(Player(code="x", command=(REMOTE,)), wishes("/not/there"))


@pytest.mark.process
def test_an_event_sets_no_variables_but_those_about_the_game():
    told = {
        "LD_PRELOAD": "/evil.so",
        "TMPDIR": "/evil",
        "PATH": "/evil",
        "HOME": "/evil",
        "GYOJI_GAME_TOKEN": "t",
    }
    program = "import os; print(dict(os.environ), flush=True)"
    heard = b""

    async def play():
        nonlocal heard
        ended = asyncio.Event()

        def hear(data):
            nonlocal heard
            heard += data
            if not data:
                ended.set()

        player = own_player(Player(code="x", command=(REMOTE,)), wishes(sys.executable, "-c", program))
        engine = Engines(player, context).start(Opening(environ=told))
        engine.heard = hear
        engine.listen(wanted=True)
        await asyncio.wait_for(ended.wait(), 20)
        engine.kill()
        await asyncio.sleep(0.4)

    with closing(WorkerContext()) as context:
        asyncio.run(play())
    assert b"'GYOJI_GAME_TOKEN': 't'" in heard
    assert b"evil" not in heard
