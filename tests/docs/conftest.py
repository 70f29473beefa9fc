"""A newcomer's machine: a home with nothing in it, and an environment with the wheel only."""

import fcntl
import os
import shutil
import sys
import tempfile
import tomllib
from functools import partial
from pathlib import Path

import pytest

from commands import run

REPOSITORY = Path(__file__).parents[2]
NOT_CLONED = shutil.ignore_patterns(
    *(".venv", ".git", "*_cache", "__pycache__", "build", "dist", "*.egg-info", ".hypothesis", ".coverage*")
)
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/games"


@pytest.fixture(scope="session")
def wheel_environment(tmp_path_factory):
    """The programs of a fresh environment with our wheel and its extras; made once for all workers."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    make = partial(run, cwd=REPOSITORY, timeout=600)
    folder, wheels = base / "environment", base / "wheels"
    with (base / "environment.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "is-complete").exists():
            make(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", wheels)
            (wheel,) = wheels.glob("*.whl")
            make(sys.executable, "-m", "venv", folder)
            make(folder / "bin/pip", "install", "-q", f"{wheel}[{','.join(_extras())}]")
            (folder / "is-complete").touch()
    return folder / "bin"


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
