#!/usr/bin/env python3
"""Set gyoji up in a folder of its own and do one thing with it. Needs nothing but Python and the network.

    python3 bootstrap.py              set up, and play the quickstart competition
    python3 bootstrap.py test         set up, and run every check and test
    python3 bootstrap.py setup        set up only

Everything goes into .venv beside this file; the system's Python is not touched, so this works where pip
refuses to install outside a virtual environment. Any Python 3 will do to start it: it looks for a newer one
if need be.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
OLDEST = (3, 11)
PIP = "https://pypi.org/pypi/pip/json"  # names the newest wheel, which runs as it is
CHECKS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("mypy",),
    ("lint-imports",),
    ("pytest", "-n", "2"),
)


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else "quickstart"
    steps = {"setup": lambda: None, "quickstart": quickstart, "test": test}
    if wanted not in steps or len(sys.argv) > 2:
        sys.exit(__doc__)
    use_new_enough_python()
    set_up("dev" if wanted == "test" else "")
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
    wish = HERE + ("[%s]" % extra if extra else "")
    stamp = os.path.join(VENV, "set-up-for-" + (extra or "users"))
    project = os.path.join(HERE, "pyproject.toml")
    if os.path.exists(stamp) and os.path.getmtime(stamp) > os.path.getmtime(project):
        return
    say("setting up " + VENV)
    pip = make_environment()
    run([*pip, "install", "--quiet", "--disable-pip-version-check", "--editable", wish])
    with open(stamp, "w"):
        pass


def make_environment():
    """Make the environment if it is not there; returns the command that installs into it."""
    python = tool("python")
    if not os.path.exists(python):
        venv = [sys.executable, "-m", "venv"]
        if subprocess.call([*venv, VENV], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0:
            return [python, "-m", "pip"]
        # Debian keeps the pip that venv wants in a package of its own.
        shutil.rmtree(VENV, ignore_errors=True)
        run([*venv, "--without-pip", VENV])
    if works([python, "-m", "pip", "--version"]):
        return [python, "-m", "pip"]
    if works([sys.executable, "-m", "pip", "--python", python, "--version"]):
        return [sys.executable, "-m", "pip", "--python", python]
    return [python, os.path.join(fetch_pip(), "pip")]


def fetch_pip():
    """pip's own wheel, which Python can run without installing it."""
    say("fetching pip from " + PIP)
    try:
        with urllib.request.urlopen(PIP) as answer:
            files = json.load(answer)["urls"]
        address = next(each["url"] for each in files if each["packagetype"] == "bdist_wheel")
        wheel = os.path.join(tempfile.mkdtemp(), address.rsplit("/", 1)[1])
        urllib.request.urlretrieve(urllib.parse.urljoin(PIP, address), wheel)
    except OSError as error:
        sys.exit("this Python has no pip, and none could be fetched from %s: %s" % (PIP, error))
    return wheel


def quickstart():
    say("playing examples/quickstart.toml")
    competition = os.path.join(HERE, "examples", "quickstart.toml")
    run([tool("gyoji"), "run", competition])


def test():
    for command in CHECKS:
        say(" ".join(command))
        run([tool(command[0]), *command[1:]], cwd=HERE)


def tool(name):
    return os.path.join(VENV, "bin", name)


def works(command):
    return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


def run(command, cwd=None):
    status = subprocess.call(command, cwd=cwd)
    if status:
        sys.exit(status)


def say(text):
    print("--- " + text, flush=True)


if __name__ == "__main__":
    main()
