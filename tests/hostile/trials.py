"""Running trials: as root or as an ordinary user, with what they need where that user can read it."""

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

from attempts import ATTEMPTS, LATE, RESOURCES

import gyoji
from gyoji.store.filesystem import remove_tree

HERE = Path(__file__).parent
NOBODY = 65534
"""The ordinary user: one who owns nothing."""

LIMIT = 60  # seconds that a trial may take
EVENT_LIMIT = 240

LEVELS = ("off", "guarded", "strict")
USERS = ("root", "user") if os.geteuid() == 0 else ("user",)
LAYERS = ("users", "processes", "mounts", "memory", "networks", "landlock", "filter", "uids")


def users_with(layer):
    """Those for whom a layer makes a difference: root needs no user namespace, nobody else has uids."""
    return tuple(user for user in USERS if (layer, user) not in (("users", "root"), ("uids", "user")))


@cache
def interpreter():
    """A Python that every user may run: ours, if it is not in somebody's home, or the system's."""
    for path in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        probe = [path, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        if subprocess.run([*_as(NOBODY), *probe], capture_output=True, check=False).returncode == 0:
            return path
    raise AssertionError("no Python of 3.11 or newer here that every user may run")


def _packages():
    """Where an interpreter finds gyoji, and then what it needs."""
    return os.pathsep.join((str(room() / "lib"), sysconfig.get_path("purelib")))


@cache
def event_users():
    """Those who can hold an event here: who may read the packages that gyoji needs."""
    words = ["env", f"PYTHONPATH={_packages()}", interpreter(), "-B", "-c", "import gyoji.cli.app"]
    found = []
    for user in USERS:
        if not subprocess.run([*_as_user(user), *words], capture_output=True, check=False).returncode:
            found.append(user)
    return found


def _as_user(user):
    return _as(NOBODY) if user != "root" else []


def _as(uid):
    if os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "env"]


@cache
def room():
    """A folder that every user can read, with gyoji, the hostile engines and their trial in it."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-", dir="/var/tmp"))  # /tmp is an engine's own
    atexit.register(remove_tree, folder)
    shutil.copytree(
        Path(gyoji.__file__).parent, folder / "lib/gyoji", ignore=shutil.ignore_patterns("__pycache__")
    )
    for name in ("trial.py", "event.py"):
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
    """The hostile engines by the language that they are written in."""
    return {
        "C": [str(room() / "hostile")],
        "Python": [interpreter(), "-I", "-S", str(room() / "engine/hostile.py")],
    }


@contextmanager
def _alone():
    """While no other process of the tests has a trial: what one leaves may be seen on the whole machine."""
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
    """What a trial says, or {"lost": why} if its process was."""
    told = {"command": commands()[language], "try": attempts, "without": without, "beside": beside}
    return _run("trial.py", user, {"level": level, **told}, LIMIT)


def run_event(*, user, level, hostile, settings=""):
    """What a whole event says, or {"lost": why}; `hostile`: by code, (language, what it tries)."""
    players = {code: [commands()[language], attempts] for code, (language, attempts) in hostile.items()}
    told = {"hostile": players, "late": LATE, "settings": settings}
    return _run("event.py", user, {"level": level, **told}, EVENT_LIMIT)


def _run(program, user, told, seconds):
    """What the last line of a program says that is told this."""
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
    """Everything that an engine tries in a game of each protocol; what takes long in one of them only."""
    known = [name for name in ATTEMPTS if name != "flood"]
    return {"gtp": ["flood", *known], "gomocup": attempts_on_others(), "dighere": attempts_on_others()}


def attempts_on_others():
    """Those that are no mere use of what an engine has: one of the rest is never "done"."""
    return [name for name in ATTEMPTS if name not in RESOURCES]


_LIMITS = ("limited", "EAGAIN", "EMFILE", "EFBIG", "ENOSPC", "ETOOMANYREFS", "EDQUOT", "ENOMEM")
_WORST = ("done", "own", "limited", "refused", "not tried")


def kind(result):
    """What an engine said of an attempt, as the table has it."""
    word = result.split()[0]
    if word in ("done", "own") or result == "not tried":
        return word if word != "not" else result
    return "limited" if word in _LIMITS else "refused"


def worst(results):
    return min(map(kind, results), key=_WORST.index)


@contextmanager
def event_folder(user, files):
    """A folder of a user's with these texts in it, by name."""
    with _folder(user) as folder:
        for name, text in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        if user != "root" and os.geteuid() == 0:
            for path in folder.rglob("*"):
                os.chown(path, NOBODY, NOBODY)
        yield folder


def run_gyoji(user, folder, *words):
    """Run gyoji in a folder, as a user. Raises CalledProcessError with what it said."""
    environ = {"PATH": os.defpath, "HOME": str(folder / "home"), "TMPDIR": str(folder / "temporary")}
    subprocess.run(
        [*_as_user(user), interpreter(), "-B", "-m", "gyoji", *words],
        env={**environ, "PYTHONPATH": _packages()},
        cwd=folder,
        check=True,
        stdin=subprocess.DEVNULL,
        timeout=EVENT_LIMIT,
    )
