"""The package of this tree with its modules compiled, as a wheel made with `GYOJI_MYPYC` has it."""

import os
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]

BUILDERS = ("hatchling", "mypy", "setuptools")
"""Packages that a compiled build is made with, in the extra `dev`. Their modules have the same names."""


def missing_builders() -> list[str]:
    """What pip has to install before modules can be compiled, as pyproject.toml names it."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    lacking = tuple(name for name in BUILDERS if find_spec(name) is None)
    return [each for each in project["optional-dependencies"]["dev"] if lacking and each.startswith(lacking)]


def make_compiled(folder: Path, level: int) -> Path:
    """Make it in that folder, which goes on PYTHONPATH then. It takes minutes.

    level: 0 to 3, how much the C compiler optimises. Raises CalledProcessError.
    """
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(
        build, cwd=REPOSITORY, env={**os.environ, "GYOJI_MYPYC": str(level)}, check=True, stdout=sys.stderr
    )
    (wheel,) = folder.glob("*.whl")
    shutil.unpack_archive(wheel, folder, "zip")
    return folder
