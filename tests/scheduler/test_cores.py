"""Processors of their own for games."""

import os

import pytest

from gyoji.core.faults import ConfigError
from gyoji.core.spec import GameSpec, Player
from gyoji.play.game import play
from gyoji.play.order import Order
from gyoji.scheduler.resources import share_out
from gyoji.scheduler.slots import SlotPool

HERE = os.sched_getaffinity(0)


def test_each_slot_gets_as_many_as_it_wants_and_none_gets_what_another_has():
    shares = share_out(len(HERE), 1)
    assert [len(share) for share in shares] == [1] * len(HERE)
    assert frozenset().union(*shares) == HERE
    assert share_out(1, len(HERE)) == (HERE,)
    assert share_out(5, 0) == ()


def test_more_than_there_are_is_refused_with_what_to_do():
    with pytest.raises(ConfigError, match=r"cores: \d+ games at once with 1 processors each .*--parallel"):
        share_out(len(HERE) + 1, 1)


@pytest.mark.process
def test_an_engine_runs_on_the_processors_of_its_slot():
    share = share_out(1, 1)
    code = "import os, sys; print('on', *os.sched_getaffinity(0), file=sys.stderr)"
    player = Player(code="curious", command=("python3", "-I", "-S", "-c", code))
    options = {"board_size": 9, "komi": 7.5}
    spec = GameSpec(id="0", pairing="0", game="go", players=(player, player), options=options)
    with SlotPool(1, cores=share) as pool:
        log = pool.submit(play, Order(spec=spec)).result().log
    (cpu,) = share[0]
    assert f"    on {cpu}" in log
