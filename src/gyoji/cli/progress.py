"""The progress of checks on stderr: one changing line on a terminal, else a line when a check takes long.

After `_PATIENCE` without an answer, the line shows engine, question and output since the question.
"""

import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic_ns

import click

from gyoji.cli.exits import complain
from gyoji.core.spec import Player
from gyoji.core.text import counted, format_duration, printable, quote
from gyoji.play.context import WorkerContext
from gyoji.play.loop import Alarm, Loop

_SECOND = 10**9
_PATIENCE = 5
"""Seconds without an answer after which a line shows the engine's name and the question."""
_PERIOD = 30
"""Seconds between lines without a terminal."""
_SAID = 1000
"""Bytes that are kept of an engine's output after one question."""
_COMMAND = 60
"""Characters of a player's command in a line."""


# The line is drawn by the loop's alarm, while the check waits in the same loop: no thread is needed.
class Progress:
    """The line on stderr about the engine that is being checked and the question that it was asked.

    It implements `Watch` of `gyoji.play.context`.
    """

    def __init__(self, loop: Loop) -> None:
        self._alarm = Alarm(loop, self._tick)
        self._is_live = sys.stderr.isatty()
        self._player: Player | None = None
        self._began = self._since = self._last = 0  # ns: of the check, of the question, of the last line
        self._asked = self._said = b""
        self._patience = self._questions = 0
        self._is_shown = False  # a line is on the terminal
        self._is_told = False  # a line about this question was printed

    def on_asked(self, player: Player, data: bytes, patience: int) -> None:
        now = monotonic_ns()
        if self._player is None or player.code != self._player.code:
            self._began, self._last, self._questions = now, now, 0
        self._player, self._since, self._patience = player, now, patience
        self._asked, self._said, self._is_told = data, b"", False
        self._questions += 1
        if self._is_shown:
            self._show(now)
        self._alarm.set(now + _SECOND)

    def on_said(self, data: bytes) -> None:
        self._said = (self._said + data)[:_SAID]

    def clear(self) -> None:
        """Remove the line from the terminal, because a check is over."""
        self._alarm.clear()
        self._player = None
        if self._is_shown:
            click.echo("\r\x1b[K", err=True, nl=False)
            self._is_shown = False

    def _tick(self, now: int) -> None:
        self._alarm.set(now + _SECOND)
        if self._is_live:
            self._show(now)
            return
        takes_long = now - self._since >= _PATIENCE * _SECOND
        if (takes_long and not self._is_told) or now - self._last >= _PERIOD * _SECOND:
            self._last, self._is_told = now, takes_long
            complain(self._line(now))

    def _show(self, now: int) -> None:
        width = shutil.get_terminal_size().columns - 1
        click.echo(f"\r\x1b[K{printable(self._line(now), width)}", err=True, nl=False)
        self._is_shown = True

    def _line(self, now: int) -> str:
        assert self._player is not None
        waited, asked = (now - self._since) // _SECOND, _question(self._asked)
        if now - self._since < _PATIENCE * _SECOND:
            lasted = format_duration((now - self._began) // _SECOND * _SECOND)
            asked = f"{counted(self._questions, 'question')} in {lasted}; now {asked}"
            return f"checking player {self._player.code}: {asked}"
        most = f" (it may take {format_duration(self._patience)})" if self._patience else ""
        command = printable(shlex.join(self._player.command), _COMMAND)
        said = f"; it has said {quote(self._said.strip())}" if self._said.strip() else ""
        ago = format_duration(waited * _SECOND)
        return f"waiting for player {self._player.code}, asked {asked} {ago} ago{most}: {command}{said}"


def _question(data: bytes) -> str:
    """Return the line of a request that an engine must answer, in quotes, to be shown as the question.

    That is the first line that is not an INFO line of Gomocup. If all are INFO lines, it is the first one.

    Args:
        data: The bytes of the request.
    """
    lines = [line.strip() for line in data.decode("utf-8", "replace").splitlines() if line.strip()]
    wanted = [line for line in lines if not line.startswith("INFO ")] or lines or [""]
    return quote(wanted[0])


@contextmanager
def watched(*, quiet: bool = False) -> Iterator[WorkerContext]:
    """Yield a context for checks, which shows their progress unless `quiet`."""
    loop = Loop()
    progress = Progress(loop)
    context = WorkerContext(loop=loop, watch=None if quiet else progress)
    try:
        yield context
    finally:
        progress.clear()
        context.close()
