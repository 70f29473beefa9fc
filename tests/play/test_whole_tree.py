"""Clocks, suspension and limits apply to the whole process tree of an engine, contained or not."""

import sys
from pathlib import Path

import pytest

from gyoji.core.clocks import Meter, TimeControl
from gyoji.core.outcome import Ending
from gyoji.core.spec import Budgets, Containment, GameSpec, Player
from gyoji.play.game import play
from gyoji.play.order import Order

ENGINE = str(Path(__file__).parent / "small_engine.py")
MS = 1_000_000
pytestmark = pytest.mark.process

BURN = """
import time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
"""
CHILD = f"""{BURN}
pid = os.fork()
if pid == 0:
    burn(0.1)
    os._exit(0)
os.waitpid(pid, 0)
"""
LIVING_CHILD = f"""{BURN}
import time
reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    burn(0.1)
    os.write(writer, b"x")
    time.sleep(20)
    os._exit(0)
os.read(reader, 1)
"""
DAEMON = LIVING_CHILD.replace("os.setsid()", "os.fork() and os._exit(0)")
UNHEARD = "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n" + LIVING_CHILD.replace(
    "time.sleep(20)", "pass"
)
WRAPPER = ("/bin/sh", "-c", '"$0" "$@"; exit $?')


def player(code, *words, level="guarded", before=(), **settings):
    command = (*before, sys.executable, "-I", "-S", ENGINE, *words)
    return Player(code=code, command=command, containment=Containment(level=level), **settings)


def played(*players, **changes):
    options = {"board_size": 9, "komi": 7}
    return play(
        Order(spec=GameSpec(id="0", pairing="0", game="go", players=players, options=options, **changes))
    )


@pytest.mark.parametrize(
    ("level", "code", "before"),
    [
        ("guarded", CHILD, ()),
        ("off", CHILD, ()),
        ("guarded", LIVING_CHILD, ()),
        ("off", LIVING_CHILD, ()),
        ("guarded", DAEMON, ()),
        ("guarded", UNHEARD, ()),
        ("guarded", CHILD, WRAPPER),
        ("off", CHILD, WRAPPER),
    ],
)
def test_a_clock_of_cpu_time_charges_what_children_use(level, code, before):
    clock = TimeControl(move=60 * MS, meter=Meter.CPU)
    burns = player("burns", "--on", "genmove", code, level=level, before=before)
    outcome = played(burns, player("good"), clock=clock).record.result.outcome
    assert (outcome.ending, outcome.seat) == (Ending.TIME, 0)


@pytest.mark.parametrize("uses_counter", [True, False])
def test_without_the_kernels_counter_a_daemon_is_charged_all_the_same(monkeypatch, uses_counter):
    from gyoji.executors.contained import engines  # noqa: PLC0415

    if not uses_counter:
        monkeypatch.setattr(engines.ContainedEngine, "_count", lambda engine: None)
    clock = TimeControl(move=60 * MS, meter=Meter.CPU)
    burns = player("burns", "--on", "genmove", DAEMON)
    assert played(burns, player("good"), clock=clock).record.result.outcome.ending is Ending.TIME


COUNTING = """
import time, mmap
steps = mmap.mmap(-1, 8)
keep.append(steps)
if os.fork() == 0:
    LEAVE
    end = time.monotonic() + 5
    while time.monotonic() < end:
        steps[:8] = (int.from_bytes(steps[:8], "little") + 1).to_bytes(8, "little")
        time.sleep(0.001)
    os._exit(0)
"""
TELLING = "print('steps', int.from_bytes(keep[0][:8], 'little'), file=sys.stderr)"


