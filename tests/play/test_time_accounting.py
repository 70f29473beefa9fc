"""Time accounting: how the time of a question was spent, with simulated and real hosts and engines."""

import sys
from pathlib import Path

import pytest

from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending
from gyoji.core.spec import GameSpec, Player
from gyoji.play import monitor
from gyoji.play.game import play
from gyoji.play.loop import Loop
from gyoji.play.monitor import GAP, WORTH, Host, NoProcess, TimeAccounting, read_host
from gyoji.play.order import Order

MS = 1_000_000
S = 1000 * MS
ENGINE = str(Path(__file__).parent / "small_engine.py")


class Engine:
    """An engine that has used what it is set to have used."""

    def __init__(self):
        self.cpu, self.waits, self.bytes = 0, {1: 0, 2: 0}, 0

    def tree_ns(self, *, user_only=False):
        return self.cpu

    def delays(self):
        return dict(self.waits)

    def memory(self, most=0):
        return self.bytes


class Scene:
    """One engine that is asked, on a machine whose clocks are set by hand."""

    def __init__(self, monkeypatch):
        self.now = 5 * S
        self.delay = 0
        monkeypatch.setattr(monitor, "read_host", self.host)
        monkeypatch.setattr(monitor, "total_memory", lambda: 1 << 30)
        self.engine, self.loop = Engine(), Loop()
        self.evidence = TimeAccounting(self.loop, self.engine, lambda: None)
        self.ask(patience=WORTH)
        self.run(WORTH)
        self.evidence.end(self.now)

    def host(self):
        return Host(self.now, self.delay)

    def ask(self, patience=60 * S):
        self.evidence.begin(patience)
        self.evidence.await_answer(self.now)

    def run(self, ns, *, cpu=0, wakes=True):
        """Let time pass, with looks when they are due unless the loop does not wake."""
        end = self.now + ns
        while wakes and self.alarm.when <= end:
            before, self.now = self.now, self.alarm.when
            self.engine.cpu += cpu * (self.now - before) // ns
            self.alarm.when = 1 << 63
            self.evidence._look_again(self.now)
        self.engine.cpu += cpu * (end - self.now) // ns
        self.now = end

    @property
    def alarm(self):
        return self.evidence._alarm

    def answer(self):
        self.loop.since = self.now
        return self.evidence.end(self.now)


@pytest.fixture
def scene(monkeypatch):
    scene = Scene(monkeypatch)
    yield scene
    scene.loop.close()


def test_a_fast_answer_is_not_looked_at(scene):
    scene.ask()
    scene.run(WORTH - 1)
    assert scene.answer() is None


def test_a_slow_answer_has_its_wall_and_cpu_time_and_the_longest_delay_of_a_thread(scene):
    scene.ask()
    scene.engine.waits = {1: 30 * MS, 2: 50 * MS, 3: 5 * MS}
    scene.delay += 3 * MS
    scene.run(100 * MS, cpu=70 * MS)
    timing = scene.answer()
    assert (timing.wall, timing.cpu, timing.delayed, timing.unread) == (100 * MS, 70 * MS, 50 * MS, 3 * MS)
    assert timing.stalled == 0


def test_an_answer_that_lay_there_while_we_were_busy_is_ours(scene):
    scene.ask()
    scene.run(100 * MS)
    scene.loop.since = scene.now - 40 * MS
    assert scene.evidence.end(scene.now).unread == 40 * MS


def test_what_a_slow_answer_after_fast_ones_used_is_counted_from_the_first_look(scene):
    scene.ask()
    scene.run(1 * MS)
    scene.answer()
    scene.ask()
    scene.run(WORTH, cpu=WORTH)
    scene.run(90 * MS, cpu=90 * MS)
    assert scene.answer().cpu == 90 * MS


STALLS = [
    # what happens in half a second of a question, how long the machine stood still
    ({"wakes": False}, {}, 300 * MS),
    ({"wakes": False, "cpu": 500 * MS}, {}, 0),  # the engine ran: it is no victim
    ({"wakes": False}, {"bytes": 600 << 20}, 0),  # the engine has most of the memory
    ({"wakes": True}, {}, 0),
]


@pytest.mark.parametrize(("passing", "changes", "stalled"), STALLS)
def test_a_machine_that_stands_still_is_told_from_an_engine_that_loads_it(scene, passing, changes, stalled):
    scene.ask()
    scene.engine.bytes = changes.get("bytes", 0)
    scene.run(500 * MS, **passing)
    assert scene.answer().stalled == stalled


