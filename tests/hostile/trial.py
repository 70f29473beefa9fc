"""Play games between a hostile engine and an innocent one: no test, a program.

    trial.py '{"folder": ..., "level": ..., "command": [...], "try": {"gtp": [...]}, "without": ""}'

It is a process of its own, since the attempts may end it. It makes a competition's files and bystanders in
the folder, plays, and looks for harm to them. The last line of its output is JSON: {"games": [...],
"tried": {name: result}, "harm": [...], "lacks": why the level cannot be had here, or "", "own_uid":
whether engines of root have a user of their own here}.
"""

import ctypes
import json
import os
import resource
import select
import socket
import stat
import subprocess
import sys
import termios
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from bench.misbehaving import dighere, engine
from msgspec import structs
from msgspec.structs import replace

from gyoji.core.clocks import TimeControl
from gyoji.core.faults import Breakdown
from gyoji.core.spec import Budgets, Containment, GameSpec, Player
from gyoji.executors import kernel
from gyoji.games.dighere.fields import Agent, Field
from gyoji.games.dighere.files import json_field
from gyoji.games.dighere.plans import Treasure
from gyoji.play.context import WorkerContext
from gyoji.play.game import set_up
from gyoji.play.order import Order

LAYERS = {
    "users": kernel.CLONE_NEWUSER,
    "processes": kernel.CLONE_NEWPID,
    "mounts": kernel.CLONE_NEWNS,
    "memory": kernel.CLONE_NEWIPC,
    "networks": kernel.CLONE_NEWNET,
}
"""Namespaces by their names in trials; the other layers are "landlock", "filter", "uids"."""

SECOND = 1_000_000_000
_FIELD = Field(
    size=8,
    steps=3,
    agents=(Agent(0, 0), Agent(7, 7), Agent(0, 7), Agent(7, 0)),
    known=(Treasure(7, 6, 8), Treasure(4, 4, 2)),
)
_GAMES = {
    "gtp": ("go", {"board_size": 9, "komi": 7.5}, 2),
    "gomocup": ("gomoku", {"max_moves": 30}, 2),
    "dighere": ("dighere", {"opening": json_field(_FIELD)}, 4),
}
_SYSTEM = ("/dev/null", "/usr/bin/env", "/etc/passwd")


def main():
    told = json.loads(sys.argv[1])
    folder = Path(told["folder"])
    with ExitStack() as stack:
        bystanders = Bystanders(folder, stack)
        context = WorkerContext()
        machine = context.starter("contained").machine
        if told["without"]:
            context.starter("contained").__dict__["machine"] = without(machine, told["without"])
        report = {"games": [], "tried": {}, "lacks": "", "harm": [], "own_uid": machine.own_uid}
        try:
            run(context, told, bystanders, report)
        except Breakdown as error:
            report["lacks"] = str(error)
        context.close()
        report["harm"] += bystanders.left()
    print(json.dumps(report))


def run(context, told, bystanders, report):
    """Play the games while an engine of another game waits for questions."""
    idle = player("other", told, bystanders, protocol="gtp", program=innocent("gtp"))
    other = context.start(idle, {})
    bystanders.processes["other"] = other[0].pid
    before = bystanders.look()
    for protocol in told["try"]:
        if told["beside"]:
            start_beside(context, told, bystanders, report)
        else:
            play(context, protocol, told, bystanders, report)
    report["harm"] = bystanders.harm(before)
    end(*other)


def without(machine, layer):
    """Return a machine that lacks one layer."""
    if layer == "uids":
        return replace(machine, own_uid=False)
    if layer == "filter":
        return replace(machine, seccomp=False)
    if layer == "landlock":
        return replace(machine, landlock=0)
    namespaces = machine.namespaces & ~LAYERS[layer]
    if layer == "users" and not machine.is_root:
        namespaces = 0  # an ordinary user has the others only in one of those
    has_mounts = layer != "mounts"
    return replace(
        machine,
        namespaces=namespaces,
        overlays=machine.overlays and has_mounts,
        own_uid=machine.own_uid and has_mounts,
    )


def innocent(protocol):
    python = (sys.executable, "-I", "-S")
    if protocol == "dighere":
        return (*python, str(Path(dighere.__file__)))
    return (*python, str(Path(engine.__file__)), "--protocol", protocol, "--life", "60")


def player(code, told, bystanders, *, protocol, program):
    level = told["level"]
    return Player(
        code=code,
        command=tuple(program),
        cwd="",
        protocol=protocol,
        environ=bystanders.environ | {"HOSTILE_GENTLE": "1" if level == "off" else ""}
        if code == "evil"
        else {"HOSTILE_MARK": str(bystanders.folder)},
        options={},
        budgets=Budgets(startup=20 * SECOND, move=30 * SECOND, close=2 * SECOND),
        containment=Containment(
            level=level,
            hidden=tuple(map(str, bystanders.hidden)),
            readable=tuple(told.get("readable", ())),
            writable=(str(bystanders.lasting),) if code == "evil" else (),
        ),
    )