@pytest.mark.parametrize(
    ("level", "leave"),
    [
        ("guarded", "os.setsid()"),
        ("off", "os.setsid()"),
        ("guarded", "os.setsid(); os.fork() and os._exit(0)"),
    ],
)
@pytest.mark.parametrize("ponders", [True, False])
def test_children_with_a_session_of_their_own_stand_still_too(level, leave, ponders):
    counting = COUNTING.replace("LEAVE", leave)
    words = ("--on", "genmove", counting, "--on", "play", TELLING)
    slow = player("slow", "--on", "genmove", "import time; time.sleep(0.5)")

    def steps():
        report = played(player("thinks", *words, level=level, ponders=ponders), slow)
        (counted,) = [int(line.split()[1]) for line in report.log if "steps" in line]
        return counted

    # Where a machine lets us wait before we stop the engine, once in three games it does not
    assert any((steps() > 40) is ponders for _ in range(3))


HOLD = "import time; time.sleep(20)"
SHARED = f"import mmap; keep.append(mmap.mmap(-1, 80 << 20)); keep[0].write(bytes(80 << 20)); {HOLD}"
SHM = f"open('/dev/shm/big', 'wb').write(bytes(80 << 20)); {HOLD}"
MEMFD = f"keep.append(os.memfd_create('m')); os.write(keep[0], bytes(80 << 20)); {HOLD}"
DAEMON_MEMORY = f"""
if os.fork() == 0:
    if os.fork() == 0:
        big = bytearray(b"x") * (80 << 20)
        {HOLD}
    os._exit(0)
os.wait()
{HOLD}
"""
UNLINKED = f"""
keep.append(open('big', 'wb', buffering=0))
os.unlink('big')
keep[0].write(bytes(3 << 20))
{HOLD}
"""
TEMPORARY = f"open(os.environ['TMPDIR'] + '/big', 'wb').write(bytes(3 << 20)); {HOLD}"
MANY = f"for n in range(3000): os.close(os.open(str(n), os.O_CREAT))\n{HOLD}"
SPARSE = f"open('big', 'wb').truncate(1 << 40); {HOLD}"


@pytest.mark.parametrize("level", ["guarded", "off"])
@pytest.mark.parametrize(
    ("code", "words"),
    [
        (SHARED, "MB of memory, 50MB allowed"),
        (MEMFD, "MB of memory, 50MB allowed"),
        (SHM, "MB of memory, 50MB allowed"),
        (DAEMON_MEMORY, "MB of memory, 50MB allowed"),
        (UNLINKED, "MB of files, 2MB allowed"),
        (TEMPORARY, "MB of files, 2MB allowed"),
        (MANY, "MB of files, 2MB allowed"),
        (SPARSE, "has 1024GB of files, 2MB allowed"),
    ],
)
def test_memory_and_disk_are_counted_wherever_they_are(level, code, words):
    if level == "off" and code in (SHM, DAEMON_MEMORY):
        return
    budgets = Budgets(memory=50 << 20, disk=2 << 20)
    bad = player("bad", "--on", "genmove", code, budgets=budgets, cwd="", level=level)
    outcome = played(bad, player("good")).record.result.outcome
    assert (outcome.winner, outcome.ending, outcome.seat) == (1, Ending.FAULT, 0)
    assert words in outcome.detail


def test_what_several_processes_share_is_counted_once():
    sharing = """
import mmap, time
shared = mmap.mmap(-1, 30 << 20)
keep.append(shared)
def touch():
    for at in range(0, len(shared), 4096):
        shared[at] = 1
touch()
for _ in range(3):
    if os.fork() == 0:
        touch()
        time.sleep(5)
        os._exit(0)
time.sleep(0.3)
"""
    budgets = Budgets(memory=70 << 20)
    shares = player("shares", "--on", "genmove", sharing, budgets=budgets, cwd="")
    assert not played(shares, player("good")).record.result.outcome.is_forfeit


def test_what_is_written_at_the_very_end_is_noticed():
    hoard = "open('big', 'wb').write(bytes(3 << 20))"
    budgets = Budgets(disk=2 << 20)
    hoards = player("hoards", "--on", "quit", hoard, budgets=budgets, cwd="")
    result = played(hoards, player("good")).record.result
    assert result.late == ("hoards: when told to quit: has 3MB of files, 2MB allowed",)
