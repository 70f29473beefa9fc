"""The screen of a run on a terminal. Imports rich, so it is imported only for a run that shows itself.

The terminal is in order at every moment, whatever becomes of us: the cursor is never hidden, the screen is
never switched, and what is written over is only what we wrote.
"""

import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from rich.console import Console
from rich.live import Live
from rich.text import Text

from gyoji.cli.exits import complain
from gyoji.cli.screen import Frame, frame_lines
from gyoji.core.text import printable
from gyoji.play.loop import Alarm, Loop

FRAMES_A_SECOND = 4
_PERIOD = 1_000_000_000 // FRAMES_A_SECOND


class _Console(Console):
    """A console whose cursor stays: Ctrl-Z or a kill would leave the shell without one."""

    def show_cursor(self, show: bool = True) -> bool:
        del show
        return False


class LiveDisplay:
    """The screen, redrawn `FRAMES_A_SECOND` times a second.

    A picture is made in the thread of `loop`, where the run goes on: what it shows fits together. Another
    thread writes the latest one, so that a terminal that takes nothing (Ctrl-S) keeps nobody from playing.

    At the end a last picture stays: what `closing` says, the last results and warnings.
    """

    def __init__(
        self,
        picture: Callable[[], Frame],
        closing: Callable[[], Iterable[str]],
        loop: Loop,
        console: Console | None = None,
    ) -> None:
        self._picture, self._closing = picture, closing
        self._frame = Frame()
        self._alarm = Alarm(loop, self._look, self._give_up)
        self._console = console or _Console(highlight=False, markup=False, emoji=False)
        self._live = Live(
            console=self._console,
            get_renderable=self._draw,
            refresh_per_second=FRAMES_A_SECOND,
            transient=True,
            vertical_overflow="crop",
            redirect_stdout=False,
        )

    def __enter__(self) -> "LiveDisplay":
        self._look(time.monotonic_ns())
        self._live.start(refresh=True)
        return self

    def _look(self, now: int) -> None:
        """Make the picture of now, and the next one later."""
        self._frame = self._picture()
        self._alarm.set(now + _PERIOD)

    def _give_up(self) -> None:
        """A picture cannot be made, which is a bug: the games go on, and the last one stays."""
        complain(f"the screen shows nothing new any more: {printable(repr(sys.exception()))}")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._alarm.retire()
        with suppress(OSError):  # the terminal may have gone
            self._live.stop()
            if kind is None:
                for line in frame_lines(self._last(), sys.maxsize):
                    self._console.print(line, soft_wrap=True)

    def _last(self) -> Frame:
        """The frame that stays when the run has ended."""
        last = self._picture()
        return Frame(
            voids=last.voids,
            report=tuple(self._closing()),
            results=last.results,
            warnings=last.warnings,
            pace=last.pace,
        )

    def result(self, line: str) -> None:
        return None

    def warning(self, line: str) -> None:
        if not sys.stderr.isatty():  # the picture shows it, but somebody collects what is on stderr
            complain(printable(line, 1000))

    def notice(self, line: str) -> None:
        return None

    def _draw(self) -> Text:
        return picture_text(frame_lines(self._frame, max(self._console.height - 1, 1)))


def picture_text(lines: list[str]) -> Text:
    """The lines as rich text that is cut, never wrapped, at the terminal's width."""
    text = Text(no_wrap=True, overflow="ellipsis")
    for number, line in enumerate(lines):
        text.append(line if number == 0 else f"\n{line}", style=_style(line))
    return text


def _style(line: str) -> str:
    if line.startswith("= "):
        return "bold"
    return "dim" if line.startswith("(") else ""
