"""The pool of several hosts keeps its port's promises, whatever hosts do."""

import sys
from functools import partial
from pathlib import Path

import pytest

from gyoji.cluster.pool import ClusterPool
from gyoji.cluster.processes import AGENT, ProcessHosts
from gyoji.core.spec import GameSpec, Player
from gyoji.testing.pool_kit import Games, check_pool

FAKE = Path(__file__).parent.parent / "scheduler" / "fake_worker.py"
WORKER = (sys.executable, "-S", str(FAKE))
PLAYERS = tuple(Player(code=code, command=("/bin/true",)) for code in "ab")


def make_spec(number, note=""):
    return GameSpec(id=f"g{number}", pairing="0", game="go", players=PLAYERS, seed=number, note=note)


def noted(note):
    return partial(make_spec, note=note)


GAMES = Games(
    quick=noted(""), endless=noted("progress live silent"), void=noted("void"), deadly=noted("child die")
)


@pytest.mark.process
def test_agents_over_pipes_conform():
    def make(slots):
        commands = dict.fromkeys(("one", "two"), (*AGENT, "--slots", "2", *WORKER))
        pool = ClusterPool(ProcessHosts(commands), most=slots)
        while pool.slots < slots:
            pool.loop.wait()
        return pool

    check_pool(make, GAMES)
