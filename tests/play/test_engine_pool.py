"""Engines that stay for another game, and those that must be replaced."""

import gc
import sys
from pathlib import Path

import pytest

from gyoji.core.outcome import Ending
from gyoji.core.spec import GameSpec, Player
from gyoji.play.context import WorkerContext
from gyoji.play.game import Game
from gyoji.play.order import Order

ENGINE = str(Path(__file__).parent / "small_engine.py")
GO = {"board_size": 9, "komi": 7}
pytestmark = pytest.mark.process


@pytest.fixture
def context():
    context = WorkerContext()
    yield context
    context.close()


def player(code, *words, **settings):
    return Player(code=code, command=(sys.executable, "-I", "-S", ENGINE, *words), **settings)


def play(context, *players, game="go", **options):
    """Return the report of one game, played in the house."""
    spec = GameSpec(id="0", pairing="0", game=game, players=players, options=options or GO)
    reports = []
    Game(context, Order(spec=spec), reports.append).begin()
    context.loop.run(lambda: reports)
    return reports[0]


def plays_gomoku(code, restart):
    words = (sys.executable, "-P", "-m", "gyoji.engines.narabe", "--random", "--seed", "5")
    return Player(code=code, command=words, protocol="gomocup", restart=restart)


@pytest.mark.parametrize("restart", ["on", "auto"])
@pytest.mark.parametrize(
    ("game", "make", "options"), [("go", player, GO), ("gomoku", plays_gomoku, {"board_size": 7})]
)
def test_a_game_that_is_over_is_freed_at_once(context, game, make, options, restart):
    players = [make(code, restart=restart) for code in "ab"]
    for _ in range(2):  # what they load stays
        play(context, *players, game=game, **options)
    gc.collect()
    gc.disable()
    try:
        play(context, *players, game=game, **options)
        assert gc.collect() == 0
    finally:
        gc.enable()


def pids(report):
    return [engine.name.split(":")[0] for engine in report.record.result.engines]


@pytest.mark.parametrize("restart", ["off", "auto"])
def test_an_engine_that_may_stay_plays_the_next_game_in_either_seat(context, restart):
    stays, goes = player("stays", restart=restart), player("goes")
    first, second = play(context, stays, goes), play(context, goes, stays, board_size=13, komi=7)
    assert pids(first)[0] == pids(second)[1]
    assert pids(first)[1] != pids(second)[0]
    assert first.record.result.engines[0].status == "stays"
    assert first.record.result.engines[1].status == "exit 0"


def test_what_an_engine_used_in_earlier_games_is_not_counted_again(context):
    busy = player(
        "busy", "--on", "boardsize", "keep or [keep.append(n) for n in range(3000000)]", restart="auto"
    )
    first = play(context, busy, player("other")).record.result.engines[0].cpu_ns
    second = play(context, busy, player("other")).record.result.engines[0].cpu_ns
    assert second < first / 2


def test_an_engine_that_does_not_play_in_the_next_game_is_told_to_go(context):
    play(context, player("a", restart="auto"), player("b", restart="auto"))
    play(context, player("c"), player("d"))
    context.loop.run(lambda: context.pool.is_empty)
    assert not context.pool.pids


def test_a_player_against_itself_has_two_engines(context):
    same = player("same", restart="auto")
    first, second = play(context, same, same), play(context, same, same)
    assert len(set(pids(first))) == 2
    assert set(pids(first)) == set(pids(second))


REFUSES = ("--on", "boardsize", "keep.append(1); len(keep) > 1 and sys.exit(3)")


def test_with_auto_an_engine_that_cannot_take_another_game_is_started_again(context):
    weak, other = player("weak", *REFUSES, restart="auto"), player("other")
    first, second = play(context, weak, other), play(context, weak, other)
    assert pids(first)[0] != pids(second)[0]
    assert not second.record.result.outcome.is_forfeit


def test_with_off_an_engine_that_cannot_take_another_game_has_lost(context):
    weak, other = player("weak", *REFUSES, restart="off"), player("other")
    play(context, weak, other)
    outcome = play(context, weak, other).record.result.outcome
    assert (outcome.winner, outcome.ending) == (1, Ending.FAULT)


def test_an_engine_that_dies_while_it_waits_is_replaced(context):
    mortal = player(
        "mortal", "--on", "clear_board", "keep.append(1); len(keep) > 1 and os._exit(0)", restart="auto"
    )
    first = play(context, mortal, player("other"))
    second = play(context, mortal, player("other"))
    assert pids(first)[0] != pids(second)[0]
    assert not second.record.result.outcome.is_forfeit
