"""Engines in cells: what they can do, what they cannot do, and what they leave behind."""

import os
import resource
import select
import signal
import socket
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from contained_players import PYTHON, make_player, output, started
from msgspec import structs
from msgspec.structs import replace

from gyoji.core.faults import Breakdown, ProcessLost
from gyoji.core.spec import Containment, Player
from gyoji.executors import _proc, kernel
from gyoji.executors.contained import engines
from gyoji.executors.contained.belongings import own_files
from gyoji.executors.contained.cgroups import MemoryUsage
from gyoji.executors.contained.engines import ContainedExecutor
from gyoji.executors.contained.ipc_cleanup import leftovers
from gyoji.executors.contained.planning import plan_of

pytestmark = pytest.mark.process


def said(executor, player, place):
    """Start an engine and return (its output, how it ended)."""
    engine = started(executor, player, place)
    try:
        return output(engine), engine.reap()[0]
    finally:
        engine.close()


ATTEMPT = """
import os, signal, socket, sys
def attempt(name, do):
    try:
        do()
    except OSError as error:
        print(name, error.strerror)
    else:
        print(name, "done")
"""

REACHES_OUT = f"""{ATTEMPT}
outside, worker = sys.argv[1], int(sys.argv[2])
attempt("file outside", lambda: open(outside + "/new", "w"))
attempt("truncate", lambda: os.truncate(outside + "/there", 0))
attempt("link", lambda: os.symlink("x", outside + "/link"))
attempt("remove", lambda: os.remove(outside + "/there"))
attempt("signal", lambda: os.kill(worker, 0))
attempt("memory", lambda: open(f"/proc/{{worker}}/mem", "rb"))
attempt("descriptors", lambda: os.open(f"/proc/{{worker}}/fd/0", os.O_RDONLY))
attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, worker, 19))
attempt("own file", lambda: open("mine", "w").write("x"))
attempt("temporary file", lambda: open(os.environ["TMPDIR"] + "/x", "w"))
attempt("shared memory", lambda: open("/dev/shm/x", "w"))
"""


def test_a_guarded_engine_changes_its_own_folders_and_nothing_else(executor, place, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "there").write_text("still here")
    player = make_player(REACHES_OUT, str(outside), str(os.getpid()), cwd=place / "work")
    text, end = said(executor, player, place)
    found = dict(line.rsplit(" ", 1) if line.endswith("done") else (line, "") for line in text.splitlines())
    assert {name for name, how in found.items() if how == "done"} == {
        "own file",
        "temporary file",
        "shared memory",
    }, text
    assert end == "exit 0"
    assert (outside / "there").read_text() == "still here"
    assert [path.name for path in outside.iterdir()] == ["there"]


def test_the_files_of_the_competition_are_out_of_sight(executor, place, tmp_path):
    event = tmp_path / "event"
    (event / "e.games").mkdir(parents=True)
    (event / "e.games" / "0.sgf").write_text("(;)")
    (event / "e.db").write_text("secret")
    (event / "bot.cfg").write_text("visible")
    hidden = tuple(str(event / name) for name in ("e.db", "e.games", "e.log"))
    code = "import os; open('notes', 'w').write('x'); print(sorted(os.listdir())); input();"
    code += "print([os.path.exists(name) for name in ('e.db', 'e.log', 'e.games')], open('bot.cfg').read())"
    engine = started(executor, make_player(code, cwd=event, hidden=hidden), place)
    select.select([engine.stdout], [], [], 20)
    (event / "e.log").write_text("made later")
    os.write(engine.stdin, b"\n")
    text = output(engine)
    engine.reap()
    engine.close()
    assert text.splitlines() == ["['bot.cfg', 'notes']", "[False, False, False] visible"]
    assert (event / "e.db").read_text() == "secret"
    assert not (event / "notes").exists()


def test_what_is_hidden_elsewhere_is_out_of_sight_too(executor, place, tmp_path):
    event, keys = tmp_path / "event", tmp_path / "keys"
    for folder in (event, keys):
        folder.mkdir()
    (keys / "run-key.pem").write_text("secret")
    hidden = (str(event / "e.db"), str(keys / "run-key.pem"), str(keys))
    reads = (
        f"import os; print([open(p).read() for p in [{str(keys / 'run-key.pem')!r}] if os.path.exists(p)])"
    )
    text, _ = said(executor, make_player(reads, cwd=event, hidden=hidden), place)
    assert "secret" not in text