def test_an_account_before_the_answer_counts_no_standing_still_twice(scene):
    scene.ask()
    scene.run(700 * MS, wakes=False)
    assert scene.evidence.account(scene.now).stalled == 500 * MS
    assert scene.evidence.account(scene.now).stalled == 500 * MS
    scene.run(700 * MS, wakes=False)
    timing = scene.answer()
    assert (timing.wall, timing.stalled) == (1400 * MS, 1000 * MS)


def test_being_a_little_late_is_no_standing_still(scene):
    scene.ask()
    scene.run(200 * MS + GAP - 1, wakes=False)
    assert scene.answer().stalled == 0


@pytest.mark.parametrize(("busy", "stalled"), [(0, 500 * MS), (400 * MS, 0)])
def test_the_machine_does_not_stand_still_while_our_own_process_runs(scene, monkeypatch, busy, stalled):
    """A function that lets no other thread run keeps us from looking."""
    scene.evidence._process = NoProcess(None)
    monkeypatch.setattr(monitor.time, "process_time_ns", lambda: busy * (scene.now > 6 * S))
    scene.now = 6 * S
    scene.ask()
    scene.run(700 * MS, wakes=False)
    assert scene.answer().stalled == stalled


def test_the_host_can_be_read():
    before, now = read_host(), read_host()
    assert now.at > before.at
    assert now.delay >= before.delay


def player(code, genmove):
    command = (sys.executable, "-I", "-S", ENGINE, "--on", "genmove", genmove)
    return Player(code=code, command=command)


SLEEPING = "import time; time.sleep(0.05)"
# It begins to be measured when we wake up next, which a busy machine delays.
BURNING = "import time; end = time.process_time() + 0.3\nwhile time.process_time() < end: pass"


@pytest.mark.process
def test_a_record_says_what_engines_did_with_their_time():
    players = (player("sleeps", SLEEPING), player("burns", BURNING))
    spec = GameSpec(id="0", pairing="0", game="go", players=players, options={"board_size": 9, "komi": 7})
    record = play(Order(spec=spec)).record
    # Where a machine lets an engine wait, more answers than these two are slow.
    asleep, awake = (next(each for each in record.timings if each.turn == turn) for turn in (0, 1))
    assert (asleep.seat, awake.seat) == (0, 1)
    assert asleep.wall > 35 * MS
    assert awake.cpu > 20 * MS > asleep.cpu
    assert all(each.unread <= each.wall for each in record.timings)


@pytest.mark.process
def test_a_late_answer_on_a_machine_that_stood_still_is_void_and_none_a_loss(monkeypatch):
    def stands_still(evidence, *_):
        evidence._stalled = 900 * MS

    monkeypatch.setattr(monitor.TimeAccounting, "_note_stall", stands_still)
    clock = TimeControl.parse("100ms/move")

    def report(seconds):
        slow = player("slow", f"import time; time.sleep({seconds})")
        spec = GameSpec(
            id="0",
            pairing="0",
            game="go",
            players=(slow, slow),
            options={"board_size": 9, "komi": 7},
            clock=clock,
        )
        return play(Order(spec=spec))

    void = report(0.5).void
    assert "the machine stood still for" in void.reason
    assert void.to_move == ("slow",)
    record = report(60).record
    assert record.result.outcome.ending is Ending.TIME
    assert "the machine stood still for" in record.result.outcome.detail
    assert len(record.timings) == 1
    assert record.timings[-1].wall >= 400 * MS


LOADING = """
import time
for _ in range(16):
    if os.fork() == 0:
        end = time.monotonic() + 10
        while time.monotonic() < end: pass
        os._exit(0)
time.sleep(20)
"""


@pytest.mark.process
def test_who_loads_all_processors_while_it_loses_on_time_has_lost():
    players = (player("loads", LOADING), player("other", SLEEPING))
    spec = GameSpec(
        id="0",
        pairing="0",
        game="go",
        players=players,
        options={"board_size": 9, "komi": 7},
        clock=TimeControl.parse("1s/move"),
    )
    outcome = play(Order(spec=spec)).record.result.outcome
    assert (outcome.ending, outcome.seat) == (Ending.TIME, 0)
