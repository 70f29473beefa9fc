"""Players that run a few lines of Python in a cell, for all tests of containment."""

import os
import select
import sys
from contextlib import suppress

from gyoji.core.spec import Containment, Player

PYTHON = os.path.realpath(sys.executable)


def make_player(code, *words, cwd, **containment):
    settings = Containment(**containment)
    return Player(code="a", command=(PYTHON, "-c", code, *words), cwd=str(cwd), containment=settings)


def started(executor, player, place):
    return executor.start(player, {"TMPDIR": str(place / "tmp")}, place=str(place))


def output(engine, lines=0):
    """Return the text of an engine until it ends, or until it has written so many lines."""
    text = b""
    while not lines or text.count(b"\n") < lines:
        select.select([engine.stdout], [], [], 20)
        data = b""
        with suppress(BlockingIOError):
            data = os.read(engine.stdout, 1 << 16)
        if not data:
            break
        text += data
    if not lines:
        select.select([engine.pidfd], [], [], 20)
    return text.decode()
