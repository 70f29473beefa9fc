"""Guards that others stand behind: each alone, so that its loss is noticed (`tests/hostile/guards.py`)."""

import ctypes
import os
import select
import signal
from pathlib import Path

import pytest
from contained_players import PYTHON, make_player, output, started
from msgspec.structs import replace

from gyoji.core.spec import Containment, Player

pytestmark = pytest.mark.process

USERS = pytest.mark.parametrize("own_uid", [True, False])
TRIES = """
import os, sys
def attempt(do, *words):
    try:
        do(*words)
    except OSError as error:
        print(error.strerror)
    else:
        print("done")
"""


@pytest.fixture
def without_uid(executor):
    """Let engines of root keep uid 0: as a user of its own, an engine is kept from much by that alone."""
    executor.__dict__["machine"] = replace(executor.machine, own_uid=False)


def said(executor, player, place):
    engine = started(executor, player, place)
    try:
        return output(engine).splitlines()
    finally:
        engine.reap()
        engine.close()


def test_an_engine_sees_its_own_processes_alone(executor, place):
    code = (
        "import os; print(sorted(int(name) for name in os.listdir('/proc') if name.isdigit()), os.getpid())"
    )
    (line,) = said(executor, make_player(code, cwd=place / "work"), place)
    own = int(line.split()[-1])
    assert line == f"[1, {own}] {own}"


@USERS
def test_the_cell_of_an_engine_cannot_be_traced(executor, place, own_uid):
    executor.__dict__["machine"] = replace(executor.machine, own_uid=executor.machine.own_uid and own_uid)
    code = f"{TRIES}attempt(open, '/proc/1/mem', 'rb'); attempt(os.readlink, '/proc/1/exe')"
    assert said(executor, make_player(code, cwd=place / "work"), place) == ["Permission denied"] * 2


@USERS
def test_a_cell_dies_with_its_launcher(executor, place, own_uid):
    executor.__dict__["machine"] = replace(executor.machine, own_uid=executor.machine.own_uid and own_uid)
    engine = started(executor, make_player("input()", cwd=place / "work"), place)
    os.kill(executor.launcher.pid, signal.SIGKILL)  # our end of the cell's connection stays open
    assert select.select([engine.pidfd], [], [], 20)[0]
    engine.close()


def test_a_cell_ends_with_its_connection(executor, place):
    engine = started(executor, make_player("import time; time.sleep(100)", cwd=place / "work"), place)
    engine._cell.close()  # the launcher lives on, and so does the input of the engine
    assert select.select([engine.pidfd], [], [], 5)[0]
    engine.close()


@pytest.mark.usefixtures("without_uid")
def test_what_is_in_the_layers_of_an_engine_is_out_of_its_sight(executor, place, tmp_path):
    (tmp_path / "e.db").touch()
    code = f"import os; print(os.path.exists('e.db'), os.listdir({str(place / 'overlay')!r}))"
    player = make_player(code, cwd=tmp_path, hidden=(str(tmp_path / "e.db"),))
    assert said(executor, player, place) == ["False []"]


@pytest.mark.usefixtures("without_uid")
def test_modes_and_times_of_files_stay_as_they_are(executor, place):
    outside = place.parent / "outside"
    outside.touch()
    code = f"{TRIES}attempt(os.chmod, {str(outside)!r}, 0o777); attempt(os.utime, {str(outside)!r})"
    assert said(executor, make_player(code, cwd=place / "work"), place) == ["Read-only file system"] * 2


@pytest.mark.usefixtures("without_uid")
def test_what_is_fixed_in_a_writable_folder_stays_as_it_is(executor, place):
    event = place.parent / "event"
    event.mkdir()
    bot = event / "bot.py"
    bot.write_text(
        f"{TRIES}attempt(open, 'notes', 'w'); attempt(open, __file__, 'a'); attempt(os.remove, __file__)"
    )
    player = Player(
        code="a",
        command=(PYTHON, str(bot)),
        cwd=str(event),
        containment=Containment(level="strict", hidden=(str(event / "e.db"),)),
    )
    made, opened, removed = said(executor, player, place)
    assert (made, opened) == ("done", "Read-only file system")
    assert removed != "done"


def test_a_strict_engine_reads_no_file_of_the_system_s_that_is_not_listed(executor, place):
    unlisted = next(
        path for path in map(Path, ("/etc/hostname", "/etc/fstab", "/etc/shells")) if path.is_file()
    )
    code = f"{TRIES}attempt(open, {str(unlisted)!r}); attempt(open, '/etc/passwd')"
    player = make_player(code, cwd=place / "work", level="strict")
    assert said(executor, player, place) == ["Permission denied", "done"]


def test_an_engine_sees_no_shared_memory_of_others(executor, place):
    libc = ctypes.CDLL(None, use_errno=True)
    segment = libc.shmget(0, 4096, 0o1600)
    assert segment >= 0
    try:
        code = "print(len(open('/proc/sysvipc/shm').readlines()) - 1)"
        assert said(executor, make_player(code, cwd=place / "work"), place) == ["0"]
    finally:
        libc.shmctl(segment, 0, None)  # IPC_RMID
