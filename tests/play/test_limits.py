"""Limits of memory, disk and pondering, and private folders."""

import sys
import threading
from pathlib import Path

import pytest

from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending
from gyoji.core.spec import Budgets, GameSpec, Player
from gyoji.play.game import play
from gyoji.play.monitor import Limits, NoProcess
from gyoji.play.order import Order
from standstill import play_through

ENGINE = str(Path(__file__).parent / "small_engine.py")
pytestmark = pytest.mark.process

GREEDY = "keep.append(bytearray(b'x') * (80 << 20)); import time; time.sleep(20)"
GREEDY_CHILD = f"""\
import subprocess
subprocess.run([sys.executable, "-c", {GREEDY.replace("keep.append", "kept = ")!r}])
import time
time.sleep(20)
"""
# The kernel may kill the child between two samples. The next one finds that, if the engine still thinks then.
HOARDING = "open('big', 'wb').write(bytes(3 << 20)); import time; time.sleep(20)"
COUNTING = """\
import threading, time
def count():
    end = time.monotonic() + 5
    while time.monotonic() < end:
        keep.append(0)
        time.sleep(0.001)
threading.Thread(target=count, daemon=True).start()
"""


def player(code, *words, **settings):
    return Player(code=code, command=(sys.executable, "-I", "-S", ENGINE, *words), **settings)


def played(*players):
    spec = GameSpec(id="0", pairing="0", game="go", players=players, options={"board_size": 9, "komi": 7})
    return play(Order(spec=spec))


@pytest.mark.parametrize(
    ("code", "budgets", "words"),
    [
        (GREEDY, Budgets(memory=50 << 20), "MB of memory, 50MB allowed"),
        (GREEDY_CHILD, Budgets(memory=50 << 20), "MB of memory, 50MB allowed"),
        (HOARDING, Budgets(disk=2 << 20), "has 3MB of files, 2MB allowed"),
    ],
)
def test_who_uses_more_than_the_limit_has_lost_with_figure_and_limit(code, budgets, words):
    bad = player("bad", "--on", "genmove", code, budgets=budgets, cwd="")
    outcome = played(bad, player("good", budgets=budgets)).record.result.outcome
    assert (outcome.winner, outcome.ending, outcome.seat) == (1, Ending.FAULT, 0)
    assert words in outcome.detail


def test_who_keeps_to_the_limits_plays_on():
    modest = player("modest", budgets=Budgets(memory=200 << 20, disk=1 << 20), cwd="")
    assert not played(modest, modest).record.result.outcome.is_forfeit


@pytest.mark.parametrize("ponders", [True, False])
def test_an_engine_that_does_not_ponder_stands_still_while_others_think(ponders):
    telling = "print('steps', len(keep), file=sys.stderr)"
    thinker = player("thinker", "--on", "genmove", COUNTING, "--on", "play", telling, ponders=ponders)
    slow = player("slow", "--on", "genmove", "import time; time.sleep(0.5)")

    def steps():
        report = played(thinker, slow)
        assert not report.record.result.outcome.is_forfeit
        (counted,) = [int(line.split()[1]) for line in report.log if "steps" in line]
        return counted

    # Where a machine lets us wait before we stop the engine, once in three games it does not
    assert any((steps() > 40) is ponders for _ in range(3))


def test_a_private_folder_is_new_in_each_game_and_gone_afterwards_and_a_lasting_one_stays(tmp_path):
    lasting = tmp_path / "with blanks" / "folder"
    writes = player("writes", "--on", "genmove", "open('note', 'x').write('x')", cwd="", folder=str(lasting))
    report = played(writes, player("other", cwd=""))
    places = [engine.description for engine in report.record.result.engines]
    assert not report.record.result.outcome.is_forfeit
    assert lasting.is_dir()
    assert len(set(places)) == 2


def test_the_time_to_get_ready_is_reported_and_counts_where_the_clock_says_so():
    clock = TimeControl(main=200_000_000, from_start=True)
    slow = player("slow", "--on", "name", "import time; time.sleep(0.3)", clock=clock)
    spec = GameSpec(
        id="0",
        pairing="0",
        game="go",
        players=(slow, player("quick")),
        options={"board_size": 9, "komi": 7},
        clock=TimeControl(main=60_000_000_000, from_start=True),
    )
    result = play_through(spec).record.result
    assert (result.outcome.winner, result.outcome.ending) == (1, Ending.TIME)
    assert "at start-up" in result.outcome.detail


def test_a_look_that_waits_for_a_processor_is_followed_by_the_next_as_soon_as_a_quick_one():
    looks = []

    class Waiting(NoProcess):
        def memory(self, most=0):
            threading.Event().wait(0.3)
            looks.append(most)
            return most

    limits = Limits(player("any", budgets=Budgets(memory=1)), Waiting(None))
    assert not any(limits.excess(now) for now in (1, 2, 1_000_000_000))
    assert looks == [1, 1]