def test_a_strict_engine_reads_its_own_package_and_reaches_no_network(executor, place, tmp_path):
    (tmp_path / "secret").write_text("x")
    (tmp_path / "book").write_text("x")
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"""{ATTEMPT}
folder = os.environ["FOLDER"]
attempt("secret", lambda: open(folder + "/secret"))
attempt("book", lambda: open(folder + "/book"))
attempt("shadow", lambda: open("/etc/shadow"))
attempt("network", lambda: socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), 2))
attempt("trace", lambda: os.open("/proc/1/fd/0", os.O_RDONLY))
"""
        (tmp_path / "bot.py").write_text(code)
        player = Player(
            code="a",
            command=(PYTHON, str(tmp_path / "bot.py")),
            cwd=str(place / "work"),
            environ={"FOLDER": str(tmp_path)},
            containment=Containment(level="strict", readable=(str(tmp_path / "book"),)),
        )
        text, end = said(executor, player, place)
    done = {line.removesuffix(" done") for line in text.splitlines() if line.endswith(" done")}
    assert (end, done) == ("exit 0", {"book"}), text


def test_all_that_an_engine_has_started_ends_with_it(executor, place):
    daemon = (
        "import os, sys, time\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n  time.sleep(100)\n"
    )
    player = make_player(daemon + "print('up', flush=True)\nsys.stdin.read()", cwd=place / "work")
    engine = started(executor, player, place)
    select.select([engine.stdout], [], [], 20)
    first = cell_pid(executor, engine)
    assert len(Path(f"/proc/{first}/task/{first}/children").read_text().split()) >= 1
    engine.close_stdin()
    select.select([engine.pidfd], [], [], 20)
    assert engine.reap()[0] == "exit 0"
    assert Path(f"/proc/{first}/task/{first}/children").read_text().split() == []
    engine.close()


