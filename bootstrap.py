#!/usr/bin/env python3
"""Set gyoji up in a folder of its own and do one thing with it. Needs Python with pip, and the network.

    python3 bootstrap.py              set up, and play a first competition in the folder gyoji-demo
    python3 bootstrap.py test         set up, and run every check, and all tests but the slow ones:
                                      four minutes on two cores, in the background too
    python3 bootstrap.py setup        set up only, with what the examples use

Everything goes into .venv beside this file; the system's Python is not touched, so this works where pip
refuses to install outside a virtual environment. Packages come from wherever pip is set up to get them. Any
Python 3 will do to start it: it looks for a newer one if need be.
"""

import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
MYPY_CACHE = os.path.join(HERE, ".mypy_cache")
OLDEST = (3, 11)
NO_PIP = """this Python (%s) has no pip to install gyoji with.
Debian and Ubuntu keep it in a package of its own. Install it, and run this again:
    apt-get install python3-venv        (python3-pip will do as well)"""
CHECKS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("codespell",),
    ("mypy",),
    ("lint-imports",),
    ("pytest", "-n", "3", "--dist", "worksteal"),
)

LENGTHS = {
    "ruff": "a second",
    "codespell": "a second",
    "mypy": "half a minute, a second once it has a cache",
    "lint-imports": "some seconds",
    "pytest": "four minutes on two cores",
}


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else "quickstart"
    steps = {"setup": lambda: None, "quickstart": quickstart, "test": test}
    if wanted not in steps or len(sys.argv) > 2:
        sys.exit(__doc__)
    use_new_enough_python()
    set_up("dev" if wanted == "test" else "web")
    steps[wanted]()


def use_new_enough_python():
    """Go on under a Python that is new enough, if this one is not."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(20, OLDEST[1] - 1, -1):
        python = shutil.which("python3.%d" % minor)
        if python:
            os.execv(python, [python, *sys.argv])
    sys.exit(
        "gyoji needs Python %d.%d or newer; this is %s, and there is no newer one on PATH"
        % (*OLDEST, sys.version.split()[0])
    )


def set_up(extra):
    """A virtual environment with gyoji in it; nothing is done again that was done before."""
    wish = "%s[%s]" % (HERE, extra)
    stamp = os.path.join(VENV, "set-up-for-" + extra)
    project = os.path.join(HERE, "pyproject.toml")
    if os.path.exists(stamp) and os.path.getmtime(stamp) > os.path.getmtime(project):
        return
    say("setting up " + VENV)
    pip = make_environment()
    # Little of a hundred packages is imported, and compiled then: to compile all takes as long as the rest.
    words = ("--quiet", "--disable-pip-version-check", "--no-compile")
    run([*pip, "install", *words, "--editable", wish])
    with open(stamp, "w"):
        pass


def make_environment():
    """Make the environment if it is not there; returns the command that installs into it.

    Ends the program if there is no pip, with nothing left of what it has made.
    """
    python = tool("python")
    is_new = not os.path.exists(python)
    if is_new:
        venv = [sys.executable, "-m", "venv"]
        if works([*venv, VENV]):
            return [python, "-m", "pip"]
        # Debian keeps the pip that venv wants in a package of its own.
        shutil.rmtree(VENV, ignore_errors=True)
        works([*venv, "--without-pip", VENV])
    if works([python, "-m", "pip", "--version"]):
        return [python, "-m", "pip"]
    if works([sys.executable, "-m", "pip", "--python", python, "--version"]):
        return [sys.executable, "-m", "pip", "--python", python]
    if is_new:
        shutil.rmtree(VENV, ignore_errors=True)
    sys.exit(NO_PIP % sys.executable)


def quickstart():
    say("gyoji demo")
    run([tool("gyoji"), "demo"], cwd=HERE)


def test():
    """Every check, with how long each took. stdin is nobody's: who starts this may have none."""
    # Images of CI like to set it, and each of the thousands of processes would compile gyoji anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.monotonic()
    compiling = compile_tests()
    try:
        for command in CHECKS:
            say("%s (%s)" % (" ".join(command), LENGTHS[command[0]]))
            if command[0] == "pytest" and compiling:
                compiling.wait()
            run([tool(command[0]), *command[1:]], cwd=HERE, stdin=subprocess.DEVNULL)
    finally:
        if compiling:
            compiling.kill()
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    say("all passed in %d min %d s" % (minutes, seconds))


def compile_tests():
    """Start to compile the tests if nothing has been checked here yet; returns the process, or None.

    pytest compiles tests as it collects them, and its three workers would compile each of them three times.
    Until then one processor is idle, for mypy uses one.
    """
    if os.path.exists(MYPY_CACHE):
        return None
    quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    return subprocess.Popen([tool("pytest"), "--collect-only", "-qq"], cwd=HERE, **quiet)


def tool(name):
    return os.path.join(VENV, "bin", name)


def works(command):
    try:
        return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def run(command, cwd=None, stdin=None):
    status = subprocess.call(command, cwd=cwd, stdin=stdin)
    if status:
        sys.exit(status)


def say(text):
    print("--- " + text, flush=True)


if __name__ == "__main__":
    main()
