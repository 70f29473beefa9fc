"""The command `gyoji adapt`: an adapter between GTP and the USENIX protocol of 1984.

The process replaces itself with the adapter, which imports nothing of gyoji. So the adapter starts fast and
keeps the process id that the caller knows.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import click

import gyoji

PROGRAM = Path(gyoji.__file__).parent / "engines" / "usenix_adapter.py"


@click.command()
@click.argument("direction", type=click.Choice(["usenix", "gtp"]))
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
@click.option("--size", type=click.IntRange(1, 25), default=19, show_default=True, help="Size of the board.")
@click.option(
    "--komi", type=float, default=5.5, show_default=True, help="Points for White, as the engine is told."
)
@click.option(
    "--period",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    metavar="SECONDS",
    help="Seconds per move that a GTP engine is told at byo-romi; 0: it is told nothing.",
)
def adapt(direction: str, command: tuple[str, ...], *, size: int, komi: float, period: int) -> NoReturn:
    """Translate between GTP and the USENIX protocol of 1984.

    \b
        gyoji adapt usenix -- gnugo --mode gtp     speaks USENIX, drives a GTP engine
        gyoji adapt gtp -- ./oog                   speaks GTP, drives a USENIX program

    Use it as the `command` of a player. It starts the engine as a second process, so a player with the
    protocol usenix needs `forks = true`.
    """
    options = ("--size", str(size), "--komi", f"{komi:g}", "--period", str(period))
    program, *rest = command
    # as in a control file: on PATH, else among the engines that come with gyoji
    found = shutil.which(program) or shutil.which(program, path=os.path.dirname(sys.executable)) or program
    words = (sys.executable, "-I", "-S", str(PROGRAM), direction, *options, "--", found, *rest)
    os.execv(sys.executable, words)
