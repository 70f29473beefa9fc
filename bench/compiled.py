"""The package of this tree with its modules compiled, as a wheel made with `GYOJI_MYPYC` has it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]


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
