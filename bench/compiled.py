"""Builds this tree's package with compiled modules, as `GYOJI_MYPYC` does for a wheel."""

import os
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]

BUILDERS = ("hatchling", "mypy", "setuptools")
"""Packages that a compiled build needs. They are in the extra `dev`, and their modules have the same names.
"""


def missing_builders() -> list[str]:
    """Return the requirements from pyproject.toml that must be installed before modules can be compiled."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    lacking = tuple(name for name in BUILDERS if find_spec(name) is None)
    return [each for each in project["optional-dependencies"]["dev"] if lacking and each.startswith(lacking)]


def make_compiled(folder: Path, level: int) -> Path:
    """Build the compiled package in a folder for PYTHONPATH. This takes minutes.

    Args:
        level: Optimisation by the C compiler, 0 to 3.

    Raises:
        CalledProcessError: The build failed.
    """
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(
        build, cwd=REPOSITORY, env={**os.environ, "GYOJI_MYPYC": str(level)}, check=True, stdout=sys.stderr
    )
    (wheel,) = folder.glob("*.whl")
    shutil.unpack_archive(wheel, folder, "zip")
    return folder
