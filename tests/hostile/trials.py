"""Start trials as root or as an ordinary user, with copies of what they need where that user can read it."""

import atexit
import fcntl
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from attempts import ATTEMPTS, LATE, RESOURCES
from bench import misbehaving

import gyoji
from gyoji.executors.contained.cgroups import find_hierarchies
from gyoji.store.filesystem import remove_tree

HERE = Path(__file__).parent
NOBODY = 65534
"""Uid of the ordinary user, who owns nothing."""

LIMIT = EVENT_LIMIT = 600  # seconds after which a trial hangs

LEVELS = ("off", "guarded", "strict")
USERS = ("root", "user") if os.geteuid() == 0 else ("user",)
LAYERS = ("users", "processes", "mounts", "memory", "networks", "landlock", "filter", "uids")


HIERARCHIES = [each for each in find_hierarchies() if os.geteuid() == 0][:1]
"""Where root can make control groups, for itself and an ordinary user; empty for nowhere."""


def users_with(layer):
    """Return the users for whom a layer makes a difference: root needs no user namespace, only root has
    uids to give.
    """
    return tuple(user for user in USERS if (layer, user) not in (("users", "root"), ("uids", "user")))


@cache
def interpreter():
    """Return a Python that every user can run: ours, or the system's if ours is in a home."""
    for path in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        probe = [path, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        if subprocess.run([*_as(NOBODY), *probe], capture_output=True, check=False).returncode == 0:
            return path
    raise AssertionError("no Python of 3.11 or newer here that every user may run")


def _packages():
    """Return PYTHONPATH for gyoji and the packages that it needs."""
    return os.pathsep.join((str(room() / "lib"), sysconfig.get_path("purelib")))


@cache
def check_readable(user):
    """Skip the test if the user cannot read the packages that gyoji needs. In CI that fails it."""
    words = ["env", f"PYTHONPATH={_packages()}", interpreter(), "-B", "-c", "import gyoji.cli.app"]
    if subprocess.run([*_as_user(user), *words], capture_output=True, check=False).returncode:
        pytest.skip(f"the user {user!r} cannot read the packages: {_packages()}")


def _as_user(user):
    return _as(NOBODY) if user != "root" else []


def _as(uid):
    if os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "env"]