def cell_pid(executor, engine):
    """Return the pid of the first process of an engine's cell."""
    status = Path(f"/proc/{engine.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("PPid:"))


def test_nothing_is_left_when_the_worker_has_gone(place):
    executor = ContainedExecutor()
    code = "import os, time\nif os.fork() == 0: os.setsid()\nprint('up', flush=True)\ntime.sleep(100)"
    engine = started(executor, make_player(code, cwd=place / "work"), place)
    select.select([engine.stdout], [], [], 20)
    executor.close()
    assert select.select([engine.pidfd], [], [], 20)[0]
    engine.close()


def test_cpu_time_is_that_of_all_processes_and_of_nothing_of_ours(executor, place):
    burn = (
        "import os, time\ndef burn(s):\n e = time.process_time() + s\n while time.process_time() < e: pass\n"
    )
    code = burn + "if os.fork() == 0:\n burn(.2)\n os._exit(0)\nos.wait()\nprint('x', flush=True)\ninput()"
    engine = started(executor, make_player(code, cwd=place / "work"), place)
    select.select([engine.stdout], [], [], 20)
    used = engine.cpu_ns()
    engine.close_stdin()
    select.select([engine.pidfd], [], [], 20)
    _, total = engine.reap()
    engine.close()
    if engine._count() is not None:
        assert 0.2e9 <= used <= total + 20e6
    assert total >= 0.2e9


def test_the_next_engine_of_a_player_finds_its_cell_again_and_nothing_else(executor, place):
    player = make_player(
        "import os; print(os.listdir('/dev/shm')); open('/dev/shm/x', 'w')", cwd=place / "work"
    )
    engine = started(executor, player, place)
    first = cell_pid(executor, engine)
    assert output(engine) == "[]\n"
    engine.reap()
    engine.close()
    engine = started(executor, player, place)
    assert cell_pid(executor, engine) == first
    assert output(engine) == "[]\n"
    engine.reap()
    engine.close()


def test_an_engine_that_is_stopped_and_set_going_at_once_goes(executor, place):
    engine = started(executor, make_player("print(input())", cwd=place / "work"), place)
    first = cell_pid(executor, engine)
    os.kill(first, signal.SIGSTOP)  # the cell hears of both together, as on a machine that is busy
    engine.suspend()
    engine.resume()
    os.kill(first, signal.SIGCONT)
    os.write(engine.stdin, b"going\n")
    assert select.select([engine.stdout], [], [], 20)[0]
    assert output(engine) == "going\n"
    engine.reap()
    engine.close()


def test_how_an_engine_ended_is_told_as_without_a_cell(executor, place):
    for code, end in (("exit(3)", "exit 3"), ("import os; os.kill(os.getpid(), 9)", "signal 9")):
        assert said(executor, make_player(code, cwd=place / "work"), place)[1] == end


def test_a_program_that_cannot_be_executed_is_a_breakdown_that_says_why(executor, place, tmp_path):
    (tmp_path / "bad").write_text("#!/no/such/interpreter\n")
    (tmp_path / "bad").chmod(0o755)
    player = Player(code="a", command=(str(tmp_path / "bad"),), cwd=str(place / "work"))
    with pytest.raises(Breakdown, match=r"player a: cannot start .*: No such file or directory"):
        started(executor, player, place)


def test_strict_is_refused_where_the_machine_cannot_hold_it(executor, place):
    player = make_player("pass", cwd=place / "work", level="strict")
    executor.__dict__["machine"] = replace(executor.machine, namespaces=0, landlock=0)
    with pytest.raises(Breakdown, match=r'sandbox = "strict" cannot be had.*write sandbox = "guarded"'):
        started(executor, player, place)


def test_guarded_holds_by_landlock_alone_where_there_are_no_namespaces(executor, place, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "there").write_text("still here")
    executor.__dict__["machine"] = replace(executor.machine, namespaces=0, overlays=False)
    player = make_player(REACHES_OUT, str(outside), str(os.getpid()), cwd=place / "work")
    text, _ = said(executor, player, place)
    done = {line.removesuffix(" done") for line in text.splitlines() if line.endswith(" done")}
    assert done <= {"own file", "temporary file", "priority"}, text
    assert (outside / "there").read_text() == "still here"


def test_an_environment_of_many_kilobytes_reaches_the_engine(executor, place):
    player = make_player("import os; print(len(os.environ['LONG']))", cwd=place / "work")
    engine = executor.start(player, {"LONG": "x" * 100_000}, place=str(place))
    assert output(engine) == "100000\n"
    engine.reap()
    engine.close()


KEYS = {"x86_64": 250, "aarch64": 219}
REFUSED = f"""{ATTEMPT}
import ctypes, platform, resource
libc = ctypes.CDLL(None, use_errno=True)
def call(*words):
    if libc.syscall(*words) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
attempt("keys", lambda: call({KEYS}[platform.machine()], 0, -3, 0))
attempt("limits of the cell", lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (3, 3)))
attempt("processors of the cell", lambda: os.sched_setaffinity(1, [0]))
attempt("new namespaces", lambda: call({{"x86_64": 272, "aarch64": 97}}[platform.machine()], 0x10000000))
attempt("its own limits", lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)))
attempt("a mode", lambda: os.chmod("/bin/sh", 0o755))
attempt("a disk", lambda: os.listdir("/dev/disk"))
attempt("a terminal", lambda: os.open("/dev/pts/0", os.O_RDONLY))
attempt("a process of its own", lambda: os.waitpid(os.fork() or os._exit(0), 0))
attempt("a pair of sockets", socket.socketpair)
attempt("a socket of services", lambda: os.listdir("/run")[0] if os.listdir("/run") else os.stat("/nowhere"))
"""


@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_what_reaches_beyond_its_processes_is_refused(executor, place, level):
    text, _ = said(executor, make_player(REFUSED, cwd=place / "work", level=level), place)
    done = {line.removesuffix(" done") for line in text.splitlines() if line.endswith(" done")}
    assert done == {"its own limits", "a process of its own", "a pair of sockets"}, text


def test_the_folders_of_other_engines_are_out_of_sight(executor, tmp_path):
    whole = tmp_path / "gyoji-work-0123456789abcdef"
    for place in ("0/1", "0/2"):
        for folder in ("work", "tmp", "overlay/upper", "overlay/work"):
            (whole / place / folder).mkdir(parents=True)
    (whole / "0/2/work/plan").write_text("x")
    place = whole / "0" / "1"
    code = f"import os; print(os.path.exists({str(whole / '0/2/work/plan')!r}), os.listdir('..'))"
    assert said(executor, make_player(code, cwd=place / "work"), place)[0].startswith("False ['")


def test_a_cell_that_an_engine_has_spoilt_costs_no_game(executor, place):
    player = make_player("print('x')", cwd=place / "work")
    said(executor, player, place)
    (cell,) = executor._idle
    cell._connection.shutdown(socket.SHUT_RDWR)
    assert said(executor, player, place) == ("x\n", "exit 0")


VICTIMS = {
    "launcher": lambda executor, engine: executor.launcher.pid,
    "cell": lambda executor, engine: engine._cell.first,
    "engine": lambda executor, engine: engine.pid,
}


def end_by_a_kill(executor, player, place, victim, group=None):
    """Kill a process while an engine runs. Return `lost()` of the engine before and after it is reaped."""
    engine = started(executor, player, place)
    try:
        if group is not None:
            engine._cell.group = group
        os.kill(VICTIMS[victim](executor, engine), signal.SIGKILL)
        assert select.select([engine.pidfd], [], [], 20)[0]
        before = engine.lost()
        engine.reap()
        return before, engine.lost()
    finally:
        engine.close()


@pytest.mark.parametrize("victim", VICTIMS)
def test_an_engine_that_ends_with_its_cell_is_told_from_one_that_was_killed(executor, place, victim):
    why = "" if victim == "engine" else "its cell was killed, which it cannot do itself"
    assert end_by_a_kill(executor, make_player("input()", cwd=place / "work"), place, victim) == (why, why)


class Emptied:
    """A control group in which the kernel has killed a process for want of memory."""

    known = MemoryUsage(0, 0, 0)

    def memory_usage(self):
        return MemoryUsage(1, 0, 0)

    def others(self):
        return iter(())

    def retire(self):
        pass


def test_a_cell_that_ends_when_its_memory_is_used_up_excuses_no_engine(executor, place):
    player = make_player("input()", cwd=place / "work")
    assert end_by_a_kill(executor, player, place, "cell", Emptied()) == ("", "")


@pytest.mark.parametrize("victim", ["launcher", "cell"])
def test_after_a_kill_of_its_launcher_or_cell_the_next_engine_starts_as_before(executor, place, victim):
    player = make_player("input()", cwd=place / "work")
    end_by_a_kill(executor, player, place, victim)
    engine = started(executor, player, place)
    containment = engine.containment
    os.write(engine.stdin, b"\n")
    assert (output(engine), engine.reap()[0]) == ("", "exit 0")
    engine.close()
    assert containment == executor._describe(executor._plans[str(place)], closed_file="")
    assert executor.launcher.pid in executor.pids


def test_a_launcher_that_is_killed_while_the_machine_is_examined_says_nothing_of_the_machine(
    executor, place, monkeypatch
):
    there, examine = engines.examine(executor.launcher), engines.examine

    def killed(launcher):
        os.kill(launcher.pid, signal.SIGKILL)
        return examine(launcher)

    monkeypatch.setattr(ContainedExecutor, "_examined", None)
    monkeypatch.setattr(engines, "examine", killed)
    player = make_player("print('x')", cwd=place / "work")
    with pytest.raises(ProcessLost, match="the launcher has ended"):
        started(executor, player, place)
    monkeypatch.setattr(engines, "examine", examine)
    assert said(executor, player, place) == ("x\n", "exit 0")
    assert executor.machine == there


WAKES = """
import ctypes, struct, time
libc = ctypes.CDLL(None, use_errno=True)
event = struct.pack("QiiQ", 0, 18, 0, 0) + bytes(40)  # SIGEV_SIGNAL, SIGCONT
timer = ctypes.c_int()
print(libc.timer_create(1, event, ctypes.byref(timer)), ctypes.get_errno())
"""


@pytest.mark.parametrize(("ponders", "answer"), [(True, "0 0"), (False, "-1 1")])
def test_who_stands_still_while_others_think_has_no_clock_to_wake_it(executor, place, ponders, answer):
    player = structs.replace(make_player(WAKES, cwd=place / "work"), ponders=ponders)
    assert said(executor, player, place)[0].strip() == answer


def test_a_strict_engine_that_works_in_the_folder_of_the_event_finds_its_files_and_not_the_events(
    executor, place, tmp_path
):
    event = tmp_path / "event"
    event.mkdir()
    (event / "e.db").write_text("secret")
    (event / "bot.py").write_text(
        "import os; open('notes', 'w').write('x'); print(sorted(os.listdir()), os.path.exists('e.db'))"
    )
    player = Player(
        code="a",
        command=(PYTHON, str(event / "bot.py")),
        cwd=str(event),
        containment=Containment(level="strict", hidden=(str(event / "e.db"),)),
    )
    text, end = said(executor, player, place)
    assert (text.strip(), end) == ("['bot.py', 'notes'] False", "exit 0")
    assert not (event / "notes").exists()


def test_a_strict_engine_of_ours_finds_its_package_however_it_is_installed(executor, place):
    brain = Path(sys.executable).parent / "pbrain-narabe"
    containment = Containment(level="strict")
    player = Player(code="a", command=(str(brain),), cwd=str(place / "work"), containment=containment)
    engine = started(executor, player, place)
    os.write(engine.stdin, b"ABOUT\nEND\n")
    text = output(engine)
    engine.reap()
    engine.close()
    assert 'name="Narabe"' in text


@pytest.mark.parametrize("way", [("a/bin/program", "z/program"), ("a/bin/program", "m/program", "z/program")])
def test_a_strict_engine_is_found_by_a_link_whose_name_comes_before_what_it_leads_to(
    executor, place, tmp_path, way
):
    *links, program = (tmp_path / each for each in way)
    for each in (*links, program):
        each.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\necho started\n")
    program.chmod(0o755)
    for link, target in zip(links, [*links[1:], program], strict=True):
        link.symlink_to(target)
    player = Player(
        code="a", command=(str(links[0]),), cwd=str(place / "work"), containment=Containment(level="strict")
    )
    assert said(executor, player, place) == ("started\n", "exit 0")


def test_a_guarded_engine_whose_home_is_in_the_folder_of_the_event_writes_to_a_copy_of_it(
    executor, place, tmp_path
):
    home = tmp_path / "event/home"
    home.mkdir(parents=True)
    code = "import os; open(os.environ['HOME'] + '/cache', 'w').write('x'); print('done')"
    player = structs.replace(
        make_player(code, cwd=place / "work", hidden=(str(tmp_path / "event/e.db"),)),
        environ={"HOME": str(home)},
    )
    assert said(executor, player, place) == ("done\n", "exit 0")
    assert list(home.iterdir()) == []


def test_an_engine_has_its_own_folder_in_the_event_s_which_is_hidden_with_those_of_others(
    executor, place, tmp_path
):
    own, other = tmp_path / "event/e.folders/a", tmp_path / "event/e.folders/b"
    for each in (own, other):
        each.mkdir(parents=True)
    code = f"""import os
print(os.listdir({str(own.parent)!r}))
open({str(own / "learned")!r}, "w").write("x")
"""
    player = make_player(code, cwd=place / "work", hidden=(str(own.parent),))
    assert said(executor, structs.replace(player, folder=str(own)), place) == ("['a']\n", "exit 0")
    assert os.listdir(own) == ["learned"]


def test_a_folder_of_a_private_copy_can_be_removed_and_made_again(executor, place, tmp_path):
    home = tmp_path / "home"
    (home / "cache").mkdir(parents=True)
    code = """import os
os.chdir(os.environ["HOME"])
os.rmdir("cache")
os.mkdir("cache")
print(os.listdir())
"""
    player = structs.replace(make_player(code, cwd=place / "work"), environ={"HOME": str(home)})
    assert said(executor, player, place) == ("['cache']\n", "exit 0")


def test_what_an_engine_keeps_in_its_copy_of_tmp_is_memory_of_its_own_and_few_files(executor, place):
    code = f"""{ATTEMPT}
open("/tmp/large", "wb").write(bytes(20 << 20))
attempt("many", lambda: [open(f"/tmp/{{number}}", "w").close() for number in range(70_000)])
sys.stdout.flush()
sys.stdin.read()
"""
    engine = started(executor, make_player(code, cwd=place / "work"), place)
    heard = b""
    while not heard.endswith(b"\n") and select.select([engine.stdout], [], [], 60)[0]:
        heard += os.read(engine.stdout, 100)
    assert heard == b"many No space left on device\n"
    assert 20 << 20 < engine.memory() < 90 << 20
    engine.close_stdin()
    output(engine)
    engine.reap()
    engine.close()


FOLDERS = {
    "engines/one/brain": "engines/one",
    "home/brain": "",
    "home/Downloads/brain": "",
    "home/brain-1.2/brain": "home/brain-1.2",
    "home/src/brain/build/brain.exe": "home/src/brain/build",
    "cup/brain": "",
}


@pytest.mark.parametrize("program", FOLDERS)
def test_a_program_s_own_folder_belongs_to_it_but_not_a_home_nor_that_of_the_event(
    program, tmp_path, monkeypatch
):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    path = tmp_path / program
    path.parent.mkdir(parents=True)
    path.write_text("")
    containment = Containment(level="strict", hidden=(str(tmp_path / "cup/e.db"),))
    player = Player(code="a", command=(str(path),), containment=containment)
    found = {os.path.relpath(each, tmp_path) for each in own_files(player)}
    assert found == {program, FOLDERS[program]} - {""}


def test_a_strict_engine_has_sockets_of_its_own_and_sees_nothing_but_the_system(executor, place):
    code = f"""{ATTEMPT}
attempt("see", lambda: os.stat({__file__!r}))
own = socket.socket(socket.AF_UNIX)
own.bind("own")
own.listen()
attempt("own", lambda: socket.socket(socket.AF_UNIX).connect("own"))
attempt("foreign", lambda: socket.socket(socket.AF_UNIX).connect("/run/docker.sock"))
"""
    player = make_player(code, cwd=place / "work", level="strict")
    text, end = said(executor, player, place)
    assert (text.splitlines(), end) == (
        ["see No such file or directory", "own done", "foreign No such file or directory"],
        "exit 0",
    )


def test_the_package_of_a_program_is_its_prefix_its_interpreter_and_what_its_python_names(tmp_path):
    for name in ("venv/bin", "venv/lib/python3.11/site-packages", "source/src", "base/bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "base/bin/python3").write_text("")
    (tmp_path / "venv/bin/python").symlink_to(tmp_path / "base/bin/python3")
    (tmp_path / "venv/bin/brain").write_text(f"#!{tmp_path}/venv/bin/python\n")
    (tmp_path / "venv/lib/python3.11/site-packages/a.pth").write_text(
        f"import x\n{tmp_path}/source/src\n{tmp_path}/gone\nbeside\n"
    )
    player = Player(code="a", command=(str(tmp_path / "venv/bin/brain"),))
    found = {os.path.relpath(path, tmp_path) for path in own_files(player)}
    assert {"venv", "venv/bin/brain", "source/src", "base", "base/bin/python3"} <= found
    assert not {"source", "gone", ".", "base/lib"} & found


WRITES_AT_HOME = f"""{ATTEMPT}
home = os.environ["HOME"]
attempt("old", lambda: open(home + "/.katago/tuning").read())
attempt("new folder", lambda: os.mkdir(home + "/.nv"))
attempt("cache", lambda: open(home + "/.katago/tuning", "a").write(" and new"))
attempt("temporary", lambda: os.mkdir("/tmp/.of-an-engine"))
print(open(home + "/.katago/tuning").read())
"""


def test_a_guarded_engine_writes_to_a_private_copy_of_its_users_home(executor, place, tmp_path):
    cache = tmp_path / "home" / ".katago"
    cache.mkdir(parents=True)
    (cache / "tuning").write_text("old")
    player = make_player(WRITES_AT_HOME, cwd=place / "work")
    player = structs.replace(player, environ={"HOME": str(tmp_path / "home")})
    text, _ = said(executor, player, place)
    assert text.splitlines() == ["old done", "new folder done", "cache done", "temporary done", "old and new"]
    again, _ = said(executor, player, place)
    assert again.splitlines()[-1] == "old and new and new", "the copy stays for the player's next game"
    assert [path.name for path in cache.parent.iterdir()] == [".katago"]
    assert (cache / "tuning").read_text() == "old"
    assert not os.path.exists("/tmp/.of-an-engine")


def test_sockets_among_the_temporary_files_of_others_are_no_use_to_a_guarded_engine(executor, place):
    with TemporaryDirectory(dir="/tmp") as folder, socket.socket(socket.AF_UNIX) as listener:
        Path(folder).chmod(0o755)
        address = f"{folder}/agent"
        code = f"{ATTEMPT}attempt('connect', lambda: socket.socket(socket.AF_UNIX).connect({address!r}))"
        listener.bind(address)
        os.chmod(address, 0o777)
        listener.listen()
        text, _ = said(executor, make_player(code, cwd=place / "work"), place)
    assert text == "connect Connection refused\n"


def test_without_a_namespace_of_processes_no_engine_slows_all_of_its_user_down(executor, place):
    executor.__dict__["machine"] = replace(executor.machine, namespaces=0, overlays=False, read_only=False)
    code = f"{ATTEMPT}\nattempt('priority', lambda: os.setpriority(os.PRIO_USER, os.getuid(), 1))"
    assert said(executor, make_player(code, cwd=place / "work"), place)[0] == (
        "priority Operation not permitted\n"
    )


def test_the_machine_is_looked_at_once_however_many_executors_there_are(executor, monkeypatch):
    looked = []
    monkeypatch.setattr(ContainedExecutor, "_examined", None)
    monkeypatch.setattr(engines, "examine", lambda launcher: looked.append(launcher) or "a machine")
    other = ContainedExecutor()
    assert executor.machine == other.machine == "a machine"
    assert looked == [executor.launcher]
    other.close()


def test_each_engine_of_a_cell_is_told_of_its_own_game_alone(executor, place):
    code = "import os; print({name: value for name, value in os.environb.items() if name[:4] == b'GAME'})"
    player = make_player(code, cwd=place / "work")
    games = ({"GAME_A": "1", "GAME_B": "1"}, {"GAME_A": "2"}, {"GAME_A": "bytes \udc80"})
    found = []
    for told in games:
        engine = executor.start(player, told, place=str(place))
        found.append(output(engine).strip())
        engine.reap()
        engine.close()
    assert found == ["{b'GAME_A': b'1', b'GAME_B': b'1'}", "{b'GAME_A': b'2'}", r"{b'GAME_A': b'bytes \x80'}"]
    assert len(executor._idle) == 1


def test_an_engine_that_is_gone_can_be_told_to_go_and_has_used_no_more(executor, place):
    engine = started(executor, make_player("", cwd=place / "work"), place)
    select.select([engine.pidfd], [], [], 20)
    while _proc.pid_of(engine.pidfd) > 0:  # until its cell has seen that it has ended
        os.sched_yield()
    engine.terminate()
    assert engine.cpu_ns(user_only=True) == 0
    assert engine.reap()[0] == "exit 0"
    engine.close()


def test_shared_memory_of_the_machine_is_left_alone():
    path = Path(f"/dev/shm/gyoji-test-{os.getpid()}")
    path.touch()
    try:
        assert leftovers(owns_memory=False).startswith("/dev/shm/")
        assert path.exists()
    finally:
        path.unlink()


@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_an_engine_sees_its_program_and_its_folder_in_the_machines_shared_memory(executor, place, level):
    with TemporaryDirectory(dir="/dev/shm") as folder:
        program = Path(folder, "engine")
        program.write_text("#!/bin/sh\npwd\n")
        program.chmod(0o755)
        player = Player(code="a", command=(str(program),), cwd=folder, containment=Containment(level=level))
        assert said(executor, player, place) == (f"{folder}\n", "exit 0")


def test_a_pipe_in_the_place_of_a_script_is_not_waited_for(executor, place, tmp_path):
    os.mkfifo(tmp_path / "bot.py")
    player = replace(
        make_player("", cwd=tmp_path, level="strict"),
        command=(PYTHON, "-c", "pass", str(tmp_path / "bot.py")),
    )
    assert said(executor, player, place) == ("", "exit 0")


MOUNTS = """
with open("/proc/self/mountinfo") as file:
    for line in file:
        print(line.split()[4], *line.split()[5].split(","))
"""


@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_what_is_mounted_gives_no_rights_and_has_no_devices_but_those_that_are_wanted(executor, place, level):
    text, _ = said(executor, make_player(MOUNTS, cwd=place / "work", level=level), place)
    mounts = [line.split() for line in text.splitlines()]
    assert len(mounts) > 5
    assert [path for path, *flags in mounts if "nosuid" not in flags] == []
    with_devices = {path for path, *flags in mounts if "nodev" not in flags}
    wanted = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/pts"}
    assert wanted <= with_devices
    assert all(
        path in wanted or path.startswith(("/dev/dri", "/dev/kfd", "/dev/nv")) for path in with_devices
    )


LIMITS = """
import os, resource
for limit in (resource.RLIMIT_CORE, resource.RLIMIT_RTPRIO, resource.RLIMIT_NICE):
    print(*resource.getrlimit(limit))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
print(*resource.getrlimit(resource.RLIMIT_CORE))
for policy in (os.SCHED_FIFO, os.SCHED_RR):
    try:
        os.sched_setscheduler(0, policy, os.sched_param(1))
    except OSError as error:
        print(error.strerror)
try:
    os.nice(-1)
except OSError as error:
    print(error.strerror)
"""


@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_a_crash_starts_no_program_of_the_machine_and_no_priority_is_above_others(executor, place, level):
    text, _ = said(executor, make_player(LIMITS, cwd=place / "work", level=level), place)
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    most = 1 if hard == resource.RLIM_INFINITY else min(1, hard)
    core = f"{most} {most}"
    assert text.splitlines() == [core, "0 0", "0 0", core, *["Operation not permitted"] * 3]


@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_a_user_who_may_have_high_priorities_gives_none_to_an_engine(executor, place, level):
    player = make_player("", cwd=place / "work", level=level)
    limits = dict(plan_of(player, str(place), executor.machine)["limits"])
    assert [limits[number] for number in (resource.RLIMIT_RTPRIO, resource.RLIMIT_NICE)] == [0, 0]


@pytest.mark.parametrize(
    ("level", "flags", "uid", "most"),
    [
        ("guarded", kernel.CLONE_NEWUSER, 0, 4096),
        ("guarded", 0, 1 << 30, 4096),
        ("guarded", 0, 0, None),  # all of our user's would count
        ("strict", kernel.CLONE_NEWUSER, 0, 256),
    ],
)
def test_the_kernel_limits_the_processes_of_an_engine_wherever_it_counts_them(
    executor, place, level, flags, uid, most
):
    every = kernel.CLONE_NEWPID | kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC | kernel.CLONE_NEWNET
    machine = replace(executor.machine, namespaces=every | flags, landlock=6, read_only=True, seccomp=True)
    player = make_player("", cwd=place / "work", level=level)
    limits = dict(plan_of(player, str(place), machine, uid=uid)["limits"])
    assert limits.get(resource.RLIMIT_NPROC) == most


OWNER = """
import fcntl, os, socket, struct, sys
worker = int(sys.argv[1])
ends = socket.socketpair()
for name, set_owner in (
    ("F_SETOWN", lambda: fcntl.fcntl(ends[0], fcntl.F_SETOWN, worker)),
    ("F_SETOWN_EX", lambda: fcntl.fcntl(ends[0], 15, struct.pack("ii", 1, worker))),
    ("FIOSETOWN", lambda: fcntl.ioctl(ends[0], 0x8901, struct.pack("i", worker))),
):
    try:
        set_owner()
        print(name, "done")
    except OSError as error:
        print(name, error.strerror)
"""


@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_an_engine_names_no_process_of_others_to_be_signalled(executor, place, level):
    player = make_player(OWNER, str(os.getpid()), cwd=place / "work", level=level)
    text, _ = said(executor, player, place)
    assert text.splitlines() == [
        f"{name} No such process" for name in ("F_SETOWN", "F_SETOWN_EX", "FIOSETOWN")
    ]
