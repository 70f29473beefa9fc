"""`gyoji adapt`: this process becomes the adapter between two protocols.

The adapter is a program of its own and knows nothing of the rest: it starts faster than we do, and its
process has the id that whoever started us knows.
"""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import gyoji

PROGRAM = Path(gyoji.__file__).parent / "engines" / "usenix_adapter.py"


def become_adapter(
    direction: str, command: Sequence[str], *, size: int, komi: float, period: int
) -> NoReturn:
    """Drive the engine that `command` starts, as a program of the protocol `direction`."""
    options = ("--size", str(size), "--komi", f"{komi:g}", "--period", str(period))
    program, *rest = command
    # as in a control file: on PATH, else among the engines that come with us
    found = shutil.which(program) or shutil.which(program, path=os.path.dirname(sys.executable)) or program
    words = (sys.executable, "-I", "-S", str(PROGRAM), direction, *options, "--", found, *rest)
    os.execv(sys.executable, words)