@cache
def room():
    """Make a folder that every user can read, with gyoji, the hostile engines and the trials."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-", dir="/var/tmp"))  # /tmp is an engine's own
    atexit.register(remove_tree, folder)
    uncompiled = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(gyoji.__file__).parent, folder / "lib/gyoji", ignore=uncompiled)
    shutil.copytree(Path(misbehaving.__file__).parent, folder / "lib/bench/misbehaving", ignore=uncompiled)
    for name in ("trial.py", "event.py", "group_trial.py", "silence_trial.py"):
        shutil.copy(HERE / name, folder)
    (folder / "engine").mkdir()
    for path in HERE.glob("hostile*.py"):
        shutil.copy(path, folder / "engine")
    build = [
        "cc",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-O1",
        "-pthread",
        "-static",  # it is at its first instruction at once
        "-o",
        folder / "hostile",
        HERE / "hostile.c",
    ]
    subprocess.run(build, check=True)
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    return folder


def commands():
    """Return the commands of the hostile engines by language."""
    return {
        "C": [str(room() / "hostile")],
        "Python": [interpreter(), "-I", "-S", str(room() / "engine/hostile.py")],
    }


@contextmanager
def _alone():
    """Wait until no other process of the tests has a trial: traces of one can be seen on the whole
    machine.
    """
    with open(Path(tempfile.gettempdir(), f"gyoji-trials-{os.geteuid()}.lock"), "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def _folder(user):
    folder = Path(tempfile.mkdtemp(prefix="trial-", dir=room()))
    folder.chmod(0o755)  # for the users that root's engines are
    (folder / "temporary").mkdir()
    try:
        if user != "root" and os.geteuid() == 0:
            for path in (folder, folder / "temporary"):
                os.chown(path, NOBODY, NOBODY)
        yield folder
    finally:
        remove_tree(folder)


def run_trial(*, user, level, language, attempts, without="", beside=False):
    """Return what `trial.py` says, or {"lost": why}."""
    told = {"command": commands()[language], "try": attempts, "without": without, "beside": beside}
    return _run("trial.py", user, {"level": level, **told}, LIMIT)


def run_event(*, user, level, hostile, settings=""):
    """Return what `event.py` says, or {"lost": why}; `hostile` maps codes to (language, names of
    attempts).
    """
    players = {code: [commands()[language], attempts] for code, (language, attempts) in hostile.items()}
    told = {"hostile": players, "late": LATE, "settings": settings}
    return _run("event.py", user, {"level": level, **told}, EVENT_LIMIT)


def run_groups_trial(*, user, level):
    """Return what `group_trial.py` says, or {"lost": why}."""
    with _groups_of_their_own(user) as joins:
        return _run("group_trial.py", user, {"level": level}, LIMIT, first=joins)


def run_silence_trial(*, user, level):
    """Return what `silence_trial.py` says, or {"lost": why}."""
    return _run("silence_trial.py", user, {"level": level}, LIMIT)


@contextmanager
def _groups_of_their_own(user):
    """Make control groups below which a user may make others; yield the words that run a command in them.

    Other runs of this machine have theirs elsewhere then.
    """
    if not HIERARCHIES:
        yield []
        return
    (hierarchies,), name = HIERARCHIES, f"hostile-{os.getpid()}"
    groups = [Path(folder, name) for folder in {*hierarchies.folders.values()}]
    # In version 2 a group that gives controllers to groups below it has no process itself (cgroups(7))
    leaf = "leaf" if hierarchies.version == 2 else ""
    for group in groups:
        (group / leaf).mkdir(parents=True)
        if user != "root":
            subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", group], check=True)
    files = [str(group / leaf / "cgroup.procs") for group in groups]
    try:
        yield ["sh", "-c", f'for each in {" ".join(files)}; do echo $$ > $each; done; exec "$@"', "sh"]
    finally:
        for group in groups:
            for folder in {group / leaf: None, group: None}:
                folder.rmdir()


def _run(program, user, told, seconds, first=()):
    """Run a program and return the value of its last line; `first` are words before its command."""
    with _alone(), _folder(user) as folder:
        readable = [str(room() / "lib"), str(room() / "engine")]
        told = {"folder": str(folder), "readable": readable, **told}
        environ = {
            "PATH": os.defpath,
            "HOME": str(folder / "home"),
            "TMPDIR": str(folder / "temporary"),
            "PYTHONPATH": _packages(),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        words = [
            *first,
            *_as_user(user),
            interpreter(),
            str(room() / program),
            json.dumps(told),
        ]
        try:
            ended = subprocess.run(
                words, env=environ, cwd=folder, capture_output=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return {"lost": f"not over after {seconds} seconds"}
        lines = ended.stdout.decode().splitlines()
        if ended.returncode != 0 or not lines:
            return {"lost": f"status {ended.returncode}: {ended.stderr.decode(errors='replace')[-2000:]}"}
        return json.loads(lines[-1])


def all_attempts():
    """Return all attempts by protocol. Slow ones are made in one protocol only."""
    known = [name for name in ATTEMPTS if name != "flood"]
    return {"gtp": ["flood", *known], "gomocup": attempts_on_others(), "dighere": attempts_on_others()}


def attempts_on_others():
    """Return the attempts that are not mere use of an engine's own things: those are never "done"."""
    return [name for name in ATTEMPTS if name not in RESOURCES]


_LIMITS = ("limited", "EAGAIN", "EMFILE", "EFBIG", "ENOSPC", "ETOOMANYREFS", "EDQUOT", "ENOMEM")
_WORST = ("done", "own", "limited", "refused", "not tried")


def kind(result):
    """Return the word of the table for an engine's result of an attempt."""
    word = result.split()[0]
    if word in ("done", "own") or result == "not tried":
        return word if word != "not" else result
    return "limited" if word in _LIMITS else "refused"


def worst(results):
    return min(map(kind, results), key=_WORST.index)


@contextmanager
def event_folder(user, files):
    """Make a folder of a user with these texts, by file name."""
    with _folder(user) as folder:
        for name, text in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        if user != "root" and os.geteuid() == 0:
            for path in folder.rglob("*"):
                os.chown(path, NOBODY, NOBODY)
        yield folder


def run_gyoji(user, folder, *words):
    """Run gyoji in a folder, as a user. Raises CalledProcessError with its output."""
    environ = {"PATH": os.defpath, "HOME": str(folder / "home"), "TMPDIR": str(folder / "temporary")}
    subprocess.run(
        [*_as_user(user), interpreter(), "-B", "-m", "gyoji", *words],
        env={**environ, "PYTHONPATH": _packages()},
        cwd=folder,
        check=True,
        stdin=subprocess.DEVNULL,
        timeout=EVENT_LIMIT,
    )
