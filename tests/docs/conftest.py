"""A newcomer's machine: a home with nothing in it, and an environment with the wheel only."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
NOT_CLONED = shutil.ignore_patterns(".venv", ".git", "*_cache", "__pycache__", "build", "dist", "*.egg-info")
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/games"


@pytest.fixture(scope="session")
def wheel_environment(tmp_path_factory):
    """The programs of a fresh environment with our wheel and its extras; made once for all workers."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder, wheels = base / "environment", base / "wheels"
    with (base / "environment.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "is-complete").exists():
            _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels))
            (wheel,) = wheels.glob("*.whl")
            _run(sys.executable, "-m", "venv", str(folder))
            _run(str(folder / "bin" / "pip"), "install", "-q", f"{wheel}[{','.join(_extras())}]")
            (folder / "is-complete").touch()
    return folder / "bin"


def _run(*command):
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def _extras():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    return sorted(project["optional-dependencies"].keys() - {"dev", "docs"})


@pytest.fixture
def home():
    """A home folder with nothing in it. Its path is short, for messages do not show long ones whole."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as outer:
        folder = Path(outer) / "you"
        folder.mkdir()
        yield folder


@pytest.fixture
def clone(home):
    """A fresh clone of the repository, in a home folder."""
    return Path(shutil.copytree(REPOSITORY, home / "gyoji", ignore=NOT_CLONED))


@pytest.fixture
def environment(home):
    """The variables of a newcomer: of ours, only where packages come from."""
    configurations = [Path.home() / ".config/pip/pip.conf", Path.home() / ".pip/pip.conf"]
    given = {name: value for name, value in os.environ.items() if name.endswith(("_proxy", "_PROXY"))}
    given |= {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    if configuration := next(filter(Path.exists, configurations), None):
        given["PIP_CONFIG_FILE"] = str(configuration)
    given["PIP_QUIET"] = "2"  # what it says of a machine is on no page
    return given | {"HOME": str(home), "USER": "you", "LANG": "C.UTF-8", "TERM": "dumb", "PATH": SYSTEM_PATH}