def start_beside(context, told, bystanders, report):
    """Start an innocent engine while a hostile one makes its attempts, and report whether it starts."""
    engine, leave = context.start(evil_player("gtp", told, bystanders), {})
    os.write(engine.stdin, b"genmove b\n")
    select.select([engine.stdout], [], [], 20)
    try:
        other, leave_other = context.start(
            player("good", told, bystanders, protocol="gtp", program=innocent("gtp")), {}
        )
    except Breakdown as error:
        report["games"].append({"protocol": "gtp", "void": str(error)})
    else:
        report["games"].append({"protocol": "gtp"})
        end(other, leave_other)
    end(engine, leave)


def end(engine, leave):
    engine.kill()
    select.select([engine.pidfd], [], [], 5)
    engine.reap()
    engine.close()
    leave()


def evil_player(protocol, told, bystanders):
    words = [*told["command"], protocol]
    evil = player("evil", told, bystanders, protocol=protocol, program=words)
    return structs.replace(evil, environ={**evil.environ, "HOSTILE_TRY": ",".join(told["try"][protocol])})


def play(context, protocol, told, bystanders, report):
    """Play one game and add it to the report."""
    game, options, seats = _GAMES[protocol]
    good = player("good", told, bystanders, protocol=protocol, program=innocent(protocol))
    evil = evil_player(protocol, told, bystanders)
    players = (evil, good) if seats == 2 else (evil, good, evil, good)
    control = TimeControl.parse("60s" if protocol != "gtp" else "none")
    spec = GameSpec(id="0_0", pairing="0", game=game, players=players, options=options, clock=control)
    reports = []
    began = set_up(context, Order(spec=spec, slot=0), reports.append)
    if began is not None:
        began.begin()
        context.loop.run(lambda: reports)
    (ended,) = reports
    if ended.void is not None:
        report["games"].append({"protocol": protocol, "void": ended.void.reason})
        return
    result = ended.record.result
    turns = [[each.move for each in turn if each.seat % 2] for turn in ended.record.turns]
    report["games"].append(
        {
            "protocol": protocol,
            "outcome": [result.outcome.ending.value, result.outcome.winner, result.outcome.seat],
            "detail": result.outcome.detail,
            "warnings": list(result.warnings),
            "innocent": [moves[0] for moves in turns if moves],
        }
    )
    for line in ended.log:
        name, _, result = line.strip().removeprefix("TRY ").partition(": ")
        if line.strip().startswith("TRY "):
            report["tried"].setdefault(name, []).append(result)


class Bystanders:
    """Files, sockets and processes that no engine may touch.

    Attributes:
        is_event: Whether a real event is held in their folder, whose files change.
    """

    def __init__(self, folder, stack, *, is_event=False):
        self.folder = folder
        self.is_event = is_event
        self.event, self.outside, self.home = folder / "event", folder / "outside", folder / "home"
        self.lasting = folder / "lasting"
        self._make_files()
        self._listeners = self._listen(stack)
        idle = subprocess.Popen(["/bin/sleep", "300"])
        stack.callback(idle.wait)
        stack.callback(idle.kill)
        self.processes = {"other" if is_event else "scheduler": idle.pid, "worker": os.getpid()}
        self._master, slave = os.openpty()
        stack.callback(os.close, self._master)
        stack.callback(os.close, slave)
        os.set_blocking(self._master, False)
        self._slave = slave
        self.terminal = os.ttyname(slave)
        self._mounts = _mounts()
        self._shared = self._shared_memory()

    def _make_files(self):
        for each in ("event/e.games", "event/e.folders/other", "outside", "home/.ssh", "lasting"):
            (self.folder / each).mkdir(parents=True)
        files = ("e.db", "e.db-wal", "e.db-shm", "e.log", "e.lock", "e.toml", "e.games/0.sgf")
        for name in ("e.folders/other/plan", *(() if self.is_event else files)):
            (self.event / name).write_text(f"the text of {name}\n")
        (self.outside / "victim").write_text("the text of a bystander\n")
        (self.home / ".ssh/id").write_text("the key of the user\n")
        names = (
            "e.toml",
            "e.db",
            "e.db-wal",
            "e.db-shm",
            "e.log",
            "e.lock",
            "e.sock",
            "e.games",
            "e.folders",
        )
        self.hidden = [self.event / name for name in names]

    def _listen(self, stack):
        listeners = {}
        self.abstract = f"gyoji-hostile-{os.getpid()}"
        for name, family, kind, address in (
            ("control socket", socket.AF_UNIX, socket.SOCK_STREAM, str(self.event / "e.sock")),
            ("another program's socket", socket.AF_UNIX, socket.SOCK_STREAM, str(self.outside / "s.sock")),
            ("abstract socket", socket.AF_UNIX, socket.SOCK_STREAM, "\0" + self.abstract),
            ("TCP", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            ("UDP", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
        ):
            if self.is_event and name == "control socket":
                continue  # the run makes one
            listener = stack.enter_context(socket.socket(family, kind))
            listener.bind(address)
            if kind == socket.SOCK_STREAM:
                listener.listen(64)
            listener.setblocking(False)
            listeners[name] = listener
        return listeners

    @property
    def environ(self):
        """The variables by which a hostile engine is told of them."""
        ports = {
            name: str(self._listeners[name.upper() if name == "udp" else "TCP"].getsockname()[1])
            for name in ("port", "udp")
        }
        told = {
            **{name: str(pid) for name, pid in self.processes.items()},
            **{"event": str(self.event), "outside": str(self.outside), "home": str(self.home)},
            "lasting": str(self.lasting),
            **ports,
            "abstract": self.abstract,
            "terminal": self.terminal,
            "network": os.readlink("/proc/self/ns/net"),
            "mark": str(self.folder),
        }
        return {f"HOSTILE_{name.upper()}": value for name, value in told.items()}

    def look(self):
        """Return the state of all of them."""
        return {
            **{f"process {name}": _process(pid) for name, pid in self.processes.items()},
            **{f"file {path}": _file(path) for path in self._files()},
            "terminal": tuple(map(str, _settings(self._slave))),
        }

    def _files(self):
        found = [self.outside, self.home, *(() if self.is_event else (self.event,))]
        for folder in tuple(found):
            found += folder.rglob("*")
        return (*found, *map(Path, _SYSTEM))

    def harm(self, before):
        """Say what has happened to them."""
        now = self.look()
        words = [
            f"{name}: {before.get(name)} -> {now.get(name)}"
            for name in sorted({*before, *now})
            if before.get(name) != now.get(name)
        ]
        for name, listener in self._listeners.items():
            with suppress(BlockingIOError):
                if listener.type == socket.SOCK_STREAM:
                    listener.accept()[0].close()
                else:
                    listener.recv(100)
                words.append(f"reached: {name}")
        with suppress(BlockingIOError, OSError):
            words.append(f"terminal: {os.read(self._master, 1000)!r}")
        return words

    def left(self):
        """Say what engines have left behind, after waiting for it to go."""
        words = []
        for _ in range(100):
            if not (found := self._daemons()):
                break
            time.sleep(0.02)
        words += [f"left running: {each}" for each in found]
        if found := _mounts() - self._mounts:
            words.append(f"left mounted: {found}")
        if found := self._shared_memory() - self._shared:
            words.append(f"left in shared memory: {found}")
            for name in found:
                if name.startswith("segment "):
                    ctypes.CDLL(None).shmctl(int(name.split()[1]), 0, None)
        words += [f"left: {path}" for path in (self.folder / "temporary").iterdir()]
        words += [f"left with rights: {path.name}" for path in self.lasting.rglob("*") if _has_rights(path)]
        return words

    def _daemons(self):
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                words = (path / "cmdline").read_bytes()
                is_ours = str(self.folder).encode() in (path / "environ").read_bytes()
                is_us = b"trial.py" in words or b"event.py" in words
                if int(path.name) not in self.processes.values() and is_ours and not is_us:
                    found.append(words.decode(errors="replace").replace("\0", " "))
                elif words.startswith(b"gyoji-hostile-daemon") and self._is_here(path):
                    found.append("a hidden daemon")
        return found

    def _is_here(self, process):
        """Return whether a process works in our folder."""
        return f"/{self.folder.name}/" in os.readlink(process / "cwd")

    def _shared_memory(self):
        names = {name for name in os.listdir("/dev/shm") if "hostile" in name}
        lines = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
        return names | {f"segment {line.split()[1]}" for line in lines if line.split()[3] == str(1 << 20)}


def _mounts():
    """Return the mounts of the machine, without those of network namespaces, which other tests make."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return {line for line in lines if not line.split()[4].startswith("/run/netns")}


def _settings(terminal):
    return termios.tcgetattr(terminal)[:4]


def _process(pid):
    """Return the state, tracer, priorities, processors and limits of a process."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return "gone"
    tracer = next(line for line in status.splitlines() if line.startswith("TracerPid"))
    return (
        "stopped" if text[0] in "tT" else "ended" if text[0] in "ZX" else "running",
        tracer,
        f"nice {text[16]}",
        f"policy {text[38]}",
        f"cores {sorted(os.sched_getaffinity(pid))}",
        f"files {resource.prlimit(pid, resource.RLIMIT_NOFILE)}",
    )


def _has_rights(path):
    """Return whether a file has a set-uid or set-gid bit, or capabilities."""
    return path.lstat().st_mode & 0o6000 or "security.capability" in os.listxattr(path, follow_symlinks=False)


def _file(path):
    """Return everything about a file except its time of access."""
    try:
        found = os.lstat(path)
    except OSError:
        return "gone"
    marks = ()
    with suppress(OSError):
        marks = tuple(os.listxattr(path, follow_symlinks=False))
    is_ours = stat.S_ISREG(found.st_mode) and found.st_size < 10_000
    return (
        oct(found.st_mode),
        found.st_uid,
        found.st_nlink if not stat.S_ISDIR(found.st_mode) else 0,
        found.st_mtime_ns if not str(path).startswith("/dev") and not stat.S_ISDIR(found.st_mode) else 0,
        marks,
        Path(path).read_bytes().decode(errors="replace") if is_ours and str(path)[:4] != "/etc" else "",
    )


if __name__ == "__main__":
    main()
